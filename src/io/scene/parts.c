/* io/scene/parts.c - what a scene holds, for hosts: the entries of its lists, by the names that the file has for them.
 *
 * Lists are found in the tables of keys, so one that is added there is read here without a line of its own. Cost: one
 * pass over the keys on the path to a list.
 */
#include <string.h>

#include "io/scene/read.h"
#include "io/scene/write/write.h"

/* A part of the scene: an object, or a list of them. */
typedef struct part {
  const th_table *table;
  const uint8_t *object; /* of a list the first entry */
  uint32_t count;        /* 1 for an object */
  bool list;
} part;

static const th_key *key_named(const th_table *table, const char *name, size_t length, uint32_t *base) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    const uint32_t outer = *base;
    if (key->kind != TH_KEY_INCLUDE) {
      if (strlen(key->name) == length && strncmp(key->name, name, length) == 0) return key;
      continue;
    }
    *base += key->offset;
    const th_key *inner = key_named(key->table, name, length, base);
    if (inner) return inner;
    *base = outer;
  }
  return NULL;
}

/* One key further; false when there is nothing. */
static bool enter(part *p, const char *name, size_t length) {
  uint32_t base = 0;
  const th_key *key = key_named(p->table, name, length, &base);
  if (!key || p->list || (key->kind != TH_KEY_OBJECT && key->kind != TH_KEY_LIST)) return false;
  const uint8_t *at = p->object + base + key->offset;
  const bool away = key->kind == TH_KEY_LIST || (key->flags & TH_KEY_AWAY);
  p->list = key->kind == TH_KEY_LIST;
  p->count = 1;
  if (p->list) memcpy(&p->count, p->object + base + key->count_offset, sizeof p->count);
  if (away) memcpy(&at, (const void *)at, sizeof at);
  p->object = at;
  p->table = key->table;
  return at != NULL;
}

/* The entry of a list, or the object, of that name. */
static bool find(const th_scene *scene, const char *name, part *p) {
  *p = (part){&th_scene_table, (const uint8_t *)scene, 1, false};
  for (size_t length; *name; name += length + (name[length] == '.')) {
    length = strcspn(name, ".");
    if (!enter(p, name, length)) return false;
  }
  return true;
}

static const uint8_t *entry_of(const th_scene *scene, const char *list, uint32_t entry, part *p) {
  if (!find(scene, list, p)) return NULL;
  if (!p->list) return p->object;
  return entry < p->count ? p->object + entry * p->table->size : NULL;
}

uint32_t th_scene_part_count(const th_scene *scene, const char *list) {
  part p;
  return find(scene, list, &p) && p.list ? p.count : 0;
}

const char *th_scene_part_name(const th_scene *scene, const char *list, uint32_t entry) {
  part p;
  uint32_t base = 0;
  const uint8_t *object = entry_of(scene, list, entry, &p);
  const th_key *key = object ? key_named(p.table, "name", 4, &base) : NULL;
  const char *name = NULL;
  if (key && key->kind == TH_KEY_TEXT) memcpy(&name, object + base + key->offset, sizeof name);
  return name;
}

/* Where a table has its shape: the keys of shapes are included, or are those of a region. */
static bool shape_at(const th_table *table, uint32_t *offset) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_table *inner = table->key[i].table;
    *offset = table->key[i].offset;
    if (inner && (inner == &th_scene_area_shape_table || inner == &th_scene_goal_shape_table)) return true;
  }
  return false;
}

bool th_scene_part_shape(const th_scene *scene, const char *list, uint32_t entry, th_shape *shape) {
  part p;
  uint32_t offset;
  const uint8_t *object = entry_of(scene, list, entry, &p);
  if (!object || !shape_at(p.table, &offset)) return false;
  memcpy(shape, object + offset, sizeof *shape);
  return shape->point != NULL;
}

char *th_scene_part_text(const th_scene *scene, const char *list, uint32_t entry) {
  part p;
  const uint8_t *object = entry_of(scene, list, entry, &p);
  if (!object) return NULL;
  th_scene_writer writer = {.scene = scene, .text.allocator = th_scene_memory_env(scene->memory)->allocator};
  th_write_object(&writer, p.table, object);
  writer.text.failed |= writer.result != TH_OK;
  return th_text_finish(&writer.text);
}

/* ---------------------------------------------------------------- as defs */

static th_agent_def def_of(const th_scene_crowd *crowd) {
  th_agent_def def = crowd->def;
  def.route_count = crowd->stop_count;
  for (uint32_t i = 0; i < crowd->stop_count; i++) def.route[i] = (th_stop){.wait = crowd->stop[i].wait};
  return def;
}

bool th_scene_population_def(const th_scene *scene, uint32_t population, th_agent_def *def, th_agent_spread *spread) {
  if (population >= scene->population_count) return false;
  *def = def_of(&scene->population[population].crowd);
  *spread = scene->population[population].crowd.spread;
  return true;
}

bool th_scene_source_def(const th_scene *scene, uint32_t source, th_source_def *def) {
  if (source >= scene->source_count) return false;
  const th_scene_source *from = &scene->source[source];
  *def = from->def;
  def->agent = def_of(&from->crowd);
  def->spread = from->crowd.spread;
  if (from->region.kind == TH_SHAPE_POLYGON) def->region = th_scene_polygon(from->name, &from->region);
  return true;
}

uint32_t th_scene_population_size(const th_scene *scene, uint32_t population) {
  if (population >= scene->population_count) return 0;
  const th_scene_population *p = &scene->population[population];
  return p->position.count ? p->position.count : p->count;
}

const th_vec3 *th_scene_population_positions(const th_scene *scene, uint32_t population) {
  return population < scene->population_count ? scene->population[population].position.point : NULL;
}

const th_guide *th_scene_guide_kind(const th_scene *scene, uint32_t guide) {
  return guide < scene->guide_count ? scene->guide[guide].kind : NULL;
}

const void *th_scene_guide_params(const th_scene *scene, uint32_t guide) {
  return guide < scene->guide_count ? scene->guide[guide].params : NULL;
}

bool th_scene_group_def(const th_scene *scene, uint32_t group, th_group_def *def) {
  if (group < scene->group_count) *def = scene->group[group].def;
  return group < scene->group_count;
}

bool th_scene_door_closed(const th_scene *scene, uint32_t door) {
  return door < scene->ground.door_count && scene->ground.door[door].closed;
}
