/* apps/throng/validation/table.c - all validation tests, and why some do not hold or stay open. */
#include <stddef.h>
#include <string.h>

#include "validation/lab.h"

#define FORK                                                                                                         \
  "in the crowd some are pushed past the corner where the level path begins, and from there the stairs are better; " \
  "one person alone takes the level path"

#define SCALED                                                                                                         \
  "its thesis scales speeds: a person that is asked to walk at a share x of its wanted speed, as on stairs, walks at " \
  "0.25 + 0.75 x of it"
#define DENSE "made for few people with room between them: in dense crowds its forces hold each other"
#define MARKERS "people need free markers ahead: fewer pass doors and stairs per second, and dense crowds walk slower"
#define EARLY "its forces move people who stand: those who have not set off, and those who wait"
#define DOORS                                                                                               \
  "the limit of 1.33 /m/s, which IMO has too, is one for design; laboratories measured 1.6 to 2.0 /m/s at " \
  "bottlenecks "                                                                                            \
  "of about 1 m (Seyfried 2009), which is our band"

#define DOORS_PRESSED                                                                                                \
  "people who press on a door follow at 0.65 of their time gap; with the whole gap doors pass a tenth less, but so " \
  "do "                                                                                                              \
  "bottlenecks"
#define NECK                                                                                                           \
  "in a neck people keep their gaps one behind the other over its whole length, in two lanes from 0.9 m on; less gap " \
  "would let doors pass too many"
#define ONCOMING                                                                                                  \
  "people who come are not followed, so they slow nobody down; when they counted, 100 against 100 no longer got " \
  "through"
#define TURNED                                                                                                       \
  "people turn round a corner at nearly full speed and change lanes there, with up to 2 m/s2 (`acceleration_max`); " \
  "the "                                                                                                             \
  "band is our own"
#define CORRIDOR                                                                                                     \
  "nobody comes, and the corridor of 2 m passes 1.9 people per metre and second only once the crowd presses on it; " \
  "the "                                                                                                             \
  "limit of 55 s is what a prototype reached"
#define WAITING "who waits makes way for those who leave, and walks back to its place"
#define CARRIED                                                                                                      \
  "where dense streams meet squarely, people of one are carried along by the other for some metres; everybody gets " \
  "out"
#define TOUCHED "people keep 0.2 m off a corner, the least that the band asks: half of the seeds are a hair below"

const th_valid_test th_valid_tests[] = {
    {"rimea.1", "One person along a corridor", "40 m x 2 m at 1.33 m/s: 26 to 34 s", th_valid_corridor, NULL, true,
     NULL},
    {"rimea.2", "Up stairs", "10 m along the slope at the speed given, as test 1", th_valid_stairs_up, NULL, true,
     NULL},
    {"rimea.3", "Down stairs", "10 m along the slope at the speed given, as test 1", th_valid_stairs_down, NULL, true,
     NULL},
    {"rimea.4", "Speed over density, one way (Weidmann)",
     "speed falls with density; Weidmann's curve, capacity 1.225 /m/s at 1.75 /m2", th_valid_one_way, NULL, false,
     "40 m x 4 m with joined ends instead of 1000 m x 10 m with measuring areas, 0.5 to 4 people per m2 instead of up "
     "to "
     "6, 15 s instead of 60 s, free speeds with a spread of 0.26 m/s as Weidmann's people have, where the guideline "
     "has "
     "equal ones"},
    {"rimea.5", "Premovement", "10 people, uniform 10 to 100 s: each starts at its own time", th_valid_premovement,
     NULL, true, NULL},
    {"rimea.6", "Round a corner", "20 people, all arrive, nobody in a wall", th_valid_corner, NULL, true, NULL},
    {"rimea.7", "Speeds of a population", "50 adults, realised speeds as given", th_valid_speeds, NULL, true,
     "one normal distribution for all, no ages"},
    {"rimea.8", "One parameter varied in a house of three storeys", "to be documented; faster people leave sooner",
     th_valid_house, NULL, false, "a house of our own with 96 people instead of the guideline's with 448"},
    {"rimea.9", "A thousand leave a room", "half the doors: about twice as long", th_valid_room, NULL, false, NULL},
    {"rimea.10", "Assigned exits", "23 people of 12 rooms leave by their exits", th_valid_rooms, NULL, false,
     "the corridor is 1.2 m wide instead of 1 m, as wide as its exit"},
    {"rimea.11", "Choice of an exit", "most take the nearer exit, some the other one", th_valid_two_exits, NULL, false,
     "where the doors are in the long wall is not told: a quarter and three quarters along it"},
    {"rimea.12a", "Goal behind a door", "time grows with the goal's distance, then is constant", th_valid_goal_behind,
     NULL, false, "three distances; constant is judged by the flow of the door"},
    {"rimea.12b", "Length of a bottleneck", "5 m slower than 0.2 m", th_valid_long_bottleneck, NULL, false,
     "60 people in Seyfried's room"},
    {"rimea.12c", "Two bottlenecks in a row", "to be documented; the jam is before the first", th_valid_two_bottlenecks,
     NULL, false, NULL},
    {"rimea.12d", "Bottlenecks 0.8 to 1.2 m wide (Seyfried)",
     "flow grows linearly; 1.61 to 1.97 /m/s with 60 people, between them interpolated; 4 to 6 /m2 before it",
     th_valid_bottlenecks, NULL, false, "cells of 0.05 m, so that all walls lie on borders of cells"},
    {"rimea.13", "A hundred on stairs",
     "inside a band of speeds by density, 0.6 to 1.5 /m2 (Fig. 16), down faster than up", th_valid_stairs_crowd, NULL,
     false,
     "the chart ends at 1.5 people per m2 where our stairs hold more, so only the seconds at densities of the chart "
     "are compared; how many these are is told. The chart was digitised by others"},
    {"rimea.14", "Long path or stairs", "to be documented: which path", th_valid_stairs_or_level, NULL, true, NULL},
    {"rimea.15", "Straight, round a corner, farther", "short <= corner <= long", th_valid_corner_crowd, NULL, false,
     NULL},
    {"rimea.16", "Single file", "inside the 10 and 90 % lines of Fig. 20; headway 0.36 + 1.06 v (Seyfried 2005)",
     th_valid_single_file, NULL, false,
     "the guideline's data are not to be had here, so the 10 and 90 % lines are not used: 0.1 m/s to either side of "
     "Seyfried's headways stand for them"},
    {"two-way", "Speed over density, two ways", "two ways carry less than one: about 1.5 and 2.0 /m/s (Zhang)",
     th_valid_two_way, NULL, false, "joined ends; the values are from memory, the abstract has the comparison"},
    {"nist.1.1", "Premovement by a distribution", "uniform, gamma, lognormal, Weibull: Kolmogorov and Smirnov, 5 %",
     th_valid_premovement_kinds, NULL, true, NULL},
    {"nist.2.1", "One person along a corridor", "40 m at 1 m/s, 5 %", th_valid_corridor_nist, NULL, true, NULL},
    {"nist.2.2", "Long stairs", "100 m at 1 m/s, 5 %", th_valid_long_stairs, NULL, true, NULL},
    {"nist.2.3", "Round a corner", "20 people, all arrive, nobody in a wall", th_valid_corner, NULL, true,
     "run as its twin rimea.6"},
    {"nist.2.4", "Speeds of a population", "100 people, normal 1.2 m/s with 0.2 m/s, realised as given",
     th_valid_speeds_nist, NULL, true, "run as its twin rimea.7 with these numbers"},
    {"nist.2.5", "Smoke slows people", "160 s over 100 m", NULL, "smoke is not simulated", false, NULL},
    {"nist.2.6", "Incapacitation", "dose of gases", NULL, "gases are not simulated", false, NULL},
    {"nist.2.7", "Lifts", "to be documented: how long a ride takes", th_valid_lift, NULL, true, NULL},
    {"nist.2.8", "Counterflow", "time grows with the people against, and all get through; most programs lock",
     th_valid_counterflow, NULL, false, NULL},
    {"nist.2.8.hills", "Counterflow on hills", "the same on a surface", th_valid_counterflow_hills, NULL, false,
     "the publication knows no hills"},
    {"nist.2.9", "Groups", "arrive within 10 s of each other", th_valid_friends, NULL, false,
     "four of 1.25 m/s and one of 0.5 m/s among ten others, in a hall of 40 m x 8 m"},
    {"nist.2.10", "Behind somebody slower", "slower than without", th_valid_slow_one, NULL, false, NULL},
    {"nist.3.1", "Assigned exits", "everybody takes the exit assigned", th_valid_rooms, NULL, false,
     "run as its twin rimea.10"},
    {"nist.3.2", "Social influence", "others raise the use of an exit", th_valid_social_influence, NULL, true,
     "20 people and 10 others; `follow` is 0 unless a scene gives it, here 0.5"},
    {"nist.3.3", "Familiar exits", "shares of exits: 50 and 50 % within 10 %; 20 and 80 %: most by the second",
     th_valid_familiar_exits, NULL, true, NULL},
    {"nist.4.1", "An exit closes", "people take another one", th_valid_exit_closes, NULL, true, NULL},
    {"nist.4.1.hills", "An exit closes on hills", "the same on a surface", th_valid_exit_closes_hills, NULL, false,
     "the publication knows no hills"},
    {"nist.5.1", "Congestion", "peak density at the room's exit above that in the corridor", th_valid_congestion, NULL,
     false, "the corridor leads on the level, without stairs at its end, whose foot would jam as well"},
    {"nist.5.2", "Flow of a door of 1 m", "at most 1.33 /m/s; laboratories 1.6 to 2.0", th_valid_door, NULL, false,
     NULL},
    {"nist.5.2.hills", "Flow of a door on hills", "the same on a surface", th_valid_door_hills, NULL, false,
     "the publication knows no hills; the door is 1.1 m wide on the mesh"},
    {"meeting", "Two head on", "none; people hardly slow down", th_valid_meeting, NULL, true, NULL},
    {"time-step", "Time steps of 0.02 to 0.2 s", "none; results must not depend on it", th_valid_time_step, NULL, false,
     NULL},
    {"people.head_on", "Two head on: early, with room between them", "none", th_valid_head_on, NULL, true, NULL},
    {"people.overtaking", "One past a slower one", "none", th_valid_overtaking, NULL, true, NULL},
    {"people.corner", "Alone round a corner", "none", th_valid_corner_alone, NULL, true, NULL},
    {"people.waiting", "25 wait at a point for 40 s", "none", th_valid_waiting, NULL, true, NULL},
    {"people.single_file", "Single file, dense", "0.24 m/s at 1.6 per m by headways; people stop and go",
     th_valid_stop_and_go, NULL, false, NULL},
    {"people.doors", "Doors of 1.2 to 2.4 m", "none that we could read for all widths", th_valid_wide_doors, NULL,
     false, NULL},
    {"people.crossing", "Streams that cross at 45 to 120 degrees", "none; 4 m wide, 3 people per second each for 60 s",
     th_valid_crossing, NULL, false, NULL},
    {"people.raster", "A door of 1 m on several rasters", "none; results must not depend on it", th_valid_rasters, NULL,
     false, NULL},
    {0},
};

typedef struct reason {
  const char *test, *model, *text; /* the first that fits; a test as in the table, or the beginning with a star */
} reason;

static const reason reasons[] = {
    {"rimea.15", "orca", "geodesic paths lead everybody along the inner edge of the corner, where 500 people queue"},
    {"rimea.15", "bvp", "geodesic paths lead everybody along the inner edge of the corner, where 500 people queue"},
    {"rimea.4", "orca",
     "people follow closer under pressure, so flow has its largest value at a higher density than Weidmann's, and a "
     "tenth "
     "more of it; at 4 people per m2 hardly anybody walks at 0.5 m/s: some of these few moments are of turned "
     "shoulders"},
    {"rimea.6", "orca", TURNED},
    {"nist.2.3", "orca", TURNED},
    {"rimea.8", "orca", TURNED},
    {"rimea.12d", "orca", NECK},
    {"rimea.14", "orca", FORK},
    {"rimea.16", "orca", "between ease and pressure people follow a little closer than those of Seyfried 2005"},
    {"two-way", "orca", ONCOMING},
    {"nist.2.8*", "orca", CORRIDOR},
    {"people.waiting", "orca", WAITING},
    {"people.doors", "orca", DOORS_PRESSED},
    {"people.crossing", "orca", CARRIED},
    {"people.corner", "orca", TOUCHED},
    {"people.raster", "orca", "moved by 0.05 m a raster of 0.25 m tells the door by less than three cells"},
    {"rimea.4", "bvp",
     "at 4 people per m2 hardly anybody walks at 0.5 m/s: some of these few moments are of turned shoulders"},
    {"rimea.12d", "bvp", "the narrowest bottleneck passes less per metre than the widest"},
    {"rimea.14", "bvp", FORK},
    {"people.head_on", "bvp",
     "it decides every half second, and who comes is in its map of 15 cells of 0.4 m from 3 m on"},
    {"people.corner", "bvp", "its map has cells of 0.4 m, so it keeps most of a cell off walls where nobody is near"},
    {"people.raster", "bvp", "moved by 0.05 m a raster of 0.25 m tells the door by less than three cells"},
    {"nist.5.2*", "orca", DOORS},
    {"nist.5.2*", "bvp", DOORS},
    {"nist.2.8*", "bvp", "the last one, who is slow, waits before the corridor"},
    {"rimea.14", "steering", FORK},
    {"nist.4.1*", "steering",
     "people who start all at once push each other apart, some past the middle of the room, where the other exit is "
     "nearer"},
    {"nist.2.7", "steering",
     "its forces have sizes in m/s: where people want to walk slowly, the same forces make them run"},
    {"rimea.4", "biocrowds", MARKERS},
    {"rimea.8", "biocrowds", MARKERS},
    {"rimea.12d", "biocrowds", MARKERS},
    {"rimea.13", "biocrowds", MARKERS},
    {"two-way", "biocrowds", MARKERS},
    {"nist.5.2", "biocrowds", MARKERS},
    {"nist.2.8*", "biocrowds",
     "where two crowds meet in a narrow corridor, each owns the markers up to the other: nobody has one ahead, and the "
     "method has no rule by which somebody gives way"},
    {"time-step", "biocrowds", "its counterflow gets nobody through (nist.2.8), so there are no times to compare"},
    {"rimea.14", "biocrowds", FORK},
    {"rimea.2", "steering", SCALED},
    {"rimea.3", "steering", SCALED},
    {"rimea.7", "steering", SCALED},
    {"nist.2.1", "steering", SCALED},
    {"nist.2.2", "steering", SCALED},
    {"nist.2.4", "steering", SCALED},
    {"rimea.5", "steering", EARLY},
    {"nist.1.1", "steering", EARLY},
    {"people.waiting", "steering", EARLY},
    {"rimea.4", "steering", DENSE},
    {"rimea.9", "steering", DENSE},
    {"rimea.12d", "steering", DENSE},
    {"rimea.16", "steering", DENSE},
    {"two-way", "steering", DENSE},
    {"nist.2.8*", "steering", DENSE},
    {"nist.5.*", "steering", DENSE},
    {"people.single_file", "steering", DENSE},
    {"people.doors", "steering", DENSE},
    {"people.crossing", "steering", DENSE},
    {"people.raster", "steering", DENSE},
    {"people.corner", "follow", NULL},
    {"*", "follow", "follow does not look ahead: it walks into others and only parts bodies that touch"},
    {NULL, NULL, NULL},
};

static bool fits(const char *pattern, const char *test) {
  const size_t length = strlen(pattern);
  if (length && pattern[length - 1] == '*') return !strncmp(pattern, test, length - 1);
  return !strcmp(pattern, test);
}

const char *th_valid_reason(const char *test, const char *model) {
  for (const reason *r = reasons; r->test; r++)
    if (fits(r->test, test) && !strcmp(r->model, model)) return r->text;
  return NULL;
}
