/* model/biocrowds/owners.c - the owners of the markers around a patch, in the order of their squares.
 *
 * On flat ground markers are numbered in that order. In the chart of a mesh they are not, and reading owners by number,
 * sixteen scattered places at a time and for each agent again, costs more than all else that an agent does with its
 * markers. So the first view of a patch copies them for all of its views. With few agents, or more markers than the
 * memory holds, they are read by number. The copy waits for scattered owners anyway; meanwhile it fetches the places of
 * the same markers, which the views read next (2 % of a step). Cost: one read of each marker; about 40 ns per agent at
 * one per square metre.
 */
#include "base/platform/fetch.h"
#include "model/biocrowds/own.h"

const uint32_t *th_cell_owners_of(const th_work *work) {
  const th_view_markers *m = &work->view->markers;
  const uint32_t *owner = ((const th_biocrowds_shared *)work->shared)->owner, count = m->start[m->columns * m->rows];
  th_cell_owners *near = work->scratch;
  if (!m->number) return owner;
  if (work->earlier) return near->holds ? near->owner : NULL;
  near->holds = count <= TH_CELL_OWNERS && work->view->lanes == TH_VIEW_LANES;
  for (uint32_t first = 0; near->holds && first < count; first += 16) { /* a line of each column */
    const uint32_t end = first + 16 < count ? first + 16 : count;
    th_fetch_line(m->x + first);
    th_fetch_line(m->y + first);
    for (uint32_t n = first; n < end; n++) near->owner[n] = owner[m->number[n]];
  }
  return near->holds ? near->owner : NULL;
}
