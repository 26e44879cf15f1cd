/* guide/explore/mesh.c - exploring mesh ground: the map is the mesh.
 *
 * The map stores a state per vertex: unknown, free, or blocked for the radius class of the largest explorer, as for
 * fields. So the mesh's own weights relax the potential (3DS-BVP), the slope between a face's corners gives the
 * direction on it, and nothing depends on how the faces lie in space. Like a field, an exploration needs a mesh whose
 * passages have vertices in their middle. Where walls are too near for a body, the nearest free vertices of fields give
 * the route out; they are found again for each version of the ground. Memory: about 110 bytes per vertex, most of it
 * scratch memory for the sweeps; it is part of the block because a step allocates nothing.
 */
#include "guide/explore/mesh.h"

#include <math.h>

/* ---------------------------------------------------------------- memory */

/* Scratch memory: the largest of the sweeps' weights, a heap of all vertices, and the search for a goal's vertices. */
static size_t room_of(const th_mesh *mesh) {
  size_t vertices = mesh->vertex_count, faces = mesh->face_count;
  size_t weights = 3 * faces * sizeof(double), heap = vertices * (sizeof(th_heap_entry) + sizeof(uint32_t)) + 128;
  size_t goal = 5 * vertices + 6 * faces + 1024, max = weights > heap ? weights : heap;
  return th_explore_rounded(max > goal ? max : goal);
}

enum { HEAD, U, LEFT, MARK, OWNER, FAR, STAMP, LIST, CELL, ROW, NEIGHBOUR, ROOM, PARTS };

/* Where each part of a block begins; returns the block's size. */
static size_t lay_out(const th_mesh *mesh, size_t *begin) {
  const size_t vertices = mesh->vertex_count, halves = 3 * (size_t)mesh->face_count;
  const size_t size[PARTS] = {[HEAD] = sizeof(th_explore_head),        [U] = vertices * sizeof(double),
                              [LEFT] = vertices * sizeof(float),       [MARK] = vertices,
                              [OWNER] = vertices * sizeof(uint32_t),   [FAR] = vertices * sizeof(double),
                              [STAMP] = vertices * sizeof(uint32_t),   [LIST] = vertices * sizeof(uint32_t),
                              [CELL] = vertices * sizeof(uint32_t),    [ROW] = (vertices + 1) * sizeof(uint32_t),
                              [NEIGHBOUR] = halves * sizeof(uint32_t), [ROOM] = room_of(mesh)};
  size_t at = 0;
  for (int k = 0; k < PARTS; k++) {
    begin[k] = at;
    at += th_explore_rounded(size[k]);
  }
  return at;
}

size_t th_explore_mesh_size(const th_ground *ground) {
  size_t begin[PARTS];
  return lay_out(&ground->mesh->mesh, begin);
}

th_explore_mesh th_explore_mesh_open(const void *memory, const th_ground *ground) {
  size_t begin[PARTS];
  uint8_t *at = (uint8_t *)(uintptr_t)memory;
  const th_mesh *mesh = &ground->mesh->mesh;
  lay_out(mesh, begin);
  return (th_explore_mesh){.head = (void *)at,
                           .ground = ground,
                           .mesh_ground = ground->mesh,
                           .mesh = mesh,
                           .u = (void *)(at + begin[U]),
                           .left = (void *)(at + begin[LEFT]),
                           .mark = at + begin[MARK],
                           .nearest_free = {(void *)(at + begin[OWNER]), (void *)(at + begin[FAR])},
                           .stamp = (void *)(at + begin[STAMP]),
                           .list = (void *)(at + begin[LIST]),
                           .cell = (void *)(at + begin[CELL]),
                           .row = (void *)(at + begin[ROW]),
                           .neighbour = (void *)(at + begin[NEIGHBOUR]),
                           .weight = (void *)(at + begin[ROOM]),
                           .room = room_of(mesh)};
}

th_heap th_explore_mesh_heap(const th_explore_mesh *explored_mesh) {
  const uint32_t vertices = explored_mesh->mesh->vertex_count;
  th_heap_entry *entry = (void *)explored_mesh->weight;
  return th_heap_in(entry, (void *)(entry + vertices), vertices);
}

/* ---------------------------------------------------------------- states */

static void forget(void *memory, const th_ground *ground) {
  th_explore_mesh explored_mesh = th_explore_mesh_open(memory, ground);
  th_explore_head *head = explored_mesh.head;
  for (uint32_t v = 0; v < explored_mesh.mesh->vertex_count; v++) {
    explored_mesh.u[v] = 1.0;
    explored_mesh.left[v] = INFINITY;
    explored_mesh.mark[v] &= TH_EXPLORE_PLACE;
  }
  head->sensed = head->found = head->marks = head->stale = head->fresh = 0;
  head->area = 0.0;
}

static void init(void *memory, const th_ground *ground) {
  th_explore_head *head = memory;
  head->vertices = ground->mesh->mesh.vertex_count;
  head->cell = ground->cell;
  head->target.cell = head->measured.cell = TH_NO_CELL;
  forget(memory, ground);
}

static void renew(void *memory, const th_ground *ground) {
  th_explore_head *head = memory;
  if (head->version == ground->version && head->exits_class == head->radius_class) return;
  th_explore_mesh explored_mesh = th_explore_mesh_open(memory, ground);
  th_heap heap = th_explore_mesh_heap(&explored_mesh);
  th_mesh_nearest_free_fill(ground, head->radius_class, &explored_mesh.nearest_free, &heap);
  head->version = ground->version;
  head->exits_class = head->radius_class;
  head->stale = 1;
}

static const uint8_t *mark_of(const void *memory, const th_ground *ground) {
  return th_explore_mesh_open(memory, ground).mark;
}

const th_explore_kind th_explore_on_mesh = {
    .size = th_explore_mesh_size,
    .init = init,
    .forget = forget,
    .renew = renew,
    .sense = th_explore_mesh_sense,
    .seek = th_explore_mesh_seek,
    .find_open = th_explore_mesh_find_open,
    .measure = th_explore_mesh_measure,
    .relax = th_explore_mesh_relax,
    .mark = mark_of,
    .is_open = th_explore_mesh_is_open,
    .left = th_explore_mesh_left,
    .direction = th_explore_mesh_direction,
};
