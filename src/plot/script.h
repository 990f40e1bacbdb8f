/* The parts that gnuplot scripts of all pictures have. Text of users is only ever in double
 * quotes, with all that gnuplot could replace or end them by escaped, and drawn without markup. */
#ifndef ML_PLOT_SCRIPT_H
#define ML_PLOT_SCRIPT_H

#include <stdio.h>

#include "plot/axis.h"
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

/* A file of the folder to write; NULL once the source has failed. Closing it checks that all was
 * written; NULL is allowed. */
FILE *ml_plot_create(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                     const char *name);
void ml_plot_finish(struct ml_plot_source *source, FILE *file);

/* Kinds of picture by the suffix of its name; NULL if there is no such kind. */
struct ml_plot_picture {
    const char *suffix, *terminal, *options;
    const char *font; /* its name */
    int points;       /* and size */
    double unit;      /* pixels that the terminal's unit of length has */
    const char *end;  /* contained in the last bytes of a whole picture */
    bool is_animated; /* moves: of stick figures only */
    bool is_film;     /* ffmpeg makes it of the pictures of gnuplot */
    bool is_smoothed; /* viewers blend the pixels of images that they enlarge */
    bool is_tex;      /* texts are read by LaTeX */
};
const struct ml_plot_picture *ml_plot_picture_of(const char *path);
extern const char ml_plot_suffixes[]; /* "a, b or c" */

/* A script in the making. */
struct ml_plot_script {
    struct ml_plot_source *source;
    const struct ml_plot_folder *folder;
    const struct ml_plot_picture *picture;
    const struct ml_plot_options
        *options; /* of which title, labels, font, palette, aspect are used */
    FILE *file, *data;
    int width, height;  /* pixels, of a panel */
    int panel, n_panel; /* which, from 1 on; 0: it is the whole picture */
    int columns;        /* of panels */
    double scale;       /* dots for each of them, of a .png; with it grow letters and lines */
};

enum { ML_PLOT_MOST_DOTS = 20000 }; /* of a picture, along a side */

/* Rows of doubles in the data file, which a plot command draws. */
struct ml_plot_table {
    const struct ml_plot_script *script;
    long skip; /* bytes of the file before them */
    int n_column;
    unsigned long long n; /* numbers so far */
};
struct ml_plot_table ml_plot_begin_table(const struct ml_plot_script *script,
                                         unsigned long long n_column);
void ml_plot_write(struct ml_plot_table *table, double value);
/* Before the second and later parts of a plot command. */
#define ML_PLOT_AGAIN ", \\\n    "
/* The data's part of a plot command, in the place of a file's name. */
const char *ml_plot_end_table(struct ml_plot_table *table);

/* A place at this part of the width of a panel, in that of the picture. */
double ml_plot_place(const struct ml_plot_script *script, double part);

/* A length that is `usual` of the width of a picture of the usual size, of this one's: letters keep
 * their size. */
double ml_plot_width(const struct ml_plot_script *script, double usual);
/* Width of a letter, of the picture's; a little more than in any terminal. */
double ml_plot_letter(const struct ml_plot_script *script);

/* Text between double quotes; control characters become spaces, and bytes that are no UTF-8
 * question marks. */
void ml_plot_quote(const struct ml_plot_script *script, const char *text);

/* Quotes the label of a tic, in which gnuplot takes % for a format. */
void ml_plot_quote_tic(const struct ml_plot_script *script, const char *text);

/* The first line, at once: it marks the folder as one of these. */
void ml_plot_mark_script(const struct ml_plot_script *script);

/* Terminal, output and title: of the study, and `subtitle` under it, in lines of bearable length.
 */
void ml_plot_begin_script(const struct ml_plot_script *script, const char *subtitle);

/* Begins a picture whose panels place themselves: "unset multiplot" ends it. */
void ml_plot_begin_multiplot(const struct ml_plot_script *script, const char *subtitle);

/* Has a unit of x and of y the same length if that is the same unit, no ratio of the axes is asked
 * for, and they are no strip then. */
void ml_plot_set_aspect(const struct ml_plot_script *script, const char *x_unit,
                        struct ml_plot_range x, const char *y_unit, struct ml_plot_range y);

/* Label of an axis ("x", "y" or "cb"), in lines that fit along it. */
void ml_plot_set_label(const struct ml_plot_script *script, const char *letter, const char *label);

/* Writes a text in quoted lines of at most so many letters. */
void ml_plot_quote_lines(const struct ml_plot_script *script, const char *text, int most);

/* Tics of an axis at about `wanted` round numbers, where gnuplot's own would overlap; none if the
 * ends are the same. */
void ml_plot_set_steps(FILE *file, const char *letter, double low, double high, int wanted);

/* The title of a legend, in short lines, and the end of the line. */
void ml_plot_key_title(const struct ml_plot_script *script, const char *title);

/* Powers of ten from low to high, > 0, or 1, 2 and 5 times them on less than two decades; returns
 * how many.
 *   values  [most] out */
int ml_plot_log_steps(double low, double high, int most, double *values);

/* The range of an axis whose ends are given; the end that is not finite is gnuplot's choice. */
void ml_plot_set_ends(FILE *file, const char *letter, double low, double high);

/* Label, range and tics of an axis ("x" or "y"). */
void ml_plot_set_axis(const struct ml_plot_script *script, const char *letter,
                      const struct ml_plot_axis *axis, struct ml_plot_range range);

/* Label, range and tics of the axis of a range: of "cb" or "y". */
void ml_plot_set_range(const struct ml_plot_script *script, const char *letter, const char *label,
                       struct ml_plot_range range);

/* Runs the folder's script into a temporary file, which then gets the name `picture`, once it is
 * whole. gnuplot ends with this process, and when the drawing is stopped. */
void ml_plot_run_gnuplot(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                         const char *picture);

#endif
