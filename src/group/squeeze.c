/* group/squeeze.c - posts where there is no room for all of them side by side.
 *
 * Row by row from the front: a row that fits keeps its shape, one that nearly fits moves closer together or aside, and
 * one that does not fit becomes ranks of as many files as there is room for, the middle of the row first. What comes
 * behind waits for it, and comes closer again as soon as there is room. Places are a function of the front alone, so
 * nothing is remembered and nothing flickers. Cost: some 20 ns per post.
 */
#include <math.h>

#include "group/formation.h"

/* Posts of one row, or of a rank of it. */
typedef struct rank {
  th_post *post;
  uint32_t count;
} rank;

static uint32_t files_at(const th_squeeze *q, float along) {
  const th_free_sides free = q->sides(q->path, along);
  const float width = fminf(free.left + free.right, 1e4f);
  return width > 0.0f ? 1u + (uint32_t)(width / q->tight) : 1u;
}

/* How many of a rank lie to the right of a post. */
static uint32_t order_of(rank r, const th_post *post) {
  uint32_t below = 0;
  for (uint32_t i = 0; i < r.count; i++)
    below += r.post[i].lateral < post->lateral || (r.post[i].lateral == post->lateral && &r.post[i] < post);
  return below;
}

/* Moves the posts of a rank between the walls: as they are, aside, or closer together in equal distances. */
static void fit(const th_squeeze *q, rank r, float along) {
  const th_free_sides free = q->sides(q->path, along);
  float low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < r.count; i++) {
    low = fminf(low, r.post[i].lateral);
    high = fmaxf(high, r.post[i].lateral);
  }
  const float left = fmaxf(free.left, -free.right), room = fmaxf(left + free.right, 0.0f);
  const float span = fminf(high - low, room), step = r.count > 1 ? span / (float)(r.count - 1) : 0.0f;
  const float middle = fmaxf(-free.right + 0.5f * span, fminf(left - 0.5f * span, 0.5f * (low + high)));
  for (uint32_t i = 0; i < r.count; i++) {
    const float shifted = r.post[i].lateral + middle - 0.5f * (low + high);
    r.post[i].aside = span < high - low ? middle - 0.5f * span + step * (float)order_of(r, &r.post[i]) : shifted;
  }
}

/* Ranks of a row that does not fit; returns where the last one is. */
static float file(const th_squeeze *q, rank row, float along) {
  for (uint32_t first = 0; first < row.count; along -= q->gap) {
    const uint32_t files = files_at(q, along), left = row.count - first;
    const rank r = {row.post + first, files < left ? files : left};
    for (uint32_t i = 0; i < r.count; i++) r.post[i].along = along;
    fit(q, r, along);
    first += r.count;
  }
  return along + q->gap;
}

void th_formation_squeeze(const th_squeeze *q, th_post *post, uint32_t count) {
  float limit = INFINITY; /* of the next row, when those before it are late */
  for (uint32_t first = 0, end; first < count; first = end) {
    float nearest = post[first].depth, farthest = nearest;
    for (end = first; end < count && post[end].row == post[first].row; end++) {
      nearest = fminf(nearest, post[end].depth);
      farthest = fmaxf(farthest, post[end].depth);
    }
    const float along = fminf(q->front - nearest, limit);
    const rank row = {post + first, end - first};
    if (files_at(q, along) >= row.count) {
      for (uint32_t i = 0; i < row.count; i++) row.post[i].along = along - (row.post[i].depth - nearest);
      fit(q, row, along);
      limit = along < q->front - nearest ? along - (farthest - nearest) - q->gap : INFINITY;
    } else {
      limit = file(q, row, along) - q->gap;
    }
  }
}
