/* io/scene/events/act_keys.c - the rows of the vocabulary as keys of an event.
 *
 * The list in acts.h gives each row its key, its links and what makes it happen; the objects that only events hold have
 * their tables here. Pure data, but for the checks of what one object holds.
 */
#include <math.h>
#include <string.h>

#include "io/scene/events/events.h"
#include "io/scene/key_rows.h"
#include "io/scene/write/write.h"

/* ---------------------------------------------------------------- whom */

static const char *const whom_one_of[] = {"population", "agents", "group", "region", NULL};
static const th_key whom_key[] = {
    KEY("population", TH_KEY_TEXT, th_scene_whom, population, LOW, HIGH, 0, "", "all of a population, by its name"),
    MANY("agents", TH_KEY_WHOLES, th_scene_whom, agent, agent_count, 1, 67108864, 0, "",
         "or these, by the indices of their ids"),
    KEY("group", TH_KEY_TEXT, th_scene_whom, group, LOW, HIGH, 0, "", "or the members of a group, by its name"),
    PART("region", th_scene_whom, region, &th_scene_area_shape_table, 0, "or all who are inside at that moment"),
};
static const th_table th_scene_whom_table = {
    PLAIN_TABLE("whom", "Agents that an event means.", whom_key, th_scene_whom), whom_one_of, NULL, NULL};

/* ---------------------------------------------------------------- parts */

static const th_key move_key[] = {
    KEY("goal", TH_KEY_TEXT, th_scene_move, goal, LOW, HIGH, TH_KEY_NEEDED, "", "its name"),
    WITH(th_scene_move, shape, &th_scene_goal_shape_table),
};
static const th_table th_scene_move_table = {PLAIN_TABLE("move", "A goal and its new shape.", move_key, th_scene_move),
                                             NULL, NULL, NULL};

static const th_key change_key[] = {
    WITH(th_scene_change, whom, &th_scene_whom_table),
    WITH(th_scene_change, crowd, &th_scene_crowd_table),
};
static th_result change_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_scene_change *change = object;
  if (change->crowd.given == 0) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a key to change beside the population, found none");
  }
  if (json_object_get(json, "params") && !json_object_get(json, "model")) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the key \"model\" beside \"params\", found none");
  }
  return TH_OK;
}
static const th_table th_scene_change_table = {
    PLAIN_TABLE("change", "Agents and what is new about them.", change_key, th_scene_change), NULL, NULL, change_check};

static th_result check_as_many(th_scene_reader *reader, const char *key, uint32_t count, uint32_t agents) {
  if (count == agents) return TH_OK;
  th_reader_enter(reader, key);
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected as many as there are agents, %u, found %u", agents,
                        count);
}

#define AGENTS(s) \
  MANY("agents", TH_KEY_WHOLES, s, agent, agent_count, 1, 67108864, TH_KEY_NEEDED, "", "by the indices of their ids")
#define POINTS KEY("points", TH_KEY_POINTS, th_scene_drive, point, 1, HIGH, TH_KEY_NEEDED, "m", "where each of them is")
static const th_key place_key[] = {AGENTS(th_scene_drive), POINTS};
static th_result place_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_scene_drive *place = object;
  (void)json;
  return check_as_many(reader, "points", place->point.count, place->agent_count);
}
static const th_table th_scene_place_table = {
    PLAIN_TABLE("place", "Agents and their new places.", place_key, th_scene_drive), NULL, NULL, place_check};

static const th_key drive_key[] = {
    AGENTS(th_scene_drive),
    POINTS,
    KEY("velocities", TH_KEY_POINTS, th_scene_drive, velocity, 1, HIGH, 0, "m/s", "of each; default 0"),
    KEY("headings", TH_KEY_POINTS, th_scene_drive, heading, 1, HIGH, 0, "",
        "of each, of any length; default as before"),
};
static th_result drive_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_scene_drive *drive = object;
  th_result result = place_check(reader, json, object);
  if (!result && drive->velocity.count)
    result = check_as_many(reader, "velocities", drive->velocity.count, drive->agent_count);
  if (!result && drive->heading.count)
    result = check_as_many(reader, "headings", drive->heading.count, drive->agent_count);
  return result;
}
static const th_table th_scene_drive_table = {
    PLAIN_TABLE("drive", "External agents and how they move.", drive_key, th_scene_drive), NULL, NULL, drive_check};

static const th_key accept_key[] = {
    {"points", TH_KEY_POINTS, 0, 0, 0, HIGH, NULL, NULL, TH_KEY_NEEDED, "m",
     "of all agents, in the order of their rows"},
};
static const th_table th_scene_accept_table = {
    PLAIN_TABLE("accept", "Where the host has moved all agents.", accept_key, th_scene_points), NULL, NULL, NULL};

static const th_key push_key[] = {
    WITH(th_scene_push, whom, &th_scene_whom_table),
    KEY("velocity", TH_KEY_TRIPLE, th_scene_push, velocity, -100, 100, TH_KEY_NEEDED, "m/s",
        "[x, y, z]; on a mesh its part along the ground counts"),
};
static const th_table th_scene_push_table = {PLAIN_TABLE("push", "Agents and a velocity.", push_key, th_scene_push),
                                             NULL, NULL, NULL};

static const th_key send_key[] = {
    WITH(th_scene_send, whom, &th_scene_whom_table),
    KEY("point", TH_KEY_POINT, th_scene_send, point, LOW, HIGH, TH_KEY_NEEDED, "m", "where each of them goes"),
};
static const th_table th_scene_send_table = {PLAIN_TABLE("send", "Agents and a point.", send_key, th_scene_send), NULL,
                                             NULL, NULL};

static const char *const role_names[] = {"leader", "partner", "target", "focus", "pursuer", NULL};
static const char *const link_one_of[] = {"agent", "point", NULL};
static const th_key link_to_key[] = {
    PICK("role", th_scene_link_to, role, role_names, TH_KEY_NEEDED, "what the agent or point is for them"),
    KEY("agent", TH_KEY_COUNT, th_scene_link_to, agent, 1, 67108864, 0, "", "by the index of its id"),
    KEY("point", TH_KEY_POINT, th_scene_link_to, point, LOW, HIGH, 0, "m", "or a point instead of an agent"),
};
static const th_table link_to = {PLAIN_TABLE("link", "One link.", link_to_key, th_scene_link_to), link_one_of, NULL,
                                 NULL};
static const th_key relink_key[] = {
    WITH(th_scene_relink, whom, &th_scene_whom_table),
    LIST("links", th_scene_relink, link, link_count, &link_to, TH_KEY_NEEDED,
         "what they know from then on, up to eight"),
};
static const th_table th_scene_relink_table = {
    PLAIN_TABLE("relink", "Agents and what they know.", relink_key, th_scene_relink), NULL, NULL, NULL};

static const th_key deform_key[] = {
    MANY("vertices", TH_KEY_WHOLES, th_scene_deform, vertex, vertex_count, 0, 2147483647.0, TH_KEY_NEEDED, "",
         "of the mesh, counted from 0"),
    KEY("points", TH_KEY_POINTS, th_scene_deform, point, 1, HIGH, TH_KEY_NEEDED, "m", "where each of them is"),
};
static th_result deform_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_scene_deform *deform = object;
  (void)json;
  if (deform->point.count == deform->vertex_count) return TH_OK;
  th_reader_enter(reader, "points");
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected as many as there are vertices, %u, found %u",
                        deform->vertex_count, deform->point.count);
}
static const th_table th_scene_deform_table = {
    PLAIN_TABLE("deform", "Vertices and where they are.", deform_key, th_scene_deform), NULL, NULL, deform_check};

/* ---------------------------------------------------------------- the table of events */

#define KEY_NAME(n, of, t) KEY(#n, TH_KEY_TEXT, th_scene_event, name, LOW, HIGH, 0, "", t),
#define KEY_PART(n, of, t) PART(#n, th_scene_event, part, &th_scene_##of##_table, TH_KEY_AWAY, t),
#define KEY_NUMBER(n, of, t) KEY_IN_RANGE(n, t, TH_ACT_RANGE_##of)
#define KEY_IN_RANGE(n, t, ...) KEY_IN(n, t, __VA_ARGS__)
#define KEY_IN(n, t, lo, hi, u) KEY(#n, TH_KEY_FLOAT, th_scene_event, number, lo, hi, 0, u, t),
#define X(act, name, value, of, text) KEY_##value(name, of, text)
static const th_key event_key[] = {KEY("at", TH_KEY_FLOAT, th_scene_event, at, 0, 1e9, 0, "s",
                                       "when it happens: before the step that begins then or next"),
                                   KEY("step", TH_KEY_COUNT, th_scene_event, step, 0, 4294967294.0, 0, "",
                                       "or the number of steps after which it happens, before events with a time"),
                                   TH_ACTS(X)};
#undef X

#define X(act, name, value, of, text) #name,
static const char *const acts[] = {TH_ACTS(X) NULL};
#undef X

#define ROW_NAME(n, of) {#n, TH_NAMED_##of, NULL, th_act_##n},
#define ROW_PART(n, of) {#n, TH_NAMED_NONE, th_act_link_##n, th_act_##n},
#define ROW_NUMBER(n, of) {#n, TH_NAMED_NONE, NULL, th_act_##n},
#define X(act, name, value, of, text) ROW_##value(name, of)
const th_act_row th_act_rows[TH_ACT_COUNT] = {{"", TH_NAMED_NONE, NULL, NULL}, TH_ACTS(X)};
#undef X

static void event_init(void *object) {
  *(th_scene_event *)object = (th_scene_event){.at = -1.0f, .step = TH_NO_INDEX, .index = TH_NO_INDEX};
}

/* What happens by hand happens now. */
static th_result check_time(th_scene_reader *reader, const th_scene_event *event) {
  const bool timed = event->at >= 0.0f, stepped = event->step != TH_NO_INDEX;
  if (reader->run && (timed || stepped)) {
    th_reader_enter(reader, timed ? "at" : "step");
    return th_reader_fail(reader, TH_ERROR_FORMAT, true,
                          "expected an event without \"at\" and \"step\": it happens before the next step");
  }
  if (reader->run || timed != stepped) return TH_OK;
  return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                        "expected the key \"at\" (when it happens) or \"step\", found %s", timed ? "both" : "none");
}

const char *th_act_made(const th_scene_event *event, th_named *kind) {
  static const th_named of[TH_ACT_COUNT] = {
      [TH_ACT_ADD] = TH_NAMED_OBSTACLE,     [TH_ACT_OBSTACLE] = TH_NAMED_OBSTACLE, [TH_ACT_GOAL] = TH_NAMED_GOAL,
      [TH_ACT_GUIDE] = TH_NAMED_GUIDE,      [TH_ACT_SOURCE] = TH_NAMED_SOURCE,     [TH_ACT_GROUP] = TH_NAMED_GROUP,
      [TH_ACT_ENTER] = TH_NAMED_POPULATION, [TH_ACT_DOOR] = TH_NAMED_DOOR,         [TH_ACT_CHOICE] = TH_NAMED_CHOICE};
  *kind = of[event->act];
  return *kind == TH_NAMED_NONE ? NULL : event->name;
}

/* The name of what an event is about. */
static const char *name_in(const th_scene_event *event) {
  switch (event->act) {
    case TH_ACT_ADD:
    case TH_ACT_OBSTACLE:
    case TH_ACT_DOOR:
      return event->area->name;
    case TH_ACT_MOVE:
      return event->move->goal;
    case TH_ACT_CHANGE:
      return event->change->whom.population;
    case TH_ACT_GROUP:
      return event->group->name;
    case TH_ACT_ENTER:
      return event->enter->name;
    case TH_ACT_GOAL:
      return event->goal->name;
    case TH_ACT_CHOICE:
      return event->choice->name;
    case TH_ACT_GUIDE:
      return event->guide->name;
    case TH_ACT_SOURCE:
      return event->source->name;
    default:
      return event->name;
  }
}

static th_result event_check(th_scene_reader *reader, const json_t *json, void *object) {
  th_scene_event *event = object;
  for (int32_t i = 0; acts[i]; i++) {
    if (json_object_get(json, acts[i])) event->act = i + 1;
  }
  event->name = name_in(event);
  th_result result = check_time(reader, event);
  if (result) return result;
  const bool nameless = event->act == TH_ACT_GROUP || event->act == TH_ACT_OBSTACLE;
  if (nameless && !event->name)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the key \"name\" in the %s, found none",
                          acts[event->act - 1]);
  return TH_OK;
}

/* Values of all acts that are names, or parts, share one place. */
static bool event_hides(const void *object, const th_key *key) {
  const int32_t act = ((const th_scene_event *)object)->act;
  for (int32_t i = 0; acts[i]; i++)
    if (strcmp(acts[i], key->name) == 0) return i + 1 != act;
  return false;
}
static uint32_t event_order(const void *object) { return ((const th_scene_event *)object)->order; }
static const th_table_writing event_writing = {.hides = event_hides, .order = event_order, .more = th_write_episode};
const th_table th_scene_event_table = {"event",
                                       "Something that happens at a time.",
                                       event_key,
                                       COUNT_OF(event_key),
                                       sizeof(th_scene_event),
                                       UINT32_MAX,
                                       &event_writing,
                                       NULL,
                                       acts,
                                       event_init,
                                       event_check};
