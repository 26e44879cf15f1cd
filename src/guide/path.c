/* guide/path.c - walks along a polyline.
 *
 * The agent aims at a point of the path that lies a given distance ahead of its own projection on it (pure pursuit),
 * which cuts corners softly. The projection only moves forward, within a window ahead of where it was, so a path may
 * cross itself. Points lie in space, so a path on a mesh consists of straight chords; an agent heads in the direction
 * to its aim, projected onto the ground. Where the projection is short, for instance when the aim lies across a tube,
 * it would pull the agent to the point below its aim and hold it there. Then the normal is blended over the
 * neighbouring faces as if the surface were round, and an aim straight above turns the agent to its left. State per
 * agent: distance covered along the path [m].
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "geometry/vector.h"
#include "throng/ground.h"
#include "throng/guide.h"

typedef struct path_state {
  float gone; /* [m] */
  uint32_t begun;
} path_state;

typedef struct spot {
  float along, distance2;
} spot;

static th_vec3 corner(const th_path_params *path, uint32_t i) { return path->point[i % path->count]; }

static th_vec3 between(th_vec3 a, th_vec3 b, float t) {
  return (th_vec3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static float side_length(const th_path_params *path, uint32_t i) {
  return th_length3(th_minus3(corner(path, i + 1), corner(path, i)));
}

static uint32_t sides(const th_path_params *path) { return path->closed ? path->count : path->count - 1; }

static float whole_length(const th_path_params *path) {
  float length = 0.0f;
  for (uint32_t i = 0; i < sides(path); i++) length += side_length(path, i);
  return length;
}

/* Point of the path at the distance `along` [m], clamped to its ends or, on a closed path, wrapped round. */
static th_vec3 point_at(const th_path_params *path, float along, float length) {
  if (path->closed && length > 0.0f) along -= floorf(along / length) * length;
  for (uint32_t i = 0; i < sides(path); i++) {
    float side = side_length(path, i);
    if (along <= side || i + 1 == sides(path)) {
      float t = side > 0.0f ? fminf(fmaxf(along / side, 0.0f), 1.0f) : 0.0f;
      return between(corner(path, i), corner(path, i + 1), t);
    }
    along -= side;
  }
  return corner(path, path->count - 1);
}

/* Nearest point of the path with from <= along <= to. */
static spot project(const th_path_params *path, th_vec3 p, float from, float to) {
  spot best = {from, INFINITY};
  float begin = 0.0f, turn = 0.0f, length = path->closed ? whole_length(path) : 0.0f;
  if (length > 0.0f) turn = floorf(from / length) * length;
  for (uint32_t lap = 0; lap < (path->closed ? 2u : 1u); lap++, turn += length, begin = 0.0f) {
    for (uint32_t i = 0; i < sides(path); i++) {
      th_vec3 a = corner(path, i), edge = th_minus3(corner(path, i + 1), a);
      float side = side_length(path, i), low = fmaxf(from - turn - begin, 0.0f), high = fminf(to - turn - begin, side);
      float k = side > 0.0f ? 1.0f / side : 0.0f;
      if (low <= high) {
        float t = fminf(fmaxf(th_dot3(th_minus3(p, a), edge) * k, low), high);
        th_vec3 off = th_minus3((th_vec3){a.x + edge.x * (t * k), a.y + edge.y * (t * k), a.z + edge.z * (t * k)}, p);
        if (th_dot3(off, off) < best.distance2) best = (spot){turn + begin + t, th_dot3(off, off)};
      }
      begin += side;
    }
  }
  return best;
}

/* The normal as if the surface were round: its own face and the neighbours across the edges that are near. */
static th_vec3 round_normal(const th_ground *ground, th_place place) {
  const th_mesh *mesh = th_ground_mesh(ground);
  th_vec3 n = th_ground_normal(ground, place), w = th_ground_weights(ground, place);
  const float weight[3] = {w.z, w.x, w.y}; /* of the corner that faces the edge */
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t twin = mesh->twin[3 * place.cell + k];
    float part = 1.0f - 2.0f * weight[k];
    if (twin == TH_NO_HALF || !(part > 0.0f)) continue;
    th_vec3 other = th_ground_normal(ground, (th_place){twin / 3, 0.0f, 0.0f});
    n = (th_vec3){n.x + part * other.x, n.y + part * other.y, n.z + part * other.z};
  }
  float length = th_length3(n);
  return length > 0.0f ? (th_vec3){n.x / length, n.y / length, n.z / length} : n;
}

/* The direction along the ground towards `aim`, in the frame of the cell; its length does not matter. */
static th_vec2 direction_to(const th_ground *ground, th_place place, th_vec3 aim) {
  th_vec2 flat = th_ground_to_cell(ground, place, aim);
  float above = th_dot3(aim, th_ground_normal(ground, place));
  if (flat.x * flat.x + flat.y * flat.y >= above * above || !th_ground_mesh(ground)) return flat;
  th_vec3 n = round_normal(ground, place);
  float high = th_dot3(aim, n);
  th_vec3 along = {aim.x - high * n.x, aim.y - high * n.y, aim.z - high * n.z};
  th_vec2 direction = th_ground_to_cell(ground, place, along);
  bool none = th_dot3(along, along) < 1e-6f * th_dot3(aim, aim) ||
              direction.x * direction.x + direction.y * direction.y <= 0.0f;
  return none ? (th_vec2){-flat.y, flat.x + th_length3(aim)} : direction;
}

static const th_trace traces[] = {
    {"aim", TH_TRACE_POINT, "m",
     "the point of the path that the agent heads for; value: distance covered along the path [m]", 0},
};

static void publish(const th_guide_query *query, uint32_t lane, th_vec2 offset) {
  const path_state *state = query->state[lane];
  th_trace_point(query->trace, lane, traces, (th_vec2){query->x[lane] + offset.x, query->y[lane] + offset.y},
                 state->gone);
}

static void lead(const th_guide_query *query, uint32_t lane) {
  const th_path_params *path = query->params;
  path_state *state = query->state[lane];
  th_guide_answer *want = &query->want[lane];
  th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
  th_vec3 p = th_ground_point(query->ground, place);
  float length = whole_length(path), window = 4.0f * path->ahead;
  float to = state->begun ? state->gone + window : length;
  spot here = project(path, p, state->begun ? state->gone : 0.0f, path->closed ? to : fminf(to, length));
  state->begun = 1;
  if (here.along > state->gone) state->gone = here.along;
  th_vec3 aim = th_minus3(point_at(path, state->gone + path->ahead, length), p);
  want->left = path->closed ? INFINITY : length - state->gone + sqrtf(here.distance2);
  bool arrived = !path->closed && state->gone >= length - 1e-3f && th_length3(aim) <= 0.5f * path->ahead;
  want->state = arrived ? TH_ANSWER_ARRIVED : TH_ANSWER_LEAD;
  th_vec2 d = direction_to(query->ground, place, aim);
  float distance = sqrtf(d.x * d.x + d.y * d.y);
  if (distance > 0.0f) {
    want->dx = d.x / distance;
    want->dy = d.y / distance;
  }
  if (th_trace_wants(query->trace, lane)) publish(query, lane, d);
}

/* Corners that the agent's projection has passed are behind it. */
static void corners(const th_guide_query *query, th_guide_corners *out) {
  const th_path_params *path = query->params;
  const path_state *state = query->state[0];
  float along = state->gone, length = path->closed ? whole_length(path) : 0.0f;
  float laps = length > 0.0f ? floorf(along / length) : 0.0f;
  along -= laps * length;
  uint32_t side = 0, last = sides(path) - 1;
  for (; side < last && along >= side_length(path, side); side++) along -= side_length(path, side);
  out->number = (uint32_t)laps * sides(path) + side + 1;
  out->back = corner(path, side);
  uint32_t left = path->closed ? TH_PATH_CORNERS : last - side + 1;
  out->count = left < TH_PATH_CORNERS ? left : TH_PATH_CORNERS;
  for (uint32_t i = 0; i < out->count; i++) out->corner[i] = corner(path, side + 1 + i);
  if (path->width > 0.0f) out->left = out->right = 0.5f * path->width;
}

static void answer(const th_guide_query *query) {
  for (uint32_t lane = 0; lane < query->lanes; lane++) lead(query, lane);
}

static th_result check(const void *params, th_error *error) {
  const th_path_params *path = params;
  if (!path->point || path->count < 2)
    return th_fail(error, TH_ERROR_RANGE, "path", "expected 2 points or more, found %u", path->point ? path->count : 0);
  for (uint32_t i = 0; i < path->count; i++)
    if (!isfinite(path->point[i].x) || !isfinite(path->point[i].y) || !isfinite(path->point[i].z))
      return th_fail_at(error, TH_ERROR_RANGE, "path", i, "point %u: expected finite coordinates", i);
  return TH_OK;
}

static const th_param params[] = {
    {"closed", TH_PARAM_BOOL, offsetof(th_path_params, closed), "", 0, 1, 0, "round and round; never arrives", NULL},
    {"ahead", TH_PARAM_FLOAT, offsetof(th_path_params, ahead), "m", 0.01, 100, 1, "aims this far along the path", NULL},
    {"width", TH_PARAM_FLOAT, offsetof(th_path_params, width), "m", 0, 1000, 0, "free width of the path; 0: unknown",
     NULL},
};

const th_guide th_guide_path = {
    .name = "path",
    .summary = "walks along a polyline",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_path_params),
    .state_size = sizeof(path_state),
    .ask = answer,
    .check = check,
    .corners = corners,
    .trace = traces,
    .trace_count = sizeof traces / sizeof *traces,
};

th_path_params th_default_path_params(void) {
  th_path_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_guide_path.param, th_guide_path.param_count, &values);
  return values;
}
