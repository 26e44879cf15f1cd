/* ground/chart/conformal.c - charts as dynamic planarization makes them.
 *
 * The region is that of the thesis, by edge distances from the patch; LSCM lays it flat with the patch's central
 * triangle pinned (geometry/mesh/conformal_map.h). A region that is not a disc, as round a thin handle, has no such map
 * without tearing: such charts, and those in which an own face would lose its shape, fall back on polar coordinates,
 * which need no explicit cut.
 */
#include "ground/chart/stages.h"

static th_conformal_map_result solve(const th_chart_task *t) {
  th_chart_maker *k = t->maker;
  if (!k->conformal_map.local && !th_conformal_map_make(&k->conformal_map, &k->allocator, t->frames->mesh))
    return TH_CONFORMAL_MAP_MEMORY;
  th_conformal_map_task task = {t->frames, k->map.face, k->map.vertex, k->map.face_count, k->map.vertex_count};
  return th_conformal_map_solve(&k->conformal_map, &task);
}

/* Drops faces that lose their shape; false when that is an own one. */
static bool check_faces(const th_chart_task *t) {
  th_polar_map *map = &t->maker->map;
  uint32_t kept = 0;
  for (uint32_t n = 0; n < map->face_count; n++) {
    uint32_t f = map->face[n];
    th_point p[3];
    for (uint32_t k = 0; k < 3; k++) p[k] = th_chart_corner(t, 3 * f + k);
    double off = th_polar_map_face_off(&t->frames->face[f], p);
    if (off <= TH_CHART_STRETCH) {
      map->off[kept] = (float)off;
      map->face[kept++] = f;
    } else if (t->patches->patch_of[f] == t->patch) {
      return false;
    }
  }
  map->face_count = kept;
  return true;
}

bool th_chart_lay_conformal(const th_chart_task *t) {
  th_polar_map *map = &t->maker->map;
  const th_patches *p = t->patches;
  uint32_t first = p->start[p->first[t->patch]], end = p->start[p->first[t->patch + 1]];
  th_conformal_region(map, t->frames, p->centre[t->patch], p->face + first, end - first, (double)t->def->reach);
  if (map->failed || th_conformal_region_euler(map) != 1) return false;
  th_conformal_map_result result = solve(t);
  if (result == TH_CONFORMAL_MAP_MEMORY) map->failed = true;
  if (result != TH_CONFORMAL_MAP_DONE) return false;
  for (uint32_t n = 0; n < map->vertex_count; n++) {
    th_polar_map_node *node = &map->node[map->vertex[n]];
    node->x = t->maker->conformal_map.at[n].x;
    node->y = t->maker->conformal_map.at[n].y;
    node->key = 0.0; /* distances along edges are no lower bound */
  }
  return check_faces(t);
}
