/* report/render/check.c - checks the def of a figure of a surface before anything is drawn. */
#include "base/error.h"
#include "report/render/view.h"

static th_result check_camera(const th_camera *camera, uint32_t index, th_error *error) {
  bool finite = isfinite(camera->azimuth) && isfinite(camera->elevation) && isfinite(camera->lens);
  if (!finite || fabs(camera->elevation) > 90.0)
    return th_fail_at(error, TH_ERROR_RANGE, "camera", index, "expected an elevation of -90 to 90 degrees, found %g",
                      camera->elevation);
  if (!(camera->lens >= 0.0 && camera->lens <= 120.0))
    return th_fail_at(error, TH_ERROR_RANGE, "camera", index, "expected a lens of 0 to 120 degrees, found %g",
                      camera->lens);
  if (!(camera->zoom >= 0.1 && camera->zoom <= 100.0))
    return th_fail_at(error, TH_ERROR_RANGE, "camera", index, "expected a zoom of 0.1 to 100, found %g", camera->zoom);
  if (camera->kind != TH_CAMERA_POSITION) return TH_OK;
  float dx = camera->eye.x - camera->target.x, dy = camera->eye.y - camera->target.y,
        dz = camera->eye.z - camera->target.z;
  float apart = dx * dx + dy * dy + dz * dz;
  if (camera->lens > 0.0 && isfinite(apart) && apart > 0.0f) return TH_OK;
  return th_fail_at(error, TH_ERROR_RANGE, "camera", index,
                    "expected a position with a lens above 0 and a target elsewhere, found lens %g", camera->lens);
}

static th_result check_agents(const th_mesh_figure_def *def, th_error *error) {
  const th_mesh_figure_bodies *agents = &def->agents;
  if (agents->count == 0) return TH_OK;
  if (!agents->face || (!agents->point && !agents->weights))
    return th_fail(error, TH_ERROR_STATE, "agents", "expected faces with points or weights for %u agents, found none",
                   agents->count);
  for (uint32_t a = 0; a < agents->count; a++)
    if (agents->face[a] >= def->mesh->face_count)
      return th_fail_at(error, TH_ERROR_RANGE, "agents", a, "expected a face below %u, found %u", def->mesh->face_count,
                        agents->face[a]);
  return TH_OK;
}

static bool finite_point(const th_vec3 *p) { return isfinite(p->x) && isfinite(p->y) && isfinite(p->z); }

static th_result check_lines(const th_mesh_figure_def *def, th_error *error) {
  for (uint32_t k = 0; k < def->line_count; k++) {
    const th_mesh_figure_line *line = &def->line[k];
    if ((unsigned)line->kind > TH_MESH_FIGURE_TRACE)
      return th_fail_at(error, TH_ERROR_RANGE, "line", k, "expected a kind of line from 0 to 3, found %d", line->kind);
    for (uint32_t i = 0; i < line->count; i++)
      if (!finite_point(&line->point[i]))
        return th_fail_at(error, TH_ERROR_RANGE, "line", k, "expected numbers, found NAN or infinity in point %u", i);
  }
  for (uint32_t k = 0; k < def->mark_count; k++) {
    const th_mesh_figure_mark *mark = &def->mark[k];
    if (mark->face >= def->mesh->face_count || !finite_point(&mark->point) || !mark->kind || !(mark->radius > 0.0f))
      return th_fail_at(error, TH_ERROR_RANGE, "mark", k,
                        "expected a kind, a face below %u, a point and a radius, found face %u, radius %g",
                        def->mesh->face_count, mark->face, (double)mark->radius);
    bool good = !mark->outline || (mark->outline_count >= 2 && mark->low <= mark->high);
    for (uint32_t i = 0; good && mark->outline && i < mark->outline_count; i++) good = finite_point(&mark->outline[i]);
    if (!good)
      return th_fail_at(error, TH_ERROR_RANGE, "mark", k,
                        "expected an outline of 2 points or more and low <= high, found %u, %g and %g",
                        mark->outline_count, (double)mark->low, (double)mark->high);
  }
  return TH_OK;
}

th_result th_mesh_figure_check(const th_mesh_figure_def *def, const char *path, th_error *error) {
  if (!def->mesh || def->mesh->face_count == 0)
    return th_fail(error, TH_ERROR_STATE, path, "expected a mesh with faces to draw, found none");
  if (!(def->stretch >= 0.1 && def->stretch <= 20.0))
    return th_fail(error, TH_ERROR_RANGE, "stretch", "expected 0.1 to 20, found %g", def->stretch);
  if (def->value.vertex && def->value.face)
    return th_fail(error, TH_ERROR_STATE, "value", "expected values of vertices or of faces, found both");
  if (def->width < 200 || def->width > 20000 || (def->height && (def->height < 150 || def->height > 30000)))
    return th_fail(error, TH_ERROR_RANGE, path, "expected a figure 200 to 20000 pixels wide, found %u x %u", def->width,
                   def->height);
  if (def->camera && (def->camera_count == 0 || def->camera_count > TH_MAX_CAMERAS))
    return th_fail(error, TH_ERROR_CAPACITY, "camera", "expected 1 to %d cameras, found %u", TH_MAX_CAMERAS,
                   def->camera_count);
  th_result result = TH_OK;
  for (uint32_t k = 0; def->camera && k < def->camera_count && result == TH_OK; k++)
    result = check_camera(&def->camera[k], k, error);
  if (result == TH_OK) result = check_agents(def, error);
  return result == TH_OK ? check_lines(def, error) : result;
}
