/* tests/support/random_world.h - worlds that a seed draws: flat or mesh, every built-in model, doors, obstacles,
 * sources; and calls that a seed and a step draw. Two worlds of one seed get the same calls, whatever their workers.
 *
 * What walls there are is kept here, too, as boxes seen from above, so that a check need not ask the library.
 */
#ifndef TH_TESTS_SUPPORT_RANDOM_WORLD_H
#define TH_TESTS_SUPPORT_RANDOM_WORLD_H

#include "support/wall_check.h"
#include "support/worlds.h"
#include "throng/make.h"
#include "throng/mesh.h"
#include "throng/model.h"
#include "throng/world/choice.h"

enum { RANDOM_BOXES = 12, RANDOM_GOALS = 3, RANDOM_LATENCY = 2, RANDOM_DOOR = 2, RANDOM_ADDED = RANDOM_BOXES - 1 };

/* A wall that may come and go. While `settles` lies ahead nobody knows. */
typedef struct random_box {
  wall_box at;
  bool solid;
  uint64_t settles; /* step from which it is as `solid` says */
} random_box;

typedef struct random_world {
  log_capture log;
  uint64_t seed;
  bool mesh, rolling; /* rolling: of a mesh whose walls are seen from above (plane, terrain) */
  float width, height;
  random_box box[RANDOM_BOXES];
  uint32_t boxes; /* of the plan; the last one of all is the obstacle that comes and goes */
  th_ground *ground;
  th_world *world;
  th_goal_id goal[RANDOM_GOALS];
  th_choice_id choice; /* among them; null in half of the worlds */
  th_agent_id moved;   /* by the last call */
  char what[160];
} random_world;

static inline void random_put_box(random_world *r, float x0, float y0, float x1, float y1) {
  r->box[r->boxes++] = (random_box){{(double)x0, (double)y0, (double)x1, (double)y1}, true, 0};
}

/* A wall across the middle with a door, 0 to 6 boxes anywhere. */
static inline void random_plan(random_world *r, uint64_t *s) {
  r->width = worlds_in(s, 14, 36), r->height = worlds_in(s, 8, 24);
  float thick = worlds_in(s, 0, 1) < 0.3f ? 0.05f : worlds_in(s, 0.2f, 1.5f), x = 0.5f * r->width;
  float gap = worlds_in(s, 1.2f, 3.0f), y = worlds_in(s, 1.0f, r->height - 1.0f - gap);
  if (r->mesh) thick = fmaxf(thick, 1.0f), gap = fmaxf(gap, 2.5f), y = fminf(y, r->height - 1.0f - gap);
  random_put_box(r, x, 0, x + thick, y);
  random_put_box(r, x, y + gap, x + thick, r->height);
  random_put_box(r, x, y, x + thick, y + gap); /* RANDOM_DOOR */
  r->box[RANDOM_DOOR].solid = false;
  for (uint32_t n = worlds_below(s, 7); n; n--) {
    float w = worlds_in(s, r->mesh ? 1.2f : 0.05f, 3), h = worlds_in(s, r->mesh ? 1.2f : 0.05f, 3);
    float at = worlds_in(s, 1, r->width - 1 - w), up = worlds_in(s, 1, r->height - 1 - h);
    random_put_box(r, at, up, at + w, up + h);
  }
}

static inline worlds_rect random_corners(const wall_box *b) {
  return worlds_rectangle((float)b->x0, (float)b->y0, (float)b->x1, (float)b->y1);
}

static inline th_result random_flat(random_world *r, uint64_t *s, th_error *error) {
  worlds_rect rect[RANDOM_BOXES + 1] = {worlds_rectangle(0, 0, r->width, r->height)};
  th_polygon outline = {NULL, rect[0].point, 4}, obstacle[RANDOM_BOXES];
  uint32_t obstacles = 0;
  for (uint32_t k = 0; k < r->boxes; k++) rect[k + 1] = random_corners(&r->box[k].at);
  for (uint32_t k = 0; k < r->boxes; k++)
    if (k != RANDOM_DOOR) obstacle[obstacles++] = (th_polygon){NULL, rect[k + 1].point, 4};
  th_door door = {{"door", rect[RANDOM_DOOR + 1].point, 4}, false};
  th_flat_def def = th_default_flat_def();
  def.env = worlds_env(&r->log);
  def.outline = &outline, def.outline_count = 1;
  def.obstacle = obstacle, def.obstacle_count = obstacles;
  def.door = &door, def.door_count = 1;
  def.cell = worlds_in(s, 0.15f, 0.4f);
  return th_ground_make_flat(&def, &r->ground, error);
}

static inline th_region random_prism(const worlds_rect *rect, const char *name) {
  return (th_region){
      .name = name, .kind = TH_REGION_PRISM, .outline = rect->point, .outline_count = 4, .low = -1e4f, .high = 1e4f};
}

static inline th_make_params random_shape(random_world *r, uint64_t *s) {
  static const int32_t shapes[] = {TH_MAKE_SHAPE_PLANE,  TH_MAKE_SHAPE_TERRAIN, TH_MAKE_SHAPE_TERRAIN,
                                   TH_MAKE_SHAPE_PLANET, TH_MAKE_SHAPE_TORUS,   TH_MAKE_SHAPE_TUBE,
                                   TH_MAKE_SHAPE_HOUSE,  TH_MAKE_SHAPE_SIEVE};
  th_make_params make = th_default_make_params();
  make.shape = shapes[worlds_below(s, sizeof shapes / sizeof *shapes)];
  r->rolling = make.shape == TH_MAKE_SHAPE_PLANE || make.shape == TH_MAKE_SHAPE_TERRAIN;
  make.seed = (int32_t)worlds_below(s, 1000);
  make.noise = worlds_in(s, 0, 0.3f);
  if (r->rolling) {
    make.length = r->width, make.width = r->height;
    make.edge = worlds_in(s, 0.4f, 1.0f), make.height = worlds_in(s, 0.2f, 3), make.wave = worlds_in(s, 8, 20);
  } else {
    make.radius = worlds_in(s, 3, 8), make.large = make.radius + worlds_in(s, 3, 10), make.level = 3;
    make.length = worlds_in(s, 10, 30), make.edge = 0.8f, make.faces = 3000, make.inside = worlds_below(s, 2);
    make.end_radius = make.shape == TH_MAKE_SHAPE_TUBE ? make.radius : make.end_radius;
  }
  return make;
}

static inline th_result random_mesh(random_world *r, uint64_t *s, th_error *error) {
  th_make_params make = random_shape(r, s);
  th_mesh mesh;
  th_result result = th_mesh_generate(&make, &mesh, error);
  if (result != TH_OK) return result;
  worlds_rect rect[RANDOM_BOXES];
  th_region region[RANDOM_BOXES];
  uint32_t count = 0;
  for (uint32_t k = 0; k < r->boxes; k++) rect[k] = random_corners(&r->box[k].at);
  for (uint32_t k = 0; k < r->boxes; k++)
    if (k != RANDOM_DOOR) region[count++] = random_prism(&rect[k], NULL);
  th_mesh_door door = {random_prism(&rect[RANDOM_DOOR], "door"), false};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.env = worlds_env(&r->log);
  def.mesh = &mesh;
  if (r->rolling) def.blocked = region, def.blocked_count = count, def.door = &door, def.door_count = 1;
  if (!r->rolling) memset(r->box, 0, sizeof r->box), r->boxes = 0;
  result = th_ground_make_mesh(&def, &r->ground, error);
  th_mesh_free(&mesh);
  return result;
}

/* A walkable point, anywhere. */
static inline th_vec3 random_point(const random_world *r, uint64_t *s) {
  const th_ground *ground = th_world_ground(r->world);
  for (int tries = 0; tries < 500; tries++) {
    if (!r->mesh) {
      float x = worlds_in(s, 0.3f, r->width - 0.3f), y = worlds_in(s, 0.3f, r->height - 0.3f);
      if (th_ground_clearance(ground, x, y) > 0.45f) return (th_vec3){x, y, 0};
      continue;
    }
    const th_mesh *mesh = th_ground_mesh(ground);
    uint32_t face = worlds_below(s, mesh->face_count);
    th_place place = th_ground_place_of(ground, face, (th_vec3){0.4f, 0.35f, 0.25f});
    if (!th_ground_blocked_faces(ground)[face] && th_ground_clearance_at(ground, place) > 0.45f)
      return th_ground_point(ground, place);
  }
  return (th_vec3){1, 1, 0};
}

static inline const th_model *random_model(uint64_t *s) {
  const th_model *const *all = th_models();
  uint32_t count = 0;
  while (all[count]) count++;
  const th_model *model = all[worlds_below(s, count)];
  return strcmp(model->name, "user") ? model : &th_model_follow;
}

static inline th_agent_def random_agent(const random_world *r, uint64_t *s) {
  th_agent_def def = th_default_body_def();
  def.point = random_point(r, s);
  def.radius = worlds_in(s, 0.1f, 0.4f);
  def.speed = worlds_below(s, 40) ? worlds_in(s, 0.2f, 2.0f) : worlds_in(s, 5, 30);
  def.speed_max = def.speed * worlds_in(s, 1, 1.5f);
  def.model = random_model(s);
  def.route[0].goal = r->goal[worlds_below(s, RANDOM_GOALS)];
  def.route[1] = (th_stop){.goal = r->goal[worlds_below(s, RANDOM_GOALS)], .wait = worlds_in(s, 0, 2)};
  if (!th_is_null_choice(r->choice) && worlds_below(s, 2)) def.route[worlds_below(s, 2)].choice = r->choice;
  def.route_count = 1 + worlds_below(s, 2);
  def.loop = worlds_below(s, 2);
  if (worlds_below(s, 4) == 0) def.acceleration_max = def.turn_max = INFINITY;
  if (worlds_below(s, 5) == 0) def.people = &th_default_people;
  if (worlds_below(s, 6) == 0) def.v = (th_vec2){worlds_in(s, -1, 1), worlds_in(s, -1, 1)}, def.eps = 0.5f;
  if (worlds_below(s, 6) == 0) def.delay = worlds_in(s, 0, 5);
  return def;
}

static inline th_result random_choice(random_world *r, uint64_t *s, th_error *error) {
  th_choice_def def = th_default_choice_def();
  if (worlds_below(s, 2)) return TH_OK;
  for (uint32_t k = 0; k < RANDOM_GOALS; k++) def.option[def.option_count++] = th_default_option(r->goal[k]);
  def.rule = (int32_t)worlds_below(s, 3), def.sees = (int32_t)worlds_below(s, 2);
  def.option[0].known = worlds_in(s, 0, 1);
  def.follow = worlds_below(s, 2) ? worlds_in(s, 0, 1) : 0.0f;
  def.every = worlds_in(s, 0.1f, 3);
  return th_world_add_choice(r->world, &def, &r->choice, error);
}

static inline th_result random_people(random_world *r, uint64_t *s, th_error *error) {
  static const th_field_kind kinds[] = {TH_FIELD_HARMONIC, TH_FIELD_GEODESIC, TH_FIELD_BLEND, TH_FIELD_ROOMY};
  for (uint32_t k = 0; k < RANDOM_GOALS; k++) {
    th_goal_def goal = worlds_point_def_at(random_point(r, s));
    goal.field = kinds[worlds_below(s, 4)];
    goal.blend = 0.5f;
    if (worlds_below(s, 4) == 0) { /* two exits */
      const th_vec3 a = random_point(r, s), b = random_point(r, s);
      goal.shape = (th_shape){.kind = TH_SHAPE_LINE, .count = 4, .apart = true, .own = {a, a, b, b}};
      goal.shape.own[1].y += 0.5f, goal.shape.own[3].y += 0.5f;
    }
    th_result result = th_world_add_goal(r->world, &goal, &r->goal[k], error);
    if (result != TH_OK) return result;
  }
  th_result chosen = random_choice(r, s, error);
  if (chosen != TH_OK) return chosen;
  for (uint32_t n = 20 + worlds_below(s, 100); n; n--) {
    th_agent_def def = random_agent(r, s);
    if (th_world_add_agent(r->world, &def, NULL, error) == TH_ERROR_MEMORY) return TH_ERROR_MEMORY;
  }
  if (r->mesh && !r->rolling) return TH_OK;
  const worlds_rect region = worlds_rectangle(0.5f, 0.5f, 0.4f * r->width, r->height - 0.5f);
  th_source_def source = th_default_source_def();
  source.agent = random_agent(r, s);
  source.agent.delay = 0;
  source.region = (th_polygon){NULL, region.point, 4};
  source.rate = worlds_in(s, 0.2f, 4);
  return th_world_add_source(r->world, &source, NULL, error);
}

/* Refused worlds are no fault: the error says why. */
static inline th_result random_world_make(random_world *r, uint64_t seed, uint32_t workers, th_simd simd,
                                          th_error *error) {
  uint64_t s = seed * 0x9e3779b97f4a7c15u + 1;
  *r = (random_world){.seed = seed, .mesh = worlds_below(&s, 2)};
  random_plan(r, &s);
  th_result result = r->mesh ? random_mesh(r, &s, error) : random_flat(r, &s, error);
  if (result != TH_OK) return result;
  th_world_def def = th_default_world_def();
  def.env = worlds_env(&r->log);
  def.ground = r->ground;
  def.dt = worlds_below(&s, 4) ? worlds_in(&s, 0.02f, 0.15f) : worlds_in(&s, 0.001f, 0.5f);
  def.seed = seed;
  def.workers = workers, def.simd = simd, def.latency = RANDOM_LATENCY;
  def.contact_rounds = worlds_below(&s, 8);
  def.mesh.chart = worlds_below(&s, 2) ? TH_CHART_CONFORMAL : TH_CHART_POLAR;
  def.mesh.overhead = (th_overhead_kind)worlds_below(&s, 3);
  def.mesh.one_face = worlds_below(&s, 8) == 0;
  snprintf(r->what, sizeof r->what, "%s, %.0f x %.0f m, dt %.4f, %s%s, overhead %d", r->mesh ? "mesh" : "flat",
           (double)r->width, (double)r->height, (double)def.dt, def.mesh.chart ? "conformal" : "polar",
           def.mesh.one_face ? ", one face" : "", (int)def.mesh.overhead);
  result = th_world_make(&def, &r->world, error);
  return result == TH_OK ? random_people(r, &s, error) : result;
}

static inline void random_world_free(random_world *r) {
  th_world_free(r->world);
  th_ground_release(r->ground);
  *r = (random_world){0};
}

/* ---------------------------------------------------------------- calls */

static inline void random_settle(random_world *r, uint32_t box, bool solid) {
  r->box[box].solid = solid;
  r->box[box].settles = th_world_step_count(r->world) + RANDOM_LATENCY + 1;
}

static inline void random_door(random_world *r, bool close) {
  if (r->boxes <= RANDOM_DOOR) return;
  th_edit edit = {.kind = close ? TH_EDIT_CLOSE : TH_EDIT_OPEN, .name = "door"};
  if (th_world_edit(r->world, &edit, 1, NULL) == TH_OK) random_settle(r, RANDOM_DOOR, close);
}

/* The obstacle comes where `s` says, or goes. */
static inline void random_obstacle(random_world *r, uint64_t *s) {
  if (r->boxes <= RANDOM_DOOR) return;
  random_box *b = &r->box[RANDOM_ADDED];
  if (b->solid) {
    th_edit edit = {.kind = TH_EDIT_REMOVE, .name = "added"};
    if (th_world_edit(r->world, &edit, 1, NULL) == TH_OK) random_settle(r, RANDOM_ADDED, false);
    return;
  }
  double w = (double)worlds_in(s, 1.2f, 3), x = (double)worlds_in(s, 1, r->width - 4),
         y = (double)worlds_in(s, 1, r->height - 4);
  wall_box at = {x, y, x + w, y + w};
  worlds_rect rect = random_corners(&at);
  th_region region = random_prism(&rect, "added");
  th_edit edit = {.kind = TH_EDIT_ADD, .name = "added", .shape = {"added", rect.point, 4}};
  if (r->mesh) edit.region = &region;
  if (th_world_edit(r->world, &edit, 1, NULL) != TH_OK) return;
  b->at =
      (wall_box){(double)rect.point[0].x, (double)rect.point[0].y, (double)rect.point[2].x, (double)rect.point[2].y};
  random_settle(r, RANDOM_ADDED, true);
}

/* Hills rise and sink a little; walls stay where they are, seen from above. */
static inline void random_deform(random_world *r, uint64_t *s) {
  if (!r->rolling) return;
  const th_mesh *mesh = th_ground_mesh(th_world_ground(r->world));
  th_vertex_move move[8];
  for (uint32_t k = 0; k < 8; k++) {
    uint32_t v = (worlds_below(s, mesh->vertex_count) & ~7u) + k;
    v = v < mesh->vertex_count ? v : k;
    for (uint32_t j = 0; j < k; j++) v = move[j].vertex == v ? (v + 1) % mesh->vertex_count : v;
    const double *p = mesh->xyz + 3 * v;
    move[k] = (th_vertex_move){v, {(float)p[0], (float)p[1], (float)p[2] + worlds_in(s, -0.1f, 0.1f)}};
  }
  th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = 8};
  th_world_edit(r->world, &edit, 1, NULL);
}

static inline void random_someone(random_world *r, uint64_t *s, uint32_t call) {
  th_agents a = th_world_agents(r->world);
  if (!a.count) return;
  th_agent_id id = a.id[worlds_below(s, a.count)];
  th_agent_def def = random_agent(r, s);
  if (call == 0 && th_world_place_agent(r->world, id, def.point, NULL) == TH_OK) r->moved = id;
  if (call == 1) th_world_change_agent(r->world, id, &def, NULL);
  if (call == 2) th_world_remove_agent(r->world, id);
  if (call == 3) th_world_set_goal(r->world, id, r->goal[worlds_below(s, RANDOM_GOALS)], NULL);
  if (call == 10 && th_world_agent_def(r->world, id, &def)) {
    const float angle = worlds_in(s, 0, 6.28f), speed = worlds_in(s, 0, def.speed_max);
    th_world_set_velocity(r->world, id, (th_vec3){speed * cosf(angle), speed * sinf(angle), 0.0f}, NULL);
  }
}

/* At most one call; a function of seed, step and state. */
static inline void random_call(random_world *r) {
  uint64_t s = r->seed * 7919u + th_world_step_count(r->world) * 104729u;
  r->moved = NOBODY;
  uint32_t call = worlds_below(&s, 60);
  th_agent_def def = random_agent(r, &s);
  th_shape shape = {.kind = TH_SHAPE_POINT, .point = &def.point, .count = 1};
  if (call < 4 || call == 10) random_someone(r, &s, call);
  if (call == 4 || call == 5) random_door(r, call == 4);
  if (call == 6) random_obstacle(r, &s);
  if (call == 7) th_world_move_goal(r->world, r->goal[worlds_below(&s, RANDOM_GOALS)], &shape, NULL);
  if (call == 8 && th_world_agents(r->world).count < 400) th_world_add_agent(r->world, &def, NULL, NULL);
  if (call == 9 && worlds_below(&s, 4) == 0) random_deform(r, &s);
}

#endif
