/* Segments of a human body: what fractions of its mass and height they have.
 *
 * winter: W. T. Dempster's cadavers (1955) and lengths of R. Drillis, R. Contini (1966), as D. A.
 * Winter's textbook (Biomechanics and Motor Control of Human Movement) has them. de_leva: P. de
 * Leva, J. Biomech. 29 (1996) 1223-1230, table 4: young adults, lengths over the statures 1.735 and
 * 1.741 m, radii of gyration about the transverse axis, which flexion turns a segment about. Rows
 * from joint to joint are chosen where a table has several. docs/body.md says which. */
#ifndef ML_SYSTEMS_CHAIN_BODY_H
#define ML_SYSTEMS_CHAIN_BODY_H

#include <math.h>

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

#endif
