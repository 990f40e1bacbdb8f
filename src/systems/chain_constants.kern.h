/* The chain's constants: parameters and what follows from them, as rows of a batch. */
#ifndef ML_SYSTEMS_CHAIN_CONSTANTS_H
#define ML_SYSTEMS_CHAIN_CONSTANTS_H

#include "simd/lanes.h"
#include "systems/chain_body.kern.h"
#include "systems/system.h"

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
enum { CHAIN_ROW_ALONG, CHAIN_ROW_ACROSS, CHAIN_ROW_SEGMENTS, CHAIN_ROWS_PER_SEGMENT = 6 };
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

static int chain_constant_rows(const struct ml_shape *shape)
{
    return chain_rows_of(shape->n) + shape->n_law_constant;
}

/* What segment i has of the body; NULL: there is none. */
ML_INLINE const struct chain_part *chain_part_of(const struct ml_shape *shape, int i)
{
    return shape->part ? &chain_tables[shape->choice[CHAIN_TABLE]][shape->part[i]] : NULL;
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

static void chain_derive(const struct ml_shape *shape, double *values)
{
    if (isnan(values[CHAIN_GRAVITY_X]))
        values[CHAIN_GRAVITY_X] = 0.0;
    if (isnan(values[CHAIN_GRAVITY_Y]))
        values[CHAIN_GRAVITY_Y] = -values[CHAIN_GRAVITY];
    for (int i = 0; i < shape->n; i++) {
        double *segment = values + CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM;
        const struct chain_part *part = chain_part_of(shape, i);
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
        ml_vec l = ml_get(segment, CHAIN_LENGTH), m = ml_get(segment, CHAIN_MASS);
        ml_vec d = ml_get(segment, CHAIN_COM), inertia = ml_get(segment, CHAIN_INERTIA);
        ml_put(constants, chain_row_length(i), l);
        ml_put(constants, chain_row_mu(i), ml_fma(m, d, l * distal));
        ml_put(constants, chain_row_diagonal(i), ml_fma(m * d, d, ml_fma(l * l, distal, inertia)));
        ml_put(constants, chain_row_com(i), d);
        ml_put(constants, chain_row_torque(i), ml_splat(0.0));
        ml_put(constants, chain_row_damping(i), ml_splat(0.0));
        distal += m;
    }
}

ML_INLINE void chain_prepare_pairs(int n, double *constants)
{
    ml_vec along = ml_get(constants, CHAIN_ROW_ALONG), across = ml_get(constants, CHAIN_ROW_ACROSS);
    for (int i = 0; i < n; i++) {
        ml_vec mu = ml_get(constants, chain_row_mu(i));
        ml_put(constants, chain_row_along(n, i), mu * along);
        ml_put(constants, chain_row_across(n, i), mu * across);
        for (int j = 0; j < i; j++)
            ml_put(constants, chain_row_coupling(n, i, j),
                   mu * ml_get(constants, chain_row_length(j)));
    }
}

/* Gravity in the frame of the angles' zero. */
ML_INLINE void chain_prepare_gravity(bool is_down, const double *values, double *constants)
{
    ml_vec gx = ml_get(values, CHAIN_GRAVITY_X), gy = ml_get(values, CHAIN_GRAVITY_Y);
    ml_put(constants, CHAIN_ROW_ALONG, is_down ? gx : gy);
    ml_put(constants, CHAIN_ROW_ACROSS, is_down ? gy : -gx);
}

ML_INLINE void chain_prepare_constants(const struct ml_shape *shape, const double *values,
                                       double *constants)
{
    chain_prepare_gravity(shape->choice[CHAIN_ZERO] == CHAIN_DOWN, values, constants);
    chain_prepare_segments(shape->n, values, constants);
    if (shape->n <= CHAIN_MAX_PAIRWISE)
        chain_prepare_pairs(shape->n, constants);
}

static struct ml_joint_terms chain_joint_terms(const struct ml_shape *shape, double *constants)
{
    (void)shape;
    return (struct ml_joint_terms){
        .torque = constants + chain_row_torque(0) * ML_LANES,
        .damping = constants + chain_row_damping(0) * ML_LANES,
        .stride = CHAIN_ROWS_PER_SEGMENT,
    };
}

#endif
