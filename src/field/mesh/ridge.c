/* field/mesh/ridge.c - makes sure that no two faces that lead onto their common edge send agents back and forth.
 *
 * Between smooth faces the direction is continuous, and faces that lead by their aim agree on what comes next. Where a
 * smooth face and one with an aim lead onto the edge between them, an agent there slides along the edge, by the
 * weighted mean of both directions that has no part across the edge (Filippov 1960). When that mean does not climb the
 * edge, the smooth face is given an aim too; at walls, which may push agents back over the edge, it is also given one
 * when its own direction does not. Then its other sides are tested again. Every round removes a smooth face, so this
 * ends. Cost: three points per side of the few faces that lead by their aim.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define MIN_CLIMB 0.02 /* of a step that has to lead up along the edge */

static bool is_smooth(const th_face_node *n) { return (n->code & TH_NODE_SMOOTH) != 0; }

/* A face that leads by an aim of its own, except for faces at the goal, which agree with each other. */
static bool leads_by_aim(const th_face_node *n) {
  return (n->code & TH_NODE_REACHES) && !(n->code & (TH_NODE_SMOOTH | TH_NODE_GOAL | TH_FACE_CENTRE));
}

static double linear(const float a[3], th_point p) { return (double)a[0] + (double)a[1] * p.x + (double)a[2] * p.y; }

static th_point climb_at(const th_face_node *n, th_point p) {
  if (is_smooth(n)) return th_unit2d((th_point){linear(n->gx, p), linear(n->gy, p)});
  return th_unit2d(th_minus2d((th_point){(double)n->aim_x, (double)n->aim_y}, p));
}

static bool at_wall(const th_mesh_field_build *d, uint32_t f) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)f;
  return d->kind[corner[0]] == TH_CELL_WALL || d->kind[corner[1]] == TH_CELL_WALL || d->kind[corner[2]] == TH_CELL_WALL;
}

/* Whether walks get stuck on side h between its face and the one beyond. */
static bool traps(const th_mesh_field_build *d, uint32_t h) {
  const th_mesh *m = &d->mesh->mesh;
  const th_mesh_frames *f = &d->mesh->frames;
  const uint32_t twin = m->twin[h];
  const th_point a = th_frames_corner(f, h), b = th_frames_corner(f, th_half_next(h)),
                 along = th_unit2d(th_minus2d(b, a));
  const th_edge_map *map = &f->edge[twin]; /* from the frame beyond to this one */
  const bool wall = at_wall(d, h / 3) || at_wall(d, twin / 3);
  const double up = d->field->climb[th_half_to(m, h)] >= d->field->climb[th_half_from(m, h)] ? 1.0 : -1.0;
  for (int k = 0; k < 3; k++) {
    const double t = 0.05 + 0.45 * k;
    const th_point p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    const th_point q = {map->c * (p.x - map->tx) + map->s * (p.y - map->ty),
                        map->c * (p.y - map->ty) - map->s * (p.x - map->tx)};
    const th_point here = climb_at(&d->field->node[h / 3], p), other = climb_at(&d->field->node[twin / 3], q);
    const th_point there = {map->c * other.x - map->s * other.y, map->s * other.x + map->c * other.y};
    const double out = -th_cross2d(along, here), back = th_cross2d(along, there); /* the face lies left of its side */
    const double one = up * th_dot2d(along, here), two = up * th_dot2d(along, there);
    if (!(back > 0.0)) continue;
    if (wall && !(two > 0.0)) return true;
    if (!(out > 0.0)) continue;
    if (!((one * back + two * out) / (out + back) > MIN_CLIMB && one + two > MIN_CLIMB)) return true;
  }
  return false;
}

static void give_aim(const th_mesh_field_build *d, uint32_t face) {
  th_face_node *node = &d->field->node[face];
  const th_point aim = th_mesh_field_aim(d, face);
  node->aim_x = (float)aim.x;
  node->aim_y = (float)aim.y;
  node->code &= ~TH_NODE_SMOOTH;
}

th_result th_mesh_field_ridges(const th_mesh_field_build *d, th_error *error) {
  const th_mesh *m = &d->mesh->mesh;
  th_face_node *node = d->field->node;
  uint32_t *list = TH_TAKE(d->allocator, uint32_t, d->faces), count = 0;
  if (!list) return th_fail_memory(error, "field");
  for (uint32_t f = 0; f < d->faces; f++)
    if (leads_by_aim(&node[f])) list[count++] = f;
  for (uint32_t at = 0; at < count; at++) {
    for (uint32_t h = 3 * list[at]; h < 3 * list[at] + 3; h++) {
      const uint32_t twin = m->twin[h];
      if (twin == TH_NO_HALF || !is_smooth(&node[twin / 3]) || !traps(d, h)) continue;
      give_aim(d, twin / 3);
      list[count++] = twin / 3;
    }
  }
  TH_GIVE(d->allocator, list, d->faces);
  return TH_OK;
}
