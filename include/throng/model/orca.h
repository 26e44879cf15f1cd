/* throng/model/orca.h - the model `orca`: reciprocal collision avoidance, each agent takes its share.
 *
 * Each agent looks at its nearest neighbours and the walls around it. Each of them rules out a half-plane of
 * velocities: those that would lead to a collision within a time horizon if the other does its share as well. Of the
 * remaining velocities the agent takes the one nearest to its wanted velocity. If none remains, it takes the one that
 * violates the neighbours' half-planes least and respects all walls (van den Berg, Guy, Lin and Manocha, "Reciprocal
 * n-body collision avoidance", 2011).
 *
 * How two agents divide the avoidance follows from their `share` (th_agent_def): each takes share / (sum of both
 * shares), so equal shares halve it, and an agent of share 0 has priority over everyone above 0. `layers` and `avoids`
 * say which agents are avoided at all.
 * Threads: any.
 */
#ifndef THRONG_MODEL_ORCA_H
#define THRONG_MODEL_ORCA_H

#include "../base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_model th_model; /* model.h */

/** The side to which an agent turns when another agent comes straight at it, or stands straight ahead. */
typedef enum th_orca_side {
  TH_ORCA_RIGHT,
  TH_ORCA_LEFT,
  TH_ORCA_NEITHER /* the published method, in which exactly symmetric agents block each other for ever */
} th_orca_side;

/** How a velocity is chosen among the half-planes: by the linear programme of the published method, or softly: the
 *  velocity of least cost, where a violated half-plane costs more the deeper it is violated, and walls hold. */
typedef enum th_orca_solving {
  TH_ORCA_AUTO, /* softly for people (th_agent_def.people); by the programme for bare bodies */
  TH_ORCA_PROGRAMME,
  TH_ORCA_SOFT
} th_orca_solving;

/** Sixteen agents at once, or one after the other in plain code: the same bits. */
typedef enum th_orca_backend { TH_ORCA_LANES, TH_ORCA_SCALAR } th_orca_backend;

typedef struct th_orca_params {
  int32_t neighbours; /* greatest number of agents avoided, the nearest ones [1, 64], default 10 */
  float distance;     /* neighbours and walls farther away are not seen [m] [0.1, 50], default 5 */
  float horizon;      /* collisions with agents count this far ahead [s] [0.05, 100], default 2 */
  float wall_horizon; /* collisions with walls count this far ahead [s] [0.05, 100], default 1 */
  int32_t side;       /* th_orca_side, default right */
  int32_t solve;      /* th_orca_solving, default auto */
  int32_t backend;    /* th_orca_backend, default lanes */
  bool yields;        /* steps aside for others while it stands, default true; if false, set the agent's share to 0 */
} th_orca_params;

TH_API th_orca_params th_default_orca_params(void);

TH_API extern const th_model th_model_orca;

#ifdef __cplusplus
}
#endif
#endif
