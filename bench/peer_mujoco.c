/* MuJoCo with its RK4: hinges about an axis out of the plane, joint angles, nothing else switched
 * on. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer.h"

struct world {
    mjModel *model;
    mjData *data;
};

/* The model of a chain with lengths and masses of 1, to be set for each run. x is x, y is z. */
static void write_model(int n, FILE *file)
{
    (void)fprintf(file,
                  "<mujoco><compiler angle=\"radian\"/>"
                  "<option timestep=\"%.17g\" integrator=\"RK4\" gravity=\"0 0 %.17g\">"
                  "<flag constraint=\"disable\" contact=\"disable\" passive=\"disable\" "
                  "sensornoise=\"disable\"/></option><worldbody>",
                  ML_BENCH_STEP, -ML_BENCH_GRAVITY);
    for (int i = 0; i < n; i++)
        (void)fprintf(file,
                      "<body pos=\"0 0 %d\"><joint type=\"hinge\" axis=\"0 -1 0\"/>"
                      "<inertial pos=\"0 0 -0.5\" mass=\"1\" diaginertia=\"1 1 1\"/>",
                      i == 0 ? 0 : -1);
    for (int i = 0; i < n; i++)
        (void)fputs("</body>", file);
    (void)fputs("</worldbody></mujoco>", file);
}

static mjModel *load_model(int n)
{
    char path[] = "/tmp/bench_mujoco_XXXXXX", error[256];
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file)
        return NULL;
    write_model(n, file);
    mjModel *model = fclose(file) == 0 ? mj_loadXML(path, NULL, error, sizeof error) : NULL;
    (void)unlink(path);
    return model;
}

static void close_world(void *self)
{
    struct world *w = self;
    if (w->data)
        mj_deleteData(w->data);
    if (w->model)
        mj_deleteModel(w->model);
    free(w);
}

static void *open_world(const struct ml_bench_runs *runs)
{
    struct world *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->model = load_model(runs->n);
    w->data = w->model ? mj_makeData(w->model) : NULL;
    if (w->data)
        return w;
    close_world(w);
    return NULL;
}

/* Body 0 is the world. */
static void load_run(struct world *w, const struct ml_bench_runs *runs, int64_t run)
{
    const int n = runs->n;
    const double *length = runs->length + run * n, *mass = runs->mass + run * n;
    const double *angle = runs->angle + run * n;
    mjModel *m = w->model;
    for (int i = 0; i < n; i++) {
        double inertia = mass[i] * length[i] * length[i] / 12.0;
        m->body_pos[3 * (i + 1) + 2] = i > 0 ? -length[i - 1] : 0.0;
        m->body_ipos[3 * (i + 1) + 2] = -0.5 * length[i];
        m->body_mass[i + 1] = mass[i];
        for (int axis = 0; axis < 3; axis++)
            m->body_inertia[3 * (i + 1) + axis] = inertia;
    }
    mj_setConst(m, w->data);
    mj_resetData(m, w->data);
    for (int i = 0; i < n; i++)
        w->data->qpos[i] = angle[i] - (i > 0 ? angle[i - 1] : 0.0);
}

static void run(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end)
{
    struct world *w = self;
    for (int64_t r = 0; r < n_run; r++) {
        load_run(w, runs, r);
        for (int64_t i = 0; i < n_step; i++)
            mj_step(w->model, w->data);
        double angle = 0.0, rate = 0.0;
        for (int i = 0; i < runs->n; i++) {
            end[2 * runs->n * r + i] = angle += w->data->qpos[i];
            end[2 * runs->n * r + runs->n + i] = rate += w->data->qvel[i];
        }
    }
}

extern const struct ml_bench_peer ml_peer_mujoco[];
const struct ml_bench_peer ml_peer_mujoco[] = {
    {.name = "MuJoCo RK4",
     .doc = "joint angles, constraints and contacts off",
     .bound = 1e-9,
     .open = open_world,
     .close = close_world,
     .run = run},
    {0},
};
