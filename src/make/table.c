/* make/table.c - surfaces by name and parameters.
 *
 * One table holds the parameters of all shapes, so that scenes, the command line and documentation read it like those
 * of models; one function per shape translates them for its generator. Numbers of cells follow from lengths and the
 * edge. Cost: that of the generator, linear in faces for all but statue and sieve.
 */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "base/trig.h"
#include "make/shapes.h"
#include "throng/make.h"
#include "throng/param.h"

static const char *const shape_names[] = {"plane", "terrain", "planet", "torus", "tube", "costa",
                                          "house", "statue",  "sieve",  "car",   NULL};

#define P(name, type, unit, min, max, initial, text) \
  { #name, type, offsetof(th_make_params, name), unit, min, max, initial, text, NULL }
static const th_param table[] = {
    {"shape", TH_PARAM_ENUM, offsetof(th_make_params, shape), "", 0, 9, TH_MAKE_SHAPE_PLANET, "what is made",
     shape_names},
    P(length, TH_PARAM_FLOAT, "m", 0.1, 1e5, 40, "of a plane, a terrain or a tube"),
    P(width, TH_PARAM_FLOAT, "m", 0.1, 1e5, 40, "of a plane or a terrain"),
    P(edge, TH_PARAM_FLOAT, "m", 0.01, 1e4, 1, "of the triangles of a plane, terrain, torus or tube"),
    P(height, TH_PARAM_FLOAT, "m", 0, 1e4, 2, "of a terrain's hills above its valleys"),
    P(wave, TH_PARAM_FLOAT, "m", 0.1, 1e5, 20, "from hill to hill of a terrain"),
    P(radius, TH_PARAM_FLOAT, "m", 0.01, 1e6, 10, "of a planet, of a torus' tube, of a tube"),
    P(large, TH_PARAM_FLOAT, "m", 0.01, 1e6, 30, "radius of a torus' circle"),
    P(bumps, TH_PARAM_FLOAT, "", 0, 0.49, 0, "waves of a planet as a share of its radius"),
    P(end_radius, TH_PARAM_FLOAT, "m", 0, 1e6, 0, "of a tube's upper end; 0 = as its radius"),
    P(bend, TH_PARAM_FLOAT, "m", 0, 1e5, 0, "shifts a tube's axis sideways along a sine of this amplitude"),
    P(level, TH_PARAM_INT, "", 0, 9, 5, "of a planet: 20 * 4^level faces"),
    P(detail, TH_PARAM_INT, "", 0, 400, 0, "parts of 0.5 m of the house (default 2); of Costa's surface (default 36)"),
    P(faces, TH_PARAM_INT, "", 100, 4000000, 10000, "of a statue or a sieve; even"),
    P(genus, TH_PARAM_INT, "", 0, 60, 0, "handles of a statue (at most 12), holes of a sieve"),
    P(scale, TH_PARAM_FLOAT, "", 1e-3, 1e4, 1, "of all lengths"),
    P(noise, TH_PARAM_FLOAT, "", 0, 0.43, 0, "moves vertices along the surface by up to this share of an edge"),
    P(seed, TH_PARAM_INT, "", 1, 2147483647, 1, "of the noise"),
    P(inside, TH_PARAM_BOOL, "", 0, 1, 0, "agents walk on the inner side of a tube"),
    P(face_limit, TH_PARAM_INT, "", 1, 1e8, 1e6, "more faces are refused before anything is made"),
};

const th_param *th_make_table(uint32_t *count) {
  *count = sizeof table / sizeof *table;
  return table;
}

th_make_params th_default_make_params(void) {
  th_make_params params = {.shape = 0};
  th_param_defaults(table, sizeof table / sizeof *table, &params);
  return params;
}

static uint32_t cells(float length, float edge) {
  double n = floor((double)length / (double)edge + 0.5);
  return n < 1 ? 1 : (uint32_t)n;
}

static void plane(th_soup *soup, const th_make_params *p) {
  uint32_t columns = cells(p->length, p->edge), rows = cells(p->width, p->edge);
  th_make_plane(soup, columns, rows, (double)p->length / columns, (double)p->width / rows);
}

/* Two waves of different length and direction: hills that do not repeat within a few of them. */
static double hills(void *user, double x, double y) {
  const th_make_params *p = user;
  double k = 2.0 * TH_PI_DOUBLE / (double)p->wave;
  double wave = th_sin_double(k * x) * th_sin_double(k * y) + 0.5 * th_sin_double(k * (0.53 * x + 0.41 * y) + 1.0);
  return (double)p->height * (0.5 + wave / 3.0);
}

static void torus(th_soup *soup, const th_make_params *p) {
  float turn = 2.0f * (float)TH_PI_DOUBLE;
  uint32_t around = cells(turn * p->radius, p->edge), along = cells(turn * p->large, p->edge);
  th_make_torus(soup, around < 3 ? 3 : around, along < 3 ? 3 : along, (double)p->large, (double)p->radius);
}

static void tube(th_soup *soup, const th_make_params *p) {
  float high = p->end_radius > 0.0f ? p->end_radius : p->radius, widest = high > p->radius ? high : p->radius;
  uint32_t around = cells(2.0f * (float)TH_PI_DOUBLE * widest, p->edge), along = cells(p->length, p->edge);
  th_make_pipe pipe = {around < 3 ? 3 : around, along,    (double)p->length, (double)p->radius, (double)high,
                       (double)p->bend,         p->inside};
  th_make_tube(soup, &pipe);
}

static th_result generate(th_soup *soup, const th_make_params *p, th_error *error) {
  uint32_t detail = (uint32_t)p->detail;
  switch (p->shape) {
    case TH_MAKE_SHAPE_PLANE:
      plane(soup, p);
      return TH_OK;
    case TH_MAKE_SHAPE_TERRAIN: {
      th_make_params own = *p;
      plane(soup, p);
      th_make_terrain(soup, hills, &own);
      return TH_OK;
    }
    case TH_MAKE_SHAPE_PLANET:
      return th_make_icosphere(soup, (uint32_t)p->level, (double)p->radius, (double)p->bumps, error);
    case TH_MAKE_SHAPE_TORUS:
      torus(soup, p);
      return TH_OK;
    case TH_MAKE_SHAPE_TUBE:
      tube(soup, p);
      return TH_OK;
    case TH_MAKE_SHAPE_COSTA:
      th_make_costa(soup, detail ? detail : 36, 10.0);
      return TH_OK;
    case TH_MAKE_SHAPE_HOUSE:
      th_make_house(soup, detail ? detail : 2);
      return TH_OK;
    case TH_MAKE_SHAPE_STATUE:
      return th_make_statue(soup, (uint32_t)p->genus, (uint32_t)p->faces, error);
    case TH_MAKE_SHAPE_SIEVE:
      return th_make_sieve(soup, (uint32_t)p->genus, (uint32_t)p->faces, error);
    default:
      th_make_car(soup);
      return TH_OK;
  }
}

static th_result check(const th_make_params *p, th_error *error) {
  th_result result = th_param_check(table, sizeof table / sizeof *table, p, error);
  if (result != TH_OK) return result;
  double area = (double)p->edge * (double)p->edge, faces = p->faces;
  if (p->shape == TH_MAKE_SHAPE_PLANET) faces = 20.0 * (double)(1u << 2 * p->level);
  if (p->shape <= TH_MAKE_SHAPE_TERRAIN) faces = 2.0 * (double)p->length * (double)p->width / area;
  if (p->shape == TH_MAKE_SHAPE_TORUS)
    faces = 8.0 * TH_PI_DOUBLE * TH_PI_DOUBLE * (double)p->radius * (double)p->large / area;
  if (p->shape == TH_MAKE_SHAPE_TUBE)
    faces = 4.0 * TH_PI_DOUBLE * (double)fmaxf(p->radius, p->end_radius) * (double)p->length / area;
  if (faces > (double)p->face_limit)
    return th_fail(error, TH_ERROR_CAPACITY, "face_limit",
                   "expected at most %d faces (face_limit), found a size with edges of %g m that makes %.3g",
                   p->face_limit, (double)p->edge, faces);
  if ((p->shape == TH_MAKE_SHAPE_STATUE || p->shape == TH_MAKE_SHAPE_SIEVE) && p->faces % 2)
    return th_fail(error, TH_ERROR_RANGE, "faces", "expected an even number for a closed surface, found %d", p->faces);
  if (p->shape == TH_MAKE_SHAPE_STATUE && p->genus > 12)
    return th_fail(error, TH_ERROR_RANGE, "genus", "expected at most 12 handles of a statue, found %d", p->genus);
  return TH_OK;
}

th_result th_mesh_generate(const th_make_params *params, th_mesh *mesh, th_error *error) {
  *mesh = (th_mesh){0};
  th_result result = check(params, error);
  if (result != TH_OK) return result;
  th_soup soup = th_soup_begin(&params->env);
  result = generate(&soup, params, error);
  if (result == TH_OK && params->noise > 0.0f)
    result = th_soup_shake(&soup, (double)params->noise, (uint64_t)params->seed, error);
  if (result != TH_OK) {
    th_soup_free(&soup);
    return result;
  }
  if (params->scale != 1.0f)
    for (uint32_t v = 0; v < soup.vertex_count; v++)
      for (int k = 0; k < 3; k++) soup.xyz[v][k] *= (double)params->scale;
  return th_soup_mesh(&soup, mesh, error);
}
