/* The parts that gnuplot scripts of all pictures have. Text of users is only ever in double
 * quotes, with all that gnuplot could replace or end them by escaped, and drawn without markup. */
#ifndef ML_PLOT_SCRIPT_H
#define ML_PLOT_SCRIPT_H

#include "plot/axis.h"
#include "plot/folder.h"

/* Kinds of picture by the suffix of its name; NULL if there is no such kind. */
struct ml_plot_picture {
    const char *suffix, *terminal;
    const char *end;  /* what the last bytes of a whole one contain */
    bool is_smoothed; /* viewers blend the pixels of images that they enlarge */
};
const struct ml_plot_picture *ml_plot_picture_of(const char *path);
extern const char ml_plot_suffixes[]; /* "a, b or c" */

/* Width of a letter, of the picture's; a little more than in any terminal. */
#define ML_PLOT_LETTER 0.0105

/* A script in the making. */
struct ml_plot_script {
    struct ml_plot_source *source;
    const struct ml_plot_folder *folder;
    const struct ml_plot_picture *picture;
    FILE *file;
};

/* Text between double quotes; control characters become spaces, and what is no UTF-8 question
 * marks. */
void ml_plot_quote(FILE *file, const char *text);

/* The same for the label of a tic, in which gnuplot takes % for a format. */
void ml_plot_quote_tic(FILE *file, const char *text);

/* The first line, at once: it marks the folder as one of these. */
void ml_plot_mark_script(const struct ml_plot_script *script);

/* Terminal, output and title: of the study, and `subtitle` under it, in lines of bearable length.
 */
void ml_plot_begin_script(const struct ml_plot_script *script, const char *subtitle);

/* Label, range and tics of an axis ("x" or "y"). */
void ml_plot_set_axis(const struct ml_plot_script *script, const char *letter,
                      const struct ml_plot_axis *axis, struct ml_plot_range range);

/* Range and scale of colours, with a label. */
void ml_plot_set_colours(const struct ml_plot_script *script, const char *label,
                         struct ml_plot_range range);

/* Colours from dark to light that look evenly spaced (viridis), or for what fades with age. */
void ml_plot_set_palette(const struct ml_plot_script *script);
void ml_plot_set_fading_palette(const struct ml_plot_script *script);

#endif
