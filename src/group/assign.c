/* group/assign.c - gives each member a post so that the sum of distances is least.
 *
 * Up to TH_ASSIGN_EXACT members by shortest augmenting paths with potentials (the Hungarian method; Jonker and
 * Volgenant 1987): n^3, 2 ms for 128. More of them begin with posts in the order of members and exchange pairs as
 * long as that shortens the sum: n^2 per round, at most 8 rounds; the result is some percent longer. Ties fall to the
 * lower number, so the same members always get the same posts.
 */
#include <math.h>
#include <string.h>

#include "group/formation.h"

#define ROUNDS 8
#define FIRST_BONUS 1e6 /* [m]: a leader gets the first post wherever it stands */

typedef struct assign {
  const th_vec2 *member, *post;
  uint32_t count, first;
} assign;

/* Columns of the method; entry 0 stands for nobody. */
typedef struct columns {
  double *u, *v, *least;
  uint32_t *member_of, *before;
  uint8_t *used;
} columns;

size_t th_assign_work(uint32_t count) {
  return ((size_t)count + 1) * (3 * sizeof(double) + 2 * sizeof(uint32_t) + sizeof(double));
}

static columns cut(void *work, uint32_t count) {
  const size_t n = (size_t)count + 1;
  columns c;
  c.u = work, c.v = c.u + n, c.least = c.v + n;
  c.member_of = (uint32_t *)(void *)(c.least + n), c.before = c.member_of + n;
  c.used = (uint8_t *)(c.before + n);
  return c;
}

static double cost(const assign *a, uint32_t member, uint32_t post) {
  const double dx = (double)a->post[post].x - a->member[member].x, dy = (double)a->post[post].y - a->member[member].y;
  return sqrt(dx * dx + dy * dy) - (member == a->first && post == 0 ? FIRST_BONUS : 0.0);
}

/* One more member, `i` counted from 1: the cheapest chain of exchanges that ends at a free post. */
static void augment(const assign *a, columns *c, uint32_t i) {
  uint32_t at = 0;
  c->member_of[0] = i;
  for (uint32_t j = 0; j <= a->count; j++) c->least[j] = INFINITY, c->used[j] = 0;
  do {
    c->used[at] = 1;
    const uint32_t member = c->member_of[at];
    uint32_t next = 0;
    double delta = INFINITY;
    for (uint32_t j = 1; j <= a->count; j++) {
      if (c->used[j]) continue;
      const double now = cost(a, member - 1, j - 1) - c->u[member] - c->v[j];
      if (now < c->least[j]) c->least[j] = now, c->before[j] = at;
      if (c->least[j] < delta) delta = c->least[j], next = j;
    }
    for (uint32_t j = 0; j <= a->count; j++) {
      if (c->used[j])
        c->u[c->member_of[j]] += delta, c->v[j] -= delta;
      else
        c->least[j] -= delta;
    }
    at = next;
  } while (c->member_of[at]);
  for (uint32_t j; at; at = j) {
    j = c->before[at];
    c->member_of[at] = c->member_of[j];
  }
}

static void assign_exactly(const assign *a, uint32_t *post_of, void *work) {
  columns c = cut(work, a->count);
  memset(work, 0, th_assign_work(a->count));
  for (uint32_t i = 1; i <= a->count; i++) augment(a, &c, i);
  for (uint32_t j = 1; j <= a->count; j++) post_of[c.member_of[j] - 1] = j - 1;
}

/* Exchanges two members where that shortens the sum; false when no pair gains. */
static bool exchange(const assign *a, uint32_t *post_of) {
  bool gained = false;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = i + 1; k < a->count; k++) {
      const uint32_t p = post_of[i], q = post_of[k];
      if (cost(a, i, q) + cost(a, k, p) >= cost(a, i, p) + cost(a, k, q) - 1e-6) continue;
      post_of[i] = q, post_of[k] = p;
      gained = true;
    }
  return gained;
}

void th_assign_posts(const th_vec2 *member, const th_vec2 *post, uint32_t count, uint32_t first, uint32_t *post_of,
                     void *work) {
  const assign a = {member, post, count, first};
  if (count <= TH_ASSIGN_EXACT) {
    assign_exactly(&a, post_of, work);
    return;
  }
  for (uint32_t i = 0; i < count; i++) post_of[i] = i;
  for (uint32_t round = 0; round < ROUNDS && exchange(&a, post_of); round++) {
  }
}
