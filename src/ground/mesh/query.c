/* ground/mesh/query.c - questions about a mesh ground. Those that only a mesh can answer say "nothing" on flat ground.
 *
 * Points are found through the tree of boxes; all other answers follow from the face's own frame. Cost: about a
 * microsecond to find a place, some nanoseconds otherwise.
 */
#include "ground/calls.h"
#include "ground/mesh/form.h"
#include "ground/mesh/ray.h"
#include "ground/mesh/visible_walls.h"

#define ON_SURFACE 1e-3 /* [m] */

const th_mesh *th_ground_mesh(const th_ground *ground) {
  return th_ground_is_mesh(ground) ? &ground->mesh->mesh : NULL;
}

const uint8_t *th_ground_blocked_faces(const th_ground *ground) {
  return th_ground_is_mesh(ground) ? ground->mesh->blocked : NULL;
}

static bool is_on(const th_ground *ground, th_place place) {
  return ground->mesh && place.cell < ground->mesh->mesh.face_count;
}

static th_point point_of(th_place place) { return (th_point){(double)place.x, (double)place.y}; }

static th_place locate(const th_ground *ground, th_vec3 point, int32_t level, float reach) {
  th_place none = {TH_NO_CELL, point.x, point.y};
  if (!(isfinite(point.x) && isfinite(point.y) && isfinite(point.z) && reach >= 0.0f)) return none;
  const th_mesh_ground *s = ground->mesh;
  const double at[3] = {(double)point.x, (double)point.y, (double)point.z};
  th_bvh_only only = {s->level_of, level};
  const th_bvh_only *of = level == TH_ANY_LEVEL ? NULL : &only;
  /* A point on the surface is taken as it is: on a steep face the vertical line through a rounded point may hit far
   * away. */
  th_bvh_hit hit = th_bvh_nearest_only(&s->bvh, at, fmin((double)reach, ON_SURFACE), of);
  if (hit.face == TH_NO_ELEMENT) hit = th_bvh_locate_only(&s->bvh, at, (double)reach, of);
  if (hit.face == TH_NO_ELEMENT || s->blocked[hit.face]) return none;
  th_point p = th_frames_at(&s->frames, hit.face, hit.weight);
  return (th_place){hit.face, (float)p.x, (float)p.y};
}

static const th_face_space *space_of(const th_ground *ground, th_place place) {
  return &ground->mesh->frames.space[place.cell];
}

static th_vec3 point(const th_ground *ground, th_place place) {
  if (!is_on(ground, place)) return (th_vec3){place.x, place.y, 0.0f};
  const th_face_space *f = space_of(ground, place);
  const float a = place.x, b = place.y;
  return (th_vec3){(float)(f->origin[0] + (double)(a * f->x[0] + b * f->y[0])),
                   (float)(f->origin[1] + (double)(a * f->x[1] + b * f->y[1])),
                   (float)(f->origin[2] + (double)(a * f->x[2] + b * f->y[2]))};
}

static th_vec3 normal(const th_ground *ground, th_place place) {
  if (!is_on(ground, place)) return (th_vec3){0.0f, 0.0f, 1.0f};
  const float *n = space_of(ground, place)->normal;
  return (th_vec3){n[0], n[1], n[2]};
}

static th_vec3 to_space(const th_ground *ground, th_place place, th_vec2 v) {
  if (!is_on(ground, place)) return (th_vec3){v.x, v.y, 0.0f};
  const th_face_space *f = space_of(ground, place);
  return (th_vec3){v.x * f->x[0] + v.y * f->y[0], v.x * f->x[1] + v.y * f->y[1], v.x * f->x[2] + v.y * f->y[2]};
}

static th_vec2 to_cell(const th_ground *ground, th_place place, th_vec3 v) {
  if (!is_on(ground, place)) return (th_vec2){v.x, v.y};
  const th_face_space *f = space_of(ground, place);
  return (th_vec2){v.x * f->x[0] + v.y * f->x[1] + v.z * f->x[2], v.x * f->y[0] + v.y * f->y[1] + v.z * f->y[2]};
}

/* Rounding may leave a place a hair outside its face: weights are cut to the face. */
static void inner_weights(const th_mesh_ground *s, th_place place, double *w) {
  th_frames_weights(&s->frames, place.cell, point_of(place), w);
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    w[k] = w[k] > 0.0 ? w[k] : 0.0;
    sum += w[k];
  }
  for (int k = 0; k < 3; k++) w[k] /= sum;
}

th_vec3 th_ground_weights(const th_ground *ground, th_place place) {
  if (!is_on(ground, place)) return (th_vec3){0.0f, 0.0f, 0.0f};
  double w[3];
  inner_weights(ground->mesh, place, w);
  return (th_vec3){(float)w[0], (float)w[1], (float)w[2]};
}

th_place th_ground_place_of(const th_ground *ground, uint32_t face, th_vec3 weights) {
  th_place none = {TH_NO_CELL, 0.0f, 0.0f};
  if (!ground->mesh || face >= ground->mesh->mesh.face_count) return none;
  const double w[3] = {(double)weights.x, (double)weights.y, (double)weights.z};
  th_point p = th_frames_at(&ground->mesh->frames, face, w);
  return (th_place){face, (float)p.x, (float)p.y};
}

th_place th_mesh_query_carry(const th_ground *before, const th_ground *after, th_place place) {
  if (!is_on(before, place) || !is_on(after, place)) return place;
  const th_face_frame *a = &before->mesh->frames.face[place.cell], *b = &after->mesh->frames.face[place.cell];
  if (a->bx == b->bx && a->cx == b->cx && a->cy == b->cy) return place; /* no rounding where nothing moved */
  double w[3];
  inner_weights(before->mesh, place, w);
  th_point p = th_frames_at(&after->mesh->frames, place.cell, w);
  return (th_place){place.cell, (float)p.x, (float)p.y};
}

static bool is_face(const th_ground *ground, uint32_t cell) { return is_on(ground, (th_place){cell, 0.0f, 0.0f}); }

int32_t th_ground_level(const th_ground *ground, uint32_t cell) {
  return is_face(ground, cell) ? ground->mesh->level_of[cell] : 0;
}

uint32_t th_ground_terrain(const th_ground *ground, uint32_t cell) {
  return is_face(ground, cell) ? ground->mesh->terrain_of[cell] : 0;
}

const char *th_ground_terrain_name(const th_ground *ground, uint32_t terrain) {
  return ground->mesh && terrain < TH_MAX_TERRAINS ? ground->mesh->form->rules.terrain_name[terrain] : "";
}

float th_ground_speed(const th_ground *ground, uint32_t cell) {
  return is_face(ground, cell) ? ground->mesh->speed[cell] : 1.0f;
}

float th_ground_speed_along(const th_ground *ground, uint32_t cell, th_vec2 direction) {
  if (!is_face(ground, cell)) return 1.0f;
  const th_mesh_ground *s = ground->mesh;
  return s->climb ? s->speed[cell] * th_mesh_climb(s, cell, direction.x, direction.y) : s->speed[cell];
}

static float clearance_at(const th_ground *ground, th_place place) {
  if (!is_on(ground, place) || ground->mesh->blocked[place.cell]) return 0.0f;
  double limit = (double)ground->clearance_limit;
  return (float)fmin(th_mesh_clearance(ground->mesh, place.cell, point_of(place), limit), limit);
}

static float clearance(const th_ground *ground, float x, float y) {
  th_place place = th_ground_locate(ground, x, y);
  return place.cell == TH_NO_CELL ? -ground->clearance_limit : clearance_at(ground, place);
}

static bool holds(const th_ground *ground, th_place place) {
  return is_on(ground, place) && !ground->mesh->blocked[place.cell];
}

static th_place nearest_free(const th_ground *ground, th_place from) {
  return holds(ground, from) ? from : th_mesh_ground_nearest_free(ground, from);
}

const th_ground_calls th_mesh_ground_calls = {.free = th_mesh_ground_free,
                                              .edit = th_mesh_ground_edit,
                                              .locate = locate,
                                              .clearance = clearance,
                                              .clearance_at = clearance_at,
                                              .holds = holds,
                                              .nearest_free = nearest_free,
                                              .ray = th_mesh_ray,
                                              .nearest_wall = th_mesh_wall_near,
                                              .pick = th_mesh_pick,
                                              .walk = th_mesh_ground_walk,
                                              .point = point,
                                              .normal = normal,
                                              .to_space = to_space,
                                              .to_cell = to_cell};
