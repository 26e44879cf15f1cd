/* field/direct/dense.lanes.c - partial Cholesky of one dense front, and its two triangular solves.
 *
 * Rows are handled in strips of four, the shape in which the factor is kept: a strip is contiguous over the columns,
 * so the inner loop of every kernel streams through memory. An element is a_ij - l_i0 l_j0 - l_i1 l_j1 - ... in this
 * order, one rounding per operation, whatever the blocking and the instruction set. For an M-matrix all terms of an
 * off-diagonal element have one sign: nothing cancels, and tiny values keep their relative accuracy.
 * Method: blocked left-looking Cholesky (Golub and Van Loan, section 4.2). Cost: p m^2 - p^2 m + p^3/3 flops for p
 * pivots of m rows.
 */
#include "field/direct/dense.h"

#include <math.h>
#include <string.h>

#include "base/simd/double.h"

#define BLOCK 64  /* columns whose strips stay in the second-level cache while rows stream past */
#define DEPTH 256 /* columns of three strips that stay in the first-level cache */

static inline double *strip_of(const th_dense_front *f, size_t s) { return f->strip + th_strip_at(f->pivots, s); }

/* c(4 rows x 4 columns) -= a(rows, k) b(columns, k) for k = 0 .. n - 1, a and b being strips. */
static inline void tile_one(double *c, size_t ldc, const double *a, const double *b, size_t n) {
  th_d4 c0 = th_d4_load(c), c1 = th_d4_load(c + ldc), c2 = th_d4_load(c + 2 * ldc), c3 = th_d4_load(c + 3 * ldc);
  for (size_t k = 0; k < n; k++, a += 4, b += 4) {
    th_d4 ak = th_d4_load(a);
    c0 = th_d4_sub(c0, th_d4_mul(ak, th_d4_same(b)));
    c1 = th_d4_sub(c1, th_d4_mul(ak, th_d4_same(b + 1)));
    c2 = th_d4_sub(c2, th_d4_mul(ak, th_d4_same(b + 2)));
    c3 = th_d4_sub(c3, th_d4_mul(ak, th_d4_same(b + 3)));
  }
  th_d4_store(c, c0);
  th_d4_store(c + ldc, c1);
  th_d4_store(c + 2 * ldc, c2);
  th_d4_store(c + 3 * ldc, c3);
}

/* The same for two strips of rows: twice the independent sums, which hides the latency of the subtraction. */
static inline void tile_two(double *c, size_t ldc, const double *a, const double *a2, const double *b, size_t n) {
  th_d4 c0 = th_d4_load(c), c1 = th_d4_load(c + ldc), c2 = th_d4_load(c + 2 * ldc), c3 = th_d4_load(c + 3 * ldc);
  double *d = c + 4;
  th_d4 d0 = th_d4_load(d), d1 = th_d4_load(d + ldc), d2 = th_d4_load(d + 2 * ldc), d3 = th_d4_load(d + 3 * ldc);
  for (size_t k = 0; k < n; k++, a += 4, a2 += 4, b += 4) {
    th_d4 x = th_d4_load(a), y = th_d4_load(a2), t = th_d4_same(b);
    c0 = th_d4_sub(c0, th_d4_mul(x, t));
    d0 = th_d4_sub(d0, th_d4_mul(y, t));
    t = th_d4_same(b + 1);
    c1 = th_d4_sub(c1, th_d4_mul(x, t));
    d1 = th_d4_sub(d1, th_d4_mul(y, t));
    t = th_d4_same(b + 2);
    c2 = th_d4_sub(c2, th_d4_mul(x, t));
    d2 = th_d4_sub(d2, th_d4_mul(y, t));
    t = th_d4_same(b + 3);
    c3 = th_d4_sub(c3, th_d4_mul(x, t));
    d3 = th_d4_sub(d3, th_d4_mul(y, t));
  }
  th_d4_store(c, c0);
  th_d4_store(c + ldc, c1);
  th_d4_store(c + 2 * ldc, c2);
  th_d4_store(c + 3 * ldc, c3);
  th_d4_store(d, d0);
  th_d4_store(d + ldc, d1);
  th_d4_store(d + 2 * ldc, d2);
  th_d4_store(d + 3 * ldc, d3);
}

/* A lower trapezoid of tiles: columns are the strips top .. top + wide - 1, rows reach to strip `end`; subtracts the
 * products of factor columns k0 .. k1 - 1. */
typedef struct trapezoid {
  double *c;   /* head at (top, top), or the update matrix */
  size_t rows; /* of the head, or of the update matrix */
  bool packed; /* c is an update matrix */
  size_t top, wide, end, k0, k1;
} trapezoid;

static void subtract_tiles(const th_dense_front *f, const trapezoid *z, size_t i, size_t j0, size_t j1) {
  size_t rows = z->end - z->top, n = z->k1 - z->k0, skip = z->k0 * TH_DENSE_STRIP;
  bool two = i + 1 < rows;
  const double *a = strip_of(f, z->top + i) + skip, *a2 = two ? strip_of(f, z->top + i + 1) + skip : a;
  for (size_t j = j0; j < j1 && j <= i + 1; j++) {
    const double *b = strip_of(f, z->top + j) + skip;
    size_t ldc = z->packed ? z->rows - j * TH_DENSE_STRIP : z->rows;
    double *c = z->c + (z->packed ? th_update_at(z->rows, j) : j * TH_DENSE_STRIP * z->rows) + i * TH_DENSE_STRIP;
    if (j <= i && two) {
      tile_two(c, ldc, a, a2, b, n);
    } else if (j <= i) {
      tile_one(c, ldc, a, b, n);
    } else if (two) {
      tile_one(c + TH_DENSE_STRIP, ldc, a2, b, n);
    }
  }
}

static void subtract_products(const th_dense_front *f, const trapezoid *z) {
  const size_t group = BLOCK / TH_DENSE_STRIP;
  for (size_t j0 = 0; j0 < z->wide; j0 += group) {
    size_t j1 = j0 + group < z->wide ? j0 + group : z->wide;
    for (size_t i = j0; i < z->end - z->top; i += 2) subtract_tiles(f, z, i, j0, j1);
  }
}

/* Cholesky of the 4 x 4 tile in columns of `tile`; writes strip columns, reciprocals on the diagonal. */
static bool factor_tile(double tile[16], uint32_t columns, double *out) {
  for (uint32_t k = 0; k < columns; k++) {
    double pivot = tile[k * 4 + k];
    for (uint32_t q = 0; q < k; q++) pivot -= tile[q * 4 + k] * tile[q * 4 + k];
    if (!(pivot > 0.0)) return false;
    double inverse = 1.0 / sqrt(pivot);
    for (uint32_t r = k + 1; r < 4; r++) {
      double sum = tile[k * 4 + r];
      for (uint32_t q = 0; q < k; q++) sum -= tile[q * 4 + r] * tile[q * 4 + k];
      tile[k * 4 + r] = sum * inverse;
    }
    tile[k * 4 + k] = inverse;
    for (uint32_t r = 0; r < 4; r++) out[k * 4 + r] = r < k ? 0.0 : tile[k * 4 + r];
  }
  return true;
}

/* The rows of one strip below a factored 4 x 4 tile `d`: l = a d^-T, column after column. */
static inline void solve_tile(const double *d, uint32_t columns, const th_d4 in[4], double *out) {
  th_d4 l0 = th_d4_mul(in[0], th_d4_same(d));
  th_d4_store(out, l0);
  if (columns < 2) return;
  th_d4 l1 = th_d4_mul(th_d4_sub(in[1], th_d4_mul(l0, th_d4_same(d + 1))), th_d4_same(d + 5));
  th_d4_store(out + 4, l1);
  if (columns < 3) return;
  th_d4 t2 = th_d4_sub(th_d4_sub(in[2], th_d4_mul(l0, th_d4_same(d + 2))), th_d4_mul(l1, th_d4_same(d + 6)));
  th_d4 l2 = th_d4_mul(t2, th_d4_same(d + 10));
  th_d4_store(out + 8, l2);
  if (columns < 4) return;
  th_d4 t3 = th_d4_sub(th_d4_sub(in[3], th_d4_mul(l0, th_d4_same(d + 3))), th_d4_mul(l1, th_d4_same(d + 7)));
  t3 = th_d4_sub(t3, th_d4_mul(l2, th_d4_same(d + 11)));
  th_d4_store(out + 12, th_d4_mul(t3, th_d4_same(d + 15)));
}

/* Factors the columns of one strip; products with the columns before k0 have been subtracted already. */
static bool factor_strip(const th_dense_front *f, size_t s, size_t k0) {
  size_t rows = th_strip_rows(f->pivots) + th_strip_rows(f->boundary), j = s * TH_DENSE_STRIP, n = j - k0;
  uint32_t columns = (uint32_t)(f->pivots - j < TH_DENSE_STRIP ? f->pivots - j : TH_DENSE_STRIP);
  const double *b = strip_of(f, s) + k0 * TH_DENSE_STRIP;
  double tile[16];
  for (size_t t = s; t < rows / TH_DENSE_STRIP; t++) {
    const double *a = strip_of(f, t) + k0 * TH_DENSE_STRIP, *head = f->head + j * rows + t * TH_DENSE_STRIP;
    double *out = strip_of(f, t) + j * TH_DENSE_STRIP;
    th_d4 c[4];
    for (uint32_t q = 0; q < 4; q++) c[q] = th_d4_load(head + q * rows);
    for (size_t k = 0; k < n; k++) {
      th_d4 ak = th_d4_load(a + k * 4);
      for (uint32_t q = 0; q < 4; q++) c[q] = th_d4_sub(c[q], th_d4_mul(ak, th_d4_same(b + k * 4 + q)));
    }
    if (t > s) {
      solve_tile(strip_of(f, s) + j * TH_DENSE_STRIP, columns, c, out);
    } else {
      for (uint32_t q = 0; q < 4; q++) th_d4_store(tile + q * 4, c[q]);
      if (!factor_tile(tile, columns, out)) return false;
    }
  }
  return true;
}

static bool factor(const th_dense_front *f) {
  size_t pivot_rows = th_strip_rows(f->pivots), boundary_rows = th_strip_rows(f->boundary);
  size_t rows = pivot_rows + boundary_rows, end = rows / TH_DENSE_STRIP;
  for (size_t k0 = 0; k0 < f->pivots; k0 += BLOCK) {
    size_t k1 = k0 + BLOCK < f->pivots ? k0 + BLOCK : f->pivots, left = f->pivots - k1;
    for (size_t s = k0 / TH_DENSE_STRIP; s < (k1 + TH_DENSE_STRIP - 1) / TH_DENSE_STRIP; s++) {
      if (!factor_strip(f, s, k0)) return false;
    }
    trapezoid z = {f->head + k1 * rows + k1,    rows, false, k1 / TH_DENSE_STRIP,
                   (left + 3) / TH_DENSE_STRIP, end,  k0,    k1};
    if (left) subtract_products(f, &z);
  }
  for (size_t k0 = 0; k0 < f->pivots; k0 += DEPTH) {
    size_t k1 = k0 + DEPTH < f->pivots ? k0 + DEPTH : f->pivots;
    trapezoid z = {f->update, boundary_rows, true, pivot_rows / TH_DENSE_STRIP, boundary_rows / TH_DENSE_STRIP, end, k0,
                   k1};
    subtract_products(f, &z);
  }
  return true;
}

static inline void add_run(double *to, const double *from, size_t count) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) th_d4_store(to + i, th_d4_add(th_d4_load(to + i), th_d4_load(from + i)));
  for (; i < count; i++) to[i] += from[i];
}

/* Row 0 of a column of an update matrix. */
static inline double *column_of(double *update, size_t rows, size_t column) {
  size_t t = column / TH_DENSE_STRIP;
  return update + th_update_at(rows, t) + (column % TH_DENSE_STRIP) * (rows - t * TH_DENSE_STRIP);
}

static void add(const th_dense_front *f, const th_dense_child *child) {
  size_t pivot_rows = th_strip_rows(f->pivots), boundary_rows = th_strip_rows(f->boundary);
  size_t rows = pivot_rows + boundary_rows, child_rows = th_strip_rows(child->boundary);
  const uint32_t *place = child->place, count = child->boundary;
  for (uint32_t j = 0; j < count; j++) {
    const double *from = column_of((double *)child->update, child_rows, j);
    double *to = place[j] < pivot_rows ? f->head + place[j] * rows
                                       : column_of(f->update, boundary_rows, place[j] - pivot_rows) - pivot_rows;
    for (uint32_t i = j; i < count;) {
      uint32_t stop = i + 1;
      while (stop < count && place[stop] == place[stop - 1] + 1) stop++;
      add_run(to + place[i], from + i, stop - i);
      i = stop;
    }
  }
}

static void forward(const th_dense_front *f, double *local) {
  size_t pivot_strips = th_strip_rows(f->pivots) / TH_DENSE_STRIP;
  size_t strips = pivot_strips + th_strip_rows(f->boundary) / TH_DENSE_STRIP;
  for (size_t s = 0; s < strips; s++) {
    const double *a = strip_of(f, s);
    size_t n = s < pivot_strips ? s * TH_DENSE_STRIP : f->pivots;
    th_d4 sum = th_d4_zero();
    for (size_t k = 0; k < n; k++) sum = th_d4_add(sum, th_d4_mul(th_d4_load(a + k * 4), th_d4_same(local + k)));
    if (s >= pivot_strips) {
      th_d4_store(local + s * TH_DENSE_STRIP, sum);
      continue;
    }
    double part[4];
    th_d4_store(part, sum);
    uint32_t columns = (uint32_t)(f->pivots - n < TH_DENSE_STRIP ? f->pivots - n : TH_DENSE_STRIP);
    for (uint32_t r = 0; r < columns; r++) {
      double t = local[n + r] - part[r];
      for (uint32_t q = 0; q < r; q++) t -= a[(n + q) * 4 + r] * local[n + q];
      local[n + r] = t * a[(n + r) * 4 + r];
    }
  }
}

/* sum(k) += a(k) x over the columns of one strip; `first`: the sums start here. */
static inline void add_products(double *sum, const double *a, size_t n, th_d4 x, bool first) {
  for (size_t k = 0; k < n; k++) {
    th_d4 product = th_d4_mul(th_d4_load(a + k * 4), x);
    th_d4_store(sum + k * 4, first ? product : th_d4_add(th_d4_load(sum + k * 4), product));
  }
}

/* The same for two strips in one pass over the sums. */
static inline void add_two_products(double *sum, const double *a, size_t n, const double *x, bool first) {
  th_d4 x0 = th_d4_load(x), x1 = th_d4_load(x + TH_DENSE_STRIP);
  const double *b = a + n * TH_DENSE_STRIP;
  for (size_t k = 0; k < n; k++) {
    th_d4 t = th_d4_mul(th_d4_load(a + k * 4), x0);
    if (!first) t = th_d4_add(th_d4_load(sum + k * 4), t);
    th_d4_store(sum + k * 4, th_d4_add(t, th_d4_mul(th_d4_load(b + k * 4), x1)));
  }
}

/* sum(k) = products of column k with the boundary's values, four partial sums per column. */
static void sum_boundary(const th_dense_front *f, const double *x, double *sum) {
  size_t n = f->pivots, strips = th_strip_rows(f->boundary) / TH_DENSE_STRIP, t = 0;
  const double *a = strip_of(f, th_strip_rows(f->pivots) / TH_DENSE_STRIP);
  if (strips >= 2) {
    add_two_products(sum, a, n, x, true);
    t = 2;
  } else if (strips == 1) {
    add_products(sum, a, n, th_d4_load(x), true);
    return;
  } else {
    memset(sum, 0, n * TH_DENSE_STRIP * sizeof *sum);
    return;
  }
  for (; t + 1 < strips; t += 2) add_two_products(sum, a + t * n * TH_DENSE_STRIP, n, x + t * TH_DENSE_STRIP, false);
  if (t < strips) add_products(sum, a + t * n * TH_DENSE_STRIP, n, th_d4_load(x + t * TH_DENSE_STRIP), false);
}

/* Solves the diagonal tile a of a strip from the bottom up; t: its right-hand sides. The values stay in registers:
 * reading a vector whose parts were just written one by one would stall. */
static inline th_d4 solve_up(const double *a, size_t columns, th_d4 t) {
  double v[4];
  th_d4_store(v, t);
  double x3 = columns > 3 ? v[3] * a[15] : 0.0;
  double x2 = columns > 3 ? v[2] - a[11] * x3 : v[2];
  x2 = columns > 2 ? x2 * a[10] : 0.0;
  double x1 = columns > 3 ? v[1] - a[7] * x3 : v[1];
  x1 = columns > 2 ? x1 - a[6] * x2 : x1;
  x1 = columns > 1 ? x1 * a[5] : 0.0;
  double x0 = columns > 3 ? v[0] - a[3] * x3 : v[0];
  x0 = columns > 2 ? x0 - a[2] * x2 : x0;
  x0 = columns > 1 ? x0 - a[1] * x1 : x0;
  return th_d4_of(x0 * a[0], x1, x2, x3);
}

static void backward(const th_dense_front *f, double *local) {
  size_t pivot_rows = th_strip_rows(f->pivots), n = f->pivots;
  double *sum = local + pivot_rows + th_strip_rows(f->boundary);
  sum_boundary(f, local + pivot_rows, sum);
  for (size_t k = n; k < pivot_rows; k++) th_d4_store(sum + k * 4, th_d4_zero());
  for (size_t s = pivot_rows / TH_DENSE_STRIP; s-- > 0;) {
    size_t k = s * TH_DENSE_STRIP;
    const double *a = strip_of(f, s), *part = sum + k * 4;
    th_d4 sums = th_d4_sums(th_d4_load(part), th_d4_load(part + 4), th_d4_load(part + 8), th_d4_load(part + 12));
    th_d4 t = th_d4_sub(th_d4_load(local + k), sums);
    th_d4 x = n - k >= TH_DENSE_STRIP ? solve_up(a + k * 4, TH_DENSE_STRIP, t) : solve_up(a + k * 4, n - k, t);
    th_d4_store(local + k, x);
    if (s) add_products(sum, a, k, x, false);
  }
}

static const th_dense table = {add, factor, forward, backward};

const th_dense *TH_LANES_NAME(th_dense)(void) { return &table; }
