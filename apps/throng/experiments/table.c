/* apps/throng/experiments/table.c - the table of published experiments. Each model has its own rows. */
#include "experiments/table.h"

#include <stddef.h>

#include "experiments/biocrowds/experiments.h"
#include "experiments/bvp/experiments.h"
#include "experiments/mesh_bvp/experiments.h"
#include "experiments/planarization/experiments.h"
#include "experiments/steering/experiments.h"

#define TRIP(mesh, title, agents)                                                                          \
  {                                                                                                        \
    "planarization-trip", "trips-" mesh "-" agents, agents " to their destinations, " title, "as all six", \
        th_planar_trips                                                                                    \
  }
#define TRIPS(mesh, title)                                                                                        \
  TRIP(mesh, title, "20160"), TRIP(mesh, title, "40000"), TRIP(mesh, title, "60000"), TRIP(mesh, title, "80000"), \
      TRIP(mesh, title, "100000"), TRIP(mesh, title, "120000"), {                                                 \
    "planarization-trips", "trips-" mesh, "Six crowds to their destinations, " title,                             \
        "deviation grows with the crowd, time and distance are little affected, speed stays near the wanted one", \
        th_planar_trips                                                                                           \
  }

const th_experiment th_experiments[] = {
    /* Dapper, "Pedestrian motion planning using potential fields", 2007, and its two conference papers */
    {"bvp", "E01", "Harmonic field in a room",
     "from every free cell the descent leads to the goal; there is no local minimum", th_bvp_e01},
    {"bvp", "E02", "Flatness at three resolutions",
     "the same scene at 60, 120 and 200 cells a side is flat in the same region", th_bvp_e02},
    {"bvp", "E03", "The vector v deforms the field",
     "with v = (0, 1), eps = 0.8 the field differs from the harmonic one", th_bvp_e03},
    {"bvp", "E04", "Out of a flat region with one sub-goal",
     "a ring of sub-goals at p = 1 - 1e-5 and 100 sweeps lead the agent out", th_bvp_e04},
    {"bvp", "E05", "A stack of sub-goals", "sub-goals are put one behind the other and dropped on the way", th_bvp_e05},
    {"bvp", "E06", "The free zone of local maps", "without it people in front of the local goal cut off every way",
     th_bvp_e06},
    {"bvp", "E07", "Fixed v, two opposite agents", "the one with v keeps to its wall, the harmonic one to the middle",
     th_bvp_e07},
    {"bvp", "E08", "Another behaviour on sight", "harmonic in the middle; with somebody in sight it walks on the right",
     th_bvp_e08},
    {"bvp", "E09", "Sinusoid", "v = (1, sin wt) makes the path swing", th_bvp_e09},
    {"bvp", "E10", "v at the goal, v at another agent", "a shorter way; a closer pass", th_bvp_e10},
    {"bvp", "E11", "Orthogonal vector", "both step aside, from the start or on sight", th_bvp_e11},
    {"bvp", "E12", "Heading between the last one and the gradient", "the new heading lies between both", th_bvp_e12},
    {"bvp", "E13", "Six vectors in a corridor",
     "a1 and a2 walk at opposite walls, a3 and a4 down the middle, a5 turns abruptly, a6 gently", th_bvp_e13},
    {"bvp", "E14", "The six together", "each tries its preference; neighbours of the same speed prevent some",
     th_bvp_e14},
    {"bvp", "E15", "Local field for five vectors",
     "a valley from the local goal, opposite to v; against the goal it leaves the map", th_bvp_e15},
    {"bvp", "E16", "Ten strengths in a corridor", "deviation grows with |eps|, 1 to 2 almost superimposed, unsafe at 3",
     th_bvp_e16},
    {"bvp", "E17", "Cell size", "smaller cells give smoother paths", th_bvp_e17},
    {"bvp", "E18", "Size of the local map",
     "a small window leads between the people of a group, a wide one around them", th_bvp_e18},
    {"bvp", "E19", "Three kinds of motion in a race", "the weighted mean (D3) is the smoothest", th_bvp_e19},
    {"bvp", "E20", "Mass", "heavier agents turn later; at 100 the agent orbits its goal", th_bvp_e20},
    {"bvp", "E21", "Speed table against constant speed",
     "constant speed makes large detours; with the table one stops and the other passes", th_bvp_e21},
    {"bvp", "E22", "Two agents avoid each other in a corridor", "on sight both step aside, then return to the middle",
     th_bvp_e22},
    {"bvp", "E23", "Approach", "a1 goes towards a2 while in sight, a2 to its wall; both go on", th_bvp_e23},
    {"bvp", "E24", "Race of equal agents", "paths differ by interaction alone; the one nearest to the right wall wins",
     th_bvp_e24},
    {"bvp", "E25", "Exploration", "a guest finds another one in a house that it does not know", th_bvp_e25},
    {"bvp", "E26", "Ambush", "a pocket of standing people traps a harmonic agent", th_bvp_e26},
    {"bvp", "E27", "Escape with v on sight", "v = (0, -1) from a sight distance of 20 leads around the pocket",
     th_bvp_e27},
    {"bvp", "E28", "Escape with a constant v", "v = (0, -1) leads out of what traps the harmonic agent", th_bvp_e28},
    {"bvp", "E29", "Escape with a larger window", "a window that sees the free way beside the group finds it",
     th_bvp_e29},
    {"bvp", "E30", "Park with five agents", "five different paths; together they compete at the stand", th_bvp_e30},
    {"bvp", "E31", "Park with 100 agents", "looks real to students and professors; nothing was measured", th_bvp_e31},
    {"bvp", "E32", "Steps per second",
     "300 agents at 2 steps a second and 200 at 3.5, with 60 sweeps; about double with 30", th_bvp_e32},
    {"bvp", "E33", "Strengths of v in a corridor along y", "v at the walls; v = (1, 1) gives a fan of paths",
     th_bvp_e33},
    {"bvp", "E34", "Park with four agents, small maps", "slightly different paths alone and together", th_bvp_e34},
    {"bvp", "E35", "Park with twelve agents", "everybody finds one of six goals", th_bvp_e35},
    {"bvp", "E36", "Inertia eta", "smoother with a higher eta; at 0.99 the agent misses the goal and hits the wall",
     th_bvp_e36},
    {"bvp", "E37", "One shared field, altered locally", "v and eps hardly change the path except near the goal",
     th_bvp_e37},
    {"bvp", "E38", "Floats", "32 bits make flatness worse", th_bvp_e38},
    {"bvp", "E39", "View cone", "makes agents go back and forth in dense meetings", th_bvp_e39},
    {"bvp", "E40", "Fewer sweeps", "below 30 there may be no gradient, or rough paths", th_bvp_e40},
    /* Flatness in the same thesis, with the solvers of its time and with ours */
    {"flatness", "F01", "Cells lost to flatness", "behind narrow passages precision gives a null or wrong gradient",
     th_bvp_f01},
    {"flatness", "F02", "Time of a field", "relaxing until convergence is expensive", th_bvp_f02},
    /* Fischer, "3DS-BVP: a path planner for arbitrary surfaces", 2011 */
    {"3ds-bvp", "AT-1-even", "Regular meshes against the flat planner",
     "fields differ by 0.8 % on average, paths nearly coincide", th_mesh_at1_even},
    {"3ds-bvp", "AT-1-noisy", "Noisy meshes against the flat planner",
     "fields differ by 1 % on average; noise costs some smoothness", th_mesh_at1_noisy},
    {"3ds-bvp", "AT-2-car", "Paths over a car", "the way round an obstacle depends on the start", th_mesh_at2_car},
    {"3ds-bvp", "AT-2-costa", "Paths on Costa's surface", "a smooth path from every start", th_mesh_at2_costa},
    {"3ds-bvp", "AT-2-statue", "Paths on a statue of genus 4",
     "with obstacles the same start and goal are joined by another route", th_mesh_at2_statue},
    {"3ds-bvp", "AT-2-sphere", "Closed mesh without obstacles",
     "starts round the cell that is held high take different paths", th_mesh_at2_sphere},
    {"3ds-bvp", "AT-2-walk", "Algorithm 4 as printed", "every path arrives", th_mesh_at2_walk},
    {"3ds-bvp", "AT-3", "A pocket", "paths avoid the pocket, on regular and noisy meshes", th_mesh_at3},
    {"3ds-bvp", "AT-4-car", "Relaxation, car", "1,739 iterations and 0.074 s at e_max 0.001", th_mesh_at4_car},
    {"3ds-bvp", "AT-4-costa", "Relaxation, Costa's surface", "1,304 iterations and 0.093 s at e_max 0.001",
     th_mesh_at4_costa},
    {"3ds-bvp", "AT-4-statue", "Relaxation, statue", "26,401 iterations and 9.6 s at e_max 0.001", th_mesh_at4_statue},
    {"3ds-bvp", "AT-5", "Long thin triangles", "paths are found, with abrupt turns", th_mesh_at5},
    {"3ds-bvp", "AT-6", "Flatness in a hallway", "far from the goal the gradient is null", th_mesh_at6},
    {"3ds-bvp", "AT-7", "Degenerate meshes",
     "coincident vertices stop the field, isolated ones and faces without area break it", th_mesh_at7},
    /* Berndt, "Navegacao de multiplos agentes sobre superficies arbitrarias utilizando planarizacao dinamica", 2014 */
    {"planarization", "sizes", "Five meshes", "13.0 to 13.6 triangles a map on meshes of genus 0, 22, 4, 7 and 0",
     th_planar_sizes},
    {"planarization", "cost-bunny", "Maps and fields, Stanford Bunny", "0.0162 ms a map, 4.70 ms a field",
     th_planar_cost_bunny},
    {"planarization", "cost-hepto", "Maps and fields, Heptoroid", "0.0166 ms a map, 3.00 ms a field",
     th_planar_cost_heptoroid},
    {"planarization", "cost-ferti", "Maps and fields, Fertility", "0.0164 ms a map, 2.65 ms a field",
     th_planar_cost_fertility},
    {"planarization", "cost-glob", "Maps and fields, Glob", "0.0167 ms a map, 1.95 ms a field", th_planar_cost_glob},
    {"planarization", "cost-ball", "Maps and fields, distorted sphere", "0.0148 ms a map, 1.12 ms a field",
     th_planar_cost_ball},
    {"planarization", "stretch", "Distortion of the maps",
     "most triangles have an L2 of 1, those round the agent rather", th_planar_stretch},
    {"planarization", "map", "The map of an agent", "neighbours in and out of vision, reference point and directions",
     th_planar_map},
    {"planarization", "crowd-bunny", "Six crowds, Stanford Bunny",
     "steps per second fall as neighbours rise; deviation grows with the crowd", th_planar_crowd_bunny},
    {"planarization", "crowd-hepto", "Six crowds, Heptoroid", "the same", th_planar_crowd_heptoroid},
    {"planarization", "crowd-ferti", "Six crowds, Fertility", "the same", th_planar_crowd_fertility},
    {"planarization", "crowd-glob", "Six crowds, Glob", "the same", th_planar_crowd_glob},
    {"planarization", "crowd-ball", "Six crowds, distorted sphere", "the same", th_planar_crowd_ball},
    {"planarization", "trends", "Whole trips of growing crowds",
     "deviation grows with the crowd, time and distance hardly change, speed stays near the wanted one",
     th_planar_trends},
    {"planarization", "ring-low", "A ring crosses, light deformation", "no collision; a bottleneck in the middle",
     th_planar_ring_low},
    {"planarization", "ring-strong", "A ring crosses, strong deformation", "no collision; a bottleneck in the middle",
     th_planar_ring_strong},
    {"planarization", "block-low", "A block crosses, light deformation", "no collision; a bottleneck in the middle",
     th_planar_block_low},
    {"planarization", "block-str", "A block crosses, strong deformation", "no collision; a bottleneck in the middle",
     th_planar_block_strong},
    /* The same thesis, in hours instead of minutes */
    TRIPS("bunny", "Stanford Bunny"),
    TRIPS("hepto", "Heptoroid"),
    TRIPS("ferti", "Fertility"),
    TRIPS("glob", "Glob"),
    TRIPS("ball", "distorted sphere"),
/* Popelova, "Steering techniques library for virtual agents", 2011 */
#define X(id, title, text, run) {"steering", id, title, text, run},
    TH_STEER_EXPERIMENTS(X)
#undef X
    /* Rodrigues, "Controle de comportamentos de grupos de personagens virtuais", 2010 */
    {"biocrowds", "T1", "A route against A*", "78.05 m for A* on 1 m cells, 83.60 m along a tree; one run each",
     th_bio_route},
    {"biocrowds", "T8-lanes", "Lanes in counterflow", "lanes form by themselves", th_bio_lanes},
    {"biocrowds", "T8-density", "Speed in dense streams", "people walk slower the denser they stand", th_bio_density},
    {"biocrowds", "T8-door", "A narrow passage", "people clog before a narrow passage", th_bio_door},
    {"biocrowds", "T9", "Cells", "an agent stays in its own cell, so no two collide", th_bio_cells},
    {"biocrowds", "T10", "Thin walls", "obstacles must be wider than 3.35 m, or the tree jumps over them",
     th_bio_thin_walls},
    {"biocrowds", "T11", "Seeds", "paths are never identical", th_bio_seeds},
    {NULL, NULL, NULL, NULL, NULL},
};
