/* model/orca/scalar.c - half-planes and programmes in plain code, one agent at a time.
 *
 * The second back-end: the method in its textbook form (van den Berg et al. 2011). It does the same operations as the
 * lanes of solve.lanes.c do under their masks, so both give the same bits. Read this file first, and compare any other
 * back-end with it. Cost: about eight times that of the lanes.
 */
#include <math.h>

#include "geometry/vector.h"
#include "model/orca/solve.h"

typedef struct line {
  float px, py, dx, dy;
} line;

typedef struct aim {
  float x, y, max;
  bool along; /* the farthest point along (x, y) instead of the nearest to it */
} aim;

static inline float dot(float ax, float ay, float bx, float by) { return ax * bx + ay * by; }
static inline float det(float ax, float ay, float bx, float by) { return ax * by - ay * bx; }

float th_orca_own_share(const th_view *view, uint32_t lane) {
  const th_neighbours *near = &view->neighbours;
  uint32_t low = 0, high = near->count, slot = view->slot[lane];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (near->slot[middle] < slot)
      low = middle + 1;
    else
      high = middle;
  }
  return low < near->count && near->slot[low] == slot ? near->share[low] : 0.5f;
}

/* ---------------------------------------------------------------- half-planes */

static line disc_line(float wx, float wy, float length, float reach) {
  float k = 1.0f / length, nx = wx * k, ny = wy * k, depth = reach - length;
  return (line){depth * nx, depth * ny, ny, -nx};
}

static line leg_line(const float x[2], float d2, float r, const float rel[2], bool left) {
  float leg = sqrtf(th_max(d2 - r * r, 0.0f)), k = 1.0f / d2, side = left ? r : -r, sign = left ? k : -k;
  float dx = (x[0] * leg - x[1] * side) * sign, dy = (x[1] * leg + x[0] * side) * sign;
  float along = dot(rel[0], rel[1], dx, dy);
  return (line){along * dx - rel[0], along * dy - rel[1], dx, dy};
}

static float part_of(const th_view *view, uint32_t lane, uint32_t other) {
  float own = th_orca_own_share(view, lane), sum = own + view->neighbours.share[other];
  return sum > 0.0f ? own / sum : 0.5f;
}

/* How directly the neighbour blocks the path: 1 on the line of the wanted direction, 0 beside it; less for an agent
 * with priority. */
static void note_standoff(const th_orca_batch *b, uint32_t lane, const float x[2], uint32_t other, float *turn) {
  const th_neighbours *near = &b->view->neighbours;
  float ux = b->ux[lane], uy = b->uy[lane], band = (b->view->body[lane] + near->radius[other]) * TH_ORCA_BESIDE;
  const float lateral = det(ux, uy, x[0], x[1]), past = (b->view->body[lane] + near->radius[other]) * -TH_ORCA_IN_LINE;
  float off = fabsf(lateral);
  bool ahead = dot(ux, uy, x[0], x[1]) > 0.0f;
  bool against = dot(ux, uy, near->vx[other], near->vy[other]) < TH_ORCA_ALONG;
  if (!ahead || !against || !(off < band)) return;
  const float most = (1.0f - off / band) * th_min(2.0f * part_of(b->view, lane, other), 1.0f);
  if (fabsf(*turn) < most) *turn = b->either[lane] > 0 && lateral * b->side[lane] < past ? -most : most;
}

static line half_plane(const th_orca_batch *b, uint32_t lane, uint32_t other, const float x[2]) {
  const th_view *v = b->view;
  const th_neighbours *near = &v->neighbours;
  float d2 = dot(x[0], x[1], x[0], x[1]), r = v->body[lane] + near->radius[other], r2 = r * r;
  float rel[2] = {v->vx[lane] - near->vx[other], v->vy[lane] - near->vy[other]};
  bool apart = d2 > r2;
  float rate = apart ? b->inverse_horizon[lane] : b->inverse_dt;
  float wx = rel[0] - x[0] * rate, wy = rel[1] - x[1] * rate;
  float w2 = dot(wx, wy, wx, wy), back = dot(wx, wy, x[0], x[1]), length = sqrtf(w2);
  line u;
  if (apart && !(back < 0.0f && r2 * w2 < back * back)) {
    u = leg_line(x, d2, r, rel, det(x[0], x[1], wx, wy) > 0.0f);
  } else {
    if (length < 1e-6f) { /* two bodies at the same point separate along x, the lower slot to the left */
      wx = v->slot[lane] < near->slot[other] ? -1e-6f : 1e-6f;
      wy = 0.0f;
      length = 1e-6f;
    }
    u = disc_line(wx, wy, length, r * rate);
  }
  float part = part_of(v, lane, other);
  if (!(det(u.dx, u.dy, u.px, u.py) > 0.0f)) part = 1.0f - part; /* no collision ahead: what is left to use up */
  return (line){v->vx[lane] + part * u.px, v->vy[lane] + part * u.py, u.dx, u.dy};
}

/* ---------------------------------------------------------------- programmes */

static bool on_line(const line *l, uint32_t i, const aim *a, float *x, float *y) {
  const line own = l[i];
  float q = dot(own.px, own.py, own.dx, own.dy);
  float square = q * q + a->max * a->max - dot(own.px, own.py, own.px, own.py);
  if (square < 0.0f) return false;
  float root = sqrtf(th_max(square, 0.0f)), low = -q - root, high = root - q;
  for (uint32_t j = 0; j < i; j++) {
    float den = det(own.dx, own.dy, l[j].dx, l[j].dy);
    float num = det(l[j].dx, l[j].dy, own.px - l[j].px, own.py - l[j].py);
    if (den > TH_ORCA_FLAT)
      high = th_min(high, num / den);
    else if (den < -TH_ORCA_FLAT)
      low = th_max(low, num / den);
    else if (num < 0.0f)
      return false;
  }
  if (!(low <= high)) return false;
  float t;
  if (a->along)
    t = dot(a->x, a->y, own.dx, own.dy) > 0.0f ? high : low;
  else
    t = th_min(th_max(dot(own.dx, own.dy, a->x - own.px, a->y - own.py), low), high);
  *x = own.px + t * own.dx;
  *y = own.py + t * own.dy;
  return true;
}

static float violation(const line *l, float x, float y) { return det(l->dx, l->dy, l->px - x, l->py - y); }

/* Returns the line at which no point was left, or `count`. */
static uint32_t plan(const line *l, uint32_t count, const aim *a, float *x, float *y) {
  for (uint32_t i = 0; i < count; i++)
    if (violation(&l[i], *x, *y) > 0.0f && !on_line(l, i, a, x, y)) return i;
  return count;
}

static line bisect(const line *a, const line *b) {
  float d = det(a->dx, a->dy, b->dx, b->dy);
  bool flat = fabsf(d) <= TH_ORCA_FLAT;
  if (flat && !(dot(a->dx, a->dy, b->dx, b->dy) < -0.5f)) return (line){0};
  float nx = b->dx - a->dx, ny = b->dy - a->dy, k = 1.0f / sqrtf(dot(nx, ny, nx, ny));
  if (flat) return (line){0.5f * (a->px + b->px), 0.5f * (a->py + b->py), nx * k, ny * k};
  float t = det(b->dx, b->dy, a->px - b->px, a->py - b->py) / d;
  return (line){a->px + t * a->dx, a->py + t * a->dy, nx * k, ny * k};
}

typedef struct programme {
  const line *l;
  uint32_t count, walls, failed; /* lines; how many of them are walls; the one that failed */
  float max;
} programme;

/* The agent uses only its own part of each gap, so that no two bodies meet within the step: the nearest velocity within
 * the walls' half-planes and  v . n <= (d - r (1 - squeeze)) part' / dt,  0 at least, n = x / d. */
static void hold_back(const th_orca_batch *b, uint32_t lane, const programme *p, float *x, float *y) {
  const th_view *v = b->view;
  const th_neighbours *near = &v->neighbours;
  line l[TH_ORCA_LINES];
  uint32_t rows = 0;
  for (; rows < p->walls; rows++) l[rows] = p->l[rows];
  for (uint32_t k = 0; k < near->pick_count && (int32_t)k < b->neighbours[lane]; k++) {
    uint32_t other = near->pick[k * TH_VIEW_LANES + lane];
    if (other == TH_NO_PICK) break;
    float dx = near->x[other] - v->x[lane], dy = near->y[other] - v->y[lane], d2 = dot(dx, dy, dx, dy), d = sqrtf(d2);
    if (!(d2 <= b->reach2[lane]) || !(d > 1e-6f)) continue;
    float r = v->body[lane] + near->radius[other];
    float gap = th_max(d - r * (1.0f - TH_ORCA_SQUEEZE), 0.0f) * b->inverse_dt;
    float max = gap * (1.0f - part_of(v, lane, other)), i = 1.0f / d, nx = dx * i, ny = dy * i;
    if (!(max < p->max)) continue;
    l[rows++] = (line){max * nx, max * ny, -ny, nx};
  }
  if (!rows) return;
  aim a = {*x, *y, p->max, false};
  float nx = *x, ny = *y;
  if (plan(l, rows, &a, &nx, &ny) < rows) return;
  *x = nx;
  *y = ny;
}

static void fall_back(const programme *p, float *x, float *y) {
  line equal[TH_ORCA_LINES];
  float depth = 0.0f;
  for (uint32_t i = p->failed; i < p->count; i++) {
    const line *own = &p->l[i];
    if (!(dot(own->dx, own->dy, own->dx, own->dy) > 0.0f)) continue; /* as in lanes: a wall that others have */
    if (!(violation(own, *x, *y) > depth)) continue;
    for (uint32_t j = 0; j < i; j++) equal[j] = j < p->walls && p->failed >= p->walls ? p->l[j] : bisect(own, &p->l[j]);
    aim a = {-own->dy, own->dx, p->max, true};
    float nx = a.x * p->max, ny = a.y * p->max;
    if (plan(equal, i, &a, &nx, &ny) == i) {
      *x = nx;
      *y = ny;
    }
    depth = violation(own, *x, *y);
  }
}

static uint32_t build(const th_orca_batch *b, uint32_t lane, line *l, float *turn) {
  const th_neighbours *near = &b->view->neighbours;
  uint32_t rows = 0;
  for (; rows < b->wall_rows; rows++)
    l[rows] = (line){b->wall[rows][0][lane], b->wall[rows][1][lane], b->wall[rows][2][lane], b->wall[rows][3][lane]};
  for (uint32_t k = 0; k < near->pick_count && (int32_t)k < b->neighbours[lane]; k++) {
    uint32_t other = near->pick[k * TH_VIEW_LANES + lane];
    if (other == TH_NO_PICK) break;
    float x[2] = {near->x[other] - b->view->x[lane], near->y[other] - b->view->y[lane]};
    if (!(dot(x[0], x[1], x[0], x[1]) <= b->reach2[lane])) continue;
    note_standoff(b, lane, x, other, turn);
    l[rows++] = half_plane(b, lane, other, x);
  }
  return rows;
}

/* ---------------------------------------------------------------- soft */

/* Moves the point out of every wall's line, one after the other. */
static void hold_walls(const line *l, uint32_t walls, float *x, float *y) {
  for (uint32_t i = 0; i < walls; i++) {
    float depth = th_max(violation(&l[i], *x, *y), 0.0f);
    *x -= depth * l[i].dy;
    *y += depth * l[i].dx;
  }
}

/* One of Newton's steps; returns its squared length. The cost is quadratic while the same lines are violated, so the
 * step leads to the least of it at once, and a few more to where these lines are the right ones. */
static float step_down(const line *l, uint32_t count, uint32_t walls, const aim *a, float *x, float *y) {
  float gx = *x - a->x, gy = *y - a->y, xx = 1.0f, xy = 0.0f, yy = 1.0f;
  for (uint32_t i = 0; i < count; i++) {
    float depth = violation(&l[i], *x, *y);
    if (!(depth > 0.0f)) continue;
    float stiff = i < walls ? TH_ORCA_WALL_STIFF : TH_ORCA_STIFF;
    float px = stiff * l[i].dx, py = stiff * l[i].dy;
    gx += depth * py;
    gy -= depth * px;
    xx += py * l[i].dy;
    xy -= py * l[i].dx;
    yy += px * l[i].dx;
  }
  float k = 1.0f / (xx * yy - xy * xy), sx = (yy * gx - xy * gy) * k, sy = (xx * gy - xy * gx) * k;
  *x -= sx;
  *y -= sy;
  return dot(sx, sy, sx, sy);
}

/* The least of  |v - a|^2 + k sum max(0, depth_i)^2  with a larger k for walls, which are held exactly at the end; and
 * no step back, against the wanted direction u. */
static void soften(const programme *p, const aim *a, float ux, float uy, float *x, float *y) {
  const line *l = p->l;
  const uint32_t count = p->count, walls = p->walls;
  for (int step = 0; step < TH_ORCA_SOFT_STEPS; step++)
    if (step_down(l, count, walls, a, x, y) < TH_ORCA_SOFT_END * TH_ORCA_SOFT_END) break;
  float back = th_min(dot(ux, uy, *x, *y), 0.0f);
  *x -= back * ux;
  *y -= back * uy;
  hold_walls(l, walls, x, y);
  float speed = sqrtf(dot(*x, *y, *x, *y)), k = speed > a->max ? a->max / speed : 1.0f;
  *x *= k;
  *y *= k;
}

/* ---------------------------------------------------------------- all of it */

/* The wanted velocity, turned aside in proportion to how directly a neighbour blocks the path. */
static aim aim_of(const th_orca_batch *b, uint32_t lane, float turn) {
  aim a = {b->wx[lane], b->wy[lane], b->view->speed_max[lane], false};
  if (turn != 0.0f) {
    float t = turn * TH_ORCA_TURN * b->side[lane], k = 1.0f / sqrtf(1.0f + t * t), wx = a.x, wy = a.y;
    a.x = (wx + wy * t) * k;
    a.y = (wy - wx * t) * k;
  }
  return a;
}

void th_orca_solve_scalar(th_orca_batch *b, uint32_t lane) {
  line l[TH_ORCA_LINES];
  float turn = 0.0f;
  uint32_t count = build(b, lane, l, &turn);
  aim a = aim_of(b, lane, turn);
  b->vx[lane] = a.x;
  b->vy[lane] = a.y;
  if (b->soft[lane]) {
    const programme all = {l, count, b->wall_rows, count, a.max};
    soften(&all, &a, b->ux[lane], b->uy[lane], &b->vx[lane], &b->vy[lane]);
    return;
  }
  uint32_t failed = plan(l, count, &a, &b->vx[lane], &b->vy[lane]);
  programme p = {l, count, b->wall_rows, failed, a.max};
  if (failed == count) return;
  fall_back(&p, &b->vx[lane], &b->vy[lane]);
  hold_back(b, lane, &p, &b->vx[lane], &b->vy[lane]);
}

/* ---------------------------------------------------------------- traces */

const th_trace th_orca_trace[TH_ORCA_TRACES] = {
    [TH_ORCA_TRACE_PEOPLE] = {"people", TH_TRACE_LINE, "m/s",
                              "half-plane of a neighbour, the nearest first; value: how deep the velocity violates it",
                              0xcc79a7},
    [TH_ORCA_TRACE_WALL] = {"walls", TH_TRACE_LINE, "m/s", "half-plane of a wall; value: how deep it is violated",
                            0x606060},
    [TH_ORCA_TRACE_AIM] = {"aim", TH_TRACE_VECTOR, "m/s",
                           "wanted velocity, turned aside for a neighbour in the way; value: how directly, 0 to 1",
                           0x0072b2},
    [TH_ORCA_TRACE_CHOSEN] = {"chosen", TH_TRACE_VECTOR, "m/s", "velocity that the half-planes leave; value: speed",
                              0xd55e00},
};

void th_orca_publish(const th_orca_batch *b, uint32_t lane, th_tracer *tracer) {
  line l[TH_ORCA_LINES];
  float turn = 0.0f, x = b->vx[lane], y = b->vy[lane];
  uint32_t count = build(b, lane, l, &turn);
  for (uint32_t i = 0; i < count; i++) {
    const th_vec2 edge[2] = {{l[i].px, l[i].py}, {l[i].dx, l[i].dy}};
    const th_trace *row = &th_orca_trace[i < b->wall_rows ? TH_ORCA_TRACE_WALL : TH_ORCA_TRACE_PEOPLE];
    if (dot(l[i].dx, l[i].dy, l[i].dx, l[i].dy) > 0.0f)
      th_trace_line(tracer, lane, row, edge, th_max(violation(&l[i], x, y), 0.0f));
  }
  aim a = aim_of(b, lane, turn);
  th_trace_vector(tracer, lane, &th_orca_trace[TH_ORCA_TRACE_AIM], (th_vec2){a.x, a.y}, fabsf(turn));
  th_trace_vector(tracer, lane, &th_orca_trace[TH_ORCA_TRACE_CHOSEN], (th_vec2){x, y}, sqrtf(dot(x, y, x, y)));
}
