/* Tests of traces: what is published is what decided, tracing changes nothing, and its memory is bounded. */
#include "support/busy_world.h"
#include "support/mesh_worlds.h"
#include "support/orca_reference.h"
#include "support/stage.h"
#include "throng/draw.h"
#include "throng/guide.h"
#include "throng/model/bvp.h"
#include "throng/model/orca.h"
#include "throng/trace.h"

#define MANY 512

/* The n-th item of a name that an agent has published; `name` must be there. */
static th_trace_item item_of(const th_world *world, th_agent_id agent, const char *name, uint32_t n) {
  static th_trace_item item[MANY];
  uint32_t count = th_world_traces(world, agent, item, MANY);
  assert_true(count <= MANY);
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(item[i].trace->name, name) && !n--) return item[i];
  fail_msg("agent %u has not published enough of %s", agent.index, name);
  return item[0];
}

static uint32_t count_of(const th_world *world, th_agent_id agent, const char *name) {
  static th_trace_item item[MANY];
  uint32_t count = th_world_traces(world, agent, item, MANY), found = 0;
  for (uint32_t i = 0; i < count; i++) found += !strcmp(item[i].trace->name, name);
  return found;
}

static void trace(th_world *world, th_agent_id agent) {
  th_trace_def def = th_default_trace_def();
  OK(th_world_trace(world, &def, &error));
  OK(th_world_trace_agent(world, agent, true, &error));
}

static th_ground *box(const th_env *env) { return worlds_box(env, 20.0f, 20.0f); }

static void box_begin(stage *s) {
  stage_begin(s, box, NULL);
  s->goal = worlds_goal(s->world, 15.0f, 12.0f);
}

static th_agent_id one_in_a_box(stage *s, const th_model *model) {
  box_begin(s);
  th_agent_def def = worlds_agent_def(5.0f, 5.0f, s->goal);
  def.model = model;
  return worlds_add(s->world, &def);
}

static void assert_near3(th_vec3 a, th_vec3 b, float within) {
  if (!(mesh_grounds_apart(a, b) <= within))
    fail_msg("(%g %g %g), expected (%g %g %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y,
             (double)b.z);
}

/* ---------------------------------------------------------------- models */

/* Two that meet: the half-plane is that of an independent computation, and the chosen velocity is the advised one. */
static void orca_publishes_its_programme(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20.0f, 10.0f);
  th_world *world = worlds_make(ground, &env);
  th_agent_def def = worlds_agent_def(5.0f, 5.0f, worlds_goal(world, 18.0f, 5.0f));
  def.model = &th_model_orca;
  th_agent_id left = worlds_add(world, &def);
  def.point.x = 9.0f, def.point.y = 5.3f, def.route[0].goal = worlds_goal(world, 2.0f, 5.0f);
  th_agent_id right = worlds_add(world, &def);
  trace(world, left);
  worlds_steps(world, 5);
  th_agents a = th_world_agents(world);
  uint32_t l = th_world_row(world, left), r = th_world_row(world, right);
  const ref_body own = {{(double)a.x[l], (double)a.y[l]}, {(double)a.vx[l], (double)a.vy[l]}, 0.2};
  const ref_body other = {{(double)a.x[r], (double)a.y[r]}, {(double)a.vx[r], (double)a.vy[r]}, 0.2};
  int kind;
  const ref_line expected = ref_half_plane(&own, &other, 2.0, 0.1, 0.5, &kind);
  th_world_step(world);
  a = th_world_agents(world);
  const th_trace_item line = item_of(world, left, "people", 0), chosen = item_of(world, left, "chosen", 0);
  assert_int_equal(count_of(world, left, "people"), 1);
  assert_int_equal(line.trace->type, TH_TRACE_LINE);
  assert_string_equal(line.source, "orca");
  assert_int_equal(line.step, 5);
  assert_near3(line.a, (th_vec3){(float)expected.p.x, (float)expected.p.y, 0.0f}, 1e-4f);
  assert_near3(line.b, (th_vec3){(float)expected.d.x, (float)expected.d.y, 0.0f}, 1e-4f);
  assert_true(chosen.a.x == a.advised_vx[l] && chosen.a.y == a.advised_vy[l]);
  assert_near3(chosen.at, (th_vec3){(float)own.at.x, (float)own.at.y, 0.0f}, 0.0f);
  const th_trace_item wanted = item_of(world, left, "wanted", 0), advised = item_of(world, left, "advised", 0);
  assert_true(fabsf(wanted.value - 1.34f) < 1e-6f && advised.a.x == chosen.a.x && advised.value == TH_GAIT_WALK);
  assert_int_equal(th_world_traces(world, right, NULL, 0), 0);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* The slope at the centre of the published map is the published gradient; both stay until the agent decides again. */
static void bvp_publishes_its_map(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  th_bvp_params params = th_default_bvp_params(15);
  params.period = 0.45f;
  th_agent_def def = worlds_agent_def(3.0f, 3.0f, worlds_goal(world, 20.0f, 12.0f));
  def.model = &th_model_bvp, def.params = &params;
  th_agent_id agent = worlds_add(world, &def);
  trace(world, agent);
  uint32_t held = 0;
  worlds_steps(world, 6); /* its field is ready after the first ones */
  for (uint64_t step = 6, last = 0; step < 46; step++) {
    th_world_step(world);
    const th_trace_item map = item_of(world, agent, "map", 0), g = item_of(world, agent, "gradient", 0);
    assert_int_equal(count_of(world, agent, "map"), 1);
    assert_true(map.columns == 15 && map.rows == 15 && map.step == g.step && map.step >= last);
    held += map.step < step;
    last = map.step;
    const float *u = map.raster + 7 * 15 + 7;
    float gx = 0.5f * (u[1] - u[-1]), gy = 0.5f * (u[15] - u[-15]), length = sqrtf(gx * gx + gy * gy);
    assert_near3(g.a, (th_vec3){gx / length, gy / length, 0.0f}, 1e-4f);
    assert_true(fabsf(g.value - length) <= 1e-4f * length);
    const th_vec3 middle = {map.a.x + 7.0f * (map.b.x + map.c.x), map.a.y + 7.0f * (map.b.y + map.c.y), 0.0f};
    assert_near3(middle, map.at, 1e-4f);
  }
  assert_true(held > 20);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- guides and people's layer */

static void guides_and_people_publish(void **state) {
  (void)state;
  static const th_vec3 corner[2] = {{1.0f, 5.0f, 0.0f}, {19.0f, 5.0f, 0.0f}};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20.0f, 10.0f);
  th_world *world = worlds_make(ground, &env);
  th_path_params path = th_default_path_params();
  path.point = corner, path.count = 2, path.ahead = 1.5f;
  th_guide_id guide;
  OK(th_world_add_guide(world, &th_guide_path, &path, &guide, &error));
  th_agent_def def = worlds_agent_def(4.0f, 5.0f, NOWHERE);
  def.guide = guide, def.speed = 0.5f;
  worlds_add(world, &def);
  th_people_params calm = th_default_people;
  calm.time_gap = 1.0f, calm.time_gap_spread = 0.0f;
  def.point.x = 3.2f, def.speed = 1.34f, def.people = &calm; /* too close to walk round */
  th_agent_id behind = worlds_add(world, &def);
  trace(world, behind);
  th_world_step(world);
  const th_trace_item aim = item_of(world, behind, "aim", 0), gap = item_of(world, behind, "gap", 0);
  assert_string_equal(aim.source, "path");
  assert_near3(aim.a, (th_vec3){4.7f, 5.0f, 0.0f}, 1e-4f);
  assert_true(fabsf(aim.value - 2.2f) < 1e-4f);
  assert_string_equal(gap.source, "people");
  const float present = 1.0f - 0.2f * (1.0f - calm.hurry); /* nothing advised yet: a fifth of the pressure */
  assert_true(fabsf(gap.value - 0.4f) < 1e-5f);
  assert_true(fabsf(item_of(world, behind, "kept", 0).value - 0.4f / present) < 1e-5f);
  assert_true(fabsf(item_of(world, behind, "wanted", 0).value - 0.4f / present) < 1e-5f);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- a host's model, of every type */

enum { NUMBER, ARROW, DOT, STRETCH, EDGE, GRID, OWN_ARROW, HOST_TRACES };
static const th_trace host_trace[HOST_TRACES] = {
    [NUMBER] = {"number", TH_TRACE_SCALAR, "s", "a number", 0},
    [ARROW] = {"arrow", TH_TRACE_VECTOR, "m/s", "along the guide", 0},
    [DOT] = {"dot", TH_TRACE_POINT, "", "two metres ahead", 0},
    [STRETCH] = {"stretch", TH_TRACE_SEGMENT, "", "from the agent to there", 0},
    [EDGE] = {"edge", TH_TRACE_LINE, "m/s", "across the arrow", 0},
    [GRID] = {"grid", TH_TRACE_RASTER, "", "six numbers", 0},
    [OWN_ARROW] = {"own_arrow", TH_TRACE_VECTOR, "", "along x of the agent's own frame", 0},
};

static void host_lanes(const th_work *work) {
  for (uint32_t lane = 0; lane < work->view->lanes; lane++)
    th_trace_vector(work->trace, lane, &host_trace[OWN_ARROW], (th_vec2){1.0f, 0.0f}, 1.0f);
}

static void host_views(const th_work *work) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    const th_vec2 d = {view->want[lane].dx, view->want[lane].dy}, at = {view->x[lane], view->y[lane]};
    const th_vec2 there = {at.x + 2.0f * d.x, at.y + 2.0f * d.y}, edge[2] = {d, {-d.y, d.x}};
    const th_segment way = {at.x, at.y, there.x, there.y};
    const th_trace_grid grid = {at.x, at.y, d.x, d.y, 0.5f, 3, 2};
    const float values[6] = {1, 2, 3, 4, 5, 6};
    work->advice.vx[lane] = d.x;
    work->advice.vy[lane] = d.y;
    th_trace_scalar(work->trace, lane, &host_trace[NUMBER], 7.0f);
    th_trace_vector(work->trace, lane, &host_trace[ARROW], d, 1.0f);
    th_trace_point(work->trace, lane, &host_trace[DOT], there, 2.0f);
    th_trace_segment(work->trace, lane, &host_trace[STRETCH], &way, 3.0f);
    th_trace_line(work->trace, lane, &host_trace[EDGE], edge, 4.0f);
    th_trace_raster(work->trace, lane, &host_trace[GRID], &grid, values);
  }
}

static void host_wrong(const th_work *work) {
  for (uint32_t lane = 0; lane < work->view->lanes; lane++)
    th_trace_scalar(work->trace, lane, &host_trace[ARROW], 1.0f);
}

static const th_pass host_passes[] = {{"lanes", TH_OVER_LANES, 0, host_lanes},
                                      {"views", TH_OVER_VIEWS, TH_SEE_BODY, host_views}};
static const th_model host_model = {.name = "host",
                                    .summary = "publishes one of each type",
                                    .pass = host_passes,
                                    .pass_count = 2,
                                    .trace = host_trace,
                                    .trace_count = HOST_TRACES};
static const th_pass wrong_passes[] = {{"views", TH_OVER_VIEWS, 0, host_wrong}};
static const th_model wrong_model = {
    .name = "wrong", .summary = "publishes a vector as a number", .pass = wrong_passes, .pass_count = 1};

static th_vec3 plus(th_vec3 a, float k, th_vec3 b) { return (th_vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z}; }

/* All types, in space: the arrow is the advised velocity in space, and everything else follows from it. */
static void assert_published(const th_world *world, th_agent_id agent, th_vec3 velocity, th_vec3 normal) {
  const th_trace_item arrow = item_of(world, agent, "arrow", 0), dot = item_of(world, agent, "dot", 0),
                      way = item_of(world, agent, "stretch", 0), edge = item_of(world, agent, "edge", 0),
                      grid = item_of(world, agent, "grid", 0), own = item_of(world, agent, "own_arrow", 0);
  const th_vec3 d = arrow.a, left = {normal.y * d.z - normal.z * d.y, normal.z * d.x - normal.x * d.z,
                                     normal.x * d.y - normal.y * d.x};
  assert_near3(d, velocity, 1e-4f);
  assert_near3(dot.a, plus(arrow.at, 2.0f, d), 1e-4f);
  assert_near3(way.a, arrow.at, 1e-4f);
  assert_near3(way.b, dot.a, 1e-4f);
  assert_near3(edge.a, d, 1e-5f);
  assert_near3(edge.b, left, 0.05f);
  assert_near3(grid.a, arrow.at, 1e-4f);
  assert_near3(grid.b, plus((th_vec3){0}, 0.5f, d), 1e-4f);
  assert_near3(grid.c, plus((th_vec3){0}, 0.5f, left), 0.05f);
  assert_true(grid.columns == 3 && grid.rows == 2 && grid.raster[0] == 1.0f && grid.raster[5] == 6.0f);
  assert_true(item_of(world, agent, "number", 0).value == 7.0f && dot.value == 2.0f && way.value == 3.0f);
  assert_true(edge.value == 4.0f && fabsf(mesh_grounds_apart(own.a, (th_vec3){0}) - 1.0f) < 1e-5f);
}

/* On flat ground, on a hilly mesh and on a ball. */
static void every_type_reaches_space(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params hills = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN), ball = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  hills.length = 20.0f, hills.width = 20.0f, hills.edge = 1.0f, hills.height = 1.0f;
  ball.radius = 10.0f;
  th_ground *ground[3] = {worlds_box(&env, 20.0f, 20.0f), mesh_grounds_make(&env, &hills),
                          mesh_grounds_make(&env, &ball)};
  for (int g = 0; g < 3; g++) {
    uint64_t random = 5;
    th_world *world = worlds_make(ground[g], &env);
    th_vec3 start = {5.0f, 5.0f, 0.0f}, end = {15.0f, 12.0f, 0.0f};
    if (g) start = th_ground_point(ground[g], mesh_grounds_place(ground[g], &random));
    if (g) end = th_ground_point(ground[g], mesh_grounds_place(ground[g], &random));
    th_goal_def goal = worlds_point_def_at(end);
    th_agent_def def = worlds_agent_def(0.0f, 0.0f, NOWHERE);
    OK(th_world_add_goal(world, &goal, &def.route[0].goal, &error));
    def.route_count = 1, def.model = &host_model, def.point = start;
    th_agent_id agent = worlds_add(world, &def);
    trace(world, agent);
    for (int step = 0; step < 60 && th_world_has_agent(world, agent); step++) {
      th_world_advise(world);
      th_agents a = th_world_agents(world);
      const th_place place = {a.cell[0], a.x[0], a.y[0]};
      const th_vec2 v = {a.advised_vx[0], a.advised_vy[0]};
      if (step > 2)
        assert_published(world, agent, th_ground_to_space(ground[g], place, v), th_ground_normal(ground[g], place));
      th_world_integrate(world);
    }
    worlds_end(world, ground[g]);
  }
  assert_int_equal(h.faults + h.warnings, 0);
}

static void a_row_of_another_type_is_a_fault(void **state) {
  (void)state;
  stage s;
  th_agent_id agent = one_in_a_box(&s, &wrong_model);
  th_world *world = s.world;
  trace(world, agent);
  worlds_steps(world, 3);
  assert_int_equal(s.h.faults, 1);
  assert_non_null(strstr(s.h.last, "arrow"));
  assert_int_equal(count_of(world, agent, "arrow"), 0);
  stage_end(&s);
}

typedef struct drawn {
  uint32_t lines, discs;
  th_vec3 first[2];
} drawn;

static void on_line(void *user, uint32_t part, th_vec3 from, th_vec3 to) {
  drawn *d = user;
  assert_int_equal(part, TH_DRAW_TRACES);
  if (!d->lines++) d->first[0] = from, d->first[1] = to;
}

static void on_disc(void *user, uint32_t part, th_vec3 centre, th_vec3 normal, float radius) {
  (void)centre, (void)normal, (void)radius;
  ((drawn *)user)->discs += part == TH_DRAW_TRACES;
}

/* Three lines an arrow, four vectors (own_arrow, arrow, wanted, advised), a segment, a half-plane with three strokes,
 * an outline; a disc for the place. */
static void debug_drawing_shows_them(void **state) {
  (void)state;
  stage s;
  th_agent_id agent = one_in_a_box(&s, &host_model);
  th_world *world = s.world;
  trace(world, agent);
  worlds_steps(world, 4);
  drawn d = {0};
  th_draw draw = th_default_draw();
  draw.line = on_line, draw.disc = on_disc, draw.user = &d, draw.parts = TH_DRAW_TRACES, draw.lift = 0.0f;
  th_world_draw(world, &draw);
  assert_int_equal(d.lines, 4 * 3 + 1 + 4 + 4);
  assert_int_equal(d.discs, 1);
  const th_trace_item own = item_of(world, agent, "own_arrow", 0);
  assert_near3(d.first[0], own.at, 1e-6f);
  assert_near3(d.first[1], plus(own.at, 1.0f, own.a), 1e-5f);
  stage_end(&s);
}

/* ---------------------------------------------------------------- results */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
  return hash;
}

/* Of all items of all traced agents. */
static uint64_t hash_of_traces(const th_world *world) {
  static th_agent_id id[4096];
  static th_trace_item item[MANY];
  uint64_t hash = 1;
  uint32_t agents = th_world_traced(world, id, 4096);
  assert_true(agents <= 4096);
  for (uint32_t i = 0; i < agents; i++) {
    uint32_t count = th_world_traces(world, id[i], item, MANY);
    hash = mix(hash, &id[i].index, sizeof id[i].index);
    for (uint32_t k = 0; k < count; k++) {
      hash = mix(hash, item[k].trace->name, strlen(item[k].trace->name));
      hash = mix(hash, &item[k].at, sizeof item[k].at * 4 + sizeof item[k].value);
      if (item[k].raster) hash = mix(hash, item[k].raster, sizeof(float) * item[k].columns * item[k].rows);
    }
  }
  return hash;
}

typedef struct outcome {
  uint64_t world, traces;
} outcome;

/* A busy world of all models with sources, edits and removals. traced: 0 nobody, 1 one, 2 everybody. */
static outcome run_busy(uint32_t workers, th_simd simd, int traced) {
  busy b;
  outcome out = {0, 1};
  log_capture h = {0};
  busy_def made = BUSY_DEF(worlds_env(&h));
  made.workers = workers, made.simd = simd;
  busy_make(&b, &made);
  th_trace_def def = th_default_trace_def();
  def.agents = 4096, def.all = traced == 2, def.items = 48;
  if (traced) OK(th_world_trace(b.world, &def, &error));
  if (traced == 1) OK(th_world_trace_agent(b.world, th_world_agents(b.world).id[3], true, &error));
  for (int i = 0; i < 30; i++) {
    busy_steps(&b, 1);
    if (traced) out.traces = out.traces * 31 + hash_of_traces(b.world);
  }
  out.world = th_world_hash(b.world);
  busy_end(&b);
  return out;
}

static void tracing_changes_no_bit(void **state) {
  (void)state;
  const outcome off = run_busy(1, TH_SIMD_AUTO, 0), one = run_busy(1, TH_SIMD_AUTO, 1),
                all = run_busy(1, TH_SIMD_AUTO, 2);
  assert_true(off.world == one.world && off.world == all.world && one.traces != all.traces);
  const outcome more = run_busy(3, TH_SIMD_AUTO, 2);
  assert_true(more.world == all.world && more.traces == all.traces);
  for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
    if (!th_simd_has(simd)) continue;
    const outcome other = run_busy(2, simd, 2);
    assert_true(other.world == all.world && other.traces == all.traces);
  }
}

/* ---------------------------------------------------------------- capacity, removal, restore */

static void capacity_is_kept_and_told(void **state) {
  (void)state;
  failing f = {0};
  log_capture h = {0};
  th_env env = failing_env(&f);
  env.log = worlds_env(&h).log;
  th_ground *ground = worlds_box(&env, 20.0f, 20.0f);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal(world, 15.0f, 12.0f);
  th_agent_def def = worlds_agent_def(5.0f, 5.0f, goal);
  def.model = &host_model;
  th_agent_id agent[3];
  for (int i = 0; i < 3; i++) agent[i] = worlds_add(world, &def), def.point.x += 1.0f;
  REFUSED(world, th_world_trace_agent(world, agent[0], true, &error), TH_ERROR_STATE, "traces");
  th_trace_def bad = th_default_trace_def();
  bad.agents = 0;
  REFUSED(world, th_world_trace(world, &bad, &error), TH_ERROR_RANGE, "agents");
  bad.agents = 1, bad.items = 0;
  REFUSED(world, th_world_trace(world, &bad, &error), TH_ERROR_RANGE, "items");
  bad.items = 1, bad.values = TH_MAX_TRACE_VALUES + 1;
  REFUSED(world, th_world_trace(world, &bad, &error), TH_ERROR_RANGE, "values");
  const th_trace_def small = {.agents = 2, .items = 6, .values = 5};
  OK(th_world_trace(world, &small, &error));
  OK(th_world_trace_agent(world, agent[0], true, &error));
  OK(th_world_trace_agent(world, agent[0], true, &error)); /* again: nothing new */
  OK(th_world_trace_agent(world, agent[2], true, &error));
  REFUSED(world, th_world_trace_agent(world, agent[1], true, &error), TH_ERROR_CAPACITY, "traces");
  failing_lock(&f); /* a step allocates nothing */
  worlds_steps(world, 5);
  failing_unlock(&f);
  assert_int_equal(h.warnings, 1);
  assert_int_equal(h.faults, 0);
  assert_int_equal(th_world_traces(world, agent[0], NULL, 0), 6);
  assert_int_equal(count_of(world, agent[0], "own_arrow"), 1); /* the first ones are kept */
  OK(th_world_trace_agent(world, agent[0], false, &error));
  OK(th_world_trace_agent(world, agent[1], true, &error));
  assert_int_equal(th_world_traces(world, agent[1], NULL, 0), 0);
  OK(th_world_trace(world, NULL, &error));
  assert_int_equal(th_world_traced(world, NULL, 0), 0);
  worlds_end(world, ground);
  failing_assert_empty(&f);
}

/* A raster that does not fit is left out; the items after it are not. */
static void a_large_raster_is_left_out(void **state) {
  (void)state;
  stage s;
  th_agent_id agent = one_in_a_box(&s, &host_model);
  th_world *world = s.world;
  OK(th_world_trace(world, &(th_trace_def){.agents = 1, .items = 64, .values = 5, .all = true}, &error));
  worlds_steps(world, 2);
  assert_int_equal(count_of(world, agent, "grid"), 0);
  assert_int_equal(count_of(world, agent, "advised"), 1);
  assert_int_equal(s.h.warnings, 1);
  stage_end(&s);
}

static void leaving_and_restoring(void **state) {
  (void)state;
  stage s;
  box_begin(&s);
  th_world *world = s.world;
  th_goal_id goal = s.goal;
  th_agent_id stays = worlds_walker(world, 5.0f, 5.0f, goal), goes = worlds_walker(world, 7.0f, 5.0f, goal);
  OK(th_world_trace(world, &(th_trace_def){.agents = 2, .items = 16, .all = true}, &error));
  worlds_steps(world, 3);
  worlds_saved saved = worlds_save(world);
  const uint64_t hash = th_world_hash(world);
  th_agent_id id[4];
  assert_int_equal(th_world_traced(world, id, 4), 2);
  th_world_remove_agent(world, goes);
  assert_int_equal(th_world_traced(world, id, 4), 1);
  assert_int_equal(id[0].index, stays.index);
  th_agent_id comes = worlds_walker(world, 9.0f, 5.0f, goal); /* takes the block that became free */
  worlds_steps(world, 2);
  assert_int_equal(th_world_traced(world, id, 4), 2);
  assert_true(count_of(world, comes, "advised") == 1);
  OK(th_world_restore(world, saved.memory, saved.size, &error));
  assert_true(th_world_hash(world) == hash);
  assert_int_equal(th_world_traces(world, stays, NULL, 0), 0); /* items of another time */
  worlds_steps(world, 1);
  assert_int_equal(th_world_traced(world, id, 4), 2);
  assert_int_equal(count_of(world, stays, "advised"), 1);
  assert_int_equal(count_of(world, goes, "advised"), 1);
  assert_int_equal(s.h.faults, 0);
  assert_int_equal(th_world_traces(world, comes, NULL, 0), 0); /* it does not exist any more: a fault */
  assert_int_equal(s.h.faults, 1);
  free(saved.memory);
  stage_end(&s);
}

/* More agents than blocks: the lowest are traced, which is told once. */
static void more_agents_than_capacity(void **state) {
  (void)state;
  stage s;
  box_begin(&s);
  th_world *world = s.world;
  th_goal_id goal = s.goal;
  for (int i = 0; i < 1500; i++) worlds_walker(world, 2.0f + 0.01f * (float)i, 5.0f, goal); /* ids grow meanwhile */
  OK(th_world_trace(world, &(th_trace_def){.agents = 3, .items = 16, .all = true}, &error));
  for (int i = 0; i < 1500; i++) worlds_walker(world, 2.0f + 0.01f * (float)i, 6.0f, goal);
  worlds_steps(world, 2);
  th_agent_id id[4];
  assert_int_equal(th_world_traced(world, id, 4), 3);
  assert_true(id[0].index == 1 && id[2].index == 3);
  assert_int_equal(s.h.warnings, 1);
  stage_end(&s);
}

/* ---------------------------------------------------------------- tables */

static void assert_table(const char *owner, const th_trace *table, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const th_trace *t = &table[i];
    if (!t->name || !*t->name || !t->unit || !t->text || strlen(t->text) < 8 || (unsigned)t->type > TH_TRACE_RASTER)
      fail_msg("%s: row %u is not whole", owner, i);
    for (uint32_t k = 0; k < i; k++) assert_string_not_equal(table[k].name, t->name);
  }
}

static void tables_are_whole(void **state) {
  (void)state;
  uint32_t count;
  const th_trace *table = th_world_trace_table(&count);
  assert_table("world", table, count);
  for (const th_model *const *m = th_models(); *m; m++) assert_table((*m)->name, (*m)->trace, (*m)->trace_count);
  for (const th_guide *const *g = th_guides(); *g; g++) assert_table((*g)->name, (*g)->trace, (*g)->trace_count);
  assert_false(th_trace_wants(NULL, 0));
  th_trace_scalar(NULL, 0, table, 1.0f); /* without a tracer nothing happens */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orca_publishes_its_programme),
      cmocka_unit_test(bvp_publishes_its_map),
      cmocka_unit_test(guides_and_people_publish),
      cmocka_unit_test(every_type_reaches_space),
      cmocka_unit_test(a_row_of_another_type_is_a_fault),
      cmocka_unit_test(tracing_changes_no_bit),
      cmocka_unit_test(capacity_is_kept_and_told),
      cmocka_unit_test(a_large_raster_is_left_out),
      cmocka_unit_test(leaving_and_restoring),
      cmocka_unit_test(more_agents_than_capacity),
      cmocka_unit_test(tables_are_whole),
      cmocka_unit_test(debug_drawing_shows_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
