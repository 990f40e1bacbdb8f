/* The kernel, the compiled code that computes the steps of a study. Results do not depend on the
 * kernel; the computing time does. */
#ifndef MANYLINK_KERNEL_H
#define MANYLINK_KERNEL_H

/* Which kernels may be taken. */
enum ml_kernel_mode {
    ML_KERNEL_AUTO,         /* one made for the study where that pays, by a thread beside those that
                               begin to compute with the general one; else one built in */
    ML_KERNEL_ONLY_GENERAL, /* the one for any study of its system */
    ML_KERNEL_ONLY_MADE     /* one made for the study, or built in for such; else it is an error */
};

#endif
