/* GPUs that compute runs of an ensemble beside the processor: named by a word, opened with the
 * kernel of the runs, and the threads and the memory of the host that they take. */
#ifndef ML_RUN_GPUS_H
#define ML_RUN_GPUS_H

#include "engine/gpu/use.h"
#include "engine/kernels/kernel_choice.h"
#include "engine/team/ensemble.h"

enum { ML_MOST_GPUS = 16 };

/* Threads for GPUs, as many as fill them, and memory of the host for these threads. */
struct ml_run_gpus_room {
    int n_thread;       /* of each GPU */
    int64_t group;      /* runs that each of them gives the device at once */
    double queue_bytes; /* of a thread, pinned, and as many on the device */
    double bytes;       /* of all threads of all GPUs, with queues, blocks and batches */
};

/* Zeroed without a GPU. */
struct ml_run_gpus {
    struct ml_gpu_driver *driver; /* NULL: it could not be opened */
    int n;
    struct ml_gpu gpus[ML_MOST_GPUS]; /* [n]; of several, names end with their words: gpu:0 */
    struct ml_gpu_use uses[ML_MOST_GPUS];
    struct ml_run_gpus_room room;
};

/* `device` of ml_run_options. ML_E_INPUT for another word than these. */
enum ml_status ml_run_gpus_check(const char *word, struct ml_error *err);

/* Whether the word names GPUs, and whether it leaves to the library if they are used. */
bool ml_run_gpus_are_wanted(const char *word);
bool ml_run_gpus_are_optional(const char *word);

/* Opens the GPUs that the word names, with the kernel of the ensemble, and gives them threads.
 *   study  its name, for messages
 * ML_E_INPUT: they cannot compute these runs, or one is not there; else as of
 * ml_kernel_make_window. */
enum ml_status ml_run_gpus_open(struct ml_run_gpus *gpus, const char *study,
                                const struct ml_ensemble *ensemble, const char *word,
                                const struct ml_kernel_wish *wish, struct ml_error *err);

/*   n_gpu   GPUs, for which it is shared
 *   memory  bytes of the host that this process may use: half of it is taken at most
 * ML_E_MEMORY: a group of one batch needs more. */
enum ml_status ml_run_gpus_find_room(const struct ml_ensemble *ensemble, int n_gpu, double memory,
                                     struct ml_run_gpus_room *out, struct ml_error *err);

/* Whether one of them has not failed. */
bool ml_run_gpus_alive(const struct ml_run_gpus *gpus);

void ml_run_gpus_close(struct ml_run_gpus *gpus); /* {0} is allowed */

#endif
