/* ground/mesh/walk.lanes.c - straight paths over edges of a mesh, one agent per lane.
 *
 * The light walk of ground/mesh/walk.c, operation for operation: a path that ends beyond one side alone leaves by that
 * side and goes on in the neighbour's frame, turned by the edge's rotation (straightest geodesics, Polthier and Schmies
 * 1998). A lane that comes too near a vertex, to the border or over more edges than single precision allows is left to
 * that walk. The caller packs the agents that cross an edge, so that all lanes have work. Cost: about 10 ns per path,
 * one cache line per face.
 */
#include "ground/mesh/walk.h"

#include "base/simd/rows.h"

/* The triangle (0, 0), (bx, 0), (cx, cy), and how to leave it; words of th_face_walk in its order. */
typedef struct faces {
  vf bx, cx, cy;
  vi over[3];
  vf c0, c1;
} faces;

typedef struct walkers {
  vi face;
  vf x0, y0, x, y, c, s; /* begin and end in the face's frame; the rotation so far */
} walkers;

/* One value for each side. */
typedef struct sides {
  vf of[3];
} sides;

static inline faces faces_at(const th_face_walk *walk, vi face) {
  vf word[8];
  vf_load_rows((const float *)walk, vi_shl(face, 4), word);
  return (faces){word[0], word[1], word[2], {vf_bits(word[3]), vf_bits(word[4]), vf_bits(word[5])}, word[6], word[7]};
}

/* How far a point lies inside of each side, times the side's length. */
static inline sides inside_of(const faces *f, vf x, vf y) {
  vf b = vf_sub(vf_mul(vf_sub(f->cx, f->bx), y), vf_mul(f->cy, vf_sub(x, f->bx)));
  return (sides){{vf_mul(f->bx, y), b, vf_sub(vf_mul(f->cy, x), vf_mul(f->cx, y))}};
}

/* The side by which each lane leaves: 0 unless a bit says 1 or 2. */
typedef struct exits {
  vm one, two;
} exits;

static inline vf pick(const exits *e, vf side0, vf side1, vf side2) {
  return vf_select(e->two, side2, vf_select(e->one, side1, side0));
}

static inline void turn_by(vf c, vf s, vf x, vf y, vf *to_x, vf *to_y) {
  *to_x = vf_sub(vf_mul(c, x), vf_mul(s, y));
  *to_y = vf_add(vf_mul(s, x), vf_mul(c, y));
}

/* Where and over what lanes leave their face. */
typedef struct leaving {
  exits side;
  vf t;    /* share of the path up to the side */
  vi over; /* th_face_walk's word for the side */
  vm go;   /* lanes that may cross it */
} leaving;

static inline leaving leave(const walkers *w, const faces *f, const sides *end, vm active) {
  const vm o0 = vf_lt(end->of[0], vf_zero()), o1 = vf_lt(end->of[1], vf_zero()), o2 = vf_lt(end->of[2], vf_zero());
  const vm several = vm_or(vm_and(o0, vm_or(o1, o2)), vm_and(o1, o2));
  const exits e = {o1, o2};
  const sides begin = inside_of(f, w->x0, w->y0);
  const vf *b = begin.of, *n = end->of;
  vf from = vf_max(pick(&e, b[0], b[1], b[2]), vf_zero()), t = vf_div(from, vf_sub(from, pick(&e, n[0], n[1], n[2])));
  vf left = pick(&e, b[1], b[2], b[0]), right = pick(&e, b[2], b[0], b[1]);
  left = vf_add(left, vf_mul(t, vf_sub(pick(&e, n[1], n[2], n[0]), left)));
  right = vf_add(right, vf_mul(t, vf_sub(pick(&e, n[2], n[0], n[1]), right)));
  const vf min = vf_mul(vf_mul(vf_set(TH_LIGHT_VERTEX), f->bx), f->cy);
  const vi over = vi_select(o2, f->over[2], vi_select(o1, f->over[1], f->over[0]));
  vm go = vm_and(vm_and(vf_lt(min, left), vf_lt(min, right)), vm_andnot(active, several));
  return (leaving){e, t, over, vm_andnot(go, vi_eq(over, vi_set((int32_t)TH_NO_HALF)))};
}

/* Over the side into the neighbour: what lies at p from corner a of this face lies at turned p from corner b of that
 * one. *f becomes the faces where the lanes are now. */
static inline void cross(const th_face_walk *walk, walkers *w, faces *f, const leaving *l) {
  const exits *e = &l->side;
  vf word[8], ex, ey, tc, ts;
  vf_load_rows((const float *)walk, vi_add(vi_shl(w->face, 4), vi_set(8)), word);
  const vf c = pick(e, f->c0, f->c1, word[0]), s = pick(e, word[1], word[2], word[3]);
  const vf ax = pick(e, vf_zero(), f->bx, f->cx), ay = vf_select(e->two, f->cy, vf_zero());
  vf mx = vf_sub(vf_add(w->x0, vf_mul(l->t, vf_sub(w->x, w->x0))), ax);
  vf my = vf_sub(vf_add(w->y0, vf_mul(l->t, vf_sub(w->y, w->y0))), ay);
  w->face = vi_select(l->go, vi_shr(l->over, 2), w->face);
  *f = faces_at(walk, w->face);
  const vi corner = vi_and(l->over, vi_set(3));
  const exits start = {vi_eq(corner, vi_set(1)), vi_eq(corner, vi_set(2))};
  const vf bx = pick(&start, vf_zero(), f->bx, f->cx), by = vf_select(start.two, f->cy, vf_zero());
  turn_by(c, s, mx, my, &mx, &my);
  turn_by(c, s, vf_sub(w->x, ax), vf_sub(w->y, ay), &ex, &ey);
  turn_by(c, s, w->c, w->s, &tc, &ts);
  w->x0 = vf_select(l->go, vf_add(bx, mx), w->x0);
  w->y0 = vf_select(l->go, vf_add(by, my), w->y0);
  w->x = vf_select(l->go, vf_add(bx, ex), w->x);
  w->y = vf_select(l->go, vf_add(by, ey), w->y);
  w->c = vf_select(l->go, tc, w->c);
  w->s = vf_select(l->go, ts, w->s);
}

/* Rounding must not make a rotation, or a heading, grow or shrink over many steps. */
static inline void unit(vf *x, vf *y) {
  vf k = vf_div(vf_set(1.0f), vf_sqrt(vf_add(vf_mul(*x, *x), vf_mul(*y, *y))));
  *x = vf_mul(*x, k);
  *y = vf_mul(*y, k);
}

/* What th_world_mesh_walk_slot keeps of a walk that met no wall: the turn from the identity, made a rotation again, the
 * displacement in the last frame, and the velocity in the first. */
static inline void keep(th_edge_crossing *k, uint32_t i, const walkers *w) {
  const vf one = vf_set(1.0f), none = vf_zero(), rate = vf_set(k->rate);
  vf c, s, wx, wy, bx, by;
  turn_by(w->c, w->s, one, none, &c, &s);
  turn_by(c, s, vf_load(k->dx + i), vf_load(k->dy + i), &wx, &wy);
  turn_by(c, s, none, none, &bx, &by);
  wx = vf_add(bx, wx);
  wy = vf_add(by, wy);
  turn_by(c, s, one, none, &c, &s);
  unit(&c, &s);
  vi_store((int32_t *)k->face + i, w->face);
  vf_store(k->x + i, w->x);
  vf_store(k->y + i, w->y);
  vf_store(k->c + i, c);
  vf_store(k->s + i, s);
  vf_store(k->moved_x + i, wx);
  vf_store(k->moved_y + i, wy);
  vf_store(k->vx + i, vf_mul(vf_add(vf_mul(c, wx), vf_mul(s, wy)), rate));
  vf_store(k->vy + i, vf_mul(vf_sub(vf_mul(c, wy), vf_mul(s, wx)), rate));
}

uint32_t TH_LANES_NAME(th_mesh_walk_cross)(th_edge_crossing *k, const th_face_walk *walk) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < 16; i += TH_LANES) {
    vf x = vf_load(k->x + i), y = vf_load(k->y + i);
    walkers w = {.face = vi_load((const int32_t *)k->face + i), .x0 = x, .y0 = y, .c = vf_set(1.0f), .s = vf_zero()};
    vf rx, ry;
    vf_load_pairs(&k->rest[i].x, &rx, &ry);
    w.x = vf_add(x, vf_add(vf_load(k->dx + i), rx));
    w.y = vf_add(y, vf_add(vf_load(k->dy + i), ry));
    faces f = faces_at(walk, w.face);
    vm active = vi_eq(w.face, w.face), done = vm_andnot(active, active);
    for (int n = 0;; n++) {
      sides end = inside_of(&f, w.x, w.y);
      vm in = vm_and(vf_le(vf_zero(), end.of[0]), vm_and(vf_le(vf_zero(), end.of[1]), vf_le(vf_zero(), end.of[2])));
      done = vm_or(done, vm_and(active, in));
      active = vm_andnot(active, in);
      if (n == TH_LIGHT_CROSSINGS || !vm_any(active)) break;
      leaving l = leave(&w, &f, &end, active);
      cross(walk, &w, &f, &l);
      active = l.go;
    }
    keep(k, i, &w);
    all |= vm_bits(done) << i;
  }
  return all;
}
