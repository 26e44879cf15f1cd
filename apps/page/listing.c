/* apps/page/listing.c - one agent in words, and who stands at a point. */
#include <stdlib.h>

#include "page.h"
#include "throng/watch.h"

const char *th_page_agent_text(th_page *page, uint32_t agent) {
  th_agent_id id;
  if (!th_page_agent(page, agent, &id)) return "";
  const size_t length = th_world_agent_text(th_page_world(page), id, NULL, 0);
  free(page->text);
  page->text = malloc(length + 1);
  if (!page->text) return "";
  page->text[0] = 0;
  th_world_agent_text(th_page_world(page), id, page->text, length + 1);
  return page->text;
}

uint32_t th_page_nearest(const th_page *page, const float *point, float reach) {
  return th_world_nearest(th_page_world(page), (th_vec3){point[0], point[1], point[2]}, reach, NULL).index;
}
