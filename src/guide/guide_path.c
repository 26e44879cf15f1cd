/* guide/guide_path.c - walks along a polyline.
 *
 * The agent aims at a point some metres ahead of its own projection on the path (pure pursuit), which cuts corners
 * softly. The projection only moves forward, within a window ahead of where it was, so a path may cross itself. State
 * per agent: metres gone along the path.
 */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "throng/guide.h"

typedef struct path_state {
  float gone; /* [m] */
  uint32_t begun;
} path_state;

typedef struct spot {
  float x, y, along, distance2;
} spot;

static float side_length(const th_path_params *path, uint32_t i) {
  th_vec2 a = path->point[i], b = path->point[(i + 1) % path->count];
  return sqrtf((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

static uint32_t sides(const th_path_params *path) { return path->closed ? path->count : path->count - 1; }

static float whole_length(const th_path_params *path) {
  float length = 0.0f;
  for (uint32_t i = 0; i < sides(path); i++) length += side_length(path, i);
  return length;
}

/* Point of the path at `along` metres, clamped to its ends or taken round. */
static th_vec2 point_at(const th_path_params *path, float along, float length) {
  if (path->closed && length > 0.0f) along -= floorf(along / length) * length;
  for (uint32_t i = 0; i < sides(path); i++) {
    float side = side_length(path, i);
    if (along <= side || i + 1 == sides(path)) {
      th_vec2 a = path->point[i], b = path->point[(i + 1) % path->count];
      float t = side > 0.0f ? fminf(fmaxf(along / side, 0.0f), 1.0f) : 0.0f;
      return (th_vec2){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    }
    along -= side;
  }
  return path->point[path->count - 1];
}

/* Nearest point of the path with from <= along <= to. */
static spot project(const th_path_params *path, float x, float y, float from, float to) {
  spot best = {0.0f, 0.0f, from, INFINITY};
  float begin = 0.0f, turn = 0.0f, length = path->closed ? whole_length(path) : 0.0f;
  if (length > 0.0f) turn = floorf(from / length) * length;
  for (uint32_t lap = 0; lap < (path->closed ? 2u : 1u); lap++, turn += length, begin = 0.0f) {
    for (uint32_t i = 0; i < sides(path); i++) {
      th_vec2 a = path->point[i], b = path->point[(i + 1) % path->count];
      float side = side_length(path, i), low = fmaxf(from - turn - begin, 0.0f), high = fminf(to - turn - begin, side);
      float ux = side > 0.0f ? (b.x - a.x) / side : 0.0f, uy = side > 0.0f ? (b.y - a.y) / side : 0.0f;
      if (low <= high) {
        float t = fminf(fmaxf((x - a.x) * ux + (y - a.y) * uy, low), high);
        float px = a.x + ux * t, py = a.y + uy * t, d2 = (px - x) * (px - x) + (py - y) * (py - y);
        if (d2 < best.distance2) best = (spot){px, py, turn + begin + t, d2};
      }
      begin += side;
    }
  }
  return best;
}

static void lead(const th_path_params *path, path_state *state, th_vec2 place, th_want *want) {
  float length = whole_length(path), window = 4.0f * path->ahead;
  float to = state->begun ? state->gone + window : length;
  spot here = project(path, place.x, place.y, state->begun ? state->gone : 0.0f, path->closed ? to : fminf(to, length));
  state->begun = 1;
  if (here.along > state->gone) state->gone = here.along;
  th_vec2 aim = point_at(path, state->gone + path->ahead, length);
  float dx = aim.x - place.x, dy = aim.y - place.y, distance = sqrtf(dx * dx + dy * dy);
  want->left = path->closed ? INFINITY : length - state->gone + sqrtf(here.distance2);
  bool arrived = !path->closed && state->gone >= length - 1e-3f && distance <= 0.5f * path->ahead;
  want->state = arrived ? TH_WANT_ARRIVED : TH_WANT_LEAD;
  if (distance > 0.0f) {
    want->dx = dx / distance;
    want->dy = dy / distance;
  }
}

static void answer(const th_question *question) {
  const th_path_params *path = question->params;
  for (uint32_t lane = 0; lane < question->lanes; lane++)
    lead(path, question->state[lane], (th_vec2){question->x[lane], question->y[lane]}, &question->want[lane]);
}

static th_result check(const void *params, th_error *error) {
  const th_path_params *path = params;
  if (!path->point || path->count < 2)
    return th_fail(error, TH_ERROR_RANGE, "path", "expected 2 points or more, found %u", path->point ? path->count : 0);
  for (uint32_t i = 0; i < path->count; i++)
    if (!isfinite(path->point[i].x) || !isfinite(path->point[i].y))
      return th_fail_at(error, TH_ERROR_RANGE, "path", i, "point %u: expected finite coordinates", i);
  return TH_OK;
}

static const th_param params[] = {
    {"closed", TH_PARAM_BOOL, offsetof(th_path_params, closed), "", 0, 1, 0, "round and round; never arrives", NULL},
    {"ahead", TH_PARAM_FLOAT, offsetof(th_path_params, ahead), "m", 0.01, 100, 1, "aims this far along the path", NULL},
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
};
