/* tests/model/test_biocrowds_sheets.c - markers in the charts of a mesh: which ones a chart has, that they follow the
 * ground, and that agents read the same owners from copies and by number. */
#include "support/biocrowds_worlds.h"
#include "support/mesh_grounds.h"
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "throng/model/orca.h"

#define REACH 1.5f

static void populate(arena *a, th_ground *ground, uint32_t count) {
  arena_make(a, ground, &(arena_def){.workers = 2});
  for (uint32_t n = 0; n < count; n++) {
    th_vec3 p = th_ground_point(ground, mesh_kind_any_place(ground, 11, n));
    th_agent_def def = arena_agent(a, p.x, p.y);
    def.point.z = p.z;
    arena_put(a, &def, (th_vec2){-p.x, 3.0f - p.y});
  }
}

/* How far the part of a cluster that the chart holds is from the patch. */
static float away(const th_atlas *atlas, const th_chart *chart, uint32_t face) {
  for (uint32_t n = 0; n < chart->cluster_count; n++)
    if (chart->cluster[n] == atlas->patches.cluster_of[face]) return chart->away[n];
  return INFINITY;
}

/* Every marker that the part must hold lies in its square, once, and there is no other. */
static void check_part(const th_atlas *atlas, const th_chart *chart, const th_sheet_part *part, bool own) {
  const th_markers *set = atlas->def.charts.sheet.markers;
  const th_chart_box box = th_chart_box_grown(chart->own.box, own ? 0.01f : REACH);
  uint8_t *seen = calloc(set->count, 1);
  for (uint32_t square = 0; square < part->columns * part->rows; square++)
    for (uint32_t n = part->start[square]; n < part->start[square + 1]; n++) {
      const uint32_t i = (uint32_t)((part->x[n] - part->x0) * part->inverse),
                     j = (uint32_t)((part->y[n] - part->y0) * part->inverse);
      const uint32_t column = i < part->columns ? i : part->columns - 1, row = j < part->rows ? j : part->rows - 1;
      assert_int_equal(row * part->columns + column, square);
      assert_int_equal(seen[part->number[n]]++, 0);
    }
  for (uint32_t m = 0; m < set->count; m++) {
    const th_chart_map *map = th_chart_find(chart, &atlas->patches, set->place[m].cell);
    const th_vec2 p = map ? th_chart_point(map, set->place[m].x, set->place[m].y) : (th_vec2){NAN, NAN};
    const bool inside = p.x >= box.x0 && p.x <= box.x1 && p.y >= box.y0 && p.y <= box.y1;
    const bool mine = atlas->patches.patch_of[set->place[m].cell] == chart->patch;
    assert_int_equal(seen[m], inside && (own ? mine : away(atlas, chart, set->place[m].cell) <= REACH));
  }
  free(seen);
}

/* Checks all sheets; returns how many there are. */
static uint32_t check_sheets(const arena *a) {
  const th_atlas *atlas = a->world->mesh->atlas;
  size_t bytes = 0;
  uint32_t sheets = 0;
  assert_ptr_equal(atlas->def.charts.sheet.markers, arena_markers(a));
  for (uint32_t p = 0; p < atlas->patches.count; p++) {
    const th_chart *chart = th_atlas_chart(atlas, p);
    if (!chart) continue;
    bytes += chart->bytes + (chart->sheet ? chart->sheet->bytes : 0);
    if (!chart->sheet) continue;
    check_part(atlas, chart, &chart->sheet->own, true);
    check_part(atlas, chart, &chart->sheet->around, false);
    sheets++;
  }
  assert_int_equal(bytes, atlas->charts.bytes);
  return sheets;
}

static void a_chart_has_the_markers_of_its_patch_and_around_it(void **unused) {
  (void)unused;
  static const mesh_kind kind[] = {MESH_TORUS, MESH_HOUSE, MESH_NOISY};
  for (int k = 0; k < LONG_RUN(3, 1); k++) {
    th_ground *ground = mesh_kind_ground(kind[k], 2);
    arena a;
    populate(&a, ground, 40);
    th_world_step(a.world);
    assert_true(check_sheets(&a) > 1);
    arena_free(&a);
    th_ground_release(ground);
  }
}

/* Vertices move, and later a region is blocked: markers and charts change, and the sheets with them. */
static void sheets_follow_the_ground(void **unused) {
  (void)unused;
  th_ground *ground = mesh_kind_ground(MESH_NOISY, 2);
  arena a;
  populate(&a, ground, 60);
  for (int n = 0; n < 3; n++) th_world_step(a.world);
  const th_markers *before = arena_markers(&a);
  const th_mesh *mesh = th_ground_mesh(ground);
  th_vertex_move move[40];
  for (uint32_t v = 0; v < 40; v++) {
    const double *p = mesh->xyz + 3 * (size_t)(7 * v);
    move[v] = (th_vertex_move){7 * v, {(float)p[0], (float)p[1], (float)p[2] + 0.1f}};
  }
  const th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = 40};
  OK(th_world_edit(a.world, &edit, 1, &error));
  for (int n = 0; n < 12; n++) th_world_step(a.world);
  assert_ptr_not_equal(arena_markers(&a), before);
  assert_true(check_sheets(&a) > 1);
  arena_free(&a);
  th_ground_release(ground);
}

/* What is kept never shows: with memory for one chart the crowd walks as with memory for all. */
static void memory_changes_nothing(void **unused) {
  (void)unused;
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    th_ground *ground = mesh_kind_ground(MESH_TORUS, 2);
    arena a;
    populate(&a, ground, 50);
    if (k) a.world->mesh->atlas->def.charts.budget = 1;
    for (int n = 0; n < 20; n++) th_world_step(a.world);
    hash[k] = th_world_hash(a.world);
    arena_free(&a);
    th_ground_release(ground);
  }
  assert_true(hash[0] == hash[1]);
}

/* Charts that a step needs are not evicted in it, however little memory there is: to look for the patches around agents
 * once evicted charts that were needed a moment later, and every step made them again. */
static void a_step_keeps_the_charts_that_it_needs(void **unused) {
  (void)unused;
  th_ground *ground = mesh_kind_ground(MESH_TORUS, 2);
  arena a;
  populate(&a, ground, 20);
  for (uint32_t n = 0; n < a.count; n++) {
    const th_vec3 p = th_ground_point(ground, mesh_kind_any_place(ground, 11, n));
    a.goal[n] = (th_vec2){p.x, p.y}; /* they stay */
  }
  a.world->mesh->atlas->def.charts.budget = 1;
  th_world_step(a.world);
  const th_chart_cache *charts = &a.world->mesh->atlas->charts;
  assert_true(charts->kept > 1);
  for (int n = 0; n < 3; n++) {
    const uint32_t kept = charts->kept;
    th_world_step(a.world);
    assert_int_equal(charts->built, 0);
    assert_int_equal(charts->evicted, 0);
    assert_int_equal(charts->kept, kept);
  }
  arena_free(&a);
  th_ground_release(ground);
}

/* Somebody of another model who sees far needs no sheets farther away. */
static void far_sight_needs_no_more_charts(void **unused) {
  (void)unused;
  uint32_t kept[2], patches = 0;
  for (uint32_t k = 0; k < 2; k++) {
    th_ground *ground = mesh_kind_ground(MESH_TORUS, 2);
    arena a;
    populate(&a, ground, 1);
    th_agent_def def = arena_agent(&a, 0, 0);
    def.point = th_ground_point(ground, mesh_kind_any_place(ground, 11, 0));
    def.model = &th_model_orca;
    if (k) arena_put(&a, &def, (th_vec2){0, 0});
    th_world_step(a.world);
    patches = a.world->mesh->atlas->patches.count;
    kept[k] = a.world->mesh->atlas->charts.kept;
    arena_free(&a);
    th_ground_release(ground);
  }
  print_message("%u of %u patches have charts, %u with one who sees far\n", kept[0], patches, kept[1]);
  assert_true(kept[0] < patches / 2);
  assert_int_equal(kept[1], kept[0]);
}

/* ---------------------------------------------------------------- motion */

/* The motion vector by the equations, in double, in the chart of the agent's patch. */
static th_vec2 motion(const arena *a, const uint32_t *owner, uint32_t i) {
  const th_world *world = a->world;
  const uint32_t row = world->row_of[i], cell = world->rows.cell[row];
  const th_atlas *atlas = world->mesh->atlas;
  const th_chart *chart = th_atlas_chart(atlas, atlas->patches.patch_of[cell]);
  const th_chart_map *own = th_chart_find(chart, &atlas->patches, cell);
  const th_vec2 at = th_chart_point(own, world->rows.x[row], world->rows.y[row]);
  const th_guide_answer *want = &world->want[world->order.slot_of[row]];
  const th_vec2 g = th_chart_vector(own, want->dx, want->dy);
  const th_markers *set = arena_markers(a);
  double sum = 0.0, mx = 0.0, my = 0.0, length = hypot((double)g.x, (double)g.y);
  for (uint32_t n = 0; n < set->count; n++) {
    const th_chart_map *map = owner[n] == i + 1 ? th_chart_find(chart, &atlas->patches, set->place[n].cell) : NULL;
    if (!map) continue;
    const th_vec2 p = th_chart_point(map, set->place[n].x, set->place[n].y);
    const double dx = (double)p.x - (double)at.x, dy = (double)p.y - (double)at.y, d = hypot(dx, dy);
    if (d > 1.25) continue;
    const double f = (1.0 + (d > 1e-6 ? ((double)g.x * dx + (double)g.y * dy) / (length * d) : 0.0)) / (1.0 + d);
    sum += f, mx += f * dx, my += f * dy;
  }
  const double m = sum > 0.0 ? hypot(mx, my) / sum : 0.0, k = m > 0.0 ? 1.8 * fmin(m, 0.4) / 0.4 / m / sum : 0.0;
  return th_chart_to_face(own, (float)(k * mx), (float)(k * my));
}

/* Many agents in a patch, few, and more markers than owners are copied of. */
static void motion_is_that_of_the_equations(void **unused) {
  (void)unused;
  static uint32_t owner[1 << 20];
  static const struct {
    uint32_t agents;
    float distance;
  } crowd[] = {{200, 0.2f}, {12, 0.2f}, {100, 0.07f}};
  for (int k = 0; k < LONG_RUN(3, 2); k++) {
    th_soup soup;
    mesh_kind_soup(&soup, MESH_NOISY, 3);
    th_mesh_ground_def def = mesh_kind_def(&soup);
    def.markers.distance = crowd[k].distance;
    th_ground *ground = mesh_kind_ground_of(&def);
    arena a;
    th_soup_free(&soup);
    populate(&a, ground, crowd[k].agents);
    th_world_advise(a.world);
    assert_true(th_world_marker_owners(a.world, owner, 1 << 20) <= 1 << 20);
    uint32_t moving = 0;
    for (uint32_t i = 0; i < a.count; i++) {
      const uint32_t row = a.world->row_of[i];
      const th_vec2 v = motion(&a, owner, i);
      assert_true(fabsf(v.x - a.world->rows.advised_vx[row]) < 1e-4f);
      assert_true(fabsf(v.y - a.world->rows.advised_vy[row]) < 1e-4f);
      moving += v.x != 0.0f || v.y != 0.0f;
    }
    assert_true(2 * moving > a.count);
    arena_free(&a);
    th_ground_release(ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chart_has_the_markers_of_its_patch_and_around_it),
      cmocka_unit_test(sheets_follow_the_ground),
      cmocka_unit_test(memory_changes_nothing),
      cmocka_unit_test(a_step_keeps_the_charts_that_it_needs),
      cmocka_unit_test(far_sight_needs_no_more_charts),
      cmocka_unit_test(motion_is_that_of_the_equations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
