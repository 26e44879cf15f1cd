/* tests/view/test_view.c - views hold what was asked for and nothing else, against brute force over the whole crowd. */
#include "ground/walk.h"
#include "support/plain_crowds.h"

typedef struct setting {
  crowd c;
  th_view_scratch room;
  uint64_t seed;
} setting;

#define FAIL(s, ...)                                           \
  do {                                                         \
    print_error("seed %llu: ", (unsigned long long)(s)->seed); \
    fail_msg(__VA_ARGS__);                                     \
  } while (0)

static void begin(setting *s, const th_ground *ground, uint32_t count, uint64_t seed, int kind) {
  s->seed = seed;
  crowd_make(&s->c, ground, count, seed, kind);
  assert_true(th_view_scratch_make(&s->room, &s->c.env.allocator));
}

static void end(setting *s) {
  th_view_scratch_free(&s->room, &s->c.env.allocator);
  crowd_free(&s->c);
}

/* Up to 16 slots of one patch, some left out, as agents that are not due. */
static uint32_t some_slots(setting *s, uint32_t slot[16]) {
  const th_order *o = &s->c.order;
  uint32_t count = 0, first, last;
  for (uint32_t tries = 0; tries < 1000 && !count; tries++) {
    th_order_patch(o, worlds_below(&s->c.state, th_order_patches(o)), &first, &last);
    uint32_t begin_slot = o->start[first], n = o->start[last] - begin_slot, skip = worlds_below(&s->c.state, 3);
    for (uint32_t i = n > 40 ? worlds_below(&s->c.state, n - 30) : 0; i < n && count < 16; i += 1 + skip)
      slot[count++] = begin_slot + i;
  }
  return count;
}

/* Up to 16 slots of some neighbouring rows of clusters, to and fro, as patches of a mesh list them. */
static uint32_t turning_slots(setting *s, uint32_t slot[16]) {
  const th_order *o = &s->c.order;
  uint32_t count = 0;
  for (uint32_t tries = 0; tries < 1000 && !count; tries++) {
    uint32_t row = worlds_below(&s->c.state, o->grid.rows), rows = 1 + worlds_below(&s->c.state, 4);
    uint32_t column = worlds_below(&s->c.state, o->grid.columns), width = 1 + worlds_below(&s->c.state, 6);
    uint32_t end = column + width < o->grid.columns ? column + width : o->grid.columns;
    for (uint32_t r = row; r < row + rows && r < o->grid.rows; r++) {
      uint32_t first = o->start[r * o->grid.columns + column], last = o->start[r * o->grid.columns + end];
      uint32_t max = count + 1 + worlds_below(&s->c.state, 16);
      for (uint32_t i = 0; i < last - first && count < 16 && count < max; i++)
        slot[count++] = r & 1 ? last - 1 - i : first + i;
    }
  }
  return count;
}

static float square(float ax, float ay, float bx, float by) {
  float dx = bx - ax, dy = by - ay;
  return dx * dx + dy * dy;
}

/* Everyone within `cover` of a lane is in the list, in slot order, with its own data. */
static void check_candidates(setting *s) {
  const th_view *v = &s->room.view;
  const th_order *o = &s->c.order;
  for (uint32_t i = 0; i < v->neighbours.count; i++) {
    uint32_t slot = v->neighbours.slot[i];
    if (i && slot <= v->neighbours.slot[i - 1]) FAIL(s, "candidates are not in slot order");
    assert_true(v->neighbours.x[i] == o->x[slot] && v->neighbours.y[i] == o->y[slot] &&
                v->neighbours.vx[i] == o->vx[slot] && v->neighbours.vy[i] == o->vy[slot] &&
                v->neighbours.radius[i] == o->radius[slot] && v->neighbours.share[i] == o->share[slot] &&
                v->neighbours.layers[i] == o->layers[slot]);
  }
  for (uint32_t i = v->neighbours.count; i < (v->neighbours.count + 15) / 16 * 16; i++)
    assert_true(v->neighbours.x[i] > 1e9f);
  for (uint32_t lane = 0; lane < v->lanes; lane++) {
    uint32_t at = 0;
    for (uint32_t slot = 0; slot < o->count; slot++) {
      if (sqrtf(square(v->x[lane], v->y[lane], o->x[slot], o->y[slot])) > v->neighbours.cover) continue;
      while (at < v->neighbours.count && v->neighbours.slot[at] < slot) at++;
      if (at == v->neighbours.count || v->neighbours.slot[at] != slot)
        FAIL(s, "slot %u is missing within %g m", slot, (double)v->neighbours.cover);
    }
  }
}

static uint32_t key_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & ~511u;
}

/* Whether a lane may pick the agent of a slot: another one, in a layer that it avoids, and in sight where that counts.
 */
static bool may_pick(const setting *s, const th_view_need *wish, uint32_t lane, uint32_t slot) {
  const th_view *v = &s->room.view;
  const th_order *o = &s->c.order;
  if (slot == v->slot[lane] || !(s->c.avoids[o->row[v->slot[lane]]] & o->layers[slot])) return false;
  return !(wish->see & TH_SEE_IN_SIGHT) || th_view_sees(v, v->x[lane], v->y[lane], o->x[slot], o->y[slot]);
}

/* The k-th pick is the k-th of all others, by (truncated squared distance, slot). */
static void check_picks(setting *s, const th_view_need *wish) {
  const th_view *v = &s->room.view;
  const th_order *o = &s->c.order;
  uint32_t limit = key_of(wish->reach * wish->reach);
  assert_int_equal(v->neighbours.pick_count, wish->nearest);
  for (uint32_t lane = 0; lane < v->lanes; lane++) {
    uint64_t last = 0;
    for (uint32_t k = 0; k < wish->nearest; k++) {
      uint64_t best = UINT64_MAX;
      for (uint32_t slot = 0; slot < o->count; slot++) {
        uint64_t key = (uint64_t)key_of(square(v->x[lane], v->y[lane], o->x[slot], o->y[slot])) << 32 | slot;
        if ((key >> 32) > limit || (k && key <= last) || key >= best) continue;
        if (may_pick(s, wish, lane, slot)) best = key;
      }
      uint32_t pick = v->neighbours.pick[k * 16 + lane];
      if (pick == TH_NO_PICK && (best == UINT64_MAX || best >> 32 == limit)) break;
      if (pick == TH_NO_PICK || best == UINT64_MAX || v->neighbours.slot[pick] != (uint32_t)best)
        FAIL(s, "lane %u: pick %u of %u is wrong (reach %g)", lane, k, wish->nearest, (double)wish->reach);
      last = best;
    }
  }
}

static void check_own(setting *s, const uint32_t *slot, uint32_t lanes, bool body) {
  const th_view *v = &s->room.view;
  const th_order *o = &s->c.order;
  assert_int_equal(v->lanes, lanes);
  for (uint32_t lane = 0; lane < 16; lane++) {
    uint32_t at = slot[lane < lanes ? lane : lanes - 1], row = o->row[at];
    assert_int_equal(v->slot[lane], at);
    assert_int_equal(v->agent[lane], s->c.agent[row]);
    assert_true(v->x[lane] == s->c.x[row] && v->y[lane] == s->c.y[row] && v->speed[lane] == s->c.speed[row]);
    assert_true(v->want[lane].left == s->c.want[v->slot[lane]].left);
    if (!body) continue;
    assert_true(v->vx[lane] == s->c.vx[row] && v->vy[lane] == s->c.vy[row] && v->hx[lane] == s->c.hx[row] &&
                v->hy[lane] == s->c.hy[row] && v->radius[lane] == s->c.radius[row] &&
                v->speed_max[lane] == s->c.speed_max[row] && v->avoids[lane] == s->c.avoids[row] &&
                v->layers[lane] == s->c.layers[row] && v->frame[lane].c == 1.0f);
  }
}

static void some_layers(crowd *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    c->layers[i] = 1u << worlds_below(&c->state, 3);
    c->avoids[i] = worlds_below(&c->state, 8);
  }
}

/* The same view on every instruction set. */
static void check_sets(setting *s, const uint32_t *slot, uint32_t lanes, const th_view_need *wish) {
  uint32_t pick[TH_MAX_NEAREST * 16], number = s->room.view.neighbours.count;
  memcpy(pick, s->room.pick, sizeof pick);
  float cover = s->room.view.neighbours.cover;
  for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
    if (!th_simd_has(simd)) continue;
    s->c.source.simd = simd;
    th_view_fill(&s->room, &s->c.source, slot, lanes, wish);
    if (s->room.view.neighbours.count != number || s->room.view.neighbours.cover != cover)
      FAIL(s, "%s sees others", th_simd_name(simd));
    for (uint32_t k = 0; k < wish->nearest; k++)
      for (uint32_t lane = 0; lane < lanes; lane++)
        if (pick[k * 16 + lane] != s->room.pick[k * 16 + lane]) FAIL(s, "%s picks others", th_simd_name(simd));
  }
}

/* `sight`: the nearest in sight, where others ask for the nearest. */
static void neighbours(const th_ground *ground, uint64_t seed, uint32_t count, int kind, bool sight) {
  setting s;
  begin(&s, ground, count, seed, kind);
  if (seed % 3 == 0) some_layers(&s.c);
  static const float areas[] = {0.02f, 0.5f, 5.0f, 100.0f};
  crowd_order(&s.c, NULL, areas[seed % 4]);
  for (int n = 0; n < 12; n++) {
    uint32_t slot[16], lanes = n < 6 ? some_slots(&s, slot) : turning_slots(&s, slot);
    if (!lanes) continue;
    th_view_need wish = {.see = n % 3 == 0   ? TH_SEE_NEIGHBOURS
                                : n % 3 == 1 ? TH_SEE_NEAREST
                                             : TH_SEE_NEIGHBOURS | TH_SEE_NEAREST | TH_SEE_BODY,
                         .reach = worlds_in(&s.c.state, 0.5f, 20.0f),
                         .nearest = 1 + worlds_below(&s.c.state, sight && n % 2 ? 8 : TH_MAX_NEAREST)};
    if (sight && wish.see & TH_SEE_NEAREST) wish.see |= TH_SEE_IN_SIGHT | TH_SEE_WALLS;
    memset(s.room.nopen, 0, sizeof *s.room.nopen * TH_MAX_CANDIDATES); /* whatever an earlier view left there */
    th_view_fill(&s.room, &s.c.source, slot, lanes, &wish);
    check_own(&s, slot, lanes, wish.see & TH_SEE_BODY);
    check_candidates(&s);
    if (wish.see & TH_SEE_NEIGHBOURS && count < 2000 && s.room.view.neighbours.cover < wish.reach)
      FAIL(&s, "cover %g is short of the reach %g", (double)s.room.view.neighbours.cover, (double)wish.reach);
    if (wish.see & TH_SEE_NEAREST) check_picks(&s, &wish);
    check_sets(&s, slot, lanes, &wish);
  }
  end(&s);
}

static void neighbours_equal_brute_force(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 30, 22);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    static const uint32_t counts[] = {1, 2, 15, 90, 400, 900};
    neighbours(ground, seed, counts[seed % 6], (int)(seed % CROWD_KINDS), false);
  }
  th_ground_release(ground);
}

/* However many stand behind walls, the nearest in sight are found: also when they are farther away than the first
 * rings of clusters, in layers, and among more candidates than keys can number. */
/* shows: STEER-16 */
static void those_behind_walls_take_no_places(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  for (uint64_t seed = 1; seed <= 40; seed++) {
    static const uint32_t counts[] = {15, 90, 400, 900};
    neighbours(ground, seed, counts[seed / 4 % 4], seed % 5 ? CROWD_EVEN : CROWD_DENSE, true);
  }
  th_ground_release(ground);
}

/* A dense crowd stands right behind a thin wall; those in sight are some rings of clusters away, so that the search is
 * widened while many are barred, and new candidates come between those that have been looked at. */
/* shows: STEER-16 */
static void bars_move_with_their_candidates(void **state) {
  (void)state;
  worlds_rect rect[2] = {worlds_rectangle(0, 0, 30, 22), worlds_rectangle(1, 11, 29, 11.1f)};
  worlds_plan plan = {.rect = rect, .walls = 1, .cell = 0.25f};
  th_ground *ground = NULL;
  OK(worlds_try_ground(&(th_env){0}, &plan, &ground, &error));
  for (uint64_t seed = 1; seed <= 24; seed++) {
    enum { OWN = 16, HIDDEN = 60, SEEN = 80 };
    setting s;
    begin(&s, ground, OWN + HIDDEN + SEEN, seed, CROWD_EVEN);
    for (uint32_t i = 0; i < OWN + HIDDEN + SEEN; i++) {
      const bool own = i < OWN, hidden = !own && i < OWN + HIDDEN;
      s.c.x[i] = own ? 14.0f + 0.1f * (float)i : hidden ? worlds_in(&s.c.state, 13, 17) : worlds_in(&s.c.state, 2, 28);
      s.c.y[i] = own ? 10.7f : hidden ? worlds_in(&s.c.state, 11.2f, 11.6f) : worlds_in(&s.c.state, 4, 8);
    }
    if (seed % 3 == 0) some_layers(&s.c);
    crowd_order(&s.c, NULL, 1.0f + (float)(seed % 4));
    uint32_t slot[OWN], lanes = 0;
    for (uint32_t i = 0; i < s.c.order.count && lanes < OWN; i++)
      if (s.c.order.row[i] < OWN) slot[lanes++] = i;
    const th_view_need wish = {.see = TH_SEE_NEAREST | TH_SEE_IN_SIGHT | TH_SEE_WALLS | TH_SEE_BODY,
                               .reach = 12.0f,
                               .nearest = 1 + worlds_below(&s.c.state, 12)};
    memset(s.room.nopen, 0, sizeof *s.room.nopen * TH_MAX_CANDIDATES); /* whatever an earlier view left there */
    th_view_fill(&s.room, &s.c.source, slot, lanes, &wish);
    check_picks(&s, &wish);
    check_sets(&s, slot, lanes, &wish);
    end(&s);
  }
  th_ground_release(ground);
}

/* More candidates than keys can number, and more than a room holds: what is there is still right. */
static void views_of_hot_spots_are_right(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 30, 22);
  for (uint64_t seed = 1; seed <= 6; seed++) neighbours(ground, seed, 1500, CROWD_DENSE, false);
  for (uint64_t seed = 7; seed <= 8; seed++) {
    setting s;
    begin(&s, ground, 12000, seed, CROWD_DENSE);
    crowd_order(&s.c, NULL, 1.0f);
    uint32_t slot[16], lanes = some_slots(&s, slot);
    th_view_need wish = {.see = TH_SEE_NEIGHBOURS, .reach = 5.0f};
    th_view_fill(&s.room, &s.c.source, slot, lanes, &wish);
    assert_true(s.room.view.neighbours.count <= TH_MAX_CANDIDATES);
    check_candidates(&s); /* complete within the cover that it states */
    end(&s);
  }
  th_ground_release(ground);
}

/* What was not asked for is not there. */
static void only_what_is_asked_is_filled(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  setting s;
  begin(&s, ground, 100, 9, CROWD_EVEN);
  crowd_order(&s.c, NULL, 4.0f);
  uint32_t slot[16], lanes = some_slots(&s, slot);
  th_view_need wish = {.see = 0, .reach = 5.0f, .nearest = 4};
  th_view_fill(&s.room, &s.c.source, slot, lanes, &wish);
  const th_view *v = &s.room.view;
  assert_int_equal(v->neighbours.count, 0);
  assert_int_equal(v->neighbours.pick_count, 0);
  assert_int_equal(v->wall_count, 0);
  assert_int_equal(v->link_count, 0);
  assert_null(v->clearance.sample);
  wish.see = TH_SEE_CLEARANCE;
  th_view_fill(&s.room, &s.c.source, slot, lanes, &wish);
  assert_non_null(v->clearance.sample);
  assert_int_equal(v->neighbours.count, 0);
  end(&s);
  th_ground_release(ground);
}

static bool near_box(const th_segment *w, th_vec2 low, th_vec2 high) {
  return fminf(w->ax, w->bx) <= high.x && fmaxf(w->ax, w->bx) >= low.x && fminf(w->ay, w->by) <= high.y &&
         fmaxf(w->ay, w->by) >= low.y;
}

static float distance_to(const th_segment *w, float x, float y) {
  float ex = w->bx - w->ax, ey = w->by - w->ay, px = x - w->ax, py = y - w->ay, l2 = ex * ex + ey * ey;
  float t = l2 > 0.0f ? fminf(fmaxf((px * ex + py * ey) / l2, 0.0f), 1.0f) : 0.0f;
  return sqrtf(square(t * ex, t * ey, px, py));
}

/* Every wall within the reach of a lane is in the list, and no wall that is far from all. */
static void walls_within_reach_are_seen(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  for (uint64_t seed = 1; seed <= 30; seed++) {
    setting s;
    begin(&s, ground, 60, seed, CROWD_EVEN);
    crowd_order(&s.c, NULL, 4.0f);
    uint32_t slot[16], lanes = some_slots(&s, slot), count;
    th_view_need wish = {.see = TH_SEE_WALLS, .reach = worlds_in(&s.c.state, 0.5f, 20.0f)};
    th_view_fill(&s.room, &s.c.source, slot, lanes, &wish);
    const th_view *v = &s.room.view;
    const th_segment *all = th_ground_walls(ground, &count);
    for (uint32_t i = 0; i < count; i++) {
      bool wanted = false, allowed = false, found = false;
      th_vec2 low = {1e9f, 1e9f}, high = {-1e9f, -1e9f};
      for (uint32_t lane = 0; lane < lanes; lane++) {
        wanted |= distance_to(&all[i], v->x[lane], v->y[lane]) < wish.reach * 0.9999f;
        low = (th_vec2){fminf(low.x, v->x[lane]), fminf(low.y, v->y[lane])};
        high = (th_vec2){fmaxf(high.x, v->x[lane]), fmaxf(high.y, v->y[lane])};
      }
      float r = wish.reach * 1.0001f;
      allowed = near_box(&all[i], (th_vec2){low.x - r, low.y - r}, (th_vec2){high.x + r, high.y + r});
      for (uint32_t k = 0; k < v->wall_count; k++) found |= !memcmp(&v->wall[k], &all[i], sizeof all[i]);
      if (wanted && !found) FAIL(&s, "wall %u is missing", i);
      if (found && !allowed) FAIL(&s, "wall %u is far away", i);
    }
    end(&s);
  }
  th_ground_release(ground);
}

static void check_link(const setting *s, uint32_t lane, uint32_t k, float reach) {
  const th_view *v = &s->room.view;
  const th_link *link = &v->link[lane * v->link_count + k];
  uint32_t row = s->c.order.row[v->slot[lane]];
  const th_link_target *t = &s->c.links[row].target[k];
  bool exists = k < s->c.link_count[row] && t->kind != TH_LINK_NONE && (t->kind == TH_LINK_POINT || s->c.in[t->row]);
  assert_int_equal(link->exists, exists);
  if (!exists) return;
  float x = t->kind == TH_LINK_POINT ? t->at.x : s->c.x[t->row],
        y = t->kind == TH_LINK_POINT ? t->at.y : s->c.y[t->row];
  float d = sqrtf(square(v->x[lane], v->y[lane], x, y));
  assert_true(fabsf(link->distance - d) < 1e-4f);
  assert_int_equal(link->inside, link->distance <= reach);
  if (d > 1e-3f)
    assert_true(fabsf(link->dx * d - (x - v->x[lane])) < 1e-3f && fabsf(link->dy * d - (y - v->y[lane])) < 1e-3f);
  if (!link->inside) {
    assert_true(!link->seen && link->x == 0.0f && link->vx == 0.0f);
    return;
  }
  assert_true(link->x == x && link->y == y);
  if (t->kind == TH_LINK_AGENT) assert_true(link->vx == s->c.vx[t->row] && link->vy == s->c.vy[t->row]);
  if (d < 1e-3f) return;
  float free_way =
      th_ground_ray(s->c.ground, (th_place){0, v->x[lane], v->y[lane]}, (th_vec2){link->dx, link->dy}, d).distance;
  if (fabsf(free_way - d) > 1e-3f || free_way >= d) assert_int_equal(link->seen, free_way >= d);
}

/* Of the links with a role the first that exists is found. */
static void check_roles(const setting *s, uint32_t lane) {
  const th_view *v = &s->room.view;
  uint32_t row = s->c.order.row[v->slot[lane]];
  for (uint32_t role = 0; role < 5; role++) {
    const th_link *found = th_view_link(v, lane, role), *expected = NULL;
    for (uint32_t k = s->c.link_count[row]; k-- > 0;) {
      const th_link *link = &v->link[lane * v->link_count + k];
      assert_int_equal(link->role, s->c.links[row].target[k].role);
      if (link->role == role && link->exists) expected = link;
    }
    assert_ptr_equal(found, expected);
  }
}

static void links_are_seen(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  uint32_t seen = 0, hidden = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    setting s;
    begin(&s, ground, 80, seed, CROWD_EVEN);
    for (uint32_t i = 0; i < 80; i++) {
      s.c.link_count[i] = (uint8_t)worlds_below(&s.c.state, TH_MAX_LINKS + 1);
      if (i % 9 == 0) s.c.in[i] = 0;
      for (uint32_t k = 0; k < TH_MAX_LINKS; k++) {
        uint32_t kind = worlds_below(&s.c.state, 3);
        s.c.links[i].target[k] = (th_link_target){kind == 0   ? TH_LINK_NONE
                                                  : kind == 1 ? TH_LINK_AGENT
                                                              : TH_LINK_POINT,
                                                  (uint16_t)worlds_below(&s.c.state, 4),
                                                  worlds_below(&s.c.state, 80),
                                                  {worlds_in(&s.c.state, 0, 24), worlds_in(&s.c.state, 0, 16), 0.0f}};
      }
    }
    crowd_order(&s.c, NULL, 4.0f);
    uint32_t slot[16], lanes = some_slots(&s, slot);
    th_view_need wish = {.see = TH_SEE_LINKS, .reach = worlds_in(&s.c.state, 2, 15)};
    th_view_fill(&s.room, &s.c.source, slot, lanes, &wish);
    for (uint32_t lane = 0; lane < lanes; lane++) check_roles(&s, lane);
    for (uint32_t lane = 0; lane < lanes; lane++)
      for (uint32_t k = 0; k < TH_MAX_LINKS; k++) {
        check_link(&s, lane, k, wish.reach);
        const th_link *link = &s.room.view.link[lane * TH_MAX_LINKS + k];
        seen += link->seen;
        hidden += link->inside && !link->seen;
      }
    end(&s);
  }
  assert_true(seen > 50 && hidden > 50); /* both happen */
  th_ground_release(ground);
}

/* A patch's candidates: everyone within reach of its clusters, its own agents as one run. */
static void views_of_patches_hold_everyone_within_reach(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 60, 22);
  for (uint64_t seed = 1; seed <= 25; seed++) {
    setting s;
    begin(&s, ground, 500, seed, (int)(seed % CROWD_KINDS));
    crowd_order(&s.c, NULL, seed % 2 ? 0.05f : 1.0f);
    const th_order *o = &s.c.order;
    th_view_need wish = {.see = TH_SEE_NEIGHBOURS, .reach = worlds_in(&s.c.state, 0.5f, 12.0f)};
    for (uint32_t patch = 0; patch < th_order_patches(o); patch++) {
      uint32_t first, last, own_first = 0;
      th_order_patch(o, patch, &first, &last);
      if (o->start[first] == o->start[last]) continue;
      uint32_t own = th_view_fill_patch(&s.room, &s.c.source, patch, &wish, &own_first);
      const th_view *v = &s.room.view;
      assert_int_equal(own, o->start[last] - o->start[first]);
      assert_int_equal(v->lanes, 0);
      for (uint32_t i = 0; i < own; i++) assert_int_equal(v->neighbours.slot[own_first + i], o->start[first] + i);
      uint32_t at = 0;
      for (uint32_t slot = 0; slot < o->count; slot++) {
        bool wanted = false;
        for (uint32_t i = o->start[first]; i < o->start[last] && !wanted; i++)
          wanted =
              square(o->x[i], o->y[i], o->x[slot], o->y[slot]) < v->neighbours.cover * v->neighbours.cover * 0.999f;
        if (!wanted) continue;
        while (at < v->neighbours.count && v->neighbours.slot[at] < slot) at++;
        if (at == v->neighbours.count || v->neighbours.slot[at] != slot)
          FAIL(&s, "patch %u: slot %u is missing", patch, slot);
      }
    }
    end(&s);
  }
  th_ground_release(ground);
}

static th_result make_room(const th_env *env, void *context) {
  (void)context;
  static th_view_scratch room;
  if (!th_view_scratch_make(&room, &env->allocator)) return TH_ERROR_MEMORY;
  th_view_scratch_free(&room, &env->allocator);
  return TH_OK;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  assert_int_equal(failing_every(make_room, NULL), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_equal_brute_force),
      cmocka_unit_test(those_behind_walls_take_no_places),
      cmocka_unit_test(bars_move_with_their_candidates),
      cmocka_unit_test(views_of_hot_spots_are_right),
      cmocka_unit_test(only_what_is_asked_is_filled),
      cmocka_unit_test(walls_within_reach_are_seen),
      cmocka_unit_test(links_are_seen),
      cmocka_unit_test(views_of_patches_hold_everyone_within_reach),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
