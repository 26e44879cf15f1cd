/* geometry/mesh/conformal_map.c - least squares conformal maps.
 *
 * Levy, Petitjean, Ray, Maillot, "Least squares conformal maps for automatic texture atlas generation", 2002: of all
 * placements U of the vertices take the one that least violates conformality, sum over faces |W1 U1 + W2 U2 + W3 U3|^2
 * / d, with W_k the side opposite corner k as a complex number in the face's own plane and d twice its area. Pinning a
 * whole triangle, as dynamic planarization does, fixes the scale and keeps that triangle undistorted. The normal
 * equations are Hermitian of half the real size and solved by Cholesky; each row is kept from its first entry on,
 * inside of which all fill lies. Beyond SMALL unknowns vertices are numbered by rings round one at the rim and
 * backwards (Cuthill and McKee 1969), so that rows are about as long as the region is wide. (Conjugate gradients took
 * about as many rounds as there are unknowns.) Cost: 1 us for the 9 unknowns of a face's ring; n^2 / 2 complex products
 * for n of a wide region, 5 ms for 1,400.
 */
#include "geometry/mesh/conformal_map.h"

#include <string.h>

#include "base/memory.h"

#define SMALL 64u       /* unknowns that are numbered as they come */
#define NONE UINT32_MAX /* a pinned vertex, or one not met yet */

bool th_conformal_map_make(th_conformal_map *l, const th_allocator *allocator, const th_mesh *mesh) {
  *l = (th_conformal_map){.allocator = *allocator, .vertex_capacity = mesh->vertex_count};
  l->local = TH_TAKE(allocator, uint32_t, mesh->vertex_count);
  if (!l->local) *l = (th_conformal_map){0};
  return l->local != NULL;
}

void th_conformal_map_free(th_conformal_map *l) {
  if (!l->allocator.release) return;
  TH_GIVE(&l->allocator, l->local, l->vertex_capacity);
  TH_GIVE(&l->allocator, l->work, l->work_capacity);
  TH_GIVE(&l->allocator, l->index, l->index_capacity);
  TH_GIVE(&l->allocator, l->at, l->at_capacity);
  *l = (th_conformal_map){0};
}

typedef struct complex_pair {
  double re, im;
} complex_pair;

static complex_pair times(complex_pair a, complex_pair b) {
  return (complex_pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static complex_pair conjugate_times(complex_pair a, complex_pair b) {
  return (complex_pair){a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re};
}

/* The sides of a face over sqrt(d), and the task's numbers of its corners. */
static void face_row(const th_conformal_map *l, const th_conformal_map_task *t, uint32_t n, complex_pair *w,
                     uint32_t *at) {
  const th_face_frame *f = &t->frames->face[t->face[n]];
  const uint32_t *corner = &t->frames->mesh->corner[3 * (size_t)t->face[n]];
  double scale = 1.0 / sqrt(f->bx * f->cy);
  w[0] = (complex_pair){(f->cx - f->bx) * scale, f->cy * scale};
  w[1] = (complex_pair){-f->cx * scale, -f->cy * scale};
  w[2] = (complex_pair){f->bx * scale, 0.0};
  for (int k = 0; k < 3; k++) at[k] = l->local[corner[k]];
}

/* ---------------------------------------------------------------- which unknown comes when */

/* Lists in the memory of th_conformal_map.index, by vertex of the task but for the last three. */
typedef struct layout {
  uint32_t *unknown; /* its number, NONE for pinned ones */
  uint32_t *first;   /* of each its first entry in `around`; one more */
  uint32_t *queue;   /* vertices in the order in which a search meets them */
  uint32_t *begin;   /* by unknown: its row's first column */
  uint32_t *row;     /* by unknown: where its row begins; one more */
  uint32_t *around;  /* of each vertex its faces in the task */
  uint32_t count;    /* of unknowns */
} layout;

static layout layout_of(const th_conformal_map *l, const th_conformal_map_task *t) {
  const uint32_t n = t->vertex_count;
  uint32_t *at = l->index;
  return (layout){at, at + n, at + 2 * n + 1, at + 3 * n + 1, at + 4 * n + 1, at + 5 * n + 2, n - 3};
}

static uint32_t corner_of(const th_conformal_map *l, const th_conformal_map_task *t, uint32_t n, uint32_t k) {
  return l->local[t->frames->mesh->corner[3 * (size_t)t->face[n] + k]];
}

static void list_faces(const th_conformal_map *l, const th_conformal_map_task *t, const layout *o) {
  memset(o->first, 0, (t->vertex_count + 1) * sizeof *o->first);
  for (uint32_t n = 0; n < 3 * t->face_count; n++) o->first[corner_of(l, t, n / 3, n % 3)]++;
  for (uint32_t v = 1; v <= t->vertex_count; v++) o->first[v] += o->first[v - 1];
  for (uint32_t n = 3 * t->face_count; n-- > 0;) o->around[--o->first[corner_of(l, t, n / 3, n % 3)]] = n / 3;
}

/* Visits all vertices ring by ring, by breadth-first search from one vertex of each connected part. Returns the last.
 */
static uint32_t search(const th_conformal_map *l, const th_conformal_map_task *t, const layout *o, uint32_t from) {
  uint32_t met = 0, next = 0;
  for (uint32_t v = 0; v < t->vertex_count; v++) o->unknown[v] = NONE;
  for (uint32_t done = 0; met < t->vertex_count; done++) {
    if (done == met) {
      while (o->unknown[from] != NONE) from = next++;
      o->unknown[from] = 0, o->queue[met++] = from;
    }
    const uint32_t v = o->queue[done];
    for (uint32_t i = o->first[v]; i < o->first[v + 1]; i++)
      for (uint32_t k = 0; k < 3; k++) {
        const uint32_t w = corner_of(l, t, o->around[i], k);
        if (o->unknown[w] == NONE) o->unknown[w] = 0, o->queue[met++] = w;
      }
  }
  return o->queue[met - 1];
}

static void number(const th_conformal_map *l, const th_conformal_map_task *t, const layout *o) {
  const uint32_t count = t->vertex_count;
  for (uint32_t n = 0; n < count; n++) o->queue[n] = count - 1 - n;
  if (o->count > SMALL) {
    list_faces(l, t, o);
    search(l, t, o, search(l, t, o, count - 1));
  }
  for (uint32_t n = count, next = 0; n-- > 0;) o->unknown[o->queue[n]] = o->queue[n] < 3 ? NONE : next++;
}

/* Rows from their first entry to the diagonal; returns how many numbers these are. */
static size_t lay_rows(const th_conformal_map *l, const th_conformal_map_task *t, const layout *o) {
  const bool whole = o->count <= SMALL; /* whole rows are as quick, and need no look at the faces */
  size_t sum = 0;
  for (uint32_t i = 0; i < o->count; i++) o->begin[i] = whole ? 0 : i;
  for (uint32_t n = 1; n < t->face_count && !whole; n++)
    for (uint32_t k = 0; k < 9; k++) {
      const uint32_t i = o->unknown[corner_of(l, t, n, k / 3)], j = o->unknown[corner_of(l, t, n, k % 3)];
      if (i != NONE && j < o->begin[i]) o->begin[i] = j;
    }
  for (uint32_t i = 0; i < o->count; i++) {
    o->row[i] = (uint32_t)sum;
    sum += i + 1 - o->begin[i];
  }
  return sum;
}

/* ---------------------------------------------------------------- the equations */

/* Where column 0 of a row would be: no row before it is empty, so this lies in the matrix, too. */
static complex_pair *row_of(const layout *o, complex_pair *m, uint32_t i) { return m + o->row[i] - o->begin[i]; }

/* Normal equations, lower triangle. */
static void assemble(const th_conformal_map *l, const th_conformal_map_task *t, const layout *o, complex_pair *m,
                     complex_pair *rhs) {
  for (uint32_t f = 1; f < t->face_count; f++) {
    complex_pair w[3];
    uint32_t at[3];
    face_row(l, t, f, w, at);
    for (int a = 0; a < 3; a++) {
      const uint32_t i = o->unknown[at[a]];
      if (i == NONE) continue;
      for (int b = 0; b < 3; b++) {
        const uint32_t j = o->unknown[at[b]];
        complex_pair p = conjugate_times(w[a], w[b]);
        if (j == NONE) {
          complex_pair u = {l->at[at[b]].x, l->at[at[b]].y}, q = times(p, u);
          rhs[i].re -= q.re;
          rhs[i].im -= q.im;
        } else if (j <= i) {
          row_of(o, m, i)[j].re += p.re;
          row_of(o, m, i)[j].im += p.im;
        }
      }
    }
  }
}

/* M = L L^H in place; false when M is not positive definite. */
static bool factor(const layout *o, complex_pair *m) {
  for (uint32_t i = 0; i < o->count; i++) {
    complex_pair *row = row_of(o, m, i);
    for (uint32_t j = o->begin[i]; j <= i; j++) {
      const complex_pair *other = row_of(o, m, j);
      complex_pair sum = row[j];
      for (uint32_t k = o->begin[i] > o->begin[j] ? o->begin[i] : o->begin[j]; k < j; k++) {
        complex_pair p = conjugate_times(other[k], row[k]);
        sum.re -= p.re;
        sum.im -= p.im;
      }
      if (j < i) {
        row[j] = (complex_pair){sum.re * other[j].im, sum.im * other[j].im};
      } else {
        if (!(sum.re > 0.0)) return false;
        row[i].re = sqrt(sum.re);
        row[i].im = 1.0 / row[i].re; /* the diagonal is real: its place holds the inverse */
      }
    }
  }
  return true;
}

static void substitute(const layout *o, complex_pair *m, complex_pair *x) {
  for (uint32_t i = 0; i < o->count; i++) {
    const complex_pair *row = row_of(o, m, i);
    complex_pair sum = x[i];
    for (uint32_t k = o->begin[i]; k < i; k++) {
      complex_pair p = times(row[k], x[k]);
      sum.re -= p.re;
      sum.im -= p.im;
    }
    x[i] = (complex_pair){sum.re * row[i].im, sum.im * row[i].im};
  }
  uint32_t wide = 0;
  for (uint32_t i = 0; i < o->count; i++) wide = i - o->begin[i] > wide ? i - o->begin[i] : wide;
  for (uint32_t i = o->count; i-- > 0;) {
    complex_pair sum = x[i];
    for (uint32_t k = i + 1; k < o->count && k <= i + wide; k++) {
      if (o->begin[k] > i) continue;
      complex_pair p = conjugate_times(row_of(o, m, k)[i], x[k]);
      sum.re -= p.re;
      sum.im -= p.im;
    }
    const double inverse = row_of(o, m, i)[i].im;
    x[i] = (complex_pair){sum.re * inverse, sum.im * inverse};
  }
}

static bool take_vertices(th_conformal_map *l, const th_conformal_map_task *t) {
  void *index = l->index, *at = l->at;
  const uint64_t words = 6 * (uint64_t)t->vertex_count + 3 * (uint64_t)t->face_count + 2;
  bool done = words < UINT32_MAX;
  done = done && th_grow(&l->allocator, &index, &l->index_capacity, (uint32_t)words, sizeof *l->index);
  l->index = index;
  done = done && th_grow(&l->allocator, &at, &l->at_capacity, t->vertex_count, sizeof *l->at);
  l->at = at;
  return done;
}

static bool take_rows(th_conformal_map *l, size_t numbers) {
  void *work = l->work;
  bool done =
      numbers < UINT32_MAX && th_grow(&l->allocator, &work, &l->work_capacity, (uint32_t)numbers, sizeof *l->work);
  l->work = work;
  return done;
}

static th_conformal_map_result solve(th_conformal_map *l, const th_conformal_map_task *t) {
  const layout o = layout_of(l, t);
  number(l, t, &o);
  const size_t entries = lay_rows(l, t, &o), all = entries + o.count;
  if (!take_rows(l, 2 * all)) return TH_CONFORMAL_MAP_MEMORY;
  complex_pair *m = (complex_pair *)(void *)l->work, *x = m + entries;
  memset(m, 0, all * sizeof *m);
  assemble(l, t, &o, m, x);
  if (!factor(&o, m)) return TH_CONFORMAL_MAP_SINGULAR;
  substitute(&o, m, x);
  for (uint32_t v = 3; v < t->vertex_count; v++) l->at[v] = (th_point){x[o.unknown[v]].re, x[o.unknown[v]].im};
  return TH_CONFORMAL_MAP_DONE;
}

th_conformal_map_result th_conformal_map_solve(th_conformal_map *l, const th_conformal_map_task *t) {
  if (!take_vertices(l, t)) return TH_CONFORMAL_MAP_MEMORY;
  const th_face_frame *f = &t->frames->face[t->face[0]];
  double ox = (f->bx + f->cx) / 3.0, oy = f->cy / 3.0;
  l->at[0] = (th_point){-ox, -oy};
  l->at[1] = (th_point){f->bx - ox, -oy};
  l->at[2] = (th_point){f->cx - ox, f->cy - oy};
  for (uint32_t i = 0; i < t->vertex_count; i++) l->local[t->vertex[i]] = i;
  return t->vertex_count == 3 ? TH_CONFORMAL_MAP_DONE : solve(l, t);
}
