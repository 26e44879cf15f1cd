/* throng/guide/tree.h - the guide `tree`: every agent grows a tree of paths through sparse markers and walks along it.
 *
 * Tree Paths (Rodrigues, "Controle de comportamentos de grupos de personagens virtuais", 2010). A tree is rooted at its
 * agent. In each step its nodes grow by one segment towards markers of free space, more readily where the target is
 * near. The agent walks from node to node towards the node nearest to the target; branches that it passes are pruned.
 * Paths are not the shortest ones: two agents hardly ever take the same path.
 *
 * The links and the goal of an agent decide what it does, so that may change in any step:
 *   1. a link of role target that exists: it pursues that agent or point. An agent that is gone, without a goal: lost
 *   2. a goal: it goes there
 *   3. pursuers, or `area_radius` > 0: it escapes. Its pursuers are the agents of the same guide whose target it is,
 *      and the agents and points that its own links of role pursuer name
 *   4. `wander`: it walks about; else it waits
 * With `collaborate` the agents of a guide that pursue the same agent share out the markers and prune each other's
 * trees, so that they come from several sides.
 * Works on every ground and with every model. Threads: any.
 */
#ifndef THRONG_GUIDE_TREE_H
#define THRONG_GUIDE_TREE_H

#include "../guide.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How nodes are added: by space colonisation, or as a rapidly exploring random tree, for comparison. */
typedef enum th_tree_growth { TH_TREE_COLONISE, TH_TREE_RRT } th_tree_growth;

typedef struct th_tree_params {
  float action;      /* a node uses markers within this distance [m] [0.1, 50], default 2.75; above `spacing` */
  float restriction; /* a new node retains markers within this distance [m] [0.05, 50], default 1.75; below `action` */
  float segment;     /* between a node and its child [m] [0.05, 20], default 0.6 */
  float spacing;     /* between markers [m] [0.1, 50], default 1.5 */
  float jitter;      /* of a marker on flat ground, along x and y [m] [0, 10], default 0.1 */
  float reach;       /* a node this near to the target reaches it [m] [0.05, 50], default 1.75 */
  float node_reach;  /* an agent this near to a node has come to it [m] [0.01, 20], default 0.3 */
  float adjust;      /* nodes this near to a target that was lost are deleted [m] [0, 1000], default 10 */
  float cut;         /* nodes this near to a collaborator or a pursuer are deleted [m] [0, 1000], default 2.5 */
  float arrive;      /* a target is caught within this distance [m] [0.05, 100], default 1 */
  float area_radius; /* an agent without target and goal leaves this circle round `area` [m] [0, 1e4]; default 0: the
                        smallest circle round itself and its pursuers */
  th_vec3 area;      /* [m] */
  float cost;        /* share of the path's length in the choice of the best node [0, 1]; default 0: the nearest to the
                        target, as published. Above 0 no node is deleted when a target is lost */
  int32_t nodes;     /* greatest number in a tree [8, 8192], default 1024; one takes 64 bytes */
  int32_t marker_seed; /* of the markers [0, 2^31 - 1], default 1 */
  int32_t children;    /* greatest number that a node gets in a step [1, 64], default 8 */
  int32_t growth;      /* th_tree_growth, default colonise */
  bool collaborate;    /* default false */
  bool line_of_sight;  /* walls hide markers and targets; default true. False: the published form, in which a tree may
                          cross walls thinner than action + segment */
  bool regrow;         /* a tree whose target was lost is grown again at once; default false */
  bool wander;         /* an agent without target, goal, pursuer and area walks about; default false: it waits */
} th_tree_params;

TH_API th_tree_params th_default_tree_params(void);
TH_API extern const th_guide th_guide_tree;

typedef enum th_tree_does {
  TH_TREE_WAITS,
  TH_TREE_SEEKS,
  TH_TREE_PURSUES,
  TH_TREE_ESCAPES,
  TH_TREE_WANDERS
} th_tree_does;

/** A tree as it is now. Nodes are numbered as th_tree_nodes lists them; UINT32_MAX: none. */
typedef struct th_tree_state {
  th_tree_does does;
  uint32_t nodes, keys; /* keys: nodes with two children or more, where the agent decides */
  uint32_t root;        /* the node that the agent came to last */
  uint32_t next;        /* the node that it walks to; none: to the target itself, or it waits */
  uint32_t best;        /* the end of the best path */
  bool reached;         /* by `best`: the tree does not grow now */
  bool full;            /* `nodes` of the parameters are in use */
  th_vec3 target;       /* what it grows towards; without meaning for escapes [m] */
  th_vec3 area;         /* escapes: what it leaves [m] */
  float area_radius;    /* [m] */
} th_tree_state;

typedef struct th_tree_node {
  th_vec3 point;     /* [m] */
  uint32_t parent;   /* its number; UINT32_MAX: the root */
  uint32_t children; /* two or more: a key node */
  bool on_path;      /* of the best path, from the root to `best` */
} th_tree_node;

/** Read the row that an agent has in a tree guide, see th_world_guide_row; NULL gives an empty tree. Any thread. */
TH_API th_tree_state th_tree_read(const void *row);
/** Writes up to `capacity` nodes, parents before their children; returns how many there are. */
TH_API uint32_t th_tree_nodes(const void *row, th_tree_node *node, uint32_t capacity);
/** The numbers of the markers that the tree retains, ascending; likewise. */
TH_API uint32_t th_tree_retained(const void *row, uint32_t *marker, uint32_t capacity);

/** Rules of the published method for parameters and ground. A guide that breaks rule 1 or 2 is refused; for the others
 *  the log gets a warning. */
typedef enum th_tree_rule {
  TH_TREE_ACTION = 1,      /* V1: action > spacing */
  TH_TREE_RESTRICTION = 2, /* V2: restriction < action */
  TH_TREE_SEGMENT = 4,     /* V3: segment > the greatest step of the model [m] */
  TH_TREE_OBSTACLES = 8    /* V4: without line of sight, obstacles are wider than action + segment */
} th_tree_rule;

/** The rules that are broken, as bits. `step_max`: of the model, 0.4 m of biocrowds. `ground` may be NULL; obstacles
 *  are measured on flat ground only. `narrowest` [m], when not NULL, gets the width of the narrowest one, INFINITY
 *  without any. Any thread. */
TH_API uint32_t th_tree_broken_rules(const th_tree_params *params, const th_ground *ground, float step_max,
                                     float *narrowest);

#ifdef __cplusplus
}
#endif
#endif
