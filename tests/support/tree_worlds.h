/* tests/support/tree_worlds.h - worlds of 46 m x 32 m whose agents have trees.
 *
 *   stage s = {0};  stage_begin(&s, grove_ground(block, 1), &params, seed);  ...  stage_end(&s);
 */
#ifndef TH_TESTS_SUPPORT_TREE_WORLDS_H
#define TH_TESTS_SUPPORT_TREE_WORLDS_H

#include "support/trees.h"

static const worlds_rect block[1] = {{{{20, 10}, {24, 10}, {24, 22}, {20, 22}}}};

typedef struct stage {
  log_capture log;
  th_ground *ground;
  th_world *world;
  th_guide_id guide;
} stage;

static inline void stage_begin(stage *s, th_ground *ground, const th_tree_params *params, uint64_t seed) {
  th_env env = worlds_env(&s->log);
  s->ground = ground;
  th_world_def def = th_default_world_def();
  def.env = env, def.ground = ground, def.dt = 1.0f / 30.0f, def.seed = seed;
  OK(th_world_make(&def, &s->world, &error));
  OK(th_world_add_guide(s->world, &th_guide_tree, params, &s->guide, &error));
}

static inline void stage_end(stage *s) {
  th_world_free(s->world);
  th_ground_release(s->ground);
}

static inline th_agent_def someone(const stage *s, float x, float y, float speed) {
  th_agent_def def = th_default_body_def();
  def.point = (th_vec3){x, y, 0}, def.speed = speed, def.speed_max = speed > 2 ? speed : 2, def.guide = s->guide;
  def.model = &th_model_follow, def.remove = false;
  return def;
}

static inline th_agent_id add(stage *s, const th_agent_def *def) {
  th_agent_id id;
  OK(th_world_add_agent(s->world, def, &id, &error));
  return id;
}

static inline th_agent_id add_pursuer(stage *s, float x, float y, float speed, th_agent_id target) {
  th_agent_def def = someone(s, x, y, speed);
  def.link[0] = (th_link_def){.agent = target, .role = TH_ROLE_TARGET}, def.link_count = 1;
  return add(s, &def);
}

static inline th_tree_state tree_of(const stage *s, th_agent_id agent) {
  return th_tree_read(th_world_guide_row(s->world, agent, NULL));
}

static inline float apart(const stage *s, th_agent_id a, th_agent_id b) {
  return th_tree_apart(th_world_agent_point(s->world, a), th_world_agent_point(s->world, b));
}

static inline uint32_t shared_markers(const stage *s, th_agent_id a, th_agent_id b) {
  static uint32_t one[4096], two[4096];
  uint32_t n = th_tree_retained(th_world_guide_row(s->world, a, NULL), one, 4096), both = 0;
  uint32_t m = th_tree_retained(th_world_guide_row(s->world, b, NULL), two, 4096);
  for (uint32_t i = 0, k = 0; i < n && k < m;) {
    both += one[i] == two[k];
    if (one[i] < two[k])
      i++;
    else
      k++;
  }
  return both;
}

#endif
