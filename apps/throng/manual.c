/* apps/throng/manual.c - the manual as a page for `man`, from the tables that the program itself reads.
 *
 * `throng help --man` prints it and the build installs it, so that it cannot tell of an option that is not there. The
 * macros are those of man(7) that every formatter knows. In roff a line that begins with a dot or an apostrophe is a
 * command, a backslash begins an escape and a plain hyphen may become a dash: texts are escaped.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* A text, no line of which is a command. */
static void put(const char *text) {
  for (const char *at = text; *at; at++) {
    if ((at == text || at[-1] == '\n') && (*at == '.' || *at == '\'')) fputs("\\&", stdout);
    if (*at == '-')
      fputs("\\-", stdout);
    else if (*at == '\\')
      fputs("\\e", stdout);
    else
      putchar(*at);
  }
}

static void put_option(const char *name, const char *takes, const char *text) {
  printf(".TP\n\\fB\\-\\-");
  put(name);
  printf("\\fR");
  if (takes) printf(" \\fI"), put(takes), printf("\\fR");
  putchar('\n');
  put(text);
  putchar('\n');
}

static void put_command(const th_command *c) {
  printf(".SS %s", c->name);
  if (*c->arguments) putchar(' '), put(c->arguments);
  putchar('\n');
  putchar(toupper((unsigned char)*c->summary));
  put(c->summary + 1);
  printf(".\n");
  if (*c->text) put(c->text), putchar('\n');
  th_options_each(c, put_option);
}

void th_manual_print(void) {
  const th_program *program = &th_this_program;
  printf(".TH %s 1 \"\" \"%s %s\" \"User Commands\"\n.SH NAME\n%s \\- ", program->name, program->name, th_version(),
         program->name);
  put(program->summary);
  printf("\n.SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n", program->name);
  printf(".SH COMMANDS\n");
  for (const th_command *c = program->command; c->name; c++) put_command(c);
  printf(".SH EXIT STATUS\n");
  for (const th_exit_row *row = th_exit_rows; row->text; row++) {
    printf(".TP\n%d\n", row->code);
    put(row->text);
    putchar('\n');
  }
  printf(".SH EXAMPLES\n.nf\n");
  put(strchr(program->steps, '\n') + 1);
  printf(
      ".fi\n.SH SEE ALSO\nThe pages in share/doc/throng: README.md, docs/first-scene.md, docs/scene.md, "
      "docs/cli.md.\n");
}
