/* apps/throng/figures/plot.h - figures of recordings, shared by plot, film and compare. */
#ifndef TH_APPS_PLOT_H
#define TH_APPS_PLOT_H

#include "cli.h"

/* The figure that the options ask for; refers to the tracks. */
th_figure_def th_plot_def(const th_options *options, const th_tracks *tracks);
/* The recording's name with another extension. */
void th_plot_path(const char *recording, const char *ending, char *path, size_t size);

#endif
