/* tests/support/plan_scene.h - a random plan (support/random_plan.h) with a random crowd as a scene.
 *
 * Three kinds of crowd: all leave by the nearest exit; each room has an exit of its own, so that streams cross and meet
 * in doors; two rooms change places, through the same doors, while the others leave. The same plan becomes flat ground,
 * without its upper floor, or a mesh.
 */
#ifndef TH_TESTS_SUPPORT_PLAN_SCENE_H
#define TH_TESTS_SUPPORT_PLAN_SCENE_H

#include <stdio.h>
#include <stdlib.h>

#include "support/random_plan.h"

enum { PLAN_LEAVE, PLAN_OWN_EXITS, PLAN_SWAP };

typedef struct plan_scene_def {
  bool mesh;
  const char *model, *field; /* NULL = what the program takes */
  double duration;           /* [s] */
} plan_scene_def;

typedef struct plan_crowd {
  uint32_t kind, people, floors;
  uint32_t count[2][PLAN_ROOMS];
  uint32_t floor[2], room[2]; /* that change places */
  plan_rect goal[2];          /* in these */
} plan_crowd;

/* ---------------------------------------------------------------- who goes where */

static inline uint32_t plan_capacity(const plan_room *room) { return (uint32_t)(1.3 * fmax(0.0, room->free)); }

/* Shares people out by free area, over some of the rooms if these suffice. */
static inline void plan_fill_rooms(random_plan *p, plan_crowd *c) {
  bool used[2][PLAN_ROOMS];
  uint32_t some = 0, all = 0;
  for (uint32_t f = 0; f < c->floors; f++)
    for (uint32_t k = 0; k < p->floor[f].rooms; k++) {
      const plan_room *room = &p->floor[f].room[k];
      used[f][k] = plan_chance(p, room->corridor ? 0.2 : 0.75);
      all += plan_capacity(room), some += used[f][k] ? plan_capacity(room) : 0;
    }
  const bool enough = some >= p->people;
  const double part = fmin(1.0, (double)p->people / (enough ? some : all));
  for (uint32_t f = 0; f < c->floors; f++)
    for (uint32_t k = 0; k < p->floor[f].rooms; k++) {
      if (enough && !used[f][k]) continue;
      c->count[f][k] = (uint32_t)(part * plan_capacity(&p->floor[f].room[k]) + 0.5);
      c->people += c->count[f][k];
    }
}

/* A square in a room where nothing stands. */
static inline bool plan_find_goal(random_plan *p, uint32_t f, uint32_t k, plan_rect *goal) {
  const plan_rect *r = &p->floor[f].room[k].at;
  for (uint32_t n = 0; n < 60; n++) {
    if (r->x1 - r->x0 < 2.0 || r->y1 - r->y0 < 2.0) return false;
    const double x = plan_in(p, r->x0 + 0.4, r->x1 - 1.6), y = plan_in(p, r->y0 + 0.4, r->y1 - 1.6);
    *goal = (plan_rect){x, y, x + 1.2, y + 1.2};
    bool open = true;
    for (uint32_t s = 0; s < p->floor[f].solids && open; s++) open = !plan_meet(&p->floor[f].solid[s].at, goal, 0.3);
    if (open) return true;
  }
  return false;
}

/* The fullest room of each floor, or the two fullest of one. */
static inline bool plan_choose_pair(random_plan *p, plan_crowd *c) {
  for (uint32_t n = 0; n < 2; n++) {
    uint32_t most = 0;
    for (uint32_t f = 0; f < c->floors; f++)
      for (uint32_t k = 0; k < p->floor[f].rooms; k++) {
        const bool other = n == 0 || (c->floors == 2 ? f != c->floor[0] : k != c->room[0]);
        if (!other || c->count[f][k] <= most) continue;
        most = c->count[f][k], c->floor[n] = f, c->room[n] = k;
      }
    if (!most || !plan_find_goal(p, c->floor[n], c->room[n], &c->goal[n])) return false;
  }
  return true;
}

static inline plan_crowd plan_crowd_make(random_plan *p, bool mesh) {
  plan_crowd c = {.floors = mesh ? p->floors : 1};
  const double kind = plan_in(p, 0.0, 1.0);
  plan_fill_rooms(p, &c);
  c.kind = kind < 0.45 ? PLAN_LEAVE : kind < 0.75 ? PLAN_OWN_EXITS : PLAN_SWAP;
  if (c.kind == PLAN_SWAP && !plan_choose_pair(p, &c)) c.kind = PLAN_LEAVE;
  return c;
}

/* The narrowest door counts as the exit, for everybody may have to pass it [m]. */
static inline double plan_exit_width(const random_plan *p, bool mesh) {
  double width = p->floor[0].narrowest;
  if (mesh && p->floors == 2) width = fmin(width, p->floor[1].narrowest);
  for (uint32_t k = 0; mesh && k < p->flights; k++) width = fmin(width, p->flight[k].at.y1 - p->flight[k].at.y0);
  return width;
}

/* ---------------------------------------------------------------- text */

static inline void plan_write_point(FILE *out, const random_plan *p, double x, double y) {
  double to[2];
  random_plan_place(p, x, y, to);
  fprintf(out, "[%.4f, %.4f]", to[0], to[1]);
}

static inline void plan_write_rect(FILE *out, const random_plan *p, const plan_rect *r, bool round) {
  const double cut = round ? 0.2929 : 0.0, w = cut * (r->x1 - r->x0), h = cut * (r->y1 - r->y0);
  const double x[8] = {r->x0 + w, r->x1 - w, r->x1, r->x1, r->x1 - w, r->x0 + w, r->x0, r->x0};
  const double y[8] = {r->y0, r->y0, r->y0 + h, r->y1 - h, r->y1, r->y1, r->y1 - h, r->y0 + h};
  fprintf(out, "\"polygon\": [");
  for (uint32_t k = 0; k < 8; k += round ? 1 : 2) { /* without a cut two corners each are one */
    if (k) fprintf(out, ", ");
    plan_write_point(out, p, x[k], y[k]);
  }
  fprintf(out, "]");
}

static inline void plan_write_floor(FILE *out, const random_plan *p, const plan_floor *f) {
  fprintf(out, "\"outline\": [");
  for (uint32_t k = 0; k < f->outlines; k++) {
    fprintf(out, k ? ",\n    {" : "{");
    plan_write_rect(out, p, &f->outline[k], false);
    fprintf(out, "}");
  }
  fprintf(out, "],\n    \"obstacles\": [");
  for (uint32_t k = 0; k < f->solids; k++) {
    fprintf(out, k ? ",\n    {" : "{");
    plan_write_rect(out, p, &f->solid[k].at, f->solid[k].round);
    fprintf(out, "}");
  }
  fprintf(out, "]");
}

static inline void plan_write_flights(FILE *out, const random_plan *p, bool ramps) {
  fprintf(out, ",\n    \"%s\": [", ramps ? "ramps" : "stairs");
  bool any = false;
  for (uint32_t k = 0; k < p->flights; k++) {
    const plan_rect *r = &p->flight[k].at;
    if (p->flight[k].ramp != ramps) continue;
    fprintf(out, "%s{\"from\": 1, \"to\": 2, \"foot\": [", any ? ", " : "");
    plan_write_point(out, p, r->x0, r->y0), fprintf(out, ", "), plan_write_point(out, p, r->x0, r->y1);
    fprintf(out, "], \"head\": [");
    plan_write_point(out, p, r->x1, r->y0), fprintf(out, ", "), plan_write_point(out, p, r->x1, r->y1);
    fprintf(out, "]}");
    any = true;
  }
  fprintf(out, "]");
}

static inline void plan_write_ground(FILE *out, const random_plan *p, bool mesh) {
  fprintf(out, "  \"ground\": {");
  if (mesh) fprintf(out, "\"mesh\": {\"building\": {\"levels\": [");
  for (uint32_t k = 0; k < (mesh ? p->floors : 1); k++) {
    if (mesh) fprintf(out, "%s{\"number\": %u, \"z\": %g, ", k ? ",\n    " : "", k + 1, 3.0 * k);
    plan_write_floor(out, p, &p->floor[k]);
    if (mesh) fprintf(out, "}");
  }
  if (mesh) fprintf(out, "]");
  if (mesh && p->flights) plan_write_flights(out, p, false), plan_write_flights(out, p, true);
  fprintf(out, mesh ? "}}},\n" : "},\n");
}

static inline void plan_write_end_of_goal(FILE *out, const plan_scene_def *def, uint32_t level) {
  if (def->mesh) fprintf(out, ", \"level\": %u", level);
  if (def->field) fprintf(out, ", \"field\": \"%s\"", def->field);
  fprintf(out, ", \"sink\": true}");
}

static inline void plan_write_exit(FILE *out, const random_plan *p, const plan_exit *e) {
  const plan_rect *r = &e->outside;
  const double x = 0.5 * (r->x0 + r->x1), y = 0.5 * (r->y0 + r->y1);
  fprintf(out, "[");
  plan_write_point(out, p, e->across ? x : r->x0 + 0.5, e->across ? r->y0 + 0.5 : y), fprintf(out, ", ");
  plan_write_point(out, p, e->across ? x : r->x1 - 0.5, e->across ? r->y1 - 0.5 : y), fprintf(out, "]");
}

static inline void plan_write_goals(FILE *out, const random_plan *p, const plan_crowd *c, const plan_scene_def *def) {
  fprintf(out, "  \"goals\": [");
  if (c->kind != PLAN_OWN_EXITS) {
    fprintf(out, "{\"name\": \"out\", \"lines\": [");
    for (uint32_t k = 0; k < p->exits; k++) fprintf(out, k ? ", " : ""), plan_write_exit(out, p, &p->exit[k]);
    fprintf(out, "]");
    plan_write_end_of_goal(out, def, 1);
  }
  for (uint32_t k = 0; c->kind == PLAN_OWN_EXITS && k < p->exits; k++) {
    fprintf(out, "%s{\"name\": \"out %u\", \"line\": ", k ? ",\n    " : "", k);
    plan_write_exit(out, p, &p->exit[k]);
    plan_write_end_of_goal(out, def, 1);
  }
  for (uint32_t n = 0; c->kind == PLAN_SWAP && n < 2; n++) {
    fprintf(out, ",\n    {\"name\": \"swap %u\", ", n);
    plan_write_rect(out, p, &c->goal[n], false);
    plan_write_end_of_goal(out, def, c->floor[n] + 1);
  }
  fprintf(out, "],\n");
}

static inline void plan_write_route(FILE *out, random_plan *p, const plan_crowd *c, uint32_t f, uint32_t k) {
  const bool swaps[2] = {f == c->floor[0] && k == c->room[0], f == c->floor[1] && k == c->room[1]};
  if (c->kind == PLAN_SWAP && (swaps[0] || swaps[1]))
    fprintf(out, "[\"swap %u\"]", swaps[0] ? 1 : 0);
  else if (c->kind == PLAN_OWN_EXITS)
    fprintf(out, "[\"out %u\"]", (uint32_t)plan_in(p, 0.0, p->exits));
  else
    fprintf(out, "[\"out\"]");
}

static inline void plan_write_crowd(FILE *out, random_plan *p, const plan_crowd *c, const plan_scene_def *def) {
  bool any = false;
  fprintf(out, "  \"populations\": [");
  for (uint32_t f = 0; f < c->floors; f++)
    for (uint32_t k = 0; k < p->floor[f].rooms; k++) {
      if (!c->count[f][k]) continue;
      fprintf(out, "%s{\"name\": \"%u.%u\", \"count\": %u, \"region\": {", any ? ",\n    " : "", f + 1, k,
              c->count[f][k]);
      plan_write_rect(out, p, &p->floor[f].room[k].at, false);
      if (def->mesh) fprintf(out, ", \"level\": %u", f + 1);
      fprintf(out, "}, \"route\": ");
      plan_write_route(out, p, c, f, k);
      if (def->model) fprintf(out, ", \"model\": \"%s\"", def->model);
      fprintf(out, ", \"speed\": {\"mean\": 1.3, \"spread\": 0.2}}");
      any = true;
    }
  fprintf(out, "],\n");
}

/* The scene of a seed, to be freed; NULL when out of memory. `crowd` may be NULL. */
static inline char *plan_scene_text(uint64_t seed, const plan_scene_def *def, plan_crowd *crowd, double *exit_width) {
  static const char *const kinds[] = {"all leave by the nearest exit", "each room has an exit of its own",
                                      "two rooms change places, the others leave"};
  char *text = NULL;
  size_t size = 0;
  random_plan *p = malloc(sizeof *p);
  FILE *out = p ? open_memstream(&text, &size) : NULL;
  if (out) {
    random_plan_make(p, seed);
    const plan_crowd c = plan_crowd_make(p, def->mesh);
    if (crowd) *crowd = c;
    if (exit_width) *exit_width = plan_exit_width(p, def->mesh);
    fprintf(out, "{\n  \"version\": 1,\n  \"name\": \"plan-%llu\",\n", (unsigned long long)seed);
    fprintf(out, "  \"description\": \"Random plan %llu: %s.\",\n", (unsigned long long)seed, kinds[c.kind]);
    plan_write_ground(out, p, def->mesh);
    plan_write_goals(out, p, &c, def);
    plan_write_crowd(out, p, &c, def);
    fprintf(out, "  \"duration\": %.1f,\n  \"expect\": {\"arrived\": %u, \"lost\": 0}\n}\n", def->duration, c.people);
    fclose(out);
  }
  free(p);
  return text;
}

#endif
