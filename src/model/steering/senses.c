/* model/steering/senses.c - what sixteen agents sense before they decide: rays and people in sight.
 *
 * Each sense is asked once for all lanes, and only when some lane has a steering that needs it. Rays are fixed to the
 * heading: ahead, oblique, aside. Cost: see view/rays.lanes.c.
 */
#include "model/steering/steer.h"

#define COS_15 0.96592583f
#define SIN_15 0.25881905f
#define COS_30 0.8660254f
#define SIN_30 0.5f
#define ROOT_3 1.7320508f

/* Lengths of the rays ahead, oblique and aside, and the oblique angle. */
typedef struct fan {
  float ahead, oblique, aside, c, s;
} fan;

static void set_ray(th_rays *r, uint32_t lane, th_vec2 direction, float length) {
  r->dx[lane] = direction.x;
  r->dy[lane] = direction.y;
  r->length[lane] = length;
}

static void set_fan(th_rays rays[TH_RAY_COUNT], const th_steer_self *self, const fan *f) {
  const th_vec2 h = self->h, left = th_left2(h);
  set_ray(&rays[TH_RAY_FRONT], self->lane, h, f->ahead);
  set_ray(&rays[TH_RAY_OBLIQUE_LEFT], self->lane, th_turned2(h, f->c, f->s), f->oblique);
  set_ray(&rays[TH_RAY_OBLIQUE_RIGHT], self->lane, th_turned2(h, f->c, -f->s), f->oblique);
  set_ray(&rays[TH_RAY_LEFT], self->lane, left, f->aside);
  set_ray(&rays[TH_RAY_RIGHT], self->lane, th_scaled2(left, -1.0f), f->aside);
}

static void cast_obstacles(const th_work *work, const th_steer_self *self, th_steer_senses *senses) {
  bool any = false;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    const th_steering_obstacle *p = &self[lane].params->obstacle;
    float on = p->on ? 1.0f : 0.0f;
    const float ahead = on * th_steer_ray_ahead(&self[lane]), aside = on * th_steer_ray_aside(&self[lane]);
    set_fan(senses->obstacle, &self[lane], &(fan){ahead, ahead, aside, COS_15, SIN_15});
    any |= p->on;
  }
  if (any) th_view_cast(work->view, senses->obstacle, TH_RAY_COUNT, work->simd);
}

/* The ends of the side and the oblique ray lie on a line along the wall. */
static void cast_walls(const th_work *work, const th_steer_self *self, th_steer_senses *senses) {
  bool any = false;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) any |= self[lane].params->wall.on;
  for (uint32_t lane = 0; any && lane < TH_VIEW_LANES; lane++) {
    const th_steering_wall *p = &self[lane].params->wall;
    float ray = p->on ? p->ray : 0.0f;
    set_fan(senses->wall, &self[lane], &(fan){ROOT_3 * ray, 2.0f * ray, ray, COS_30, SIN_30});
  }
  if (any) th_view_cast(work->view, senses->wall, TH_RAY_COUNT, work->simd);
}

static void cast_ahead(const th_work *work, const th_steer_self *self, th_steer_senses *senses) {
  float any = 0.0f;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++)
    any += self[lane].params->classic.weight[TH_CLASSIC_CONTAINMENT];
  for (uint32_t lane = 0; any > 0.0f && lane < TH_VIEW_LANES; lane++) {
    const th_steering_params *p = self[lane].params;
    set_ray(&senses->ahead, lane, self[lane].h, fminf(self[lane].speed * p->classic.time, p->sight));
  }
  if (any > 0.0f) th_view_cast(work->view, &senses->ahead, 1, work->simd);
}

void th_steer_sense(const th_work *work, const th_steer_self *self, th_steer_senses *senses) {
  float range[TH_VIEW_LANES];
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) range[lane] = self[lane].params->sight;
  cast_obstacles(work, self, senses);
  cast_walls(work, self, senses);
  cast_ahead(work, self, senses);
  th_view_visible(work->view, range, senses->seen, work->simd);
  th_steer_sense_people(work, self, senses);
}
