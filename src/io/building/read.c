/* io/building/read.c - buildings in JSON.
 *
 * Buildings use the same tables and the same reader as scenes, so mistakes are reported with file, line, column and
 * key, and a building may be a file of its own or part of a scene. Stairs come before ramps in the list of flights.
 * Cost: linear in the text.
 */
#include "io/building/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape.h"

#define AT(type, member) (uint32_t) offsetof(type, member)
#define LOW -HUGE_VAL
#define HIGH HUGE_VAL
#define MAX_LEVEL 1e6
#define COUNT_OF(keys) (uint32_t)(sizeof(keys) / sizeof *(keys))
#define KEY(n, k, s, m, lo, hi, f, u, t) \
  { n, k, AT(s, m), 0, lo, hi, NULL, NULL, f, u, t }
#define LIST(n, s, m, c, table, f, t) \
  { n, TH_KEY_LIST, AT(s, m), AT(s, c), LOW, HIGH, NULL, table, f, "", t }
#define PICK(n, s, m, names, f, t) \
  { n, TH_KEY_CHOICE, AT(s, m), 0, LOW, HIGH, names, NULL, f, "", t }
#define PLAIN(n, t, keys, type) n, t, keys, COUNT_OF(keys), sizeof(type), UINT32_MAX, NULL, NULL

typedef struct floor_text {
  const char *name;
  th_shape shape;
  float speed;
  bool blocked;
} floor_text;

typedef struct level_text {
  const char *name;
  int32_t number;
  float z;
  floor_text *outline, *obstacle, *terrain;
  uint32_t outline_count, obstacle_count, terrain_count;
} level_text;

typedef struct flight_text {
  const char *name;
  int32_t from, to, rises;
  th_shape shape;
  th_scene_points foot, head;
  float speed, speed_up, speed_down;
} flight_text;

typedef struct lift_text {
  const char *name;
  th_shape shape;
  int32_t door;
  int32_t *level;
  uint32_t level_count;
  float speed, wait, pace;
} lift_text;

struct th_building_text {
  const char *name, *description;
  float edge, under, railing;
  uint32_t face_limit;
  bool apart;
  level_text *level;
  flight_text *stairs, *ramp;
  lift_text *lift;
  uint32_t level_count, stairs_count, ramp_count, lift_count;
};

/* ---------------------------------------------------------------- tables */

static const char *const sides[] = {"east", "north", "west", "south", NULL};
static const char *const area_one_of[] = {"rectangle", "polygon", "disc", NULL};
static const char *const flight_one_of[] = {"rectangle", "foot", NULL};

#define AREA(s)                                                                                                  \
  KEY("rectangle", TH_KEY_RECTANGLE, s, shape, LOW, HIGH, 0, "m", "two opposite corners"),                       \
      KEY("polygon", TH_KEY_POLYGON, s, shape, LOW, HIGH, 0, "m", "three or more corners, in either direction"), \
      KEY("disc", TH_KEY_DISC, s, shape, LOW, HIGH, TH_KEY_CORNERS, "m",                                         \
          "centre and radius; becomes a polygon of 48 corners")

static const th_key floor_key[] = {
    KEY("name", TH_KEY_TEXT, floor_text, name, LOW, HIGH, 0, "", "for people"),
    AREA(floor_text),
};
static const th_table floor_table = {PLAIN("floor_area", "A part of a floor.", floor_key, floor_text), area_one_of,
                                     NULL, NULL};

static void terrain_init(void *object) { ((floor_text *)object)->speed = 1.0f; }
static const th_key terrain_key[] = {
    KEY("name", TH_KEY_TEXT, floor_text, name, LOW, HIGH, TH_KEY_NEEDED, "", "terrain of its faces"),
    AREA(floor_text),
    KEY("speed", TH_KEY_FLOAT, floor_text, speed, 0.01, 10, 0, "", "factor of the wanted speed; default 1"),
    KEY("blocked", TH_KEY_BOOL, floor_text, blocked, LOW, HIGH, 0, "", "may not be entered; default false"),
};
static const th_table terrain_table = {PLAIN("floor_terrain", "A kind of ground on a level.", terrain_key, floor_text),
                                       area_one_of, terrain_init, NULL};

static const th_key level_key[] = {
    KEY("name", TH_KEY_TEXT, level_text, name, LOW, HIGH, 0, "", "for people"),
    KEY("number", TH_KEY_WHOLE, level_text, number, -MAX_LEVEL, MAX_LEVEL, TH_KEY_NEEDED, "",
        "each its own, not 0: areas and goals call the level by it"),
    KEY("z", TH_KEY_FLOAT, level_text, z, -1e4, 1e4, TH_KEY_NEEDED, "m", "height of the floor"),
    LIST("outline", level_text, outline, outline_count, &floor_table, TH_KEY_FEW | TH_KEY_NEEDED,
         "walkable area: all of these"),
    LIST("obstacles", level_text, obstacle, obstacle_count, &floor_table, 0, "solid areas inside"),
    LIST("terrain", level_text, terrain, terrain_count, &terrain_table, 0, "kinds of ground; a later one lies on top"),
};
static const th_table level_table = {PLAIN("level", "A floor.", level_key, level_text), NULL, NULL, NULL};

static void flight_init(void *object) { *(flight_text *)object = (flight_text){.rises = -1}; }

static th_result flight_check(th_scene_reader *reader, const json_t *json, void *object) {
  const flight_text *f = object;
  const char *partner = f->shape.point ? "rises" : "head";
  (void)json;
  if (f->shape.point ? f->rises < 0 : !f->head.point)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected \"%s\" beside \"%s\", found none", partner,
                          f->shape.point ? "rectangle" : "foot");
  if (f->shape.point || (f->foot.count == 2 && f->head.count == 2)) return TH_OK;
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected foot and head of two points each, found %u and %u",
                        f->foot.count, f->head.count);
}

static const th_key flight_key[] = {
    KEY("name", TH_KEY_TEXT, flight_text, name, LOW, HIGH, 0, "", "for people"),
    KEY("from", TH_KEY_WHOLE, flight_text, from, -MAX_LEVEL, MAX_LEVEL, TH_KEY_NEEDED, "", "number of a level"),
    KEY("to", TH_KEY_WHOLE, flight_text, to, -MAX_LEVEL, MAX_LEVEL, TH_KEY_NEEDED, "", "number of another level"),
    KEY("rectangle", TH_KEY_RECTANGLE, flight_text, shape, LOW, HIGH, 0, "m", "its plan, two opposite corners"),
    PICK("rises", flight_text, rises, sides, 0, "where its upper end is, with a rectangle: east is +x, north +y"),
    KEY("foot", TH_KEY_POINTS, flight_text, foot, 2, HIGH, 0, "m", "instead: two points of its edge on the level from"),
    KEY("head", TH_KEY_POINTS, flight_text, head, 2, HIGH, 0, "m", "two points of its edge on the level to"),
    KEY("speed", TH_KEY_FLOAT, flight_text, speed, 0.01, 10, 0, "",
        "factor of the wanted speed; default on stairs 0.53 up and 0.6 down, 1 on ramps"),
    KEY("speed_up", TH_KEY_FLOAT, flight_text, speed_up, 0.01, 10, 0, "", "instead, uphill; default as speed"),
    KEY("speed_down", TH_KEY_FLOAT, flight_text, speed_down, 0.01, 10, 0, "", "instead, downhill; default as speed"),
};
static const th_table stairs_table = {PLAIN("stairs", "A straight flight of stairs.", flight_key, flight_text),
                                      flight_one_of, flight_init, flight_check};
static const th_table ramp_table = {PLAIN("ramp", "A straight ramp.", flight_key, flight_text), flight_one_of,
                                    flight_init, flight_check};

static void lift_init(void *object) { *(lift_text *)object = (lift_text){.speed = 1.0f, .wait = 5.0f, .pace = 1.34f}; }
static const th_key lift_key[] = {
    KEY("name", TH_KEY_TEXT, lift_text, name, LOW, HIGH, 0, "", "for people"),
    KEY("rectangle", TH_KEY_RECTANGLE, lift_text, shape, LOW, HIGH, TH_KEY_NEEDED, "m",
        "the shaft, two opposite corners; the door's side at least 1.6, the other 1.4"),
    PICK("door", lift_text, door, sides, TH_KEY_NEEDED, "side of the shaft that is open on every level"),
    {"levels", TH_KEY_WHOLES, AT(lift_text, level), AT(lift_text, level_count), -MAX_LEVEL, MAX_LEVEL, NULL, NULL,
     TH_KEY_NEEDED, "", "numbers of two or more levels, from below to above"},
    KEY("speed", TH_KEY_FLOAT, lift_text, speed, 0.05, 20, 0, "m/s", "of the cabin; default 1"),
    KEY("wait", TH_KEY_FLOAT, lift_text, wait, 0, 600, 0, "s", "added for each floor: doors, waiting; default 5"),
    KEY("pace", TH_KEY_FLOAT, lift_text, pace, 0.1, 10, 0, "m/s",
        "wanted speed for which the ride is exact; default 1.34"),
};
static const th_table lift_table = {PLAIN("lift", "A lift, walked as a spiral in its shaft.", lift_key, lift_text),
                                    NULL, lift_init, NULL};

static void building_init(void *object) {
  th_building_def initial = th_default_building_def();
  *(th_building_text *)object = (th_building_text){
      .edge = initial.edge, .under = initial.under, .railing = initial.railing, .face_limit = initial.face_limit};
}
static const th_key building_key[] = {
    KEY("name", TH_KEY_TEXT, th_building_text, name, LOW, HIGH, 0, "", "for people"),
    KEY("description", TH_KEY_TEXT, th_building_text, description, LOW, HIGH, 0, "", "for people"),
    LIST("levels", th_building_text, level, level_count, &level_table, TH_KEY_NEEDED | TH_KEY_FEW, "its floors"),
    LIST("stairs", th_building_text, stairs, stairs_count, &stairs_table, 0, "flights of stairs between levels"),
    LIST("ramps", th_building_text, ramp, ramp_count, &ramp_table, 0, "ramps between levels"),
    LIST("lifts", th_building_text, lift, lift_count, &lift_table, 0, "lifts between levels"),
    KEY("edge", TH_KEY_FLOAT, th_building_text, edge, 0.05, 10, 0, "m",
        "wanted length of edges of triangles; default 0.5"),
    KEY("face_limit", TH_KEY_COUNT, th_building_text, face_limit, 1, 1e8, 0, "",
        "floors that need more triangles are refused before anything is made; default 1000000"),
    KEY("under", TH_KEY_FLOAT, th_building_text, under, 0.3, 10, 0, "m",
        "floor with a flight closer above is left out; default 0.5"),
    KEY("railing", TH_KEY_FLOAT, th_building_text, railing, 0, 2, 0, "m",
        "floor beside a flight that is left out with it; default 0.1"),
    KEY("apart", TH_KEY_BOOL, th_building_text, apart, LOW, HIGH, 0, "",
        "pieces that no path joins are allowed; default false"),
};
const th_table th_building_table = {
    PLAIN("building", "Floors, stairs, ramps and lifts as one surface.", building_key, th_building_text), NULL,
    building_init, NULL};

/* ---------------------------------------------------------------- from texts to defs */

typedef struct defs {
  th_level_def *level;
  th_flight_def *flight;
  th_lift_def *lift;
  th_polygon *polygon;
  th_level_terrain *terrain;
  uint32_t level_count, flight_count, lift_count, polygon_count, terrain_count;
  uint32_t polygons, terrains; /* used */
} defs;

static th_polygon polygon_of(const floor_text *f) { return th_scene_polygon(f->name, &f->shape); }

static const th_polygon *add_polygons(defs *d, const floor_text *from, uint32_t count) {
  const th_polygon *first = d->polygon + d->polygons;
  for (uint32_t i = 0; i < count; i++) d->polygon[d->polygons++] = polygon_of(&from[i]);
  return first;
}

static void fill_level(defs *d, const level_text *from, th_level_def *to) {
  *to = (th_level_def){.name = from->name, .number = from->number, .z = from->z};
  to->outline = add_polygons(d, from->outline, from->outline_count);
  to->outline_count = from->outline_count;
  to->obstacle = add_polygons(d, from->obstacle, from->obstacle_count);
  to->obstacle_count = from->obstacle_count;
  to->terrain = d->terrain + d->terrains;
  to->terrain_count = from->terrain_count;
  for (uint32_t i = 0; i < from->terrain_count; i++) {
    const floor_text *t = &from->terrain[i];
    d->terrain[d->terrains++] =
        (th_level_terrain){{.name = t->name, .speed = t->speed, .blocked = t->blocked}, polygon_of(t)};
  }
}

/* Corners of a rectangle: low x low y, high x low y, high x high y, low x high y. */
static void corners_of(const th_shape *shape, th_vec2 corner[4]) {
  const th_box box = th_shape_bounds(shape);
  th_box_polygon((float)box.x0, (float)box.y0, (float)box.x1, (float)box.y1, corner);
}

static th_vec2 seen_from_above(th_vec3 p) { return (th_vec2){p.x, p.y}; }

static void fill_flight(const flight_text *from, const char *kind, th_flight_def *to) {
  *to = (th_flight_def){.name = from->name, .kind = kind, .from = from->from, .to = from->to, .speed = from->speed};
  to->speed_up = from->speed_up;
  to->speed_down = from->speed_down;
  th_vec2 corner[4];
  if (from->shape.point) corners_of(&from->shape, corner);
  for (uint32_t k = 0; k < 2; k++) { /* the east side is corners 1 and 2, the north side 2 and 3, and so on */
    uint32_t side = (uint32_t)from->rises + 1;
    to->head[k] = from->shape.point ? corner[(side + k) % 4] : seen_from_above(from->head.point[k]);
    to->foot[k] = from->shape.point ? corner[(side + 2 + k) % 4] : seen_from_above(from->foot.point[k]);
  }
}

static void fill_lift(const lift_text *from, th_lift_def *to) {
  th_vec2 corner[4];
  corners_of(&from->shape, corner);
  *to = (th_lift_def){.name = from->name,
                      .corner = {corner[0], corner[2]},
                      .door = (th_side)from->door,
                      .level = from->level,
                      .level_count = from->level_count,
                      .speed = from->speed,
                      .wait = from->wait,
                      .pace = from->pace};
}

static bool take_defs(const th_allocator *a, const th_building_text *t, defs *d) {
  d->level_count = t->level_count;
  d->flight_count = t->stairs_count + t->ramp_count;
  d->lift_count = t->lift_count;
  for (uint32_t i = 0; i < t->level_count; i++) {
    d->polygon_count += t->level[i].outline_count + t->level[i].obstacle_count;
    d->terrain_count += t->level[i].terrain_count;
  }
  d->level = TH_TAKE(a, th_level_def, d->level_count);
  d->flight = TH_TAKE(a, th_flight_def, d->flight_count);
  d->lift = TH_TAKE(a, th_lift_def, d->lift_count);
  d->polygon = TH_TAKE(a, th_polygon, d->polygon_count);
  d->terrain = TH_TAKE(a, th_level_terrain, d->terrain_count);
  return d->level && d->flight && d->lift && d->polygon && d->terrain;
}

static void give_defs(const th_allocator *a, defs *d) {
  TH_GIVE(a, d->level, d->level_count);
  TH_GIVE(a, d->flight, d->flight_count);
  TH_GIVE(a, d->lift, d->lift_count);
  TH_GIVE(a, d->polygon, d->polygon_count);
  TH_GIVE(a, d->terrain, d->terrain_count);
}

static void point_to(const th_building_text *t, const th_error *found, char *pointer) {
  uint32_t i = found->element;
  *pointer = 0;
  if (i == TH_NO_ELEMENT) return;
  if (strcmp(found->where, "level") == 0) snprintf(pointer, TH_JSON_POINTER, "/levels/%u", i);
  if (strcmp(found->where, "lift") == 0) snprintf(pointer, TH_JSON_POINTER, "/lifts/%u", i);
  if (strcmp(found->where, "flight") == 0)
    snprintf(pointer, TH_JSON_POINTER, i < t->stairs_count ? "/stairs/%u" : "/ramps/%u",
             i < t->stairs_count ? i : i - t->stairs_count);
}

static th_building_def fill_defs(const th_env *env, const th_building_text *t, defs *d) {
  for (uint32_t i = 0; i < t->level_count; i++) fill_level(d, &t->level[i], &d->level[i]);
  for (uint32_t i = 0; i < t->stairs_count; i++) fill_flight(&t->stairs[i], "stairs", &d->flight[i]);
  for (uint32_t i = 0; i < t->ramp_count; i++) fill_flight(&t->ramp[i], "ramp", &d->flight[t->stairs_count + i]);
  for (uint32_t i = 0; i < t->lift_count; i++) fill_lift(&t->lift[i], &d->lift[i]);
  return (th_building_def){.env = *env,
                           .level = d->level,
                           .level_count = d->level_count,
                           .flight = d->flight,
                           .flight_count = d->flight_count,
                           .lift = d->lift,
                           .lift_count = d->lift_count,
                           .edge = t->edge,
                           .under = t->under,
                           .railing = t->railing,
                           .apart = t->apart,
                           .face_limit = t->face_limit};
}

th_result th_building_read_text(const th_env *env, const th_building_text *t, th_building *building, char *pointer,
                                th_error *error) {
  const th_env full = th_env_complete(env);
  defs d = {0};
  *pointer = 0;
  *building = (th_building){0};
  th_error found = {.element = TH_NO_ELEMENT};
  th_result result = TH_ERROR_MEMORY;
  if (take_defs(&full.allocator, t, &d)) {
    const th_building_def def = fill_defs(env, t, &d);
    result = th_building_make(&def, building, &found);
  } else {
    th_fail_memory(&found, "building");
  }
  give_defs(&full.allocator, &d);
  if (result == TH_OK) return TH_OK;
  point_to(t, &found, pointer);
  if (error) *error = found;
  return result;
}
