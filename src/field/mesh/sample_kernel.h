/* field/mesh/sample_kernel.h - the direction at a place of a mesh; compiled for one lane and for every width.
 *
 * Everything in a face is linear in the place: grad u, u and the remaining distance have three coefficients each. An
 * agent's own vector o enters as grad log u + o, that is grad u + o u without a division. Cost: one cache line, some 40
 * operations.
 */
#include "field/mesh/field.h"

/* A file that includes this defines load_face(word, first, out): the sixteen words of each lane's node. */

enum { WORD_GX = 0, WORD_GY = 3, WORD_U = 6, WORD_LEFT = 9, WORD_AIM = 12, WORD_RADIUS = 14, WORD_CODE = 15 };

#define MIN_U 1e-6f /* beside a wall log u has no finite slope */
#define RIM 1e-4f   /* an agent this close to the goal has arrived: on its rim no distance is left [m] */

typedef struct found {
  vf gx, gy, left;
  vi code;
  vm arrived, reaches;
} found;

static inline vm has(vi code, int32_t bit) { return vi_eq(vi_and(code, vi_set(bit)), vi_set(bit)); }

static inline vf linear(const vf *a, vf x, vf y) { return vf_add(a[0], vf_add(vf_mul(x, a[1]), vf_mul(y, a[2]))); }

/* The direction at x, y of face node `first` (in words) for an agent whose own vector adds (ox, oy) [1/m]. */
static inline found find(const th_face_node *node, float inverse_cell, vi first, const vf place[4]) {
  const vf x = place[0], y = place[1];
  vf w[TH_FACE_WORDS];
  load_face((const float *)node, first, w);
  const vi code = vf_bits(w[WORD_CODE]);
  const vm smooth = has(code, TH_NODE_SMOOTH), centre = has(code, TH_FACE_CENTRE);
  const vf u = vf_max(linear(w + WORD_U, x, y), vf_set(MIN_U)), whole = vf_div(vf_set(1.0f), u);
  const vf ax = vf_sub(w[WORD_AIM], x), ay = vf_sub(w[WORD_AIM + 1], y);
  const vf far = vf_sqrt(vf_add(vf_mul(ax, ax), vf_mul(ay, ay)));
  const vf sx = vf_mul(vf_add(linear(w + WORD_GX, x, y), vf_mul(place[2], u)), whole);
  const vf sy = vf_mul(vf_add(linear(w + WORD_GY, x, y), vf_mul(place[3], u)), whole);
  found f;
  f.code = code;
  f.reaches = has(code, TH_NODE_REACHES);
  const vf straight = vf_sub(far, w[WORD_RADIUS]), bent = linear(w + WORD_LEFT, x, y);
  const vf left = vf_max(vf_select(centre, straight, bent), vf_zero());
  f.arrived = vm_or(has(code, TH_NODE_GOAL), vm_and(f.reaches, vf_le(left, vf_set(RIM))));
  const vm moves = vm_andnot(f.reaches, f.arrived);
  const vf scale = vf_set(inverse_cell);
  f.gx = vf_select(moves, vf_select(smooth, sx, vf_mul(ax, scale)), vf_zero());
  f.gy = vf_select(moves, vf_select(smooth, sy, vf_mul(ay, scale)), vf_zero());
  f.left = vf_select(f.reaches, vf_select(f.arrived, vf_zero(), left), vf_set(INFINITY));
  return f;
}
