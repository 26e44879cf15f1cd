/* bench/bench.h - a small frame for benchmarks.
 *
 * bench/bench_<topic>.c defines `void th_bench_<topic>(th_bench *bench)`; the build collects them. A case asks whether
 * a name is wanted before it spends time, measures, and reports one number per name:
 *
 *   if (!th_bench_wants(bench, "view.flat.10000.us")) return;
 *   ...
 *   th_bench_report(bench, "view.flat.10000.us", us, "us");
 *
 * The timing rule: 20 untimed steps, then 100 steps that are timed one by one; their median counts (th_bench_time).
 * The whole case is repeated (--repeat N); the median of the repeats is the figure, and their range is printed beside
 * it. Nothing is the best of several tries. A name that ends in _over_<other> or holds "speedup" or "scaling" is a
 * ratio of two sides that were stepped in turns, with the same number of tries.
 */
#ifndef TH_BENCH_BENCH_H
#define TH_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

struct th_world;
typedef struct th_bench th_bench;

typedef struct th_bench_case {
  const char *topic;
  void (*run)(th_bench *bench);
} th_bench_case;

/* All of bench/bench_*.c, in order of names; ended by an entry of NULLs. */
extern const th_bench_case th_bench_cases[];

/* Runs the cases. Arguments: [PREFIX] [--json] [--repeat N]; only names that begin with PREFIX are measured, each N
 * times (1 to 99, default 1). Prints a table, or with --json
 * {"results":[{"name","value","unit","min","max","repeats"}...]} and nothing else on standard output; value is the
 * median of the repeats. Returns the exit code: 0; 1 when a value is not finite; 2 for wrong arguments; 3 when no name
 * begins with PREFIX. */
int th_bench_main(int argc, char **argv, const th_bench_case *cases);

/* True when `name`, or names that begin with it ("field.grid512"), are asked for. */
bool th_bench_wants(const th_bench *bench, const char *name);

/* Reports the result of one repeat; one that is not asked for is dropped. */
void th_bench_report(th_bench *bench, const char *name, double value, const char *unit);

/* CPU time of the process [s]: load from other programs hardly changes the figures of one thread. */
double th_bench_now(void);

/* Wall-clock time [s], for figures of several threads. */
double th_bench_wall(void);

/* The middle of `count` >= 1 values (the upper of two); sorts them in place. */
double th_bench_median(double *value, uint32_t count);

enum { TH_BENCH_WARM = 20, TH_BENCH_STEPS = 100 };

/* Something that is timed step by step, and its median step. */
typedef struct th_bench_side {
  void (*step)(void *user);
  void *user;
  double median; /* [s] */
} th_bench_side;

/* Steps up to four sides in turns, by the timing rule, so that all see the same machine. */
void th_bench_time(th_bench_side *side, uint32_t count, double (*clock)(void));

/* The steps of a world as a side. */
th_bench_side th_bench_stepping(struct th_world *world);

/* Reports `<name>.<phase>_<unit>` for every phase: its share of all steps of the world so far, times `step`. */
void th_bench_report_phases(th_bench *bench, const char *name, const struct th_world *world, double step,
                            const char *unit);

#endif
