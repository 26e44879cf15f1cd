/* geometry/mesh/orient.c - gives all faces of a piece the same orientation.
 *
 * Faces are visited breadth first over their edges; each neighbour is labelled by whether it has to be turned to agree.
 * An edge whose faces have contradicting labels proves that the piece has one side only. Then the smaller of the two
 * groups of each piece is turned. O(n).
 */
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/build.h"
#include "geometry/mesh/halfedge.h"

enum { UNSEEN, AS_GIVEN, AGAINST };

/* Twins that leave the same vertex run in parallel: one of the two faces has the wrong orientation. */
static bool is_parallel(const th_mesh_builder *b, uint32_t h) { return b->corner[h] == b->corner[b->twin[h]]; }

static th_result refuse_one_sided(th_mesh_builder *b, uint32_t h) {
  char one[TH_VERTEX_TEXT], other[TH_VERTEX_TEXT];
  const bool named = b->def->number != NULL;
  uint32_t face[2] = {b->from[h / 3], b->from[b->twin[h] / 3]};
  if (named) {
    face[0] = th_mesh_vertex_number(b, b->corner[th_half_previous(h)]);
    face[1] = th_mesh_vertex_number(b, b->corner[th_half_previous(b->twin[h])]);
  }
  return th_fail_at(b->error, TH_ERROR_GEOMETRY, b->where, b->from[h / 3],
                    "expected a surface with two sides, found one side only: %s %u and %u cannot agree at the edge "
                    "from %s to %s",
                    named ? "those with the vertices" : "faces", face[0], face[1],
                    th_mesh_vertex_text(b, b->corner[h], one),
                    th_mesh_vertex_text(b, b->corner[th_half_next(h)], other));
}

/* Visits the piece of `seed`; queue[0 .. *count) are its faces. */
static th_result visit(th_mesh_builder *b, uint32_t seed, uint8_t *facing, uint32_t *queue, uint32_t *count) {
  *count = 0;
  facing[seed] = AS_GIVEN;
  queue[(*count)++] = seed;
  for (uint32_t i = 0; i < *count; i++) {
    for (uint32_t h = 3 * queue[i], k = 0; k < 3; k++, h++) {
      if (b->twin[h] == TH_NO_HALF) continue;
      uint32_t g = b->twin[h] / 3;
      uint8_t wanted = is_parallel(b, h) ? (uint8_t)(AS_GIVEN + AGAINST - facing[queue[i]]) : facing[queue[i]];
      if (facing[g] == UNSEEN) {
        facing[g] = wanted;
        queue[(*count)++] = g;
      } else if (facing[g] != wanted) {
        return refuse_one_sided(b, h);
      }
    }
  }
  return TH_OK;
}

/* The face of `seed` is labelled AS_GIVEN; if most faces are labelled AGAINST, those keep their orientation. */
static void let_most_win(uint8_t *facing, const uint32_t *queue, uint32_t count) {
  uint32_t against = 0;
  for (uint32_t i = 0; i < count; i++) against += facing[queue[i]] == AGAINST;
  if (against <= count - against) return;
  for (uint32_t i = 0; i < count; i++) facing[queue[i]] = (uint8_t)(AS_GIVEN + AGAINST - facing[queue[i]]);
}

/* (a, b, c) becomes (a, c, b), so facing k becomes facing 2 - k. */
static uint32_t turned_half(const uint8_t *facing, uint32_t h) {
  return h == TH_NO_HALF || facing[h / 3] != AGAINST ? h : h - h % 3 + (2 - h % 3);
}

static th_result flip(th_mesh_builder *b, const uint8_t *facing) {
  for (uint32_t f = 0; f < b->face_count; f++) {
    uint32_t *c = b->corner + 3 * (size_t)f, *t = b->twin + 3 * (size_t)f;
    for (int k = 0; k < 3; k++) t[k] = turned_half(facing, t[k]);
    if (facing[f] != AGAINST) continue;
    uint32_t corner = c[1], twin = t[0];
    c[1] = c[2];
    c[2] = corner;
    t[0] = t[2];
    t[2] = twin;
    if (th_mesh_note_add(b, TH_MESH_TURNED, b->from[f], TH_NO_ELEMENT) != TH_OK) return TH_ERROR_MEMORY;
  }
  return TH_OK;
}

static th_result orient(th_mesh_builder *b, uint8_t *facing, uint32_t *queue) {
  for (uint32_t f = 0; f < b->face_count; f++) {
    if (facing[f] != UNSEEN) continue;
    uint32_t count;
    th_result result = visit(b, f, facing, queue, &count);
    if (result != TH_OK) return result;
    let_most_win(facing, queue, count);
  }
  return flip(b, facing);
}

th_result th_mesh_orient(th_mesh_builder *b) {
  const th_allocator *a = &b->mesh->allocator;
  uint8_t *facing = TH_TAKE(a, uint8_t, b->face_count);
  uint32_t *queue = TH_TAKE(a, uint32_t, b->face_count);
  th_result result = facing && queue ? orient(b, facing, queue) : th_fail_memory(b->error, b->where);
  TH_GIVE(a, facing, b->face_count);
  TH_GIVE(a, queue, b->face_count);
  return result;
}
