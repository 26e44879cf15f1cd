/* bench/peers/peers_mesh.c - one solve on a torus of 69,984 faces with 20 obstacles: ours against CHOLMOD's.
 *
 * Both solve the same matrix (cotangent weights, free vertices only) and right-hand side; CHOLMOD uses AMD in its
 * simplicial and its supernodal mode, and once more METIS, which takes longest to order. Both sides are timed in turn.
 */
#include <cholmod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "field/mesh/field.h"
#include "make/shapes.h"
#include "peers.h"

enum { DISCS = 20, ROUNDS = 9, MODES = 4 };

static const char *const mode_name[MODES] = {"simplicial", "supernodal", "metis_simplicial", "metis_supernodal"};

static th_ground *torus_make(void) {
  th_soup soup = th_soup_begin(NULL);
  th_region disc[DISCS];
  th_ground *ground = NULL;
  th_make_torus(&soup, 108, 324, 30.0, 10.0);
  if (!soup.failed) {
    th_mesh_ground_def def = th_default_mesh_ground_def();
    for (uint32_t n = 0; n < DISCS; n++) {
      const double *p = soup.xyz[n * (soup.vertex_count / DISCS) + 17 * n];
      disc[n] = (th_region){.kind = TH_REGION_BALL, .centre = {(float)p[0], (float)p[1], (float)p[2]}, .radius = 1.5f};
    }
    def.triangles.xyz_double = soup.xyz[0];
    def.triangles.vertex_count = soup.vertex_count;
    def.triangles.corner = soup.corner[0];
    def.triangles.face_count = soup.face_count;
    def.blocked = disc;
    def.blocked_count = DISCS;
    (void)th_ground_make_mesh(&def, &ground, NULL);
  }
  th_soup_free(&soup);
  return ground;
}

/* Upper triangle of the operator on the free vertices, numbered by `number`. */
static cholmod_sparse *matrix_of(const th_mesh_graph *g, const uint8_t *kind, int *number, cholmod_common *common) {
  int count = 0;
  for (uint32_t v = 0; v < g->vertex_count; v++) number[v] = kind[v] == TH_CELL_FREE ? count++ : -1;
  size_t room = (size_t)count + g->start[g->vertex_count] / 2 + 1;
  cholmod_triplet *t = cholmod_allocate_triplet((size_t)count, (size_t)count, room, 1, CHOLMOD_REAL, common);
  if (!t) return NULL;
  int *row = t->i, *column = t->j;
  double *value = t->x;
  for (uint32_t v = 0; v < g->vertex_count; v++) {
    double sum = 0.0;
    if (number[v] < 0) continue;
    for (uint32_t k = g->start[v]; k < g->start[v + 1]; k++) {
      sum += g->weight[k];
      if (number[g->other[k]] <= number[v]) continue;
      row[t->nnz] = number[v], column[t->nnz] = number[g->other[k]], value[t->nnz++] = -g->weight[k];
    }
    row[t->nnz] = column[t->nnz] = number[v], value[t->nnz++] = sum;
  }
  cholmod_sparse *matrix = cholmod_triplet_to_sparse(t, t->nnz, common);
  cholmod_free_triplet(&t, common);
  return matrix;
}

typedef struct mode {
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_factor *factor;
  cholmod_dense *b;
  double ready, time[ROUNDS];
} mode;

static bool mode_start(mode *m, int which, const th_mesh_graph *g, const uint8_t *kind, int *number) {
  cholmod_start(&m->common);
  m->common.supernodal = which % 2 ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  m->common.nmethods = 1;
  m->common.method[0].ordering = which / 2 ? CHOLMOD_METIS : CHOLMOD_AMD;
  m->matrix = matrix_of(g, kind, number, &m->common);
  if (!m->matrix) return false;
  double start = th_bench_now();
  m->factor = cholmod_analyze(m->matrix, &m->common);
  if (m->factor) cholmod_factorize(m->matrix, m->factor, &m->common);
  m->ready = th_bench_now() - start;
  m->b = cholmod_zeros(m->matrix->nrow, 1, CHOLMOD_REAL, &m->common);
  return m->factor && m->b;
}

static void mode_end(mode *m) {
  cholmod_free_dense(&m->b, &m->common);
  cholmod_free_factor(&m->factor, &m->common);
  cholmod_free_sparse(&m->matrix, &m->common);
  cholmod_finish(&m->common);
}

/* One solve; returns the largest relative difference from ours. */
static double mode_solve(mode *m, int round, const int *number, uint32_t vertices, const double *x) {
  double start = th_bench_now(), worst = 0.0;
  cholmod_dense *y = cholmod_solve(CHOLMOD_A, m->factor, m->b, &m->common);
  m->time[round] = th_bench_now() - start;
  for (uint32_t v = 0; y && v < vertices; v++) {
    if (number[v] < 0) continue;
    double off = fabs(((const double *)y->x)[number[v]] / x[v] - 1.0);
    if (!(off <= worst)) worst = off;
  }
  cholmod_free_dense(&y, &m->common);
  return worst;
}

static void report(mode *m, double *ours, double ready, double worst, th_bench *bench) {
  double best = 1e300, min_ready = 1e300, own = th_bench_median(ours, ROUNDS);
  for (int k = 0; k < MODES; k++) {
    char name[96];
    double time = th_bench_median(m[k].time, ROUNDS);
    snprintf(name, sizeof name, "mesh.torus70k.cholmod_%s_solve_ms", mode_name[k]);
    th_bench_report(bench, name, 1e3 * time, "ms");
    snprintf(name, sizeof name, "mesh.torus70k.cholmod_%s_ready_ms", mode_name[k]);
    th_bench_report(bench, name, 1e3 * m[k].ready, "ms");
    if (time < best) best = time;
    if (m[k].ready < min_ready) min_ready = m[k].ready;
  }
  th_bench_report(bench, "mesh.torus70k.solve_ms", 1e3 * own, "ms");
  th_bench_report(bench, "mesh.torus70k.ready_ms", 1e3 * ready, "ms");
  th_bench_report(bench, "mesh.torus70k.solve_over_cholmod", own / best, "ratio");
  th_bench_report(bench, "mesh.torus70k.ready_over_cholmod", ready / min_ready, "ratio");
  th_bench_report(bench, "mesh.torus70k.largest_difference_from_cholmod", worst, "ratio");
}

static bool measure(th_ground *ground, th_bench *bench) {
  mode m[MODES] = {0};
  th_solver *solver = NULL;
  th_mesh_graph graph;
  if (th_solver_make(&(th_solver_def){.ground = ground}, &solver, NULL) != TH_OK) return false;
  const th_allocator *a = &solver->env.allocator;
  if (th_mesh_graph_make(&graph, ground, a, NULL) != TH_OK) return false;
  const uint32_t n = graph.vertex_count;
  uint8_t *kind = malloc(n);
  int *number = malloc(n * sizeof *number);
  double *x = malloc(n * sizeof *x), *sink = calloc(n, sizeof *sink), *work = NULL, ours[ROUNDS], one = 1.0,
         worst = 0.0;
  th_factor *factor = NULL;
  bool good = kind && number && x && sink;
  for (uint32_t v = 0; good && v < n; v++) kind[v] = th_mesh_vertex_blocked(ground, 0, v) ? TH_CELL_WALL : TH_CELL_FREE;
  double start = th_bench_now();
  th_elimination *tree =
      th_mesh_dissection_make(&graph, ground->mesh->mesh.xyz, TH_MESH_DISSECTION_LEAF, TH_MESH_DISSECTION_PIECE);
  const th_factor_def def = {.allocator = *a, .tree = tree, .op = th_mesh_graph_operator(&graph, kind, sink, false)};
  good = good && tree && th_factor_make(&def, &factor, NULL) == TH_OK;
  double ready = th_bench_now() - start;
  if (good) work = malloc(th_fronts_work_size(factor->fronts) * sizeof *work);
  uint32_t goal = n / 3;
  while (good && kind[goal] != TH_CELL_FREE) goal++;
  good = good && work;
  for (int k = 0; good && k < MODES; k++) {
    good = mode_start(&m[k], k, &graph, kind, number);
    if (good) ((double *)m[k].b->x)[number[goal]] = 1.0;
  }
  for (int round = 0; good && round < ROUNDS; round++) {
    start = th_bench_now();
    th_fronts_solve(factor->fronts, (th_fronts_source){&goal, &one, 1}, x, work);
    ours[round] = th_bench_now() - start;
    for (int k = 0; k < MODES; k++) worst = fmax(worst, mode_solve(&m[k], round, number, n, x));
  }
  if (good) report(m, ours, ready, worst, bench);
  for (int k = 0; good && k < MODES; k++) mode_end(&m[k]);
  th_factor_release(factor);
  th_elimination_release(tree);
  th_mesh_graph_free(&graph);
  free(work), free(sink), free(x), free(number), free(kind);
  th_solver_release(solver);
  return good;
}

void peers_mesh(th_bench *bench) {
  if (!th_bench_wants(bench, "mesh.torus70k")) return;
  th_ground *ground = torus_make();
  if (!ground || !measure(ground, bench)) th_bench_report(bench, "mesh.torus70k.ready_ms", NAN, "ms");
  th_ground_release(ground);
}
