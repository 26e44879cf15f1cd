/* field/front_dense.lanes.c - partial Cholesky of one dense front, and its two triangular solves.
 *
 * Rows are handled in strips of four, the shape in which the factor is kept: a strip is contiguous over the columns,
 * so the inner loop of every kernel streams through memory. An element is a_ij - l_i0 l_j0 - l_i1 l_j1 - ... in this
 * order, one rounding per operation, whatever the blocking and the instruction set. For an M-matrix all terms of an
 * off-diagonal element have one sign: nothing cancels, and tiny values keep their relative accuracy.
 * Method: blocked left-looking Cholesky (Golub and Van Loan, section 4.2). Cost: p m^2 - p^2 m + p^3/3 flops for p
 * pivots of m rows.
 */
#include "field/front_dense.h"

#include <math.h>

#include "base/simd_double.h"

#define BLOCK 64 /* columns whose strips stay in the second-level cache while rows stream past */

/* Columns of strips: where row strip s begins, and how far apart strips are. */
typedef struct grid {
  double *strip;
  size_t stride; /* doubles from strip to strip */
} grid;

static inline grid front_grid(const th_dense_front *f) { return (grid){f->strip, (size_t)f->pivots * TH_STRIP}; }

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
static inline void tile_two(double *c, size_t ldc, const double *a, size_t stride, const double *b, size_t n) {
  th_d4 c0 = th_d4_load(c), c1 = th_d4_load(c + ldc), c2 = th_d4_load(c + 2 * ldc), c3 = th_d4_load(c + 3 * ldc);
  double *d = c + 4;
  th_d4 d0 = th_d4_load(d), d1 = th_d4_load(d + ldc), d2 = th_d4_load(d + 2 * ldc), d3 = th_d4_load(d + 3 * ldc);
  const double *a2 = a + stride;
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

/* A lower trapezoid of tiles: c holds rows and columns from strip `top` on; columns are the strips top .. top + wide -
 * 1, rows reach to strip `end`; subtracts the products of factor columns k0 .. k1 - 1. */
typedef struct trapezoid {
  double *c;
  size_t ldc, top, wide, end, k0, k1;
} trapezoid;

static void subtract_products(grid g, const trapezoid *z) {
  const size_t group = BLOCK / TH_STRIP, n = z->k1 - z->k0;
  for (size_t j0 = 0; j0 < z->wide; j0 += group) {
    size_t j1 = j0 + group < z->wide ? j0 + group : z->wide, rows = z->end - z->top;
    for (size_t i = j0; i < rows; i += 2) {
      const double *a = g.strip + (z->top + i) * g.stride + z->k0 * TH_STRIP;
      for (size_t j = j0; j < j1 && j <= i + 1; j++) {
        const double *b = g.strip + (z->top + j) * g.stride + z->k0 * TH_STRIP;
        double *c = z->c + j * TH_STRIP * z->ldc + i * TH_STRIP;
        if (j > i) {
          if (i + 1 < rows) tile_one(c + TH_STRIP, z->ldc, a + g.stride, b, n);
        } else if (i + 1 < rows) {
          tile_two(c, z->ldc, a, g.stride, b, n);
        } else {
          tile_one(c, z->ldc, a, b, n);
        }
      }
    }
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
static bool factor_strip(const th_dense_front *f, grid g, size_t s, size_t k0) {
  size_t rows = th_strip_rows(f->pivots) + th_strip_rows(f->boundary), j = s * TH_STRIP, n = j - k0;
  uint32_t columns = (uint32_t)(f->pivots - j < TH_STRIP ? f->pivots - j : TH_STRIP);
  const double *b = g.strip + s * g.stride + k0 * TH_STRIP;
  double tile[16];
  for (size_t t = s; t < rows / TH_STRIP; t++) {
    const double *a = g.strip + t * g.stride + k0 * TH_STRIP, *head = f->head + j * rows + t * TH_STRIP;
    double *out = g.strip + t * g.stride + j * TH_STRIP;
    th_d4 c[4];
    for (uint32_t q = 0; q < 4; q++) c[q] = q < columns ? th_d4_load(head + q * rows) : th_d4_zero();
    for (size_t k = 0; k < n; k++) {
      th_d4 ak = th_d4_load(a + k * 4);
      for (uint32_t q = 0; q < 4; q++) c[q] = th_d4_sub(c[q], th_d4_mul(ak, th_d4_same(b + k * 4 + q)));
    }
    if (t > s) {
      solve_tile(g.strip + s * g.stride + j * TH_STRIP, columns, c, out);
    } else {
      for (uint32_t q = 0; q < 4; q++) th_d4_store(tile + q * 4, c[q]);
      if (!factor_tile(tile, columns, out)) return false;
    }
  }
  return true;
}

static bool factor(const th_dense_front *f) {
  grid g = front_grid(f);
  size_t pivot_rows = th_strip_rows(f->pivots), boundary_rows = th_strip_rows(f->boundary);
  size_t rows = pivot_rows + boundary_rows, end = rows / TH_STRIP;
  for (size_t k0 = 0; k0 < f->pivots; k0 += BLOCK) {
    size_t k1 = k0 + BLOCK < f->pivots ? k0 + BLOCK : f->pivots;
    for (size_t s = k0 / TH_STRIP; s < (k1 + TH_STRIP - 1) / TH_STRIP; s++) {
      if (!factor_strip(f, g, s, k0)) return false;
    }
    size_t left = f->pivots - k1;
    trapezoid z = {f->head + k1 * rows + k1, rows, k1 / TH_STRIP, (left + 3) / TH_STRIP, end, k0, k1};
    if (left) subtract_products(g, &z);
  }
  trapezoid z = {f->update, boundary_rows, pivot_rows / TH_STRIP, boundary_rows / TH_STRIP, end, 0, f->pivots};
  for (size_t k0 = 0; k0 < f->pivots; k0 += 4 * BLOCK) {
    z.k0 = k0;
    z.k1 = k0 + 4 * BLOCK < f->pivots ? k0 + 4 * BLOCK : f->pivots;
    subtract_products(g, &z);
  }
  return true;
}

static inline void add_run(double *to, const double *from, size_t count) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) th_d4_store(to + i, th_d4_add(th_d4_load(to + i), th_d4_load(from + i)));
  for (; i < count; i++) to[i] += from[i];
}

static void add(const th_dense_front *f, const th_dense_child *child) {
  size_t pivot_rows = th_strip_rows(f->pivots), boundary_rows = th_strip_rows(f->boundary);
  size_t rows = pivot_rows + boundary_rows, lda = th_strip_rows(child->boundary);
  const uint32_t *place = child->place, count = child->boundary;
  for (uint32_t j = 0; j < count; j++) {
    const double *from = child->update + j * lda;
    size_t column = place[j];
    double *to =
        column < pivot_rows ? f->head + column * rows : f->update + (column - pivot_rows) * boundary_rows - pivot_rows;
    for (uint32_t i = j; i < count;) {
      uint32_t stop = i + 1;
      while (stop < count && place[stop] == place[stop - 1] + 1) stop++;
      add_run(to + place[i], from + i, stop - i);
      i = stop;
    }
  }
}

static void forward(const th_dense_front *f, double *local) {
  grid g = front_grid(f);
  size_t pivot_strips = th_strip_rows(f->pivots) / TH_STRIP;
  size_t strips = pivot_strips + th_strip_rows(f->boundary) / TH_STRIP;
  for (size_t s = 0; s < strips; s++) {
    const double *a = g.strip + s * g.stride;
    size_t n = s < pivot_strips ? s * TH_STRIP : f->pivots;
    th_d4 sum = th_d4_zero();
    for (size_t k = 0; k < n; k++) sum = th_d4_add(sum, th_d4_mul(th_d4_load(a + k * 4), th_d4_same(local + k)));
    if (s >= pivot_strips) {
      th_d4_store(local + s * TH_STRIP, sum);
      continue;
    }
    double part[4];
    th_d4_store(part, sum);
    uint32_t columns = (uint32_t)(f->pivots - n < TH_STRIP ? f->pivots - n : TH_STRIP);
    for (uint32_t r = 0; r < columns; r++) {
      double t = local[n + r] - part[r];
      for (uint32_t q = 0; q < r; q++) t -= a[(n + q) * 4 + r] * local[n + q];
      local[n + r] = t * a[(n + r) * 4 + r];
    }
  }
}

static void backward(const th_dense_front *f, double *local) {
  grid g = front_grid(f);
  size_t pivot_strips = th_strip_rows(f->pivots) / TH_STRIP;
  size_t strips = pivot_strips + th_strip_rows(f->boundary) / TH_STRIP;
  for (size_t s = pivot_strips; s-- > 0;) {
    size_t k = s * TH_STRIP;
    uint32_t columns = (uint32_t)(f->pivots - k < TH_STRIP ? f->pivots - k : TH_STRIP);
    th_d4 sum[4] = {th_d4_zero(), th_d4_zero(), th_d4_zero(), th_d4_zero()};
    for (size_t t = s + 1; t < strips; t++) {
      const double *a = g.strip + t * g.stride + k * 4;
      th_d4 x = th_d4_load(local + t * TH_STRIP);
      for (uint32_t q = 0; q < columns; q++) sum[q] = th_d4_add(sum[q], th_d4_mul(th_d4_load(a + q * 4), x));
    }
    double part[4];
    th_d4_store(part, th_d4_sums(sum[0], sum[1], sum[2], sum[3]));
    const double *a = g.strip + s * g.stride + k * 4;
    for (uint32_t q = columns; q-- > 0;) {
      double t = local[k + q] - part[q];
      for (uint32_t r = q + 1; r < columns; r++) t -= a[q * 4 + r] * local[k + r];
      local[k + q] = t * a[q * 4 + q];
    }
  }
}

static const th_dense table = {add, factor, forward, backward};

const th_dense *TH_LANES_NAME(th_dense)(void) { return &table; }
