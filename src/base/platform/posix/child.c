/* base/platform/posix/child.c - a child that reads from a socket rather than a pipe, because a write to a socket can be
 * done without raising SIGPIPE when the child ends early. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/child.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#ifdef MSG_NOSIGNAL
#define QUIETLY MSG_NOSIGNAL
#else
#define QUIETLY 0 /* macOS: an option of the socket */
#endif

static int spawn(th_child *child, const char *const *argument, int end) {
  posix_spawn_file_actions_t actions;
  pid_t process = 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, end, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const int reason = posix_spawnp(&process, argument[0], &actions, NULL, (char *const *)(uintptr_t)argument, environ);
  posix_spawn_file_actions_destroy(&actions);
  child->process = process;
  return reason;
}

/* Neither end stays open in other children of the host. */
static int make_sockets(int end[2]) {
#ifdef SOCK_CLOEXEC
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end);
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0) return -1;
  for (int k = 0; k < 2; k++) fcntl(end[k], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  setsockopt(end[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return 0;
#endif
}

int th_child_start(th_child *child, const char *const *argument) {
  int end[2];
  if (make_sockets(end) != 0) return errno;
  const int reason = spawn(child, argument, end[1]);
  close(end[1]);
  if (reason == 0)
    child->input = end[0];
  else
    close(end[0]);
  return reason;
}

bool th_child_send(th_child *child, const void *bytes, size_t size) {
  for (const uint8_t *at = bytes; size > 0;) {
    const ssize_t sent = send((int)child->input, at, size, QUIETLY);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= (size_t)sent;
  }
  return true;
}

int th_child_end(th_child *child) {
  int status = 0;
  close((int)child->input);
  while (waitpid((pid_t)child->process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
