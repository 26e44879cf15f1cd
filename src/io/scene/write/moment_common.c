/* io/scene/write/moment_common.c - what agents of a population have in common, and what each has of its own.
 *
 * The first one's values are those of the population, as far as they are no defaults; of the others each key is
 * compared. What one agent alone cannot say (no guide, no route) no population says for it. Cost: agents times keys.
 */
#include <string.h>

#include "base/param/value.h"
#include "io/scene/write/moment_crowds.h"
#include "throng/model.h"

/* Parameters of a model, row by row: the bytes between them do not count. */
static bool same_params(const th_model *model, const void *a, const void *b) {
  for (uint32_t i = 0; i < model->param_count; i++) {
    const th_param *row = &model->param[i];
    if (memcmp((const uint8_t *)a + row->offset, (const uint8_t *)b + row->offset, th_param_value_bytes(row)) != 0)
      return false;
  }
  return true;
}

enum { ROOM = 4096 }; /* bytes of the parameters of a model, with room to spare */

bool th_moment_crowds_usual(const th_model *model, const void *params) {
  uint64_t initial[ROOM / sizeof(uint64_t)] = {0};
  if (!params || !model->param_count) return true;
  if (model->param_size > sizeof initial) return false;
  th_param_defaults(model->param, model->param_count, initial);
  return same_params(model, params, initial);
}

void th_moment_crowds_people(const th_scene *scene, const th_people_params *has, th_scene_people *people) {
  uint32_t count;
  const th_param *table = th_people_table(&count);
  th_people_params usual;
  const bool bodies = scene->people.is == TH_SCENE_BODIES;
  *people = (th_scene_people){.is = !has == bodies ? TH_SCENE_AS_SCENE : has ? TH_SCENE_PEOPLE : TH_SCENE_BODIES};
  if (!has) return;
  th_scene_people_usual(scene, &usual);
  people->params = *has;
  for (uint32_t i = 0; i < count; i++) {
    const size_t at = table[i].offset;
    if (memcmp((const uint8_t *)has + at, (const uint8_t *)&usual + at, sizeof(float)) != 0)
      people->given |= (uint64_t)1 << i;
  }
  if (people->given) people->is = TH_SCENE_PEOPLE;
}

/* ---------------------------------------------------------------- keys */

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_route(const th_scene_crowd *a, const th_scene_crowd *b) {
  bool same = a->stop_count == b->stop_count;
  for (uint32_t i = 0; same && i < a->stop_count; i++)
    same = same_text(a->stop[i].name, b->stop[i].name) && a->stop[i].wait == b->stop[i].wait;
  return same;
}

static bool same_model(const th_scene_crowd *a, const th_scene_crowd *b) {
  if (a->def.model != b->def.model || !a->def.params != !b->def.params) return false;
  return !a->def.params || same_params(a->def.model, a->def.params, b->def.params);
}

static bool same_people(const th_scene_crowd *a, const th_scene_crowd *b) {
  const th_people_params *p = a->def.people, *q = b->def.people;
  return p == q || (p && q && memcmp(p, q, sizeof *p) == 0);
}

static bool same_key(const th_key *key, const th_scene_crowd *a, const th_scene_crowd *b) {
  static const size_t size[TH_KEY_KINDS] = {[TH_KEY_FLOAT] = sizeof(float),
                                            [TH_KEY_COUNT] = sizeof(uint32_t),
                                            [TH_KEY_BOOL] = sizeof(bool),
                                            [TH_KEY_PAIR] = sizeof(th_vec2),
                                            [TH_KEY_SPREAD] = sizeof(th_spread)};
  switch (key->kind) {
    case TH_KEY_ROUTE:
      return same_route(a, b);
    case TH_KEY_TEXT:
      return same_text(a->guide, b->guide);
    case TH_KEY_MODEL:
    case TH_KEY_PARAMS: /* parameters follow their model */
      return same_model(a, b);
    case TH_KEY_PEOPLE:
      return same_people(a, b);
    case TH_KEY_OBJECT: /* links are events */
      return true;
    default:
      return memcmp((const uint8_t *)a + key->offset, (const uint8_t *)b + key->offset, size[key->kind]) == 0;
  }
}

static uint64_t differing(const th_scene_crowd *a, const th_scene_crowd *b) {
  uint64_t given = 0;
  for (uint32_t i = 0; i < th_scene_crowd_table.count; i++)
    if (!same_key(&th_scene_crowd_table.key[i], a, b)) given |= (uint64_t)1 << i;
  return given;
}

/* ---------------------------------------------------------------- the population */

/* What nothing needs to be said about. */
static th_scene_crowd initial(const th_scene_crowd *of) {
  th_scene_crowd crowd;
  memset(&crowd, 0, sizeof crowd);
  th_read_initial(&th_scene_crowd_table, &crowd);
  crowd.spread.speed = th_constant_spread(crowd.def.speed);
  crowd.spread.radius = th_constant_spread(crowd.def.radius);
  crowd.spread.premovement = th_constant_spread(crowd.def.premovement);
  crowd.spread.share = th_constant_spread(crowd.def.share);
  if (!of->def.people) crowd.def.acceleration_max = th_default_body_def().acceleration_max;
  crowd.def.people = of->people.is == TH_SCENE_AS_SCENE ? of->def.people : crowd.def.people;
  return crowd;
}

void th_moment_crowds_share(th_scene_population *population) {
  th_scene_crowd *common = &population->crowd;
  const th_scene_single *first = population->single;
  *common = first->crowd;
  common->def.heading = (th_vec2){0, 0};
  for (uint32_t i = 0; i < population->single_count; i++) {
    if (!first[i].crowd.guide) common->guide = NULL;
    if (!first[i].crowd.stop_count) common->stop_count = 0;
  }
  const th_scene_crowd usual = initial(common);
  common->given = differing(common, &usual);
  if (common->people.is != TH_SCENE_AS_SCENE) common->given |= th_scene_crowd_key_bit("people");
  for (uint32_t i = 0; i < population->single_count; i++) {
    th_scene_crowd *own = &population->single[i].crowd;
    own->given = differing(own, common);
    if (own->people.is == TH_SCENE_AS_SCENE) own->people.is = own->def.people ? TH_SCENE_PEOPLE : TH_SCENE_BODIES;
  }
}
