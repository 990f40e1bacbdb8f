/* What viewers of a file draw along the axes of a grid. h5web divides the width of a map evenly
 * among its cells, whatever the values of the axis are, so that cells of an uneven axis would stand
 * at wrong numbers. */
#ifndef ML_STORE_DRAWN_H
#define ML_STORE_DRAWN_H

#include "store/names.h"

enum ml_drawn {
    ML_DRAWN_SCALE,  /* the axis itself: its values, or the positions 0, 1, ... of an axis that
                        moves several quantities */
    ML_DRAWN_MEMBER, /* values of the first of several quantities that move together */
    ML_DRAWN_LOG,    /* "log10_NAME": the logarithm of the values */
    ML_DRAWN_INDEX,  /* "index_NAME": their positions, with a label that tells them */
};

/* What datasets an axis is for. */
enum ml_drawn_use {
    ML_DRAWN_CURVES, /* an axis of curves: values need an order only */
    ML_DRAWN_MAP,    /* the last two are those of a map */
    ML_DRAWN_STACK,  /* others than time are sliders, or may be made axes of a map */
};

/* The use that /study/summary makes of its axes. */
enum ml_drawn_use ml_drawn_summary(const struct ml_layout *layout);

enum ml_drawn ml_drawn_kind(const struct ml_axis *axis, enum ml_drawn_use use);

/* Viewers take equal units on both axes of a map, or none on both, for one and the same quantity,
 * drawn to one scale: a strip, if the ranges differ much, and of numbers without unit it says
 * nothing. True where that is not wanted: the x axis of the summary is drawn by a copy
 * without unit, "drawn_NAME", or, of numbers without unit, y by one that says so: "1". */
bool ml_drawn_stands_apart(const struct ml_layout *layout);
bool ml_drawn_has_copy(const struct ml_layout *layout, int k);

/* Name of the dataset that is drawn along axis k, in the layout or in `name`. */
const char *ml_drawn_name(const struct ml_layout *layout, int k, enum ml_drawn_use use,
                          char name[ML_NAME_LENGTH]);
enum { ML_DRAWN_LABEL = 3 * ML_NAME_LENGTH };

/* "NAME: 1, 10, 24, 28 kg", or of many values the first two and the last. */
void ml_drawn_tell(const struct ml_axis *axis, char label[ML_DRAWN_LABEL]);

#endif
