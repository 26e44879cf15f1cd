/* people/pressure.h - pressure and body width of people, from one step to the next. */
#ifndef TH_PEOPLE_PRESSURE_H
#define TH_PEOPLE_PRESSURE_H

#include "throng/people.h"

/* One person. */
typedef struct th_pressed {
  float along, speed;   /* velocity along the wanted direction, wanted speed [m/s] */
  bool led;             /* its guide leads it */
  bool sets_off;        /* it is about to walk faster, and nobody holds it */
  float vx, vy;         /* realised velocity [m/s] */
  float radius;         /* [m] */
  float pressure, body; /* in and out: 0 to 1; half width towards others [m] */
} th_pressed;

/* After a step of dt seconds. */
void th_people_press(const th_people_params *people, float dt, th_pressed *one);

/* It wants to walk and gets along too slowly. */
static inline bool th_people_hindered(const th_people_params *people, const th_pressed *one) {
  return one->led && !one->sets_off && one->along < people->hindered * one->speed;
}

/* True when th_people_press would change nothing. */
static inline bool th_people_at_ease(const th_people_params *people, const th_pressed *one) {
  return !th_people_hindered(people, one) && one->pressure == 0.0f && one->body == one->radius;
}

#endif
