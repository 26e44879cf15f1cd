/* ground/flat/ground.c - builds a version of a flat ground.
 *
 * A version is built from its shapes in one direction: shapes -> walls -> buckets -> raster. Each stage is a pure and
 * local function of the one before, so an edit (edit.c) redoes few parts and ends with the bits of a fresh build. Cost:
 * about 10 wall distances per cell.
 */
#include "ground/ground.h"

#include <float.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/calls.h"
#include "ground/flat/check.h"
#include "ground/flat/version.h"
#include "ground/markers/shelf.h"
#include "ground/path/shelf.h"

#define WIDEST_BUCKET 2.0 /* [m]: the box of a walking body meets 1 to 4 buckets */

th_flat_def th_default_flat_def(void) {
  return (th_flat_def){.cell = 0.25f,
                       .radius_class = {0.25f},
                       .class_count = 1,
                       .clearance_limit = 4.0f,
                       .cell_limit = 5000000,
                       .markers = th_default_markers_def()};
}

th_image th_default_image(void) { return (th_image){.metres_per_pixel = 0.05f, .dark = 128}; }

/* Head and flat part in one piece of memory. */
typedef struct block {
  th_ground ground;
  th_flat_ground flat;
} block;

th_ground *th_flat_version_take(const th_env *env, uint32_t version) {
  block *made = TH_TAKE(&env->allocator, block, 1);
  if (!made) return NULL;
  made->ground.shelf = th_marker_shelf_make(&env->allocator);
  made->ground.paths = th_path_shelf_make(&env->allocator);
  if (!made->ground.shelf || !made->ground.paths) {
    th_marker_shelf_free(made->ground.shelf, &env->allocator);
    th_path_shelf_free(made->ground.paths, &env->allocator);
    TH_GIVE(&env->allocator, made, 1);
    return NULL;
  }
  made->ground.references = 1;
  made->ground.env = *env;
  made->ground.version = version;
  made->ground.calls = &th_flat_ground_calls;
  made->ground.flat = &made->flat;
  return &made->ground;
}

void th_flat_ground_free(th_ground *ground) {
  th_flat_ground *flat = ground->flat;
  th_allocator allocator = ground->env.allocator;
  size_t cells = th_flat_version_cells(ground);
  TH_GIVE(&allocator, flat->solid, cells);
  TH_GIVE(&allocator, flat->clearance, cells);
  for (uint32_t k = 0; k < ground->class_count; k++) TH_GIVE(&allocator, flat->blocked[k], cells);
  th_segment_grid_free(&flat->wall_grid, &allocator);
  TH_GIVE(&allocator, flat->line, flat->wall_count);
  th_walls_free(&flat->walls, &allocator);
  th_shapes_free(flat->shapes, &allocator);
  th_marker_shelf_free(ground->shelf, &allocator);
  th_path_shelf_free(ground->paths, &allocator);
  TH_GIVE(&allocator, (block *)ground, 1);
}

/* Distance below which points of this ground are the same point [m]: coordinates are floats. */
static double tolerance_of(const th_ground *ground) {
  const th_box *b = &ground->bounds;
  double x = fmax(fabs(b->x0), fabs(b->x1)), y = fmax(fabs(b->y0), fabs(b->y1));
  return (double)FLT_EPSILON * fmax(1.0, fmax(x, y));
}

static void set_lattice(th_ground *ground, const th_flat_def *def) {
  th_flat_ground *flat = ground->flat;
  ground->bounds = th_flat_bounds(def);
  const th_box *b = &ground->bounds;
  double cell = (double)def->cell;
  ground->cell = def->cell;
  flat->inverse_cell = 1.0f / def->cell;
  flat->x0 = (float)(b->x0 - cell);
  flat->y0 = (float)(b->y0 - cell);
  flat->width = (uint32_t)th_flat_cells(b->x1 - b->x0, cell);
  flat->height = (uint32_t)th_flat_cells(b->y1 - b->y0, cell);
  /* th_ground_cell works in float: it errs by about 3 roundings of the position and of the cell's number. */
  double far = (double)(flat->width > flat->height ? flat->width : flat->height) * cell;
  double slip = 4.0 * (double)FLT_EPSILON * far + 4.0 * tolerance_of(ground);
  flat->half_diagonal = (float)(0.70711 * cell + 2.0 * slip);
}

bool th_flat_version_rasters(th_ground *ground) {
  th_flat_ground *flat = ground->flat;
  const th_allocator *allocator = &ground->env.allocator;
  size_t cells = th_flat_version_cells(ground);
  flat->solid = TH_TAKE(allocator, uint8_t, cells);
  flat->clearance = TH_TAKE(allocator, float, cells);
  bool done = flat->solid && flat->clearance;
  for (uint32_t k = 0; k < ground->class_count && done; k++) {
    flat->blocked[k] = TH_TAKE(allocator, uint8_t, cells);
    done = flat->blocked[k] != NULL;
  }
  return done;
}

static void close_ring(th_ground *ground) {
  th_flat_ground *flat = ground->flat;
  uint32_t w = flat->width, h = flat->height;
  memset(flat->solid, 1, w);
  memset(flat->solid + (size_t)(h - 1) * w, 1, w);
  for (uint32_t j = 0; j < h; j++) flat->solid[(size_t)j * w] = flat->solid[(size_t)j * w + w - 1] = 1;
}

static void block_classes(th_ground *ground, const th_window *w) {
  th_flat_ground *flat = ground->flat;
  for (uint32_t k = 0; k < ground->class_count; k++) {
    float radius = ground->radius_class[k];
    for (uint32_t j = w->j0; j < w->j1; j++) {
      size_t row = (size_t)j * flat->width;
      for (size_t c = row + w->i0; c < row + w->i1; c++)
        flat->blocked[k][c] = (uint8_t)(flat->solid[c] | (flat->clearance[c] < radius));
    }
  }
}

bool th_flat_version_fill(th_ground *ground, const th_window *w) {
  th_flat_ground *flat = ground->flat;
  th_lattice lattice = th_ground_lattice(ground);
  const th_allocator *allocator = &ground->env.allocator;
  if (!th_shapes_fill(flat->shapes, &lattice, w, flat->solid, allocator)) return false;
  if (!th_raster_distance(&lattice, w, &flat->wall_grid, (double)ground->clearance_limit, flat->clearance, allocator))
    return false;
  for (uint32_t j = w->j0; j < w->j1; j++) {
    size_t row = (size_t)j * flat->width;
    for (size_t c = row + w->i0; c < row + w->i1; c++)
      flat->clearance[c] = flat->solid[c] ? -flat->clearance[c] : flat->clearance[c];
  }
  for (uint32_t k = 0; k < flat->wall_count; k++) th_raster_segment(&lattice, w, &flat->wall[k], flat->solid);
  close_ring(ground);
  block_classes(ground, w);
  return true;
}

static bool take_lines(th_ground *ground) {
  th_flat_ground *flat = ground->flat;
  flat->line = TH_TAKE(&ground->env.allocator, th_wall_line, flat->wall_count);
  if (!flat->line) return false;
  for (uint32_t k = 0; k < flat->wall_count; k++) {
    const th_segment *s = &flat->wall[k];
    double length = th_segment_length(s), inverse = 1.0 / length; /* no wall has length 0 */
    flat->line[k] = (th_wall_line){(double)s->ax, (double)s->ay, ((double)s->bx - (double)s->ax) * inverse,
                                   ((double)s->by - (double)s->ay) * inverse, length};
  }
  return true;
}

bool th_flat_version_walls(th_ground *ground, const th_ground *old, th_box *changed) {
  th_flat_ground *flat = ground->flat;
  const th_allocator *allocator = &ground->env.allocator;
  th_walls_task task = {.shapes = flat->shapes, .tolerance = tolerance_of(ground)};
  if (old) {
    task.old_shapes = old->flat->shapes;
    task.old = &old->flat->walls;
  }
  if (!th_walls_make(&flat->walls, &task, changed, allocator)) return false;
  flat->wall = flat->walls.wall;
  flat->wall_count = flat->walls.count;
  return take_lines(ground) &&
         th_segment_grid_make(&flat->wall_grid, allocator, flat->wall, flat->wall_count, WIDEST_BUCKET, 0.0);
}

th_result th_flat_version_check(const th_ground *ground, th_error *error) {
  const th_flat_ground *flat = ground->flat;
  if (memchr(flat->solid, 0, th_flat_version_cells(ground))) return TH_OK;
  return th_fail(error, TH_ERROR_GEOMETRY, "ground",
                 "expected a walkable cell, found every cell of %u x %u touched by something solid", flat->width,
                 flat->height);
}

static uint32_t list_drafts(const th_flat_def *def, const th_polygon *frame, th_floor_polygon_draft *draft) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < def->outline_count; k++)
    draft[n++] = (th_floor_polygon_draft){TH_FLOOR_OUTLINE, false, def->outline[k], UINT32_MAX};
  if (!def->outline_count) draft[n++] = (th_floor_polygon_draft){TH_FLOOR_OUTLINE, false, *frame, UINT32_MAX};
  for (uint32_t k = 0; k < def->door_count; k++)
    draft[n++] = (th_floor_polygon_draft){TH_FLOOR_DOOR, def->door[k].closed, def->door[k].shape, UINT32_MAX};
  for (uint32_t k = 0; k < def->obstacle_count; k++)
    draft[n++] = (th_floor_polygon_draft){TH_FLOOR_OBSTACLE, false, def->obstacle[k], UINT32_MAX};
  return n;
}

static th_shapes *shapes_of(const th_flat_def *def, const th_allocator *allocator) {
  th_vec2 corner[4];
  th_polygon frame = {NULL, corner, 4};
  if (!def->outline_count) th_flat_image_corners(def->image, corner);
  uint32_t max = def->outline_count + def->door_count + def->obstacle_count + 1;
  th_floor_polygon_draft *draft = TH_TAKE(allocator, th_floor_polygon_draft, max);
  if (!draft) return NULL;
  uint32_t count = list_drafts(def, &frame, draft);
  th_image_walls *picture = def->image ? th_image_walls_make(allocator, def->image) : NULL;
  th_shapes *shapes = NULL;
  if (picture || !def->image) shapes = th_shapes_make(allocator, draft, count, picture);
  th_image_walls_release(picture, allocator);
  TH_GIVE(allocator, draft, max);
  return shapes;
}

th_result th_ground_make_flat(const th_flat_def *def, th_ground **out, th_error *error) {
  *out = NULL;
  th_env env = th_env_complete(&def->env);
  th_result result = th_flat_check(def, &env.allocator, error);
  if (result) return result;
  th_ground *ground = th_flat_version_take(&env, 1);
  if (!ground) return th_fail_memory(error, "ground");
  ground->class_count = def->class_count;
  ground->markers = def->markers;
  ground->clearance_limit = fmaxf(def->clearance_limit, def->radius_class[def->class_count - 1]);
  memcpy(ground->radius_class, def->radius_class, sizeof ground->radius_class);
  set_lattice(ground, def);
  ground->flat->shapes = shapes_of(def, &env.allocator);
  th_box unused = th_box_empty();
  th_lattice lattice = th_ground_lattice(ground);
  th_window all = th_lattice_all(&lattice);
  bool done = ground->flat->shapes && th_flat_version_walls(ground, NULL, &unused) && th_flat_version_rasters(ground) &&
              th_flat_version_fill(ground, &all);
  result = done ? th_flat_version_check(ground, error) : th_fail_memory(error, "ground");
  if (result)
    th_flat_ground_free(ground);
  else
    *out = ground;
  return result;
}
