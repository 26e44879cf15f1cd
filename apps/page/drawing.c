/* apps/page/drawing.c - what th_world_draw draws, as lists of numbers for a page that knows lines, discs and triangles.
 */
#include <jansson.h>

#include "page.h"
#include "throng/draw.h"

static const uint32_t width[TH_PAGE_DRAWN] = {7, 8, 10};

static void put(th_page *page, th_page_drawn list, uint32_t part, const float *rest) {
  const float first = (float)part;
  th_page_put(&page->drawn[list], &first, 1);
  th_page_put(&page->drawn[list], rest, width[list] - 1);
}

static void put_line(void *user, uint32_t part, th_vec3 a, th_vec3 b) {
  put(user, TH_PAGE_LINES, part, (const float[6]){a.x, a.y, a.z, b.x, b.y, b.z});
}

static void put_disc(void *user, uint32_t part, th_vec3 c, th_vec3 n, float radius) {
  put(user, TH_PAGE_DISCS, part, (const float[7]){c.x, c.y, c.z, n.x, n.y, n.z, radius});
}

static void put_triangle(void *user, uint32_t part, const th_vec3 *c) {
  put(user, TH_PAGE_TRIANGLES, part,
      (const float[9]){c[0].x, c[0].y, c[0].z, c[1].x, c[1].y, c[1].z, c[2].x, c[2].y, c[2].z});
}

static void put_text(void *user, uint32_t part, th_vec3 at, const char *text) {
  th_page *page = user;
  json_array_append_new(page->labels,
                        json_pack("{s:i, s:o, s:s}", "part", (int)part, "at", th_page_vector(at), "text", text));
}

uint32_t th_page_draw(th_page *page, uint32_t parts) {
  th_draw draw = th_default_draw();
  json_decref(page->labels);
  page->labels = json_array();
  bool failed = !page->labels;
  for (int i = 0; i < TH_PAGE_DRAWN; i++) page->drawn[i].count = 0;
  draw.line = put_line, draw.disc = put_disc, draw.triangle = put_triangle, draw.text = put_text;
  draw.user = page, draw.parts = parts & TH_DRAW_ALL;
  if (!failed) th_world_draw(th_page_world(page), &draw);
  for (int i = 0; i < TH_PAGE_DRAWN; i++) failed |= page->drawn[i].failed;
  return failed ? th_page_fail(page, "drawing", "out of memory") : 0;
}

const float *th_page_list(const th_page *page, uint32_t drawn, uint32_t *count) {
  *count = 0;
  if (drawn >= TH_PAGE_DRAWN) return NULL;
  *count = page->drawn[drawn].count / width[drawn];
  return page->drawn[drawn].at;
}

const char *th_page_labels(th_page *page) {
  return th_page_say(page, page->labels ? json_incref(page->labels) : json_array());
}
