/* The chain's parameters: fractions of a human body, and the constants that follow from the
 * parameters, as rows of a batch. */
#ifndef ML_MODEL_CHAIN_PARAMS_H
#define ML_MODEL_CHAIN_PARAMS_H

#include <math.h>

#include "model/system.h"
#include "simd/lanes.h"

/* Segments of a human body, as fractions of its mass and height.
 *
 * winter: W. T. Dempster's cadavers (1955) and lengths of R. Drillis, R. Contini (1966), as D. A.
 * Winter's textbook (Biomechanics and Motor Control of Human Movement) has them. de_leva: P. de
 * Leva, J. Biomech. 29 (1996) 1223-1230, table 4: young adults, lengths over the statures 1.735 and
 * 1.741 m, radii of gyration about the transverse axis, which flexion turns a segment about. Rows
 * from joint to joint are chosen where a table has several. docs/body.md says which. */

enum { CHAIN_WINTER, CHAIN_DE_LEVA_FEMALE, CHAIN_DE_LEVA_MALE, CHAIN_N_TABLE };
enum {
    CHAIN_UPPER_ARM,
    CHAIN_FOREARM,
    CHAIN_HAND,
    CHAIN_THIGH,
    CHAIN_SHANK,
    CHAIN_FOOT,
    CHAIN_TRUNK,
    CHAIN_N_PART
};

static const char *const chain_parts[CHAIN_N_PART + 1] = {
    [CHAIN_UPPER_ARM] = "upper_arm", [CHAIN_FOREARM] = "forearm", [CHAIN_HAND] = "hand",
    [CHAIN_THIGH] = "thigh",         [CHAIN_SHANK] = "shank",     [CHAIN_FOOT] = "foot",
    [CHAIN_TRUNK] = "trunk",
};

/* NaN: the table does not have it, and a study must give it. */
struct chain_part {
    double mass;     /* over body mass */
    double length;   /* to the next joint or the tip, over body height */
    double com;      /* distance from the proximal joint over length */
    double gyration; /* radius about the centre of mass over length */
};

/* The hand of winter: its fractions are of the distance from the wrist to the knuckle of the index
 * finger, which is 0.0472 of the height (de Leva's wrist to third metacarpale, mean of both sexes),
 * but the hand ends at the fingertip, at 0.108. */
static const struct chain_part chain_tables[CHAIN_N_TABLE][CHAIN_N_PART] = {
    [CHAIN_WINTER] = {[CHAIN_UPPER_ARM] = {0.028, 0.186, 0.436, 0.322},
                      [CHAIN_FOREARM] = {0.016, 0.146, 0.430, 0.303},
                      [CHAIN_HAND] = {0.006, 0.108, 0.506 * 0.0472 / 0.108, 0.297 * 0.0472 / 0.108},
                      [CHAIN_THIGH] = {0.100, 0.245, 0.433, 0.323},
                      [CHAIN_SHANK] = {0.0465, 0.246, 0.433, 0.302},
                      [CHAIN_FOOT] = {0.0145, (double)NAN, 0.500, 0.475},
                      [CHAIN_TRUNK] = {0.497, 0.288, 0.500, (double)NAN}},
    [CHAIN_DE_LEVA_FEMALE] = {[CHAIN_UPPER_ARM] = {0.0255, 0.2751 / 1.735, 0.5754, 0.260},
                              [CHAIN_FOREARM] = {0.0138, 0.2643 / 1.735, 0.4559, 0.257},
                              [CHAIN_HAND] = {0.0056, 0.1701 / 1.735, 0.3427, 0.208},
                              [CHAIN_THIGH] = {0.1478, 0.3685 / 1.735, 0.3612, 0.364},
                              [CHAIN_SHANK] = {0.0481, 0.4386 / 1.735, 0.4352, 0.263},
                              [CHAIN_FOOT] = {0.0129, 0.2283 / 1.735, (double)NAN, 0.279},
                              [CHAIN_TRUNK] = {0.4257, 0.4979 / 1.735, 1.0 - 0.3782, 0.361}},
    [CHAIN_DE_LEVA_MALE] = {[CHAIN_UPPER_ARM] = {0.0271, 0.2817 / 1.741, 0.5772, 0.269},
                            [CHAIN_FOREARM] = {0.0162, 0.2689 / 1.741, 0.4574, 0.265},
                            [CHAIN_HAND] = {0.0061, 0.1879 / 1.741, 0.3624, 0.235},
                            [CHAIN_THIGH] = {0.1416, 0.4222 / 1.741, 0.4095, 0.329},
                            [CHAIN_SHANK] = {0.0433, 0.4403 / 1.741, 0.4395, 0.246},
                            [CHAIN_FOOT] = {0.0137, 0.2581 / 1.741, (double)NAN, 0.245},
                            [CHAIN_TRUNK] = {0.4346, 0.5155 / 1.741, 1.0 - 0.4310, 0.358}},
};

/* The chain's constants: parameters and derived numbers, as rows of a batch. */

enum {
    CHAIN_GRAVITY,
    CHAIN_GRAVITY_X,
    CHAIN_GRAVITY_Y,
    CHAIN_ENERGY,
    CHAIN_BODY_MASS,
    CHAIN_BODY_HEIGHT,
    CHAIN_N_PARAM
};
enum { CHAIN_LENGTH, CHAIN_MASS, CHAIN_COM, CHAIN_INERTIA, CHAIN_N_SEGMENT_PARAM };
enum { CHAIN_ANGLES, CHAIN_ZERO, CHAIN_TABLE, CHAIN_N_CHOICE };
enum { CHAIN_ABSOLUTE, CHAIN_JOINT };
enum { CHAIN_DOWN, CHAIN_RIGHT };

/* Up to this many segments, sums over pairs of segments take no more operations than products of
 * sums, and wait less for each other: 8 per pair and 3 per segment against 2 and 13. */
enum { CHAIN_MAX_PAIRWISE = 4 };

/* Gravity is kept turned into the frame of the angles' zero: G_i = mu_i (along cos phi_i + across
 * sin phi_i), V = - sum mu_i (along sin phi_i - across cos phi_i). Few segments also have rows for
 * each pair, and for each segment's weight. */
enum { CHAIN_ROW_ALONG, CHAIN_ROW_ACROSS, CHAIN_ROW_SEGMENTS, CHAIN_ROWS_PER_SEGMENT = 7 };
ML_INLINE int chain_row(int i, int which)
{
    return CHAIN_ROW_SEGMENTS + CHAIN_ROWS_PER_SEGMENT * i + which;
}
ML_INLINE int chain_row_length(int i) { return chain_row(i, 0); }
ML_INLINE int chain_row_mu(int i) { return chain_row(i, 1); }
ML_INLINE int chain_row_diagonal(int i) { return chain_row(i, 2); } /* c_ii */
ML_INLINE int chain_row_torque(int i) { return chain_row(i, 3); }
ML_INLINE int chain_row_damping(int i) { return chain_row(i, 4); }
ML_INLINE int chain_row_com(int i) { return chain_row(i, 5); }
ML_INLINE int chain_row_mass(int i) { return chain_row(i, 6); }
ML_INLINE int chain_row_along(int n, int i) { return chain_row(n, i); } /* mu_i times gravity */
ML_INLINE int chain_row_across(int n, int i) { return chain_row(n, n + i); }
ML_INLINE int chain_row_coupling(int n, int i, int j) /* c_ij, i > j */
{
    return chain_row(n, 2 * n) + ml_tri(i - 1, j);
}

ML_INLINE int chain_rows_of(int n)
{
    return n <= CHAIN_MAX_PAIRWISE ? chain_row_coupling(n, n, 0) : chain_row(n, 0);
}

static int chain_constant_rows(const struct ml_instance *model)
{
    return chain_rows_of(model->n) + model->n_law_constant + model->n_quantity_constant;
}

/* The part of the body that segment i is; NULL: no part of a body. */
ML_INLINE const struct chain_part *chain_part_of(const struct ml_instance *model, int i)
{
    return model->part ? &chain_tables[model->choice[CHAIN_TABLE]][model->part[i]] : NULL;
}

static void chain_derive_part(const struct chain_part *part, const double *values, double *segment)
{
    if (isnan(segment[CHAIN_LENGTH]))
        segment[CHAIN_LENGTH] = part->length * values[CHAIN_BODY_HEIGHT];
    if (isnan(segment[CHAIN_MASS]))
        segment[CHAIN_MASS] = part->mass * values[CHAIN_BODY_MASS];
    if (isnan(segment[CHAIN_COM]))
        segment[CHAIN_COM] = part->com * segment[CHAIN_LENGTH];
    double radius = part->gyration * segment[CHAIN_LENGTH];
    if (isnan(segment[CHAIN_INERTIA]))
        segment[CHAIN_INERTIA] = segment[CHAIN_MASS] * radius * radius;
}

static void chain_derive_rod(double *segment)
{
    double length = segment[CHAIN_LENGTH];
    if (isnan(segment[CHAIN_COM]))
        segment[CHAIN_COM] = length / 2.0;
    if (isnan(segment[CHAIN_INERTIA]))
        segment[CHAIN_INERTIA] = segment[CHAIN_MASS] * length * length / 12.0;
}

static void chain_derive(const struct ml_instance *model, double *values)
{
    if (isnan(values[CHAIN_GRAVITY_X]))
        values[CHAIN_GRAVITY_X] = 0.0;
    if (isnan(values[CHAIN_GRAVITY_Y]))
        values[CHAIN_GRAVITY_Y] = -values[CHAIN_GRAVITY];
    for (int i = 0; i < model->n; i++) {
        double *segment = values + CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM;
        const struct chain_part *part = chain_part_of(model, i);
        if (part)
            chain_derive_part(part, values, segment);
        else
            chain_derive_rod(segment);
    }
}

/* Length, mu and inertia of each segment, from the tip inwards. */
ML_INLINE void chain_prepare_segments(int n, const double *values, double *constants)
{
    ml_vec distal = ml_splat(0.0); /* mass beyond the segment */
    for (int i = n - 1; i >= 0; i--) {
        const double *segment = values + (CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
        ml_vec l = ml_load(segment, CHAIN_LENGTH), m = ml_load(segment, CHAIN_MASS);
        ml_vec d = ml_load(segment, CHAIN_COM), inertia = ml_load(segment, CHAIN_INERTIA);
        ml_store(constants, chain_row_length(i), l);
        ml_store(constants, chain_row_mu(i), ml_fma(m, d, l * distal));
        ml_store(constants, chain_row_diagonal(i),
                 ml_fma(m * d, d, ml_fma(l * l, distal, inertia)));
        ml_store(constants, chain_row_com(i), d);
        ml_store(constants, chain_row_mass(i), m);
        ml_store(constants, chain_row_torque(i), ml_splat(0.0));
        ml_store(constants, chain_row_damping(i), ml_splat(0.0));
        distal += m;
    }
}

ML_INLINE void chain_prepare_pairs(int n, double *constants)
{
    ml_vec along = ml_load(constants, CHAIN_ROW_ALONG),
           across = ml_load(constants, CHAIN_ROW_ACROSS);
    for (int i = 0; i < n; i++) {
        ml_vec mu = ml_load(constants, chain_row_mu(i));
        ml_store(constants, chain_row_along(n, i), mu * along);
        ml_store(constants, chain_row_across(n, i), mu * across);
        for (int j = 0; j < i; j++)
            ml_store(constants, chain_row_coupling(n, i, j),
                     mu * ml_load(constants, chain_row_length(j)));
    }
}

/* Gravity in the frame of the angles' zero. */
ML_INLINE void chain_prepare_gravity(bool is_down, const double *values, double *constants)
{
    ml_vec gx = ml_load(values, CHAIN_GRAVITY_X), gy = ml_load(values, CHAIN_GRAVITY_Y);
    ml_store(constants, CHAIN_ROW_ALONG, is_down ? gx : gy);
    ml_store(constants, CHAIN_ROW_ACROSS, is_down ? gy : -gx);
}

ML_INLINE void chain_prepare_constants(const struct ml_instance *model, const double *values,
                                       double *constants)
{
    chain_prepare_gravity(model->choice[CHAIN_ZERO] == CHAIN_DOWN, values, constants);
    chain_prepare_segments(model->n, values, constants);
    if (model->n <= CHAIN_MAX_PAIRWISE)
        chain_prepare_pairs(model->n, constants);
}

static struct ml_joint_terms chain_joint_terms(const struct ml_instance *model, double *constants)
{
    (void)model;
    return (struct ml_joint_terms){
        .torque = constants + chain_row_torque(0) * ML_LANES,
        .damping = constants + chain_row_damping(0) * ML_LANES,
        .stride = CHAIN_ROWS_PER_SEGMENT,
    };
}

#endif
