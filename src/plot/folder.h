/* The folder that holds script and data: one to keep, or one that is thrown away. */
#ifndef ML_PLOT_FOLDER_H
#define ML_PLOT_FOLDER_H

#include <stdio.h>

#include "plot/source.h"

struct ml_plot_folder {
    const char *path; /* of the source's pool; begins with / or ., for gnuplot */
    bool is_kept;
};

/* All names in it. */
#define ML_PLOT_SCRIPT "plot.gp"
#define ML_PLOT_DATA "data.bin" /* doubles */

/* Begins every script. */
#define ML_PLOT_MARK "# gnuplot " ML_PLOT_SCRIPT " makes "

/* Makes the folder `kept`, unless it is there, or a temporary one for NULL. Refuses one that has
 * files of these names which are not of a script made here. */
void ml_plot_folder_make(struct ml_plot_source *source, const char *kept,
                         struct ml_plot_folder *folder);

/* Removes a temporary folder. */
void ml_plot_folder_end(struct ml_plot_source *source, const struct ml_plot_folder *folder);

const char *ml_plot_folder_path(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                                const char *name);

/* A file of the folder to write; NULL once the source has failed. Closing it checks that all was
 * written; NULL is allowed. */
FILE *ml_plot_create(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                     const char *name);
void ml_plot_finish(struct ml_plot_source *source, FILE *file);

#endif
