/* view/order.h - agents sorted by place, once per step. */
#ifndef TH_VIEW_ORDER_H
#define TH_VIEW_ORDER_H

#include "base/memory.h"
#include "base/tasks.h"

/* Flat ground: clusters are squares with sides of `side` [m], numbered row by row; a patch is a strip of up to 32
 * clusters of one row. Mesh ground: clusters and patches are those of th_patches, and x, y lie in the frames of faces.
 * Slots are sorted by (cluster, id), so a patch, and on flat ground a run of clusters within a row, is a run of
 * slots. */
#define TH_STRIP 32

/* The clusters of the last fit: they determine rows and sums until the next one. On a mesh they form one column without
 * a size.
 */
typedef struct th_cluster_grid {
  float x0, y0, side, inverse; /* lower left corner, width of a cluster [m]; 1 / side */
  uint32_t columns, rows, strips, cluster_count;
} th_cluster_grid;

typedef struct th_order {
  th_allocator allocator;
  th_cluster_grid grid;
  uint32_t cluster_capacity;
  const uint32_t *patch_first; /* mesh ground: first cluster of each patch, patch_count + 1; NULL on flat ground */
  uint32_t patch_count;
  uint32_t *start; /* first slot of each cluster; cluster_count + 1 entries */
  uint32_t count, capacity;
  uint32_t *row, *agent;                   /* slot -> row of the caller's arrays, index of the agent's id */
  float *x, *y, *vx, *vy, *radius, *share; /* columns by slot, 16 entries of padding */
  float *body;   /* half width towards other agents [m]: `turned`, or `radius` where nobody turns its shoulders */
  float *turned; /* storage of `body` */
  uint32_t *layers;
  uint32_t *cluster, *slot_of; /* row -> cluster (UINT32_MAX: not in the world), row -> slot */
  uint32_t chunks, *tally;     /* one histogram per chunk of rows */
  /* The caller's; both may be set too generously, which costs time only. */
  bool layered;     /* some agent is not in layer 1 alone, or does not see it */
  float radius_max; /* no body is larger [m] */
} th_order;

/* The caller's arrays, by row. `in` is 0 for rows that are not in the world. When no agent sees others, `vx` may be
 * NULL: then vx, vy, share and layers are not written. */
typedef struct th_order_input {
  uint32_t count;
  const uint8_t *in;
  const uint32_t *agent, *layers;
  const uint32_t *cell, *cluster_of; /* mesh ground: face of each row, cluster of each face; NULL on flat ground */
  const float *x, *y, *vx, *vy, *radius, *share;
  const float *body; /* NULL: nobody is narrower than its radius */
} th_order_input;

/* Reserves memory for `capacity` agents and the clusters that th_order_fit may ask for. On failure it frees what it
 * took. `clusters`: the least number of clusters; on a mesh it does not follow from the number of agents. */
bool th_order_make(th_order *order, const th_allocator *allocator, uint32_t capacity, uint32_t workers,
                   uint32_t clusters);
void th_order_free(th_order *order);

/* Chooses the cluster side for `count` agents each of which occupies about `area` [m2] on ground of the given box: 1.1
 * times the radius that holds ten neighbours, larger where the ground would need too many clusters. */
void th_order_fit(th_order *order, th_vec2 lower, th_vec2 upper, uint32_t count, float area);

/* Area per agent [m2], from the share of clusters that hold an agent; the input of the next th_order_fit. */
float th_order_area(const th_order *order);

void th_order_build(th_order *order, th_pool *pool, const th_order_input *input);

static inline uint32_t th_order_patches(const th_order *order) {
  return order->patch_first ? order->patch_count : order->grid.strips * order->grid.rows;
}

/* Clusters of a patch: [*first, *last), on flat ground of one row. */
static inline void th_order_patch(const th_order *order, uint32_t patch, uint32_t *first, uint32_t *last) {
  if (order->patch_first) {
    *first = order->patch_first[patch];
    *last = order->patch_first[patch + 1];
    return;
  }
  uint32_t row = patch / order->grid.strips, column = patch % order->grid.strips * TH_STRIP;
  uint32_t end = column + TH_STRIP < order->grid.columns ? column + TH_STRIP : order->grid.columns;
  *first = row * order->grid.columns + column;
  *last = row * order->grid.columns + end;
}

#endif
