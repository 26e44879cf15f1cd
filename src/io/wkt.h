/* io/wkt.h - well-known text, handed on shape by shape. */
#ifndef TH_IO_WKT_H
#define TH_IO_WKT_H

#include "throng/base.h"

/* What takes the shapes; each call is false when out of memory. A ring's last point repeats its first one in the text;
 * `end` tells how many points were kept of it. */
typedef struct th_wkt_sink {
  void *to;
  bool (*begin)(void *to, bool closed, bool hole);
  bool (*point)(void *to, double x, double y);
  bool (*end)(void *to, uint32_t *points);
} th_wkt_sink;

/* The error's element is the character at which reading stopped; what was handed on until then is the caller's. */
th_result th_wkt_read(const char *wkt, const th_wkt_sink *sink, th_error *error);

#endif
