/* engine.c - a game loop: frames of any length, steps of one length, a player whom the engine moves, a door.
 *
 * The world runs in steps of 0.1 s; a frame adds its length to the time that is owed, takes the steps that are due, and
 * draws everyone between the last two places, so that motion is smooth at any frame rate. The engine's own data of a
 * person is in the agent's user pointer.
 */
#include <math.h>
#include <stdio.h>
#include <throng/throng.h>

enum { CROWD = 24 };

typedef struct person {
  float drawn_x, drawn_y; /* where the last frame drew it */
  int visits;
} person;

typedef struct game {
  th_ground *ground;
  th_world *world;
  th_goal_id office, kitchen;
  th_agent_id player;
  person person[CROWD];
  double owed; /* time that has passed and has not been simulated yet [s] */
  int door_moves;
  bool door_open;
} game;

static th_result make_ground(game *g, th_error *error) {
  const th_vec2 house[] = {{0, 0}, {16, 0}, {16, 8}, {0, 8}};
  const th_vec2 upper[] = {{7.9f, 5}, {8.1f, 5}, {8.1f, 8}, {7.9f, 8}},
                lower[] = {{7.9f, 0}, {8.1f, 0}, {8.1f, 3}, {7.9f, 3}};
  const th_vec2 gap[] = {{7.9f, 3}, {8.1f, 3}, {8.1f, 5}, {7.9f, 5}};
  const th_polygon outline = {NULL, house, 4}, wall[] = {{NULL, upper, 4}, {NULL, lower, 4}};
  const th_door door = {{"door", gap, 4}, false};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1;
  def.obstacle = wall, def.obstacle_count = 2;
  def.door = &door, def.door_count = 1;
  return th_ground_make_flat(&def, &g->ground, error);
}

static th_result add_goal(game *g, float x, float y, th_goal_id *goal, th_error *error) {
  th_goal_def def = th_default_goal_def();
  def.shape = th_disc_shape(x, y, 1.5f);
  return th_world_add_goal(g->world, &def, goal, error);
}

/* People go to and fro between the two rooms for ever; the player is moved by us and avoided by all. */
static th_result populate(game *g, th_error *error) {
  th_result result = TH_OK;
  th_agent_def def = th_default_agent_def();
  def.model = &th_model_orca;
  def.route[0].goal = g->kitchen, def.route[1].goal = g->office;
  def.route_count = 2, def.loop = true;
  for (int i = 0; i < CROWD && !result; i++) {
    def.point.x = 1.0f + 0.8f * (float)(i % 6), def.point.y = 1.5f + 1.2f * (float)(i / 6);
    def.user = &g->person[i];
    result = th_world_add_agent(g->world, &def, NULL, error);
  }
  def = th_default_agent_def();
  def.point.x = 12, def.point.y = 2, def.external = true;
  return result ? result : th_world_add_agent(g->world, &def, &g->player, error);
}

static th_result start(game *g, th_error *error) {
  th_world_def def = th_default_world_def();
  th_result result = make_ground(g, error);
  def.ground = g->ground;
  if (!result) result = th_world_make(&def, &g->world, error);
  if (!result) result = add_goal(g, 3, 4, &g->office, error);
  if (!result) result = add_goal(g, 13, 4, &g->kitchen, error);
  g->door_open = true;
  return result ? result : populate(g, error);
}

/* Before each step: the player's place from our own controls, here a round in the right room; the door every 10 s. */
static void before_step(game *g) {
  const float t = (float)th_world_time(g->world), x = 12.0f + cosf(t), y = 2.0f + sinf(t);
  const th_vec3 point = {x, y, 0.0f}, ahead = {-sinf(t), cosf(t), 0.0f};
  th_world_drive_agent(g->world, g->player, point, ahead, ahead, NULL);
  const bool open = fmod(th_world_time(g->world) + 0.05, 20.0) < 10.0;
  if (open == g->door_open) return;
  th_edit edit = {.kind = open ? TH_EDIT_OPEN : TH_EDIT_CLOSE, .name = "door"};
  if (th_world_edit(g->world, &edit, 1, NULL)) return;
  g->door_open = open, g->door_moves++;
  printf("%5.1f s: the door %s\n", th_world_time(g->world), open ? "opens" : "closes");
}

static void after_step(game *g) {
  uint32_t count, lost = 0;
  const th_event *event = th_world_events(g->world, &count);
  for (uint32_t i = 0; i < count; i++) {
    person *who = th_world_has_agent(g->world, event[i].agent) ? th_world_agent_user(g->world, event[i].agent) : NULL;
    if (event[i].kind == TH_EVENT_ARRIVED && who && who->visits++ == 0)
      printf("%5.1f s: agent %u is in the kitchen for the first time\n", th_world_time(g->world), event[i].agent.index);
    lost += event[i].kind == TH_EVENT_UNREACHABLE; /* behind the closed door: they go on when it opens */
  }
  if (lost) printf("%5.1f s: %u find no path\n", th_world_time(g->world), lost);
}

/* `part` of a step has passed since the last one: everyone is drawn so far between the last two places. */
static void draw(game *g, float part) {
  const th_agents a = th_world_agents(g->world);
  for (uint32_t i = 0; i < a.count; i++) {
    person *who = a.user[i];
    if (!who) continue; /* the player: drawn where our controls have it */
    who->drawn_x = a.previous_x[i] + part * (a.x[i] - a.previous_x[i]);
    who->drawn_y = a.previous_y[i] + part * (a.y[i] - a.previous_y[i]);
  }
}

static void frame(game *g, double seconds) {
  const double step = 0.1;
  g->owed += seconds < 0.25 ? seconds : 0.25; /* after a long pause we go on, not catch up */
  for (; g->owed >= step; g->owed -= step) {
    before_step(g);
    th_world_step(g->world);
    after_step(g);
  }
  draw(g, (float)(g->owed / step));
}

int main(void) {
  static const double lengths[] = {1.0 / 60, 1.0 / 60, 1.0 / 30, 1.0 / 144, 1.0 / 60, 0.12}; /* a restless machine */
  game g = {0};
  th_error error;
  if (start(&g, &error)) return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  int frames = 0, visits = 0;
  while (th_world_time(g.world) < 60) frame(&g, lengths[frames++ % 6]);
  for (int i = 0; i < CROWD; i++) visits += g.person[i].visits;
  printf("60 s in %d frames: %d visits, the door moved %d times\n", frames, visits, g.door_moves);
  th_world_free(g.world);
  th_ground_release(g.ground);
  return visits > CROWD ? 0 : 1;
}
