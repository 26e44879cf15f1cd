/* geometry/mesh/split_fans.c - the last stage: one vertex for each fan of faces, numbered without gaps.
 *
 * Faces around a vertex form one fan when each can be reached from each over edges at that vertex. Two fans that share
 * only the point (an hourglass) would hide each other from a walk round the vertex, so each gets a vertex of its own.
 * First fans keep the order of the vertices given; copies follow. O(n).
 */
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/build.h"
#include "geometry/mesh/halfedge.h"

typedef struct fans {
  uint32_t *number;  /* of each vertex given: its new number; TH_NO_ELEMENT without face */
  uint8_t *seen;     /* of each vertex given: it has a fan */
  uint32_t *vertex;  /* of each half-edge: the new number of its start, TH_NO_ELEMENT before */
  uint32_t *copy_of; /* of each copy: the vertex given */
  uint32_t used, copies, copy_capacity;
} fans;

static void number_vertices(const th_mesh_builder *b, fans *f) {
  uint32_t vertices = b->def->vertex_count;
  for (uint32_t v = 0; v < vertices; v++) f->number[v] = TH_NO_ELEMENT;
  for (uint32_t h = 0; h < 3 * b->face_count; h++) f->number[b->corner[h]] = 0;
  for (uint32_t v = 0; v < vertices; v++)
    if (f->number[v] == 0) f->number[v] = f->used++;
  for (uint32_t h = 0; h < 3 * b->face_count; h++) f->vertex[h] = TH_NO_ELEMENT;
}

/* Clockwise from h to the border, or once round to h. */
static uint32_t fan_begin(const uint32_t *twin, uint32_t h) {
  uint32_t at = h;
  while (twin[at] != TH_NO_HALF) {
    at = th_half_next(twin[at]);
    if (at == h) break;
  }
  return at;
}

static void label_fan(const th_mesh_builder *b, fans *f, uint32_t h, uint32_t number) {
  uint32_t begin = fan_begin(b->twin, h), at = begin;
  do {
    f->vertex[at] = number;
    at = b->twin[th_half_previous(at)];
  } while (at != TH_NO_HALF && at != begin);
}

static th_result label_fans(th_mesh_builder *b, fans *f) {
  for (uint32_t h = 0; h < 3 * b->face_count; h++) {
    if (f->vertex[h] != TH_NO_ELEMENT) continue;
    uint32_t v = b->corner[h], number = f->number[v];
    if (f->seen[v]) {
      void *copies = f->copy_of;
      bool grown = th_grow(&b->mesh->allocator, &copies, &f->copy_capacity, f->copies + 1, sizeof *f->copy_of);
      f->copy_of = copies;
      if (!grown) return th_fail_memory(b->error, b->where);
      number = f->used + f->copies;
      f->copy_of[f->copies++] = v;
      if (th_mesh_note_add(b, TH_MESH_PARTED, v, number) != TH_OK) return TH_ERROR_MEMORY;
    }
    f->seen[v] = 1;
    label_fan(b, f, h, number);
  }
  return TH_OK;
}

static th_result take_mesh(th_mesh_builder *b, uint32_t vertices) {
  th_mesh *m = b->mesh;
  const th_allocator *a = &m->allocator;
  m->vertex_count = vertices;
  m->face_count = b->face_count;
  m->xyz = TH_TAKE(a, double, 3 * (size_t)vertices);
  m->leaving = TH_TAKE(a, uint32_t, vertices);
  m->corner = TH_TAKE(a, uint32_t, 3 * (size_t)b->face_count);
  m->twin = TH_TAKE(a, uint32_t, 3 * (size_t)b->face_count);
  m->face_from = TH_TAKE(a, uint32_t, b->face_count);
  m->vertex_of = TH_TAKE(a, uint32_t, m->given_vertices);
  if (m->xyz && m->leaving && m->corner && m->twin && m->face_from && m->vertex_of) return TH_OK;
  return th_fail_memory(b->error, b->where);
}

static void put_vertex(const th_mesh_builder *b, uint32_t number, uint32_t given) {
  for (size_t k = 0; k < 3; k++) b->mesh->xyz[3 * (size_t)number + k] = b->xyz[3 * (size_t)given + k];
}

static th_result fill_mesh(th_mesh_builder *b, const fans *f) {
  th_mesh *m = b->mesh;
  for (uint32_t v = 0; v < m->given_vertices; v++) {
    m->vertex_of[v] = f->number[b->of[v]];
    if (f->number[v] != TH_NO_ELEMENT) put_vertex(b, f->number[v], v);
    if (m->vertex_of[v] == TH_NO_ELEMENT && th_mesh_note_add(b, TH_MESH_UNUSED, v, TH_NO_ELEMENT) != TH_OK)
      return TH_ERROR_MEMORY;
  }
  for (uint32_t i = 0; i < f->copies; i++) put_vertex(b, f->used + i, f->copy_of[i]);
  for (uint32_t h = 3 * m->face_count; h-- > 0;) { /* downwards: inside, the lowest half-edge stays */
    m->corner[h] = f->vertex[h];
    m->twin[h] = b->twin[h];
    m->leaving[m->corner[h]] = h;
  }
  for (uint32_t h = 0; h < 3 * m->face_count; h++)
    if (m->twin[h] == TH_NO_HALF) m->leaving[m->corner[h]] = h;
  for (uint32_t i = 0; i < m->face_count; i++) m->face_from[i] = b->from[i];
  return TH_OK;
}

static th_result settle(th_mesh_builder *b, fans *f) {
  number_vertices(b, f);
  th_result result = label_fans(b, f);
  if (result == TH_OK) result = take_mesh(b, f->used + f->copies);
  if (result == TH_OK) result = fill_mesh(b, f);
  return result;
}

th_result th_mesh_split_fans(th_mesh_builder *b) {
  const th_allocator *a = &b->mesh->allocator;
  size_t vertices = b->def->vertex_count, halves = 3 * (size_t)b->face_count;
  fans f = {.number = TH_TAKE(a, uint32_t, vertices),
            .seen = TH_TAKE(a, uint8_t, vertices),
            .vertex = TH_TAKE(a, uint32_t, halves)};
  th_result result = f.number && f.seen && f.vertex ? settle(b, &f) : th_fail_memory(b->error, b->where);
  TH_GIVE(a, f.number, vertices);
  TH_GIVE(a, f.seen, vertices);
  TH_GIVE(a, f.vertex, halves);
  TH_GIVE(a, f.copy_of, f.copy_capacity);
  return result;
}
