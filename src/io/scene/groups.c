/* io/scene/groups.c - the groups of a scene: members by population, areas by shapes and images.
 *
 * An event gives the whole state of a group from then on: its members, its leader and its shape. So one kind of event
 * makes, changes, joins, leaves, merges and splits groups: members leave their old groups, and a new name makes a
 * group.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape.h"
#include "io/pack/files.h"
#include "io/scene/run.h"

/* What a group's def points to while it is made. */
typedef struct parts {
  th_vec2 *point;
  uint32_t point_count;
  th_polygon *polygon;
  th_vec2 *post;
  th_agent_id *member;
  th_image_file file;
} parts;

static void give(const th_run *run, const th_scene_group *group, parts *p) {
  const th_allocator *a = &run->env.allocator;
  TH_GIVE(a, p->point, p->point_count);
  TH_GIVE(a, p->polygon, group->area_count);
  TH_GIVE(a, p->post, group->formation ? group->formation->points.count : 0);
  TH_GIVE(a, p->member, run->member_count);
  if (group->image.file) th_image_file_free(&p->file);
}

static bool take(const th_run *run, const th_scene_group *group, parts *p) {
  const th_allocator *a = &run->env.allocator;
  for (uint32_t i = 0; i < group->area_count; i++) p->point_count += group->area[i].shape.count;
  p->point = TH_TAKE(a, th_vec2, p->point_count);
  p->polygon = TH_TAKE(a, th_polygon, group->area_count);
  p->member = TH_TAKE(a, th_agent_id, run->member_count);
  const th_scene_points *posts = group->formation ? &group->formation->points : NULL;
  p->post = TH_TAKE(a, th_vec2, posts ? posts->count : 0);
  if (!p->point || !p->polygon || !p->member || !p->post) return false;
  for (uint32_t i = 0; posts && i < posts->count; i++) p->post[i] = (th_vec2){posts->point[i].x, posts->point[i].y};
  th_vec2 *at = p->point;
  for (uint32_t i = 0; i < group->area_count; i++) {
    const th_shape *shape = &group->area[i].shape;
    const th_vec3 *from = th_shape_points(shape);
    p->polygon[i] = (th_polygon){group->area[i].name, at, shape->count};
    for (uint32_t k = 0; k < shape->count; k++) *at++ = (th_vec2){from[k].x, from[k].y};
  }
  return true;
}

static th_result load(const th_run *run, const th_scene_group *group, parts *p, th_error *error) {
  const th_scene_image *image = &group->image;
  if (!image->file) return TH_OK;
  const th_files *files = run->scene->files;
  th_result result = files->image(files, &run->env, image->file, &p->file, error);
  p->file.image.metres_per_pixel = image->metres_per_pixel;
  p->file.image.origin = image->origin;
  p->file.image.dark = (uint8_t)image->dark;
  return result;
}

static bool is_of(const th_run *run, uint32_t member, const char *name) {
  return name && strcmp(run->list[TH_NAMED_POPULATION].item[run->member[member].population].name, name) == 0;
}

/* The members that are in the world, and the def. */
static th_group_def describe(const th_run *run, const th_scene_group *group, const parts *p, uint32_t *members) {
  th_group_def def = group->def;
  *members = 0;
  for (uint32_t i = 0; i < run->member_count; i++) {
    bool own = false;
    if (!th_world_has_agent(run->world, run->member[i].id)) continue;
    for (uint32_t k = 0; k < group->population_count; k++) own |= is_of(run, i, group->population[k]);
    if (own) p->member[(*members)++] = run->member[i].id;
    if (!def.leader.index && is_of(run, i, group->leader)) def.leader = run->member[i].id;
  }
  def.area = p->polygon, def.area_count = group->area_count;
  def.image = group->image.file ? &p->file.image : NULL;
  if (group->formation) def.formation = group->formation->def;
  if (group->formation) def.formation.point = p->post, def.formation.point_count = group->formation->points.count;
  return def;
}

static void dismiss_others(th_run *run, th_group_id group, const th_agent_id *member, uint32_t count) {
  for (uint32_t i = 0; i < run->member_count; i++) {
    const th_agent_id id = run->member[i].id;
    bool stays = false;
    if (!th_world_has_agent(run->world, id) || !th_same_group(th_world_agent_group(run->world, id), group)) continue;
    for (uint32_t k = 0; k < count; k++) stays |= th_same_agent(member[k], id);
    if (!stays) (void)th_world_leave_group(run->world, id, NULL);
  }
}

/* The posts that it had are not for its new members. */
static th_result disband(th_run *run, th_group_id id, th_error *error) {
  th_group_def def;
  if (!th_world_group_def(run->world, id, &def) || def.formation.kind == TH_FORMATION_NONE) return TH_OK;
  def.formation = (th_formation){0};
  return th_world_change_group(run->world, id, &def, error);
}

/* Makes the group, or gives the one that exists these members and this shape. Members are added before the shape, for a
 * leader is a member. */
th_result th_run_regroup(th_run *run, const th_scene_group *group, th_group_id *id, th_error *error) {
  parts p = {0};
  uint32_t members;
  th_result result = take(run, group, &p) ? load(run, group, &p, error) : th_fail_memory(error, "groups");
  if (!result) {
    const th_group_def def = describe(run, group, &p, &members);
    const bool is_new = th_is_null_group(*id);
    if (is_new) result = th_world_add_group(run->world, &def, p.member, members, id, error);
    if (!is_new) result = disband(run, *id, error);
    if (!is_new && !result) result = th_world_join_group(run->world, *id, p.member, members, error);
    if (!is_new && !result) result = th_world_change_group(run->world, *id, &def, error);
    if (!is_new && !result) dismiss_others(run, *id, p.member, members);
  }
  give(run, group, &p);
  return result;
}

th_result th_run_group(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->scene->group_count; i++) {
    th_error found = {0};
    th_group_id id = TH_NULL_GROUP;
    th_result result = th_run_regroup(run, &run->scene->group[i], &id, &found);
    run->list[TH_NAMED_GROUP].item[i].id = TH_ID(id);
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/groups/%u", i);
    if (result) return th_scene_fail(run->scene, error, result, pointer, "%s: %s", found.where, found.text);
  }
  return TH_OK;
}
