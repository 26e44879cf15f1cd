/* base/platform/none/condition.c - nobody tells, so waiting returns at once. */
#include "base/platform/condition.h"

#ifdef TH_THREADS_NONE

bool th_condition_make(th_condition *condition) {
  condition->nothing = 0;
  return true;
}
void th_condition_free(th_condition *condition) { (void)condition; }
void th_condition_wait(th_condition *condition, th_mutex *mutex) {
  (void)condition;
  (void)mutex;
}
bool th_condition_wait_until(th_condition *condition, th_mutex *mutex, double until) {
  (void)condition;
  (void)mutex;
  (void)until;
  return false;
}
void th_condition_tell_one(th_condition *condition) { (void)condition; }
void th_condition_tell_all(th_condition *condition) { (void)condition; }

#endif
