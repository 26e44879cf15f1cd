/* apps/page/agents.c - all agents as columns of numbers, filled once for each frame that a page shows.
 *
 * What the world has as arrays is copied; what only a def tells (height, goal, model) is asked agent by agent, which
 * costs some tenths of a microsecond each.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "throng/model.h"
#include "throng/watch.h"

static const float near = 2; /* [m] density counts so far */

/* Bytes of an entry. */
static size_t width_of(uint32_t column) {
  if (column >= TH_PAGE_POINT && column <= TH_PAGE_NORMAL) return sizeof(th_vec3);
  return column == TH_PAGE_STATE ? sizeof(uint8_t) : sizeof(uint32_t);
}

static bool reserve(th_page *page, uint32_t count) {
  if (count <= page->capacity) return true;
  const uint32_t wanted = count + count / 2;
  for (uint32_t i = 0; i < TH_PAGE_COLUMNS; i++) {
    void *grown = realloc(page->column[i], wanted * width_of(i));
    if (!grown) return false;
    page->column[i] = grown;
  }
  page->capacity = wanted;
  return true;
}

static uint32_t number_of(const th_model *model) {
  const th_model *const *all = th_models();
  for (uint32_t i = 0; all[i]; i++)
    if (all[i] == model) return i + 1;
  return 0;
}

static void copy(th_page *page, th_page_column column, const void *from, uint32_t count) {
  if (count) memcpy(page->column[column], from, count * width_of(column));
}

static void describe(th_page *page, uint32_t row, th_agent_id id) {
  const th_world *world = th_page_world(page);
  th_agent_def def;
  uint32_t *const *number = (uint32_t *const *)page->column;
  number[TH_PAGE_ID][row] = id.index;
  number[TH_PAGE_POPULATION][row] = th_run_population(page->run, id);
  number[TH_PAGE_GROUP][row] = th_world_agent_group(world, id).index;
  if (!th_world_agent_def(world, id, &def)) return;
  const uint32_t stop = th_world_agent_stop(world, id);
  number[TH_PAGE_GOAL][row] = stop < def.route_count ? def.route[stop].goal.index : 0;
  number[TH_PAGE_MODEL][row] = number_of(def.model);
  ((float *)page->column[TH_PAGE_HEIGHT])[row] = def.height;
}

uint32_t th_page_frame(th_page *page) {
  const th_world *world = th_page_world(page);
  const th_agents all = th_world_agents(world);
  if (!reserve(page, all.count ? all.count : 1)) return UINT32_MAX;
  const th_points points = {.point = page->column[TH_PAGE_POINT],
                            .previous = page->column[TH_PAGE_PREVIOUS],
                            .velocity = page->column[TH_PAGE_VELOCITY],
                            .heading = page->column[TH_PAGE_HEADING],
                            .normal = page->column[TH_PAGE_NORMAL]};
  th_world_points(world, &points);
  copy(page, TH_PAGE_RADIUS, all.radius, all.count);
  copy(page, TH_PAGE_BODY, all.body, all.count);
  copy(page, TH_PAGE_SPEED, all.speed, all.count);
  copy(page, TH_PAGE_STATE, all.state, all.count);
  th_world_density(world, near, page->column[TH_PAGE_DENSITY]);
  for (uint32_t row = 0; row < all.count; row++) describe(page, row, all.id[row]);
  return all.count;
}

const void *th_page_array(const th_page *page, uint32_t column) {
  return column < TH_PAGE_COLUMNS ? page->column[column] : NULL;
}

bool th_page_agent(const th_page *page, uint32_t index, th_agent_id *id) {
  const th_agents all = th_world_agents(th_page_world(page));
  for (uint32_t row = 0; row < all.count; row++)
    if (all.id[row].index == index) {
      *id = all.id[row];
      return true;
    }
  return false;
}
