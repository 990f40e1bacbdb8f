/* A pole that hangs on a cart, the cart on a rail, driven by a force: x is where the cart is, angle
 * the pole's from the downward vertical. The pole is a uniform rod of length L and mass m, so that
 * with l = L/2, and M the mass of the cart,
 *
 *   (M + m) x'' + m l cos(angle) angle'' = m l sin(angle) angle'^2 - friction x' + F cos(omega t)
 *   m l cos(angle) x'' + m L^2/3 angle'' = -m g l sin(angle) - damping angle' */
#include <manylink/plugin.h>
#include <math.h>
#include <stddef.h>

enum { CART_MASS, POLE_MASS, POLE_LENGTH, GRAVITY, FRICTION, DAMPING, FORCE, OMEGA, N_PARAM };

static const struct ml_plugin_param params[N_PARAM] = {
    [CART_MASS] = {"cart_mass", "kg", "mass of the cart", 1.0, 1e-3, 1e6},
    [POLE_MASS] = {"pole_mass", "kg", "mass of the pole", 0.5, 1e-3, 1e6},
    [POLE_LENGTH] = {"pole_length", "m", "length of the pole", 1.0, 1e-3, 1e3},
    [GRAVITY] = {"gravity", "m/s^2", "acceleration by gravity, downwards", 9.81, 0.0, 1e3},
    [FRICTION] = {"friction", "N s/m", "viscous friction of the cart", 0.0, 0.0, 1e6},
    [DAMPING] = {"damping", "N m s/rad", "viscous friction of the hinge", 0.0, 0.0, 1e6},
    [FORCE] = {"force", "N", "amplitude of the force on the cart", 0.0, -1e6, 1e6},
    [OMEGA] = {"omega", "rad/s", "angular frequency of the force", 1.0, 0.0, 1e6},
};

/* Coordinates, then their rates. */
enum { ANGLE, X, N, N_STATE = 2 * N };

static const struct ml_plugin_quantity state[N_STATE] = {
    [ANGLE] = {"angle", "rad", "angle of the pole from the downward vertical"},
    [X] = {"x", "m", "position of the cart"},
    [N + ANGLE] = {"angle_rate", "rad/s", "angular velocity of the pole"},
    [N + X] = {"x_rate", "m/s", "velocity of the cart"},
};

/* Rows of the mass matrix's lower triangle. */
enum { M_ANGLE_ANGLE, M_X_ANGLE, M_X_X };

/* Number `row` of lane i of an array. */
#define AT(array, row) (array)[(row)*n_lane + i]

static void terms(int n_lane, const double *t, const double *p, const double *q, const double *qd,
                  double *mass, double *force)
{
    for (int i = 0; i < n_lane; i++) {
        double m = AT(p, POLE_MASS), length = AT(p, POLE_LENGTH), l = length / 2.0;
        double s = sin(AT(q, ANGLE)), c = cos(AT(q, ANGLE)), w = AT(qd, ANGLE);
        double drive = AT(p, FORCE) * cos(AT(p, OMEGA) * t[i]);
        AT(mass, M_ANGLE_ANGLE) = m * length * length / 3.0;
        AT(mass, M_X_ANGLE) = m * l * c;
        AT(mass, M_X_X) = AT(p, CART_MASS) + m;
        AT(force, ANGLE) = -(m * AT(p, GRAVITY) * l * s) - AT(p, DAMPING) * w;
        AT(force, X) = m * l * s * w * w - AT(p, FRICTION) * AT(qd, X) + drive;
    }
}

/* Potential energy counts from the height of the rail. */
static void energy(int n_lane, const double *p, const double *x, double *kinetic, double *potential,
                   double *scale)
{
    for (int i = 0; i < n_lane; i++) {
        double m = AT(p, POLE_MASS), length = AT(p, POLE_LENGTH), l = length / 2.0;
        double v = AT(x, N + X), w = AT(x, N + ANGLE), c = cos(AT(x, ANGLE));
        double weight = m * AT(p, GRAVITY) * l, all = AT(p, CART_MASS) + m;
        kinetic[i] = 0.5 * all * v * v + m * l * c * v * w + m * length * length / 6.0 * w * w;
        potential[i] = -(weight * c);
        scale[i] = weight;
    }
}

const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION,
    .size = sizeof(struct ml_plugin),
    .name = "cart_pole",
    .doc = "a pole hinged to a cart on a rail, driven by a periodic force",
    .params = params,
    .n_param = N_PARAM,
    .state = state,
    .n_state = N_STATE,
    .terms = terms,
    .energy = energy,
};
