/* lab/page.h - the page of a group of published experiments, in Markdown. */
#ifndef TH_LAB_PAGE_H
#define TH_LAB_PAGE_H

#include <jansson.h>

#include "throng/base.h"

/* Writes folder/GROUP.md from the rows that `throng_lab reproduce GROUP --json` prints. */
th_result th_reproduce_page(const char *folder, const char *group, const json_t *rows, th_error *error);

#endif
