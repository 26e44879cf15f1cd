/* io/scene/periodic.c - a corridor whose left and right ends join.
 *
 * Fundamental diagrams need a crowd of one density that walks on for ever. A rectangle whose ends join is made as a
 * prism: its sides are flat and folded along lines across, so distances and directions on it are exactly those of the
 * plane, and everything that works on meshes works on it. Its axis is z, from 0 to the rectangle's height, through
 * x = y = 0. Cost: that of a mesh of triangles with edges of 1 m.
 */
#include <math.h>

#include "base/trig.h"
#include "geometry/shape.h"
#include "io/scene/keys.h"
#include "io/scene/read.h"
#include "make/shapes.h"

static th_result make_cylinder(th_scene_reader *reader, th_scene_ground *ground) {
  const th_box box = th_shape_bounds(&ground->outline[0].shape);
  const double length = box.x1 - box.x0, width = box.y1 - box.y0, pi = TH_PI_DOUBLE;
  const double sides = fmax(12.0, floor(length + 0.5));
  ground->mesh = th_scene_memory_take(reader->memory, 1, sizeof *ground->mesh);
  th_make_params *make = th_scene_memory_take(reader->memory, 1, sizeof *make);
  if (!ground->mesh || !make) return th_reader_fail(reader, TH_ERROR_MEMORY, false, "out of memory");
  *ground->mesh = (th_scene_mesh){
      .def = th_default_mesh_def(), .ground = th_default_mesh_ground_def(), .world = th_default_world_def().mesh};
  *make = th_default_make_params();
  make->shape = TH_MAKE_SHAPE_TUBE;
  make->length = (float)width;
  make->edge = (float)(length / sides);
  make->radius = (float)(0.5 * length / (sides * th_sin_double(pi / sides)));
  ground->mesh->make = make;
  return TH_OK;
}
th_result th_scene_periodic_join(th_scene_reader *reader, const json_t *json, th_scene_ground *ground) {
  const json_t *list = json_object_get(json, "outline");
  const json_t *one = json_is_array(list) ? json_array_get(list, 0) : list;
  const bool other = ground->obstacle_count || ground->door_count || ground->image.file || ground->map || ground->mesh;
  th_reader_enter(reader, "periodic");
  if (ground->outline_count != 1 || !json_object_get(one, "rectangle") || other)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected one rectangle as outline and nothing else beside it, found %s",
                          other ? "more" : "another outline");
  const th_box box = th_shape_bounds(&ground->outline[0].shape);
  if (!(box.x1 - box.x0 >= 12.0 && box.x1 - box.x0 <= 1e4))
    return th_reader_fail(reader, TH_ERROR_RANGE, false, "expected a rectangle from 12 to 10000 m long, found %g m",
                          box.x1 - box.x0);
  return make_cylinder(reader, ground);
}
