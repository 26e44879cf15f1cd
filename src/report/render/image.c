/* report/render/image.c - renders the view of a camera, pixel by pixel.
 *
 * It takes nine samples per pixel with a depth buffer (Catmull 1974), in bands of 64 rows, so that memory does not grow
 * with the square of the sampling and bands can be painted in parallel; no band reads another, so that any number of
 * workers gives the same picture. Afterwards, points that lie deeper than their surroundings are darkened by the
 * difference of the depths and the smoothed depths (Luft, Colditz, Deussen 2006), a cheap approximation of ambient
 * occlusion. A film with a fixed camera keeps the samples of the ground and paints only people on them: the picture has
 * the same bits. Cost: O(faces) per band, O(samples covered) in all.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/render/view.h"

#define FINE 3
#define BAND 64 /* rows of pixels */
#define MAX_BANDS 8

typedef struct painting {
  const th_render_image_def *def;
  th_render_image *picture;
  th_render_camera eye; /* in samples */
  th_render_cache *cache;
  th_render_rows band[MAX_BANDS];
  uint32_t workers;
} painting;

static void clear(th_render_rows *band) {
  size_t samples = (size_t)band->width * band->rows;
  for (size_t i = 0; i < samples; i++) {
    band->key[i] = -INFINITY;
    band->colour[i] = 0;
    band->face[i] = TH_NO_ELEMENT;
  }
}

/* ---------------------------------------------------------------- ground that stays */

#define MAX_STILL 75000000u /* samples: 600 MB */

void th_render_cache_free(th_render_cache *cache) {
  size_t samples = (size_t)cache->columns * cache->rows;
  TH_GIVE(&cache->allocator, cache->key, samples);
  TH_GIVE(&cache->allocator, cache->colour, samples);
  *cache = (th_render_cache){0};
}

static bool same3(const double *a, const double *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static bool same_eye(const th_render_camera *a, const th_render_camera *b) {
  return same3(a->right, b->right) && same3(a->up, b->up) && same3(a->back, b->back) && same3(a->at, b->at) &&
         same3(a->light, b->light) && a->lens == b->lens && a->scale == b->scale && a->x == b->x && a->y == b->y &&
         a->nearest == b->nearest && a->hidden == b->hidden && a->cull == b->cull;
}

/* Prepares the kept samples for this view: reuses them, or empties them. False when they cannot be kept. */
static bool open_still(th_render_cache *cache, const painting *p) {
  const th_render_mesh *drawn = p->def->drawn;
  uint32_t columns = p->picture->width * FINE, rows = p->picture->height * FINE;
  double unit = p->def->unit * p->def->density;
  if (cache->ready && cache->mesh == drawn->def->mesh && cache->columns == columns && cache->rows == rows &&
      cache->unit == unit && same_eye(&cache->eye, &p->eye))
    return true;
  th_render_cache_free(cache);
  size_t samples = (size_t)columns * rows;
  if (samples > MAX_STILL) return false;
  *cache = (th_render_cache){.allocator = drawn->allocator, .mesh = drawn->def->mesh, .eye = p->eye, .unit = unit};
  cache->key = TH_TAKE(&cache->allocator, float, samples);
  cache->colour = TH_TAKE(&cache->allocator, uint32_t, samples);
  cache->columns = columns;
  cache->rows = rows;
  if (cache->key && cache->colour) return true;
  th_render_cache_free(cache);
  return false;
}

/* The ground of a band, painted or copied from the kept samples. */
static void paint_ground(const painting *p, th_render_rows *band) {
  const th_render_mesh *drawn = p->def->drawn;
  size_t first = (size_t)band->top * band->width, count = (size_t)band->width * band->rows;
  if (p->cache && p->cache->ready) {
    memcpy(band->key, p->cache->key + first, count * sizeof *band->key);
    memcpy(band->colour, p->cache->colour + first, count * sizeof *band->colour);
    return;
  }
  clear(band);
  for (uint32_t f = 0; f < drawn->faces; f++) th_raster_face(drawn, &p->eye, band, f, false);
  if (!p->cache) return;
  memcpy(p->cache->key + first, band->key, count * sizeof *band->key);
  memcpy(p->cache->colour + first, band->colour, count * sizeof *band->colour);
}

static float depth_of(const th_render_camera *eye, float key) { return eye->lens ? 1.0f / key : -key; }

/* One pixel from its nine samples. */
static void resolve_pixel(const painting *p, const th_render_rows *band, size_t x, size_t row, size_t out) {
  uint32_t sum[3] = {0, 0, 0}, covered = 0;
  float far = -INFINITY;
  for (size_t j = 0; j < FINE; j++)
    for (size_t i = 0; i < FINE; i++) {
      size_t at = (row * FINE + j) * band->width + x * FINE + i;
      if (!band->colour[at]) continue;
      for (int k = 0; k < 3; k++) sum[k] += band->colour[at] >> (16 - 8 * k) & 0xff;
      covered++;
      far = fmaxf(far, depth_of(&p->eye, band->key[at]));
      if (p->def->seen && band->face[at] != TH_NO_ELEMENT) p->picture->seen[band->face[at]] = 1;
    }
  uint32_t n = FINE * FINE, pixel = (covered * 255 + n / 2) / n;
  for (int k = 0; k < 3; k++) pixel = pixel << 8 | (sum[k] + n / 2) / n;
  p->picture->colour[out] = pixel;
  p->picture->depth[out] = covered ? far : INFINITY;
}

static void paint_band(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  painting *p = context;
  th_render_rows *band = &p->band[worker];
  const th_render_mesh *drawn = p->def->drawn;
  band->top = begin * FINE;
  band->rows = (end - begin) * FINE;
  paint_ground(p, band);
  for (uint32_t a = 0; p->def->bodies && a < drawn->def->agents.count; a++) th_raster_body(drawn, &p->eye, band, a);
  for (uint32_t row = 0; row < end - begin; row++)
    for (uint32_t x = 0; x < p->picture->width; x++)
      resolve_pixel(p, band, x, row, (size_t)(begin + row) * p->picture->width + x);
}

/* ---------------------------------------------------------------- dark corners */

/* Sums over 2 reach + 1 neighbours along a row or a column, in place through `line`. */
static void smooth_line(float *value, size_t count, size_t step, size_t reach, float *line) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i++) line[i] = value[i * step];
  for (size_t i = 0; i < reach && i < count; i++) sum += (double)line[i];
  for (size_t i = 0; i < count; i++) {
    if (i + reach < count) sum += (double)line[i + reach];
    if (i > reach) sum -= (double)line[i - reach - 1];
    value[i * step] = (float)(sum / (double)(2 * reach + 1));
  }
}

static void smooth(const th_render_image *picture, float *value, size_t reach, float *line) {
  for (int times = 0; times < 2; times++) {
    for (size_t y = 0; y < picture->height; y++)
      smooth_line(value + y * picture->width, picture->width, 1, reach, line);
    for (size_t x = 0; x < picture->width; x++) smooth_line(value + x, picture->height, picture->width, reach, line);
  }
}

static uint32_t darker(uint32_t pixel, double by) {
  uint32_t out = pixel >> 24;
  for (int k = 16; k >= 0; k -= 8) {
    double c = (double)(pixel >> k & 0xff) * by;
    out = out << 8 | (uint32_t)(fmin(c, (double)(pixel >> 24)) + 0.5);
  }
  return out;
}

static th_result darken(const th_render_image_def *def, th_render_image *picture, th_error *error) {
  const th_allocator *allocator = &def->drawn->allocator;
  size_t pixels = (size_t)picture->width * picture->height, longer = picture->width + (size_t)picture->height;
  float *near = TH_TAKE(allocator, float, 2 * pixels + longer);
  if (!near) return th_fail_memory(error, "figure");
  float *there = near + pixels, *line = there + pixels;
  double cap = 0.05 * def->drawn->size;
  for (size_t i = 0; i < pixels; i++) {
    bool is = isfinite(picture->depth[i]);
    near[i] = is ? picture->depth[i] : 0.0f;
    there[i] = is ? 1.0f : 0.0f;
  }
  size_t reach = (size_t)fmax(2.0, 11.0 * def->unit * picture->density);
  smooth(picture, near, reach, line);
  smooth(picture, there, reach, line);
  for (size_t i = 0; i < pixels; i++) {
    if (!isfinite(picture->depth[i])) continue;
    double off = (double)picture->depth[i] - (double)near[i] / fmax((double)there[i], 1e-6);
    double t = fmin(1.0, fmax(-0.35, off / cap));
    picture->dim[i] = (uint8_t)(200.0 * (1.0 - 0.30 * t));
    picture->colour[i] = darker(picture->colour[i], picture->dim[i] / 200.0);
  }
  TH_GIVE(allocator, near, 2 * pixels + longer);
  return TH_OK;
}

/* ---------------------------------------------------------------- making */

void th_render_image_free(const th_render_mesh *drawn, th_render_image *picture) {
  size_t pixels = (size_t)picture->width * picture->height;
  TH_GIVE(&drawn->allocator, picture->colour, pixels);
  TH_GIVE(&drawn->allocator, picture->depth, pixels);
  TH_GIVE(&drawn->allocator, picture->dim, pixels);
  TH_GIVE(&drawn->allocator, picture->seen, drawn->faces);
  *picture = (th_render_image){0};
}

static size_t samples_of(const th_render_image *picture) { return (size_t)picture->width * FINE * BAND * FINE; }

static bool take_bands(painting *p) {
  const th_allocator *allocator = &p->def->drawn->allocator;
  size_t samples = samples_of(p->picture);
  for (uint32_t k = 0; k < p->workers; k++) {
    th_render_rows *band = &p->band[k];
    *band = (th_render_rows){.width = p->picture->width * FINE, .fine = FINE};
    band->unit = p->def->unit * p->def->density * FINE;
    band->key = TH_TAKE(allocator, float, samples);
    band->colour = TH_TAKE(allocator, uint32_t, samples);
    band->face = TH_TAKE(allocator, uint32_t, samples);
    if (!band->key || !band->colour || !band->face) return false;
  }
  return true;
}

static void give_bands(painting *p) {
  size_t samples = samples_of(p->picture);
  for (uint32_t k = 0; k < p->workers; k++) {
    TH_GIVE(&p->def->drawn->allocator, p->band[k].key, samples);
    TH_GIVE(&p->def->drawn->allocator, p->band[k].colour, samples);
    TH_GIVE(&p->def->drawn->allocator, p->band[k].face, samples);
  }
}

static th_result paint(painting *p, th_error *error) {
  th_pool *pool = NULL;
  /* visible faces are marked in one array: then one worker only */
  th_result result = TH_OK;
  if (!p->def->seen) result = th_pool_make(&p->def->drawn->def->env, 0, &pool, error);
  if (result == TH_OK && th_pool_workers(pool) > MAX_BANDS) {
    th_pool_free(pool);
    pool = NULL;
    result = th_pool_make(&p->def->drawn->def->env, MAX_BANDS, &pool, error);
  }
  if (result != TH_OK) return result;
  p->workers = th_pool_workers(pool);
  if (p->workers > MAX_BANDS) { /* a host with its own threads may have any number */
    th_pool_free(pool);
    pool = NULL;
    p->workers = 1;
  }
  result = take_bands(p) ? TH_OK : th_fail_memory(error, "figure");
  if (result == TH_OK) th_parallel_for(pool, p->picture->height, BAND, paint_band, p);
  give_bands(p);
  th_pool_free(pool);
  return result;
}

th_result th_render_image_make(const th_render_image_def *def, th_render_image *picture, th_error *error) {
  const th_allocator *allocator = &def->drawn->allocator;
  *picture = (th_render_image){.density = def->density};
  picture->width = (uint32_t)ceil(def->width * def->density);
  picture->height = (uint32_t)ceil(def->height * def->density);
  size_t pixels = (size_t)picture->width * picture->height;
  picture->colour = TH_TAKE(allocator, uint32_t, pixels);
  picture->depth = TH_TAKE(allocator, float, pixels);
  picture->dim = TH_TAKE(allocator, uint8_t, pixels);
  picture->seen = TH_TAKE(allocator, uint8_t, def->drawn->faces);
  painting p = {.def = def, .picture = picture, .eye = *def->eye};
  double fine = FINE * def->density;
  p.eye.scale *= fine, p.eye.x *= fine, p.eye.y *= fine;
  th_result result = TH_OK;
  if (!picture->colour || !picture->depth || !picture->dim || !picture->seen) result = th_fail_memory(error, "figure");
  if (result == TH_OK && def->cache && !def->seen && open_still(def->cache, &p)) p.cache = def->cache;
  if (result == TH_OK) result = paint(&p, error);
  if (result == TH_OK && p.cache) p.cache->ready = true;
  if (result == TH_OK) result = darken(def, picture, error);
  if (result != TH_OK) th_render_image_free(def->drawn, picture);
  return result;
}

bool th_render_image_shows(const th_render_image *picture, double x, double y, double depth) {
  double i = floor(x * picture->density), j = floor(y * picture->density);
  if (!(i >= 0.0 && j >= 0.0 && i < picture->width && j < picture->height)) return false;
  return depth <= (double)picture->depth[(size_t)j * picture->width + (size_t)i];
}
