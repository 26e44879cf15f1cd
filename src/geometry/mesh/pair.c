/* geometry/mesh/pair.c - finds the half-edges that lie on the same edge.
 *
 * Half-edges are put into one bucket for each vertex, that of their lower end, by counting; inside a bucket they are
 * sorted by their other end. So all half-edges of one edge are adjacent, in O(n) for the buckets plus a sort of the few
 * edges of each vertex (a heap sort when they are many, so that a hub of a million edges costs n log n, too).
 */
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/build.h"
#include "geometry/mesh/halfedge.h"

typedef struct side {
  uint32_t other;    /* the higher end */
  uint32_t opposite; /* the face's third corner */
  uint32_t half;
} side;

typedef struct sides {
  uint32_t *start; /* of each vertex; vertex_count + 1 */
  side *side;
  uint32_t count;
} sides;

typedef bool (*before)(const side *a, const side *b);

static bool by_corners(const side *a, const side *b) {
  if (a->other != b->other) return a->other < b->other;
  if (a->opposite != b->opposite) return a->opposite < b->opposite;
  return a->half < b->half;
}

static bool by_half(const side *a, const side *b) {
  return a->other != b->other ? a->other < b->other : a->half < b->half;
}

static void sift(side *s, uint32_t at, uint32_t count, before less) {
  side moved = s[at];
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && less(&s[child], &s[child + 1])) child++;
    if (!less(&moved, &s[child])) break;
    s[at] = s[child];
  }
  s[at] = moved;
}

static void sort(side *s, uint32_t count, before less) {
  if (count > 24) {
    for (uint32_t i = count / 2; i-- > 0;) sift(s, i, count, less);
    for (uint32_t i = count; i-- > 1;) {
      side last = s[i];
      s[i] = s[0];
      s[0] = last;
      sift(s, 0, i, less);
    }
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    side moved = s[i];
    uint32_t k = i;
    for (; k > 0 && less(&moved, &s[k - 1]); k--) s[k] = s[k - 1];
    s[k] = moved;
  }
}

static uint32_t low_end(const th_mesh_builder *b, uint32_t h, uint32_t *high) {
  uint32_t from = b->corner[h], to = b->corner[th_half_next(h)];
  *high = from < to ? to : from;
  return from < to ? from : to;
}

static void fill(const th_mesh_builder *b, sides *s, before less) {
  uint32_t vertices = b->def->vertex_count, high;
  s->count = 3 * b->face_count;
  for (uint32_t v = 0; v <= vertices; v++) s->start[v] = 0;
  for (uint32_t h = 0; h < s->count; h++) s->start[low_end(b, h, &high) + 1]++;
  for (uint32_t v = 0; v < vertices; v++) s->start[v + 1] += s->start[v];
  for (uint32_t h = s->count; h-- > 0;) { /* start[v + 1] moves down to the bucket's begin */
    uint32_t v = low_end(b, h, &high);
    s->side[--s->start[v + 1]] = (side){high, b->corner[th_half_previous(h)], h};
  }
  for (uint32_t v = 0; v < vertices; v++) s->start[v] = s->start[v + 1];
  s->start[vertices] = s->count;
  for (uint32_t v = 0; v < vertices; v++) sort(s->side + s->start[v], s->start[v + 1] - s->start[v], less);
}

/* Drops faces marked in `gone` (by their number among those still there). */
static void squeeze(th_mesh_builder *b, const uint8_t *gone) {
  uint32_t kept = 0;
  for (uint32_t f = 0; f < b->face_count; f++) {
    if (gone[f]) continue;
    b->from[kept] = b->from[f];
    for (size_t k = 0; k < 3; k++) b->corner[3 * (size_t)kept + k] = b->corner[3 * (size_t)f + k];
    kept++;
  }
  b->face_count = kept;
}

/* Faces with equal corners share all three edges, so each is found at its lowest edge. */
static th_result mark_repeated(th_mesh_builder *b, const sides *s, uint8_t *gone) {
  for (uint32_t v = 0; v < b->def->vertex_count; v++) {
    uint32_t first = s->start[v];
    for (uint32_t i = first + 1; i < s->start[v + 1]; i++) {
      const side *a = &s->side[first], *c = &s->side[i];
      if (a->other != c->other || a->opposite != c->opposite) {
        first = i;
        continue;
      }
      if (gone[c->half / 3]) continue;
      gone[c->half / 3] = 1;
      if (th_mesh_note_add(b, TH_MESH_DUPLICATE, b->from[c->half / 3], b->from[a->half / 3]) != TH_OK)
        return TH_ERROR_MEMORY;
    }
  }
  return TH_OK;
}

/* The numbers are those of the file: its reader gives vertices numbers of its own, and welding others again. Faces, of
 * which a reader makes triangles, are then told by their third vertices. */
static th_result refuse_crowd(th_mesh_builder *b, uint32_t low, const side *first, uint32_t count) {
  char one[TH_VERTEX_TEXT], other[TH_VERTEX_TEXT];
  const bool named = b->def->number != NULL;
  uint32_t face[3];
  for (int k = 0; k < 3; k++)
    face[k] = named ? th_mesh_vertex_number(b, first[k].opposite) : b->from[first[k].half / 3];
  return th_fail_at(b->error, TH_ERROR_GEOMETRY, b->where, b->from[first[2].half / 3],
                    "expected at most two faces on an edge, found %u on that from %s to %s: %s %u, %u and %u; "
                    "drop_crowded keeps the first two",
                    count, th_mesh_vertex_text(b, low, one), th_mesh_vertex_text(b, first->other, other),
                    named ? "with the vertices" : "faces", face[0], face[1], face[2]);
}

/* The first two faces of an edge stay, unless another edge has dropped them. */
static th_result mark_third(th_mesh_builder *b, const side *edge, uint32_t count, uint8_t *gone) {
  uint32_t kept = 0, first = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t f = edge[i].half / 3;
    if (gone[f]) continue;
    if (kept == 0) first = f;
    if (++kept <= 2) continue;
    gone[f] = 1;
    if (th_mesh_note_add(b, TH_MESH_CROWDED, b->from[f], b->from[first]) != TH_OK) return TH_ERROR_MEMORY;
  }
  return TH_OK;
}

static th_result mark_crowds(th_mesh_builder *b, const sides *s, uint8_t *gone) {
  for (uint32_t v = 0; v < b->def->vertex_count; v++) {
    for (uint32_t i = s->start[v], end = s->start[v + 1], n; i < end; i += n) {
      for (n = 1; i + n < end && s->side[i + n].other == s->side[i].other;) n++;
      if (n <= 2) continue;
      if (!b->def->drop_crowded) return refuse_crowd(b, v, &s->side[i], n);
      if (mark_third(b, &s->side[i], n, gone) != TH_OK) return TH_ERROR_MEMORY;
    }
  }
  return TH_OK;
}

static void link_twins(th_mesh_builder *b, const sides *s) {
  for (uint32_t v = 0; v < b->def->vertex_count; v++) {
    for (uint32_t i = s->start[v], end = s->start[v + 1]; i < end; i++) {
      bool pair = i + 1 < end && s->side[i + 1].other == s->side[i].other;
      b->twin[s->side[i].half] = pair ? s->side[i + 1].half : TH_NO_HALF;
      if (!pair) continue;
      b->twin[s->side[i + 1].half] = s->side[i].half;
      i++;
    }
  }
}

static th_result pair(th_mesh_builder *b, sides *s, uint8_t *gone) {
  fill(b, s, by_corners);
  th_result result = mark_repeated(b, s, gone);
  if (result != TH_OK) return result;
  if (b->mesh->count[TH_MESH_DUPLICATE]) squeeze(b, gone);
  for (uint32_t f = 0; f < b->face_count; f++) gone[f] = 0;
  fill(b, s, by_half);
  result = mark_crowds(b, s, gone);
  if (result != TH_OK) return result;
  if (b->mesh->count[TH_MESH_CROWDED]) {
    squeeze(b, gone);
    fill(b, s, by_half);
  }
  link_twins(b, s);
  return TH_OK;
}

th_result th_mesh_pair(th_mesh_builder *b) {
  const th_allocator *a = &b->mesh->allocator;
  size_t starts = (size_t)b->def->vertex_count + 1, faces = b->face_count;
  sides s = {TH_TAKE(a, uint32_t, starts), TH_TAKE(a, side, 3 * faces), 0};
  uint8_t *gone = TH_TAKE(a, uint8_t, faces);
  th_result result = s.start && s.side && gone ? pair(b, &s, gone) : th_fail_memory(b->error, b->where);
  TH_GIVE(a, s.start, starts);
  TH_GIVE(a, s.side, 3 * faces);
  TH_GIVE(a, gone, faces);
  return result;
}
