/* Processors and memory of the machine that this process may use, by its control group. */
#ifndef ML_BASE_CGROUP_H
#define ML_BASE_CGROUP_H

/* Processors that it may keep busy all the time, in parts too, and bytes of memory that it may use;
 * 0: as many as there are. The least of its group and those that this is in, of either version of
 * control groups, as far as they can be seen.
 *   root  before /proc and /sys: "" but for tests */
double ml_cgroup_processors(const char *root);
double ml_cgroup_memory(const char *root);

/* Threads that compute if their number is not given: as OpenMP decides, but without OMP_NUM_THREADS
 * no more than have a processor. */
int ml_cgroup_threads(void);

#endif
