/* A dataset of the summary or the trajectories, with the scales along its dimensions. */
#ifndef ML_PLOT_DATASET_H
#define ML_PLOT_DATASET_H

#include "plot/source.h"

/* Positions along a dimension. */
struct ml_plot_scale {
    const char *name, *unit, *label; /* label: "name (unit)" */
    unsigned long long n;
    const double *values;     /* [n]; 0, 1, 2, ... for texts */
    const char *const *texts; /* [n]; NULL: the scale is of numbers */
    bool is_whole;            /* integers: they count, and measure nothing */
};

/* Name and size of the dimension of a share: the estimate, and the ends of its interval. */
#define ML_PLOT_INTERVAL "estimate"
enum { ML_PLOT_N_INTERVAL = 3 };

/* Name of the dimension of the events of a run. */
#define ML_PLOT_EVENTS "crossing"

struct ml_plot_dataset {
    const char *group, *path; /* "summary", "summary/max_rate" */
    bool is_summary;          /* has all runs; otherwise of the trajectories */
    bool is_outcome;          /* how the runs ended, which is not at `path` */
    bool is_share;            /* shares of the runs at each point of the grid, with their intervals:
                                 its last dimension; its first are axes of the grid, not runs */
    const char *name, *label, *unit;
    const char *categories; /* names of its numbers 0, 1, ... with blanks between;
                               NULL: they are numbers */
    int rank;
    unsigned long long size[ML_ARRAY_MAX_RANK]; /* [rank] */
    int n_run_dim; /* the first dimensions are of runs, the others extra ones */
    struct ml_plot_scale scales[ML_ARRAY_MAX_RANK];
};

/* Finds a dataset by name, "outcome": how the runs ended; NULL: that of the first view. Refuses
 * unknown names. */
void ml_plot_find(struct ml_plot_source *source, const char *name, struct ml_plot_dataset *dataset);

/* Bytes of a name that are those of a dataset with numbers: all, or all before one of the last
 * dots; 0 without such a dataset.
 *   group  of the dataset; NULL: any that is drawn */
size_t ml_plot_name_length(struct ml_plot_source *source, const char *group, const char *name);

/* Finds a dataset of a group; false if not found. */
bool ml_plot_find_in(struct ml_plot_source *source, const char *group, const char *name,
                     struct ml_plot_dataset *dataset);

/* Allows the outputs of a group that names them, else all of its numbers. */
void ml_plot_allow_members(struct ml_plot_source *source, const char *group,
                           struct ml_plot_words *words);

/* The dimension a name stands for: that of its scale, or of another dataset along that dimension,
 * which is then the scale. -1: none. */
int ml_plot_dimension(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                      const char *name, struct ml_plot_scale *scale);

/* The dimension of events of a summary's dataset; -1: it has none. */
int ml_plot_events(const struct ml_plot_dataset *dataset);

/* Refuses a name that stands for no dimension. */
void ml_plot_refuse_dimension(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                              const char *option, const char *name);

/* Name of the first swept quantity along a dimension that has other scales than its own; NULL. */
const char *ml_plot_first_swept(struct ml_plot_source *source,
                                const struct ml_plot_dataset *dataset, int dim);

/* The scale that a dimension is drawn along if no other is asked for: its own; or, of runs without
 * an order and of an axis that moves several quantities, whose scale only counts, the first swept
 * quantity if its values are in order. */
struct ml_plot_scale ml_plot_usual_scale(struct ml_plot_source *source,
                                         const struct ml_plot_dataset *dataset, int dim);

/* Whether the dimension is one of unordered runs: points are not to be joined. */
bool ml_plot_is_unordered(const struct ml_plot_dataset *dataset, int dim);

/* "name = value unit" at a position. */
const char *ml_plot_at_text(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                            unsigned long long at);

#endif
