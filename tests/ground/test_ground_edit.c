/* tests/ground/test_ground_edit.c - an edited ground equals one built fresh from the same shapes, bit for bit. */
#include "support/allocator.h"
#include "support/floor_plans.h"

static void assert_same(const th_ground *a, const th_ground *b, uint64_t seed) {
  size_t cells = (size_t)a->flat->width * a->flat->height;
  CHECK_SEED(a->flat->width == b->flat->width && a->flat->height == b->flat->height && a->flat->x0 == b->flat->x0 &&
                 a->flat->y0 == b->flat->y0,
             seed, "raster");
  CHECK_SEED(a->flat->wall_count == b->flat->wall_count, seed, "%u walls, fresh %u", a->flat->wall_count,
             b->flat->wall_count);
  CHECK_SEED(!memcmp(a->flat->wall, b->flat->wall, a->flat->wall_count * sizeof *a->flat->wall), seed, "walls");
  CHECK_SEED(
      a->flat->wall_grid.item_count == b->flat->wall_grid.item_count &&
          !memcmp(a->flat->wall_grid.item, b->flat->wall_grid.item, a->flat->wall_grid.item_count * sizeof(uint32_t)),
      seed, "wall index");
  CHECK_SEED(!memcmp(a->flat->solid, b->flat->solid, cells), seed, "solid");
  CHECK_SEED(!memcmp(a->flat->clearance, b->flat->clearance, cells * sizeof(float)), seed, "clearance");
  for (uint32_t k = 0; k < a->class_count; k++)
    CHECK_SEED(!memcmp(a->flat->blocked[k], b->flat->blocked[k], cells), seed, "class %u", k);
}

/* Everything outside the announced rectangle is as before, and the rectangle has no row or column to spare. */
static void assert_rectangle(const th_ground *before, const th_ground *after, uint64_t seed) {
  th_window d = {UINT32_MAX, UINT32_MAX, 0, 0};
  for (uint32_t j = 0; j < after->flat->height; j++)
    for (uint32_t i = 0; i < after->flat->width; i++) {
      size_t c = (size_t)j * after->flat->width + i;
      if (before->flat->solid[c] == after->flat->solid[c] && before->flat->clearance[c] == after->flat->clearance[c])
        continue;
      d.i0 = i < d.i0 ? i : d.i0;
      d.j0 = j < d.j0 ? j : d.j0;
      d.i1 = i + 1 > d.i1 ? i + 1 : d.i1;
      d.j1 = j + 1;
    }
  if (!d.i1) d = (th_window){0, 0, 0, 0};
  CHECK_SEED(d.i0 == after->flat->changed_i0 && d.j0 == after->flat->changed_j0 && d.i1 == after->flat->changed_i1 &&
                 d.j1 == after->flat->changed_j1,
             seed, "changed rectangle");
}

/* One random change of the plan and the edit that makes it. */
static th_edit change(plan *p, uint64_t *state, uint32_t number) {
  uint32_t n = p->def.obstacle_count;
  uint64_t kind = plan_bits(state) % 3;
  if (kind == 0 || (kind == 1 && n == 0)) {
    th_door *door = &p->door[plan_bits(state) % 4];
    door->closed = !door->closed;
    return (th_edit){.kind = door->closed ? TH_EDIT_CLOSE : TH_EDIT_OPEN, .name = door->shape.name};
  }
  static char gone[12];
  if (kind == 1) {
    uint32_t k = (uint32_t)(plan_bits(state) % n);
    memcpy(gone, p->obstacle[k].name, sizeof gone);
    for (; k + 1 < n; k++) {
      memcpy(p->point[k], p->point[k + 1], sizeof p->point[k]);
      memcpy(p->name[k], p->name[k + 1], sizeof p->name[k]);
      p->obstacle[k] = (th_polygon){p->name[k], p->point[k], p->obstacle[k + 1].count};
    }
    p->def.obstacle_count--;
    return (th_edit){.kind = TH_EDIT_REMOVE, .name = gone};
  }
  p->obstacle[n] = plan_obstacle(state, p->point[n], 14.0f);
  snprintf(p->name[n], sizeof p->name[n], "n%u", number);
  p->obstacle[n].name = p->name[n];
  p->def.obstacle_count++;
  return (th_edit){.kind = TH_EDIT_ADD, .shape = p->obstacle[n]};
}

static void edits_equal_a_fresh_build(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 20), 14.0f);
    p.def.clearance_limit = seed % 3 ? 4.0f : 0.7f;
    p.def.class_count = 2;
    p.def.radius_class[1] = 0.5f;
    th_ground *ground = plan_ground(&p);
    uint64_t state = seed * 77;
    for (uint32_t n = 0; n < 12; n++) {
      th_edit edit = change(&p, &state, n);
      th_ground *next = NULL;
      th_error error = {0};
      CHECK_SEED(th_ground_edit(ground, &edit, 1, &next, &error) == TH_OK, seed, "edit: %s", error.text);
      assert_int_equal(th_ground_version(next), th_ground_version(ground) + 1);
      th_ground *fresh = plan_ground(&p);
      assert_same(next, fresh, seed);
      assert_rectangle(ground, next, seed);
      th_ground_release(fresh);
      th_ground_release(ground);
      ground = next;
    }
    th_ground_release(ground);
  }
}

static void edits_of_an_image_equal_a_fresh_build(void **unused) {
  (void)unused;
  static uint8_t grey[60 * 60];
  for (uint64_t seed = 1; seed <= 10; seed++) {
    plan p;
    plan_make(&p, seed, 4, 14.0f);
    for (uint32_t k = 0; k < sizeof grey; k++) grey[k] = plan_bits(&p.state) % 12 ? 200 : 10;
    th_image image = th_default_image();
    image.grey = grey;
    image.width = image.height = 60;
    image.metres_per_pixel = 0.23f;
    p.def.image = &image;
    if (seed % 2) p.def.outline_count = 0;
    p.def.door_count = 0;
    th_ground *ground = plan_ground(&p), *next = NULL;
    th_polygon added = plan_obstacle(&p.state, p.point[4], 14.0f);
    th_edit edit[2] = {{.kind = TH_EDIT_ADD, .shape = added}, {.kind = TH_EDIT_REMOVE, .name = "o0"}};
    assert_int_equal(th_ground_edit(ground, edit, 2, &next, NULL), TH_OK);
    p.obstacle[4] = added;
    p.def.obstacle = p.obstacle + 1;
    th_ground *fresh = plan_ground(&p);
    assert_same(next, fresh, seed);
    assert_rectangle(ground, next, seed);
    th_ground_release(ground); /* the picture is shared: order of release does not matter */
    th_ground_release(next);
    th_ground_release(fresh);
  }
}

static void refuse(const th_ground *ground, const th_edit *edit, uint32_t count, th_result code, uint32_t element) {
  th_ground *next = NULL;
  th_error error = {0};
  assert_int_equal(th_ground_edit(ground, edit, count, &next, &error), code);
  assert_null(next);
  assert_int_equal(error.code, code);
  assert_int_equal(error.element, element);
  assert_true(error.text[0]);
}

static void wrong_edits_change_nothing(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 3, 5, 14.0f);
  th_ground *ground = plan_ground(&p);
  th_vec2 bow[4] = {{1, 1}, {2, 2}, {2, 1}, {1, 2}}, far[3] = {{0, 0}, {2e5f, 0}, {0, 1}}, all[4];
  th_edit fine = {.kind = TH_EDIT_CLOSE, .name = "north"};
  refuse(ground, (th_edit[]){fine, {.kind = TH_EDIT_OPEN, .name = "o1"}}, 2, TH_ERROR_STATE, 1);
  refuse(ground, (th_edit[]){{.kind = TH_EDIT_REMOVE, .name = "north"}}, 1, TH_ERROR_STATE, 0);
  refuse(ground, (th_edit[]){{.kind = TH_EDIT_REMOVE}}, 1, TH_ERROR_STATE, 0);
  refuse(ground, (th_edit[]){{.kind = TH_EDIT_ADD, .shape = {NULL, bow, 4}}}, 1, TH_ERROR_GEOMETRY, 0);
  refuse(ground, (th_edit[]){fine, {.kind = TH_EDIT_ADD, .shape = {NULL, far, 3}}}, 2, TH_ERROR_RANGE, 1);
  refuse(ground, (th_edit[]){{.kind = TH_EDIT_ADD, .shape = {"o1", far, 3}}}, 1, TH_ERROR_FORMAT, 0);
  refuse(ground, (th_edit[]){{.kind = (th_edit_kind)9}}, 1, TH_ERROR_RANGE, 0);
  th_polygon everything = plan_box(all, -50, -50, 50, 50);
  refuse(ground, (th_edit[]){{.kind = TH_EDIT_ADD, .shape = everything}}, 1, TH_ERROR_GEOMETRY, TH_NO_ELEMENT);
  th_ground *fresh = plan_ground(&p);
  assert_same(ground, fresh, 3);
  th_ground_release(fresh);
  th_ground_release(ground);
}

static th_result make_and_edit(const th_env *env, void *context) {
  plan *p = context;
  p->def.env = *env;
  th_ground *ground = NULL, *next = NULL;
  th_result result = th_ground_make_flat(&p->def, &ground, NULL);
  if (result) return result;
  th_edit edit[2] = {{.kind = p->door[0].closed ? TH_EDIT_OPEN : TH_EDIT_CLOSE, .name = "north"},
                     {.kind = TH_EDIT_REMOVE, .name = "o2"}};
  result = th_ground_edit(ground, edit, 2, &next, NULL);
  th_ground_release(ground);
  th_ground_release(next);
  return result;
}

static void survives_every_failing_allocation(void **unused) {
  (void)unused;
  static uint8_t grey[20 * 20];
  memset(grey, 255, sizeof grey);
  for (uint32_t k = 0; k < 10; k++) grey[k * 21] = 0;
  plan p;
  plan_make(&p, 5, 4, 14.0f);
  th_image image = {grey, 20, 20, 0.5f, {1, 1}, 128};
  p.def.image = &image;
  assert_true(failing_every(make_and_edit, &p) > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_equal_a_fresh_build),
      cmocka_unit_test(edits_of_an_image_equal_a_fresh_build),
      cmocka_unit_test(wrong_edits_change_nothing),
      cmocka_unit_test(survives_every_failing_allocation),
  };
  return cmocka_run_group_tests_name("ground_edit", tests, NULL, NULL);
}
