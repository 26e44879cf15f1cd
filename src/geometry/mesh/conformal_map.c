/* geometry/mesh/conformal_map.c - least squares conformal maps.
 *
 * Levy, Petitjean, Ray, Maillot, "Least squares conformal maps for automatic texture atlas generation", 2002: of all
 * placements U of the vertices take the one that least violates conformality, sum over faces |W1 U1 + W2 U2 + W3 U3|^2
 * / d, with W_k the side opposite corner k as a complex number in the face's own plane and d twice its area. Pinning a
 * whole triangle, as dynamic planarization does, fixes the scale and keeps that triangle undistorted. The normal
 * equations are Hermitian of half the real size: dense Cholesky up to DENSE unknowns, 9 for the ring of a face, about
 * 1 us; conjugate gradients with the diagonal as preconditioner beyond.
 */
#include "geometry/mesh/conformal_map.h"

#include <string.h>

#include "base/memory.h"

#define DENSE 64u
#define MAX_ROUNDS 4u /* of conjugate gradients, times the unknowns */
#define SMALL 1e-22   /* squared residual, of the first one */

bool th_lscm_make(th_lscm *l, const th_allocator *allocator, const th_mesh *mesh) {
  *l = (th_lscm){.allocator = *allocator, .vertex_capacity = mesh->vertex_count};
  l->local = TH_TAKE(allocator, uint32_t, mesh->vertex_count);
  if (!l->local) *l = (th_lscm){0};
  return l->local != NULL;
}

void th_lscm_free(th_lscm *l) {
  if (!l->allocator.release) return;
  TH_GIVE(&l->allocator, l->local, l->vertex_capacity);
  TH_GIVE(&l->allocator, l->work, l->work_capacity);
  TH_GIVE(&l->allocator, l->at, l->at_capacity);
  *l = (th_lscm){0};
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
static void face_row(const th_lscm *l, const th_lscm_task *t, uint32_t n, complex_pair *w, uint32_t *at) {
  const th_face_frame *f = &t->frames->face[t->face[n]];
  const uint32_t *corner = &t->frames->mesh->corner[3 * (size_t)t->face[n]];
  double scale = 1.0 / sqrt(f->bx * f->cy);
  w[0] = (complex_pair){(f->cx - f->bx) * scale, f->cy * scale};
  w[1] = (complex_pair){-f->cx * scale, -f->cy * scale};
  w[2] = (complex_pair){f->bx * scale, 0.0};
  for (int k = 0; k < 3; k++) at[k] = l->local[corner[k]];
}

/* Normal equations, lower triangle, row by row; unknown i is vertex i + 3. */
static void assemble(const th_lscm *l, const th_lscm_task *t, complex_pair *m, complex_pair *rhs) {
  uint32_t n = t->vertex_count - 3;
  for (uint32_t f = 1; f < t->face_count; f++) {
    complex_pair w[3];
    uint32_t at[3];
    face_row(l, t, f, w, at);
    for (int a = 0; a < 3; a++) {
      if (at[a] < 3) continue;
      uint32_t row = at[a] - 3;
      for (int b = 0; b < 3; b++) {
        complex_pair p = conjugate_times(w[a], w[b]);
        if (at[b] < 3) {
          complex_pair u = {l->at[at[b]].x, l->at[at[b]].y}, q = times(p, u);
          rhs[row].re -= q.re;
          rhs[row].im -= q.im;
        } else if (at[b] - 3 <= row) {
          m[(size_t)row * n + at[b] - 3].re += p.re;
          m[(size_t)row * n + at[b] - 3].im += p.im;
        }
      }
    }
  }
}

/* M = L L^H in place; false when M is not positive definite. */
static bool factor(complex_pair *m, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    complex_pair *row = m + (size_t)i * n;
    for (uint32_t j = 0; j <= i; j++) {
      const complex_pair *other = m + (size_t)j * n;
      complex_pair sum = row[j];
      for (uint32_t k = 0; k < j; k++) {
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

static void substitute(const complex_pair *m, uint32_t n, complex_pair *x) {
  for (uint32_t i = 0; i < n; i++) {
    complex_pair sum = x[i];
    for (uint32_t k = 0; k < i; k++) {
      complex_pair p = times(m[(size_t)i * n + k], x[k]);
      sum.re -= p.re;
      sum.im -= p.im;
    }
    double inverse = m[(size_t)i * n + i].im;
    x[i] = (complex_pair){sum.re * inverse, sum.im * inverse};
  }
  for (uint32_t i = n; i-- > 0;) {
    complex_pair sum = x[i];
    for (uint32_t k = i + 1; k < n; k++) {
      complex_pair p = conjugate_times(m[(size_t)k * n + i], x[k]);
      sum.re -= p.re;
      sum.im -= p.im;
    }
    double inverse = m[(size_t)i * n + i].im;
    x[i] = (complex_pair){sum.re * inverse, sum.im * inverse};
  }
}

static th_lscm_result solve_dense(th_lscm *l, const th_lscm_task *t) {
  uint32_t n = t->vertex_count - 3;
  complex_pair *m = (complex_pair *)(void *)l->work, *x = m + (size_t)n * n;
  memset(m, 0, ((size_t)n * n + n) * sizeof *m);
  assemble(l, t, m, x);
  if (!factor(m, n)) return TH_LSCM_SINGULAR;
  substitute(m, n, x);
  for (uint32_t i = 0; i < n; i++) l->at[i + 3] = (th_point){x[i].re, x[i].im};
  return TH_LSCM_DONE;
}

/* y = A x over all faces, for unknown rows; x holds pinned vertices too. */
static void apply(const th_lscm *l, const th_lscm_task *t, const complex_pair *x, complex_pair *y) {
  memset(y, 0, t->vertex_count * sizeof *y);
  for (uint32_t f = 0; f < t->face_count; f++) {
    complex_pair w[3], sum = {0.0, 0.0};
    uint32_t at[3];
    face_row(l, t, f, w, at);
    for (int k = 0; k < 3; k++) {
      complex_pair p = times(w[k], x[at[k]]);
      sum.re += p.re;
      sum.im += p.im;
    }
    for (int k = 0; k < 3; k++) {
      complex_pair p = conjugate_times(w[k], sum);
      y[at[k]].re += p.re;
      y[at[k]].im += p.im;
    }
  }
  memset(y, 0, 3 * sizeof *y);
}

static double product(const complex_pair *a, const complex_pair *b, uint32_t n) {
  double sum = 0.0;
  for (uint32_t i = 0; i < n; i++) sum += a[i].re * b[i].re + a[i].im * b[i].im;
  return sum;
}

static void diagonal(const th_lscm *l, const th_lscm_task *t, double *inverse) {
  memset(inverse, 0, t->vertex_count * sizeof *inverse);
  for (uint32_t f = 0; f < t->face_count; f++) {
    complex_pair w[3];
    uint32_t at[3];
    face_row(l, t, f, w, at);
    for (int k = 0; k < 3; k++) inverse[at[k]] += w[k].re * w[k].re + w[k].im * w[k].im;
  }
  for (uint32_t i = 0; i < t->vertex_count; i++) inverse[i] = 1.0 / inverse[i];
}

static th_lscm_result solve_iterated(th_lscm *l, const th_lscm_task *t) {
  uint32_t n = t->vertex_count;
  complex_pair *x = (complex_pair *)(void *)l->work, *r = x + n, *z = r + n, *p = z + n, *q = p + n;
  double *inverse = (double *)(void *)(q + n);
  memset(x, 0, n * sizeof *x);
  for (uint32_t i = 0; i < 3; i++) x[i] = (complex_pair){l->at[i].x, l->at[i].y};
  diagonal(l, t, inverse);
  apply(l, t, x, r);
  for (uint32_t i = 0; i < n; i++) {
    r[i] = (complex_pair){-r[i].re, -r[i].im};
    z[i] = p[i] = (complex_pair){r[i].re * inverse[i], r[i].im * inverse[i]};
  }
  double rz = product(r, z, n), first = product(r, r, n), left = first;
  for (uint32_t round = 0; round < MAX_ROUNDS * n && left > SMALL * first; round++) {
    apply(l, t, p, q);
    double pq = product(p, q, n);
    if (!(pq > 0.0)) return TH_LSCM_SINGULAR;
    double step = rz / pq;
    for (uint32_t i = 0; i < n; i++) {
      x[i] = (complex_pair){x[i].re + step * p[i].re, x[i].im + step * p[i].im};
      r[i] = (complex_pair){r[i].re - step * q[i].re, r[i].im - step * q[i].im};
      z[i] = (complex_pair){r[i].re * inverse[i], r[i].im * inverse[i]};
    }
    double next = product(r, z, n), turn = next / rz;
    for (uint32_t i = 0; i < n; i++) p[i] = (complex_pair){z[i].re + turn * p[i].re, z[i].im + turn * p[i].im};
    rz = next;
    left = product(r, r, n);
  }
  for (uint32_t i = 3; i < n; i++) l->at[i] = (th_point){x[i].re, x[i].im};
  return TH_LSCM_DONE;
}

static bool take_room(th_lscm *l, uint32_t vertices, bool dense) {
  uint32_t n = vertices - 3, words = dense ? 2 * (n * n + n) : 11 * vertices;
  void *work = l->work, *at = l->at;
  bool done = th_grow(&l->allocator, &work, &l->work_capacity, words, sizeof *l->work);
  l->work = work;
  done = done && th_grow(&l->allocator, &at, &l->at_capacity, vertices, sizeof *l->at);
  l->at = at;
  return done;
}

th_lscm_result th_lscm_solve(th_lscm *l, const th_lscm_task *t) {
  bool dense = t->vertex_count - 3 <= DENSE;
  if (!take_room(l, t->vertex_count, dense)) return TH_LSCM_MEMORY;
  const th_face_frame *f = &t->frames->face[t->face[0]];
  double ox = (f->bx + f->cx) / 3.0, oy = f->cy / 3.0;
  l->at[0] = (th_point){-ox, -oy};
  l->at[1] = (th_point){f->bx - ox, -oy};
  l->at[2] = (th_point){f->cx - ox, f->cy - oy};
  for (uint32_t i = 0; i < t->vertex_count; i++) l->local[t->vertex[i]] = i;
  if (t->vertex_count == 3) return TH_LSCM_DONE;
  return dense ? solve_dense(l, t) : solve_iterated(l, t);
}
