/* Orders the nodes of formulas and gives them registers: a register is free again behind the last
 * instruction that takes its value. */
#include "expr/program.h"

#include <string.h>

struct making {
    const struct ml_graph *graph;
    struct ml_program *out;
    struct ml_instruction *instructions;
    bool *is_needed;    /* [n] by some output */
    bool *is_taken;     /* [n] in the phase at hand */
    bool *is_kept;      /* [n] computed in the first phase, and taken in a later one */
    int *phase;         /* [n] the one that computes the node; leaves are in any */
    int *last;          /* [n] the last node that takes it in the phase at hand */
    int *place;         /* [n] register */
    int *sine, *cosine; /* [n] the nodes that are these of a node; ML_NO_NODE: none is needed */
    int *anchor;        /* [n] registers of a state's sine and cosine, as of ml_instruction */
    int *spare;         /* [n_spare] registers that are free again */
    int n_spare;
};

static const struct ml_graph_node *node_at(const struct making *m, int i)
{
    return &m->graph->nodes[i];
}

static int n_argument(const struct making *m, int i)
{
    return ml_ops[node_at(m, i)->op].n_argument;
}

/* A literal, or an input without derivatives. */
static bool is_input(const struct making *m, int i)
{
    return node_at(m, i)->op < ML_OP_STATE_DERIV;
}

/* Whether a node takes no longer to compute again than to load: inputs, and sums and products of
 * two. */
static bool is_leaf(const struct making *m, int i)
{
    const struct ml_graph_node *node = node_at(m, i);
    if (node->op < ML_OP_neg || node->op > ML_OP_mul)
        return is_input(m, i);
    for (int k = 0; k < n_argument(m, i); k++)
        if (!is_input(m, node->arg[k]))
            return false;
    return true;
}

static void find_phases(struct making *m)
{
    for (int i = 0; i < m->graph->n; i++) {
        const enum ml_op op = node_at(m, i)->op;
        m->phase[i] = op == ML_OP_STATE_DERIV ? 1 : op == ML_OP_PARAM_DERIV ? 2 : 0;
        for (int k = 0; k < n_argument(m, i); k++) {
            const int arg = node_at(m, i)->arg[k];
            m->phase[i] = m->phase[arg] > m->phase[i] ? m->phase[arg] : m->phase[i];
        }
    }
}

static void find_pairs(struct making *m)
{
    for (int i = 0; i < m->graph->n; i++)
        m->sine[i] = m->cosine[i] = ML_NO_NODE;
    for (int i = 0; i < m->graph->n; i++) {
        const struct ml_graph_node *node = node_at(m, i);
        if (m->is_needed[i] && node->op == ML_OP_sin)
            m->sine[node->arg[0]] = i;
        if (m->is_needed[i] && node->op == ML_OP_cos)
            m->cosine[node->arg[0]] = i;
    }
}

/* Registers of states whose sines are kept from stage to stage, behind those of phases. */
static void find_anchors(struct making *m, bool has_stages)
{
    enum { ROWS = 3 };
    for (int i = 0; i < m->graph->n; i++) {
        const bool is_taken = m->sine[i] != ML_NO_NODE || m->cosine[i] != ML_NO_NODE;
        m->anchor[i] = ML_NO_NODE;
        if (has_stages && is_taken && node_at(m, i)->op == ML_OP_STATE) {
            m->anchor[i] = m->out->n_kept;
            m->out->n_kept += ROWS;
        }
    }
    m->out->n_register = m->out->n_kept;
}

static void find_kept(struct making *m)
{
    m->out->n_kept = 0;
    for (int i = 0; i < m->graph->n; i++)
        for (int k = 0; m->is_needed[i] && m->phase[i] > 0 && k < n_argument(m, i); k++) {
            const int arg = node_at(m, i)->arg[k];
            if (m->phase[arg] == 0 && !is_leaf(m, arg) && !m->is_kept[arg]) {
                m->is_kept[arg] = true;
                m->place[arg] = m->out->n_kept++;
            }
        }
}

/* Whether an instruction before it computes the node. */
static bool is_second_of_pair(const struct making *m, int i)
{
    const struct ml_graph_node *node = node_at(m, i);
    const int other = node->op == ML_OP_sin   ? m->cosine[node->arg[0]]
                      : node->op == ML_OP_cos ? m->sine[node->arg[0]]
                                              : ML_NO_NODE;
    return other != ML_NO_NODE && other < i;
}

/* Which nodes a phase computes, and until where their values are wanted: those of outputs to the
 * end. */
static void find_uses(struct making *m, int phase, int n_output, const int *outputs)
{
    const int n = m->graph->n;
    for (int i = 0; i < n; i++) {
        m->is_taken[i] = m->is_needed[i] && m->phase[i] == phase && !is_leaf(m, i);
        m->last[i] = i;
    }
    for (int o = 0; o < n_output; o++)
        if (outputs[o] != ML_NO_NODE) {
            m->is_taken[outputs[o]] |= is_leaf(m, outputs[o]);
            m->last[outputs[o]] = n;
        }
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; m->is_taken[i] && k < n_argument(m, i); k++) {
            const int arg = node_at(m, i)->arg[k];
            m->is_taken[arg] |= is_leaf(m, arg);
            if (m->last[arg] < i && !is_second_of_pair(m, i))
                m->last[arg] = i;
        }
}

static int take_register(struct making *m)
{
    return m->n_spare > 0 ? m->spare[--m->n_spare] : m->out->n_register++;
}

/* Frees the registers of arguments that no node behind i takes. */
static void free_arguments(struct making *m, int phase, int i)
{
    for (int k = 0; k < n_argument(m, i); k++) {
        const int arg = node_at(m, i)->arg[k];
        if (m->last[arg] == i && !m->is_kept[arg] && (m->phase[arg] == phase || is_leaf(m, arg))) {
            m->spare[m->n_spare++] = m->place[arg];
            m->last[arg] = -1; /* an argument may stand there twice */
        }
    }
}

static void give_register(struct making *m, int i)
{
    if (!m->is_kept[i])
        m->place[i] = take_register(m);
}

/* Sine and cosine of the same are one instruction, where the first of them stands. */
static void add_pair(struct making *m, int phase, int i, struct ml_instruction *out)
{
    const int angle = node_at(m, i)->arg[0], sine = m->sine[angle], cosine = m->cosine[angle];
    const bool has_sine = sine != ML_NO_NODE, has_cosine = cosine != ML_NO_NODE;
    *out = (struct ml_instruction){.op = ML_OP_sin, .arg = {m->place[angle]}, .out = ML_NO_NODE};
    out->cosine = ML_NO_NODE;
    out->anchor = m->anchor[angle];
    if (has_sine) {
        give_register(m, sine);
        out->out = m->place[sine];
    }
    if (has_cosine) {
        give_register(m, cosine);
        out->cosine = m->place[cosine];
    }
    free_arguments(m, phase, i);
}

static void add_instruction(struct making *m, int phase, int i, struct ml_instruction *out)
{
    const struct ml_graph_node *node = node_at(m, i);
    if (node->op == ML_OP_sin || node->op == ML_OP_cos) {
        add_pair(m, phase, i, out);
        return;
    }
    *out = (struct ml_instruction){
        .op = node->op, .cosine = ML_NO_NODE, .anchor = ML_NO_NODE, .value = node->value};
    memcpy(out->arg, node->arg, sizeof out->arg);
    out->arg[0] += node->op == ML_OP_MODE ? m->graph->first_mode : 0;
    for (int k = 0; k < n_argument(m, i); k++)
        out->arg[k] = m->place[node->arg[k]];
    free_arguments(m, phase, i);
    give_register(m, i);
    out->out = m->place[i];
}

static bool add_phase(struct making *m, int phase, int n_output, const int *outputs)
{
    struct ml_program *out = m->out;
    struct ml_phase *p = &out->phases[phase];
    int *places = ml_pool_take(m->graph->pool, (size_t)n_output + 1, sizeof *places);
    if (!places)
        return false;
    m->n_spare = 0;
    find_uses(m, phase, n_output, outputs);
    p->first = out->n_instruction;
    for (int i = 0; i < m->graph->n; i++)
        if (m->is_taken[i] && !is_second_of_pair(m, i))
            add_instruction(m, phase, i, &m->instructions[out->n_instruction++]);
    p->n = out->n_instruction - p->first;
    for (int o = 0; o < n_output; o++)
        places[o] = outputs[o] == ML_NO_NODE ? ML_NO_NODE : m->place[outputs[o]];
    p->n_output = n_output;
    p->outputs = places;
    return true;
}

/* [n] which nodes outputs of any phase take; NULL without memory. */
static bool *find_needed(const struct ml_graph *graph, int n_phase, const int *n_output,
                         const int *const *outputs)
{
    int n = 0;
    for (int p = 0; p < n_phase; p++)
        n += n_output[p];
    int *wanted = ml_pool_take(graph->pool, (size_t)n + 1, sizeof *wanted);
    n = 0;
    for (int p = 0; wanted && p < n_phase; p++)
        for (int o = 0; o < n_output[p]; o++)
            wanted[n++] = outputs[p][o];
    return wanted ? ml_graph_needed(graph, n, wanted) : NULL;
}

bool ml_program_make(const struct ml_graph *graph, bool has_stages, int n_phase,
                     const int *n_output, const int *const *outputs, struct ml_program *out)
{
    const size_t n = (size_t)graph->n + 1;
    struct ml_pool *pool = graph->pool;
    struct making m = {.graph = graph,
                       .out = out,
                       .instructions = ml_pool_take(pool, n_phase * n, sizeof *m.instructions),
                       .is_needed = find_needed(graph, n_phase, n_output, outputs),
                       .is_taken = ml_pool_take(pool, n, sizeof *m.is_taken),
                       .is_kept = ml_pool_take(pool, n, sizeof *m.is_kept),
                       .phase = ml_pool_take(pool, n, sizeof *m.phase),
                       .last = ml_pool_take(pool, n, sizeof *m.last),
                       .place = ml_pool_take(pool, n, sizeof *m.place),
                       .sine = ml_pool_take(pool, n, sizeof *m.sine),
                       .cosine = ml_pool_take(pool, n, sizeof *m.cosine),
                       .anchor = ml_pool_take(pool, n, sizeof *m.anchor),
                       .spare = ml_pool_take(pool, n, sizeof *m.spare)};
    if (!m.is_needed || pool->is_short)
        return false;
    *out = (struct ml_program){.instructions = m.instructions, .n_phase = n_phase};
    find_phases(&m);
    find_pairs(&m);
    find_kept(&m);
    find_anchors(&m, has_stages);
    for (int p = 0; p < n_phase; p++)
        if (!add_phase(&m, p, n_output[p], outputs[p]))
            return false;
    return true;
}
