/* tests/ground/test_mesh_ground_edit.c - next versions of a mesh ground equal grounds made afresh, bit for bit. */
#include "support/mesh_grounds.h"

static void assert_same(const th_ground *a, const th_ground *b) {
  const th_mesh_ground *s = a->mesh, *t = b->mesh;
  uint32_t faces = s->mesh.face_count, vertices = s->mesh.vertex_count;
  assert_int_equal(faces, t->mesh.face_count);
  assert_int_equal(vertices, t->mesh.vertex_count);
  assert_int_equal(s->wall_count, t->wall_count);
  assert_memory_equal(s->mesh.xyz, t->mesh.xyz, 3 * vertices * sizeof(double));
  assert_memory_equal(s->frames.face, t->frames.face, faces * sizeof *s->frames.face);
  assert_memory_equal(s->frames.edge, t->frames.edge, 3 * faces * sizeof *s->frames.edge);
  assert_memory_equal(s->bvh.box, t->bvh.box, (2 * s->bvh.leaves - 1) * sizeof *s->bvh.box);
  assert_memory_equal(s->bvh.order, t->bvh.order, faces * sizeof *s->bvh.order);
  assert_memory_equal(s->blocked, t->blocked, faces);
  assert_memory_equal(s->speed, t->speed, faces * sizeof *s->speed);
  assert_memory_equal(s->exit_half, t->exit_half, faces * sizeof *s->exit_half);
  assert_memory_equal(s->on_wall, t->on_wall, vertices);
  assert_memory_equal(s->sight, t->sight, vertices * sizeof *s->sight);
  assert_memory_equal(s->far, t->far, vertices * sizeof *s->far);
  assert_memory_equal(s->vertex_clearance, t->vertex_clearance, vertices * sizeof *s->vertex_clearance);
  assert_memory_equal(s->vertex_bound, t->vertex_bound, vertices * sizeof *s->vertex_bound);
  assert_memory_equal(s->face_clearance, t->face_clearance, faces * sizeof *s->face_clearance);
  assert_memory_equal(s->wall_half, t->wall_half, s->wall_count * sizeof *s->wall_half);
  assert_int_equal(s->closed, t->closed);
  assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
  assert_true(a->cell == b->cell && s->shortest_edge == t->shortest_edge);
}

static th_region ball_at(const th_soup *soup, const char *name, uint64_t seed, uint32_t n) {
  const double *p = soup->xyz[th_random_to_below(th_random(seed, 1, n, 0), soup->vertex_count)];
  return (th_region){.name = name,
                     .kind = TH_REGION_BALL,
                     .centre = {(float)p[0], (float)p[1], (float)p[2]},
                     .radius = 0.7f + th_random_unit(seed, 2, n, 0)};
}

enum { DOORS = 3, BALLS = 6 };

typedef struct state {
  th_mesh_door door[DOORS];
  th_region ball[BALLS];
  bool there[BALLS];
} state;

static th_ground *fresh_of(const th_soup *soup, const state *st, float limit) {
  th_region blocked[BALLS];
  th_mesh_ground_def def = mesh_kind_def(soup);
  def.clearance_limit = limit;
  def.door = st->door;
  def.door_count = DOORS;
  def.blocked = blocked;
  for (uint32_t k = 0; k < BALLS; k++)
    if (st->there[k]) blocked[def.blocked_count++] = st->ball[k];
  return mesh_kind_ground_of(&def);
}

/* Random doors and obstacles, up to three at a time. */
static void edits_equal_a_fresh_build(void **unused) {
  (void)unused;
  static const char *const name[DOORS + BALLS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_soup soup;
    state st = {0};
    mesh_kind_soup(&soup, (mesh_kind)kind, 2);
    float limit = kind % 2 ? 4.0f : 1.5f;
    for (uint32_t k = 0; k < DOORS; k++) st.door[k] = (th_mesh_door){ball_at(&soup, name[k], 5, k), k == 1};
    for (uint32_t k = 0; k < BALLS; k++) st.ball[k] = ball_at(&soup, name[DOORS + k], 5, DOORS + k);
    for (uint32_t k = 0; k < DOORS; k++) st.door[k].region.radius = kind == MESH_COSTA ? 4.0f : 1.5f;
    th_ground *ground = fresh_of(&soup, &st, limit);
    for (uint32_t n = 0; n < 12; n++) {
      th_edit edit[3];
      uint32_t count = 1 + n % 3;
      for (uint32_t k = 0; k < count; k++) {
        uint32_t which = th_random_to_below(th_random(6, (uint32_t)kind, n, k), DOORS + BALLS);
        edit[k] = (th_edit){.name = name[which]};
        if (which < DOORS) {
          st.door[which].closed = !st.door[which].closed;
          edit[k].kind = st.door[which].closed ? TH_EDIT_CLOSE : TH_EDIT_OPEN;
        } else {
          bool *there = &st.there[which - DOORS];
          edit[k].kind = *there ? TH_EDIT_REMOVE : TH_EDIT_ADD;
          edit[k].region = &st.ball[which - DOORS];
          *there = !*there;
        }
      }
      th_ground *next = NULL, *fresh = fresh_of(&soup, &st, limit);
      th_error error = {0};
      if (th_ground_edit(ground, edit, count, &next, &error) != TH_OK) fail_msg("%s", error.text);
      assert_int_equal(th_ground_version(next), n + 2);
      assert_same(next, fresh);
      th_ground_release(fresh);
      th_ground_release(ground);
      ground = next;
    }
    th_ground_release(ground);
    th_soup_free(&soup);
  }
}

static void wrong_edits_change_nothing(void **unused) {
  (void)unused;
  th_soup soup;
  mesh_kind_soup(&soup, MESH_PLANE, 1);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_mesh_door door = {{.name = "gate", .kind = TH_REGION_BALL, .centre = {5, 5, 0}, .radius = 1}, false};
  def.door = &door;
  def.door_count = 1;
  th_ground *ground = mesh_kind_ground_of(&def), *next = NULL;
  th_region again = door.region, all = {.name = "all", .kind = TH_REGION_BALL, .radius = 1e3f}, bad = {.radius = 0.0f};
  const th_edit wrong[] = {{.kind = TH_EDIT_OPEN, .name = "gat"},    {.kind = TH_EDIT_CLOSE},
                           {.kind = TH_EDIT_REMOVE, .name = "gate"}, {.kind = TH_EDIT_ADD, .name = "x"},
                           {.kind = TH_EDIT_ADD, .region = &again},  {.kind = TH_EDIT_ADD, .region = &all},
                           {.kind = TH_EDIT_ADD, .region = &bad},    {.kind = (th_edit_kind)9}};
  const char *const text[] = {
      "found gat", "found none", "found gate", "found none", "gate a second time", "found all 800 blocked",
      "found 0",   "found 9"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    th_error error = {0};
    assert_true(th_ground_edit(ground, &wrong[k], 1, &next, &error) != TH_OK);
    if (!strstr(error.text, text[k])) fail_msg("edit %zu: %s", k, error.text);
    assert_null(next);
  }
  assert_int_equal(th_ground_version(ground), 1);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* A door closes on people: each leaves by steps of at most 10 cm and never comes back in. */
static void doors_may_close_onto_agents(void **unused) {
  (void)unused;
  const mesh_kind kinds[4] = {MESH_NOISY, MESH_SPHERE, MESH_HOUSE, MESH_STATUE};
  for (int i = 0; i < 4; i++) {
    th_soup soup;
    mesh_kind_soup(&soup, kinds[i], 2);
    th_mesh_ground_def def = mesh_kind_def(&soup);
    th_mesh_door door = {ball_at(&soup, "gate", 9, 1), false};
    door.region.radius = 1.5f;
    def.door = &door;
    def.door_count = 1;
    th_ground *open = mesh_kind_ground_of(&def), *closed = NULL;
    th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "gate"};
    assert_int_equal(th_ground_edit(open, &edit, 1, &closed, NULL), TH_OK);
    uint32_t inside = 0;
    for (uint32_t n = 0; n < 3000; n++) {
      th_place at = mesh_kind_any_place(open, 4, n);
      if (!closed->mesh->blocked[at.cell]) continue;
      inside++;
      uint32_t steps = 0;
      for (; steps < 60; steps++) {
        th_vec3 p = th_ground_point(closed, at);
        bool was_out = !closed->mesh->blocked[at.cell];
        th_ground_walk(closed, &at, (th_vec2){0.05f, 0.02f}, 0.2f, NULL);
        th_vec3 q = th_ground_point(closed, at);
        float way = hypotf(hypotf(p.x - q.x, p.y - q.y), p.z - q.z);
        if (way > 0.1001f)
          fail_msg("%s, place %u, step %u: %g m, was out %d", mesh_kind_name[kinds[i]], n, steps, (double)way, was_out);
        if (was_out) assert_false(closed->mesh->blocked[at.cell]);
      }
      assert_false(closed->mesh->blocked[at.cell]);
      assert_true(th_ground_clearance_at(closed, at) > 0.15f || closed->mesh->face_clearance[at.cell] == 0.0f);
    }
    assert_true(inside > 10);
    th_ground_release(open);
    th_ground_release(closed);
    th_soup_free(&soup);
  }
}

/* A tenth of a large mesh moves: everything is as if it had been made so, and places keep face and weights. */
static void a_deformed_ground_is_a_new_ground(void **unused) {
  (void)unused;
  th_soup soup = th_soup_begin(NULL);
  th_make_torus(&soup, 140, 250, 30.0, 10.0); /* 70,000 faces */
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_region hole = ball_at(&soup, "hole", 3, 0);
  hole.radius = 4.0f;
  def.blocked = &hole;
  def.blocked_count = 1;
  def.slope_max = 100.0f;
  th_ground *ground = mesh_kind_ground_of(&def), *next = NULL;
  assert_int_equal(ground->mesh->mesh.face_count, 70000);
  uint32_t count = soup.vertex_count / 10;
  th_vertex_move *move = calloc(count, sizeof *move);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t v = 7000 + k; /* a wedge of the torus bulges */
    double *p = soup.xyz[v];
    float bulge = 1.0f + 0.05f * sinf(3.14159f * (float)k / (float)count);
    move[k] = (th_vertex_move){ground->mesh->mesh.vertex_of[v],
                               {(float)p[0] * bulge, (float)p[1] * bulge, (float)p[2] * bulge}};
    p[0] = (double)move[k].to.x, p[1] = (double)move[k].to.y, p[2] = (double)move[k].to.z;
  }
  th_error error = {0};
  if (th_ground_deform(ground, move, count, &next, &error) != TH_OK) fail_msg("%s", error.text);
  assert_int_equal(th_ground_version(next), 2);
  th_ground *fresh = mesh_kind_ground_of(&def);
  assert_same(next, fresh);
  uint32_t moved = 0;
  for (uint32_t i = 0; i < 500; i++) {
    th_place at = mesh_kind_any_place(ground, 8, i), after = th_mesh_query_carry(ground, next, at);
    th_vec3 a = th_ground_weights(ground, at), b = th_ground_weights(next, after);
    assert_int_equal(at.cell, after.cell);
    assert_true(fabsf(a.x - b.x) < 1e-5f && fabsf(a.y - b.y) < 1e-5f && fabsf(a.z - b.z) < 1e-5f);
    moved += memcmp(&at, &after, sizeof at) != 0;
  }
  assert_true(moved > 20 && moved < 100);
  th_ground_release(fresh);
  th_ground_release(next);
  /* Refused: a face without area, a vertex that does not exist, a coordinate that is not finite. */
  const double *a = soup.xyz[0];
  th_vertex_move flat = {ground->mesh->mesh.vertex_of[1], {(float)a[0], (float)a[1], (float)a[2]}};
  th_vertex_move nobody = {35000, {0, 0, 0}}, lost = {0, {NAN, 0, 0}};
  assert_int_equal(th_ground_deform(ground, &flat, 1, &next, &error), TH_ERROR_GEOMETRY);
  assert_non_null(strstr(error.text, "keep an area"));
  assert_null(next);
  assert_int_equal(th_ground_deform(ground, &nobody, 1, &next, &error), TH_ERROR_RANGE);
  assert_int_equal(th_ground_deform(ground, &lost, 1, &next, &error), TH_ERROR_RANGE);
  th_ground_release(ground);
  th_soup_free(&soup);
  free(move);
}

static th_result make_all(const th_env *env, void *context) {
  const th_soup *soup = context;
  static const th_vec2 square[4] = {{1, 1}, {3, 1}, {3, 3}, {1, 3}};
  uint32_t face[2] = {7, 3};
  th_mesh_ground_def def = mesh_kind_def(soup);
  def.env = *env;
  th_mesh_door door = {
      {.name = "gate", .kind = TH_REGION_PRISM, .outline = square, .outline_count = 4, .low = -1, .high = 1}, true};
  th_region list = {.name = "list", .kind = TH_REGION_FACES, .face = face, .face_count = 2};
  def.door = &door;
  def.door_count = 1;
  th_ground *ground = NULL, *next = NULL, *last = NULL;
  th_result result = th_ground_make_mesh(&def, &ground, NULL);
  th_edit edit[2] = {{.kind = TH_EDIT_OPEN, .name = "gate"}, {.kind = TH_EDIT_ADD, .region = &list}};
  if (!result) result = th_ground_edit(ground, edit, 2, &next, NULL);
  th_vertex_move move = {0, {0.1f, 0.2f, 0.3f}};
  if (!result) result = th_ground_deform(next, &move, 1, &last, NULL);
  th_ground_release(ground);
  th_ground_release(next);
  th_ground_release(last);
  return result;
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 5, 5, 1.0, 1.0);
  assert_true(failing_every(make_all, &soup) > 60);
  th_soup_free(&soup);
}

/* Walking takes no memory, near walls or far from them. */
static void walking_allocates_nothing(void **unused) {
  (void)unused;
  failing f = {0};
  th_soup soup;
  mesh_kind_soup(&soup, MESH_HOUSE, 1);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  def.env = failing_env(&f);
  th_ground *ground = mesh_kind_ground_of(&def);
  failing_lock(&f);
  for (uint32_t i = 0; i < 500; i++) {
    th_place at = mesh_kind_any_place(ground, 1, i);
    th_ground_walk(ground, &at, (th_vec2){0.3f, 0.1f}, 0.3f, NULL);
    th_ground_clearance_at(ground, at);
    th_ground_locate_at(ground, th_ground_point(ground, at), TH_ANY_LEVEL, 1.0f);
  }
  failing_unlock(&f);
  th_ground_release(ground);
  failing_assert_empty(&f);
  th_soup_free(&soup);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_equal_a_fresh_build),           cmocka_unit_test(wrong_edits_change_nothing),
      cmocka_unit_test(doors_may_close_onto_agents),         cmocka_unit_test(a_deformed_ground_is_a_new_ground),
      cmocka_unit_test(every_failed_allocation_is_survived), cmocka_unit_test(walking_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
