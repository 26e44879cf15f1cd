/* io/scene/events/act_ground.c - events of the ground: doors, obstacles, vertices.
 *
 * The ground is made with its doors and knows no others. A door that an event makes, or moves, is an obstacle that is
 * there while the door is closed; the door of the ground that it replaces stays open. Each event is one edit: one new
 * version. Cost: that of th_world_edit.
 */
#include <string.h>

#include "base/memory.h"
#include "geometry/shape.h"
#include "io/scene/events/events.h"

static th_result edit_one(th_run *run, th_edit_kind kind, const char *name, th_error *error) {
  return th_world_edit(run->world, &(th_edit){.kind = kind, .name = name}, 1, error);
}

/* One edit takes away and adds, so that the ground gets one version. */
static th_result exchange(th_run *run, th_edit_kind away, const char *name, const th_scene_area *area,
                          th_error *error) {
  th_region region;
  const th_edit edit[2] = {{.kind = away, .name = name}, th_scene_add_edit(run->scene, area, &region)};
  return th_world_edit(run->world, edit, 2, error);
}

static th_result add(th_run *run, const th_scene_area *area, th_error *error) {
  th_region region;
  const th_edit edit = th_scene_add_edit(run->scene, area, &region);
  return th_world_edit(run->world, &edit, 1, error);
}

th_result th_act_add(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  return add(run, event->area, error);
}

th_result th_act_remove(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  return edit_one(run, TH_EDIT_REMOVE, event->name, error);
}

th_result th_act_obstacle(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  th_error found = {0};
  th_result result = exchange(run, TH_EDIT_REMOVE, event->name, event->area, &found);
  if (result == TH_ERROR_STATE && found.element == 0) return add(run, event->area, error); /* there is none */
  if (result && error) *error = found;
  return result;
}

static th_result find_door(th_run *run, const char *name, th_run_item **item, th_error *error) {
  *item = NULL;
  const uint32_t door = th_run_named(run, TH_NAMED_DOOR, name);
  if (door == TH_NO_INDEX) return th_run_names_fail(error, "a door", name);
  *item = &run->list[TH_NAMED_DOOR].item[door];
  return TH_OK;
}

static th_result turn(th_run *run, const char *name, bool close, th_error *error) {
  th_run_item *door;
  th_result result = find_door(run, name, &door, error);
  if (result) return result;
  if (!door->area) return edit_one(run, close ? TH_EDIT_CLOSE : TH_EDIT_OPEN, name, error);
  if (door->closed == close) return TH_OK;
  result = close ? add(run, door->area, error) : edit_one(run, TH_EDIT_REMOVE, door->area->name, error);
  if (!result) door->closed = close;
  return result;
}

th_result th_act_open(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  return turn(run, event->name, false, error);
}

th_result th_act_close(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  return turn(run, event->name, true, error);
}

/* Away with it; where it stood nobody is held up. */
static th_result take_door(th_run *run, const th_run_item *door, th_error *error) {
  if (!door->area) return edit_one(run, TH_EDIT_OPEN, door->name, error);
  return door->closed ? edit_one(run, TH_EDIT_REMOVE, door->area->name, error) : TH_OK;
}

th_result th_act_remove_door(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  th_run_item *door;
  th_result result = find_door(run, event->name, &door, error);
  if (!result) result = take_door(run, door, error);
  if (!result) door->gone = true;
  return result;
}

/* In the run's memory. Doors and obstacles of a ground share their names, so the obstacle that stands for a door has
 * another one. */
static const th_scene_area *copy_door(th_run *run, const th_scene_area *area) {
  static const char prefix[] = "door:";
  const uint32_t count = area->shape.count;
  th_scene_area *copy = th_scene_memory_take(run->memory, 1, sizeof *copy);
  th_vec3 *point = th_scene_memory_take(run->memory, count, sizeof(th_vec3) + sizeof(th_vec2));
  char *name = th_scene_memory_take(run->memory, strlen(area->name) + sizeof prefix, 1);
  if (!copy || !point || !name) return NULL;
  memcpy(name, prefix, sizeof prefix - 1);
  memcpy(name + sizeof prefix - 1, area->name, strlen(area->name) + 1);
  *copy = *area;
  copy->name = name;
  copy->shape.point = point;
  memcpy(point, th_shape_points(&area->shape), sizeof *point * count);
  th_vec2 *plan = (th_vec2 *)(point + count); /* where th_scene_polygon looks for it */
  for (uint32_t i = 0; i < count; i++) plan[i] = (th_vec2){point[i].x, point[i].y};
  return copy;
}

static th_result put_door(th_run *run, const th_run_item *old, const th_scene_area *area, th_error *error) {
  if (!area->closed) return old ? take_door(run, old, error) : TH_OK;
  if (!old || (old->area && !old->closed)) return add(run, area, error);
  return exchange(run, old->area ? TH_EDIT_REMOVE : TH_EDIT_OPEN, old->area ? old->area->name : old->name, area, error);
}

th_result th_act_door(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const char *own;
  const th_scene_area *area = copy_door(run, event->area);
  if (!area || !th_run_names_reserve(run, TH_NAMED_DOOR, event->name, &own)) return th_fail_memory(error, "door");
  const uint32_t door = th_run_named(run, TH_NAMED_DOOR, event->name);
  th_run_item *item = run->list[TH_NAMED_DOOR].item; /* stays where it is from here on */
  th_result result = put_door(run, door == TH_NO_INDEX ? NULL : &item[door], area, error);
  if (result) return result;
  if (door != TH_NO_INDEX) item[door].gone = true;
  const uint32_t made = th_run_names_add(run, TH_NAMED_DOOR, own, (th_id){0});
  item[made].area = area;
  item[made].closed = area->closed;
  return TH_OK;
}

th_result th_act_deform(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const th_scene_deform *deform = event->deform;
  th_vertex_move *move = TH_TAKE(&run->env.allocator, th_vertex_move, deform->vertex_count);
  if (!move) return th_fail_memory(error, "deform");
  for (uint32_t i = 0; i < deform->vertex_count; i++)
    move[i] = (th_vertex_move){(uint32_t)deform->vertex[i], deform->point.point[i]};
  const th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = deform->vertex_count};
  th_result result = th_world_edit(run->world, &edit, 1, error);
  TH_GIVE(&run->env.allocator, move, deform->vertex_count);
  return result;
}
