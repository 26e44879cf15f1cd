/* ground/edit_record.c - an edit as one block of words.
 *
 * Counts stand before what they count; texts are ended by a zero and padded to whole words. So a world keeps its
 * history as plain blocks: equal edits are equal words, and a snapshot holds them as they are. Cost: one copy.
 */
#include "ground/edit_record.h"

#include <string.h>

typedef struct cursor {
  uint32_t *word; /* NULL: counts only */
  uint32_t used;
} cursor;

static void put(cursor *c, const void *data, size_t words) {
  if (c->word && words) memcpy(c->word + c->used, data, words * 4);
  c->used += (uint32_t)words;
}

static void put_count(cursor *c, uint32_t count) { put(c, &count, 1); }

static void put_text(cursor *c, const char *text) {
  size_t bytes = text ? strlen(text) + 1 : 0, words = (bytes + 3) / 4;
  put_count(c, (uint32_t)words);
  if (c->word && words) {
    c->word[c->used + words - 1] = 0;
    memcpy(c->word + c->used, text, bytes);
  }
  c->used += (uint32_t)words;
}

static void put_region(cursor *c, const th_region *region) {
  put_count(c, region ? 1 : 0);
  if (!region) return;
  const float number[] = {region->centre.x, region->centre.y, region->centre.z,
                          region->radius,   region->low,      region->high};
  put_text(c, region->name);
  put_count(c, (uint32_t)region->kind);
  put(c, number, 6);
  put_count(c, region->outline_count);
  put(c, region->outline, (size_t)region->outline_count * 2);
  put_count(c, region->face_count);
  put(c, region->face, region->face_count);
}

uint32_t th_edit_write(const th_edit *edit, uint32_t *word) {
  cursor c = {word, 0};
  put_count(&c, (uint32_t)edit->kind);
  put_text(&c, edit->name);
  put_text(&c, edit->shape.name);
  put_count(&c, edit->shape.count);
  put(&c, edit->shape.point, (size_t)edit->shape.count * 2);
  put_region(&c, edit->region);
  put_count(&c, edit->move_count);
  put(&c, edit->move, (size_t)edit->move_count * 4);
  return c.used;
}

typedef struct reader {
  const uint32_t *word;
  uint32_t count, used;
  bool broken;
} reader;

static const void *get(reader *r, uint64_t words) {
  if (r->broken || words > r->count - r->used) {
    r->broken = true;
    return NULL;
  }
  const uint32_t *at = r->word + r->used;
  r->used += (uint32_t)words;
  return at;
}

static uint32_t get_count(reader *r) {
  const uint32_t *count = get(r, 1);
  return count ? *count : 0;
}

static const char *get_text(reader *r) {
  uint32_t words = get_count(r);
  const char *text = words ? get(r, words) : NULL;
  if (text && memchr(text, 0, (size_t)words * 4) == NULL) r->broken = true;
  return text;
}

static void get_region(reader *r, th_region *region) {
  float number[6] = {0};
  *region = (th_region){.name = get_text(r), .kind = (th_region_kind)get_count(r)};
  const void *from = get(r, 6);
  if (from) memcpy(number, from, sizeof number);
  region->centre = (th_vec3){number[0], number[1], number[2]};
  region->radius = number[3];
  region->low = number[4];
  region->high = number[5];
  region->outline_count = get_count(r);
  region->outline = get(r, (uint64_t)region->outline_count * 2);
  region->face_count = get_count(r);
  region->face = get(r, region->face_count);
}

bool th_edit_read(const uint32_t *word, uint32_t count, th_edit *edit, th_region *region) {
  reader r = {word, count, 0, false};
  *edit = (th_edit){.kind = (th_edit_kind)get_count(&r)};
  edit->name = get_text(&r);
  edit->shape.name = get_text(&r);
  edit->shape.count = get_count(&r);
  edit->shape.point = get(&r, (uint64_t)edit->shape.count * 2);
  if (get_count(&r)) {
    get_region(&r, region);
    edit->region = region;
  }
  edit->move_count = get_count(&r);
  edit->move = get(&r, (uint64_t)edit->move_count * 4);
  return !r.broken && r.used == count;
}
