/* lab/biocrowds/chases.c - pursuit, collaboration, escape, and all of them at once.
 *
 * The scenes are those of scenes/biocrowds, the published form of the tree (it may see through walls), run with twenty
 * seeds, which change markers, growth and the wanderer. The figure is that of seed 1. The obstacle layouts of the
 * thesis are lost; ours is one block of 4 m x 12 m in the middle of 46 m x 32 m, in T5 two of 6 m x 6 m. Cost: 0.2 to 1
 * s per seed.
 */
#include "lab/biocrowds/observe.h"

#define BLOCK_WEST 20.0
#define BLOCK_EAST 24.0
#define BLOCK_MIDDLE 16.0
#define TREES "tree,key,path,area"

static th_bio_tree tree[5]; /* too large for a stack */

/* ---------------------------------------------------------------- T2 */

typedef struct pursuit {
  bool had, caught, changed;
  int side; /* of the block on which the best path passes it; 0: none yet */
  uint32_t losses, left;
  double seconds;
} pursuit;

/* Which side of the block a path takes: -1 south, 1 north, 0: it does not pass it. */
static int side_of_path(const th_bio_tree *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    const double x = (double)t->node[i].point.x, y = (double)t->node[i].point.y;
    if (t->node[i].on_path && x > BLOCK_WEST && x < BLOCK_EAST) return y > BLOCK_MIDDLE ? 1 : -1;
  }
  return 0;
}

static bool look_at_pursuit(void *user, th_world *world, uint32_t step) {
  pursuit *p = user;
  if (!step) return true;
  th_bio_look(world, 2, &tree[0]);
  if (p->had && !tree[0].state.reached) {
    p->losses++;
    p->left += th_bio_left_near(&tree[0], th_bio_before(world, 1), 10.0);
  }
  p->had = tree[0].state.reached;
  const int side = side_of_path(&tree[0]);
  p->changed |= side && p->side && side != p->side;
  if (side) p->side = side;
  p->caught = th_bio_arrived(world, 2);
  p->seconds = th_world_time(world);
  return !p->caught;
}

th_result th_bio_pursuit(th_lab *lab, th_error *error) {
  const double n = th_bio_runs(lab);
  double caught = 0, losses = 0, left = 0, changed = 0, seconds = 0, latest = 0;
  const th_figure_def figure = th_lab_moment("Pursuit of a wanderer, 8 s", TREES);
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    pursuit p = {0};
    th_result result = th_lab_run_scene(lab,
                                        &(th_lab_run){.scene = "biocrowds/pursuit",
                                                      .seed = seed,
                                                      .look = look_at_pursuit,
                                                      .user = &p,
                                                      .figure = seed == lab->first ? &figure : NULL,
                                                      .moment = 240},
                                        error);
    if (result) return result;
    caught += p.caught, losses += p.losses, left += p.left, changed += p.changed;
    seconds += p.seconds / n, latest = fmax(latest, p.seconds);
  }
  th_bio_claim(lab, "share of runs in which a wanderer of half the speed is caught within 180 s", "", caught / n, 1, 1);
  th_bio_claim(lab, "caught after, mean", "s", seconds, 15, 60);
  th_bio_claim(lab, "latest", "s", latest, 15, 180);
  th_bio_claim(lab, "times that the target drops off the tree in a run, mean", "", losses / n, 1, INFINITY);
  th_bio_claim(lab, "nodes within 10 m of it after that, but for the root and new ones", "", left, 0, 0);
  th_bio_claim(lab, "share of runs in which the path changes to the other side of the block", "", changed / n, 0.05, 1);
  return TH_OK;
}

/* ---------------------------------------------------------------- T3 */

typedef struct collaboration {
  uint32_t shared, left, looks, crossings, caught;
  double y[2]; /* where each passed the middle of the block; 0: not yet */
} collaboration;

static bool look_at_collaboration(void *user, th_world *world, uint32_t step) {
  collaboration *c = user;
  if (!step) return true;
  for (uint32_t k = 0; k < 2; k++) {
    const th_vec3 at = th_bio_at(world, 2 + k);
    if (at.x < 22.0f) c->y[k] = (double)at.y;
    th_bio_look(world, 2 + k, &tree[k]);
  }
  c->caught = (uint32_t)th_bio_arrived(world, 2) + (uint32_t)th_bio_arrived(world, 3);
  if (c->caught) return c->caught < 2; /* the tree of an agent that has arrived stays as it is */
  c->shared += th_bio_shared(&tree[0], &tree[1]);
  c->left += th_bio_left_near(&tree[0], th_bio_before(world, 3), 2.5);
  c->left += th_bio_left_near(&tree[1], th_bio_before(world, 2), 2.5);
  if (step % 15) return true;
  c->looks++;
  c->crossings += th_bio_cross(&tree[0], &tree[1]);
  return true;
}

th_result th_bio_collaboration(th_lab *lab, th_error *error) {
  const double n = th_bio_runs(lab);
  double shared = 0, left = 0, both = 0, caught = 0, looks = 0, crossings = 0;
  const th_figure_def figure = th_lab_moment("Two collaborators, 5 s", TREES);
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    collaboration c = {0};
    th_result result = th_lab_run_scene(lab,
                                        &(th_lab_run){.scene = "biocrowds/collaboration",
                                                      .seed = seed,
                                                      .look = look_at_collaboration,
                                                      .user = &c,
                                                      .figure = seed == lab->first ? &figure : NULL,
                                                      .moment = 150},
                                        error);
    if (result) return result;
    shared += c.shared, left += c.left, looks += c.looks, crossings += c.crossings;
    both += (c.y[0] > BLOCK_MIDDLE) != (c.y[1] > BLOCK_MIDDLE);
    caught += c.caught > 0;
  }
  th_bio_claim(lab, "markers that two trees retain, all steps", "", shared, 0, 0);
  th_bio_claim(lab, "nodes within 2.5 m of the other's body after pruning", "", left, 0, 0);
  th_bio_claim(lab, "share of looks at which the two trees cross", "", crossings / looks, 0, 0);
  th_bio_claim(lab, "share of runs in which they pass the block on both sides", "", both / n, 0.5, 1);
  th_bio_claim(lab, "share of runs in which one of them catches the wanderer within 90 s", "", caught / n, 0.9, 1);
  return TH_OK;
}

/* ---------------------------------------------------------------- T4 */

typedef struct escape {
  bool out;
  uint32_t left, growth; /* growth: steps until a node lay outside */
  double nearest, seconds;
} escape;

static const th_vec3 middle = {23.0f, 16.0f, 0.0f}; /* of the four guards, 6 sqrt(2) m from each */

static bool look_at_escape(void *user, th_world *world, uint32_t step) {
  escape *e = user;
  if (!step) return true;
  th_bio_look(world, 5, &tree[0]);
  if (!e->growth && tree[0].state.reached) e->growth = step;
  for (uint32_t guard = 1; guard <= 4; guard++) {
    e->nearest = fmin(e->nearest, th_bio_apart(th_bio_at(world, 5), th_bio_at(world, guard)));
    e->left += th_bio_left_near(&tree[0], th_bio_before(world, guard), 2.5);
  }
  e->seconds = th_world_time(world);
  e->out = th_bio_apart(th_bio_at(world, 5), middle) > 6.0 * sqrt(2.0);
  return !e->out;
}

th_result th_bio_escape(th_lab *lab, th_error *error) {
  const double n = th_bio_runs(lab);
  double out = 0, left = 0, nearest = INFINITY, seconds = 0, growth = 0;
  const th_figure_def figure = th_lab_moment("Escape from four guards, 2 s", TREES);
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    escape e = {.nearest = INFINITY};
    th_result result = th_lab_run_scene(lab,
                                        &(th_lab_run){.scene = "biocrowds/escape",
                                                      .seed = seed,
                                                      .look = look_at_escape,
                                                      .user = &e,
                                                      .figure = seed == lab->first ? &figure : NULL,
                                                      .moment = 60},
                                        error);
    if (result) return result;
    out += e.out, left += e.left, nearest = fmin(nearest, e.nearest);
    seconds += e.seconds / n, growth += (double)e.growth / n;
  }
  th_bio_claim(lab, "share of runs in which the fugitive leaves the circle within 30 s", "", out / n, 1, 1);
  th_bio_claim(lab, "after, mean", "s", seconds, 4.7, 15);
  th_bio_claim(lab, "steps until a node lies outside, 8.5 m off, mean", "", growth, 14, 30);
  th_bio_claim(lab, "nearest to a guard", "m", nearest, 1e-3, INFINITY);
  th_bio_claim(lab, "nodes within 2.5 m of a guard after pruning", "", left, 0, 0);
  return TH_OK;
}

/* ---------------------------------------------------------------- T5 */

#define FIRST_CIRCLE 27.0 /* [m]: left end of the smallest circle round all five at the start */

typedef struct hunt {
  uint32_t outside, shared, caught;
  bool arrived[5];
  double west, gone[5]; /* the fugitive's least x; distance walked in the second half minute [m] */
} hunt;

static bool look_at_hunt(void *user, th_world *world, uint32_t step) {
  hunt *h = user;
  if (!step) return true;
  for (uint32_t k = 0; k < 5; k++) th_bio_look(world, 1 + k, &tree[k]);
  const th_tree_state *own = &tree[0].state;
  for (uint32_t k = 0; k < 5; k++) {
    h->outside += own->does == TH_TREE_ESCAPES &&
                  th_bio_apart(th_bio_before(world, 1 + k), own->area) > (double)own->area_radius + 1e-3;
    if (step > 900) h->gone[k] += th_bio_apart(th_bio_before(world, 1 + k), th_bio_at(world, 1 + k));
    for (uint32_t j = 1; j < k; j++)
      if (!th_bio_arrived(world, 1 + k) && !th_bio_arrived(world, 1 + j))
        h->shared += th_bio_shared(&tree[k], &tree[j]);
  }
  h->caught = 0;
  for (uint32_t k = 2; k <= 5; k++) h->caught += h->arrived[k - 1] = th_bio_arrived(world, k);
  if (!h->caught) h->west = fmin(h->west, (double)th_bio_at(world, 1).x);
  return true;
}

th_result th_bio_hunt(th_lab *lab, th_error *error) {
  const double n = th_bio_runs(lab);
  double outside = 0, shared = 0, able = 0, west = 0, crossed = 0, caught = 0;
  const th_figure_def figure = th_lab_moment("Four hunters, one fugitive, 6 s", TREES);
  for (uint64_t seed = lab->first; seed <= lab->last; seed++) {
    hunt h = {.west = 46};
    th_result result = th_lab_run_scene(lab,
                                        &(th_lab_run){.scene = "biocrowds/hunt",
                                                      .seed = seed,
                                                      .look = look_at_hunt,
                                                      .user = &h,
                                                      .figure = seed == lab->first ? &figure : NULL,
                                                      .moment = 180},
                                        error);
    if (result) return result;
    outside += h.outside, shared += h.shared, west += h.west / n, caught += h.caught > 0;
    crossed += h.west < FIRST_CIRCLE;
    for (int k = 1; k < 5; k++) able += h.gone[k] > 1.0 || h.arrived[k];
  }
  th_bio_claim(lab, "agents outside the fugitive's circle, all steps", "", outside, 0, 0);
  th_bio_claim(lab, "markers that two pursuers' trees retain", "", shared, 0, 0);
  th_bio_claim(lab, "pursuers of 4 that get on in the second half minute, or are there, mean", "", able / n, 4, 4);
  th_bio_claim(lab, "least x of the fugitive before it is caught, from 38 m, mean", "m", west, 0, FIRST_CIRCLE);
  th_bio_claim(lab, "share of runs in which it gets beyond its first circle, to the left", "", crossed / n, 0.5, 1);
  th_bio_claim(lab, "share of runs in which it is caught within 60 s", "", caught / n, 0.5, 1);
  return TH_OK;
}
