/* base/platform/windows/condition.c - condition variables of Windows, with slim locks. */
#include "base/platform/condition.h"

#ifdef TH_THREADS_WINDOWS

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "base/platform/clock.h"

_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(th_condition), "a condition variable is one word");

static CONDITION_VARIABLE *variable_of(th_condition *condition) { return (CONDITION_VARIABLE *)(void *)condition; }

static bool wait_for(th_condition *condition, th_mutex *mutex, DWORD milliseconds) {
  return SleepConditionVariableSRW(variable_of(condition), (SRWLOCK *)(void *)mutex, milliseconds, 0) != 0;
}

bool th_condition_make(th_condition *condition) {
  InitializeConditionVariable(variable_of(condition));
  return true;
}
void th_condition_free(th_condition *condition) { (void)condition; }
void th_condition_wait(th_condition *condition, th_mutex *mutex) { (void)wait_for(condition, mutex, INFINITE); }
bool th_condition_wait_until(th_condition *condition, th_mutex *mutex, double until) {
  const double left = (until - th_clock_seconds()) * 1e3;
  return wait_for(condition, mutex, left > 0.0 ? (DWORD)(left < 1e9 ? left + 1.0 : 1e9) : 0);
}
void th_condition_tell_one(th_condition *condition) { WakeConditionVariable(variable_of(condition)); }
void th_condition_tell_all(th_condition *condition) { WakeAllConditionVariable(variable_of(condition)); }

#endif
