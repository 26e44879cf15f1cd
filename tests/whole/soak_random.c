/* tests/whole/soak_random.c - random worlds, one after the other, looked at from outside.
 *
 *   soak_random [--from SEED] [--count N] [--seconds S] [--state FILE]
 *
 * After every step: numbers are finite; nobody stands in a wall, off the ground, or farther away than it can have
 * walked; nobody has crossed a wall. Walls are those of support/random_world.h, crossings those of
 * support/wall_check.h, points on meshes are made of the corners of the face: none of it asks the library. On the way
 * worlds are saved, walked on and restored, and every fourth has a twin with two workers and four lanes that must have
 * the same bits. Each world runs in a process of its own, so that a crash or an endless loop is the fault of one seed;
 * the next seed goes on, and FILE holds where. `./dev soak` is this program.
 */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/random_world.h"

enum { STEPS = 240, LIMIT = 300, TWINS = 4, SAVES = 60, AHEAD = 5, MOST = 4096 };

static uint64_t seed_now;
static char what_now[160];

#define FAULT(...)                                                                         \
  do {                                                                                     \
    printf("seed %llu (%s): ", (unsigned long long)seed_now, what_now);                    \
    printf(__VA_ARGS__);                                                                   \
    printf("\n  again: ./dev soak --from %llu --count 1\n", (unsigned long long)seed_now); \
    fflush(stdout);                                                                        \
    _exit(1);                                                                              \
  } while (0)

/* Where everybody was after the step before, by index of the id. */
typedef struct was {
  uint32_t generation;
  th_vec3 at;
} was;

typedef struct watch {
  was before[MOST];
  wall_way *wall; /* of a mesh seen from above */
  uint32_t walls;
  uint64_t walls_step; /* when they were made; they stay while no box changes */
  th_vec3 point[MOST], weights[MOST];
} watch;

static watch looking; /* one world at a time */

/* ---------------------------------------------------------------- walls of a mesh */

static const double *corner_of(const th_mesh *mesh, uint32_t face, uint32_t k) {
  return mesh->xyz + 3 * mesh->corner[3 * face + k % 3];
}

/* 1 in a box that is there for certain, 0 in none, -1 unknown. */
static int is_blocked(const random_world *r, const th_mesh *mesh, uint32_t face, uint64_t step) {
  double x = 0.0, y = 0.0;
  for (uint32_t k = 0; k < 3; k++) x += corner_of(mesh, face, k)[0] / 3.0, y += corner_of(mesh, face, k)[1] / 3.0;
  int found = 0;
  for (uint32_t k = 0; k < RANDOM_BOXES; k++) {
    const random_box *b = &r->box[k];
    wall_box wide = {b->at.x0 - 0.01, b->at.y0 - 0.01, b->at.x1 + 0.01, b->at.y1 + 0.01};
    if (!wall_box_holds(&wide, x, y)) continue;
    if (step < b->settles)
      found = found == 1 ? 1 : -1;
    else if (b->solid)
      found = wall_box_holds(&b->at, x, y) ? 1 : -1;
    if (found == 1) return 1;
  }
  return found;
}

/* Sides of open faces next to blocked ones, and borders. */
static void find_walls(watch *w, const random_world *r, uint64_t step) {
  const th_mesh *mesh = th_ground_mesh(th_world_ground(r->world));
  w->wall = realloc(w->wall, 3u * mesh->face_count * sizeof *w->wall);
  w->walls = 0;
  for (uint32_t face = 0; face < mesh->face_count; face++) {
    if (is_blocked(r, mesh, face, step) != 0) continue;
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t twin = mesh->twin[3 * face + k];
      if (twin != TH_NO_HALF && is_blocked(r, mesh, twin / 3, step) != 1) continue;
      const double *a = corner_of(mesh, face, k), *b = corner_of(mesh, face, k + 1);
      w->wall[w->walls++] = (wall_way){a[0], a[1], b[0], b[1]};
    }
  }
}

/* ---------------------------------------------------------------- one agent */

static void check_walls(const watch *w, const random_world *r, const wall_way *way, double radius, uint32_t id) {
  uint64_t step = th_world_step_count(r->world);
  for (uint32_t k = 0; !r->mesh && k < RANDOM_BOXES; k++) {
    const random_box *b = &r->box[k];
    if (!b->solid || step < b->settles + 1) continue;
    if (wall_box_holds(&b->at, way->bx, way->by))
      FAULT("step %llu: agent %u stands in box %u", (unsigned long long)step, id, k);
    if (wall_box_crossed(&b->at, way, radius))
      FAULT("step %llu: agent %u crossed box %u from %g, %g to %g, %g", (unsigned long long)step, id, k, way->ax,
            way->ay, way->bx, way->by);
  }
  if (hypot(way->bx - way->ax, way->by - way->ay) > radius) return; /* a long step may turn a corner */
  for (uint32_t k = 0; k < w->walls; k++)
    if (wall_ways_cross(&w->wall[k], way))
      FAULT("step %llu: agent %u crossed a wall of the mesh from %g, %g to %g, %g", (unsigned long long)step, id,
            way->ax, way->ay, way->bx, way->by);
}

/* On its face, which is open, at the point that its weights make of the corners. */
static void check_face(const random_world *r, const th_agents *a, uint32_t row, th_vec3 at, th_vec3 weights) {
  const th_mesh *mesh = th_ground_mesh(th_world_ground(r->world));
  const double part[3] = {(double)weights.x, (double)weights.y, (double)weights.z};
  double p[3] = {0}, size = 0.0;
  if (a->cell[row] >= mesh->face_count) FAULT("agent %u is on no face", a->id[row].index);
  for (uint32_t k = 0; k < 3; k++) {
    const double *c = corner_of(mesh, a->cell[row], k);
    if (!(part[k] > -2e-3 && part[k] < 1.002))
      FAULT("agent %u has left its face: weight %g", a->id[row].index, part[k]);
    for (int n = 0; n < 3; n++) p[n] += part[k] * c[n], size = fmax(size, fabs(c[n]));
  }
  double off = hypot(hypot(p[0] - (double)at.x, p[1] - (double)at.y), p[2] - (double)at.z);
  if (!(off < 1e-4 + 1e-5 * size)) FAULT("agent %u floats %g m off its face", a->id[row].index, off);
  if (r->rolling && is_blocked(r, mesh, a->cell[row], th_world_step_count(r->world) - 1) == 1)
    FAULT("agent %u stands on a blocked face", a->id[row].index);
}

static bool is_displaced(const random_world *r, th_agent_id id) {
  uint32_t count;
  const th_event *event = th_world_events(r->world, &count);
  for (uint32_t k = 0; k < count; k++)
    if ((event[k].kind == TH_EVENT_DISPLACED || event[k].kind == TH_EVENT_ADDED) && th_same_agent(event[k].agent, id))
      return true;
  return false;
}

static bool is_finite(const th_agents *a, uint32_t row) {
  return isfinite(a->x[row]) && isfinite(a->y[row]) && isfinite(a->vx[row]) && isfinite(a->vy[row]) &&
         isfinite(a->hx[row]) && isfinite(a->hy[row]);
}

/* Farther than anybody walks and is pushed in one step. */
static double reach_of(const random_world *r, th_agent_id id, double radius, double dt) {
  th_agent_def def;
  if (!th_world_agent_def(r->world, id, &def)) return INFINITY;
  return (double)def.speed_max * dt * 1.001 + 8 * 0.5 * radius + 0.3;
}

static void check_everybody(watch *w, const random_world *r, double dt) {
  th_agents a = th_world_agents(r->world);
  uint64_t step = th_world_step_count(r->world);
  if (a.count > MOST) FAULT("%u agents", a.count);
  th_world_points(r->world, &(th_points){.point = w->point, .weights = w->weights});
  for (uint32_t k = 0; r->rolling && k < RANDOM_BOXES; k++)
    if (step <= r->box[k].settles + 1 || !w->wall) w->walls_step = 0;
  if (r->rolling && !w->walls_step) find_walls(w, r, step - 1), w->walls_step = step;
  for (uint32_t row = 0; row < a.count; row++) {
    const th_agent_id id = a.id[row];
    if (a.state[row] == TH_AGENT_DELAYED || id.index >= MOST) continue;
    if (!is_finite(&a, row)) FAULT("step %llu: agent %u is not finite", (unsigned long long)step, id.index);
    was *b = &w->before[id.index];
    th_vec3 at = w->point[row], from = b->at;
    bool known = b->generation == id.generation && !th_same_agent(r->moved, id) && !is_displaced(r, id);
    *b = (was){id.generation, at};
    if (r->mesh) check_face(r, &a, row, at, w->weights[row]);
    if (!known) continue;
    double way = hypot(hypot((double)(at.x - from.x), (double)(at.y - from.y)), (double)(at.z - from.z));
    if (way > reach_of(r, id, (double)a.radius[row], dt))
      FAULT("step %llu: agent %u went %g m in one step", (unsigned long long)step, id.index, way);
    if (!r->mesh || r->rolling)
      check_walls(w, r, &(wall_way){(double)from.x, (double)from.y, (double)at.x, (double)at.y}, (double)a.radius[row],
                  id.index);
  }
}

/* ---------------------------------------------------------------- one world */

/* A world that was saved, walked on and restored walks the same way again. */
static void check_restore(const random_world *r) {
  size_t size = th_world_snapshot(r->world, NULL, 0);
  void *memory = malloc(size);
  uint64_t hash[2], before = th_world_hash(r->world);
  th_error error = {0};
  th_world_snapshot(r->world, memory, size);
  for (int k = 0; k < 2; k++) {
    for (int n = 0; n < AHEAD; n++) th_world_step(r->world);
    hash[k] = th_world_hash(r->world);
    if (th_world_restore(r->world, memory, size, &error)) FAULT("restore: %s: %s", error.where, error.text);
    if (th_world_hash(r->world) != before)
      FAULT("step %llu: restored, but not the same", (unsigned long long)th_world_step_count(r->world));
  }
  free(memory);
  if (hash[0] != hash[1])
    FAULT("step %llu: restored, but walks otherwise", (unsigned long long)th_world_step_count(r->world));
}

static void run_seed(uint64_t seed) {
  random_world r, twin;
  th_error error = {0};
  const bool paired = seed % TWINS == 0;
  if (random_world_make(&r, seed, 1, TH_SIMD_AUTO, &error)) {
    printf("seed %llu: no world: %s: %s\n", (unsigned long long)seed, error.where, error.text);
    _exit(2);
  }
  snprintf(what_now, sizeof what_now, "%s", r.what);
  if (paired && random_world_make(&twin, seed, 2, TH_SIMD_FOUR, &error)) FAULT("the twin is refused: %s", error.text);
  double dt = 0.0, time = 0.0;
  for (uint32_t n = 0; n < STEPS; n++) {
    random_call(&r);
    th_world_step(r.world);
    dt = th_world_time(r.world) - time, time = th_world_time(r.world);
    check_everybody(&looking, &r, dt);
    if (n % SAVES == SAVES - 1) check_restore(&r);
    if (!paired) continue;
    random_call(&twin);
    th_world_step(twin.world);
    if (th_world_hash(r.world) != th_world_hash(twin.world))
      FAULT("step %u: two workers with four lanes differ", n + 1);
  }
  if (r.log.faults) FAULT("the log has a fault: %s", r.log.last);
  random_world_free(&r);
  if (paired) random_world_free(&twin);
  free(looking.wall);
  _exit(0);
}

/* ---------------------------------------------------------------- all worlds */

typedef struct options {
  uint64_t from, count;
  double seconds;
  const char *state;
} options;

static bool read_options(options *o, int count, char **word) {
  for (int k = 1; k + 1 < count; k += 2) {
    char *end;
    double value = strtod(word[k + 1], &end);
    bool number = *word[k + 1] && !*end && value >= 0;
    if (!strcmp(word[k], "--state"))
      o->state = word[k + 1];
    else if (!number)
      return false;
    else if (!strcmp(word[k], "--from"))
      o->from = (uint64_t)value;
    else if (!strcmp(word[k], "--count"))
      o->count = (uint64_t)value;
    else if (!strcmp(word[k], "--seconds"))
      o->seconds = value;
    else
      return false;
  }
  return count % 2 == 1;
}

/* 0 sound, 1 fault, 2 refused. */
static int watch_seed(uint64_t seed) {
  int status = 0;
  seed_now = seed;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){LIMIT, LIMIT + 5});
    run_seed(seed);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  printf("seed %llu: ended by signal %d%s\n  again: ./dev soak --from %llu --count 1\n", (unsigned long long)seed,
         WTERMSIG(status), WTERMSIG(status) == SIGXCPU ? ", it took too long" : "", (unsigned long long)seed);
  return 1;
}

static void keep(const options *o, uint64_t next) {
  FILE *file = o->state ? fopen(o->state, "w") : NULL;
  if (!file) return;
  fprintf(file, "%llu\n", (unsigned long long)next);
  fclose(file);
}

int main(int count, char **word) {
  options o = {.from = 1, .count = UINT64_MAX, .seconds = 60};
  if (!read_options(&o, count, word)) {
    fprintf(stderr, "usage: soak_random [--from SEED] [--count N] [--seconds S] [--state FILE]\n");
    return 2;
  }
  struct timespec begun, now;
  uint64_t seed = o.from, found[3] = {0};
  clock_gettime(CLOCK_MONOTONIC, &begun);
  do {
    int verdict = watch_seed(seed++);
    found[verdict > 2 ? 1 : verdict]++;
    keep(&o, seed);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (seed - o.from < o.count && (double)(now.tv_sec - begun.tv_sec) < o.seconds);
  printf(
      "seeds %llu to %llu: %llu sound, %llu with a fault, %llu refused; next is %llu\n1..1\n%sok 1 - random_worlds\n",
      (unsigned long long)o.from, (unsigned long long)(seed - 1), (unsigned long long)found[0],
      (unsigned long long)found[1], (unsigned long long)found[2], (unsigned long long)seed, found[1] ? "not " : "");
  return found[1] || !found[0] ? 1 : 0;
}
