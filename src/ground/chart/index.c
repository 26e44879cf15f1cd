/* ground/chart/index.c - from a vertex to the charts that depend on it.
 *
 * A list of links for each vertex, links taken from one array with a free list: adding a chart costs one link per
 * vertex, removing one walks the short lists of its vertices. A chart depends on every vertex that got a value while it
 * was laid flat, held or not, so rebuilding a chart that is not found here would give the same bits.
 */
#include "base/memory.h"
#include "ground/chart/cache.h"

bool th_charts_index_reserve(th_charts *c, uint32_t links) {
  void *memory = c->link;
  if (!th_grow(&c->allocator, &memory, &c->link_capacity, c->link_count + links, sizeof *c->link)) return false;
  c->link = memory;
  return true;
}

void th_charts_index_add(th_charts *c, const th_chart *chart) {
  for (uint32_t n = 0; n < chart->vertex_count; n++) {
    uint32_t at = c->link_free;
    if (at == TH_NO_ELEMENT)
      at = c->link_count++;
    else
      c->link_free = c->link[at].next;
    c->link[at] = (th_charts_link){c->head[chart->vertex[n]], chart->patch};
    c->head[chart->vertex[n]] = at;
  }
}

void th_charts_index_remove(th_charts *c, const th_chart *chart) {
  for (uint32_t n = 0; n < chart->vertex_count; n++) {
    uint32_t *from = &c->head[chart->vertex[n]];
    while (c->link[*from].patch != chart->patch) from = &c->link[*from].next;
    uint32_t at = *from;
    *from = c->link[at].next;
    c->link[at].next = c->link_free;
    c->link_free = at;
  }
}
