/* geometry/mesh/bvh.c - building and fitting the boxes.
 *
 * Faces are sorted along a curve (face_curve.h) and cut into equal leaves of a complete binary tree (after Lauterbach
 * et al. 2009, without their pointers): building is linear, the tree needs no child links, and fitting it to moved
 * vertices is one sweep from the leaves to the root. Queries are within a small factor of trees built by surface area,
 * which take ten times as long to build.
 */
#include "geometry/mesh/bvh.h"

#include <math.h>

#include "base/memory.h"
#include "geometry/mesh/face_curve.h"

#define LEAF_FACES 4 /* about */

static void add_face(th_bvh_box *box, const th_mesh *m, uint32_t f) {
  for (int n = 0; n < 3; n++) {
    const double *p = m->xyz + 3 * (size_t)m->corner[3 * (size_t)f + (size_t)n];
    for (int k = 0; k < 3; k++) {
      float low = (float)p[k], high = low;
      if ((double)low > p[k]) low = nextafterf(low, -INFINITY);
      if ((double)high < p[k]) high = nextafterf(high, INFINITY);
      box->low[k] = low < box->low[k] ? low : box->low[k];
      box->high[k] = high > box->high[k] ? high : box->high[k];
    }
  }
}

static void join(th_bvh_box *out, const th_bvh_box *a, const th_bvh_box *b) {
  for (int k = 0; k < 3; k++) {
    out->low[k] = a->low[k] < b->low[k] ? a->low[k] : b->low[k];
    out->high[k] = a->high[k] > b->high[k] ? a->high[k] : b->high[k];
  }
}

static uint32_t leaf_start(const th_bvh *bvh, uint32_t leaf) {
  return (uint32_t)((uint64_t)bvh->mesh->face_count * leaf / bvh->leaves);
}

void th_bvh_refit(th_bvh *bvh) {
  for (uint32_t leaf = 0; leaf < bvh->leaves; leaf++) {
    th_bvh_box *box = &bvh->box[bvh->leaves - 1 + leaf];
    for (int k = 0; k < 3; k++) box->low[k] = INFINITY, box->high[k] = -INFINITY;
    for (uint32_t i = leaf_start(bvh, leaf); i < leaf_start(bvh, leaf + 1); i++)
      add_face(box, bvh->mesh, bvh->order[i]);
  }
  for (uint32_t i = bvh->leaves - 1; i-- > 0;) join(&bvh->box[i], &bvh->box[2 * i + 1], &bvh->box[2 * i + 2]);
}

bool th_bvh_make(th_bvh *bvh, const th_mesh *mesh) {
  const th_allocator *a = &mesh->allocator;
  uint32_t faces = mesh->face_count;
  *bvh = (th_bvh){.mesh = mesh, .leaves = 1};
  while ((uint64_t)bvh->leaves * LEAF_FACES < faces) bvh->leaves *= 2;
  bvh->box = TH_TAKE(a, th_bvh_box, 2 * (size_t)bvh->leaves - 1);
  bvh->order = TH_TAKE(a, uint32_t, faces);
  bool got = bvh->box && bvh->order && th_face_curve(mesh, NULL, faces, bvh->order);
  if (got)
    th_bvh_refit(bvh);
  else
    th_bvh_free(bvh);
  return got;
}

void th_bvh_free(th_bvh *bvh) {
  if (!bvh->mesh) return;
  TH_GIVE(&bvh->mesh->allocator, bvh->box, 2 * (size_t)bvh->leaves - 1);
  TH_GIVE(&bvh->mesh->allocator, bvh->order, bvh->mesh->face_count);
  *bvh = (th_bvh){0};
}
