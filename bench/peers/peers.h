/* bench/peers/peers.h - the parts of the comparison program. */
#ifndef TH_BENCH_PEERS_H
#define TH_BENCH_PEERS_H

#include <stdbool.h>

/* Prints one result, if its name is asked for. */
typedef void (*peers_print)(const char *name, double value, const char *unit);

bool peers_mesh(peers_print print);

#endif
