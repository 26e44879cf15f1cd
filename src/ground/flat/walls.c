/* ground/flat/walls.c - the parts of all sides that bound walkable space.
 *
 * Every side is cut where another side meets it, and a piece is a wall when exactly one of two points, just left and
 * just right of its middle, is walkable (an arrangement of segments, classified by sampling; after Greiner and Hormann
 * 1998, but without their linked polygons, so any number of overlapping shapes is one case). Meeting sides are found
 * in buckets: O(sides + meetings). Where a solid is thinner than twice that distance, sampling cannot decide, and the
 * piece stays a wall. Where borders of two shapes coincide, the piece is a wall of the first side only, so that walls
 * join into rings. A side's walls depend on what touches that side only, so an edit redoes few sides.
 */
#include "ground/flat/walls.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* In tolerances: pieces are sampled at HAIR from their middles, and sides are cut at ends nearer than BESIDE, so that
 * one sample speaks for a whole piece. */
#define HAIR 4.0
#define BESIDE 6.0

typedef struct cut {
  double at; /* distance from the side's start [m] */
  float x, y;
} cut;

typedef struct builder {
  const th_walls_task *task;
  const th_allocator *allocator;
  th_segment_grid grid;
  cut *cuts;
  uint32_t cut_count, cut_capacity;
  uint32_t *earlier; /* sides that meet this one and come before it */
  uint32_t earlier_count, earlier_capacity;
  th_walls *walls;
} builder;

static bool add_cut(builder *b, double at, float x, float y) {
  if (!th_grow(b->allocator, (void **)&b->cuts, &b->cut_capacity, b->cut_count + 1, sizeof *b->cuts)) return false;
  b->cuts[b->cut_count++] = (cut){at, x, y};
  return true;
}

static bool comes_first(const th_segment *p, const th_segment *q) {
  if (p->ax != q->ax) return p->ax < q->ax;
  if (p->ay != q->ay) return p->ay < q->ay;
  if (p->bx != q->bx) return p->bx < q->bx;
  return p->by < q->by;
}

/* Where two lines cross; the same bits for both orders of the lines, so that walls share their ends. */
static th_point crossing(const th_segment *p, const th_segment *q) {
  if (!comes_first(p, q)) {
    const th_segment *swap = p;
    p = q;
    q = swap;
  }
  double a = th_segment_side(q, (double)p->ax, (double)p->ay), b = th_segment_side(q, (double)p->bx, (double)p->by);
  double t = a / (a - b);
  return (th_point){(double)p->ax + t * ((double)p->bx - (double)p->ax),
                    (double)p->ay + t * ((double)p->by - (double)p->ay)};
}

/* Adds the end (x, y) of another side when it lies on this one, or as close to it as pieces are sampled. */
static bool cut_at_end(builder *b, const th_segment *s, double length, float x, float y, bool *touches) {
  double t;
  th_point c = th_segment_nearest(s, (double)x, (double)y, &t);
  double dx = c.x - (double)x, dy = c.y - (double)y, tolerance = b->task->tolerance;
  double d2 = dx * dx + dy * dy, at = t * length;
  bool on = d2 <= tolerance * tolerance;
  *touches |= on;
  if (d2 > BESIDE * tolerance * BESIDE * tolerance || at <= tolerance || at >= length - tolerance) return true;
  return on ? add_cut(b, at, x, y) : add_cut(b, at, (float)c.x, (float)c.y);
}

static bool touches_end(const th_segment *s, float x, float y, double tolerance) {
  return th_segment_distance2(s, (double)x, (double)y) <= tolerance * tolerance;
}

static bool cut_by(builder *b, const th_segment *s, double length, const th_segment *other) {
  bool touches = false;
  if (!cut_at_end(b, s, length, other->ax, other->ay, &touches)) return false;
  if (!cut_at_end(b, s, length, other->bx, other->by, &touches)) return false;
  double tolerance = b->task->tolerance;
  if (touches || touches_end(other, s->ax, s->ay, tolerance) || touches_end(other, s->bx, s->by, tolerance))
    return true;
  if (!th_segments_touch(s, other)) return true;
  th_point p = crossing(s, other);
  double dx = p.x - (double)s->ax, dy = p.y - (double)s->ay;
  return add_cut(b, sqrt(dx * dx + dy * dy), (float)p.x, (float)p.y);
}

/* Notes an earlier side that meets this one: it may have pieces of it. */
static bool note_earlier(builder *b, uint32_t side, uint32_t other) {
  if (other > side) return true;
  if (!th_grow(b->allocator, (void **)&b->earlier, &b->earlier_capacity, b->earlier_count + 1, sizeof *b->earlier))
    return false;
  b->earlier[b->earlier_count++] = other;
  return true;
}

static int by_position(const void *left, const void *right) {
  const cut *p = left, *q = right;
  if (p->at != q->at) return p->at < q->at ? -1 : 1;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

/* Cuts of one side in order, from its start to its end, none nearer than the tolerance to the one before. */
static bool find_cuts(builder *b, uint32_t side) {
  const th_shapes *shapes = b->task->shapes;
  const th_segment *s = &shapes->side[side];
  double length = th_segment_length(s);
  b->cut_count = b->earlier_count = 0;
  if (!add_cut(b, 0.0, s->ax, s->ay)) return false;
  uint32_t j0, j1, i0, i1;
  th_segment_grid_rows(&b->grid, s, &j0, &j1);
  for (uint32_t j = j0; j <= j1; j++) {
    th_segment_grid_span(&b->grid, s, j, &i0, &i1);
    size_t row = (size_t)j * b->grid.columns;
    for (uint32_t n = b->grid.start[row + i0]; n < b->grid.start[row + i1 + 1]; n++) {
      uint32_t other = b->grid.item[n];
      /* Borders of pixels meet each other at their ends only. */
      if (other == side || (other >= shapes->polygon_side_count && side >= shapes->polygon_side_count)) continue;
      if (!cut_by(b, s, length, &shapes->side[other]) || !note_earlier(b, side, other)) return false;
    }
  }
  qsort(b->cuts, b->cut_count, sizeof *b->cuts, by_position);
  uint32_t kept = 1;
  for (uint32_t k = 1; k < b->cut_count; k++)
    if (b->cuts[k].at - b->cuts[kept - 1].at > b->task->tolerance) b->cuts[kept++] = b->cuts[k];
  b->cut_count = kept;
  return add_cut(b, length, s->bx, s->by);
}

typedef enum piece_kind { PIECE_NONE, PIECE_WALL, PIECE_TURNED } piece_kind;

/* Sides are cut at each other's ends, so a piece lies on an earlier side as a whole or not at all. */
static bool is_repeated(const builder *b, const cut *from, const cut *to) {
  const double tolerance = b->task->tolerance;
  for (uint32_t k = 0; k < b->earlier_count; k++) {
    const th_segment *s = &b->task->shapes->side[b->earlier[k]];
    if (touches_end(s, from->x, from->y, tolerance) && touches_end(s, to->x, to->y, tolerance)) return true;
  }
  return false;
}

static piece_kind judge(const builder *b, uint32_t side, const cut *from, const cut *to) {
  const th_shapes *shapes = b->task->shapes;
  double ex = (double)to->x - (double)from->x, ey = (double)to->y - (double)from->y;
  double length = sqrt(ex * ex + ey * ey);
  if (!(length > 0.0)) return PIECE_NONE;
  double hair = HAIR * b->task->tolerance / length;
  double mx = (double)from->x + 0.5 * ex, my = (double)from->y + 0.5 * ey;
  bool left = th_shapes_walkable(shapes, mx - hair * ey, my + hair * ex);
  bool right = th_shapes_walkable(shapes, mx + hair * ey, my - hair * ex);
  if (left != right) return is_repeated(b, from, to) ? PIECE_NONE : left ? PIECE_WALL : PIECE_TURNED;
  bool solid =
      side >= shapes->polygon_side_count || shapes->polygon[shapes->side_polygon[side]].kind != TH_FLOOR_OUTLINE;
  return left && solid ? PIECE_WALL : PIECE_NONE;
}

static bool add_wall(builder *b, const cut *from, const cut *to, piece_kind kind) {
  th_walls *walls = b->walls;
  if (!th_grow(b->allocator, (void **)&walls->wall, &walls->capacity, walls->count + 1, sizeof *walls->wall))
    return false;
  walls->wall[walls->count++] =
      kind == PIECE_WALL ? (th_segment){from->x, from->y, to->x, to->y} : (th_segment){to->x, to->y, from->x, from->y};
  return true;
}

static bool build_side(builder *b, uint32_t side) {
  if (!find_cuts(b, side)) return false;
  for (uint32_t k = 0; k + 1 < b->cut_count;) {
    piece_kind kind = judge(b, side, &b->cuts[k], &b->cuts[k + 1]);
    uint32_t end = k + 1; /* pieces of one kind in a row are one wall */
    while (kind != PIECE_NONE && end + 1 < b->cut_count && judge(b, side, &b->cuts[end], &b->cuts[end + 1]) == kind)
      end++;
    if (kind != PIECE_NONE && !add_wall(b, &b->cuts[k], &b->cuts[end], kind)) return false;
    k = end;
  }
  return true;
}

/* The same side in the version before, or UINT32_MAX. */
static uint32_t old_side(const th_walls_task *task, uint32_t side) {
  if (!task->old) return UINT32_MAX;
  if (side >= task->shapes->polygon_side_count)
    return side - task->shapes->polygon_side_count + task->old_shapes->polygon_side_count;
  const th_floor_polygon *polygon = &task->shapes->polygon[task->shapes->side_polygon[side]];
  if (polygon->origin == UINT32_MAX) return UINT32_MAX;
  const th_floor_polygon *before = &task->old_shapes->polygon[polygon->origin];
  if (before->kind == TH_FLOOR_DOOR && !before->closed) return UINT32_MAX;
  return before->first_side + (side - polygon->first_side);
}

static bool copy_side(builder *b, uint32_t from, uint32_t to) {
  for (uint32_t k = from; k < to; k++) {
    const th_segment *s = &b->task->old->wall[k];
    cut start = {0.0, s->ax, s->ay}, end = {1.0, s->bx, s->by};
    if (!add_wall(b, &start, &end, PIECE_WALL)) return false;
  }
  return true;
}

/* Grows the box by the walls of a side that are not the same in both versions. */
static void note_changes(const th_segment *old, uint32_t old_count, const th_segment *now, uint32_t now_count,
                         th_box *changed) {
  for (uint32_t pass = 0; pass < 2; pass++) {
    const th_segment *p = pass ? old : now, *q = pass ? now : old;
    uint32_t np = pass ? old_count : now_count, nq = pass ? now_count : old_count;
    for (uint32_t i = 0; i < np; i++) {
      bool same = false;
      for (uint32_t j = 0; j < nq && !same; j++) same = memcmp(&p[i], &q[j], sizeof *p) == 0;
      if (!same) th_box_add_segment(changed, &p[i]);
    }
  }
}

static bool build_all(builder *b, th_box *changed) {
  const th_walls_task *task = b->task;
  th_walls *walls = b->walls;
  /* The box of the edit itself: what it reaches must not depend on the walls found meanwhile. */
  const th_box edited = task->old ? th_box_grow(*changed, 8.0 * task->tolerance) : th_box_empty();
  for (uint32_t side = 0; side < walls->side_count; side++) {
    uint32_t before = old_side(task, side), begin = walls->first[side] = walls->count;
    th_box box = th_segment_box(&task->shapes->side[side]);
    if (before != UINT32_MAX && !th_box_meets(&box, &edited)) {
      if (!copy_side(b, task->old->first[before], task->old->first[before + 1])) return false;
      continue;
    }
    if (!build_side(b, side)) return false;
    if (before == UINT32_MAX) continue;
    const th_walls *old = task->old;
    note_changes(old->wall + old->first[before], old->first[before + 1] - old->first[before], walls->wall + begin,
                 walls->count - begin, changed);
  }
  walls->first[walls->side_count] = walls->count;
  return true;
}

bool th_walls_make(th_walls *walls, const th_walls_task *task, th_box *changed, const th_allocator *allocator) {
  const th_shapes *shapes = task->shapes;
  *walls = (th_walls){.side_count = shapes->side_count};
  builder b = {.task = task, .allocator = allocator, .walls = walls};
  walls->first = TH_TAKE(allocator, uint32_t, (size_t)shapes->side_count + 1);
  bool done = walls->first && th_grow(allocator, (void **)&walls->wall, &walls->capacity, 16, sizeof *walls->wall) &&
              th_segment_grid_make(&b.grid, allocator, shapes->side, shapes->side_count, 1e6,
                                   (BESIDE + 2.0) * task->tolerance) &&
              build_all(&b, changed);
  th_segment_grid_free(&b.grid, allocator);
  TH_GIVE(allocator, b.cuts, b.cut_capacity);
  TH_GIVE(allocator, b.earlier, b.earlier_capacity);
  if (!done) th_walls_free(walls, allocator);
  return done;
}

void th_walls_free(th_walls *walls, const th_allocator *allocator) {
  TH_GIVE(allocator, walls->wall, walls->capacity);
  if (walls->first) TH_GIVE(allocator, walls->first, (size_t)walls->side_count + 1);
  *walls = (th_walls){0};
}
