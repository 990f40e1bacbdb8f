/* Quantiles, means and standard deviations of saved quantities at each saved time, over the runs of
 * a sample at each point of the other axes. */
#ifndef ML_STORE_BANDS_H
#define ML_STORE_BANDS_H

#include "h5/h5.h"
#include "manylink/outcome.h"
#include "plan/layout.h"
#include "store/trajectories.h"
#include "yaml/pool.h"

enum { ML_N_BAND = 5 };
extern const double ml_band_quantiles[ML_N_BAND];

/* Tables of numbers for each number of a record at each time. */
enum ml_band_table {
    ML_BAND_QUANTILES, /* [ML_N_BAND] */
    ML_BAND_MOMENTS,   /* [2] mean, sd */
    ML_BAND_RUNS,      /* [1] runs with a finite number */
    ML_N_BAND_TABLE
};
extern const int ml_band_size[ML_N_BAND_TABLE];

struct ml_bands {
    int64_t n_cell;   /* points of the axes that are not the sample's */
    int64_t n_saved;  /* saved runs that would count: those of ml_described_run */
    double part;      /* of these runs that is taken at random, so that the time has a bound */
    int64_t n_taken;  /* how many these are */
    int64_t *numbers; /* [ml_layout_records] of a record, at all times; 0: it is not described */
    double **tables[ML_N_BAND_TABLE];  /* [ml_layout_records] -> [numbers][size] at a point */
    int64_t (*outcomes)[ML_N_OUTCOME]; /* [n_cell] of the runs that are taken */
    struct ml_pool pool;               /* owns the arrays */
};

/* Sizes alone, without a table: for a sketch. False if a result has no bands: a saved quantity of
 * two runs or more at each point of the other axes is needed. Free in any case. */
bool ml_bands_measure(struct ml_bands *bands, const struct ml_layout *layout);

/* The trajectories of all saved runs, in one of two places. */
struct ml_bands_source {
    struct ml_h5 *h5; /* errors are there */
    const struct ml_layout *layout;
    hid_t outcome;                         /* of all runs */
    const struct ml_trajectories *written; /* NULL: in datasets */
    const hid_t *datasets;                 /* [ml_layout_records] */
};

/* Takes the tables at point `cell` of the other axes. */
typedef void ml_bands_take(void *context, const struct ml_bands *bands, int64_t cell);

/* Fills the tables of measured bands point by point, so that memory does not grow with the points.
 * Runs that did not end as the study asks are left out, and numbers that are not finite. */
void ml_bands_find(struct ml_bands *bands, const struct ml_bands_source *from, ml_bands_take *take,
                   void *context);
void ml_bands_free(struct ml_bands *bands);

/* Bytes of memory that this takes. */
double ml_bands_bytes(const struct ml_layout *layout);

#endif
