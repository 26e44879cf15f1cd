/* io/scene/world.h - parts of making a world from a scene. */
#ifndef TH_IO_SCENE_WORLD_H
#define TH_IO_SCENE_WORLD_H

#include "base/error.h"
#include "io/scene/scene.h"

/* Fails at a JSON pointer of the scene's text. */
th_result th_scene_fail(const th_scene *scene, th_error *error, th_result code, const char *pointer, const char *format,
                        ...) TH_PRINTF(5, 6);

/* Tells an error of a ground again with its position in the file. `place` has what the ground calls its lists and where
 * the scene has them below /ground; its last row, without a name, is for all others. */
th_result th_scene_retell(const th_scene *scene, const th_error *found, th_result code, const char *const place[][2],
                          th_error *error);

/* Random bits of agent number `agent` of the whole scene; each use has its own, and each event one from TH_DRAW_CHANGE
 * on. */
enum { TH_DRAW_AGENT, TH_DRAW_X = 3, TH_DRAW_Y, TH_DRAW_CHANGE, TH_DRAW_FRIENDS = 0x66726e64 };
uint64_t th_scene_bits(uint64_t seed, uint32_t use, uint32_t agent);

/* Free spots for agents: no wall within a radius, no two bodies overlapping (on a mesh: in space). */
typedef struct th_spots th_spots;
th_result th_spots_make(const th_env *env, const th_ground *ground, uint32_t capacity, float largest_radius,
                        th_spots **spots, th_error *error);
void th_spots_free(th_spots *spots);

/* A random spot for the next body in a region; TH_ERROR_CAPACITY when none was found. */
th_result th_spots_find(th_spots *spots, const th_shape *region, float radius, uint64_t seed, th_vec3 *spot);
/* An upper bound of how many bodies of a radius may stand with their centres in a region: discs fill at most 0.9069 of
 * the plane (Thue 1910). Costs nothing on flat ground, one pass over the faces of a mesh. */
double th_spots_bound(const th_ground *ground, const th_shape *region, float radius);
/* True when a body there would overlap none that was placed. */
bool th_spots_free_at(const th_spots *spots, th_vec3 spot, float radius);
/* Takes a given spot, even when it is occupied. */
void th_spots_take(th_spots *spots, th_vec3 spot, float radius);

/* A point at random in a region of a mesh, evenly by area. darts.c */
typedef struct th_darts th_darts;
th_result th_darts_make(const th_env *env, const th_ground *ground, const th_shape *region, th_darts **darts,
                        th_error *error);
void th_darts_free(th_darts *darts);
double th_darts_area(const th_ground *ground);                                      /* of all walkable faces [m2] */
bool th_darts_throw(const th_darts *darts, const float random[3], th_place *place); /* false: beside the region */

/* True when a point in space lies in a region, whatever its level; when a place of the ground does. */
bool th_scene_inside(const th_ground *ground, const th_shape *region, th_place place);

/* ground.c: th_scene_make_ground with another env than the scene's, which is complete. */
th_result th_scene_ground_with(const th_scene *scene, const th_env *env, th_ground **ground, th_error *error);
/* Writes the file of markers that the scene names, unless it is there; the first step of a run does it. */
th_result th_scene_write_markers(const th_scene *scene, const th_ground *ground, th_error *error);

/* cell.c: the cell that suits the passages of a ground; of its raster, TH_ROOM_CELLS of them give room to a body. */
#define TH_ROOM_CELLS 3.0f
th_result th_scene_fit_cell(const th_flat_def *def, float *cell, th_error *error);

/* mesh.c: the ground of a scene that has a mesh. */
th_region th_scene_region(const th_scene_area *area);
th_result th_scene_make_mesh_ground(const th_scene *scene, const th_env *env, th_ground **ground, th_error *error);

#endif
