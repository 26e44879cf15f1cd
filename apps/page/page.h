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

/* about.c: what the scene says of itself, its goals, doors, populations and models. */
TH_PAGE_CALL const char *th_page_about(th_page *page);

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
/* Where a ray meets the ground: 1 and three numbers in `point`, or 0. `ray`: origin and direction. */
TH_PAGE_CALL uint32_t th_page_pick(const th_page *page, const float *ray, float *point);

/* agents.c: th_page_frame fills all columns as the run stands now and returns how many agents there are, UINT32_MAX
 * when memory is short. */
TH_PAGE_CALL uint32_t th_page_frame(th_page *page);
TH_PAGE_CALL const void *th_page_array(const th_page *page, uint32_t column);

/* traces.c: traces one agent, by the index of its id; 0: nobody. What it published in its last decision, as a list. */
TH_PAGE_CALL uint32_t th_page_trace(th_page *page, uint32_t agent);
TH_PAGE_CALL const char *th_page_traces(th_page *page, uint32_t agent);

/* Internal. */
struct th_page {
  th_scene *scene;
  th_run *run;
  th_error error;
  char *text; /* the last that was returned */
  uint32_t capacity;
  void *column[TH_PAGE_COLUMNS];
};

struct json_t;
th_world *th_page_world(const th_page *page);
/* The id of the agent with this index; false when there is none. */
bool th_page_agent(const th_page *page, uint32_t index, th_agent_id *id);
/* Keeps `root` as the last text, and drops it. */
const char *th_page_say(th_page *page, struct json_t *root);
struct json_t *th_page_vector(th_vec3 vector);

#endif
