/* model/steering/table.c - the table of the model `steering`: every parameter with its range, default and a sentence.
 *
 * Names begin with the steering that they belong to. Numbers of the thesis are divided by 100 (cm_UT and N_UT to m and
 * m/s) and multiplied by 0.25 s (ticks).
 */
#include "model/steering/table.h"

#include "model/steering/trace.h"

#define AT(member) (uint32_t) offsetof(th_steering_params, member)
#define NUMBER(name, member, unit, min, max, initial, text) \
  { name, TH_PARAM_FLOAT, AT(member), unit, min, max, initial, text, NULL }
#define WHOLE(name, member, min, max, initial, text) \
  { name, TH_PARAM_INT, AT(member), "", min, max, initial, text, NULL }
#define SWITCH(name, member, initial, text) \
  { name, TH_PARAM_BOOL, AT(member), "", 0, 1, initial, text, NULL }
#define PICK(name, member, choices, text) \
  { name, TH_PARAM_ENUM, AT(member), "", 0, 0, 0, text, choices }
#define CLASSIC(name, which, text) NUMBER(name, classic.weight[TH_CLASSIC_##which], "", 0, 10, 0, "weight: " text)
#define WEIGHT(name, member) NUMBER(name, member, "", 0, 10, 1, "weight of its force")

static const char *const sides[] = {"random", "right", "left", NULL};
static const char *const readings[] = {"repaired", "printed", NULL};
static const char *const path_readings[] = {"repaired", "printed", "uncapped", NULL};
static const char *const targets[] = {"guide", "place", "link", "none", NULL};
static const char *const types[] = {"basic", "formation", NULL};
static const char *const characters[] = {"own",     "dominant",  "shy",   "friend", "thoughtful", "old",
                                         "hurried", "intrusive", "aloof", "crowd",  "individual", NULL};

static const th_param params[] = {
    NUMBER("period", period, "s", 0, 10, 0.25, "time between decisions; 0: every step"),
    NUMBER("multiplier", multiplier, "", 0, 20, 1, "factor of the resulting speed; 3 makes an agent run"),
    NUMBER("sight", sight, "m", 0.1, 50, 10, "how far people and links are seen"),
    PICK("side", side, sides, "which side to take where nothing decides it"),
    SWITCH("adapt", adapt, 1,
           "where the guide gives the target: rays and distances at most as long as its path is wide"),

    SWITCH("obstacle", obstacle.on, 1, "obstacle avoidance is on"),
    WEIGHT("obstacle_weight", obstacle.weight),
    NUMBER("obstacle_force", obstacle.force, "m/s", 0, 20, 2.4, "push of a ray that is half buried"),
    WHOLE("obstacle_order", obstacle.order, 1, 10, 1, "how sharply the push grows towards the wall"),
    SWITCH("obstacle_front", obstacle.front, 1, "turns along a wall that is met head-on"),
    SWITCH("obstacle_tree", obstacle.tree, 1, "passes narrow round obstacles on the near side"),
    NUMBER("obstacle_front_ray", obstacle.front_ray, "m", 0.1, 50, 6.25, "length of the rays ahead and 15 degrees off"),
    NUMBER("obstacle_side_ray", obstacle.side_ray, "m", 0.1, 50, 2, "length of the rays to the sides"),

    SWITCH("people", people.on, 1, "people avoidance is on"),
    WEIGHT("people_weight", people.weight),
    NUMBER("people_force", people.force, "m/s", 0, 10, 2, "repulsion of somebody very near"),
    NUMBER("people_distance", people.distance, "m", 0.5, 20, 3, "distance to keep; about 2 in crowded places"),
    SWITCH("people_circumvention", people.circumvention, 1, "walks round whoever will be in the way"),
    NUMBER("people_projection", people.projection, "s", 0, 7.5, 4, "how far ahead encounters are seen"),
    SWITCH("people_deceleration", people.deceleration, 1, "slows down for whoever will cross first"),
    SWITCH("people_acceleration", people.acceleration, 1, "hurries where it will cross first"),
    WHOLE("people_nearest", people.nearest, 1, TH_MAX_NEAREST, 10,
          "at how many an agent looks at most: the nearest in sight"),
    PICK("people_reading", people.reading, readings, "how soon is now: (P - t)/(P - tick), or printed (P - t)/P"),
    PICK("people_character", people.character, characters, "settings of a character, in place of those above"),

    SWITCH("target", target.on, 1, "target approaching is on"),
    WEIGHT("target_weight", target.weight),
    NUMBER("target_force", target.force, "m/s", 0, 10, 1, "pull of the target"),
    PICK("target_by", target.by, targets, "where the target is: of the guide, a place, a link, or only a list"),
    NUMBER("target_stop", target.stop, "m", 0, 100, 1.5, "stops within this distance"),
    {"target_place", TH_PARAM_PLACE, AT(target.place), "m", -1e6, 1e6, 0, "target by place", NULL},
    {"targets", TH_PARAM_POINTS, AT(target.targets), "m", -1e6, 1e6, TH_STEERING_TARGETS,
     "further targets that pull or repel by distance", NULL},
    {"target_functions", TH_PARAM_POINTS, AT(target.functions), "m, m/s", -1e6, 1e6, TH_STEERING_BREAKS,
     "their forces: distance, force, 1 if it goes on straight to the next; a smaller distance begins the next target's",
     NULL},

    SWITCH("path", path.on, 0, "path following is on"),
    WEIGHT("path_weight", path.weight),
    NUMBER("path_force", path.force, "m/s", 0, 10, 2, "push back into the corridor"),
    NUMBER("path_distance", path.distance, "m", 0, 10, 4, "half width of the corridor"),
    NUMBER("path_projection", path.projection, "s", 0, 12.5, 3.75, "how far ahead the corridor is checked"),
    NUMBER("path_regulation", path.regulation, "m/s", 0, 20, 0.5, "force along the path"),
    NUMBER("path_stop", path.stop, "m", 0, 100, 1.5, "stops within this distance of the end"),
    PICK("path_reading", path.reading, path_readings, "force outside: F min(2, x), printed F min(0, x), or F x"),

    SWITCH("wall", wall.on, 0, "wall following is on"),
    WEIGHT("wall_weight", wall.weight),
    NUMBER("wall_force", wall.force, "m/s", 0, 10, 1, "attraction and repulsion of the wall"),
    WHOLE("wall_order", wall.order, 1, 10, 1, "how sharply they grow"),
    NUMBER("wall_attract", wall.attract, "", 0, 10, 1, "weight of the attraction"),
    NUMBER("wall_repel", wall.repel, "", 0, 10, 1, "weight of the repulsion"),
    NUMBER("wall_concave", wall.concave, "", 0, 10, 1, "weight of turning round an outer corner of a building"),
    NUMBER("wall_convex", wall.convex, "", 0, 10, 1, "weight of turning away in an inner corner of a room"),
    SWITCH("wall_my_side", wall.my_side, 1, "ignores walls on the side that is not followed"),
    SWITCH("wall_front", wall.front, 1, "turns along a wall that is met head-on"),
    NUMBER("wall_ray", wall.ray, "m", 0.1, 25, 3, "length of the side rays; walks at half of it from the wall"),

    SWITCH("leader", leader.on, 0, "leader following is on"),
    WEIGHT("leader_weight", leader.weight),
    NUMBER("leader_force", leader.force, "m/s", 0, 10, 2, "pull to the wanted place"),
    NUMBER("leader_distance", leader.distance, "m", 0.3, 20, 3, "distance to the leader"),
    NUMBER("leader_force_distance", leader.force_distance, "m", 0.01, 20, 0.5, "excess at which the pull has its size"),
    PICK("leader_type", leader.type, types, "keeps a distance, or a place in a formation"),
    NUMBER("leader_angle", leader.angle, "degrees", -180, 180, 180, "place: 0 ahead, 90 right, -90 left, 180 behind"),
    SWITCH("leader_memory", leader.memory, 1, "formation: goes by the leader's mean velocity"),
    WHOLE("leader_memory_size", leader.memory_size, 0, TH_STEER_MEMORY, 5, "how many velocities the mean has"),
    SWITCH("leader_circumvention", leader.circumvention, 1, "formation: runs round the leader"),
    SWITCH("leader_deceleration", leader.deceleration, 1, "basic: slows down instead of walking back"),
    PICK("leader_reading", leader.reading, readings, "repulsion: F ((D - d)/D)^2, or printed F (d/D)^2"),

    SWITCH("along", along.on, 0, "walk along is on"),
    WEIGHT("along_weight", along.weight),
    NUMBER("along_force", along.force, "m/s", 0, 10, 2, "size of its forces"),
    NUMBER("along_distance", along.distance, "m", 0, 20, 5, "distance to the partner"),
    SWITCH("along_give_way", along.give_way, 1, "makes room to the side"),
    SWITCH("along_wait", along.wait, 1, "waits for a partner who is far behind"),
    NUMBER("along_stop", along.stop, "m", 0, 100, 2, "stops within this distance of its place beside the target"),
    PICK("along_reading", along.reading, readings, "lead in units of 5 m, or printed of 1 cm"),

    CLASSIC("seek", SEEK, "straight at the target"),
    CLASSIC("flee", FLEE, "straight away from the target"),
    CLASSIC("arrival", ARRIVAL, "at the target, slower within classic_radius"),
    CLASSIC("pursuit", PURSUIT, "at where the target will be"),
    CLASSIC("offset_pursuit", OFFSET_PURSUIT, "at a place beside where the target will be"),
    CLASSIC("evasion", EVASION, "away from where the target will be"),
    CLASSIC("wander", WANDER, "on a random course"),
    CLASSIC("flow", FLOW, "along the guide"),
    CLASSIC("containment", CONTAINMENT, "away from the wall ahead"),
    CLASSIC("unaligned", UNALIGNED, "aside for whom it would come too near"),
    CLASSIC("interpose", INTERPOSE, "between target and partner"),
    CLASSIC("hide", HIDE, "behind a wall from the target"),
    CLASSIC("separation", SEPARATION, "away from people within classic_radius"),
    CLASSIC("cohesion", COHESION, "to the middle of people in sight"),
    CLASSIC("alignment", ALIGNMENT, "as people in sight walk on average"),
    CLASSIC("flocking", FLOCKING, "separation, cohesion and alignment"),
    CLASSIC("queuing", QUEUING, "waits behind whoever is ahead"),
    NUMBER("classic_radius", classic.radius, "m", 0, 50, 2, "of arrival, offset, separation, near misses and queues"),
    NUMBER("classic_angle", classic.angle, "degrees", -180, 180, 180, "of offset pursuit, positive to the right"),
    NUMBER("classic_time", classic.time, "s", 0.01, 10, 2, "how far ahead pursuit and avoidance look"),
    NUMBER("classic_wander", classic.wander, "degrees", 0, 180, 20, "how far a decision may change a random course"),

    NUMBER("behave_weight", behave_weight, "", 0, 10, 1, "weight of the host's own steering"),
};

th_steering_params th_default_steering_params(void) {
  th_steering_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(params, sizeof params / sizeof *params, &values);
  return values;
}

static const th_pass passes[] = {
    {"steer", TH_OVER_VIEWS,
     TH_SEE_NEAREST | TH_SEE_IN_SIGHT | TH_SEE_WALLS | TH_SEE_CLEARANCE | TH_SEE_LINKS | TH_SEE_BODY | TH_SEE_PATH,
     th_steering_decide}};

const th_model th_model_steering = {
    .name = "steering",
    .summary = "blends the forces of steerings: avoids, approaches, follows, walks along",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_steering_params),
    .state_size = offsetof(th_steering_state, memory),
    .state_bytes = th_steering_state_bytes,
    .scratch_size = sizeof(th_steer_scratch),
    .reach = th_steering_reach,
    .nearest = th_steering_nearest,
    .period = th_steering_period,
    .together = true,
    .alone = true,
    .needs = th_steering_needs,
    .pass = passes,
    .pass_count = 1,
    .trace = th_steering_trace,
    .trace_count = TH_STEERING_TRACES,
};
