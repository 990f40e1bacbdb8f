/* A chain of the reference files as the text of a study. */
#ifndef CHAIN_STUDY_H
#define CHAIN_STUDY_H

#include <stdio.h>

#include "reference/reference.h"

enum { LONGEST = 4096 };

/* The study of a reference chain from state x0, absolute angles; time and the rest are to follow.
 * The damper and the torque of joint i are the forces b<i> and tau<i>. */
static inline int write_chain(char *to, const struct ref_chain *chain, const double *x0)
{
    int n = snprintf(to, LONGEST,
                     "manylink: 1\nsystem:\n  type: chain\n  zero: %s\n  gravity: [%.17g, %.17g]\n"
                     "  segments:\n",
                     chain->right ? "right" : "down", chain->g[0], chain->g[1]);
    for (int i = 0; i < chain->n; i++)
        n += snprintf(to + n, LONGEST - (size_t)n,
                      "    - {length: %.17g, mass: %.17g, com: %.17g, inertia: %.17g}\n",
                      chain->l[i], chain->m[i], chain->d[i], chain->inertia[i]);
    n += snprintf(to + n, LONGEST - (size_t)n, "forces:\n");
    for (int i = 0; i < chain->n; i++)
        n += snprintf(to + n, LONGEST - (size_t)n,
                      "  - {name: b%d, type: damper, joint: %d, coefficient: %.17g}\n"
                      "  - {name: tau%d, type: torque, joint: %d, value: %.17g}\n",
                      i + 1, i + 1, chain->b[i], i + 1, i + 1, chain->tau[i]);
    n += snprintf(to + n, LONGEST - (size_t)n, "initial:\n");
    for (int q = 0; q < 2; q++) {
        n += snprintf(to + n, LONGEST - (size_t)n, "  %s: [", q ? "rate" : "angle");
        for (int i = 0; i < chain->n; i++)
            n += snprintf(to + n, LONGEST - (size_t)n, "%s%.17g", i ? ", " : "",
                          x0[q * chain->n + i]);
        n += snprintf(to + n, LONGEST - (size_t)n, "]\n");
    }
    return n;
}

#endif
