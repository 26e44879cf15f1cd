/* apps/page/events.c - what happened in the last step, as numbers. */
#include <string.h>

#include "page.h"

const uint32_t *th_page_events(th_page *page, uint32_t *count) {
  const th_event *event = th_world_events(th_page_world(page), count);
  page->events.count = 0;
  for (uint32_t i = 0; i < *count; i++) {
    const uint32_t row[4] = {(uint32_t)event[i].kind, event[i].agent.index, event[i].goal.index, event[i].source.index};
    float bits[4];
    memcpy(bits, row, sizeof row);
    th_page_put(&page->events, bits, 4);
  }
  if (page->events.failed) *count = 0;
  return (const uint32_t *)(const void *)page->events.at;
}
