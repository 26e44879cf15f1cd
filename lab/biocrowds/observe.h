/* lab/biocrowds/observe.h - trees of agents, as an observer of a world reads them. */
#ifndef TH_LAB_BIOCROWDS_OBSERVE_H
#define TH_LAB_BIOCROWDS_OBSERVE_H

#include <math.h>

#include "lab/biocrowds/experiments.h"
#include "lab/scenes.h"
#include "throng/guide/tree.h"
#include "throng/throng.h"

enum { TH_BIO_NODES = 1024, TH_BIO_MARKERS = 2048 };

typedef struct th_bio_tree {
  th_tree_state state;
  uint32_t count, retained;
  th_tree_node node[TH_BIO_NODES];
  uint32_t marker[TH_BIO_MARKERS]; /* that it retains, ascending */
} th_bio_tree;

/* Agents of a scene by number, from 1 in the order of the scene. */
th_agent_id th_bio_agent(const th_world *world, uint32_t number);
th_vec3 th_bio_at(const th_world *world, uint32_t number);     /* now */
th_vec3 th_bio_before(const th_world *world, uint32_t number); /* before the last step, from which its tree was made */
double th_bio_apart(th_vec3 a, th_vec3 b);
bool th_bio_arrived(const th_world *world, uint32_t number);

void th_bio_look(const th_world *world, uint32_t number, th_bio_tree *tree);
/* Nodes within a distance of a point that pruning must have left out: neither the root nor made since, by a parent that
 * is the root or farther off. */
uint32_t th_bio_left_near(const th_bio_tree *tree, th_vec3 point, double distance);
uint32_t th_bio_shared(const th_bio_tree *a, const th_bio_tree *b); /* markers that both retain */
bool th_bio_cross(const th_bio_tree *a, const th_bio_tree *b);      /* a segment of one crosses one of the other */

/* How many seeds an experiment runs. */
static inline double th_bio_runs(const th_lab *lab) { return (double)(lab->last - lab->first + 1); }

/* A number with its band; the thesis prints none. */
void th_bio_claim(th_lab *lab, const char *text, const char *unit, double value, double min, double max);

#endif
