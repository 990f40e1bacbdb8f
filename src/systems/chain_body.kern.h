/* Segments of a human body: what fractions of its mass and height they have.
 *
 * winter: W. T. Dempster's cadavers (1955), as D. A. Winter's textbook (Biomechanics and Motor
 * Control of Human Movement) has them. de_leva: P. de Leva, J. Biomech. 29 (1996) 1223-1230, young
 * adults, radii of gyration of the sagittal plane; the hand ends at the third metacarpal. Lengths
 * are the same fractions of the height in all tables (R. Drillis, R. Contini, 1966, in Winter). */
#ifndef ML_SYSTEMS_CHAIN_BODY_H
#define ML_SYSTEMS_CHAIN_BODY_H

enum { CHAIN_WINTER, CHAIN_DE_LEVA_FEMALE, CHAIN_DE_LEVA_MALE, CHAIN_N_TABLE };
enum { CHAIN_UPPER_ARM, CHAIN_FOREARM, CHAIN_HAND, CHAIN_N_PART };

static const char *const chain_parts[CHAIN_N_PART + 1] = {
    [CHAIN_UPPER_ARM] = "upper_arm",
    [CHAIN_FOREARM] = "forearm",
    [CHAIN_HAND] = "hand",
};

/* Length over body height. */
static const double chain_part_lengths[CHAIN_N_PART] = {
    [CHAIN_UPPER_ARM] = 0.186,
    [CHAIN_FOREARM] = 0.146,
    [CHAIN_HAND] = 0.108,
};

struct chain_part {
    double mass;     /* over body mass */
    double com;      /* distance from the proximal joint over length */
    double gyration; /* radius about the centre of mass over length */
};

static const struct chain_part chain_tables[CHAIN_N_TABLE][CHAIN_N_PART] = {
    [CHAIN_WINTER] = {[CHAIN_UPPER_ARM] = {0.028, 0.436, 0.322},
                      [CHAIN_FOREARM] = {0.016, 0.430, 0.303},
                      [CHAIN_HAND] = {0.006, 0.506, 0.297}},
    [CHAIN_DE_LEVA_FEMALE] = {[CHAIN_UPPER_ARM] = {0.0255, 0.5754, 0.278},
                              [CHAIN_FOREARM] = {0.0138, 0.4559, 0.261},
                              [CHAIN_HAND] = {0.0056, 0.7474, 0.531}},
    [CHAIN_DE_LEVA_MALE] = {[CHAIN_UPPER_ARM] = {0.0271, 0.5772, 0.285},
                            [CHAIN_FOREARM] = {0.0162, 0.4574, 0.276},
                            [CHAIN_HAND] = {0.0061, 0.7900, 0.628}},
};

#endif
