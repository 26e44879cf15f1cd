/* bench/main.c - the program throng_bench: every case of bench/bench_*.c. */
#include "bench.h"

int main(int argc, char **argv) { return th_bench_main(argc, argv, th_bench_cases); }
