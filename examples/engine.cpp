/* engine.cpp - the game loop of engine.c from C++: a world that frees itself, people as objects of the game. */
#include <throng/throng.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct person {
  float drawn_x = 0, drawn_y = 0;
  int visits = 0;
};

struct release {
  void operator()(th_world *world) const { th_world_free(world); }
  void operator()(th_ground *ground) const { th_ground_release(ground); }
};

static void check(th_result result, const th_error &error) {
  if (result != TH_OK) throw std::runtime_error(std::string(error.where) + ": " + error.text);
}

class game {
 public:
  game() : people_(24) {
    th_world_def def = th_default_world_def();
    def.ground = make_ground();
    ground_.reset(def.ground);
    th_world *world = nullptr;
    check(th_world_make(&def, &world, &error_), error_);
    world_.reset(world);
    populate(add_goal(3, 4), add_goal(13, 4));
  }

  /* Takes the steps that are due, then draws everyone between the last two places. */
  void frame(double seconds) {
    constexpr double step = 0.1;
    for (owed_ += std::fmin(seconds, 0.25); owed_ >= step; owed_ -= step) {
      before_step();
      th_world_step(world_.get());
      after_step();
    }
    draw(static_cast<float>(owed_ / step));
  }

  double time() const { return th_world_time(world_.get()); }
  int door_moves() const { return door_moves_; }
  int visits() const {
    int sum = 0;
    for (const person &p : people_) sum += p.visits;
    return sum;
  }

 private:
  th_ground *make_ground() {
    const th_vec2 house[] = {{0, 0}, {16, 0}, {16, 8}, {0, 8}};
    const th_vec2 upper[] = {{7.9f, 5}, {8.1f, 5}, {8.1f, 8}, {7.9f, 8}};
    const th_vec2 lower[] = {{7.9f, 0}, {8.1f, 0}, {8.1f, 3}, {7.9f, 3}};
    const th_vec2 gap[] = {{7.9f, 3}, {8.1f, 3}, {8.1f, 5}, {7.9f, 5}};
    const th_polygon outline = {nullptr, house, 4}, wall[] = {{nullptr, upper, 4}, {nullptr, lower, 4}};
    const th_door door = {{"door", gap, 4}, false};
    th_flat_def def = th_default_flat_def();
    def.outline = &outline, def.outline_count = 1;
    def.obstacle = wall, def.obstacle_count = 2;
    def.door = &door, def.door_count = 1;
    th_ground *ground = nullptr;
    check(th_ground_make_flat(&def, &ground, &error_), error_);
    return ground;
  }

  th_goal_id add_goal(float x, float y) {
    th_goal_def def = th_default_goal_def();
    def.shape = th_disc_shape(x, y, 1.5f);
    th_goal_id goal = TH_NULL_GOAL;
    check(th_world_add_goal(world_.get(), &def, &goal, &error_), error_);
    return goal;
  }

  void populate(th_goal_id office, th_goal_id kitchen) {
    th_agent_def def = th_default_agent_def();
    def.model = &th_model_orca;
    def.route[0].goal = kitchen, def.route[1].goal = office;
    def.route_count = 2, def.loop = true;
    for (size_t i = 0; i < people_.size(); i++) {
      def.point.x = 1.0f + 0.8f * static_cast<float>(i % 6), def.point.y = 1.5f + 1.2f * static_cast<float>(i / 6);
      def.user = &people_[i];
      check(th_world_add_agent(world_.get(), &def, nullptr, &error_), error_);
    }
    def = th_default_agent_def();
    def.point.x = 12, def.point.y = 2, def.external = true;
    check(th_world_add_agent(world_.get(), &def, &player_, &error_), error_);
  }

  void before_step() {
    const float t = static_cast<float>(time()), x = 12.0f + std::cos(t), y = 2.0f + std::sin(t);
    const th_vec3 point = {x, y, 0.0f}, ahead = {-std::sin(t), std::cos(t), 0.0f};
    th_world_drive_agent(world_.get(), player_, point, ahead, ahead, nullptr);
    const bool open = std::fmod(time() + 0.05, 20.0) < 10.0;
    if (open == door_open_) return;
    th_edit edit = {};
    edit.kind = open ? TH_EDIT_OPEN : TH_EDIT_CLOSE, edit.name = "door";
    check(th_world_edit(world_.get(), &edit, 1, &error_), error_);
    door_open_ = open, door_moves_++;
  }

  void after_step() {
    uint32_t count = 0;
    const th_event *event = th_world_events(world_.get(), &count);
    for (uint32_t i = 0; i < count; i++)
      if (event[i].kind == TH_EVENT_ARRIVED)
        static_cast<person *>(th_world_agent_user(world_.get(), event[i].agent))->visits++;
  }

  void draw(float part) {
    const th_agents a = th_world_agents(world_.get());
    for (uint32_t i = 0; i < a.count; i++) {
      if (th_same_agent(a.id[i], player_)) continue;
      person &who = *static_cast<person *>(a.user[i]);
      who.drawn_x = a.previous_x[i] + part * (a.x[i] - a.previous_x[i]);
      who.drawn_y = a.previous_y[i] + part * (a.y[i] - a.previous_y[i]);
    }
  }

  th_error error_ = {};
  std::vector<person> people_;
  std::unique_ptr<th_ground, release> ground_;
  std::unique_ptr<th_world, release> world_;
  th_agent_id player_ = TH_NULL_AGENT;
  double owed_ = 0;
  int door_moves_ = 0;
  bool door_open_ = true;
};

int main() {
  const double lengths[] = {1.0 / 60, 1.0 / 60, 1.0 / 30, 1.0 / 144, 1.0 / 60, 0.12};
  try {
    game g;
    int frames = 0;
    while (g.time() < 60) g.frame(lengths[frames++ % 6]);
    std::printf("60 s in %d frames: %d visits, the door moved %d times\n", frames, g.visits(), g.door_moves());
    return g.visits() > 24 ? 0 : 1;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
