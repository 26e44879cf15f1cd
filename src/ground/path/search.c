/* ground/path/search.c - the shortest path through triangles, whatever their shape.
 *
 * After Polyanya (Cui, Harabor and Grastien, "Compromise-free pathfinding on a navigation mesh", IJCAI 2017). A node is
 * an interval of a side together with the root from which all its points are seen: the start, or the corner where the
 * path turned last. It is expanded over the face behind the side: what the root sees of the two other sides becomes
 * nodes with the same root, and what lies in the shadow of a corner at an end of the interval becomes nodes with that
 * corner as root. The least length of a path over the interval to the target orders the nodes, so the first path to
 * come out is the shortest. A root that was reached on a shorter path before is dropped; an only successor is expanded
 * at once. Nodes are numbered and ties go to the lower number: the path is a function of the points alone. Cost: about
 * 0.1 us per node; some hundred nodes across a hall with 200 obstacles.
 */
#include "ground/path/search.h"

#include <math.h>

#include "base/lazy_heap.h"

#define HAIR 1e-9  /* [m2] and share of a side */
#define CLOSE 1e-7 /* lengths that are equal [m] */
#define CHILDREN 6
#define NODES_LEAST 1024u
#define NODES_PER_FACE 8u /* more than any search of a face has taken; one that needs more ends early */

typedef struct path_root {
  th_point at;
  double gone;            /* [m] */
  uint32_t point, before; /* its point, TH_NOWHERE: the start; the root before */
} path_root;

typedef struct path_node {
  double left, right; /* shares of the side from its start: the interval as the root sees it */
  uint32_t half;      /* of the face that is entered; TH_NOWHERE: the target is seen from the root */
  uint32_t root;
} path_node;

struct th_path_search {
  th_allocator allocator;
  const th_free_space *space;
  path_node *node;
  path_root *root;
  double *best;    /* the shortest path to each point so far, in this search */
  uint32_t *stamp; /* the search that wrote it */
  uint32_t points; /* of the space, which may be gone before this */
  uint32_t capacity, node_count, root_count, now;
  th_lazy_heap open;
  th_free_spot to;
  uint32_t taken, most;
  bool full;
  double nearest; /* of what was expanded, to the target [m] */
  path_node end;  /* that */
};

void th_path_search_free(th_path_search *s) {
  if (!s) return;
  const th_allocator a = s->allocator;
  TH_GIVE(&a, s->node, s->capacity);
  TH_GIVE(&a, s->root, s->capacity);
  TH_GIVE(&a, s->best, s->points);
  TH_GIVE(&a, s->stamp, s->points);
  th_lazy_heap_free(&s->open, &a);
  TH_GIVE(&a, s, 1);
}

th_path_search *th_path_search_make(const th_free_space *space) {
  const uint32_t nodes = NODES_LEAST + NODES_PER_FACE * space->face_count;
  const th_allocator *a = &space->allocator;
  th_path_search *s = TH_TAKE(a, th_path_search, 1);
  if (!s) return NULL;
  s->allocator = *a;
  s->space = space;
  s->capacity = nodes;
  s->points = space->point_count;
  s->node = TH_TAKE(a, path_node, nodes);
  s->root = TH_TAKE(a, path_root, nodes);
  s->best = TH_TAKE(a, double, space->point_count);
  s->stamp = TH_TAKE(a, uint32_t, space->point_count);
  if (s->node && s->root && s->best && s->stamp && th_lazy_heap_reserve(&s->open, a, nodes)) return s;
  th_path_search_free(s);
  return NULL;
}

/* ---------------------------------------------------------------- geometry of nodes */

/* The ends of a side, left and right as they are seen from where it is entered. */
static void side_of(const th_free_space *space, uint32_t half, th_point *left, th_point *right) {
  *left = th_free_space_corner(space, half);
  *right = th_free_space_corner(space, th_triangulate_next(half));
}

static th_point between(th_point a, th_point b, double t) {
  return (th_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static double apart(th_point a, th_point b) { return th_length2d(th_minus2d(b, a)); }

/* The interval's ends. */
static void ends_of(const th_path_search *s, const path_node *n, th_point *left, th_point *right) {
  th_point a, b;
  side_of(s->space, n->half, &a, &b);
  *left = between(a, b, n->left);
  *right = between(a, b, n->right);
}

/* The least length of a path from the root over the interval to the target. A target on the root's side of the line
 * is as far as its mirror image. */
static double least_left(const th_path_search *s, const path_node *n) {
  const th_point r = s->root[n->root].at;
  th_point t = s->to.at, a, b, left, right;
  if (n->half == TH_NOWHERE) return apart(r, t);
  side_of(s->space, n->half, &a, &b);
  ends_of(s, n, &left, &right);
  const double off = th_free_space_side(a, b, t);
  if (off < 0.0) {
    const th_point e = th_minus2d(b, a);
    const double k = 2.0 * off / th_dot2d(e, e);
    t = (th_point){t.x + k * e.y, t.y - k * e.x};
  }
  if (th_free_space_side(r, left, t) > 0.0) return apart(r, left) + apart(left, t);
  if (th_free_space_side(r, right, t) < 0.0) return apart(r, right) + apart(right, t);
  return apart(r, t);
}

/* The share of the line a -> b at which the ray from r through p crosses it. */
static double crossing(th_point r, th_point p, th_point a, th_point b) {
  const double at_a = th_free_space_side(r, p, a), at_b = th_free_space_side(r, p, b), sum = at_a - at_b;
  if (fabs(sum) < 1e-300) return 0.0;
  const double t = at_a / sum;
  return t < HAIR ? 0.0 : t > 1.0 - HAIR ? 1.0 : t;
}

/* ---------------------------------------------------------------- successors */

/* A root at a corner; TH_NOWHERE when a shorter path to it is known, or when memory ends. */
static uint32_t turn_at(th_path_search *s, uint32_t before, uint32_t point) {
  const path_root *from = &s->root[before];
  const th_point at = s->space->point[point];
  const double gone = from->gone + apart(from->at, at);
  if (s->stamp[point] == s->now && s->best[point] < gone - CLOSE) return TH_NOWHERE;
  s->full = s->full || s->root_count == s->capacity;
  if (s->full) return TH_NOWHERE;
  s->stamp[point] = s->now;
  s->best[point] = gone;
  s->root[s->root_count] = (path_root){at, gone, point, before};
  return s->root_count++;
}

/* Nodes over one face. */
typedef struct successors {
  path_node node[CHILDREN];
  uint32_t count;
} successors;

/* `half`: the side of the face that is left; the interval is seen from inside. */
static void add(const th_path_search *s, successors *to, uint32_t half, double left, double right, uint32_t root) {
  const uint32_t twin = s->space->twin[half];
  if (twin == TH_NOWHERE || root == TH_NOWHERE || right - left < HAIR) return;
  to->node[to->count++] = (path_node){left, right, twin, root};
}

/* The face's corners a, c, b from left to right, as the root sees them through the interval on a b. */
typedef struct face_view {
  const path_node *node;
  uint32_t left_side, right_side; /* half-edges of a c and c b */
  th_point a, b, c, root, left, right;
} face_view;

/* The shadow behind the left end, when that is a corner: all of a c, and c b up to where the view begins. */
static void add_left_shadow(th_path_search *s, successors *to, const face_view *v, double seen) {
  const uint32_t point = s->space->corner[v->node->half];
  if (v->node->left > 0.0 || !s->space->turns[point]) return;
  const uint32_t root = turn_at(s, v->node->root, point);
  add(s, to, v->left_side, 0.0, 1.0, root);
  add(s, to, v->right_side, 0.0, seen, root);
}

static void add_right_shadow(th_path_search *s, successors *to, const face_view *v, double seen) {
  const uint32_t point = s->space->corner[th_triangulate_next(v->node->half)];
  if (v->node->right < 1.0 || !s->space->turns[point]) return;
  const uint32_t root = turn_at(s, v->node->root, point);
  add(s, to, v->right_side, 0.0, 1.0, root);
  add(s, to, v->left_side, seen, 1.0, root);
}

static void list_successors(th_path_search *s, const path_node *n, successors *to) {
  face_view v = {n, th_triangulate_prev(n->half), th_triangulate_next(n->half), .root = s->root[n->root].at};
  side_of(s->space, n->half, &v.a, &v.b);
  v.c = th_free_space_corner(s->space, v.left_side);
  ends_of(s, n, &v.left, &v.right);
  to->count = 0;
  const bool beyond_left = th_free_space_side(v.root, v.left, v.c) > HAIR;
  const bool beyond_right = th_free_space_side(v.root, v.right, v.c) < -HAIR;
  if (beyond_left) {
    const double from = crossing(v.root, v.left, v.c, v.b);
    const double until = n->right >= 1.0 ? 1.0 : crossing(v.root, v.right, v.c, v.b);
    add(s, to, v.right_side, from, until, n->root);
    add_left_shadow(s, to, &v, from);
  } else if (beyond_right) {
    const double from = n->left <= 0.0 ? 0.0 : crossing(v.root, v.left, v.a, v.c);
    const double until = crossing(v.root, v.right, v.a, v.c);
    add(s, to, v.left_side, from, until, n->root);
    add_right_shadow(s, to, &v, until);
  } else {
    add(s, to, v.left_side, n->left <= 0.0 ? 0.0 : crossing(v.root, v.left, v.a, v.c), 1.0, n->root);
    add(s, to, v.right_side, 0.0, n->right >= 1.0 ? 1.0 : crossing(v.root, v.right, v.c, v.b), n->root);
  }
}

/* The node of the target's own face: seen from the root, or round a corner at the interval's end. */
static void list_target(th_path_search *s, const path_node *n, successors *to) {
  th_point left, right;
  const th_point r = s->root[n->root].at;
  uint32_t root = n->root, point = TH_NOWHERE;
  bool at_end = true;
  ends_of(s, n, &left, &right);
  to->count = 0;
  if (th_free_space_side(r, left, s->to.at) > HAIR)
    point = s->space->corner[n->half], at_end = n->left <= 0.0;
  else if (th_free_space_side(r, right, s->to.at) < -HAIR)
    point = s->space->corner[th_triangulate_next(n->half)], at_end = n->right >= 1.0;
  if (point != TH_NOWHERE) root = at_end && s->space->turns[point] ? turn_at(s, n->root, point) : TH_NOWHERE;
  if (root != TH_NOWHERE) to->node[to->count++] = (path_node){0.0, 0.0, TH_NOWHERE, root};
}

/* ---------------------------------------------------------------- the search */

static bool outdone(const th_path_search *s, const path_node *n) {
  const path_root *r = &s->root[n->root];
  return r->point != TH_NOWHERE && s->best[r->point] < r->gone - CLOSE;
}

static void push(th_path_search *s, const path_node *n) {
  if (outdone(s, n)) return;
  s->full = s->full || s->node_count == s->capacity;
  if (s->full) return;
  const double length = s->root[n->root].gone + least_left(s, n);
  th_lazy_heap_push(&s->open, th_lazy_key((float)length, s->node_count));
  s->node[s->node_count++] = *n;
}

static void note_nearest(th_path_search *s, const path_node *n) {
  th_point left, right;
  ends_of(s, n, &left, &right);
  const double far = apart(between(left, right, 0.5), s->to.at);
  if (far < s->nearest) s->nearest = far, s->end = *n;
}

/* Goes on as long as there is one successor. */
static void expand(th_path_search *s, path_node n) {
  successors next;
  for (;;) {
    s->taken++;
    note_nearest(s, &n);
    const bool there = n.half / 3 == s->to.face;
    if (there)
      list_target(s, &n, &next);
    else
      list_successors(s, &n, &next);
    s->full = s->full || s->taken >= s->most;
    if (there || next.count != 1 || s->full) break;
    n = next.node[0];
    if (outdone(s, &n)) return;
  }
  for (uint32_t k = 0; k < next.count; k++) push(s, &next.node[k]);
}

static void begin(th_path_search *s, th_free_spot from, th_free_spot to) {
  s->now++;
  s->node_count = s->open.count = s->taken = 0;
  s->root[0] = (path_root){from.at, 0.0, TH_NOWHERE, TH_NOWHERE};
  s->root_count = 1;
  s->to = to;
  s->full = false;
  s->nearest = HUGE_VAL;
  if (from.face == to.face) push(s, &(path_node){.half = TH_NOWHERE});
  for (uint32_t h = 3 * from.face; h < 3 * from.face + 3; h++)
    if (s->space->twin[h] != TH_NOWHERE) push(s, &(path_node){0.0, 1.0, s->space->twin[h], 0});
}

/* The corners up to a root and then the end, the first `capacity` of them. */
static th_path_found told(const th_path_search *s, uint32_t root, th_point end, th_point *corner, uint32_t capacity) {
  th_path_found found = {.count = 1, .nodes = s->taken};
  found.length = s->root[root].gone + apart(s->root[root].at, end);
  for (uint32_t r = root; s->root[r].before != TH_NOWHERE; r = s->root[r].before) found.count++;
  uint32_t at = found.count - 1;
  if (at < capacity) corner[at] = end;
  for (uint32_t r = root; s->root[r].before != TH_NOWHERE; r = s->root[r].before)
    if (--at < capacity) corner[at] = s->root[r].at;
  return found;
}

th_path_found th_path_search_run(th_path_search *s, const th_free_spot end[2], uint32_t most, th_point *corner,
                                 uint32_t capacity) {
  const th_free_space *space = s->space;
  const th_free_spot from = end[0], to = end[1];
  if (from.face == TH_NOWHERE || to.face == TH_NOWHERE || space->part[from.face] != space->part[to.face])
    return (th_path_found){0};
  s->most = most;
  begin(s, from, to);
  while (s->open.count && !s->full) {
    const path_node n = s->node[th_lazy_number(th_lazy_heap_pop(&s->open))];
    if (outdone(s, &n)) continue;
    if (n.half == TH_NOWHERE) {
      th_path_found found = told(s, n.root, to.at, corner, capacity);
      found.whole = true;
      return found;
    }
    expand(s, n);
  }
  if (s->nearest == HUGE_VAL) return (th_path_found){.nodes = s->taken};
  th_point left, right;
  ends_of(s, &s->end, &left, &right);
  return told(s, s->end.root, between(left, right, 0.5), corner, capacity);
}
