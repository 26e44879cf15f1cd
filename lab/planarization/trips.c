/* lab/planarization/trips.c - whole trips of the thesis' six crowds on its five meshes: figures 5.3
 * to 5.7 of the thesis, acceptance test A8.
 *
 * Every agent walks to one of many vertices drawn at random and leaves there. The thesis prints no radius, but says
 * that speed stays near the wanted one and that time and distance change little with the crowd: so all crowds of a mesh
 * have the radius with which 120,000 bodies cover 5 % of bunny and ball, 1.5 % of Fertility and Glob, 0.5 % of the
 * Heptoroid, and a step is a third of it. The last three have arms and handles that everybody passes: with 5 % the
 * 60,000 of Fertility and Glob walk at 0.82 of the wanted speed, and 80,000 jam. Time and distance are means over all
 * agents: each step adds dt and the walked distance for every agent that is present. Decisions and processor time are
 * measured in every tenth step. Each crowd becomes a line of trips-MESH.csv in the folder, and a crowd that has its
 * line is not run again: a run may be stopped, and the next one goes on with the next crowd. Takes up to an hour for a
 * mesh, so no test runs it; `lab/trips` walks one crowd at a time and keeps what it found in
 * lab/planarization-trips.md.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/clock.h"
#include "base/platform/file.h"
#include "cli.h"
#include "lab/planarization/experiments.h"
#include "lab/planarization/lab.h"

#define NONE NAN
#define FIELD_BYTES (1024.0 * 1024.0 * 1024.0)

#define MAX_TIME 1000.0 /* [s] */

enum { CROWDS = 6, EVERY = 10 };

static const uint32_t count[CROWDS] = {20160, 40000, 60000, 80000, 100000, 120000};

/* Of the surface, by the bodies of the largest crowd; in the order of th_planar_meshes. */
static const double cover[TH_PLANAR_MESHES] = {0.05, 0.005, 0.015, 0.015, 0.05};

static const char *const packed = "the thesis prints neither its radius nor its numbers";

typedef struct trip {
  double arrived, time, distance; /* share; means [s], [m] */
  double neighbours, deviation, speed, step_ms;
  float radius;
  uint32_t goals;
} trip;

static float step_of(float radius) { return radius / 3.0f; } /* at 1 m/s */

static th_result walk(th_world *world, uint32_t agents, trip *t, th_error *error) {
  const double dt = (double)step_of(t->radius);
  th_result result = TH_OK;
  th_decisions d = {0};
  double present = 0.0, walked = 0.0, seconds = 0.0;
  for (uint32_t step = 0; step * dt < MAX_TIME && result == TH_OK && th_world_agents(world).count > 0; step++) {
    const double begin = th_clock_processor_seconds();
    if (step % EVERY == EVERY - 1)
      result = th_planar_step(world, true, &d, error);
    else
      th_world_step(world);
    if (step % EVERY == EVERY - 2)
      seconds += th_clock_processor_seconds() - begin; /* beside the steps that are looked at */
    const th_agents a = th_world_agents(world);
    present += a.count;
    for (uint32_t i = 0; i < a.count; i++) walked += sqrt((double)(a.vx[i] * a.vx[i] + a.vy[i] * a.vy[i]));
  }
  t->arrived = 1.0 - th_world_agents(world).count / (double)agents;
  t->time = present * dt / agents;
  t->distance = walked * dt / agents;
  t->neighbours = d.neighbours / (double)d.paired;
  t->deviation = d.deviation / (double)d.samples;
  t->speed = d.speed / (double)d.samples;
  t->step_ms = seconds * 1e3 / (double)d.steps;
  return result;
}

static float radius_of(const th_ground *ground, uint32_t mesh) {
  const double fits = sqrt(cover[mesh] * th_planar_area(ground) / (3.14159265 * count[CROWDS - 1]));
  return (float)fmin((double)TH_PLANAR_RADIUS, fits);
}

static th_result go(th_ground *ground, uint32_t mesh, uint32_t agents, trip *t, th_error *error) {
  t->goals = (uint32_t)fmin(agents, FIELD_BYTES / (4.0 * th_ground_mesh(ground)->vertex_count));
  t->radius = radius_of(ground, mesh);
  const th_planar_crowd crowd = {.ground = ground,
                                 .agents = agents,
                                 .goals = t->goals,
                                 .workers = 2,
                                 .radius = t->radius,
                                 .dt = step_of(t->radius),
                                 .seed = 1};
  th_world *world = NULL;
  th_result result = th_planar_crowd_make(NULL, &crowd, &world, error);
  if (result == TH_OK) result = walk(world, agents, t, error);
  th_world_free(world);
  return result;
}

/* ---------------------------------------------------------------- lines that are kept */

static const char *const mesh_name[TH_PLANAR_MESHES] = {"bunny", "hepto", "ferti", "glob", "ball"};

static const char head[] =
    "agents,radius_m,goals,arrived,time_s,distance_m,neighbours,deviation_deg,speed_ratio,step_cpu_ms\n";

static FILE *open_lines(const th_lab *lab, uint32_t mesh, const char *mode) {
  char path[1024], name[32];
  if (!lab->folder) return NULL;
  snprintf(name, sizeof name, "trips-%s.csv", mesh_name[mesh]);
  th_cli_join(path, sizeof path, lab->folder, name);
  return th_file_stream(path, mode);
}

/* True when an earlier run has left the line of this crowd. */
static bool read_line(const th_lab *lab, uint32_t mesh, uint32_t agents, trip *t) {
  FILE *file = open_lines(lab, mesh, "rb");
  char line[256];
  bool found = false;
  while (file && !found && fgets(line, sizeof line, file)) {
    unsigned people, goals;
    double radius;
    found = sscanf(line, "%u,%lf,%u,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &people, &radius, &goals, &t->arrived, &t->time,
                   &t->distance, &t->neighbours, &t->deviation, &t->speed, &t->step_ms) == 10 &&
            people == agents;
  }
  if (file) fclose(file);
  return found;
}

/* One line per crowd, written as soon as it is known. */
static void write_line(const th_lab *lab, uint32_t mesh, uint32_t agents, const trip *t) {
  FILE *file = open_lines(lab, mesh, "ab");
  if (!file) return;
  if (fseek(file, 0, SEEK_END) == 0 && ftell(file) == 0) fputs(head, file);
  fprintf(file, "%u,%.3f,%u,%.5f,%.2f,%.2f,%.3f,%.2f,%.4f,%.2f\n", agents, (double)t->radius, t->goals, t->arrived,
          t->time, t->distance, t->neighbours, t->deviation, t->speed, t->step_ms);
  fclose(file);
}

/* The share of the pairs of crowds of which the larger one has more neighbours and takes more time. */
static double agreement(const trip *t) {
  uint32_t agree = 0;
  for (int a = 0; a < CROWDS; a++)
    for (int b = a + 1; b < CROWDS; b++) agree += (t[b].neighbours > t[a].neighbours) == (t[b].step_ms > t[a].step_ms);
  return agree / 15.0;
}

static void claim_trends(th_lab *lab, const trip *t) {
  const trip *few = &t[0], *many = &t[CROWDS - 1];
  double arrived = 1.0, rises = 0.0;
  for (int k = 0; k < CROWDS; k++) arrived = fmin(arrived, t[k].arrived);
  for (int k = 1; k < CROWDS; k++) rises += t[k].deviation > t[k - 1].deviation;
  th_lab_claim(lab, &(th_claim){"smallest share that arrives", "", arrived, 1, 1, NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"deviation of 20,160", "degrees", few->deviation, 0, 45, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"deviation of 120,000", "degrees", many->deviation, few->deviation, 90, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"crowds that deviate more than the next smaller one", "of 5", rises, 5, 5, NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"120,000 by 20,160: time to the destination", "", many->time / few->time, 0.75, 1.25,
                                NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"120,000 by 20,160: distance walked", "", many->distance / few->distance, 0.75, 1.25,
                                NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"speed by wanted speed, 20,160", "", few->speed, 0.8, 1, NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"speed by wanted speed, 120,000", "", many->speed, 0.8, 1, NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"pairs of crowds in which more neighbours cost more time", "", agreement(t), 0.8, 1,
                                NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"neighbours of 20,160", "", few->neighbours, 0, many->neighbours, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"neighbours of 120,000", "", many->neighbours, few->neighbours, INFINITY, NONE, NONE, NULL});
}

static void claim_crowd(th_lab *lab, const trip *t) {
  th_lab_claim(lab, &(th_claim){"share that arrives", "", t->arrived, 1, 1, NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"deviation", "degrees", t->deviation, 0, 45, NONE, NONE, packed});
  th_lab_claim(lab, &(th_claim){"speed by wanted speed", "", t->speed, 0.8, 1, NONE, NONE, packed});
}

static th_result walk_crowds(th_lab *lab, uint32_t mesh, uint32_t only, trip t[CROWDS], th_error *error) {
  th_ground *ground = NULL;
  th_result result = TH_OK;
  for (int k = 0; k < CROWDS && result == TH_OK; k++) {
    if ((only && only != count[k]) || read_line(lab, mesh, count[k], &t[k])) continue;
    if (!ground) result = th_planar_mesh_ground(&th_planar_meshes[mesh], &ground, error);
    if (result == TH_OK) result = go(ground, mesh, count[k], &t[k], error);
    if (result == TH_OK) write_line(lab, mesh, count[k], &t[k]);
  }
  th_ground_release(ground);
  return result;
}

/* The id says what to walk: "trips-ball" all crowds of a mesh, "trips-ball-20160" one of them. */
th_result th_planar_trips(th_lab *lab, th_error *error) {
  char name[8] = "";
  unsigned only = 0;
  uint32_t mesh = 0;
  trip t[CROWDS] = {0};
  if (sscanf(lab->id, "trips-%7[a-z]-%u", name, &only) < 1) only = 0;
  while (mesh + 1 < TH_PLANAR_MESHES && strcmp(name, mesh_name[mesh]) != 0) mesh++;
  th_result result = walk_crowds(lab, mesh, only, t, error);
  for (int k = 0; k < CROWDS && result == TH_OK; k++)
    if (only == count[k]) claim_crowd(lab, &t[k]);
  if (result == TH_OK && !only) claim_trends(lab, t);
  return result;
}
