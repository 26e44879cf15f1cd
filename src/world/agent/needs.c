/* world/agent/needs.c - whether an agent has what its model needs: somebody to follow, a path.
 *
 * The parameters of a model say which links and what kind of guide it relies on. A follower without a leader, or one
 * that leads its own leader, would stand or circle for ever. Both are refused when agents are added or changed. A
 * leader may leave later: that is no error, and its followers see that the link is gone. Cost: a few comparisons; a
 * chain of leaders is walked once.
 */
#include "world/agent/agents.h"

static const struct {
  uint32_t need, role;
  const char *name;
} roles[] = {{TH_NEED_LEADER, TH_ROLE_LEADER, "leader"},
             {TH_NEED_PARTNER, TH_ROLE_PARTNER, "partner"},
             {TH_NEED_TARGET, TH_ROLE_TARGET, "target"}};

static uint32_t needs_of(const th_model *model, const void *params) {
  return model->needs && params ? model->needs(params) : 0;
}

static const th_link_def *link_of(const th_agent_def *def, uint32_t role) {
  for (uint32_t i = 0; i < def->link_count; i++)
    if (def->link[i].role == role) return &def->link[i];
  return NULL;
}

/* An agent may keep a link to somebody who has left. */
static bool had(const th_world *world, uint32_t row, th_agent_id agent) {
  if (row == UINT32_MAX) return false;
  for (uint32_t i = 0; i < world->rows.link_count[row]; i++)
    if (th_same_agent(world->rows.names[row].agent[i], agent)) return true;
  return false;
}

static th_result check_link(const th_world *world, uint32_t row, const th_agent_def *def, uint32_t i, th_error *error) {
  const th_link_def *link = link_of(def, roles[i].role);
  if (!link)
    return th_fail(error, TH_ERROR_STATE, roles[i].name, "model %s: expected a link with the role %s, found none",
                   def->model->name, roles[i].name);
  if (link->to_point) return TH_OK;
  uint32_t to = th_world_row(world, link->agent);
  if (to == UINT32_MAX && !had(world, row, link->agent))
    return th_fail(error, TH_ERROR_STATE, roles[i].name,
                   "model %s: expected an agent that exists as the %s, found one that does not", def->model->name,
                   roles[i].name);
  if (to != UINT32_MAX && to == row)
    return th_fail(error, TH_ERROR_STATE, roles[i].name, "model %s: expected somebody else as the %s, found itself",
                   def->model->name, roles[i].name);
  return TH_OK;
}

/* The row of the agent that this one follows; UINT32_MAX: none. */
static uint32_t leader_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_model_slot *use = &world->model[rows->model[row]];
  if (!(needs_of(use->model, th_model_params(use, row)) & TH_NEED_LEADER)) return UINT32_MAX;
  for (uint32_t i = 0; i < rows->link_count[row]; i++)
    if (rows->links[row].target[i].role == TH_ROLE_LEADER) return th_world_row(world, rows->names[row].agent[i]);
  return UINT32_MAX;
}

/* Chains are short; one that does not end within as many steps as there are agents has a circle further on, which was
 * refused when it arose. */
static th_result check_circle(const th_world *world, uint32_t row, const th_agent_def *def, th_error *error) {
  uint32_t at = th_world_row(world, link_of(def, TH_ROLE_LEADER)->agent), steps = 0;
  for (; at != UINT32_MAX && at != row && steps < world->rows.count; steps++) at = leader_of(world, at);
  if (at != row || row == UINT32_MAX) return TH_OK;
  return th_fail(error, TH_ERROR_STATE, "leader",
                 "model %s: expected a leader that does not follow this agent, found a "
                 "circle of %u",
                 def->model->name, steps + 1);
}

th_result th_agent_check_needs(const th_world *world, uint32_t row, const th_agent_def *def, th_error *error) {
  const uint32_t needs = needs_of(def->model, def->params);
  th_result result = TH_OK;
  for (uint32_t i = 0; needs && i < sizeof roles / sizeof *roles && !result; i++)
    if (needs & roles[i].need) result = check_link(world, row, def, i, error);
  if (!result && needs & TH_NEED_LEADER) result = check_circle(world, row, def, error);
  if (result || !(needs & TH_NEED_PATH)) return result;
  const th_guide *kind = def->guide.index ? world->guides.guide[def->guide.index - 1].kind : NULL;
  if (kind && kind->corners) return TH_OK;
  return th_fail(error, TH_ERROR_STATE, "guide", "model %s: expected a guide that has a path, found %s",
                 def->model->name, kind ? kind->name : "none");
}
