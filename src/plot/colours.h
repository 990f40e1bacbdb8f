/* Colours of values: palettes, and the scale on which values become colours. */
#ifndef ML_PLOT_COLOURS_H
#define ML_PLOT_COLOURS_H

#include "plot/script.h"
#include "plot/view.h"

struct ml_plot_colours {
    struct ml_plot_range range;
    bool is_asked;  /* the range was asked for */
    bool is_signed; /* about 0, in two hues */
    double linear;  /* > 0: the scale is asinh(value/linear), linear near 0 and logarithmic far from
                       it, on both sides */
    unsigned long long n_beyond;      /* values outside of a range that was asked for */
    const char *const *names;         /* [n_name] of categories; NULL: values are measured */
    const double *numbers;            /* [n_name] values of the categories, ascending */
    const unsigned long long *counts; /* [n_name] how many values each category has, 1 or more */
    int n_name;
};

/* For n values: a range that was asked for, or theirs, symmetrical about 0 if both signs matter:
 * the smaller of the two ends is more than a tenth of the larger. Of values of both signs whose
 * largest is a thousand times their median the scale is asinh; of first times of events, over more
 * than a decade, it is logarithmic. */
struct ml_plot_colours ml_plot_colours_of(struct ml_plot_source *source,
                                          const struct ml_plot_view *view, const double *values,
                                          unsigned long long n);

/* Palette, range, tics and label. */
void ml_plot_set_colours(const struct ml_plot_script *script, const char *label,
                         const struct ml_plot_colours *colours);

/* The expression that gnuplot computes a colour from, of column `column`. */
const char *ml_plot_colour_value(struct ml_plot_source *source,
                                 const struct ml_plot_colours *colours, int column);

/* Number of the palette of that name, 0 for NULL; of an unknown name that of none. */
int ml_plot_palette_find(const char *name);

/* The palette that is asked for, or colours from dark to light that look evenly spaced (viridis);
 * or colours that fade with age. */
void ml_plot_set_palette(const struct ml_plot_script *script);
void ml_plot_set_fading_palette(const struct ml_plot_script *script);

/* Colours of categories, in pages too: of number 0, the usual case, then of others in turn. */
extern const char ml_plot_categories[];

/* Colours that are told apart at a glance, by the colour blind as well (Okabe and Ito, without the
 * yellow). */
enum { ML_PLOT_DISTINCT = 7 };
extern const char *const ml_plot_distinct[ML_PLOT_DISTINCT];

/* Room for the bar, its numbers and its label, of which gnuplot leaves too little. */
void ml_plot_leave_room_for_bar(const struct ml_plot_script *script);

#endif
