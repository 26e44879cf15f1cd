/* io/scene/link.c - resolves names.
 *
 * After the whole tree is read, every name that refers to something else is looked up: goals of routes, guides, doors,
 * populations, measured lines. For an unknown name the error suggests the most similar known one. Names must be unique
 * within their list. Cost: uses times names; quadratic in the names of one list.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/events/events.h"

/* A list of structs that have a `const char *name` somewhere. */
typedef struct names {
  th_named kind; /* none: only the scene has such things */
  const void *item;
  uint32_t count;
  size_t size, offset;
  const char *list, *what; /* key of the list, one of its things */
} names;

#define NAMES(scene, items, n, type, list, what) \
  (names) { TH_NAMED_NONE, (scene)->items, (scene)->n, sizeof(type), offsetof(type, name), list, what }

static names names_of(const th_scene *scene, th_named kind) {
  const names list[TH_NAMED_KINDS] = {
      [TH_NAMED_GOAL] = NAMES(scene, goal, goal_count, th_scene_goal, "goals", "goal"),
      [TH_NAMED_CHOICE] = NAMES(scene, choice, choice_count, th_scene_choice, "choices", "choice"),
      [TH_NAMED_GUIDE] = NAMES(scene, guide, guide_count, th_scene_guide, "guides", "guide"),
      [TH_NAMED_POPULATION] =
          NAMES(scene, population, population_count, th_scene_population, "populations", "population"),
      [TH_NAMED_SOURCE] = NAMES(scene, source, source_count, th_scene_source, "sources", "source"),
      [TH_NAMED_GROUP] = NAMES(scene, group, group_count, th_scene_group, "groups", "group"),
      [TH_NAMED_DOOR] = NAMES(scene, ground.door, ground.door_count, th_scene_area, "doors", "door"),
      [TH_NAMED_OBSTACLE] =
          NAMES(scene, ground.obstacle, ground.obstacle_count, th_scene_area, "obstacles", "obstacle")};
  names all = list[kind];
  all.kind = kind;
  return all;
}

static const char *name_of(const names *all, uint32_t i) {
  const char *name;
  memcpy(&name, (const uint8_t *)all->item + i * all->size + all->offset, sizeof name);
  return name;
}

static uint32_t find(const names *all, const char *name) {
  for (uint32_t i = 0; i < all->count; i++) {
    const char *other = name_of(all, i);
    if (other && strcmp(other, name) == 0) return i;
  }
  return TH_NO_INDEX;
}

static th_result check_unique(th_scene_reader *reader, const char *parent, const names *all) {
  for (uint32_t i = 1; i < all->count; i++) {
    const char *name = name_of(all, i);
    uint32_t first = name ? find(all, name) : i;
    if (first >= i) continue;
    if (parent) th_reader_enter(reader, parent);
    th_reader_enter(reader, all->list);
    th_reader_enter_index(reader, i);
    th_reader_enter(reader, "name");
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a name that no other %s has, found \"%.60s\" again",
                          all->what, name);
  }
  return TH_OK;
}

/* True when an event of the scene makes such a thing. */
static bool is_made(const th_scene *scene, th_named kind, const char *name) {
  for (uint32_t i = 0; i < scene->event_count; i++) {
    th_named made;
    const char *own = th_act_made(&scene->event[i], &made);
    if (own && made == kind && strcmp(own, name) == 0) return true;
  }
  return false;
}

typedef struct similar {
  const char *hint;
  uint32_t distance;
} similar;

static void compare(similar *best, const char *name, const char *other) {
  uint32_t distance = other ? th_json_distance(name, other) : UINT32_MAX;
  if (!other || distance >= best->distance || !th_json_similar(name, other, distance)) return;
  *best = (similar){other, distance};
}

static th_result fail_unknown(th_scene_reader *reader, const char *what, const char *name, const char *hint) {
  const char *article = strchr("aeiou", *what) ? "an" : "a";
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the name of %s %s, found \"%.60s\"%s%.60s%s", article,
                        what, name, hint ? "; did you mean \"" : "", hint ? hint : "", hint ? "\"?" : "");
}

/* The reader stands at the name. */
static th_result look_up(th_scene_reader *reader, const names *all, const char *name, uint32_t *index) {
  *index = find(all, name);
  if (*index != TH_NO_INDEX) return TH_OK;
  similar best = {NULL, UINT32_MAX};
  for (uint32_t i = 0; i < all->count; i++) compare(&best, name, name_of(all, i));
  return fail_unknown(reader, all->what, name, best.hint);
}

static th_result look_up_in_run(th_scene_reader *reader, const names *all, const char *name, uint32_t *index) {
  const th_run_list *list = &reader->run->list[all->kind];
  *index = th_run_named(reader->run, all->kind, name);
  if (*index != TH_NO_INDEX) return TH_OK;
  similar best = {NULL, UINT32_MAX};
  for (uint32_t i = 0; i < list->count; i++)
    if (!list->item[i].gone) compare(&best, name, list->item[i].name);
  return fail_unknown(reader, all->what, name, best.hint);
}

th_result th_scene_link_name(th_scene_reader *reader, const th_scene *scene, th_named kind, const char *name,
                             uint32_t *index) {
  const names all = names_of(scene, kind);
  *index = TH_NO_INDEX;
  if (reader->run) return kind == TH_NAMED_OBSTACLE ? TH_OK : look_up_in_run(reader, &all, name, index);
  if (find(&all, name) == TH_NO_INDEX && is_made(scene, kind, name)) return TH_OK;
  return look_up(reader, &all, name, index);
}

bool th_scene_link_known(const th_scene_reader *reader, const th_scene *scene, th_named kind, const char *name) {
  const names all = names_of(scene, kind);
  if (reader->run) return th_run_named(reader->run, kind, name) != TH_NO_INDEX;
  return find(&all, name) != TH_NO_INDEX || is_made(scene, kind, name);
}

/* ---------------------------------------------------------------- crowds */

static th_result link_links(th_scene_reader *reader, const th_scene *scene, th_scene_links *links) {
  static const char *const role[] = {"", "leader", "partner", "target", "focus", "pursuer"};
  for (uint32_t r = TH_ROLE_LEADER; r <= TH_ROLE_PURSUER; r++) {
    if (!links->name[r]) continue;
    size_t mark = th_reader_enter(reader, "links");
    th_reader_enter(reader, role[r]);
    th_result result = th_scene_link_name(reader, scene, TH_NAMED_POPULATION, links->name[r], &links->population[r]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

static th_result link_stop(th_scene_reader *reader, const th_scene *scene, th_scene_stop *stop) {
  stop->goal = stop->choice = TH_NO_INDEX;
  if (th_scene_link_known(reader, scene, TH_NAMED_CHOICE, stop->name))
    return th_scene_link_name(reader, scene, TH_NAMED_CHOICE, stop->name, &stop->choice);
  return th_scene_link_name(reader, scene, TH_NAMED_GOAL, stop->name, &stop->goal);
}

th_result th_scene_link_crowd(th_scene_reader *reader, const th_scene *scene, th_scene_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->stop_count; i++) {
    size_t mark = th_reader_enter(reader, "route");
    th_reader_enter_index(reader, i);
    th_result result = link_stop(reader, scene, &crowd->stop[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  if (crowd->guide) {
    size_t mark = th_reader_enter(reader, "guide");
    th_result result = th_scene_link_name(reader, scene, TH_NAMED_GUIDE, crowd->guide, &crowd->guide_index);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  th_result linked = link_links(reader, scene, &crowd->links);
  if (linked != TH_OK) return linked;
  float fastest = th_scene_spread(&crowd->spread.speed, crowd->def.speed).max;
  float *max = &crowd->def.speed_max;
  if (!(crowd->given & th_scene_crowd_key_bit("speed_max"))) {
    if (*max < fastest) *max = fastest;
  } else if (*max < fastest) {
    th_reader_enter(reader, "speed_max");
    return th_reader_fail(reader, TH_ERROR_RANGE, false, "expected at least the fastest wanted speed, %g m/s, found %g",
                          (double)fastest, (double)*max);
  }
  return TH_OK;
}

th_result th_scene_link_group(th_scene_reader *reader, const th_scene *scene, const th_scene_group *group) {
  uint32_t index;
  for (uint32_t k = 0; k < group->population_count; k++) {
    size_t inner = th_reader_enter(reader, "populations");
    th_reader_enter_index(reader, k);
    th_result result = th_scene_link_name(reader, scene, TH_NAMED_POPULATION, group->population[k], &index);
    if (result != TH_OK) return result;
    th_reader_back(reader, inner);
  }
  size_t inner = th_reader_enter(reader, "leader");
  th_result result =
      group->leader ? th_scene_link_name(reader, scene, TH_NAMED_POPULATION, group->leader, &index) : TH_OK;
  if (result == TH_OK) th_reader_back(reader, inner);
  return result;
}

static th_result link_groups(th_scene_reader *reader, const th_scene *scene) {
  for (uint32_t i = 0; i < scene->group_count; i++) {
    size_t mark = th_reader_enter(reader, "groups");
    th_reader_enter_index(reader, i);
    th_result result = th_scene_link_group(reader, scene, &scene->group[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

static th_result link_people(th_scene_reader *reader, const th_scene *scene, th_scene_crowd *crowd) {
  th_result result = th_scene_people_link(reader, scene, crowd);
  return result ? result : th_scene_link_crowd(reader, scene, crowd);
}

th_result th_scene_link_population(th_scene_reader *reader, const th_scene *scene, th_scene_population *population) {
  th_result result = link_people(reader, scene, &population->crowd);
  for (uint32_t i = 0; i < population->single_count && result == TH_OK; i++) {
    const size_t mark = th_reader_enter(reader, "each");
    th_reader_enter_index(reader, i);
    result = link_people(reader, scene, &population->single[i].crowd);
    if (result == TH_OK) th_reader_back(reader, mark);
  }
  return result;
}

static th_result link_choices(th_scene_reader *reader, const th_scene *scene) {
  for (uint32_t i = 0; i < scene->choice_count; i++) {
    size_t mark = th_reader_enter(reader, "choices");
    th_reader_enter_index(reader, i);
    th_result result = th_scene_choices_link(reader, scene, &scene->choice[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

static th_result link_populations(th_scene_reader *reader, th_scene *scene) {
  for (uint32_t i = 0; i < scene->population_count; i++) {
    size_t mark = th_reader_enter(reader, "populations");
    th_reader_enter_index(reader, i);
    th_result result = th_scene_link_population(reader, scene, &scene->population[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  for (uint32_t i = 0; i < scene->source_count; i++) {
    size_t mark = th_reader_enter(reader, "sources");
    th_reader_enter_index(reader, i);
    th_result result = link_people(reader, scene, &scene->source[i].crowd);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- outlines */

/* Flat ground and measures know outlines only; a ball, or everywhere, is a space that cuts out some of a mesh. */
static th_result check_outline(th_scene_reader *reader, const th_scene_area *area) {
  if (area->shape.kind != TH_SHAPE_DISC) return TH_OK;
  return th_reader_fail(reader, TH_ERROR_GEOMETRY, false, "expected a rectangle, a polygon or a disc here, found %s",
                        area->shape.radius < INFINITY ? "a ball" : "everywhere");
}

static th_result check_outlines(th_scene_reader *reader, const char *parent, const char *list,
                                const th_scene_area *area, uint32_t count) {
  const size_t begin = th_reader_enter(reader, parent), mark = th_reader_enter(reader, list);
  th_result result = TH_OK;
  for (uint32_t i = 0; i < count && result == TH_OK; i++) {
    th_reader_enter_index(reader, i);
    result = check_outline(reader, &area[i]);
    if (result == TH_OK) th_reader_back(reader, mark);
  }
  if (result == TH_OK) th_reader_back(reader, begin);
  return result;
}

static th_result link_areas(th_scene_reader *reader, const th_scene *scene) {
  const th_scene_ground *ground = &scene->ground;
  th_result result = check_outlines(reader, "measure", "areas", scene->measure.area, scene->measure.area_count);
  if (result != TH_OK || ground->mesh) return result;
  result = check_outlines(reader, "ground", "outline", ground->outline, ground->outline_count);
  if (result == TH_OK) result = check_outlines(reader, "ground", "obstacles", ground->obstacle, ground->obstacle_count);
  return result == TH_OK ? check_outlines(reader, "ground", "doors", ground->door, ground->door_count) : result;
}

th_result th_scene_link_outline(th_scene_reader *reader, const th_scene *scene, const th_scene_area *area) {
  return scene->ground.mesh ? TH_OK : check_outline(reader, area);
}

/* ---------------------------------------------------------------- events */

/* Those with a step first. */
static int by_time(const void *a, const void *b) {
  const th_scene_event *first = a, *second = b;
  if (first->step != second->step) return first->step < second->step ? -1 : 1;
  if (first->at != second->at) return first->at < second->at ? -1 : 1;
  return first->order < second->order ? -1 : 1; /* as in the file */
}

static th_result link_events(th_scene_reader *reader, th_scene *scene) {
  for (uint32_t i = 0; i < scene->event_count; i++) scene->step_event_count += scene->event[i].step != TH_NO_INDEX;
  for (uint32_t i = 0; i < scene->event_count; i++) {
    size_t mark = th_reader_enter(reader, "events");
    th_reader_enter_index(reader, i);
    scene->event[i].order = i;
    th_result result = th_act_link_event(reader, scene, &scene->event[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  if (scene->event_count) qsort(scene->event, scene->event_count, sizeof *scene->event, by_time);
  return TH_OK;
}

/* ---------------------------------------------------------------- expectations */

static th_result link_ranges(th_scene_reader *reader, const char *key, th_named_range *range, uint32_t count,
                             const names *all) {
  for (uint32_t i = 0; i < count; i++) {
    size_t mark = th_reader_enter(reader, "expect");
    th_reader_enter(reader, key);
    th_reader_enter(reader, range[i].name);
    th_result result = look_up(reader, all, range[i].name, &range[i].index);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

static th_result link_expect(th_scene_reader *reader, th_scene *scene) {
  names lines = NAMES(scene, measure.line, measure.line_count, th_scene_line, "lines", "measured line");
  names areas = NAMES(scene, measure.area, measure.area_count, th_scene_area, "areas", "measured area");
  names goals = NAMES(scene, goal, goal_count, th_scene_goal, "goals", "goal");
  names groups = NAMES(scene, group, group_count, th_scene_group, "groups", "group");
  th_scene_expect *e = &scene->expect;
  th_result result = link_ranges(reader, "flow", e->flow, e->flow_count, &lines);
  if (result == TH_OK) result = link_ranges(reader, "count", e->count, e->count_count, &lines);
  if (result == TH_OK) result = link_ranges(reader, "density", e->density, e->density_count, &areas);
  if (result == TH_OK) result = link_ranges(reader, "inside", e->inside, e->inside_count, &areas);
  if (result == TH_OK) result = link_ranges(reader, "left_by", e->left_by, e->left_by_count, &goals);
  if (result == TH_OK) result = link_ranges(reader, "last_by", e->last_by, e->last_by_count, &goals);
  if (result == TH_OK) result = link_ranges(reader, "outside", e->outside, e->outside_count, &groups);
  if (result == TH_OK) result = link_ranges(reader, "off_post", e->off_post, e->off_post_count, &groups);
  if (result == TH_OK) result = link_ranges(reader, "askew", e->askew, e->askew_count, &groups);
  return result;
}

th_result th_scene_link(th_scene_reader *reader, th_scene *scene) {
  struct {
    const char *parent;
    names all;
  } lists[] = {
      {NULL, NAMES(scene, goal, goal_count, th_scene_goal, "goals", "goal")},
      {NULL, NAMES(scene, choice, choice_count, th_scene_choice, "choices", "choice")},
      {NULL, NAMES(scene, guide, guide_count, th_scene_guide, "guides", "guide")},
      {NULL, NAMES(scene, population, population_count, th_scene_population, "populations", "population")},
      {NULL, NAMES(scene, source, source_count, th_scene_source, "sources", "source")},
      {"ground", NAMES(scene, ground.door, ground.door_count, th_scene_area, "doors", "door")},
      {"ground", NAMES(scene, ground.obstacle, ground.obstacle_count, th_scene_area, "obstacles", "obstacle")},
      {"measure", NAMES(scene, measure.line, measure.line_count, th_scene_line, "lines", "line")},
      {"measure", NAMES(scene, measure.area, measure.area_count, th_scene_area, "areas", "area")},
  };
  th_result result = TH_OK;
  for (size_t i = 0; i < sizeof lists / sizeof *lists && result == TH_OK; i++) {
    result = check_unique(reader, lists[i].parent, &lists[i].all);
  }
  if (result == TH_OK) result = link_areas(reader, scene);
  if (result == TH_OK) result = link_choices(reader, scene);
  if (result == TH_OK) result = link_populations(reader, scene);
  if (result == TH_OK) result = link_groups(reader, scene);
  if (result == TH_OK) result = link_events(reader, scene);
  return result == TH_OK ? link_expect(reader, scene) : result;
}
