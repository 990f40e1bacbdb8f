/* Reads C3D files, and writes them as text of tables. */
#include "columns/c3d.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "columns/cells.h"

enum {
    BLOCK = 512, /* bytes */
    INTEL = 84,
    DEC = 85,
    MIPS = 86,
    MOST_PLATES = 64,
    PLATE_CHANNELS = 8,
    LABEL = 256, /* characters of a name, at most */
    NUMBER = 20, /* characters of a number and a separator, at most */
};

/* A parameter: its numbers or text in the file. */
struct parameter {
    const char *name; /* [name_length] in the file */
    int name_length, group;
    int type; /* -1 text, 1 bytes, 2 integers, 4 numbers */
    int n_dim;
    int dim[7];
    size_t n;  /* elements */
    size_t at; /* byte of the first */
};

struct channel {
    double zero, scale;
};

struct c3d {
    struct ml_problems *problems;
    const unsigned char *bytes;
    size_t n_byte;
    int processor;
    struct parameter *parameters;
    int n_parameter;
    const char *group_names[128];
    int group_lengths[128];
    int n_point, n_channel, per_frame; /* per_frame: samples of each channel in a frame */
    size_t n_frame, data;              /* data: byte of the first frame */
    double rate, scale;                /* Hz; < 0: numbers, else integers times this */
    struct channel *channels;          /* [n_channel] */
    bool is_unsigned;                  /* integers of channels */
    char *text;                        /* written so far */
    size_t length, room;
};

static void tell(struct c3d *c, size_t at, const char *what)
{
    if (c->problems->count == 0)
        ml_problem(c->problems, (struct ml_location){.line = 1, .column = 1},
                   "this is a C3D file whose %s, at byte %zu: is the file damaged or cut off?",
                   what, at);
}

static int int16_at(const struct c3d *c, size_t at)
{
    const unsigned low = c->bytes[at + (c->processor == MIPS)],
                   high = c->bytes[at + (c->processor != MIPS)];
    return (int16_t)(uint16_t)(low | high << 8);
}

/* A number of 32 bits. Those of a DEC have their halves exchanged, and are four times as large. */
static double float_at(const struct c3d *c, size_t at)
{
    static const int order[][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    const int *own = order[c->processor - INTEL];
    uint32_t bits = 0;
    float value;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)c->bytes[at + (size_t)own[i]] << (8 * i);
    memcpy(&value, &bits, sizeof value);
    return c->processor == DEC ? 0.25 * (double)value : (double)value;
}

static bool has(const struct c3d *c, size_t at, size_t n)
{
    return at <= c->n_byte && n <= c->n_byte - at;
}

/* A byte as a number from -128 to 127. */
static int signed_byte(const struct c3d *c, size_t at)
{
    return c->bytes[at] - (c->bytes[at] > 127 ? 256 : 0);
}

/* Reads the parameter behind its name, from byte `at` on. */
static void read_parameter(struct c3d *c, struct parameter *p, size_t at)
{
    if (!has(c, at, 2)) {
        tell(c, at, "parameter ends early");
        return;
    }
    p->type = signed_byte(c, at);
    p->n_dim = c->bytes[at + 1];
    p->n = 1;
    if (p->n_dim > 7 || !has(c, at + 2, (size_t)p->n_dim) ||
        (p->type != -1 && p->type != 1 && p->type != 2 && p->type != 4)) {
        tell(c, at, "parameter has an impossible type or shape");
        return;
    }
    for (int d = 0; d < p->n_dim; d++) {
        p->dim[d] = c->bytes[at + 2 + (size_t)d];
        p->n *= (size_t)p->dim[d];
        if (p->n > c->n_byte)
            p->n = c->n_byte + 1; /* too many: told below */
    }
    p->at = at + 2 + (size_t)p->n_dim;
    if (!has(c, p->at, p->n * (size_t)(p->type < 0 ? 1 : p->type)))
        tell(c, at, "parameter is longer than the file");
}

/* Reads the parameters and names of groups, which are a chain of records. */
static void read_parameters(struct c3d *c)
{
    enum { MOST = 4096 };
    size_t at = ((size_t)c->bytes[0] - 1) * BLOCK + 4;
    c->parameters = ml_pool_take(c->problems->pool, MOST, sizeof *c->parameters);
    while (c->parameters && c->problems->count == 0 && c->n_parameter < MOST && has(c, at, 2) &&
           c->bytes[at] != 0) {
        const int length = signed_byte(c, at), group = signed_byte(c, at + 1);
        const int n = length < 0 ? -length : length;
        const size_t name = at + 2, link = name + (size_t)n;
        if (!has(c, link, 2) || group == 0 || group == -128) {
            tell(c, at, "record of a parameter is impossible");
            return;
        }
        if (group < 0) {
            c->group_names[-group] = (const char *)c->bytes + name;
            c->group_lengths[-group] = n;
        } else {
            struct parameter *p = &c->parameters[c->n_parameter++];
            *p = (struct parameter){
                .name = (const char *)c->bytes + name, .name_length = n, .group = group};
            read_parameter(c, p, link + 2);
        }
        const int next = int16_at(c, link) & 0xFFFF;
        if (next == 0)
            return;
        at = link + (size_t)next;
    }
}

/* NULL: the file has no such parameter. */
static const struct parameter *find(const struct c3d *c, const char *group, const char *name)
{
    for (int i = 0; i < c->n_parameter; i++) {
        const struct parameter *p = &c->parameters[i];
        const char *own = c->group_names[p->group];
        if (own && ml_span_is((struct ml_span){own, own + c->group_lengths[p->group]}, group) &&
            ml_span_is((struct ml_span){p->name, p->name + p->name_length}, name))
            return p;
    }
    return NULL;
}

/* Number i of a parameter; `otherwise` where the file has none. */
static double number(const struct c3d *c, const char *group, const char *name, size_t i,
                     double otherwise)
{
    const struct parameter *p = find(c, group, name);
    if (!p || i >= p->n || p->type < 1)
        return otherwise;
    const size_t at = p->at + i * (size_t)p->type;
    return p->type == 4 ? float_at(c, at) : p->type == 2 ? int16_at(c, at) : c->bytes[at];
}

/* A number of a parameter as an integer; -1 where the number is no small one. */
static int integer(const struct c3d *c, const char *group, const char *name, size_t i)
{
    const double value = number(c, group, name, i, 0.0), most = 1e6;
    return value >= 0.0 && value < most ? (int)value : -1;
}

/* Text i of a parameter, without blanks at its ends; empty where the file has none. */
static struct ml_span text_of(const struct c3d *c, const char *group, const char *name, size_t i)
{
    const struct parameter *p = find(c, group, name);
    const size_t length = p && p->n_dim > 0 ? (size_t)p->dim[0] : 0;
    if (!p || p->type != -1 || length == 0 || i >= p->n / length)
        return (struct ml_span){"", ""};
    const char *from = (const char *)c->bytes + p->at + i * length, *to = from + length;
    while (to > from && (to[-1] == '\0' || to[-1] == ' '))
        to--;
    return ml_span_trim((struct ml_span){from, to});
}

/* Sizes of the data, which must lie within the file. */
static void read_sizes(struct c3d *c)
{
    const int first = int16_at(c, 6) & 0xFFFF, last = int16_at(c, 8) & 0xFFFF;
    const int per_frame = int16_at(c, 4) & 0xFFFF, start = int16_at(c, 16) & 0xFFFF;
    c->n_point = int16_at(c, 2) & 0xFFFF;
    c->per_frame = int16_at(c, 18) & 0xFFFF;
    c->n_channel = c->per_frame > 0 ? per_frame / c->per_frame : 0;
    c->scale = number(c, "POINT", "SCALE", 0, float_at(c, 12));
    c->rate = number(c, "POINT", "RATE", 0, float_at(c, 20));
    const double from = number(c, "TRIAL", "ACTUAL_START_FIELD", 0, 0.0),
                 to = number(c, "TRIAL", "ACTUAL_END_FIELD", 0, 0.0);
    const double from_high = number(c, "TRIAL", "ACTUAL_START_FIELD", 1, 0.0),
                 to_high = number(c, "TRIAL", "ACTUAL_END_FIELD", 1, 0.0);
    const double long_n = 65536.0 * (to_high - from_high) + fmod(to + 65536.0, 65536.0) -
                          fmod(from + 65536.0, 65536.0) + 1.0;
    c->n_frame = last >= first ? (size_t)(last - first + 1) : 0;
    if (last == 65535 && long_n > 0.0 && long_n < 1e9)
        c->n_frame = (size_t)long_n;
    c->data = start > 0 ? ((size_t)start - 1) * BLOCK : 0;
    const size_t word = c->scale < 0.0 ? 4 : 2;
    const size_t size = word * (4 * (size_t)c->n_point + (size_t)(c->n_channel * c->per_frame));
    if (!isfinite(c->scale) || !(c->rate > 0.0 && c->rate < 1e9))
        tell(c, 12, "scale or rate is impossible");
    else if (c->n_frame == 0 || size == 0)
        tell(c, 2, "header counts no points and channels, or no frames");
    else if (c->data == 0 || c->data > c->n_byte || (c->n_byte - c->data) / size < c->n_frame)
        tell(c, c->data, "data are fewer than the header's frames");
}

__attribute__((format(printf, 2, 3))) static void put(struct c3d *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(c->text + c->length, c->room - c->length, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < c->room - c->length)
        c->length += (size_t)n;
}

/* A name and its unit, as the cell of a line of names. */
static void write_name(struct c3d *c, struct ml_span name, const char *part, struct ml_span unit)
{
    char text[LABEL];
    const bool has_unit = ml_unit_find(unit) != NULL;
    const size_t n = (size_t)(name.to - name.from), length = n < LABEL - 1 ? n : LABEL - 1;
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(name.from[i] > ' ' && name.from[i] <= '~' && !strchr("\"'", name.from[i])
                             ? name.from[i]
                             : '_');
    text[length] = '\0';
    put(c, "%s%s%s%.*s%s\t", text, part, has_unit ? " [" : "",
        has_unit ? (int)(unit.to - unit.from) : 0, unit.from, has_unit ? "]" : "");
}

/* Label i of points or channels; empty: the file has none. */
static struct ml_span label_at(const struct c3d *c, const char *group, int i)
{
    enum { MOST_LABELS = 255 }; /* of one parameter */
    return i < MOST_LABELS ? text_of(c, group, "LABELS", (size_t)i)
                           : text_of(c, group, "LABELS2", (size_t)(i - MOST_LABELS));
}

/* The name of point or channel i: its label, followed by _2 where an earlier one has it too. */
static struct ml_span label_of(const struct c3d *c, const char *group, int i, char own[LABEL])
{
    const struct ml_span label = label_at(c, group, i);
    const int length = label.to - label.from < LABEL / 2 ? (int)(label.to - label.from) : LABEL / 2;
    int before = 0;
    for (int j = 0; j < i && length > 0; j++) {
        const struct ml_span other = label_at(c, group, j);
        before += other.to - other.from == label.to - label.from &&
                  memcmp(other.from, label.from, (size_t)length) == 0;
    }
    const int n = length == 0  ? snprintf(own, LABEL, "%c%d", *group, i + 1)
                  : before > 0 ? snprintf(own, LABEL, "%.*s_%d", length, label.from, before + 1)
                               : snprintf(own, LABEL, "%.*s", length, label.from);
    return (struct ml_span){own, own + n};
}

static size_t frame_at(const struct c3d *c, size_t k)
{
    const size_t word = c->scale < 0.0 ? 4 : 2;
    return c->data + k * word * (4 * (size_t)c->n_point + (size_t)(c->n_channel * c->per_frame));
}

static void write_points(struct c3d *c)
{
    static const char *const parts[] = {"/x", "/y", "/z"};
    const struct ml_span unit = text_of(c, "POINT", "UNITS", 0);
    char own[LABEL];
    put(c, "Frame\t");
    for (int i = 0; i < c->n_point; i++)
        for (int d = 0; d < 3; d++)
            write_name(c, label_of(c, "POINT", i, own), parts[d], unit);
    put(c, "\n");
    for (size_t k = 0; k < c->n_frame; k++) {
        put(c, "%zu\t", k + 1);
        for (int i = 0; i < c->n_point; i++) {
            const bool is_float = c->scale < 0.0;
            const size_t at = frame_at(c, k) + (size_t)i * (is_float ? 16 : 8);
            const bool is_seen = is_float ? float_at(c, at + 12) >= 0.0 : int16_at(c, at + 6) >= 0;
            for (size_t d = 0; d < 3; d++) {
                const double x =
                    is_float ? float_at(c, at + 4 * d) : c->scale * int16_at(c, at + 2 * d);
                put(c, "%.9g\t", is_seen && isfinite(x) ? x : (double)NAN);
            }
        }
        put(c, "\n");
    }
}

/* Scales and zeros of the channels; false without memory. */
static bool read_channels(struct c3d *c)
{
    const bool is_unsigned = ml_span_is(text_of(c, "ANALOG", "FORMAT", 0), "UNSIGNED");
    c->is_unsigned = is_unsigned && c->scale >= 0.0;
    c->channels = ml_pool_take(c->problems->pool, (size_t)c->n_channel + 1, sizeof *c->channels);
    for (int i = 0; c->channels && i < c->n_channel; i++) {
        const double zero = number(c, "ANALOG", "OFFSET", (size_t)i, 0.0);
        c->channels[i].zero = is_unsigned && zero < 0.0 ? zero + 65536.0 : zero;
        c->channels[i].scale =
            number(c, "ANALOG", "SCALE", (size_t)i, 1.0) * number(c, "ANALOG", "GEN_SCALE", 0, 1.0);
    }
    return c->channels;
}

/* Sample s of channel i in frame k, in the channel's unit. */
static double sample(const struct c3d *c, size_t k, int s, int i)
{
    const bool is_float = c->scale < 0.0;
    const size_t before = 4 * (size_t)c->n_point + (size_t)(s * c->n_channel + i);
    const size_t at = frame_at(c, k) + before * (is_float ? 4 : 2);
    const double raw = is_float         ? float_at(c, at)
                       : c->is_unsigned ? int16_at(c, at) & 0xFFFF
                                        : int16_at(c, at);
    return (raw - c->channels[i].zero) * c->channels[i].scale;
}

struct vector {
    double x, y, z;
};

static struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static struct vector minus(struct vector a, struct vector b)
{
    return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static struct vector unit_of(struct vector a)
{
    const double size = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return (struct vector){a.x / size, a.y / size, a.z / size};
}

/* A force plate: its channels, and its frame in the room. */
struct plate {
    int type, n_channel;
    int channel[PLATE_CHANNELS];  /* from 0 on */
    struct vector origin, centre; /* m */
    struct vector ex, ey, ez;     /* axes of the plate in the room; z into the floor */
    double force, moment;         /* SI units of a channel's unit */
    double calibration[6][6];     /* of type 4 */
};

static struct vector corner(const struct c3d *c, int plate, int i, double metre)
{
    const size_t at = 3 * (4 * (size_t)plate + (size_t)i);
    return (struct vector){metre * number(c, "FORCE_PLATFORM", "CORNERS", at, (double)NAN),
                           metre * number(c, "FORCE_PLATFORM", "CORNERS", at + 1, (double)NAN),
                           metre * number(c, "FORCE_PLATFORM", "CORNERS", at + 2, (double)NAN)};
}

/* SI unit of a channel; `otherwise` if the file does not name a known one. */
static double unit_scale(const struct c3d *c, int channel, double otherwise)
{
    const struct ml_unit *unit = ml_unit_find(text_of(c, "ANALOG", "UNITS", (size_t)channel));
    return unit ? unit->scale : otherwise;
}

/* Plate number `k`; false, after telling, of one that cannot be. */
static bool find_plate(struct c3d *c, int k, struct plate *p)
{
    static const char group[] = "FORCE_PLATFORM";
    const struct ml_unit *length = ml_unit_find(text_of(c, "POINT", "UNITS", 0));
    const double metre = length ? length->scale : 1e-3;
    const struct parameter *channels = find(c, group, "CHANNEL");
    const int stride = channels && channels->n_dim > 0 ? channels->dim[0] : 0;
    *p = (struct plate){.type = integer(c, group, "TYPE", (size_t)k)};
    p->n_channel = p->type == 3 ? 8 : 6;
    if (p->type < 1 || p->type > 4 || stride < p->n_channel) {
        tell(c, channels ? channels->at : 0, "force plate is of another type than 1 to 4");
        return false;
    }
    for (int i = 0; i < p->n_channel; i++) {
        p->channel[i] = integer(c, group, "CHANNEL", (size_t)k * (size_t)stride + (size_t)i) - 1;
        if (p->channel[i] < 0 || p->channel[i] >= c->n_channel) {
            tell(c, channels->at, "force plate has a channel that is not there");
            return false;
        }
    }
    p->origin = (struct vector){metre * number(c, group, "ORIGIN", 3 * (size_t)k, 0.0),
                                metre * number(c, group, "ORIGIN", 3 * (size_t)k + 1, 0.0),
                                metre * number(c, group, "ORIGIN", 3 * (size_t)k + 2, 0.0)};
    const struct vector c0 = corner(c, k, 0, metre), c1 = corner(c, k, 1, metre),
                        c2 = corner(c, k, 2, metre), c3 = corner(c, k, 3, metre);
    p->centre =
        (struct vector){0.25 * (c0.x + c1.x + c2.x + c3.x), 0.25 * (c0.y + c1.y + c2.y + c3.y),
                        0.25 * (c0.z + c1.z + c2.z + c3.z)};
    p->ex = unit_of(minus(c0, c1));
    p->ez = unit_of(cross(p->ex, minus(c0, c3)));
    p->ey = cross(p->ez, p->ex);
    p->force = unit_scale(c, p->channel[0], 1.0);
    p->moment = unit_scale(c, p->channel[p->type == 1 ? 5 : 3], p->force * metre);
    for (int i = 0; i < 6 && p->type == 4; i++)
        for (int j = 0; j < 6; j++)
            p->calibration[i][j] =
                number(c, group, "CAL_MATRIX", 36 * (size_t)k + 6 * (size_t)j + (size_t)i, i == j);
    return true;
}

static struct vector to_room(const struct plate *p, struct vector a)
{
    return (struct vector){a.x * p->ex.x + a.y * p->ey.x + a.z * p->ez.x,
                           a.x * p->ex.y + a.y * p->ey.y + a.z * p->ez.y,
                           a.x * p->ex.z + a.y * p->ey.z + a.z * p->ez.z};
}

/* Force and point in the room, in N and m, of the channels' values v. */
static void plate_wrench(const struct plate *p, const double v[PLATE_CHANNELS],
                         struct vector *force, struct vector *point)
{
    double w[6];
    struct vector f, m, arm = p->origin, at;
    memcpy(w, v, sizeof w);
    for (int i = 0; i < 6 && p->type == 4; i++) {
        w[i] = 0.0;
        for (int j = 0; j < 6; j++)
            w[i] += p->calibration[i][j] * v[j];
    }
    f = (struct vector){p->force * w[0], p->force * w[1], p->force * w[2]};
    m = (struct vector){p->moment * w[3], p->moment * w[4], p->moment * w[5]};
    if (arm.z > 0.0) /* of the surface from the sensors, which lie below it: z points down */
        arm = (struct vector){-arm.x, -arm.y, -arm.z};
    if (p->type == 3) {
        const double a = fabs(p->origin.x), b = fabs(p->origin.y), n = p->force;
        f = (struct vector){n * (v[0] + v[1]), n * (v[2] + v[3]), n * (v[4] + v[5] + v[6] + v[7])};
        m = (struct vector){n * b * (v[4] + v[5] - v[6] - v[7]),
                            n * a * (v[5] + v[6] - v[4] - v[7]),
                            n * (b * (v[1] - v[0]) + a * (v[2] - v[3]))};
        arm = (struct vector){0.0, 0.0, arm.z};
    }
    const struct vector turn = cross(f, arm);
    at = (struct vector){-(m.y + turn.y) / f.z, (m.x + turn.x) / f.z, 0.0};
    if (p->type == 1) /* the channels are the point, in the unit of moments over that of forces */
        at = (struct vector){p->moment / p->force * w[3], p->moment / p->force * w[4], 0.0};
    at = to_room(p, at);
    *force = to_room(p, f);
    *point = fabs(f.z) < 1.0
                 ? (struct vector){(double)NAN, (double)NAN, (double)NAN}
                 : (struct vector){at.x + p->centre.x, at.y + p->centre.y, at.z + p->centre.z};
}

static void write_analog(struct c3d *c, const struct plate *plates, int n_plate)
{
    char own[LABEL];
    for (int i = 0; i < c->n_channel; i++)
        write_name(c, label_of(c, "ANALOG", i, own), "", text_of(c, "ANALOG", "UNITS", (size_t)i));
    for (int k = 0; k < n_plate; k++)
        put(c,
            "plate%d_fx [N]\tplate%d_fy [N]\tplate%d_fz [N]\tplate%d_px [m]\tplate%d_py [m]\t"
            "plate%d_pz [m]\t",
            k + 1, k + 1, k + 1, k + 1, k + 1, k + 1);
    put(c, "\n");
    for (size_t row = 0; row < c->n_frame * (size_t)c->per_frame; row++) {
        const size_t frame = row / (size_t)c->per_frame;
        const int s = (int)(row % (size_t)c->per_frame);
        for (int i = 0; i < c->n_channel; i++)
            put(c, "%.9g\t", sample(c, frame, s, i));
        for (int k = 0; k < n_plate; k++) {
            double v[PLATE_CHANNELS] = {0.0};
            struct vector f, at;
            for (int i = 0; i < plates[k].n_channel; i++)
                v[i] = sample(c, frame, s, plates[k].channel[i]);
            plate_wrench(&plates[k], v, &f, &at);
            put(c, "%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t", f.x, f.y, f.z, at.x, at.y, at.z);
        }
        put(c, "\n");
    }
}

bool ml_c3d_is(const char *bytes, size_t length)
{
    return length >= 2 && bytes[0] > 0 && bytes[0] < '\t' && bytes[1] == 'P';
}

/* Room for the text of the numbers, and of names of 256 characters; false after telling. */
static bool make_room(struct c3d *c, size_t columns, size_t rows)
{
    const size_t most = (size_t)1 << 30, name = 2 * LABEL;
    if (columns > 0 && rows > most / NUMBER / columns - name)
        tell(c, c->data, "numbers are more than 1 GiB as text");
    else
        c->room = columns * (NUMBER * rows + name) + rows + name;
    c->text = c->problems->count == 0 ? ml_pool_take(c->problems->pool, c->room, 1) : NULL;
    return c->text;
}

char *ml_c3d_text(struct ml_problems *problems, const char *bytes, size_t n_byte, bool of_analog,
                  size_t *length)
{
    struct c3d c = {.problems = problems, .bytes = (const unsigned char *)bytes, .n_byte = n_byte};
    struct plate none, *plates = &none;
    int n_plate = 0;
    const size_t block = ((size_t)c.bytes[0] - 1) * BLOCK;
    if (n_byte < BLOCK) {
        tell(&c, n_byte, "header ends early");
        return NULL;
    }
    c.processor = has(&c, block, 4) ? c.bytes[block + 3] : 0;
    if (c.processor < INTEL || c.processor > MIPS) {
        tell(&c, block, "processor type is not Intel, DEC or MIPS");
        return NULL;
    }
    read_parameters(&c);
    if (problems->count == 0 && c.parameters)
        read_sizes(&c);
    if (problems->count > 0 || !c.parameters)
        return NULL;
    of_analog = (of_analog && c.n_channel > 0) || c.n_point == 0;
    const int used = integer(&c, "FORCE_PLATFORM", "USED", 0);
    if (of_analog && used >= 1 && used <= MOST_PLATES)
        plates = ml_pool_take(problems->pool, (size_t)used, sizeof *plates);
    for (; of_analog && plates && used <= MOST_PLATES && n_plate < used; n_plate++)
        if (!find_plate(&c, n_plate, &plates[n_plate]))
            return NULL;
    const size_t columns =
        of_analog ? (size_t)(c.n_channel + 6 * n_plate) : 3 * (size_t)c.n_point + 1;
    const size_t rows = c.n_frame * (size_t)(of_analog ? c.per_frame : 1);
    if (!plates || !read_channels(&c) || !make_room(&c, columns, rows))
        return NULL;
    put(&c, "SampleRate=%.9g\n", c.rate * (of_analog ? c.per_frame : 1));
    if (of_analog)
        write_analog(&c, plates, n_plate);
    else
        write_points(&c);
    *length = c.length;
    return c.text;
}
