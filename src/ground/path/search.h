/* ground/path/search.h - the shortest path through a free space. */
#ifndef TH_GROUND_PATH_SEARCH_H
#define TH_GROUND_PATH_SEARCH_H

#include "ground/path/free_space.h"

/* Memory of searches, one after the other, in one space. */
typedef struct th_path_search th_path_search;

/* NULL when out of memory. */
th_path_search *th_path_search_make(const th_free_space *space);
void th_path_search_free(th_path_search *search); /* NULL is ignored */

typedef struct th_path_found {
  uint32_t count; /* corners, the end among them; 0: there is no path */
  uint32_t nodes; /* that the search took */
  double length;  /* of the whole path [m] */
  bool whole;     /* false: it ends where the search came nearest to the target */
} th_path_found;

/* The corners behind end[0], up to `capacity` of them; `whole` tells whether they lead to end[1]: a search of more than
 * `most` nodes ends early. */
th_path_found th_path_search_run(th_path_search *search, const th_free_spot end[2], uint32_t most, th_point *corner,
                                 uint32_t capacity);

#endif
