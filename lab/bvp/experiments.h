/* lab/bvp/experiments.h - the experiments with the model bvp, one function each. */
#ifndef TH_LAB_BVP_EXPERIMENTS_H
#define TH_LAB_BVP_EXPERIMENTS_H

#include "lab/table.h"

/* Dapper, "Pedestrian motion planning using potential fields", 2007, and its two conference papers: id, title, what the
 * publication reports, function */
#define TH_BVP_EXPERIMENTS(X)                                                                                         \
  X("E01", "Harmonic field in a room",                                                                                \
    "from every free cell the descent leads to the goal; there is no local minimum", th_bvp_e01)                      \
  X("E02", "Flatness at three resolutions",                                                                           \
    "the same scene at 60, 120 and 200 cells a side is flat in the same region", th_bvp_e02)                          \
  X("E03", "The vector v deforms the field", "with v = (0, 1), eps = 0.8 the field differs from the harmonic one",    \
    th_bvp_e03)                                                                                                       \
  X("E04", "Out of a flat region with one sub-goal",                                                                  \
    "a ring of sub-goals at p = 1 - 1e-5 and 100 sweeps lead the agent out", th_bvp_e04)                              \
  X("E05", "A stack of sub-goals", "sub-goals are put one behind the other and dropped on the way", th_bvp_e05)       \
  X("E06", "The free zone of local maps", "without it people in front of the local goal cut off every path",          \
    th_bvp_e06)                                                                                                       \
  X("E07", "Fixed v, two opposite agents", "the one with v keeps to its wall, the harmonic one to the middle",        \
    th_bvp_e07)                                                                                                       \
  X("E08", "Another behaviour on sight", "harmonic in the middle; with somebody in sight it walks on the right",      \
    th_bvp_e08)                                                                                                       \
  X("E09", "Sinusoid", "v = (1, sin wt) makes the path swing", th_bvp_e09)                                            \
  X("E10", "v at the goal, v at another agent", "a shorter path; a closer pass", th_bvp_e10)                          \
  X("E11", "Orthogonal vector", "both step aside, from the start or on sight", th_bvp_e11)                            \
  X("E12", "Heading between the last one and the gradient", "the new heading lies between both", th_bvp_e12)          \
  X("E13", "Six vectors in a corridor",                                                                               \
    "a1 and a2 walk at opposite walls, a3 and a4 down the middle, a5 turns abruptly, a6 gently", th_bvp_e13)          \
  X("E14", "The six together", "each tries its preference; neighbours of the same speed prevent some", th_bvp_e14)    \
  X("E15", "Local field for five vectors",                                                                            \
    "a valley from the local goal, opposite to v; against the goal it leaves the map", th_bvp_e15)                    \
  X("E16", "Ten strengths in a corridor", "deviation grows with |eps|, 1 to 2 almost superimposed, unsafe at 3",      \
    th_bvp_e16)                                                                                                       \
  X("E17", "Cell size", "smaller cells give smoother paths", th_bvp_e17)                                              \
  X("E18", "Size of the local map", "a small window leads between the people of a group, a wide one around them",     \
    th_bvp_e18)                                                                                                       \
  X("E19", "Three kinds of motion in a race", "the weighted mean (D3) is the smoothest", th_bvp_e19)                  \
  X("E20", "Mass", "heavier agents turn later; at 100 the agent orbits its goal", th_bvp_e20)                         \
  X("E21", "Speed table against constant speed",                                                                      \
    "constant speed makes large detours; with the table one stops and the other passes", th_bvp_e21)                  \
  X("E22", "Two agents avoid each other in a corridor", "on sight both step aside, then return to the middle",        \
    th_bvp_e22)                                                                                                       \
  X("E23", "Approach", "a1 goes towards a2 while in sight, a2 to its wall; both go on", th_bvp_e23)                   \
  X("E24", "Race of equal agents", "paths differ by interaction alone; the one nearest to the right wall wins",       \
    th_bvp_e24)                                                                                                       \
  X("E25", "Exploration", "a guest finds another one in a house that it does not know", th_bvp_e25)                   \
  X("E26", "Ambush", "a pocket of standing people traps a harmonic agent", th_bvp_e26)                                \
  X("E27", "Escape with v on sight", "v = (0, -1) from a sight distance of 20 leads around the pocket", th_bvp_e27)   \
  X("E28", "Escape with a constant v", "v = (0, -1) leads out of what traps the harmonic agent", th_bvp_e28)          \
  X("E29", "Escape with a larger window", "a window that sees the free path beside the group finds it", th_bvp_e29)   \
  X("E30", "Park with five agents", "five different paths; together they compete at the stand", th_bvp_e30)           \
  X("E31", "Park with 100 agents", "looks real to students and professors; nothing was measured", th_bvp_e31)         \
  X("E32", "Steps per second", "300 agents at 2 steps a second and 200 at 3.5, with 60 sweeps; about double with 30", \
    th_bvp_e32)                                                                                                       \
  X("E33", "Strengths of v in a corridor along y", "v at the walls; v = (1, 1) gives a fan of paths", th_bvp_e33)     \
  X("E34", "Park with four agents, small maps", "slightly different paths alone and together", th_bvp_e34)            \
  X("E35", "Park with twelve agents", "everybody finds one of six goals", th_bvp_e35)                                 \
  X("E36", "Inertia eta", "smoother with a higher eta; at 0.99 the agent misses the goal and hits the wall",          \
    th_bvp_e36)                                                                                                       \
  X("E37", "One shared field, altered locally", "v and eps hardly change the path except near the goal", th_bvp_e37)  \
  X("E38", "Floats", "32 bits make flatness worse", th_bvp_e38)                                                       \
  X("E39", "View cone", "makes agents go back and forth in dense meetings", th_bvp_e39)                               \
  X("E40", "Fewer sweeps", "below 30 there may be no gradient, or rough paths", th_bvp_e40)

/* Flatness in the same thesis, with the solvers of its time and with ours: id, title, what the publication reports,
 * function */
#define TH_FLATNESS_EXPERIMENTS(X)                                                                                  \
  X("F01", "Cells lost to flatness", "behind narrow passages precision gives a null or wrong gradient", th_bvp_f01) \
  X("F02", "Time of a field", "relaxing until convergence is expensive", th_bvp_f02)

#define X(id, title, text, run) th_result run(th_lab *lab, th_error *error);
TH_BVP_EXPERIMENTS(X)
TH_FLATNESS_EXPERIMENTS(X)
#undef X

#endif
