/* apps/page/page.h - the engine as a page calls it: flat functions on one run of a scene.
 *
 * Everything is a number, a pointer into memory or a text, so that a script without knowledge of our structs can call
 * it (page/src/engine/module.ts does). Texts are JSON; they and arrays belong to the page and are valid until the next
 * call that returns one of the same kind, arrays until the next step. Numbers of 64 bits cross as doubles or as text.
 * Calls that may fail return 0 when all is well, else th_page_error says in words what was wrong and where.
 * Threads: calls on one page must not overlap.
 */
#ifndef TH_APPS_PAGE_PAGE_H
#define TH_APPS_PAGE_PAGE_H

#include "io/scene/scene.h"
#include "throng/run.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define TH_PAGE_CALL EMSCRIPTEN_KEEPALIVE
#else
#define TH_PAGE_CALL
#endif

typedef struct th_page th_page;

/* What th_page_array reads, by number: one entry or three (vectors) for each agent, in the order of rows. */
typedef enum th_page_column {
  TH_PAGE_ID,    /* uint32_t, the index of an agent's id */
  TH_PAGE_POINT, /* vectors, float */
  TH_PAGE_PREVIOUS,
  TH_PAGE_VELOCITY,
  TH_PAGE_HEADING,
  TH_PAGE_NORMAL,
  TH_PAGE_RADIUS, /* float */
  TH_PAGE_BODY,
  TH_PAGE_SPEED,
  TH_PAGE_HEIGHT,
  TH_PAGE_STATE,      /* uint8_t, th_agent_state */
  TH_PAGE_POPULATION, /* uint32_t, its number in the scene, TH_NO_INDEX: none */
  TH_PAGE_GOAL,       /* index of the goal's id that it heads for, 0: none */
  TH_PAGE_MODEL,      /* number in th_models, from 1, 0: none of them */
  TH_PAGE_GROUP,      /* index of the id of its group, 0: none */
  TH_PAGE_DENSITY,    /* float, agents per square metre within 2 m */
  TH_PAGE_COLUMNS
} th_page_column;

/* page.c: a run of a packed scene; a seed of 0 is the scene's. NULL when memory is short; otherwise th_page_failed
 * tells whether there is a run. */
TH_PAGE_CALL th_page *th_page_make(const char *text, uint32_t length, double seed);
TH_PAGE_CALL void th_page_free(th_page *page);
TH_PAGE_CALL uint32_t th_page_failed(const th_page *page);
TH_PAGE_CALL const char *th_page_error(th_page *page); /* {"where": ..., "text": ...} of the last call that failed */
TH_PAGE_CALL uint32_t th_page_step(th_page *page);
TH_PAGE_CALL uint32_t th_page_done(const th_page *page);
TH_PAGE_CALL double th_page_time(const th_page *page);
TH_PAGE_CALL double th_page_steps(const th_page *page);
TH_PAGE_CALL const char *th_page_hash(th_page *page); /* of the whole state, 16 digits */

/* about.c: what there is now: goals, guides, sources, groups and populations of the scene and of events, models. */
TH_PAGE_CALL const char *th_page_about(th_page *page);

/* barriers.c: doors and obstacles as they are now, with the outlines of those on flat ground: [{"name", "door",
 * "closed", "shape"}, ...]. */
TH_PAGE_CALL const char *th_page_barriers(th_page *page);

/* ground.c: flat ground has walls (x, y, x, y) and a raster of clearances, meshes have the rest. `count` and `size` are
 * written: how many walls, vertices, faces, half-edges; width and height. `place`: x0, y0, cell. */
TH_PAGE_CALL uint32_t th_page_ground_version(const th_page *page);
TH_PAGE_CALL const float *th_page_walls(const th_page *page, uint32_t *count);
TH_PAGE_CALL const float *th_page_raster(const th_page *page, uint32_t *size, float *place);
TH_PAGE_CALL const double *th_page_vertices(const th_page *page, uint32_t *count);
TH_PAGE_CALL const uint32_t *th_page_corners(const th_page *page, uint32_t *count);
TH_PAGE_CALL const uint8_t *th_page_blocked(const th_page *page);
TH_PAGE_CALL const uint32_t *th_page_wall_halves(const th_page *page, uint32_t *count);
TH_PAGE_CALL int32_t th_page_level(const th_page *page, uint32_t face);
TH_PAGE_CALL uint32_t th_page_terrain(const th_page *page, uint32_t face);
/* Where a ray meets the ground: 1 and in `point` three numbers and the level of a building (0: none), or 0. `ray`:
 * origin and direction. */
TH_PAGE_CALL uint32_t th_page_pick(const th_page *page, const float *ray, float *point);

/* agents.c: th_page_frame fills all columns as the run stands now and returns how many agents there are, UINT32_MAX
 * when memory is short. */
TH_PAGE_CALL uint32_t th_page_frame(th_page *page);
TH_PAGE_CALL const void *th_page_array(const th_page *page, uint32_t column);

/* traces.c: traces one agent, by the index of its id; 0: nobody; TH_NO_INDEX: everybody, up to TH_PAGE_TRACED. What it
 * published in its last decision, as a list. */
#define TH_PAGE_TRACED 1000
TH_PAGE_CALL uint32_t th_page_trace(th_page *page, uint32_t agent);
TH_PAGE_CALL const char *th_page_traces(th_page *page, uint32_t agent);

/* events.c: events of the last step and of what was done since, four numbers each: th_event_kind, the index of the
 * agent's id, of the goal's and of the source's, 0 where there is none. */
TH_PAGE_CALL const uint32_t *th_page_events(th_page *page, uint32_t *count);

/* tables.c: {"models": [{"name", "summary", "params": [...]}], "guides": [...], "people": [...], "traces": [...],
 * "draw": [...]}: every parameter with unit, range, default and text. The schema of scenes, which has every event. */
TH_PAGE_CALL const char *th_page_tables(th_page *page);
TH_PAGE_CALL const char *th_page_schema(th_page *page);

/* deeds.c: makes an event of the scene language happen before the next step (throng/run.h), and the ids that it made or
 * meant. The log: [{"step": 7, "event": {...}}, ...]. Going to a step, back by snapshots that the run keeps within
 * TH_PAGE_HISTORY, has the hash of the first time. */
#define TH_PAGE_HISTORY (64u << 20)
TH_PAGE_CALL uint32_t th_page_do(th_page *page, const char *event);
TH_PAGE_CALL const char *th_page_answer(th_page *page); /* {"agents": [...], "goal", "guide", "source", "group"} */
TH_PAGE_CALL const char *th_page_log(th_page *page);
TH_PAGE_CALL uint32_t th_page_go_to(th_page *page, double step);
/* Takes back what was done by hand last: the run is as it was just before that. 0 where nothing was done, too. */
TH_PAGE_CALL uint32_t th_page_undo(th_page *page);

/* save.c: scene and log as one text (throng/run.h), "" when it failed. */
TH_PAGE_CALL const char *th_page_episode(th_page *page);

/* markers.c: points of free space, four numbers each: place and weight for members of a group (index of its id; 0:
 * none). NULL where there are none. */
TH_PAGE_CALL const float *th_page_markers(th_page *page, uint32_t group, uint32_t *count);

/* listing.c: all that makes an agent what it is, in lines "name value unit"; "" without such an agent. The same by
 * tables: {"model", "guide", "route": [{"goal", "wait"}], "links": [{"role", "agent" or "point"}], "params", "people"};
 * values are texts, as events take them. The agent nearest to a point within `reach`: the index of an id, or 0. */
TH_PAGE_CALL const char *th_page_agent_now(th_page *page, uint32_t agent);
TH_PAGE_CALL const char *th_page_agent_text(th_page *page, uint32_t agent);
TH_PAGE_CALL uint32_t th_page_nearest(const th_page *page, const float *point, float reach);

/* fields.c: the field that leads bodies of `radius` to a goal (index of its id), six numbers for each cell of the
 * raster or face of the mesh: distance left [m], log of its potential, the unit direction in space, and 1 where it
 * leads; NULL while it is not ready. The path from a point: three numbers for each place. */
TH_PAGE_CALL const float *th_page_field(th_page *page, uint32_t goal, float radius, uint32_t *count);
TH_PAGE_CALL const float *th_page_path(th_page *page, const float *from, uint32_t goal, float radius, uint32_t *count);

/* drawing.c: draws parts (sum of th_draw_part) into lists. Each entry begins with its part: lines have two points more,
 * discs centre, normal and radius, triangles three points. Texts: [{"part", "at": [x, y, z], "text"}, ...]. */
typedef enum th_page_drawn { TH_PAGE_LINES, TH_PAGE_DISCS, TH_PAGE_TRIANGLES, TH_PAGE_DRAWN } th_page_drawn;
TH_PAGE_CALL uint32_t th_page_draw(th_page *page, uint32_t parts);
TH_PAGE_CALL const float *th_page_list(const th_page *page, uint32_t drawn, uint32_t *count);
TH_PAGE_CALL const char *th_page_labels(th_page *page);

/* Internal. */

/* Numbers that grow. */
typedef struct th_page_numbers {
  float *at;
  uint32_t count, capacity;
  bool failed; /* memory was short */
} th_page_numbers;
void th_page_put(th_page_numbers *numbers, const float *value, uint32_t count);

struct th_page {
  th_scene *scene;
  th_run *run;
  th_error error;
  char *text; /* the last that was returned */
  uint32_t capacity;
  void *column[TH_PAGE_COLUMNS];
  th_run_answer answer;
  th_page_numbers events, field, path, markers, drawn[TH_PAGE_DRAWN];
  struct json_t *labels;
};

/* Fails a call with these words. */
uint32_t th_page_fail(th_page *page, const char *where, const char *text);
/* The id of the goal with this index; a null one when there is none. */
th_goal_id th_page_goal(const th_page *page, uint32_t index);

struct json_t;
th_world *th_page_world(const th_page *page);
/* The id of the agent with this index; false when there is none. */
bool th_page_agent(const th_page *page, uint32_t index, th_agent_id *id);
/* Keeps `root` as the last text, and drops it. */
const char *th_page_say(th_page *page, struct json_t *root);
struct json_t *th_page_vector(th_vec3 vector);
struct json_t *th_page_shape(const th_shape *shape);
/* Values by a table, as texts. */
struct th_param;
struct json_t *th_page_params(const struct th_param *row, uint32_t count, const void *values);

#endif
