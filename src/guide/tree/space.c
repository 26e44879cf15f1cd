/* guide/tree/space.c - markers in buckets, and straight paths over the ground to them.
 *
 * Buckets are cubes of the action radius, hashed, so that one table serves flat ground, terrain and houses of several
 * floors. The offset from a place to a point is a difference on flat ground. On a mesh it is the logarithmic map, found
 * by shooting: walk straight towards the point, turn the remaining error at the end back into the frame of the start,
 * add it to the offset, and walk again. On ground that is flat between the two the first walk hits. Cost: 10 ns per
 * marker on flat ground away from walls, some 0.5 us on a mesh.
 */
#include "guide/tree/space.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh/straight_walk.h"
#include "geometry/vector.h"
#include "ground/mesh/ground.h"

#define SHOTS 8          /* walks for one offset */
#define HIT 1e-3         /* [m]: a walk that ends this near has arrived */
#define MAX_FACES 10000u /* of a walk */
#define BODY_SHARE 0.8f  /* of the body's radius that must be free beside a segment */
#define OFF_WALLS 1.5f   /* of the radius: nodes keep this distance where they can */

typedef struct bucket {
  int32_t x, y, z;
} bucket;

static bucket bucket_of(const th_tree_space *space, th_vec3 p) {
  return (bucket){(int32_t)floorf(p.x / space->cell), (int32_t)floorf(p.y / space->cell),
                  (int32_t)floorf(p.z / space->cell)};
}

static uint32_t key_of(const th_tree_space *space, bucket b) {
  uint64_t xy = (uint64_t)(uint32_t)b.x << 32 | (uint32_t)b.y;
  return (uint32_t)th_random_mix(xy ^ th_random_mix((uint32_t)b.z)) & space->mask;
}

static void fill_buckets(th_tree_space *space) {
  for (uint32_t i = 0; i < space->count; i++) space->start[key_of(space, bucket_of(space, space->point[i])) + 1]++;
  for (uint32_t k = 0; k <= space->mask; k++) space->start[k + 1] += space->start[k];
  for (uint32_t i = space->count; i-- > 0;) { /* from the last: markers of a bucket ascend */
    uint32_t *end = &space->start[key_of(space, bucket_of(space, space->point[i])) + 1];
    space->item[--*end] = i;
  }
  for (uint32_t k = 0; k <= space->mask; k++) space->start[k] = space->start[k + 1];
  space->start[space->mask + 1] = space->count;
}

th_result th_tree_space_make(const th_env *env, const th_tree_space_def *def, th_tree_space **space, th_error *error) {
  const th_allocator *a = &env->allocator;
  const uint32_t count = def->count;
  th_tree_space *s = TH_TAKE(a, th_tree_space, 1);
  *space = NULL;
  if (!s) return th_fail_memory(error, "tree");
  *s = (th_tree_space){.allocator = *a, .ground = def->ground, .count = count, .cell = def->reach};
  while (s->mask + 1 < count) s->mask = 2 * s->mask + 1;
  s->place = TH_TAKE(a, th_place, count);
  s->point = TH_TAKE(a, th_vec3, count);
  s->item = TH_TAKE(a, uint32_t, count);
  s->start = TH_TAKE(a, uint32_t, (size_t)s->mask + 2);
  if (!s->place || !s->point || !s->item || !s->start) {
    th_tree_space_free(s);
    return th_fail_memory(error, "tree");
  }
  for (uint32_t i = 0; i < count; i++) {
    s->place[i] = def->place[i];
    s->point[i] = th_ground_point(def->ground, def->place[i]);
  }
  fill_buckets(s);
  *space = s;
  return TH_OK;
}

void th_tree_space_free(th_tree_space *space) {
  if (!space) return;
  const th_allocator a = space->allocator;
  TH_GIVE(&a, space->place, space->count);
  TH_GIVE(&a, space->point, space->count);
  TH_GIVE(&a, space->item, space->count);
  TH_GIVE(&a, space->start, (size_t)space->mask + 2);
  TH_GIVE(&a, space, 1);
}

/* ---------------------------------------------------------------- straight paths */

/* The clearance of the raster cell proves most straight paths free at once. */
static bool is_free_on_flat(const th_ground *ground, th_place from, th_vec2 offset, float length) {
  if (!(length > 0.0f)) return true;
  if (ground->flat->clearance[th_ground_cell(ground, from.x, from.y)] - ground->flat->half_diagonal > length)
    return true;
  th_vec2 d = {offset.x / length, offset.y / length};
  return th_ground_ray(ground, from, d, length).wall == UINT32_MAX;
}

static th_mesh_walker walk_from(const th_ground *ground, th_place from, th_point offset) {
  th_mesh_walker w =
      th_mesh_walker_begin(from.cell, (th_point){(double)from.x, (double)from.y}, offset, th_length2d(offset));
  if (!th_mesh_walk(&ground->mesh->frames, &w, MAX_FACES)) w.touched = true;
  return w;
}

static void point_on(const th_ground *ground, uint32_t face, th_point p, double *xyz) {
  th_frames_point(&ground->mesh->frames, face, p, xyz);
}

/* A vector in space, along the axes of a face. */
static th_point along_face(const th_ground *ground, uint32_t face, const double *vector) {
  double x[3], y[3];
  th_frames_axes(&ground->mesh->frames, face, x, y);
  return (th_point){th_dot3d(vector, x), th_dot3d(vector, y)};
}

static bool offset_on_mesh(const th_ground *ground, th_place from, th_place to, float reach, th_vec2 *offset) {
  double target[3], here[3], miss[3];
  point_on(ground, to.cell, (th_point){(double)to.x, (double)to.y}, target);
  point_on(ground, from.cell, (th_point){(double)from.x, (double)from.y}, here);
  th_minus3d(target, here, miss);
  th_point v = along_face(ground, from.cell, miss);
  double flat = th_length2d(v), far = th_length3d(miss);
  if (flat > 0.0) v = (th_point){v.x / flat * far, v.y / flat * far};
  for (int shot = 0; shot < SHOTS; shot++) {
    if (th_length2d(v) > (double)reach) return false;
    th_mesh_walker w = walk_from(ground, from, v);
    if (w.touched) return false;
    point_on(ground, w.face, w.p, here);
    th_minus3d(target, here, miss);
    if (th_length3d(miss) <= HIT) {
      *offset = (th_vec2){(float)v.x, (float)v.y};
      return true;
    }
    th_point more = th_turned2d(along_face(ground, w.face, miss), w.c, -w.s);
    v = (th_point){v.x + more.x, v.y + more.y};
  }
  return false;
}

bool th_tree_offset(const th_tree_eye *eye, th_place from, th_place to, float reach, th_vec2 *offset) {
  const th_ground *ground = eye->space->ground;
  if (th_ground_is_mesh(ground) && from.cell != to.cell) return offset_on_mesh(ground, from, to, reach, offset);
  *offset = (th_vec2){to.x - from.x, to.y - from.y};
  float length = th_length2(*offset);
  if (length > reach) return false;
  return th_ground_is_mesh(ground) || !eye->sight || is_free_on_flat(ground, from, *offset, length);
}

typedef struct search {
  const th_tree_eye *eye;
  th_place from;
  th_vec3 point;
  float reach;
  th_tree_visit visit;
  void *context;
} search;

static void visit_bucket(const search *s, bucket b) {
  const th_tree_space *space = s->eye->space;
  uint32_t key = key_of(space, b);
  for (uint32_t n = space->start[key]; n < space->start[key + 1]; n++) {
    uint32_t marker = space->item[n];
    th_vec3 off = th_minus3(space->point[marker], s->point);
    if (th_dot3(off, off) > s->reach * s->reach * 1.0001f) continue; /* no path over the surface is shorter */
    bucket own = bucket_of(space, space->point[marker]);
    th_vec2 offset;
    if (own.x != b.x || own.y != b.y || own.z != b.z) continue; /* another bucket with the same key */
    if (th_tree_offset(s->eye, s->from, space->place[marker], s->reach, &offset)) s->visit(s->context, marker, offset);
  }
}

void th_tree_near(const th_tree_eye *eye, th_place from, float reach, th_tree_visit visit, void *context) {
  const th_tree_space *space = eye->space;
  if (!space->count) return;
  search s = {eye, from, th_ground_point(space->ground, from), reach, visit, context};
  bucket low = bucket_of(space, (th_vec3){s.point.x - reach, s.point.y - reach, s.point.z - reach});
  bucket high = bucket_of(space, (th_vec3){s.point.x + reach, s.point.y + reach, s.point.z + reach});
  if (!th_ground_is_mesh(space->ground)) low.z = high.z = 0;
  for (int32_t z = low.z; z <= high.z; z++)
    for (int32_t y = low.y; y <= high.y; y++)
      for (int32_t x = low.x; x <= high.x; x++) visit_bucket(&s, (bucket){x, y, z});
}

/* ---------------------------------------------------------------- going */

static th_place flat_place(const th_ground *ground, float x, float y) {
  return (th_place){th_ground_cell(ground, x, y), x, y};
}

/* A body beside a wall cannot come nearer than its radius: the node is put where it can stand at ease. */
static void leave_wall(const th_tree_eye *eye, th_place *place) {
  const th_ground *ground = eye->space->ground;
  float wanted = OFF_WALLS * eye->radius;
  if (th_ground_clearance_at(ground, *place) >= wanted) return;
  th_hit hit = th_ground_nearest_wall(ground, *place, wanted);
  if (hit.wall == UINT32_MAX || !(hit.distance > 1e-4f)) return;
  th_vec3 off = th_minus3(th_ground_point(ground, *place), th_ground_point(ground, hit.place));
  th_vec2 away = th_ground_to_cell(ground, *place, off);
  float length = th_length2(away);
  if (length > 0.0f)
    (void)th_ground_walk(ground, place, th_scaled2(away, (wanted - hit.distance) / length), 0.0f, NULL);
}

/* True when walls leave enough space for a body along the segment, tested at every third of it. */
static bool is_wide(const th_tree_eye *eye, th_place from, th_vec2 offset) {
  const th_ground *ground = eye->space->ground;
  for (int k = 1; k <= 3; k++) {
    th_place at = from;
    (void)th_ground_walk(ground, &at, th_scaled2(offset, (float)k / 3.0f), 0.0f, NULL);
    if (th_ground_clearance_at(ground, at) < BODY_SHARE * eye->radius) return false;
  }
  return true;
}

static bool go_straight(const th_tree_eye *eye, th_place from, th_vec2 offset, th_place *to) {
  const th_ground *ground = eye->space->ground;
  if (!th_ground_is_mesh(ground)) {
    *to = flat_place(ground, from.x + offset.x, from.y + offset.y);
    return !eye->sight || is_free_on_flat(ground, from, offset, th_length2(offset));
  }
  th_mesh_walker w = walk_from(ground, from, (th_point){(double)offset.x, (double)offset.y});
  *to = (th_place){w.face, (float)w.p.x, (float)w.p.y};
  return !w.touched;
}

bool th_tree_go(const th_tree_eye *eye, th_place from, th_vec2 offset, th_place *to) {
  if (!go_straight(eye, from, offset, to)) return false;
  if (!eye->sight) return true;
  float length = th_length2(offset);
  if (th_ground_clearance_at(eye->space->ground, from) > length + OFF_WALLS * eye->radius) return true;
  leave_wall(eye, to);
  th_vec2 real;
  if (!th_tree_offset(eye, from, *to, length + OFF_WALLS * eye->radius, &real)) return false;
  return is_wide(eye, from, real);
}

th_vec2 th_tree_towards(const th_ground *ground, th_place from, th_vec3 point) {
  return th_ground_to_cell(ground, from, th_minus3(point, th_ground_point(ground, from)));
}
