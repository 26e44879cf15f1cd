/* io/plan/scene.c - a plan becomes a scene to go on with.
 *
 * Layers get roles, by the names that are given or by the words that layers usually have. Rings of the outline are
 * walkable, their holes and the rings of obstacles are solid, and a line is as thick as asked. Floats resolve a body
 * near 0 only, so a plan in coordinates of a country is moved there. A drawing in millimetres looks like one of
 * kilometres: a size that no building has is refused until a unit is named. Coordinates are rounded to 0.1 mm, so that
 * the same hall gives the same scene from every format. Cost: O(points), and the joining of lines.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "io/json.h"
#include "io/plan/rings.h"
#include "io/text.h"

#define FAR 1e4 /* [m]; floats are 1 mm apart there */

typedef enum role { OUTLINE, OBSTACLES, DOORS, EXITS, ROLES } role;

typedef struct maker {
  const th_plan_def *def;
  const th_plan *plan; /* rings, in metres */
  th_plan_made *made;
  json_t *outline, *obstacles, *doors, *goals, *lines; /* lines: of the goal that has them all */
} maker;

th_plan_def th_default_plan_def(void) { return (th_plan_def){.name = "plan", .thickness = 0.2}; }

/* ---------------------------------------------------------------- roles */

static bool has_word(const char *name, const char *word) {
  for (; *name; name++)
    if (th_letters_begin(name, word)) return true;
  return false;
}

/* Is it one of "WALLS+COLUMNS"? */
static bool is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list;; at++) {
    const size_t n = strcspn(at, "+");
    if (n == length && strncmp(at, name, n) == 0) return true;
    at += n;
    if (!*at) return false;
  }
}

static role role_of(const th_plan_def *def, const char *layer) {
  static const char *const words[ROLES][4] = {
      {"outline", "boundary", "floor", NULL}, {"obstacle", "wall", "column", "pillar"}, {"door"}, {"exit", "goal"}};
  const char *const listed[ROLES] = {def->outline, def->obstacles, def->doors, def->exits};
  for (int r = 0; r < ROLES; r++)
    if (listed[r] && is_listed(listed[r], layer)) return (role)r;
  for (int r = 0; r < ROLES; r++)
    for (int k = 0; k < 4 && !listed[r] && words[r][k]; k++)
      if (has_word(layer, words[r][k])) return (role)r;
  return ROLES;
}

/* "A" (3 rings, 12 lines), "B" ... */
static th_result no_outline(const th_plan *plan, th_error *error) {
  char list[300];
  size_t length = 0;
  list[0] = 0;
  for (uint32_t i = 0; i < plan->layer_count && length < sizeof list - 100; i++) {
    const th_plan_layer *layer = &plan->layer[i];
    length += (size_t)snprintf(list + length, sizeof list - length, "%s\"%s\" (%u rings, %u lines)", i ? ", " : "",
                               layer->name, layer->rings, layer->lines);
  }
  return th_fail(error, TH_ERROR_GEOMETRY, "plan", "expected a layer with the outline among %s", list);
}

static th_result check_listed(const th_plan *plan, const th_plan_def *def, th_error *error) {
  const char *const listed[ROLES] = {def->outline, def->obstacles, def->doors, def->exits};
  for (int r = 0; r < ROLES; r++) {
    for (const char *at = listed[r]; at && *at; at += strcspn(at, "+"), at += *at == '+') {
      bool found = false;
      const int n = (int)strcspn(at, "+");
      for (uint32_t i = 0; i < plan->layer_count && !found; i++)
        found = strlen(plan->layer[i].name) == (size_t)n && strncmp(plan->layer[i].name, at, (size_t)n) == 0;
      if (!found) return th_fail(error, TH_ERROR_RANGE, "plan", "expected the name of a layer, found \"%.*s\"", n, at);
    }
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- shapes */

static json_t *pair(const maker *m, th_plan_point p) {
  const double x = round((p.x + m->made->moved[0]) * 1e4) / 1e4, y = round((p.y + m->made->moved[1]) * 1e4) / 1e4;
  return json_pack("[f, f]", x + 0.0, y + 0.0); /* never -0 */
}

static json_t *points(const maker *m, const th_plan_shape *shape) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < shape->count; k++) json_array_append_new(list, pair(m, m->plan->point[shape->first + k]));
  return list;
}

static json_t *named(const char *word, uint32_t number, json_t *object) {
  char name[32];
  snprintf(name, sizeof name, "%s %u", word, number);
  json_object_set_new(object, "name", json_string(name));
  return object;
}

/* The rectangle around a piece of a line, longer by half its thickness at both ends so that corners are filled. */
static json_t *strip(const maker *m, th_plan_point a, th_plan_point b) {
  const double half = 0.5 * m->def->thickness, length = hypot(b.x - a.x, b.y - a.y);
  const double dx = half * (b.x - a.x) / length, dy = half * (b.y - a.y) / length;
  const th_plan_point corner[4] = {{a.x - dx + dy, a.y - dy - dx},
                                   {b.x + dx + dy, b.y + dy - dx},
                                   {b.x + dx - dy, b.y + dy + dx},
                                   {a.x - dx - dy, a.y - dy + dx}};
  json_t *list = json_array();
  for (int k = 0; k < 4; k++) json_array_append_new(list, pair(m, corner[k]));
  return json_pack("{s:o}", "polygon", list);
}

static void add_solid(maker *m, const th_plan_shape *shape, json_t *list, const char *word, uint32_t *count) {
  const uint32_t pieces = shape->closed ? 1 : shape->count - 1;
  for (uint32_t k = 0; k < pieces; k++) {
    const th_plan_point *p = &m->plan->point[shape->first + k];
    json_t *area = shape->closed ? json_pack("{s:o}", "polygon", points(m, shape)) : strip(m, p[0], p[1]);
    *count += 1;
    json_array_append_new(list, word ? named(word, *count, area) : area);
  }
}

static void add_exit(maker *m, const th_plan_shape *shape) {
  m->made->exits++;
  if (shape->closed) {
    json_t *goal = named("exit", m->made->exits, json_object());
    json_object_set_new(goal, "polygon", points(m, shape));
    json_object_set_new(goal, "sink", json_true());
    json_array_append_new(m->goals, goal);
    return;
  }
  for (uint32_t k = 0; k + 1 < shape->count; k++) {
    const th_plan_point *p = &m->plan->point[shape->first + k];
    json_array_append_new(m->lines, json_pack("[o, o]", pair(m, p[0]), pair(m, p[1])));
  }
}

static void add_outline(maker *m, const th_plan_shape *shape) {
  if (shape->hole) {
    add_solid(m, shape, m->obstacles, NULL, &m->made->obstacles);
    return;
  }
  m->made->outlines++;
  json_array_append_new(m->outline, json_pack("{s:o}", "polygon", points(m, shape)));
}

static void add_shape(maker *m, const th_plan_shape *shape) {
  const role is = role_of(m->def, m->plan->layer[shape->layer].name);
  if (is == OUTLINE) add_outline(m, shape);
  if (is == OBSTACLES && shape->hole) m->made->filled++;
  if (is == OBSTACLES && !shape->hole) add_solid(m, shape, m->obstacles, NULL, &m->made->obstacles);
  if (is == DOORS) add_solid(m, shape, m->doors, "door", &m->made->doors);
  if (is == EXITS) add_exit(m, shape);
}

/* ---------------------------------------------------------------- the whole */

static th_result not_closed(const th_plan *plan, const th_plan_shape *shape, th_error *error) {
  const th_plan_point a = plan->point[shape->first], b = plan->point[shape->first + shape->count - 1];
  return th_fail(error, TH_ERROR_GEOMETRY, "plan",
                 "expected an outline that is closed, found a line in \"%s\" with its ends at %g, %g and %g, %g m",
                 plan->layer[shape->layer].name, a.x, a.y, b.x, b.y);
}

/* Where the outline lies, and whether people fit into it. */
static th_result measure(maker *m, th_error *error) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (uint32_t i = 0; i < m->plan->shape_count; i++) {
    const th_plan_shape *shape = &m->plan->shape[i];
    if (role_of(m->def, m->plan->layer[shape->layer].name) != OUTLINE) continue;
    if (!shape->closed) return not_closed(m->plan, shape, error);
    for (uint32_t k = shape->first; k < shape->first + shape->count; k++) {
      const th_plan_point p = m->plan->point[k];
      low[0] = fmin(low[0], p.x), low[1] = fmin(low[1], p.y);
      high[0] = fmax(high[0], p.x), high[1] = fmax(high[1], p.y);
    }
  }
  if (!isfinite(low[0])) return no_outline(m->plan, error);
  const double far = fmax(fmax(fabs(low[0]), fabs(low[1])), fmax(fabs(high[0]), fabs(high[1])));
  for (int k = 0; k < 2; k++) {
    m->made->size[k] = high[k] - low[k];
    m->made->moved[k] = far > FAR ? -floor(low[k]) : 0.0;
  }
  const double least = fmin(m->made->size[0], m->made->size[1]), most = fmax(m->made->size[0], m->made->size[1]);
  if (m->def->unit == 0.0 && (least < 2.0 || most > 2000.0))
    return th_fail(error, TH_ERROR_RANGE, "unit", "expected a unit for an outline of %g x %g, which are no metres",
                   m->made->size[0], m->made->size[1]);
  if (most > 1e5) return th_fail(error, TH_ERROR_RANGE, "unit", "expected an outline below 100 km, found %g m", most);
  return TH_OK;
}

static json_t *scene(maker *m) {
  char moved[120] = "";
  if (m->made->moved[0] != 0.0 || m->made->moved[1] != 0.0)
    snprintf(moved, sizeof moved, " Moved by %.0f, %.0f m.", m->made->moved[0], m->made->moved[1]);
  json_t *ground = json_pack("{s:O}", "outline", m->outline),
         *root = json_pack("{s:i, s:s}", "version", 1, "name", m->def->name);
  char text[200];
  snprintf(text, sizeof text, "Made from a plan.%s", moved);
  json_object_set_new(root, "description", json_string(text));
  if (m->made->obstacles) json_object_set(ground, "obstacles", m->obstacles);
  if (m->made->doors) json_object_set(ground, "doors", m->doors);
  json_object_set_new(root, "ground", ground);
  if (json_array_size(m->lines))
    json_array_insert_new(m->goals, 0, json_pack("{s:s, s:O, s:b}", "name", "exits", "lines", m->lines, "sink", 1));
  if (!m->made->exits) return root;
  json_object_set(root, "goals", m->goals);
  const char *first = json_string_value(json_object_get(json_array_get(m->goals, 0), "name"));
  json_object_set_new(root, "populations",
                      json_pack("[{s:s, s:i, s:{s:b}, s:[s]}]", "name", "people", "count", 50, "region", "everywhere",
                                1, "route", first));
  json_object_set_new(root, "duration", json_integer(300));
  return root;
}

static char *laid_out(const th_plan *plan, const json_t *root) {
  char *line = th_text_of_json(&plan->env.allocator, root, JSON_REAL_PRECISION(12));
  th_text text = {.allocator = plan->env.allocator};
  if (line) th_json_layout(&text, line);
  th_text_free(line);
  return line ? th_text_finish(&text) : NULL;
}

static th_result make(maker *m, char **text, th_error *error) {
  th_result result = measure(m, error);
  for (uint32_t i = 0; i < m->plan->shape_count && !result; i++) add_shape(m, &m->plan->shape[i]);
  if (!result && m->made->outlines == 0) result = no_outline(m->plan, error);
  if (result) return result;
  json_t *root = scene(m);
  *text = laid_out(m->plan, root);
  json_decref(root);
  return *text ? TH_OK : th_fail_memory(error, "plan");
}

th_result th_plan_scene(const th_plan *plan, const th_plan_def *def, char **text, th_plan_made *made, th_error *error) {
  th_plan rings;
  *made = (th_plan_made){0};
  if (!(def->thickness >= 0.01 && def->thickness <= 10.0))
    return th_fail(error, TH_ERROR_RANGE, "thickness", "expected 0.01 to 10 m, found %g", def->thickness);
  if (!(def->unit >= 0.0 && def->unit <= 1e6))
    return th_fail(error, TH_ERROR_RANGE, "unit", "expected 0 to 1e6 m, found %g", def->unit);
  th_result result = check_listed(plan, def, error);
  if (!result) result = th_rings_make(plan, def->unit > 0.0 ? def->unit : 1.0, &rings, &made->dropped, error);
  if (result) return result;
  maker m = {def, &rings, made, json_array(), json_array(), json_array(), json_array(), json_array()};
  result = make(&m, text, error);
  json_decref(m.outline), json_decref(m.obstacles), json_decref(m.doors), json_decref(m.goals), json_decref(m.lines);
  th_plan_free(&rings);
  return result;
}
