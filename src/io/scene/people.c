/* io/scene/people.c - reads "people" of scenes, populations and sources: true, false, or some of their parameters.
 *
 * What a crowd does not give it has of its scene, and what the scene does not give of th_default_people. The keys are
 * the rows of th_people_table, so a new parameter needs no line here. Cost: constant per key.
 */
#include <string.h>

#include "base/error.h"
#include "io/scene/read.h"
#include "io/scene/scene.h"

static th_result set_one(th_scene_reader *reader, th_scene_people *people, const char *name, const json_t *value) {
  char text[TH_PARAM_TEXT], found[TH_FOUND];
  uint32_t count;
  th_error error;
  const th_param *table = th_people_table(&count);
  const size_t mark = th_reader_enter(reader, name);
  if (!th_param_text(value, text, sizeof text))
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a number, found %s", th_reader_found(value, found));
  th_result result = th_param_set(table, count, &people->params, name, text, &error);
  if (result != TH_OK) return th_reader_fail(reader, result, false, "%s", error.text);
  for (uint32_t i = 0; i < count; i++) people->given |= (uint64_t)(strcmp(table[i].name, name) == 0) << i;
  th_reader_back(reader, mark);
  return TH_OK;
}

th_result th_read_people_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  th_scene_people *people = (th_scene_people *)(void *)(read->object + read->key->offset);
  if (!json_is_boolean(read->value) && !json_is_object(read->value))
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected true, false or an object with parameters of people, found %s",
                          th_reader_found(read->value, found));
  people->is = json_is_false(read->value) ? TH_SCENE_BODIES : TH_SCENE_PEOPLE;
  people->given = 0;
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)read->value, name, value) {
    th_result result = set_one(reader, people, name, value);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

static void lay_over(th_people_params *under, const th_scene_people *over) {
  uint32_t count;
  const th_param *table = th_people_table(&count);
  for (uint32_t i = 0; i < count; i++)
    if (over->given >> i & 1u)
      memcpy((uint8_t *)under + table[i].offset, (const uint8_t *)&over->params + table[i].offset, sizeof(float));
}

void th_scene_people_usual(const th_scene *scene, th_people_params *people) {
  *people = th_default_people;
  if (scene->people.is != TH_SCENE_BODIES) lay_over(people, &scene->people);
}

th_result th_scene_people_link(th_scene_reader *reader, const th_scene *scene, th_scene_crowd *crowd) {
  const th_scene_people *own = &crowd->people;
  const bool scene_has = scene->people.is != TH_SCENE_BODIES;
  if (own->is == TH_SCENE_BODIES || (own->is == TH_SCENE_AS_SCENE && !scene_has)) {
    crowd->def.people = NULL;
    if (!(crowd->given & th_scene_crowd_key_bit("acceleration_max")))
      crowd->def.acceleration_max = th_default_body_def().acceleration_max;
    return TH_OK;
  }
  th_people_params *people = th_scene_memory_take(reader->memory, 1, sizeof *people);
  if (!people) return th_reader_fail_memory(reader);
  th_scene_people_usual(scene, people);
  lay_over(people, own);
  crowd->def.people = people;
  return TH_OK;
}
