/* view/order.c - sorts agents by (cluster, id) with a counting sort.
 *
 * Sorting makes neighbours contiguous in memory. It also gives any loop over slots an order that depends on places and
 * ids alone, never on history or on the number of workers. Rows are cut into chunks that count and scatter in parallel;
 * a stable scatter makes the result independent of the chunks. Within a cluster a short insertion sort orders the ids.
 * Cost: about 10 ns per agent, one worker.
 */
#include "view/order.h"

#include <math.h>
#include <string.h>

#define MAX_CHUNKS 4
#define NONE UINT32_MAX

static uint32_t cluster_capacity_for(uint32_t capacity) { return capacity * 8 + 16384; }

bool th_order_make(th_order *order, const th_allocator *allocator, uint32_t capacity, uint32_t workers,
                   uint32_t clusters_min) {
  *order = (th_order){.allocator = *allocator, .capacity = capacity};
  order->chunks = workers < MAX_CHUNKS ? workers : MAX_CHUNKS;
  order->cluster_capacity = cluster_capacity_for(capacity);
  if (order->cluster_capacity < clusters_min) order->cluster_capacity = clusters_min;
  size_t padded = (size_t)capacity + 16, clusters = (size_t)order->cluster_capacity + 1;
  order->start = TH_TAKE(allocator, uint32_t, clusters);
  order->tally = TH_TAKE(allocator, uint32_t, clusters * order->chunks);
  float **floats[] = {&order->x, &order->y, &order->vx, &order->vy, &order->radius, &order->share, &order->turned};
  uint32_t **words[] = {&order->row, &order->agent, &order->layers, &order->cluster, &order->slot_of};
  bool made = order->start && order->tally;
  for (size_t i = 0; i < 7; i++) made &= (*floats[i] = TH_TAKE(allocator, float, padded)) != NULL;
  for (size_t i = 0; i < 5; i++) made &= (*words[i] = TH_TAKE(allocator, uint32_t, padded)) != NULL;
  order->body = order->radius;
  if (!made) th_order_free(order);
  return made;
}

void th_order_free(th_order *order) {
  const th_allocator allocator = order->allocator;
  if (!allocator.release) return;
  size_t padded = (size_t)order->capacity + 16, clusters = (size_t)order->cluster_capacity + 1;
  TH_GIVE(&allocator, order->start, clusters);
  TH_GIVE(&allocator, order->tally, clusters * order->chunks);
  float *floats[] = {order->x, order->y, order->vx, order->vy, order->radius, order->share, order->turned};
  uint32_t *words[] = {order->row, order->agent, order->layers, order->cluster, order->slot_of};
  for (size_t i = 0; i < 7; i++) TH_GIVE(&allocator, floats[i], padded);
  for (size_t i = 0; i < 5; i++) TH_GIVE(&allocator, words[i], padded);
  *order = (th_order){0};
}

void th_order_fit(th_order *order, th_vec2 lower, th_vec2 upper, uint32_t count, float area) {
  float width = upper.x - lower.x, height = upper.y - lower.y;
  if (!(area > 0.0f)) area = 1.0f;
  /* ten neighbours at one agent per `area`: pi r^2 = 10 area */
  float side = 1.1f * sqrtf(10.0f * area / 3.14159265f);
  double max = (double)count * 8.0 + 16384.0;
  if (max > order->cluster_capacity) max = order->cluster_capacity;
  for (;; side *= 1.25f) {
    double columns = floor((double)width / (double)side) + 1.0, rows = floor((double)height / (double)side) + 1.0;
    if (columns * rows > max) continue;
    order->grid.columns = (uint32_t)columns;
    order->grid.rows = (uint32_t)rows;
    break;
  }
  order->grid.x0 = lower.x;
  order->grid.y0 = lower.y;
  order->grid.side = side;
  order->grid.inverse = 1.0f / side;
  order->grid.strips = (order->grid.columns + TH_STRIP - 1) / TH_STRIP;
  order->grid.cluster_count = order->grid.columns * order->grid.rows;
}

float th_order_area(const th_order *order) {
  uint32_t held = 0;
  for (uint32_t c = 0; c < order->grid.cluster_count; c++) held += order->start[c + 1] > order->start[c];
  return order->count ? (float)held * order->grid.side * order->grid.side / (float)order->count : 0.0f;
}

typedef struct sort_work {
  th_order *order;
  const th_order_input *input;
} sort_work;

static void chunk_range(const sort_work *work, uint32_t chunk, uint32_t *begin, uint32_t *end) {
  uint64_t count = work->input->count, chunks = work->order->chunks;
  *begin = (uint32_t)(count * chunk / chunks);
  *end = (uint32_t)(count * (chunk + 1) / chunks);
}

/* Finds the cluster under each place, without branches; beyond the border it is the one at the border. On a mesh it is
 * the cluster of the face. Blocked faces belong to none: an agent on one is not seen and does not move. */
static void find_clusters(const sort_work *work, uint32_t begin, uint32_t end) {
  const th_order *order = work->order;
  const uint32_t *cell = work->input->cell, *cluster_of = work->input->cluster_of;
  const float *x = work->input->x, *y = work->input->y, x0 = order->grid.x0, y0 = order->grid.y0,
              inverse = order->grid.inverse;
  const float max_i = (float)(order->grid.columns - 1), max_j = (float)(order->grid.rows - 1);
  const int32_t columns = (int32_t)order->grid.columns;
  int32_t *cluster = (int32_t *)order->cluster;
  for (uint32_t row = begin; cluster_of && row < end; row++) order->cluster[row] = cluster_of[cell[row]];
  for (uint32_t row = begin; !cluster_of && row < end; row++) {
    float i = (x[row] - x0) * inverse, j = (y[row] - y0) * inverse;
    i = i > 0.0f ? i : 0.0f;
    j = j > 0.0f ? j : 0.0f;
    i = i < max_i ? i : max_i;
    j = j < max_j ? j : max_j;
    cluster[row] = (int32_t)j * columns + (int32_t)i;
  }
}

static void count_chunk(void *context, uint32_t first, uint32_t last, uint32_t worker) {
  (void)worker;
  const sort_work *work = context;
  th_order *order = work->order;
  const uint8_t *in = work->input->in;
  for (uint32_t chunk = first; chunk < last; chunk++) {
    uint32_t *tally = order->tally + (size_t)chunk * order->grid.cluster_count, *cluster = order->cluster, begin, end;
    memset(tally, 0, sizeof *tally * order->grid.cluster_count);
    chunk_range(work, chunk, &begin, &end);
    find_clusters(work, begin, end);
    for (uint32_t row = begin; row < end; row++) {
      if (in[row] && cluster[row] != NONE)
        tally[cluster[row]]++;
      else
        cluster[row] = NONE;
    }
  }
}

/* The agents of a chunk follow those of earlier chunks in each cluster, so the scatter is stable in the row: a tally
 * becomes the place of the chunk's first agent in the cluster, and `sum` grows by the tally. */
static void add_tally(uint32_t *restrict tally, uint32_t *restrict sum, uint32_t clusters) {
  for (uint32_t c = 0; c < clusters; c++) {
    uint32_t n = tally[c];
    tally[c] = sum[c];
    sum[c] += n;
  }
}

/* Sums on one thread, chunk by chunk, eight clusters at once. */
static void sum_tallies(th_order *order) {
  uint32_t slot = 0, clusters = order->grid.cluster_count, *start = order->start;
  memset(start, 0, sizeof *start * clusters);
  for (uint32_t k = 0; k < order->chunks; k++) add_tally(order->tally + (size_t)k * clusters, start, clusters);
  for (uint32_t c = 0; c < clusters; c++) {
    uint32_t n = start[c];
    start[c] = slot;
    slot += n;
  }
  start[clusters] = slot;
  order->count = slot;
}

static void scatter_chunk(void *context, uint32_t first, uint32_t last, uint32_t worker) {
  (void)worker;
  const sort_work *work = context;
  th_order *order = work->order;
  for (uint32_t chunk = first; chunk < last; chunk++) {
    uint32_t *next = order->tally + (size_t)chunk * order->grid.cluster_count, *start = order->start, begin, end;
    chunk_range(work, chunk, &begin, &end);
    for (uint32_t row = begin; row < end; row++) {
      uint32_t cluster = order->cluster[row];
      if (cluster == NONE) {
        order->slot_of[row] = NONE;
        continue;
      }
      uint32_t slot = start[cluster] + next[cluster]++;
      order->row[slot] = row;
      order->agent[slot] = work->input->agent[row];
    }
  }
}

static void sort_cluster(th_order *order, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin + 1; i < end; i++) {
    uint32_t agent = order->agent[i], row = order->row[i], k = i;
    for (; k > begin && order->agent[k - 1] > agent; k--) {
      order->agent[k] = order->agent[k - 1];
      order->row[k] = order->row[k - 1];
    }
    order->agent[k] = agent;
    order->row[k] = row;
  }
}

static void copy_places(th_order *order, const th_order_input *in, uint32_t begin, uint32_t end) {
  for (uint32_t slot = begin; slot < end; slot++) {
    uint32_t row = order->row[slot];
    order->slot_of[row] = slot;
    order->x[slot] = in->x[row];
    order->y[slot] = in->y[row];
    order->radius[slot] = in->radius[row];
  }
}

static void copy_bodies(th_order *order, const th_order_input *in, uint32_t begin, uint32_t end) {
  for (uint32_t slot = begin; slot < end; slot++) order->turned[slot] = in->body[order->row[slot]];
}

static void copy_looks(th_order *order, const th_order_input *in, uint32_t begin, uint32_t end) {
  for (uint32_t slot = begin; slot < end; slot++) {
    uint32_t row = order->row[slot];
    order->vx[slot] = in->vx[row];
    order->vy[slot] = in->vy[row];
    order->share[slot] = in->share[row];
    order->layers[slot] = in->layers[row];
  }
}

static void copy_columns(void *context, uint32_t first, uint32_t last, uint32_t worker) {
  (void)worker;
  const sort_work *work = context;
  th_order *order = work->order;
  for (uint32_t c = first; c < last; c++)
    if (order->start[c + 1] - order->start[c] > 1) sort_cluster(order, order->start[c], order->start[c + 1]);
  copy_places(order, work->input, order->start[first], order->start[last]);
  if (work->input->body) copy_bodies(order, work->input, order->start[first], order->start[last]);
  if (work->input->vx) copy_looks(order, work->input, order->start[first], order->start[last]);
}

void th_order_build(th_order *order, th_pool *pool, const th_order_input *input) {
  sort_work work = {order, input};
  order->body = input->body ? order->turned : order->radius;
  th_parallel_for(pool, order->chunks, 1, count_chunk, &work);
  sum_tallies(order);
  th_parallel_for(pool, order->chunks, 1, scatter_chunk, &work);
  th_parallel_for(pool, order->grid.cluster_count, 512, copy_columns, &work);
}
