/* Numbers of forces that may change over time. */
#include <math.h>
#include <string.h>

#include "study/reader.h"

static void clear(double *values)
{
    for (int row = 0; row < ML_COURSE_ROWS; row++)
        values[row] = (double)NAN;
}

/* Rows of a type that is known, and its table. */
static void read_rows(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                      double *values, struct ml_course *course)
{
    struct ml_keys keys;
    struct ml_course_keys fields = {0};
    struct ml_param params[ML_COURSE_ROWS];
    const struct ml_params own = ml_course_params(param, (int)course->type, params);
    ml_schema_keys(ML_SCOPE_COURSE, NULL, &own, &keys);
    ml_read_map(r, node, &keys, &fields, values);
    if (course->type == ML_TABLE_COURSE)
        course->knots = ml_read_knots(r, node, &fields, param);
}

void ml_read_course(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *values, struct ml_course *course)
{
    clear(values);
    course->type = ML_CONSTANT_COURSE;
    if (!node)
        values[ML_COURSE_VALUE] = param->preset;
    else if (node->kind != ML_NODE_MAP)
        (void)ml_read_number(r, node, param, &values[ML_COURSE_VALUE]);
    else {
        int word = ml_read_word(r, node, ML_SCOPE_COURSE, "type");
        if (word < 0)
            return;
        course->type = (enum ml_course_type)(ML_RAMP_COURSE + word);
        read_rows(r, node, param, values, course);
    }
}

struct courses {
    double *values;
    struct ml_course *course;
};

static void read_one(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                     int i, void *context)
{
    const struct courses *to = context;
    ml_read_course(r, node, param, to->values + (long)i * ML_COURSE_ROWS, &to->course[i]);
}

void ml_read_courses(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                     double *values, struct ml_course *course)
{
    const int n = r->study->ensemble.shape.n;
    struct courses to = {values, course};
    const bool is_course =
        !node || node->kind == ML_NODE_SCALAR || ml_node_find(node, "type") != NULL;
    ml_read_course(r, is_course ? node : NULL, param, values, course);
    for (int i = 1; i < n; i++) {
        memcpy(values + (long)i * ML_COURSE_ROWS, values, ML_COURSE_ROWS * sizeof *values);
        course[i] = course[0];
    }
    if (!is_course)
        ml_read_each_segment(r, node, param, read_one, &to);
}
