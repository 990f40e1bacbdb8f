/* Symplectic methods for x'' = F(x, t): drifts and kicks in turn. */
#include "integrators/method.h"

/* Position Verlet, or leapfrog: half a drift, a kick, half a drift. */
static const double verlet_nodes[] = {0.5};
static const double verlet_drifts[] = {0.5, 0.5}, verlet_kicks[] = {1.0};

const struct ml_method ml_method_verlet = {
    .name = "verlet",
    .doc = "Stoermer-Verlet, symplectic, for x'' = F(x, t); fixed step, one evaluation",
    .source =
        "L. Verlet, Computer \"Experiments\" on Classical Fluids I, Physical Review 159 (1967) "
        "98-103; Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd edition, Springer "
        "(2006), section I.1.4",
    .order = 2,
    .n_stage = 1,
    .n_step_stage = 1,
    .node = verlet_nodes,
    .splitting = &(const struct ml_splitting){verlet_drifts, verlet_kicks},
};

/* Three steps of verlet, the one in the middle backwards, whose errors of order 2 cancel. */
/* Each a sum of halves of the weights of two steps of verlet. */
static const double yoshida4_drifts[] = {
    0.675603595979828817023844,
    -0.175603595979828817023844,
    -0.175603595979828817023844,
    0.675603595979828817023844,
};

/* Weights of the steps of verlet. */
static const double yoshida4_kicks[] = {
    1.35120719195965763404769,
    -1.70241438391931526809538,
    1.35120719195965763404769,
};

static const double yoshida4_nodes[] = {
    0.675603595979828817023844,
    0.5,
    0.324396404020171182976156,
};

const struct ml_method ml_method_yoshida4 = {
    .name = "yoshida4",
    .doc = "symmetric composition of 3 steps of verlet, for x'' = F(x, t); fixed step",
    .source =
        "H. Yoshida, Construction of higher order symplectic integrators, Physics Letters A 150 "
        "(1990) 262-268",
    .order = 4,
    .n_stage = 3,
    .n_step_stage = 3,
    .node = yoshida4_nodes,
    .splitting = &(const struct ml_splitting){yoshida4_drifts, yoshida4_kicks},
};

/* Fifteen steps of verlet with weights that cancel the errors up to order 8: of Yoshida's kind of
 * composition, with weights found later than his, which are smaller, and so are the errors. */
/* Each a sum of halves of the weights of two steps of verlet. */
static const double yoshida8_drifts[] = {
    0.370835182175306476724114,  0.166284769275290679725464,  -0.109173057751896607021712,
    -0.191553880409921943351256, -0.137399144906213171405962, 0.316844549774477053814711,
    0.324959005321032390208507,  -0.240797423478074878693866, -0.240797423478074878693866,
    0.324959005321032390208507,  0.316844549774477053814711,  -0.137399144906213171405962,
    -0.191553880409921943351256, -0.109173057751896607021712, 0.166284769275290679725464,
    0.370835182175306476724114,
};

/* Weights of the steps of verlet. */
static const double yoshida8_kicks[] = {
    0.741670364350612953448228,  -0.4091008258000315939973,   0.190754710296238379953876,
    -0.573862471116082266656388, 0.299064181303655923844464,  0.334624918245298183784958,
    0.315293092396766596632057,  -0.796887939352916354019789, 0.315293092396766596632057,
    0.334624918245298183784958,  0.299064181303655923844464,  -0.573862471116082266656388,
    0.190754710296238379953876,  -0.4091008258000315939973,   0.741670364350612953448228,
};

static const double yoshida8_nodes[] = {
    0.370835182175306476724114, 0.537119951450597156449578,
    0.427946893698700549427866, 0.23639301328877860607661,
    0.098993868382565434670648, 0.415838418157042488485359,
    0.740797423478074878693866, 0.5,
    0.259202576521925121306134, 0.584161581842957511514641,
    0.901006131617434565329352, 0.76360698671122139392339,
    0.572053106301299450572134, 0.462880048549402843550422,
    0.629164817824693523275886,
};

const struct ml_method ml_method_yoshida8 = {
    .name = "yoshida8",
    .doc = "symmetric composition of 15 steps of verlet, for x'' = F(x, t); fixed step",
    .source =
        "M. Suzuki, K. Umeno, Higher-order decomposition theory of exponential operators and its "
        "applications to QMC and nonlinear dynamics, Computer Simulation Studies in "
        "Condensed-Matter Physics VI, Springer (1993) 74-86; printed in Hairer, Lubich, Wanner, "
        "Geometric Numerical Integration, 2nd edition, Springer (2006), equation V.3.11",
    .order = 8,
    .n_stage = 15,
    .n_step_stage = 15,
    .node = yoshida8_nodes,
    .splitting = &(const struct ml_splitting){yoshida8_drifts, yoshida8_kicks},
};
