/* io/json_layout.c - JSON as a person would lay it out.
 *
 * What fits in a line stands in one line. Longer objects and lists are opened: their parts are indented by two spaces,
 * and short ones share a line as words do in a paragraph, but objects of a list and lists of objects begin a line of
 * their own, and so does every member of the outermost object. The text comes in one line, ", " and ": " between its
 * parts, as the writers of ours make it. Cost: linear in the text times its depth.
 */
#include <string.h>

#include "io/json.h"
#include "io/text.h"

enum { WIDTH = 120, INDENT = 2 };

/* The end of the value, or of the member, at `at`: a comma or a closing bracket of what holds it. */
static const char *end_of(const char *at) {
  int depth = 0;
  for (bool text = false;; at++) {
    if (text && *at == '\\')
      at++;
    else if (*at == '"')
      text = !text;
    else if (text && *at)
      continue;
    else if (*at == '{' || *at == '[')
      depth++;
    else if (!*at || (depth == 0 && strchr(",}]", *at)))
      return at;
    else if (*at == '}' || *at == ']')
      depth--;
  }
}

/* Where the value of a member begins; an entry of a list is its own value. */
static const char *value_of(const char *at) {
  if (*at != '"') return at;
  const char *name = at + 1;
  while (*name && *name != '"') name += *name == '\\' ? 2 : 1;
  return strncmp(name, "\": ", 3) == 0 ? name + 3 : at;
}

static void append(th_text *text, const char *from, const char *to) {
  char piece[256];
  while (from < to) {
    const size_t size = (size_t)(to - from) < sizeof piece - 1 ? (size_t)(to - from) : sizeof piece - 1;
    memcpy(piece, from, size);
    piece[size] = 0;
    th_text_append(text, piece);
    from += size;
  }
}

static void begin_line(th_text *text, int indent) {
  th_text_append(text, "\n");
  for (int i = 0; i < indent; i++) th_text_append(text, " ");
}

/* Parts that share no line. */
static bool stands_alone(const char *part, const char *end) {
  const char *value = value_of(part);
  if (value == part) return *value == '{';
  return *value == '[' && memchr(value, '{', (size_t)(end - value)) != NULL;
}

static void lay_out(th_text *text, const char *value, const char *end, int indent);

/* One part in a fresh line, opened when it is too long for it. */
static void lay_part(th_text *text, const char *part, const char *end, int indent) {
  const char *value = value_of(part);
  append(text, part, value);
  if (indent + (end - part) + 1 <= WIDTH || (*value != '{' && *value != '['))
    append(text, value, end);
  else
    lay_out(text, value, end, indent);
}

static void lay_out(th_text *text, const char *value, const char *end, int indent) {
  const char close[2] = {end[-1], 0};
  long column = WIDTH + 1; /* of the line so far; the first part begins one */
  append(text, value, value + 1);
  for (const char *part = value + 1, *stop; part < end - 1; part = stop + 2) {
    stop = end_of(part);
    const long length = stop - part;
    const bool alone = indent == 0 || stands_alone(part, stop) || indent + INDENT + length + 1 > WIDTH;
    if (alone || column + length + 2 > WIDTH) {
      begin_line(text, indent + INDENT);
      lay_part(text, part, stop, indent + INDENT);
      column = alone ? WIDTH + 1 : indent + INDENT + length;
    } else {
      th_text_append(text, " ");
      append(text, part, stop);
      column += length + 1;
    }
    if (*stop != ',') break;
    th_text_append(text, ",");
    column++;
  }
  begin_line(text, indent);
  th_text_append(text, close);
}

void th_json_layout(th_text *text, const char *line) {
  const char *end = line + strlen(line);
  if ((*line == '{' || *line == '[') && end - line > 2)
    lay_out(text, line, end, 0);
  else
    th_text_append(text, line);
  th_text_append(text, "\n");
}
