/* io/regular_file.c - opening files that a scene or a host names.
 *
 * A scene may name anything as its mesh or image. A pipe would be waited for without end and a folder has no size, so
 * both are told before anything is read.
 */
#include "io/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

FILE *th_file_open(const char *path, th_error *error) {
  struct stat about;
  const int number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (number < 0) return th_fail(error, TH_ERROR_FILE, path, "expected a readable file: %s", strerror(errno)), NULL;
  const bool known = fstat(number, &about) == 0;
  FILE *file = known && S_ISREG(about.st_mode) ? fdopen(number, "rb") : NULL;
  if (file) return file;
  close(number);
  th_fail(error, TH_ERROR_FILE, path, "expected a file, found %s",
          known && S_ISDIR(about.st_mode) ? "a folder" : "a pipe or a device");
  return NULL;
}
