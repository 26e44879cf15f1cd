/* geometry/mesh/halfedge.c - neighbours, border loops, and connected pieces with their Euler number and genus.
 *
 * For a piece with V vertices, E edges and F faces, V - E + F = 2 - 2 genus - borders (Euler and Poincare), and a
 * triangle mesh has 3 F = 2 E - (edges at the border). All of it is counted in one visit of each half-edge. O(n).
 */
#include "geometry/mesh/halfedge.h"

#include "base/error.h"
#include "base/memory.h"

uint32_t th_half_link(const th_mesh *m, uint32_t a, uint32_t b) {
  uint32_t begin = m->leaving[a], h = begin;
  do {
    if (th_half_to(m, h) == b) return h;
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  return TH_NO_HALF;
}

uint32_t th_mesh_vertex_neighbours(const th_mesh *m, uint32_t v, uint32_t *neighbour, uint32_t capacity) {
  uint32_t begin = m->leaving[v], h = begin, count = 0, last;
  do {
    if (count < capacity) neighbour[count] = th_half_to(m, h);
    count++;
    last = h;
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  if (h == TH_NO_HALF) { /* the last face's far side has no half-edge that leaves v */
    if (count < capacity) neighbour[count] = m->corner[th_half_previous(last)];
    count++;
  }
  return count;
}

static void collect_loops(const th_mesh *m, th_mesh_borders *b, uint8_t *seen) {
  uint32_t at = 0;
  b->count = 0;
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    if (m->twin[h] != TH_NO_HALF || seen[h]) continue;
    b->start[b->count++] = at;
    for (uint32_t g = h; !seen[g]; g = th_half_next_border(m, g)) {
      seen[g] = 1;
      b->half[at++] = g;
    }
  }
  b->start[b->count] = at;
}

th_result th_mesh_borders_make(const th_mesh *mesh, th_mesh_borders *borders, th_error *error) {
  const th_allocator *a = &mesh->allocator;
  size_t halves = 3 * (size_t)mesh->face_count;
  *borders = (th_mesh_borders){0};
  for (size_t h = 0; h < halves; h++) borders->halves += mesh->twin[h] == TH_NO_HALF;
  uint8_t *seen = TH_TAKE(a, uint8_t, halves);
  borders->start = TH_TAKE(a, uint32_t, borders->halves + 1);
  borders->half = TH_TAKE(a, uint32_t, borders->halves);
  bool got = seen && borders->start && borders->half;
  if (got) collect_loops(mesh, borders, seen);
  TH_GIVE(a, seen, halves);
  if (got) return TH_OK;
  th_mesh_borders_free(mesh, borders);
  return th_fail_memory(error, "mesh");
}

void th_mesh_borders_free(const th_mesh *mesh, th_mesh_borders *borders) {
  if (!mesh->allocator.release) return;
  TH_GIVE(&mesh->allocator, borders->start, (size_t)borders->halves + 1);
  TH_GIVE(&mesh->allocator, borders->half, borders->halves);
  *borders = (th_mesh_borders){0};
}

/* Labels the piece of `seed` with `label`. */
static void spread(const th_mesh *m, uint32_t *of_face, uint32_t seed, uint32_t label, uint32_t *queue) {
  uint32_t count = 0;
  of_face[seed] = label;
  queue[count++] = seed;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t h = 3 * queue[i], k = 0; k < 3; k++, h++) {
      if (m->twin[h] == TH_NO_HALF || of_face[m->twin[h] / 3] != TH_NO_ELEMENT) continue;
      of_face[m->twin[h] / 3] = label;
      queue[count++] = m->twin[h] / 3;
    }
  }
}

static void label_faces(const th_mesh *m, th_mesh_pieces *p, uint32_t *queue) {
  for (uint32_t f = 0; f < m->face_count; f++) p->of_face[f] = TH_NO_ELEMENT;
  for (uint32_t f = 0; f < m->face_count; f++)
    if (p->of_face[f] == TH_NO_ELEMENT) spread(m, p->of_face, f, p->count++, queue);
}

static void count_parts(const th_mesh *m, th_mesh_pieces *p, const th_mesh_borders *b) {
  for (uint32_t f = 0; f < m->face_count; f++) p->piece[p->of_face[f]].faces++;
  for (uint32_t v = 0; v < m->vertex_count; v++) p->piece[p->of_face[m->leaving[v] / 3]].vertices++;
  for (uint32_t h = 0; h < 3 * m->face_count; h++)
    if (m->twin[h] == TH_NO_HALF || h < m->twin[h]) p->piece[p->of_face[h / 3]].edges++;
  for (uint32_t i = 0; i < b->count; i++) p->piece[p->of_face[b->half[b->start[i]] / 3]].borders++;
  for (uint32_t i = 0; i < p->count; i++) {
    th_mesh_piece *q = &p->piece[i];
    q->euler = (int32_t)q->vertices - (int32_t)q->edges + (int32_t)q->faces;
    q->genus = (uint32_t)(2 - (int32_t)q->borders - q->euler) / 2;
  }
}

th_result th_mesh_pieces_make(const th_mesh *mesh, th_mesh_pieces *pieces, th_error *error) {
  const th_allocator *a = &mesh->allocator;
  th_mesh_borders borders;
  *pieces = (th_mesh_pieces){.faces = mesh->face_count};
  th_result result = th_mesh_borders_make(mesh, &borders, error);
  if (result != TH_OK) return result;
  pieces->of_face = TH_TAKE(a, uint32_t, mesh->face_count);
  uint32_t *queue = TH_TAKE(a, uint32_t, mesh->face_count);
  if (pieces->of_face && queue) {
    label_faces(mesh, pieces, queue);
    pieces->piece = TH_TAKE(a, th_mesh_piece, pieces->count);
  }
  TH_GIVE(a, queue, mesh->face_count);
  if (pieces->piece)
    count_parts(mesh, pieces, &borders);
  else
    result = th_fail_memory(error, "mesh");
  th_mesh_borders_free(mesh, &borders);
  if (result != TH_OK) th_mesh_pieces_free(mesh, pieces);
  return result;
}

void th_mesh_pieces_free(const th_mesh *mesh, th_mesh_pieces *pieces) {
  if (!mesh->allocator.release) return;
  TH_GIVE(&mesh->allocator, pieces->piece, pieces->count);
  TH_GIVE(&mesh->allocator, pieces->of_face, pieces->faces);
  *pieces = (th_mesh_pieces){0};
}
