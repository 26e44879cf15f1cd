/* io/scene/write/moment_links.c - whom agents know, as events of the first step.
 *
 * Populations know the first agents of other ones only; here everybody is named by the index that it gets. An agent
 * whose model needs links has it after them, until then it follows its guide. Cost: links.
 */
#include <string.h>

#include "io/scene/write/moment_crowds.h"
#include "throng/guide/target.h"
#include "throng/model.h"

/* The event means this one agent. */
static void mean(th_scene_moment *moment, th_scene_whom *whom, uint32_t index) {
  whom->agent = th_moment_take(moment, 1, sizeof *whom->agent);
  whom->agent_count = 1;
  if (whom->agent) *whom->agent = (int32_t)index;
}

static th_shape point_at(th_scene_moment *moment, th_vec3 point) {
  th_vec3 *room = th_moment_take(moment, 1, sizeof *room);
  if (room) *room = point;
  return (th_shape){.kind = TH_SHAPE_POINT, .point = room, .count = 1};
}

/* False: a scene has no such link. */
static bool put_link(th_scene_moment *moment, const th_moment_agents *all, const th_link_def *link,
                     th_scene_link_to *to) {
  if (link->role < TH_ROLE_LEADER || link->role > TH_ROLE_PURSUER) return false;
  *to = (th_scene_link_to){.role = (int32_t)(link->role - TH_ROLE_LEADER)};
  if (link->to_point) {
    to->point = point_at(moment, link->point);
    return true;
  }
  if (link->agent.index < all->indices) to->agent = all->index_of[link->agent.index];
  return to->agent && th_world_has_agent(moment->run->world, link->agent);
}

static void put_links(th_scene_moment *moment, const th_moment_agents *all, uint32_t index, const th_agent_def *def) {
  th_scene_relink *relink = th_moment_take(moment, 1, sizeof *relink);
  if (relink) relink->link = th_moment_take(moment, def->link_count, sizeof *relink->link);
  if (moment->result) return;
  for (uint32_t i = 0; i < def->link_count; i++)
    if (put_link(moment, all, &def->link[i], &relink->link[relink->link_count])) relink->link_count++;
  if (relink->link_count < def->link_count)
    th_moment_lose(moment, "%u links of agent %u, to whoever is gone or in a role of the host",
                   def->link_count - relink->link_count, all->agent[index - 1].id.index);
  mean(moment, &relink->whom, index);
  if (relink->link_count) th_moment_begin_with(moment, TH_ACT_LINK, relink);
}

/* By a guide that a call made it goes to a point of its own. */
static void put_target(th_scene_moment *moment, uint32_t index, const th_agent_def *def) {
  for (uint32_t i = 0; i < def->link_count; i++) {
    if (def->link[i].role != TH_ROLE_TARGET || !def->link[i].to_point) continue;
    th_scene_send *send = th_moment_take(moment, 1, sizeof *send);
    if (!send) return;
    mean(moment, &send->whom, index);
    send->point = point_at(moment, def->link[i].point);
    th_moment_begin_with(moment, TH_ACT_SEND, send);
    return;
  }
}

static void put_model(th_scene_moment *moment, uint32_t index, const th_agent_def *def) {
  th_scene_change *change = th_moment_take(moment, 1, sizeof *change);
  if (!change) return;
  mean(moment, &change->whom, index);
  change->crowd.def = *def;
  change->crowd.given = th_scene_crowd_key_bit("model") | th_scene_crowd_key_bit("params");
  th_moment_begin_with(moment, TH_ACT_CHANGE, change);
}

static bool is_named(const th_run *run, th_guide_id guide) {
  const th_run_list *list = &run->list[TH_NAMED_GUIDE];
  for (uint32_t i = 0; i < list->count; i++)
    if (!list->item[i].gone && list->item[i].id.index == guide.index) return true;
  return false;
}

void th_moment_links(th_scene_moment *moment, const th_moment_agents *agents) {
  const th_world *world = moment->run->world;
  for (uint32_t i = 0; i < agents->count && !moment->result; i++) {
    th_agent_def def;
    if (!th_world_agent_def(world, agents->agent[i].id, &def)) continue;
    const bool led = def.guide.index && !is_named(moment->run, def.guide);
    const bool sent = led && th_world_guide_kind(world, def.guide) == &th_guide_target;
    if (def.link_count && !(sent && def.link_count == 1)) put_links(moment, agents, i + 1, &def);
    if (sent) put_target(moment, i + 1, &def);
    if (led && !sent)
      th_moment_lose(moment, "the guide of agent %u, which has no name any more", agents->agent[i].id.index);
    if (def.model->needs && def.params && def.model->needs(def.params)) put_model(moment, i + 1, &def);
  }
}
