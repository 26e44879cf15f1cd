/* apps/throng/validation/table.c - all validation tests, and why some do not hold or stay open. */
#include <stddef.h>
#include <string.h>

#include "validation/lab.h"

#define GROUPS                                                                                           \
  "groups have shapes and leaders, but their members do not wait for each other; only `steering` has a " \
  "means, to follow a leader, and only where a scene asks for it"
#define CHOICE \
  "people take the nearest exit, whatever crowd stands before it; choice by the agents themselves does not exist yet"
#define FORK                                                                                                         \
  "in the crowd some are pushed past the corner where the level path begins, and from there the stairs are better; " \
  "one person alone takes the level path"

const th_valid_test th_valid_tests[] = {
    {"rimea.1", "One person along a corridor", "40 m x 2 m at 1.33 m/s: 26 to 34 s", th_valid_corridor, NULL, true},
    {"rimea.2", "Up stairs", "10 m along the slope at the speed given, 5 %", th_valid_stairs_up, NULL, true},
    {"rimea.3", "Down stairs", "10 m along the slope at the speed given, 5 %", th_valid_stairs_down, NULL, true},
    {"rimea.4", "Speed over density, one way (Weidmann)",
     "speed falls with density; Weidmann's curve, capacity 1.225 /m/s at 1.75 /m2", th_valid_one_way, NULL, false},
    {"rimea.5", "Premovement", "10 people, uniform 10 to 100 s: each starts at its own time", th_valid_premovement,
     NULL, true},
    {"rimea.6", "Round a corner", "20 people, all arrive, nobody in a wall", th_valid_corner, NULL, true},
    {"rimea.7", "Speeds of a population", "50 adults, realised speeds as given", th_valid_speeds, NULL, true},
    {"rimea.8", "One parameter varied in a house of three storeys", "to be documented; faster people leave sooner",
     th_valid_house, NULL, false},
    {"rimea.9", "A thousand leave a room", "half the doors: about twice as long", th_valid_room, NULL, false},
    {"rimea.10", "Assigned exits", "23 people of 12 rooms leave by their exits", th_valid_rooms, NULL, false},
    {"rimea.11", "Choice of an exit", "most take the nearer exit, some the other one", NULL, CHOICE, false},
    {"rimea.12a", "Goal behind a door", "time constant beyond some distance", th_valid_goal_behind, NULL, false},
    {"rimea.12b", "Length of a bottleneck", "5 m slower than 0.2 m", th_valid_long_bottleneck, NULL, false},
    {"rimea.12c", "Two bottlenecks in a row", "the jam is before the first", th_valid_two_bottlenecks, NULL, false},
    {"rimea.12d", "Bottlenecks 0.8 to 1.2 m wide (Seyfried)",
     "flow grows linearly; 1.61 to 1.97 /m/s with 60 people; 4 to 6 /m2 before it", th_valid_bottlenecks, NULL, false},
    {"rimea.13", "A hundred on stairs", "0.46 to 1.0 m/s by density, down faster than up", th_valid_stairs_crowd, NULL,
     false},
    {"rimea.14", "Long path or stairs", "to be documented: which path", th_valid_stairs_or_level, NULL, true},
    {"rimea.15", "Straight, round a corner, farther", "short <= corner <= long", th_valid_corner_crowd, NULL, false},
    {"rimea.16", "Single file", "headway 0.36 + 1.06 v (Seyfried 2005); speed falls with density", th_valid_single_file,
     NULL, false},
    {"two-way", "Speed over density, two ways", "capacity about 1.5 /m/s where one way has 2.0 (Zhang)",
     th_valid_two_way, NULL, false},
    {"nist.1.1", "Premovement by a distribution", "uniform, gamma, lognormal, Weibull: Kolmogorov and Smirnov, 5 %",
     th_valid_premovement_kinds, NULL, true},
    {"nist.2.1", "One person along a corridor", "40 m at 1 m/s, 5 %", th_valid_corridor_nist, NULL, true},
    {"nist.2.2", "Long stairs", "100 m at 1 m/s, 5 %", th_valid_long_stairs, NULL, true},
    {"nist.2.5", "Smoke slows people", "160 s over 100 m", NULL, "smoke is not simulated", false},
    {"nist.2.6", "Incapacitation", "dose of gases", NULL, "gases are not simulated", false},
    {"nist.2.7", "Lifts", "to be documented: how long a ride takes", th_valid_lift, NULL, true},
    {"nist.2.8", "Counterflow", "time grows with the people against; most programs lock", th_valid_counterflow, NULL,
     false},
    {"nist.2.8.hills", "Counterflow on hills", "the same on a surface", th_valid_counterflow_hills, NULL, false},
    {"nist.2.9", "Groups", "arrive within 10 s of each other", NULL, GROUPS, false},
    {"nist.2.10", "Behind somebody slower", "slower than without", th_valid_slow_one, NULL, false},
    {"nist.3.2", "Social influence", "others raise the use of an exit", NULL, CHOICE, false},
    {"nist.3.3", "Familiar exits", "shares of exits", NULL, CHOICE, false},
    {"nist.4.1", "An exit closes", "people take another one", th_valid_exit_closes, NULL, true},
    {"nist.4.1.hills", "An exit closes on hills", "the same on a surface", th_valid_exit_closes_hills, NULL, false},
    {"nist.5.2", "Flow of a door of 1 m", "at most 1.33 /m/s; laboratories 1.6 to 2.0", th_valid_door, NULL, false},
    {"nist.5.2.hills", "Flow of a door on hills", "the same on a surface", th_valid_door_hills, NULL, false},
    {"meeting", "Two head on", "none; people hardly slow down", th_valid_meeting, NULL, true},
    {"time-step", "Time steps of 0.02 to 0.2 s", "none; results must not depend on it", th_valid_time_step, NULL,
     false},
    {0},
};

typedef struct reason {
  const char *test, *model, *text; /* test and model: beginning of their names; "" = all */
} reason;

static const reason reasons[] = {
    {"rimea.15", "orca", "geodesic paths lead everybody along the inner edge of the corner, where 500 people queue"},
    {"rimea.15", "bvp", "geodesic paths lead everybody along the inner edge of the corner, where 500 people queue"},
    {"rimea.4", "bvp",
     "at 4 people per m2 hardly anybody walks at 0.5 m/s: some of these few moments are of turned shoulders"},
    {"rimea.12d", "bvp", "the narrowest bottleneck passes less per metre than the widest"},
    {"rimea.14", "bvp", FORK},
    {"nist.2.8", "bvp", "the last one, who is slow, waits before the corridor"},
    {"rimea.14", "steering", FORK},
    {"nist.4.1", "steering",
     "people who start all at once push each other apart, some past the middle of the room, where the other exit is "
     "nearer"},
    {"nist.2.7", "steering",
     "its forces have sizes in m/s: where people want to walk slowly, the same forces make them run"},
    {"rimea.8", "biocrowds", "people need free markers ahead: fewer pass doors and stairs per second"},
    {"rimea.14", "biocrowds", FORK},
    {"", "steering", "made for few people with room between them: in dense crowds its forces hold each other"},
    {"", "follow", "follow does not look ahead: it walks into others and only parts bodies that touch"},
    {NULL, NULL, NULL},
};

const char *th_valid_reason(const char *test, const char *model) {
  for (const reason *r = reasons; r->test; r++)
    if (!strncmp(r->test, test, strlen(r->test)) && !strncmp(r->model, model, strlen(r->model))) return r->text;
  return NULL;
}
