/* world/edit_fold.c - forgets edits that later ones made void.
 *
 * A snapshot describes the ground by version 1 and the edits since. Memory and snapshots should grow with the state of
 * the ground and not with its history. So a door keeps only its last opening or closing, an obstacle that was removed
 * is forgotten together with its removal, and a vertex keeps only its last move. A ground is a pure function of its
 * parts in their order, and what is forgotten changes neither, so restore gives the same bits. Two kinds of versions
 * must stay: the one that patches were cut from, and all since the oldest chart that waits, because a waiting chart is
 * carried over from version to version with roundings of its own. Cost: edits of doors and removals times all edits.
 * Where memory is short, everything is kept.
 */
#include <string.h>

#include "ground/edit_record.h"
#include "world/world.h"

typedef struct entry {
  th_edit edit;
  th_region region;
  const char *name; /* of the door or obstacle; NULL: none */
  bool late;        /* after the patches in use were cut */
  bool gone;
} entry;

typedef struct fold {
  th_world *world;
  entry *entry; /* of the records that may be folded, the first `count` */
  uint32_t count;
} fold;

/* Versions up to here may be folded. */
static uint32_t limit_of(const th_world *world) {
  uint32_t limit = th_ground_version(world->ground);
  th_chart_wait wait;
  for (uint32_t at = 0; th_world_backlog(world) && th_chart_renewal_waiting(&world->mesh->atlas->charts, &at, &wait);)
    limit = wait.version < limit ? wait.version : limit;
  return limit;
}

static bool is_turn(const entry *e) { return e->edit.kind == TH_EDIT_OPEN || e->edit.kind == TH_EDIT_CLOSE; }

static bool same_name(const entry *a, const entry *b) {
  return a->late == b->late && a->name && b->name && !strcmp(a->name, b->name);
}

static bool read_entries(fold *f) {
  const uint32_t cut = f->world->mesh ? f->world->mesh->atlas->version : 0;
  for (uint32_t i = 0; i < f->count; i++) {
    const th_edit_record *record = &f->world->edit[i];
    entry *e = &f->entry[i];
    if (!th_edit_read(record->word, record->words, &e->edit, &e->region)) return false;
    e->name = e->edit.name;
    if (e->edit.kind == TH_EDIT_ADD && e->edit.shape.name) e->name = e->edit.shape.name;
    if (e->edit.kind == TH_EDIT_ADD && e->edit.region && e->region.name) e->name = e->region.name;
    e->late = record->version > cut;
  }
  return true;
}

static void fold_turns(const fold *f, uint32_t last) {
  for (uint32_t i = 0; i < last; i++)
    if (is_turn(&f->entry[i]) && same_name(&f->entry[i], &f->entry[last])) f->entry[i].gone = true;
}

/* Names are unique among what is there, so the last obstacle of that name is the one that was removed. */
static void fold_removal(const fold *f, uint32_t removal) {
  for (uint32_t i = removal; i-- > 0;) {
    entry *e = &f->entry[i];
    if (e->gone || e->edit.kind != TH_EDIT_ADD || !same_name(e, &f->entry[removal])) continue;
    e->gone = f->entry[removal].gone = true;
    return;
  }
}

/* Keeps the moves of vertices that no later edit moves; those that stay are put at the end of `kept`. */
static uint32_t moves_left(const entry *e, uint8_t *moved, th_vertex_move *kept) {
  uint32_t at = e->edit.move_count;
  for (uint32_t k = e->edit.move_count; k-- > 0;) {
    if (moved[e->edit.move[k].vertex]) continue;
    moved[e->edit.move[k].vertex] = 1;
    kept[--at] = e->edit.move[k];
  }
  return e->edit.move_count - at;
}

static void fold_deformation(const fold *f, uint32_t n, uint8_t *moved) {
  const th_allocator *a = &f->world->env.allocator;
  entry *e = &f->entry[n];
  const uint32_t all = e->edit.move_count;
  th_vertex_move *kept = TH_TAKE(a, th_vertex_move, all);
  const uint32_t left = kept ? moves_left(e, moved, kept) : all;
  th_edit_record fresh = {.step = f->world->edit[n].step, .version = f->world->edit[n].version};
  th_edit less = e->edit;
  e->gone = left == 0;
  less.move = kept ? kept + (all - left) : NULL;
  less.move_count = left;
  if (left && left < all && th_edit_record_make(a, &fresh, &less)) {
    th_edit_record_free(a, &f->world->edit[n]);
    f->world->edit[n] = fresh;
  }
  TH_GIVE(a, kept, all);
}

static void fold_deformations(const fold *f) {
  const th_mesh *mesh = th_ground_mesh(f->world->ground);
  const th_allocator *a = &f->world->env.allocator;
  uint8_t *moved = mesh ? TH_TAKE(a, uint8_t, mesh->vertex_count) : NULL;
  if (!moved) return;
  for (uint32_t i = f->count; i-- > 0;) {
    if (i + 1 < f->count && f->entry[i].late != f->entry[i + 1].late) memset(moved, 0, mesh->vertex_count);
    if (f->entry[i].edit.kind == TH_EDIT_DEFORM) fold_deformation(f, i, moved);
  }
  TH_GIVE(a, moved, mesh->vertex_count);
}

static void forget(const fold *f) {
  th_world *world = f->world;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < world->edit_count; i++) {
    if (i < f->count && f->entry[i].gone)
      th_edit_record_free(&world->env.allocator, &world->edit[i]);
    else
      world->edit[kept++] = world->edit[i];
  }
  world->edit_count = kept;
}

void th_edits_fold(th_world *world) {
  const th_allocator *a = &world->env.allocator;
  const uint32_t limit = limit_of(world);
  fold f = {.world = world};
  while (f.count < world->edit_count && world->edit[f.count].version <= limit) f.count++;
  if (f.count < 2) return;
  f.entry = TH_TAKE(a, entry, f.count);
  if (f.entry && read_entries(&f)) {
    for (uint32_t i = f.count; i-- > 0;) {
      if (f.entry[i].gone) continue;
      if (is_turn(&f.entry[i])) fold_turns(&f, i);
      if (f.entry[i].edit.kind == TH_EDIT_REMOVE) fold_removal(&f, i);
    }
    fold_deformations(&f);
    forget(&f);
  }
  TH_GIVE(a, f.entry, f.count);
}
