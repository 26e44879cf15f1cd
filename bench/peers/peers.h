/* bench/peers/peers.h - the parts of the comparison program. */
#ifndef TH_BENCH_PEERS_H
#define TH_BENCH_PEERS_H

#include "bench.h"

void peers_mesh(th_bench *bench);

#endif
