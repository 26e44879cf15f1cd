/* ground/mesh/check.c - what a mesh ground accepts.
 *
 * Everything is checked before it is used, so an error leaves nothing behind and names the element, what was expected
 * and what was found. Cost: linear, apart from names (compared in pairs).
 */
#include "ground/mesh/check.h"

#include <string.h>

#include "base/error.h"

static th_result check_range(float value, float min, float max, const char *name, th_error *error) {
  if (value >= min && value <= max) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, name, "expected %g to %g, found %g", (double)min, (double)max, (double)value);
}

static th_result check_radii(const th_mesh_ground_def *def, th_error *error) {
  if (def->class_count < 1 || def->class_count > TH_MAX_CLASSES)
    return th_fail(error, TH_ERROR_RANGE, "class_count", "expected 1 to %d, found %u", TH_MAX_CLASSES,
                   def->class_count);
  for (uint32_t k = 0; k < def->class_count; k++) {
    float r = def->radius_class[k];
    if (!(r >= 0.0f && r <= 100.0f))
      return th_fail_at(error, TH_ERROR_RANGE, "radius_class", k, "expected 0 to 100 m, found %g", (double)r);
    if (k && !(r > def->radius_class[k - 1]))
      return th_fail_at(error, TH_ERROR_RANGE, "radius_class", k, "expected more than the class before, %g m, found %g",
                        (double)def->radius_class[k - 1], (double)r);
  }
  return check_range(def->clearance_limit, 0.01f, 1000.0f, "clearance_limit", error);
}

static th_result check_terrains(const th_mesh_ground_def *def, th_error *error) {
  if (def->terrain_count > TH_MAX_TERRAINS)
    return th_fail(error, TH_ERROR_CAPACITY, "terrain", "expected at most %d terrains, found %u", TH_MAX_TERRAINS,
                   def->terrain_count);
  if (def->terrain_count && !def->terrain)
    return th_fail(error, TH_ERROR_RANGE, "terrain", "expected a list for a count above 0, found NULL");
  for (uint32_t k = 0; k < 3 * def->terrain_count; k++) {
    const th_terrain *kind = &def->terrain[k / 3];
    const float speed = k % 3 == 0 ? kind->speed : k % 3 == 1 ? kind->speed_up : kind->speed_down;
    if (!(speed >= 0.01f && speed <= 10.0f) && !(k % 3 && speed == 0.0f))
      return th_fail_at(error, TH_ERROR_RANGE, "terrain", k / 3, "expected a speed of 0.01 to 10, found %g",
                        (double)speed);
  }
  uint32_t terrains = def->terrain_count ? def->terrain_count : 1;
  uint32_t faces = def->mesh ? def->mesh->face_count : def->triangles.face_count;
  for (uint32_t f = 0; def->terrain_of && f < faces; f++)
    if (def->terrain_of[f] >= terrains)
      return th_fail_at(error, TH_ERROR_RANGE, "terrain_of", f, "expected a terrain below %u, found %u in face %u",
                        terrains, def->terrain_of[f], f);
  return TH_OK;
}

static const char *name_of(const th_mesh_ground_def *def, uint32_t k) {
  return k < def->door_count ? def->door[k].region.name : def->blocked[k - def->door_count].name;
}

static th_result check_names(const th_mesh_ground_def *def, th_error *error) {
  if ((def->blocked_count && !def->blocked) || (def->door_count && !def->door))
    return th_fail(error, TH_ERROR_RANGE, "def", "expected a list of regions for a count above 0, found NULL");
  uint32_t count = def->door_count + def->blocked_count;
  for (uint32_t a = 0; a < count; a++) {
    const char *name = name_of(def, a);
    bool door = a < def->door_count;
    uint32_t element = door ? a : a - def->door_count;
    if (door && (!name || !name[0]))
      return th_fail_at(error, TH_ERROR_FORMAT, "door", element, "expected a name, found none");
    for (uint32_t b = 0; name && b < a; b++) {
      const char *other = name_of(def, b);
      if (other && strcmp(name, other) == 0)
        return th_fail_at(error, TH_ERROR_FORMAT, door ? "door" : "blocked", element,
                          "expected a name of its own, found %s a second time", name);
    }
  }
  return TH_OK;
}

static th_result check_mesh(const th_mesh_ground_def *def, th_error *error) {
  if (!def->mesh) return TH_OK; /* triangles are checked when they become a mesh */
  if (!def->mesh->face_count)
    return th_fail(error, TH_ERROR_GEOMETRY, "mesh", "expected triangles, found an empty mesh");
  if (def->triangles.face_count)
    return th_fail(error, TH_ERROR_GEOMETRY, "mesh", "expected a mesh or triangles, found both");
  return TH_OK;
}

th_result th_mesh_ground_check(const th_mesh_ground_def *def, th_error *error) {
  if (!(def->slope_max > 0.0f && def->slope_max <= 180.0f))
    return th_fail(error, TH_ERROR_RANGE, "slope_max", "expected degrees in (0, 180], found %g",
                   (double)def->slope_max);
  th_result result = check_mesh(def, error);
  if (!result) result = check_range(def->slope_speed, 0.0f, 1.0f, "slope_speed", error);
  if (!result) result = check_range(def->slope_up, -1.0f, 1.0f, "slope_up", error);
  if (!result) result = check_range(def->slope_down, -1.0f, 1.0f, "slope_down", error);
  if (!result) result = check_range(def->headroom, 0.0f, 100.0f, "headroom", error);
  if (!result) result = check_radii(def, error);
  if (!result) result = check_terrains(def, error);
  if (!result) result = check_names(def, error);
  return result;
}
