/* Tests of figures of surfaces: what is seen where, what is hidden, and in which colours. */
#include "support/pictures.h"

/* ---------------------------------------------------------------- the ground */

static void a_ball_is_round_and_lit_from_the_upper_left(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = from(30.0, 20.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  picture p = draw(&def);
  blob ball = find(&p, is_ground);
  double wide = ball.right - ball.left + 1.0, high = ball.bottom - ball.top + 1.0;
  assert_true(fabs(wide / high - 1.0) < 0.02);
  assert_true(fabs(ball.count / (0.785398 * wide * high) - 1.0) < 0.02);
  assert_true(light_at(&p, ball.x - 0.25 * wide, ball.y - 0.25 * high) >
              light_at(&p, ball.x + 0.25 * wide, ball.y + 0.25 * high) + 30);
  assert_true(is_white(255 & (int)pixel(&p, 2, 2), 255, 255));
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* shows: PLAN-57 */
static void values_become_colours_and_even_isolines(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  float *value = values_of(&mesh, 0);
  def.value.vertex = value, def.value.label = "distance left [m]";
  def.value.min = 0.0f, def.value.max = 20.0f;
  def.width = 800;
  picture p = draw(&def);
  int row = p.height / 2, lines = 0, left = 60, right = 0;
  for (int x = 0; x < 650; x++) /* the bar stands beyond */
    if (light_at(&p, x, row) < 245) right = x;
  while (light_at(&p, left, row) > 245) left++;
  assert_true(light_at(&p, left + 12, row) > light_at(&p, right - 12, row) + 60);
  for (int x = left + 6; x < right - 6; x++) /* darker than both sides: a line */
    if (light_at(&p, x, row) + 12 < light_at(&p, x - 3, row) && light_at(&p, x, row) + 12 < light_at(&p, x + 3, row) &&
        light_at(&p, x, row) <= light_at(&p, x - 1, row) && light_at(&p, x, row) < light_at(&p, x + 1, row))
      lines++;
  assert_int_equal(lines, 9); /* every 2 m */
  cairo_surface_destroy(p.surface);
  free(value);
  th_mesh_free(&mesh);
}

/* shows: PLAN-58 */
static void edges_walls_and_blocked_faces_are_dark(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  picture p = draw(&def);
  blob page = find(&p, is_ground);
  int plain = light_at(&p, page.x, page.y);
  assert_true(plain > 180);
  int darkest = 255;
  for (int x = page.left; x < page.left + 4; x++)
    if (light_at(&p, x, page.y) < darkest) darkest = light_at(&p, x, page.y);
  assert_true(darkest < 130); /* the border is a wall */
  cairo_surface_destroy(p.surface);
  def.edges = true;
  p = draw(&def);
  int darker = 0;
  for (int x = page.left + 4; x < page.right - 4; x++) darker += light_at(&p, x, page.y) < plain - 12;
  assert_true(darker >= 20);
  cairo_surface_destroy(p.surface);
  uint8_t blocked[400] = {0};
  for (uint32_t f = 0; f < mesh.face_count; f++) blocked[f] = mesh.xyz[3 * (size_t)mesh.corner[3 * (size_t)f]] > 15.0;
  def.blocked = blocked, def.edges = false;
  p = draw(&def);
  assert_true(light_at(&p, page.left + 0.9 * (page.right - page.left), page.y + 3.0) < 120);
  assert_true(light_at(&p, page.left + 0.5 * (page.right - page.left), page.y + 3.0) > 180);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* shows: SBVP-80 */
static void the_thesis_colours_run_from_green_to_red(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  float *value = values_of(&mesh, 0);
  uint8_t cell[231] = {0};
  for (uint32_t v = 0; v < mesh.vertex_count; v++) {
    value[v] /= 20.0f;
    cell[v] = value[v] < 0.15f ? TH_FIGURE_CELL_GOAL : value[v] > 0.85f ? TH_FIGURE_CELL_OCCUPIED : TH_FIGURE_CELL_FREE;
  }
  def.value.vertex = value, def.value.isolines = TH_ISOLINES_NONE;
  def.colours = TH_MESH_FIGURE_THESIS;
  blob without = drawn(&def, is_yellow);
  assert_int_equal(without.count, 0);
  def.cell = cell;
  picture p = draw(&def);
  blob red = find(&p, is_red), green = find(&p, is_green), yellow = find(&p, is_yellow), ground = find(&p, is_ground);
  assert_true(red.count > 500 && green.count > 500 && yellow.count > 60);
  assert_true(green.left < ground.left + 8 && red.right > ground.right - 8);
  assert_true(green.x < yellow.x && yellow.x < red.x);
  cairo_surface_destroy(p.surface);
  free(value);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- lines */

/* shows: SBVP-81 */
static void paths_and_gradients_have_their_colours(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  float *value = values_of(&mesh, 1);
  for (uint32_t v = 0; v < mesh.vertex_count; v++) /* flat where x > 10: no gradient there */
    value[v] = mesh.xyz[3 * (size_t)v] > 10.5 ? 0.5f : 0.5f + 0.03f * value[v];
  def.value.vertex = value, def.value.isolines = TH_ISOLINES_NONE, def.value.min = 0.0f, def.value.max = 1.0f;
  def.colours = TH_MESH_FIGURE_THESIS;
  const th_vec3 path[2] = {{2, 3, 0}, {18, 3, 0}}, grid[2] = {{2, 7, 0}, {18, 7, 0}};
  const th_mesh_figure_line line[2] = {{TH_MESH_FIGURE_PATH, path, 2, 0}, {TH_MESH_FIGURE_GRID, grid, 2, 0}};
  def.line = line, def.line_count = 2;
  picture p = draw(&def);
  blob ground = find(&p, is_ground), blue = find(&p, is_blue);
  assert_true(blue.right - blue.left > 0.7 * (ground.right - ground.left) && blue.bottom - blue.top < 6);
  assert_true(blue.y > ground.y + 20.0); /* y = 3 is low on the page */
  int white = 0;
  for (int y = ground.top + 5; y < ground.y; y++) white += light_at(&p, ground.x, y) > 215;
  assert_in_range(white, 1, 4);
  cairo_surface_destroy(p.surface);
  blob before = drawn(&def, is_black);
  def.gradients = true;
  p = draw(&def);
  int left = 0, right = 0;
  for (int y = ground.top + 5; y < ground.bottom - 5; y++)
    for (int x = ground.left + 5; x < ground.right - 5; x++) {
      if (light_at(&p, x, y) > 45) continue;
      left += x < ground.x;
      right += x > ground.left + 0.6 * (ground.right - ground.left);
    }
  assert_true(left > before.count + 100);
  assert_int_equal(right, 0);
  cairo_surface_destroy(p.surface);
  free(value);
  th_mesh_free(&mesh);
}

/* shows: PLAN-54 */
static void what_lies_behind_is_hidden(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = from(0.0, 0.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  th_vec3 arc[41];
  for (int k = 0; k <= 40; k++) { /* a quarter of the equator, on the far side */
    double turn = 2.356194490 + 0.0392699 * k;
    arc[k] = (th_vec3){(float)(10.0 * cos(turn)), (float)(10.0 * sin(turn)), 0.0f};
  }
  th_mesh_figure_line line = {TH_MESH_FIGURE_PATH, arc, 41, 0};
  def.line = &line, def.line_count = 1;
  assert_int_equal(drawn(&def, is_blue).count, 0);
  camera = from(180.0, 0.0);
  assert_true(drawn(&def, is_blue).count > 100);
  line.kind = TH_MESH_FIGURE_TRAIL; /* fades towards its begin, which lies on the right from behind */
  picture p = draw(&def);
  blob red = find(&p, is_reddish), ground = find(&p, is_ground);
  assert_true(red.count > 100 && fabs(red.x - ground.x) > 10.0);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- agents */

/* shows: PLAN-53 */
static void agents_stand_at_their_weights(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  for (int k = 0; k < 3; k++) { /* close to corner k of the face */
    uint32_t face = face_at(&mesh, 15.3, 6.6, 0.0);
    th_vec3 weights = {k == 0 ? 0.9f : 0.05f, k == 1 ? 0.9f : 0.05f, k == 2 ? 0.9f : 0.05f};
    const double *a = mesh.xyz + 3 * (size_t)mesh.corner[3 * face],
                 *b = mesh.xyz + 3 * (size_t)mesh.corner[3 * face + 1],
                 *c = mesh.xyz + 3 * (size_t)mesh.corner[3 * face + 2];
    double x = (double)weights.x * a[0] + (double)weights.y * b[0] + (double)weights.z * c[0];
    double y = (double)weights.x * a[1] + (double)weights.y * b[1] + (double)weights.z * c[1];
    def.agents =
        (th_mesh_figure_bodies){.count = 1, .face = &face, .weights = &weights, .same_radius = 0.5f, .height = 1.0f};
    def.agents.shape = TH_BODY_DISC;
    picture p = draw(&def);
    blob red = find(&p, is_red), ground = find(&p, is_ground);
    double metre = (ground.right - ground.left + 1.0) / 20.0;
    assert_true(red.count > 0.5 * 3.14 * 0.25 * metre * metre && red.count < 1.1 * 3.14 * 0.25 * metre * metre);
    assert_true(fabs(red.x - (ground.left + x * metre)) < 1.5);
    assert_true(fabs(red.y - (ground.bottom + 1.0 - y * metre)) < 1.5);
    cairo_surface_destroy(p.surface);
  }
  th_mesh_free(&mesh);
}

/* shows: PLAN-59 */
static void agents_are_coloured_by_kind_or_by_value(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = from(0.0, 0.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  uint32_t face[4] = {face_at(&mesh, 9, 3, 3), face_at(&mesh, 9, -3, 3), face_at(&mesh, 9, 0, -4),
                      face_at(&mesh, -10, 0, 0)};
  const th_vec3 middle[4] = {{0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}};
  const uint32_t kind[4] = {0, 1, 2, 0};
  const float speed[4] = {0.0f, 1.0f, 0.5f, 1.0f};
  def.agents.count = 4, def.agents.face = face, def.agents.weights = middle, def.agents.same_radius = 1.0f;
  def.agents.shape = TH_BODY_DISC;
  def.agents.kind = kind, def.agents.kind_count = 3;
  picture p = draw(&def);
  blob red = find(&p, is_red), blue = find(&p, is_blue), ground = find(&p, is_ground);
  assert_true(red.count > 100 && blue.count > 100);
  /* one each: the fourth stands behind */
  assert_true(red.right - red.left < 0.15 * (ground.right - ground.left) && red.x > ground.x && red.y < ground.y);
  assert_true(blue.x < ground.x);
  cairo_surface_destroy(p.surface);
  def.agents.value = speed, def.agents.label = "speed [m/s]";
  def.agents.count = 3;
  p = draw(&def);
  ground = find(&p, is_ground);
  assert_true(find(&p, is_yellow).count > 50); /* of the map: blue is slow, amber fast */
  blue = find(&p, is_blue);
  assert_true(blue.count > 50);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

static void upright_bodies_stick_out_and_hide_each_other(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 15.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  uint32_t face[2] = {face_at(&mesh, 10, 8, 0), face_at(&mesh, 10, 2, 0)};
  const th_vec3 point[2] = {{10, 8, 0}, {10, 2, 0}};
  const uint32_t kind[2] = {0, 1};
  def.agents.count = 1, def.agents.face = face, def.agents.point = point, def.agents.kind = kind;
  def.agents.kind_count = 2, def.agents.same_radius = 0.8f, def.agents.height = 5.0f;
  def.agents.shape = TH_BODY_UPRIGHT;
  blob alone = drawn(&def, is_red);
  assert_true(alone.bottom - alone.top > 2 * (alone.right - alone.left));
  def.agents.count = 2;
  picture p = draw(&def);
  blob behind = find(&p, is_red), before = find(&p, is_blue);
  assert_true(before.count > 100 && behind.count < alone.count - 50); /* partly hidden by the nearer one */
  assert_true(before.y > behind.y);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* Seen along its heading a body with turned shoulders is narrower by its share; seen from the side it is not. */
static void turned_shoulders_are_narrower_across_the_heading(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 15.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  const uint32_t face = face_at(&mesh, 10, 8, 0), kind = 0;
  const th_vec3 point = {10, 8, 0}, away = {0, 1, 0}, aside = {1, 0, 0};
  const float narrowed = 0.4f;
  def.agents.count = 1, def.agents.face = &face, def.agents.point = &point, def.agents.kind = &kind;
  def.agents.kind_count = 1, def.agents.same_radius = 1.2f, def.agents.height = 5.0f, def.agents.heading = &away;
  static const th_body_shape shape[] = {TH_BODY_UPRIGHT, TH_BODY_DISC};
  for (int k = 0; k < 2; k++) {
    def.agents.shape = shape[k], def.agents.heading = &away, def.agents.narrowed = NULL;
    const blob full = drawn(&def, is_red);
    def.agents.narrowed = &narrowed;
    const blob along = drawn(&def, is_red);
    def.agents.heading = &aside;
    const blob across = drawn(&def, is_red);
    const double wide = full.right - full.left;
    assert_true(wide > 20.0);
    assert_true(fabs((along.right - along.left) / wide - 0.6) < 0.08);
    assert_true(fabs((across.right - across.left) / wide - 1.0) < 0.08);
  }
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- cameras */

static void a_cut_shows_the_inside_of_a_tube(void **state) {
  (void)state;
  th_mesh mesh = tube_from_inside();
  th_camera camera = from(0.0, 0.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  uint32_t face = face_at(&mesh, -4, 0, 10);
  const th_vec3 middle = {0.33f, 0.33f, 0.34f};
  def.agents.count = 1, def.agents.face = &face, def.agents.weights = &middle, def.agents.same_radius = 1.0f;
  def.agents.shape = TH_BODY_DISC;
  assert_int_equal(drawn(&def, is_red).count, 0);
  def.cut_away = true;
  assert_true(drawn(&def, is_red).count > 100);
  def.cut_away = false; /* and from within, where faces pass the eye */
  camera = th_default_camera();
  camera.kind = TH_CAMERA_POSITION;
  camera.lens = 80.0;
  camera.eye = (th_vec3){1, 0, 6}, camera.target = (th_vec3){-2, 0, 12};
  picture p = draw(&def);
  assert_true(find(&p, is_red).count > 100);
  blob ground = find(&p, is_ground);
  assert_true(ground.count > 0.8 * (ground.right - ground.left) * (ground.bottom - ground.top));
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

static void the_automatic_camera_looks_at_the_crowd(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = th_default_camera();
  th_mesh_figure_def def = scene(&mesh, &camera);
  const th_vec3 middle = {0.33f, 0.33f, 0.34f};
  uint32_t face;
  def.agents.count = 1, def.agents.face = &face, def.agents.weights = &middle, def.agents.same_radius = 1.5f;
  def.agents.shape = TH_BODY_DISC;
  for (int side = 0; side < 4; side++) {
    double turn = 1.5707963 * side;
    face = face_at(&mesh, 10.0 * cos(turn), 10.0 * sin(turn), side == 3 ? 30.0 : 0.0);
    assert_true(drawn(&def, is_red).count > 150);
  }
  th_camera both[2] = {th_default_camera(), th_default_camera()};
  both[0].lens = 30.0;
  both[1].kind = TH_CAMERA_BEHIND;
  def.camera = both, def.camera_count = 2;
  picture p = draw(&def);
  blob red = find(&p, is_red);
  assert_true(red.count > 30 && red.right < p.width / 2); /* the second panel shows the back */
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

static void hidden_faces_take_along_who_stands_on_them(void **state) {
  (void)state;
  th_mesh mesh = plane();
  uint8_t hidden[400];
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  uint32_t face = face_at(&mesh, 15, 5, 0);
  const th_vec3 middle = {0.33f, 0.33f, 0.34f}, way[2] = {{11, 5, 0}, {19, 5, 0}};
  const th_mesh_figure_line line = {TH_MESH_FIGURE_PATH, way, 2, 0};
  for (uint32_t f = 0; f < mesh.face_count; f++) hidden[f] = mesh.xyz[3 * (size_t)mesh.corner[3 * (size_t)f]] >= 10.0;
  def.agents.count = 1, def.agents.face = &face, def.agents.weights = &middle;
  def.line = &line, def.line_count = 1;
  picture p = draw(&def);
  assert_true(find(&p, is_red).count > 10 && find(&p, is_blue).count > 100);
  cairo_surface_destroy(p.surface);
  camera.hidden_face = hidden;
  p = draw(&def);
  blob ground = find(&p, is_ground);
  assert_int_equal(find(&p, is_red).count, 0);
  assert_int_equal(find(&p, is_blue).count, 0);
  assert_true(ground.right - ground.left < 1.3 * (ground.bottom - ground.top)); /* 10 x 10 m are left */
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- goals and terrains */

static bool is_greenish(int r, int g, int b) { return g > r + 25 && g > b + 4; }

/* Pixels of 20 x 10 m seen from above, as metres. */
static bool green_at(const picture *p, const blob *page, double x, double y) {
  const double scale = (page->right - page->left) / 20.0;
  const uint32_t c = pixel(p, (int)(page->left + x * scale), (int)(page->bottom - y * scale));
  return is_greenish((int)(c >> 16), (int)(c >> 8 & 255), (int)(c & 255));
}

/* A goal of an area is painted inside its outline and nowhere else, at its heights only. */
static void an_area_is_painted_inside_its_outline(void **state) {
  (void)state;
  static const th_vec3 corner[4] = {{2, 2, 0}, {9, 2, 0}, {9, 7, 0}, {2, 7, 0}};
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  def.width = 500;
  th_mesh_figure_mark mark = {.kind = "goal",
                              .face = face_at(&mesh, 5.5, 4.5, 0),
                              .point = {5.5f, 4.5f, 0},
                              .radius = 2,
                              .outline = corner,
                              .outline_count = 4,
                              .closed = true,
                              .low = -1,
                              .high = 1};
  picture plain = draw(&def);
  const blob page = find(&plain, is_ground);
  cairo_surface_destroy(plain.surface);
  def.mark = &mark, def.mark_count = 1;
  picture p = draw(&def);
  for (double y = 0.55; y < 10; y += 0.9)
    for (double x = 0.55; x < 20; x += 0.9) {
      const bool inside = x > 2 && x < 9 && y > 2 && y < 7;
      if (fmin(fabs(x - 2), fabs(x - 9)) < 0.2 || fmin(fabs(y - 2), fabs(y - 7)) < 0.2) continue; /* its border */
      if (green_at(&p, &page, x, y) != inside) fail_msg("%g, %g", x, y);
    }
  cairo_surface_destroy(p.surface);
  mark.low = 1.0f, mark.high = 2.0f; /* above the plane: the border only */
  p = draw(&def);
  assert_false(green_at(&p, &page, 5.5, 4.6));
  cairo_surface_destroy(p.surface);
  mark.low = 3.0f;
  th_error error = {0};
  assert_int_equal(th_mesh_figure_write(&def, in_folder("a.png"), &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "low <= high"));
  th_mesh_free(&mesh);
}

/* A goal line is a line from end to end and no disc. */
static void a_goal_line_is_a_line(void **state) {
  (void)state;
  static const th_vec3 end[2] = {{15, 1, 0}, {15, 9, 0}};
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  def.width = 500;
  picture plain = draw(&def);
  const blob page = find(&plain, is_ground);
  cairo_surface_destroy(plain.surface);
  const double scale = (page.right - page.left) / 20.0;
  th_mesh_figure_mark mark = {.kind = "goal",
                              .face = face_at(&mesh, 15, 5, 0),
                              .point = {15, 5, 0},
                              .radius = 3,
                              .outline = end,
                              .outline_count = 2,
                              .low = -INFINITY,
                              .high = INFINITY};
  def.mark = &mark, def.mark_count = 1;
  const blob line = drawn(&def, is_greenish);
  assert_true(abs(line.top - (int)(page.bottom - 9 * scale)) < 4 && abs(line.bottom - (int)(page.bottom - scale)) < 4);
  assert_true(line.right - line.left < 6 && fabs(line.x - page.left - 15 * scale) < 2);
  assert_true(line.count > 8 * scale);
  th_mesh_free(&mesh);
}

/* Terrains have a colour each where they are; faces that are blocked stay dark. */
static void terrains_have_colours(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  def.width = 400;
  uint8_t terrain_of[400], blocked[400];
  for (uint32_t f = 0; f < mesh.face_count; f++) {
    const double x = mesh.xyz[3 * (size_t)mesh.corner[3 * (size_t)f]];
    terrain_of[f] = x > 12.0;
    blocked[f] = x > 16.0;
  }
  picture p = draw(&def);
  const blob page = find(&p, is_ground);
  cairo_surface_destroy(p.surface);
  def.terrain_of = terrain_of, def.blocked = blocked;
  p = draw(&def);
  const double scale = (page.right - page.left) / 20.0;
  uint32_t c[3];
  for (int k = 0; k < 3; k++)
    c[k] = pixel(&p, (int)(page.left + (k == 0 ? 6 : k == 1 ? 14 : 18.5) * scale), (int)page.y + 3);
  assert_true((c[1] >> 8 & 255) > (c[1] & 255) + 25); /* terrain 1 is greenish */
  assert_true((c[0] >> 8 & 255) < (c[0] & 255) + 20); /* the plain ground and what is blocked are grey */
  assert_true((c[2] >> 8 & 255) < (c[2] & 255) + 20 && (c[2] >> 8 & 255) < 140);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* The rim of blocked faces has no gaps, also where faces are seen from the side. */
static void rims_are_not_dashed(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 12.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  def.width = 1000;
  picture p = draw(&def);
  const blob page = find(&p, is_ground);
  for (int x = page.left + 3; x < page.right - 3; x++) { /* the far border */
    int darkest = 255;
    for (int y = page.top - 1; y < page.top + 6; y++)
      if (light_at(&p, x, y) < darkest) darkest = light_at(&p, x, y);
    if (darkest > 110) fail_msg("a gap at %d of %d to %d: %d", x, page.left, page.right, darkest);
  }
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_is_round_and_lit_from_the_upper_left),
      cmocka_unit_test(values_become_colours_and_even_isolines),
      cmocka_unit_test(edges_walls_and_blocked_faces_are_dark),
      cmocka_unit_test(the_thesis_colours_run_from_green_to_red),
      cmocka_unit_test(paths_and_gradients_have_their_colours),
      cmocka_unit_test(what_lies_behind_is_hidden),
      cmocka_unit_test(agents_stand_at_their_weights),
      cmocka_unit_test(agents_are_coloured_by_kind_or_by_value),
      cmocka_unit_test(upright_bodies_stick_out_and_hide_each_other),
      cmocka_unit_test(turned_shoulders_are_narrower_across_the_heading),
      cmocka_unit_test(a_cut_shows_the_inside_of_a_tube),
      cmocka_unit_test(the_automatic_camera_looks_at_the_crowd),
      cmocka_unit_test(hidden_faces_take_along_who_stands_on_them),
      cmocka_unit_test(an_area_is_painted_inside_its_outline),
      cmocka_unit_test(a_goal_line_is_a_line),
      cmocka_unit_test(terrains_have_colours),
      cmocka_unit_test(rims_are_not_dashed),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_pictures);
}
