/* io/scene/keys.c - all keys of a scene, each declared once.
 *
 * A key has a name, kind, place in the struct, range, unit and one sentence. The reader, the JSON schema, the tests
 * that compare both with the shipped files, and the hint for a misspelt key all use these tables. Pure data.
 */
#include "io/scene/keys.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "guide/registry.h"
#include "io/building/read.h"
#include "io/scene/events/events.h"
#include "io/scene/key_rows.h"
#include "io/scene/read.h"
#include "io/scene/write/write.h"

/* ---------------------------------------------------------------- shapes */

static const char *const area_one_of[] = {"rectangle", "polygon", "disc", "ball", "everywhere", NULL};
static const char *const goal_one_of[] = {"point", "line", "lines", "rectangle", "polygon", "disc", NULL};

#define SHAPE(n, k, f, t) \
  { n, k, 0, 0, LOW, HIGH, NULL, NULL, f, "m", t }
static const th_key area_shape[] = {
    SHAPE("rectangle", TH_KEY_RECTANGLE, 0, "two opposite corners"),
    SHAPE("polygon", TH_KEY_POLYGON, 0, "three or more corners, in either direction"),
    SHAPE("disc", TH_KEY_DISC, TH_KEY_CORNERS, "centre and radius; becomes a polygon of 48 corners"),
    SHAPE("ball", TH_KEY_DISC, 0, "centre [x, y, z] and radius: what lies inside, in space"),
    SHAPE("everywhere", TH_KEY_EVERYWHERE, 0, "true: the whole ground"),
    KEY("level", TH_KEY_WHOLE, th_shape, level, -1e6, 1e6, 0, "", "of a building, on a mesh; default 0 = any"),
};
static const th_key goal_shape[] = {
    SHAPE("point", TH_KEY_POINT, 0, "one point"),
    SHAPE("line", TH_KEY_LINE, 0, "two or more points of a polyline"),
    SHAPE("lines", TH_KEY_LINES, 0, "one or more lines of two points each: everybody goes to the nearest of them"),
    SHAPE("rectangle", TH_KEY_RECTANGLE, 0, "two opposite corners"),
    SHAPE("polygon", TH_KEY_POLYGON, 0, "three or more corners, in either direction"),
    SHAPE("disc", TH_KEY_DISC, 0, "centre and radius"),
    KEY("level", TH_KEY_WHOLE, th_shape, level, -1e6, 1e6, 0, "", "of a building, on a mesh; default 0 = any"),
};
const th_table th_scene_area_shape_table = {
    PLAIN_TABLE("area", "A rectangle, polygon, disc, ball or everywhere.", area_shape, th_shape), area_one_of, NULL,
    NULL};
const th_table th_scene_goal_shape_table = {
    PLAIN_TABLE("shape", "A point, line, rectangle, polygon or disc.", goal_shape, th_shape), goal_one_of, NULL, NULL};

/* ---------------------------------------------------------------- ground */

/* On a mesh a polygon has heights. */
static void area_init(void *object) { *(th_scene_area *)object = (th_scene_area){.low = -FLT_MAX, .high = FLT_MAX}; }
#define HEIGHTS(s, lower, upper)                                                                                     \
  KEY("low", TH_KEY_FLOAT, s, lower, LOW, HIGH, 0, "m", "on a mesh: only what lies above this height; default all"), \
      KEY("high", TH_KEY_FLOAT, s, upper, LOW, HIGH, 0, "m", "on a mesh: only what lies below; default all")

static const th_key outline_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_area, name, LOW, HIGH, 0, "", "for people"),
    WITH(th_scene_area, shape, &th_scene_area_shape_table),
};
static const th_key obstacle_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_area, name, LOW, HIGH, 0, "", "needed when an event removes it"),
    WITH(th_scene_area, shape, &th_scene_area_shape_table),
    HEIGHTS(th_scene_area, low, high),
};
static const th_key door_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_area, name, LOW, HIGH, TH_KEY_NEEDED, "",
        "events open and close it by this name"),
    KEY("closed", TH_KEY_BOOL, th_scene_area, closed, LOW, HIGH, 0, "", "at the start; default false"),
    WITH(th_scene_area, shape, &th_scene_area_shape_table),
    HEIGHTS(th_scene_area, low, high),
};
static const th_table outline = {PLAIN_TABLE("outline", "A walkable area.", outline_key, th_scene_area), NULL, NULL,
                                 NULL};
const th_table th_scene_obstacle_table = {PLAIN_TABLE("obstacle", "A solid area.", obstacle_key, th_scene_area), NULL,
                                          area_init, NULL};
const th_table th_scene_door_table = {
    PLAIN_TABLE("door", "An area that is solid while it is closed.", door_key, th_scene_area), NULL, area_init, NULL};

static void image_init(void *object) {
  th_image initial = th_default_image();
  *(th_scene_image *)object = (th_scene_image){NULL, 0, initial.origin, initial.dark};
}
static const th_key image_key[] = {
    KEY("file", TH_KEY_TEXT, th_scene_image, file, LOW, HIGH, TH_KEY_NEEDED | TH_KEY_FILE, "",
        "PNG or PGM, relative to the scene file"),
    KEY("metres_per_pixel", TH_KEY_FLOAT, th_scene_image, metres_per_pixel, 1e-4, 100, TH_KEY_NEEDED, "m",
        "size of a pixel"),
    KEY("origin", TH_KEY_PAIR, th_scene_image, origin, LOW, HIGH, 0, "m", "lower left corner; default 0, 0"),
    KEY("dark", TH_KEY_COUNT, th_scene_image, dark, 0, 255, 0, "", "a darker pixel is solid; default 128"),
};
static const th_table image = {PLAIN_TABLE("image", "A floor plan as an image.", image_key, th_scene_image), NULL,
                               image_init, NULL};

static void terrain_init(void *object) {
  *(th_scene_terrain *)object = (th_scene_terrain){.area = {.low = -FLT_MAX, .high = FLT_MAX}, .speed = 1};
}
static const th_key terrain_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_terrain, area.name, LOW, HIGH, TH_KEY_NEEDED, "", "of the terrain"),
    KEY("speed", TH_KEY_FLOAT, th_scene_terrain, speed, 0.01, 10, 0, "", "factor of the wanted speed; default 1"),
    KEY("speed_up", TH_KEY_FLOAT, th_scene_terrain, speed_up, 0.01, 10, 0, "",
        "instead, straight up; default as speed"),
    KEY("speed_down", TH_KEY_FLOAT, th_scene_terrain, speed_down, 0.01, 10, 0, "",
        "instead, straight down; default as speed"),
    KEY("blocked", TH_KEY_BOOL, th_scene_terrain, blocked, LOW, HIGH, 0, "", "may not be entered; default false"),
    WITH(th_scene_terrain, area.shape, &th_scene_area_shape_table),
    HEIGHTS(th_scene_terrain, area.low, area.high),
};
static const th_table terrain = {
    PLAIN_TABLE("terrain", "A kind of terrain and where it is.", terrain_key, th_scene_terrain), NULL, terrain_init,
    NULL};

static const char *const chart_names[] = {"polar", "conformal", NULL};
static const char *const up_names[] = {"given", "y", "z", NULL};
static const char *const overhead_names[] = {"off", "normal", "plumb", NULL};
static const char *const mesh_one_of[] = {"file", "make", "building", NULL};
static void mesh_init(void *object) {
  *(th_scene_mesh *)object = (th_scene_mesh){
      .def = th_default_mesh_def(), .ground = th_default_mesh_ground_def(), .world = th_default_world_def().mesh};
}
static const th_key mesh_key[] = {
    KEY("file", TH_KEY_TEXT, th_scene_mesh, file, LOW, HIGH, TH_KEY_FILE, "",
        "OBJ, PLY, STL, glTF or the JSON of a building, relative to the scene file"),
    KEY("make", TH_KEY_MAKE, th_scene_mesh, make, LOW, HIGH, 0, "",
        "parameters of a surface that is made instead: shape, radius, edge ..."),
    PART("building", th_scene_mesh, building, &th_building_table, TH_KEY_AWAY, "floors, stairs and lifts instead"),
    KEY("metres_per_unit", TH_KEY_DOUBLE, th_scene_mesh, def.metres_per_unit, 1e-6, 1e6, 0, "m",
        "of a file; default 1"),
    PICK("up", th_scene_mesh, axes.up, up_names, 0, "the axis of a file that looks up; default given = z, of glTF y"),
    KEY("shift", TH_KEY_TRIPLE, th_scene_mesh, axes.shift, -1e9, 1e9, 0, "m",
        "added to all points of a file, after up and metres_per_unit: brings maps of whole countries near 0; default "
        "0"),
    KEY("weld", TH_KEY_DOUBLE, th_scene_mesh, def.weld, -1, 1e3, 0, "m",
        "vertices of a file within this distance become one; default 0 = equal ones only"),
    KEY("drop_crowded", TH_KEY_BOOL, th_scene_mesh, def.drop_crowded, LOW, HIGH, 0, "",
        "an edge of three faces or more keeps its first two; default false = refused"),
    KEY("slope_max", TH_KEY_FLOAT, th_scene_mesh, ground.slope_max, 0.01, 180, 0, "degrees",
        "steeper faces are blocked; default 180 = none"),
    KEY("slope_speed", TH_KEY_FLOAT, th_scene_mesh, ground.slope_speed, 0, 1, 0, "",
        "how much slower agents are on a wall than on the level; default 0"),
    KEY("slope_up", TH_KEY_FLOAT, th_scene_mesh, ground.slope_up, -1, 1, 0, "",
        "how much slower still agents are straight up; default 0"),
    KEY("slope_down", TH_KEY_FLOAT, th_scene_mesh, ground.slope_down, -1, 1, 0, "",
        "the same straight down, below 0: faster; default 0"),
    KEY("headroom", TH_KEY_FLOAT, th_scene_mesh, ground.headroom, 0, 100, 0, "m",
        "faces with something closer above are blocked; default 0 = none"),
    KEY("patch_size", TH_KEY_FLOAT, th_scene_mesh, world.patch_size, 0, 100, 0, "m",
        "of the patches that share a chart, where the surface does not bend; default 0 = 12"),
    KEY("one_face", TH_KEY_BOOL, th_scene_mesh, world.one_face, LOW, HIGH, 0, "",
        "every face has a chart of its own; default false"),
    PICK("chart", th_scene_mesh, world.chart, chart_names, 0,
         "how pieces become flat: geodesic polar coordinates, or a conformal map; default polar"),
    KEY("renewals", TH_KEY_COUNT, th_scene_mesh, world.renewals, 1, 1073741824.0, 0, "",
        "charts in use that are rebuilt in one step after vertices have moved; default 64"),
    KEY("chart_memory", TH_KEY_COUNT, th_scene_mesh, world.chart_memory, 1, 1048576.0, 0, "MiB",
        "of the charts that are kept; those in use are kept in any case; default 256"),
    KEY("prepare", TH_KEY_BOOL, th_scene_mesh, prepare, LOW, HIGH, 0, "",
        "all charts are made before the first step, so that steps make none; results are the same; default false"),
    KEY("all_fields", TH_KEY_DOUBLE, th_scene_mesh, all_fields, 0, 1048576, 0, "MiB",
        "all fields along edges are made before the first step, 4 bytes times the square of the vertices, and a run "
        "that "
        "would need more than this is refused; results are the same; default 0 = none"),
    PICK(
        "overhead", th_scene_mesh, world.overhead, overhead_names, 0,
        "bodies that avoid each other above the surface too, in valleys, tubes and between close floors: none, such as "
        "stand along the normal, or such as stand upright; default off"),
    LIST("terrain", th_scene_mesh, terrain, terrain_count, &terrain, 0, "kinds of terrain; a later one lies on top"),
};
static const th_table mesh = {PLAIN_TABLE("mesh", "A surface as ground.", mesh_key, th_scene_mesh), mesh_one_of,
                              mesh_init, NULL};

static void ground_init(void *object) {
  th_scene_ground *ground = object;
  *ground = (th_scene_ground){.def = th_default_flat_def(), .markers.def = th_default_markers_def()};
  ground->def.cell = 0.0f; /* fitted when the ground is made */
}
static th_result ground_check(th_scene_reader *reader, const json_t *json, void *object) {
  th_scene_ground *ground = object;
  if (ground->periodic) return th_scene_periodic_join(reader, json, ground);
  bool flat = ground->outline_count || ground->image.file || ground->map;
  if (flat != (ground->mesh != NULL)) return TH_OK;
  return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                        "expected an outline, an image or a map, or else a mesh, found %s", flat ? "both" : "none");
}
static const char *const layouts[] = {"random", "grid", NULL};
static void markers_init(void *object) { ((th_scene_markers *)object)->def = th_default_markers_def(); }
static const th_key markers_key[] = {
    KEY("distance", TH_KEY_FLOAT, th_scene_markers, def.distance, 0.02, 100, 0, "m",
        "least distance, or width of the grid; default 0.2"),
    PICK("layout", th_scene_markers, def.layout, layouts, 0,
         "as dense as they fit at random, or a grid; default random"),
    KEY("noise", TH_KEY_FLOAT, th_scene_markers, def.noise, 0, 50, 0, "m",
        "grid: shifts each coordinate by up to this; default 0"),
    KEY("seed", TH_KEY_SEED, th_scene_markers, def.seed, 1, 9007199254740991.0, 0, "",
        "of the random numbers; default 1"),
    KEY("through_walls", TH_KEY_BOOL, th_scene_markers, def.through_walls, LOW, HIGH, 0, "",
        "agents also use markers behind walls, as published; default false"),
    KEY("file", TH_KEY_TEXT, th_scene_markers, file, LOW, HIGH, 0, "",
        "beside the scene: they are read from here, or made and, when a run begins, written when there is no such "
        "file"),
};
static const th_table markers = {
    PLAIN_TABLE("markers", "Points of free space that agents compete for.", markers_key, th_scene_markers), NULL,
    markers_init, NULL};
static const th_key ground_key[] = {
    LIST("outline", th_scene_ground, outline, outline_count, &outline, TH_KEY_FEW, "walkable area: all of these"),
    LIST("obstacles", th_scene_ground, obstacle, obstacle_count, &th_scene_obstacle_table, 0, "solid areas inside"),
    LIST("doors", th_scene_ground, door, door_count, &th_scene_door_table, 0, "areas that open and close"),
    PART("image", th_scene_ground, image, &image, 0, "a floor plan as an image; dark is solid"),
    KEY("map", TH_KEY_TEXT, th_scene_ground, map, LOW, HIGH, TH_KEY_FILE, "", "a robot map: YAML beside a PGM"),
    KEY("periodic", TH_KEY_BOOL, th_scene_ground, periodic, LOW, HIGH, 0, "",
        "the left and right ends of the outline, one rectangle, join; default false"),
    PART("mesh", th_scene_ground, mesh, &mesh, TH_KEY_AWAY, "a surface instead of flat ground"),
    KEY("cell", TH_KEY_FLOAT, th_scene_ground, def.cell, 0.01, 100, 0, "m",
        "cell of the raster; default 0.25, halved once or twice where bodies have less than three cells of room in a "
        "passage, up to 250000 cells"),
    KEY("cell_limit", TH_KEY_COUNT, th_scene_ground, def.cell_limit, 1, 1 << 28, 0, "",
        "more cells are refused before anything is made; default 5000000, 560 x 560 m in cells of 0.25 m"),
    MANY("radius_classes", TH_KEY_FLOATS, th_scene_ground, def.radius_class, def.class_count, 0, 100, 0, "m",
         "up to four radii for which paths are computed, ascending; default 0.25"),
    PART("markers", th_scene_ground, markers, &markers, 0, "points of free space, for the model biocrowds"),
};
/* A periodic ground has a mesh that was made of its outline. */
static bool ground_hides(const void *object, const th_key *key) {
  return ((const th_scene_ground *)object)->periodic && strcmp(key->name, "mesh") == 0;
}
static const th_table_writing ground_writing = {.hides = ground_hides};
static const th_table ground = {"ground",
                                "What agents stand on.",
                                ground_key,
                                COUNT_OF(ground_key),
                                sizeof(th_scene_ground),
                                UINT32_MAX,
                                &ground_writing,
                                NULL,
                                NULL,
                                ground_init,
                                ground_check};

/* ---------------------------------------------------------------- goals and guides */

static const char *const field_names[] = {"harmonic", "geodesic", "blend", "edges", "roomy", NULL};
static const char *const wall_names[] = {"dirichlet", "neumann", NULL};
static void goal_init(void *object) { ((th_scene_goal *)object)->def = th_default_goal_def(); }
static th_result goal_check(th_scene_reader *reader, const json_t *json, void *object) {
  (void)json;
  return th_read_planner(reader, object);
}
static const th_key goal_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_goal, name, LOW, HIGH, TH_KEY_NEEDED, "", "routes call it by this name"),
    WITH(th_scene_goal, def.shape, &th_scene_goal_shape_table),
    PICK("field", th_scene_goal, def.field, field_names, 0,
         "roomy: the shortest or quickest path with a little room beside walls, for people; harmonic keeps away from "
         "walls, geodesic is the shortest or quickest, blend lies between the two, edges runs along edges or from cell "
         "to "
         "cell; default roomy"),
    KEY("room_weight", TH_KEY_FLOAT, th_scene_goal, def.room_weight, 0, 1, 0, "",
        "roomy: how much more a metre costs beside a wall; 0 = geodesic, up to 0.3 for people; default 0.1"),
    KEY("room_within", TH_KEY_FLOAT, th_scene_goal, def.room_within, 0.1, 20, 0, "m",
        "roomy: walls cost up to this distance beyond the radius class, and no farther than 4 m off; default 4"),
    KEY("blend", TH_KEY_FLOAT, th_scene_goal, def.blend, 0, 1, 0, "", "0 = harmonic to 1 = geodesic, for blend only"),
    KEY("quickest", TH_KEY_BOOL, th_scene_goal, def.quickest, LOW, HIGH, 0, "",
        "geodesic, roomy, blend and edges on a mesh whose faces differ in speed: the quickest path instead of the "
        "shortest; "
        "default true"),
    PICK("walls", th_scene_goal, def.walls, wall_names, 0,
         "dirichlet: walls repel; neumann: paths may run along them; default dirichlet"),
    KEY("arrive", TH_KEY_FLOAT, th_scene_goal, def.arrive, 0, 100, 0, "m",
        "a point or line counts as reached within this distance; default 0.5"),
    KEY("sink", TH_KEY_BOOL, th_scene_goal, def.sink, LOW, HIGH, 0, "", "whoever arrives is removed; default false"),
};
static const th_table_writing goal_writing = {.others = th_write_param_planner};
const th_table th_scene_goal_table = {"goal",
                                      "Where agents go.",
                                      goal_key,
                                      COUNT_OF(goal_key),
                                      sizeof(th_scene_goal),
                                      UINT32_MAX,
                                      &goal_writing,
                                      th_read_planner_key,
                                      NULL,
                                      goal_init,
                                      goal_check};

#define X(name) #name,
static const char *const guide_one_of[] = {TH_GUIDES(X) NULL};
#undef X
#define X(name) \
  KEY(#name, TH_KEY_GUIDE, th_scene_guide, params, LOW, HIGH, 0, "", "a guide of this kind, with its parameters"),
static const th_key guide_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_guide, name, LOW, HIGH, TH_KEY_NEEDED, "", "populations call it by this name"),
    TH_GUIDES(X)};
#undef X
const th_table th_scene_guide_table = {
    PLAIN_TABLE("guide", "What leads agents, by the name of its kind.", guide_key, th_scene_guide), guide_one_of, NULL,
    NULL};

/* ---------------------------------------------------------------- agents */

static void crowd_init(void *object) {
  th_agent_def initial = th_default_agent_def();
  *(th_scene_crowd *)object = (th_scene_crowd){.def = initial, .guide_index = TH_NO_INDEX};
}
#define LINK(n, role, t) KEY(n, TH_KEY_TEXT, th_scene_links, name[role], LOW, HIGH, 0, "", t)
static const th_key links_key[] = {
    LINK("leader", TH_ROLE_LEADER, "whom they follow"),
    LINK("partner", TH_ROLE_PARTNER, "with whom they walk"),
    LINK("target", TH_ROLE_TARGET, "what they approach, or search"),
    LINK("focus", TH_ROLE_FOCUS, "where they look"),
    LINK("pursuer", TH_ROLE_PURSUER, "the population that they escape from: all its agents, as many as links are left"),
};
static const th_table links_table = {
    PLAIN_TABLE("links", "Populations whose first agents are known.", links_key, th_scene_links), NULL, NULL, NULL};

#define CROWD(n, k, m, lo, hi, u, t) KEY(n, k, th_scene_crowd, m, lo, hi, 0, u, t)
static const th_key crowd_key[] = {
    MANY("route", TH_KEY_ROUTE, th_scene_crowd, stop, stop_count, LOW, HIGH, 0, "",
         "goals and choices in order: names, or {goal, wait} to stay there for some seconds"),
    CROWD("loop", TH_KEY_BOOL, def.loop, LOW, HIGH, "", "start again after the last goal; default false"),
    CROWD("remove", TH_KEY_BOOL, def.remove, LOW, HIGH, "", "leave the world at the last goal; default true"),
    CROWD("model", TH_KEY_MODEL, def.model, LOW, HIGH, "", "how they decide; default orca"),
    CROWD("params", TH_KEY_PARAMS, def.params, LOW, HIGH, "", "parameters of the model"),
    CROWD("guide", TH_KEY_TEXT, guide, LOW, HIGH, "", "a path or an exploration to follow instead of the goal's field"),
    CROWD("speed", TH_KEY_SPREAD, spread.speed, 0, 100, "m/s", "wanted speed; default 1.34"),
    CROWD("speed_max", TH_KEY_FLOAT, def.speed_max, 0.001, 100, "m/s",
          "default 2, or the wanted speed if that is higher"),
    CROWD("radius", TH_KEY_SPREAD, spread.radius, 0.01, 10, "m", "of the body; default 0.2"),
    CROWD("premovement", TH_KEY_SPREAD, spread.premovement, 0, 1e6, "s",
          "each stands for this time after it has entered, seen by all, before it sets off; default 0"),
    CROWD("people", TH_KEY_PEOPLE, people, LOW, HIGH, "",
          "how they walk among others: an object with parameters of people; false: bare bodies; default as the scene"),
    CROWD("height", TH_KEY_FLOAT, def.height, 0.1, 100, "m", "of the body; default 1.75"),
    CROWD("acceleration_max", TH_KEY_FLOAT, def.acceleration_max, 1e-3, 1e6, "m/s2",
          "largest; default of people 2, else 8"),
    CROWD("turn_max", TH_KEY_FLOAT, def.turn_max, 1e-3, 1e6, "rad/s", "fastest turn; default 6.3"),
    CROWD("share", TH_KEY_SPREAD, spread.share, 0, 1, "", "part of the avoidance that they take over; default 0.5"),
    CROWD("v", TH_KEY_PAIR, def.v, LOW, HIGH, "", "personal vector that bends their path to the goal; default 0, 0"),
    CROWD("eps", TH_KEY_FLOAT, def.eps, 0, 2, "1/cell", "its strength; default 0"),
    CROWD("heading", TH_KEY_PAIR, def.heading, LOW, HIGH, "",
          "first heading as a vector; 0, 0 = along the guide, the default"),
    CROWD("start_speed", TH_KEY_FLOAT, def.start_speed, 0, 100, "m/s",
          "along the heading when they enter; default 0, and so without a heading"),
    CROWD("collide", TH_KEY_BOOL, def.collide, LOW, HIGH, "", "bodies that touch are moved apart; default true"),
    CROWD("external", TH_KEY_BOOL, def.external, LOW, HIGH, "",
          "events of the kinds drive and accept move them, not their model; default false"),
    CROWD("layers", TH_KEY_COUNT, def.layers, 0, UINT32_MAX, "", "bit mask of the layers they are in; default 1"),
    CROWD("avoids", TH_KEY_COUNT, def.avoids, 0, UINT32_MAX, "", "bit mask of the layers they avoid; default all"),
    PART("links", th_scene_crowd, links, &links_table, 0, "populations whose first agents they know, by their roles"),
};
const th_table th_scene_crowd_table = {"agents",
                                       "What populations, sources and changes say about agents.",
                                       crowd_key,
                                       COUNT_OF(crowd_key),
                                       sizeof(th_scene_crowd),
                                       AT(th_scene_crowd, given),
                                       NULL,
                                       NULL,
                                       NULL,
                                       crowd_init,
                                       NULL};

static void single_init(void *object) { *(th_scene_single *)object = (th_scene_single){.delay = -1.0f}; }
static const th_key single_key[] = {
    KEY("point", TH_KEY_POINT, th_scene_single, point, LOW, HIGH, TH_KEY_NEEDED, "m", "where it starts"),
    KEY("velocity", TH_KEY_POINT, th_scene_single, velocity, LOW, HIGH, 0, "m/s",
        "with which it starts, [x, y] or [x, y, z]; default 0"),
    KEY("stop", TH_KEY_COUNT, th_scene_single, stop, 0, TH_MAX_STOPS, 0, "",
        "which one of its route it heads for, counted from 0; as many as it has: it has arrived; default 0"),
    KEY("delay", TH_KEY_FLOAT, th_scene_single, delay, 0, 1e6, 0, "s",
        "it enters after this time; default that of its population"),
    WITH(th_scene_single, crowd, &th_scene_crowd_table),
};
static const th_table single = {
    PLAIN_TABLE("single", "One agent of a population, and what is its own.", single_key, th_scene_single), NULL,
    single_init, NULL};

/* Their points are the positions of the population. */
static th_result place_singles(th_scene_reader *reader, th_scene_population *population) {
  th_scene_points *to = &population->position;
  to->point = th_scene_memory_take(reader->memory, population->single_count, sizeof *to->point);
  if (!to->point) return th_reader_fail_memory(reader);
  to->count = population->single_count;
  for (uint32_t i = 0; i < to->count; i++) to->point[i] = th_shape_at(&population->single[i].point, 0);
  return TH_OK;
}

static th_result population_check(th_scene_reader *reader, const json_t *json, void *object) {
  th_scene_population *population = object;
  bool region = json_object_get(json, "region"), positions = json_object_get(json, "positions");
  if (population->single_count) {
    if (region || positions)
      return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a region, positions or each, found two of them");
    th_result result = place_singles(reader, population);
    if (result != TH_OK) return result;
    positions = true;
  }
  if (region == positions) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected either a region or positions, found %s",
                          region ? "both" : "none");
  }
  if (region && !json_object_get(json, "count")) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the key \"count\" beside the region, found none");
  }
  if (positions && json_object_get(json, "count") && population->count != population->position.count) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected as many positions as the count, found %u and %u",
                          population->position.count, population->count);
  }
  return TH_OK;
}
static const th_key population_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_population, name, LOW, HIGH, TH_KEY_NEEDED, "", "events call it by this name"),
    KEY("count", TH_KEY_COUNT, th_scene_population, count, 1, 1e7, 0, "", "how many, with a region"),
    PART("region", th_scene_population, region, &th_scene_area_shape_table, 0,
         "they start at random free spots in here"),
    KEY("positions", TH_KEY_POINTS, th_scene_population, position, 1, HUGE_VAL, 0, "m",
        "where each one starts, instead of a region; on a mesh with their heights"),
    LIST("each", th_scene_population, single, single_count, &single, TH_KEY_FEW,
         "or one by one, where each starts and what is its own"),
    KEY("delay", TH_KEY_SPREAD, th_scene_population, crowd.spread.delay, 0, 1e6, 0, "s",
        "each enters after this time; default 0"),
    KEY("friends", TH_KEY_FLOAT, th_scene_population, friends, 0, 5, 0, "",
        "groups of friends: their sizes have a Poisson distribution of this mean without its zero, about 0.8 in public "
        "places; default 0: all walk alone"),
    WITH(th_scene_population, crowd, &th_scene_crowd_table),
};
static bool population_hides(const void *object, const th_key *key) {
  return ((const th_scene_population *)object)->single_count && strcmp(key->name, "positions") == 0;
}
static const th_table_writing population_writing = {.hides = population_hides};
const th_table th_scene_population_table = {"population",
                                            "Agents that are there from the start.",
                                            population_key,
                                            COUNT_OF(population_key),
                                            sizeof(th_scene_population),
                                            UINT32_MAX,
                                            &population_writing,
                                            NULL,
                                            NULL,
                                            NULL,
                                            population_check};

static void source_init(void *object) { ((th_scene_source *)object)->def = th_default_source_def(); }
static th_result source_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_scene_source *source = object;
  (void)json;
  if (source->def.end <= source->def.begin) {
    th_reader_enter(reader, "end");
    return th_reader_fail(reader, TH_ERROR_RANGE, false, "expected an end after the begin (%g s), found %g",
                          (double)source->def.begin, (double)source->def.end);
  }
  return TH_OK;
}
static const th_key source_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_source, name, LOW, HIGH, TH_KEY_NEEDED, "", "for people and figures"),
    PART("region", th_scene_source, region, &th_scene_area_shape_table, TH_KEY_NEEDED, "agents appear in here"),
    KEY("rate", TH_KEY_FLOAT, th_scene_source, def.rate, 1e-6, 1e4, TH_KEY_NEEDED, "1/s", "agents per second"),
    KEY("begin", TH_KEY_FLOAT, th_scene_source, def.begin, 0, 1e9, 0, "s", "first moment; default 0"),
    KEY("end", TH_KEY_FLOAT, th_scene_source, def.end, 0, 1e9, 0, "s", "last moment; default never"),
    KEY("total", TH_KEY_COUNT, th_scene_source, def.total, 1, 1e7, 0, "", "at most so many; default no limit"),
    WITH(th_scene_source, crowd, &th_scene_crowd_table),
};
const th_table th_scene_source_table = {
    PLAIN_TABLE("source", "Agents that come while time goes on.", source_key, th_scene_source), NULL, source_init,
    source_check};

/* ---------------------------------------------------------------- groups */

static void group_init(void *object) {
  *(th_scene_group *)object = (th_scene_group){.def = th_default_group_def()};
  image_init(&((th_scene_group *)object)->image);
}
static const char *const formation_names[] = {"none",   "points", "line",    "column",  "wedge",
                                              "circle", "grid",   "outline", "friends", NULL};
static const th_key formation_key[] = {
    PICK("shape", th_scene_formation, def.kind, formation_names, TH_KEY_NEEDED, "how members stand to each other"),
    KEY("points", TH_KEY_POINTS, th_scene_formation, points, 1, 65536, 0, "m",
        "[x, y], x ahead and y to the left: of points one for each member, of an outline its corners"),
    KEY("spacing", TH_KEY_FLOAT, th_scene_formation, def.spacing, 0, 100, 0, "m",
        "between neighbours; default 1.2, of friends 0.8"),
    KEY("speed", TH_KEY_FLOAT, th_scene_formation, def.speed, 0, 100, 0, "m/s",
        "of the front; default that of the slowest member"),
    KEY("columns", TH_KEY_COUNT, th_scene_formation, def.columns, 0, 65536, 0, "",
        "files of a column (default 1), a grid (as many as rows) and friends (up to 3, then 2)"),
};
static const th_table formation_table = {
    PLAIN_TABLE("formation", "How members of a group stand to each other.", formation_key, th_scene_formation), NULL,
    NULL, NULL};
static const char *const align_names[] = {"none", "horizontal", "vertical", "both", "queue", NULL};
#define GROUP(n, m, lo, hi, u, t) KEY(n, TH_KEY_FLOAT, th_scene_group, def.m, lo, hi, 0, u, t)
static const th_key group_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_group, name, LOW, HIGH, 0, "", "events call it by this name"),
    MANY("populations", TH_KEY_TEXTS, th_scene_group, population, population_count, LOW, HIGH, TH_KEY_NEEDED, "",
         "whose agents are its members"),
    KEY("leader", TH_KEY_TEXT, th_scene_group, leader, LOW, HIGH, 0, "", "a population whose first agent leads"),
    LIST("area", th_scene_group, area, area_count, &outline, 0, "what its members fill: all of these together"),
    PART("image", th_scene_group, image, &image, 0, "its dark pixels are area, too"),
    PART("formation", th_scene_group, formation, &formation_table, TH_KEY_AWAY, "posts in which its members travel"),
    GROUP("factor", factor, 1, 1000, "", "weight of markers in the area, against 1 outside; default 10"),
    PICK("align", th_scene_group, def.align, align_names, 0, "rows, columns or a queue; default none"),
    GROUP("angle", angle, -360, 360, "degrees", "turns the axes of an alignment; default 0"),
    GROUP("spacing", spacing, 0.1, 10, "m", "arms of the masks are twice this long; default 1.6"),
    GROUP("half_width", half_width, 0.01, 5, "m", "of an arm; default 0.3"),
    GROUP("base", base, 0, 100, "", "weight of a marker outside all masks; default 1"),
};
const th_table th_scene_group_table = {
    PLAIN_TABLE("group", "Populations that belong together, and the shape that they take.", group_key, th_scene_group),
    NULL, group_init, NULL};

/* ---------------------------------------------------------------- marks */

static const th_key mark_key[] = {
    KEY("step", TH_KEY_COUNT, th_scene_mark, step, 0, 4294967294.0, TH_KEY_NEEDED, "", "at whose beginning it holds"),
    KEY("hash", TH_KEY_TEXT, th_scene_mark, hash, LOW, HIGH, TH_KEY_NEEDED, "",
        "of the world, 16 hexadecimal digits as a run prints it"),
};
static const th_table mark = {PLAIN_TABLE("mark", "The hash that a run must have at a step.", mark_key, th_scene_mark),
                              NULL, NULL, NULL};

static const th_key in_force_key[] = {
    KEY("step", TH_KEY_COUNT, th_scene_in_force, step, 0, 4294967294.0, TH_KEY_NEEDED, "", "in which they came"),
    KEY("count", TH_KEY_COUNT, th_scene_in_force, count, 0, 4294967294.0, TH_KEY_NEEDED, "",
        "how many, in the order in which they were asked for; 0 in the last step of the list: none until then"),
};
static const th_table in_force = {
    PLAIN_TABLE("in force", "Fields and edits that came into force in a step.", in_force_key, th_scene_in_force), NULL,
    NULL, NULL};

/* ---------------------------------------------------------------- measuring */

static const th_key line_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_line, name, LOW, HIGH, TH_KEY_NEEDED, "", "of the line in reports"),
    KEY("from", TH_KEY_PAIR, th_scene_line, from, LOW, HIGH, TH_KEY_NEEDED, "m", "one end"),
    KEY("to", TH_KEY_PAIR, th_scene_line, to, LOW, HIGH, TH_KEY_NEEDED, "m",
        "other end; forwards is from the left side to the right"),
};
static const th_table line = {PLAIN_TABLE("line", "Counts who crosses it, and the flow.", line_key, th_scene_line),
                              NULL, NULL, NULL};
static const th_key area_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_area, name, LOW, HIGH, TH_KEY_NEEDED, "", "of the area in reports"),
    WITH(th_scene_area, shape, &th_scene_area_shape_table),
};
static const th_table area = {PLAIN_TABLE("measured area", "Density and speed inside.", area_key, th_scene_area), NULL,
                              NULL, NULL};
static const th_key measure_key[] = {
    LIST("lines", th_scene_measure, line, line_count, &line, 0, "count and flow"),
    LIST("areas", th_scene_measure, area, area_count, &area, 0, "density and speed"),
};
static const th_table measure = {
    PLAIN_TABLE("measure", "What is measured beside the usual.", measure_key, th_scene_measure), NULL, NULL, NULL};
static void recording_init(void *object) {
  *(th_scene_recording *)object = (th_scene_recording){.events = true, .version = 2};
}
static const th_key recording_key[] = {
    KEY("every", TH_KEY_FLOAT, th_scene_recording, every, 0, 1e6, 0, "s",
        "time between frames; 0 = every step, the default"),
    KEY("events", TH_KEY_BOOL, th_scene_recording, events, LOW, HIGH, 0, "", "record events too; default true"),
    KEY("version", TH_KEY_COUNT, th_scene_recording, version, 2, 3, 0, "",
        "of JuPedSim's file: 2, with orientations, or 3, whose ground PedPy does not load; default 2"),
    MANY("traces", TH_KEY_TEXTS, th_scene_recording, trace, trace_count, LOW, HIGH, 0, "",
         "populations whose decisions are traced, or \"all\"; results do not change"),
};
static const th_table recording = {
    PLAIN_TABLE("recording", "What goes to the recording.", recording_key, th_scene_recording), NULL, recording_init,
    NULL};

#define RANGE(n, m, u, t) KEY(n, TH_KEY_RANGE, th_scene_expect, m, LOW, HIGH, 0, u, t)
static const th_key expect_key[] = {
    RANGE("agents", agents, "", "how many were there in all"),
    RANGE("arrived", arrived, "", "how many reached their last goal"),
    RANGE("lost", lost, "", "how many had no path to their goal"),
    RANGE("stuck", stuck, "", "how many made no progress for 10 s, with nobody to wait for"),
    RANGE("queued", queued, "", "how many made none in a queue whose first one gets on"),
    RANGE("time", time, "s", "when the last one arrived"),
    RANGE("mean_time", mean_time, "s", "mean time of arrival"),
    RANGE("mean_speed", mean_speed, "m/s", "distance walked divided by time under way"),
    RANGE("wall_contacts", wall_contacts, "", "how often a body began to touch a wall"),
    RANGE("worst_wall_overlap", worst_wall_overlap, "", "as a part of the radius"),
    RANGE("contacts", contacts, "", "how many pairs of bodies began to touch"),
    RANGE("worst_overlap", worst_overlap, "",
          "of two bodies as they are, narrowed or not, as a part of the sum of their radii"),
    RANGE("worst_full_overlap", worst_full_overlap, "", "the same of bodies of full radius"),
    RANGE("narrowed_free", narrowed_free, "", "share of the time at 0.5 m/s and more with shoulders turned"),
    RANGE("min_distance", min_distance, "m", "between bodies; negative is overlap"),
    MANY("flow", TH_KEY_RANGES, th_scene_expect, flow, flow_count, LOW, HIGH, 0, "1/s", "over lines, by their names"),
    MANY("count", TH_KEY_RANGES, th_scene_expect, count, count_count, LOW, HIGH, 0, "",
         "crossings of lines in both directions, by their names"),
    MANY("density", TH_KEY_RANGES, th_scene_expect, density, density_count, LOW, HIGH, 0, "1/m2",
         "time means in areas, by their names"),
    KEY("seeds", TH_KEY_COUNT, th_scene_expect, seeds, 1, 1000, 0, "",
        "how many seeds, from the scene's on, give all that; `throng run --seeds expect` runs them; default 1"),
    MANY("inside", TH_KEY_RANGES, th_scene_expect, inside, inside_count, LOW, HIGH, 0, "",
         "agents in areas at the end, by their names"),
    MANY("left_by", TH_KEY_RANGES, th_scene_expect, left_by, left_by_count, LOW, HIGH, 0, "",
         "how many left by goals, by their names"),
    MANY("last_by", TH_KEY_RANGES, th_scene_expect, last_by, last_by_count, LOW, HIGH, 0, "s",
         "when the last one left by goals, by their names"),
    MANY("outside", TH_KEY_RANGES, th_scene_expect, outside, outside_count, LOW, HIGH, 0, "",
         "share of members outside the areas of their groups at the end, by names of groups"),
    MANY("off_post", TH_KEY_RANGES, th_scene_expect, off_post, off_post_count, LOW, HIGH, 0, "m",
         "mean distance of members from their posts at the end, by names of groups"),
    MANY("askew", TH_KEY_RANGES, th_scene_expect, askew, askew_count, LOW, HIGH, 0, "degrees",
         "mean angle between axes of groups and nearest members at the end, 22.5 by chance, by names of groups"),
};
static void expect_init(void *object) { ((th_scene_expect *)object)->seeds = 1; }
static const th_table expect = {
    PLAIN_TABLE("expect", "What a run must give: a number, or {min, max}.", expect_key, th_scene_expect), NULL,
    expect_init, NULL};

/* ---------------------------------------------------------------- the scene */

static const char *const sense_names[] = {"pull", "literal", NULL};
static const char *const update_names[] = {"all_at_once", "one_by_one", NULL};

static void scene_init(void *object) {
  th_scene *scene = object;
  scene->world = th_default_world_def();
  expect_init(&scene->expect);
}

static const th_key scene_key[] = {
    KEY("$schema", TH_KEY_TEXT, th_scene, schema, LOW, HIGH, TH_KEY_FILE, "",
        "schema.json, by which editors offer keys and show these texts"),
    KEY("version", TH_KEY_COUNT, th_scene, version, TH_SCENE_VERSION, TH_SCENE_VERSION, TH_KEY_NEEDED, "",
        "of the scene format: 1"),
    KEY("name", TH_KEY_TEXT, th_scene, name, LOW, HIGH, TH_KEY_NEEDED, "", "of the scene"),
    KEY("description", TH_KEY_TEXT, th_scene, description, LOW, HIGH, 0, "", "for people"),
    PART("ground", th_scene, ground, &ground, TH_KEY_NEEDED, "what agents stand on"),
    LIST("goals", th_scene, goal, goal_count, &th_scene_goal_table, 0, "where agents go"),
    LIST("choices", th_scene, choice, choice_count, &th_scene_choice_table, 0,
         "goals of which everybody takes one: exits of a hall"),
    LIST("guides", th_scene, guide, guide_count, &th_scene_guide_table, 0, "paths and explorations that agents follow"),
    LIST("populations", th_scene, population, population_count, &th_scene_population_table, 0,
         "agents that are there at the start"),
    LIST("sources", th_scene, source, source_count, &th_scene_source_table, 0, "agents that come while time goes on"),
    LIST("groups", th_scene, group, group_count, &th_scene_group_table, 0,
         "populations that belong together, and their shapes"),
    LIST("events", th_scene, event, event_count, &th_scene_event_table, 0, "what happens at which time"),
    LIST("marks", th_scene, mark, mark_count, &mark, 0, "hashes of an episode, which `throng replay` compares"),
    LIST("in_force", th_scene, in_force, in_force_count, &in_force, 0,
         "what timing decided in a run in real time, which an episode of it holds"),
    PART("measure", th_scene, measure, &measure, 0, "lines and areas"),
    PART("recording", th_scene, recording, &recording, 0, "what goes to the recording"),
    PART("expect", th_scene, expect, &expect, 0, "what a run must give"),
    MANY("shows", TH_KEY_TEXTS, th_scene, shows, shows_count, LOW, HIGH, 0, "",
         "ids of the requirements that it shows"),
    KEY("duration", TH_KEY_FLOAT, th_scene, duration, 1e-3, 1e9, TH_KEY_NEEDED, "s",
        "the run ends then, or when nobody is under way any more"),
    KEY("dt", TH_KEY_FLOAT, th_scene, world.dt, 0.001, 1, 0, "s", "time step; default 0.1"),
    KEY("seed", TH_KEY_SEED, th_scene, world.seed, 1, 9007199254740992.0, 0, "", "of all random numbers; default 1"),
    KEY("workers", TH_KEY_COUNT, th_scene, world.workers, 1, 64, 0, "", "threads; the result does not depend on it"),
    KEY("field_threads", TH_KEY_COUNT, th_scene, world.field_threads, 0, 64, 0, "",
        "that make fields beside the steps; the result does not depend on it; default 0 = one with several workers"),
    KEY("realtime", TH_KEY_BOOL, th_scene, world.realtime, LOW, HIGH, 0, "",
        "fields are used when they are ready and a second run may differ; default false"),
    KEY("contact_rounds", TH_KEY_COUNT, th_scene, world.contact_rounds, 0, 32, 0, "",
        "rounds of contact correction in a step, at most; default 32 with people, else 3"),
    KEY("people", TH_KEY_PEOPLE, th_scene, people, LOW, HIGH, 0, "",
        "how populations and sources walk among others, unless they say otherwise: an object with parameters of "
        "people; false: bare bodies, as published methods have them; default true"),
    PICK("sense", th_scene, world.sense, sense_names, 0, "of the agents' v: towards it, or as printed; default pull"),
    PICK("update", th_scene, world.update, update_names, 0,
         "who decides and moves when: all from the same state, or one after the other (slow); default all_at_once"),
};
const th_table th_scene_table = {PLAIN_TABLE("scene", "A Throng scene.", scene_key, th_scene), NULL, scene_init, NULL};

uint64_t th_scene_crowd_key_bit(const char *name) {
  for (uint32_t i = 0; i < COUNT_OF(crowd_key); i++)
    if (strcmp(crowd_key[i].name, name) == 0) return (uint64_t)1 << i;
  return 0;
}

void th_scene_crowd_keys_given(const th_scene_crowd *crowd, th_agent_def *def) {
  static const size_t size[TH_KEY_KINDS] = {
      [TH_KEY_FLOAT] = sizeof(float),  [TH_KEY_COUNT] = sizeof(uint32_t),         [TH_KEY_BOOL] = sizeof(bool),
      [TH_KEY_PAIR] = sizeof(th_vec2), [TH_KEY_MODEL] = sizeof(const th_model *), [TH_KEY_PARAMS] = sizeof(void *)};
  for (uint32_t i = 0; i < COUNT_OF(crowd_key); i++) {
    const th_key *key = &crowd_key[i];
    const uint32_t at = key->offset - AT(th_scene_crowd, def);
    if (!(crowd->given & (uint64_t)1 << i) || at >= sizeof *def) continue; /* beside the def: a name or a spread */
    memcpy((uint8_t *)def + at, (const uint8_t *)crowd + key->offset, size[key->kind]);
  }
}
