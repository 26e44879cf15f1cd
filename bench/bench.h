/* bench/bench.h - a small frame for benchmarks.
 *
 * bench/bench_<topic>.c defines `void th_bench_<topic>(th_bench *bench)`; the build collects them. A case asks whether
 * a name is wanted before it spends time, measures, and reports one number per name:
 *
 *   if (!th_bench_wants(bench, "view.flat.10000.us")) return;
 *   ...
 *   th_bench_report(bench, "view.flat.10000.us", th_bench_median(us, repeats), "us");
 *
 * A name that ends in _over_<other> or holds "speedup" is a ratio whose two sides were measured in the same run.
 */
#ifndef TH_BENCH_BENCH_H
#define TH_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct th_bench th_bench;

typedef struct th_bench_case {
  const char *topic;
  void (*run)(th_bench *bench);
} th_bench_case;

/* All of bench/bench_*.c, in order of names; ended by an entry of NULLs. */
extern const th_bench_case th_bench_cases[];

/* Runs the cases. Arguments: [PREFIX] [--json]; only names that begin with PREFIX are measured. Prints a table, or with
 * --json {"results":[{"name","value","unit"}...]} and nothing else on standard output. Returns the exit code: 0; 1 when
 * a value is not finite; 2 for wrong arguments; 3 when no name begins with PREFIX. */
int th_bench_main(int argc, char **argv, const th_bench_case *cases);

/* True when `name`, or names that begin with it ("field.grid512"), are asked for. */
bool th_bench_wants(const th_bench *bench, const char *name);

/* Reports a result; one that is not asked for is dropped. */
void th_bench_report(th_bench *bench, const char *name, double value, const char *unit);

/* CPU time of the process [s]: load from other programs hardly changes the figures of one thread. */
double th_bench_now(void);

/* Wall-clock time [s], for figures of several threads. */
double th_bench_wall(void);

/* The middle of `count` >= 1 values (the upper of two); sorts them in place. */
double th_bench_median(double *value, uint32_t count);

#endif
