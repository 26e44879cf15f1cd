/* lab/mesh_bvp/cost.c - sweeps and seconds of the relaxation at three thresholds: AT-4, the thesis'
 * table 5.2.
 *
 * Each model is relaxed five times to e_max = 0.001; the times at which e(t) passes 0.010 and 0.005 are recorded in the
 * same run, as the sweeps are the same. Times are means, as in the thesis, of processor time on the current machine.
 * The thesis does not print its goals and obstacles, so numbers of sweeps need not agree; the ratio of their
 * differences must.
 */

#include "base/platform/clock.h"
#include "lab/mesh_bvp/experiments.h"
#include "lab/mesh_bvp/lab.h"

#define NONE NAN

enum { LIMITS = 3, ROUNDS = 5 };
static const double limit[LIMITS] = {0.010, 0.005, 0.001};

typedef struct record {
  double begun, seconds[LIMITS]; /* summed over rounds */
  uint32_t sweeps[LIMITS];
  uint32_t passed; /* limits in this round */
} record;

/* Other programs on the machine do not count. */
static bool note(void *user, uint32_t sweep, double e) {
  record *r = user;
  while (r->passed < LIMITS && e <= limit[r->passed]) {
    r->sweeps[r->passed] = sweep;
    r->seconds[r->passed] += th_clock_processor_seconds() - r->begun;
    r->passed++;
  }
  return true;
}

typedef struct model {
  th_make_size size;
  double cells, sweeps[LIMITS], seconds[LIMITS]; /* that the thesis prints */
  const char *name[2 * LIMITS];
} model;

static th_result make_model(const model *m, th_mesh_lab *s, th_error *error) {
  th_soup soup = th_soup_begin(NULL);
  th_result result = th_make_sized(&soup, m->size, error);
  if (result != TH_OK) {
    th_soup_free(&soup);
    return result;
  }
  result = th_mesh_lab_make(&soup, s, error);
  if (result != TH_OK) return result;
  const uint32_t goal = m->size == TH_MAKE_CAR ? th_mesh_lab_nearest(s, 4.1, 0.9, 0.5) : s->mesh.vertex_count / 2;
  if (m->size == TH_MAKE_MOTHER) s->tile[th_mesh_lab_nearest(s, 0.0, 0.0, 5.0)] = TH_TILE_WALL;
  s->tile[goal] = TH_TILE_GOAL;
  return TH_OK;
}

static th_result measure(const model *m, th_mesh_lab *s, record *r, th_error *error) {
  th_mesh_relax_def def = th_mesh_lab_def(limit[LIMITS - 1]);
  def.watch = note;
  def.user = r;
  th_result result = make_model(m, s, error);
  for (int k = 0; k < ROUNDS && result == TH_OK; k++) {
    r->passed = 0;
    r->begun = th_clock_processor_seconds();
    result = th_mesh_lab_relax(s, &def, error);
  }
  return result;
}

static th_result run_model(th_lab *lab, const model *m, bool fast, th_error *error) {
  th_mesh_lab s = {0};
  record r = {0};
  lab->timed = true;
  th_result result = measure(m, &s, &r, error);
  if (result == TH_OK) {
    for (int k = 0; k < LIMITS; k++) {
      const double max = fast && k == 0 ? 0.033 : m->seconds[k];
      th_lab_claim(lab, &(th_claim){m->name[2 * k], "sweeps", r.sweeps[k], m->sweeps[k] / 4.0, m->sweeps[k] * 4.0,
                                    m->sweeps[k], NONE, NULL});
      th_lab_claim(lab, &(th_claim){m->name[2 * k + 1], "s", r.seconds[k] / ROUNDS, 0, max, m->seconds[k], NONE, NULL});
    }
    const double first = (double)(r.sweeps[1] - r.sweeps[0]), second = (double)(r.sweeps[2] - r.sweeps[1]);
    const double thesis = (m->sweeps[2] - m->sweeps[1]) / (m->sweeps[1] - m->sweeps[0]), law = log(5.0) / log(2.0);
    const double updates = r.sweeps[2] * (double)s.mesh.vertex_count * ROUNDS / r.seconds[2] / 1e6;
    th_lab_claim(lab, &(th_claim){"sweeps from 0.005 to 0.001 by those from 0.010 to 0.005", "", second / first,
                                  0.95 * law, 1.05 * law, thesis, NONE, NULL});
    th_lab_claim(lab,
                 &(th_claim){"updates of a cell", "million/s", updates, m->sweeps[2] * m->cells / m->seconds[2] / 1e6,
                             INFINITY, m->sweeps[2] * m->cells / m->seconds[2] / 1e6, NONE, NULL});
    th_mesh_lab_paths paths;
    result = th_mesh_lab_walk_all(&s, 7, &paths, error);
    th_lab_claim(lab, &(th_claim){"time of a path by that of the field at 0.010", "",
                                  paths.seconds / (r.seconds[0] / ROUNDS), 0, 0.05, NONE, NONE, NULL});
  }
  th_mesh_lab_free(&s);
  return result;
}

#define ROWS                                                                                               \
  {                                                                                                        \
    "e_max 0.010", "e_max 0.010, mean of five", "e_max 0.005", "e_max 0.005, mean of five", "e_max 0.001", \
        "e_max 0.001, mean of five"                                                                        \
  }

th_result th_mesh_at4_car(th_lab *lab, th_error *error) {
  static const model car = {TH_MAKE_CAR, 665, {1090, 1286, 1739}, {0.0473, 0.0551, 0.0743}, ROWS};
  return run_model(lab, &car, true, error);
}

th_result th_mesh_at4_costa(th_lab *lab, th_error *error) {
  static const model costa = {TH_MAKE_COSTA, 1259, {781, 938, 1304}, {0.0587, 0.0670, 0.0928}, ROWS};
  return run_model(lab, &costa, false, error);
}

th_result th_mesh_at4_statue(th_lab *lab, th_error *error) {
  static const model statue = {TH_MAKE_MOTHER, 4994, {16195, 19267, 26401}, {5.8936, 7.0064, 9.6050}, ROWS};
  return run_model(lab, &statue, false, error);
}
