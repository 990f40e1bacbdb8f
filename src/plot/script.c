/* Writes the parts that all gnuplot scripts share: terminal, title, labels, ranges; and quotes text
 * for gnuplot. */
#include "plot/script.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "manylink/text.h"

enum { LINE = 90, MAX_LINES = 5, MAX_TICS = 24, USUAL_WIDTH = 800, LEAST_LINE = 20 };

/* Letters of a title over the usual width: beside a map is a bar of colours, so it is not in the
 * middle. */
enum { TITLE_LINE = 76 };

#define MOVING "gif animate delay 5 optimize"

static const struct ml_plot_picture pictures[] = {
    {".png", "pngcairo", "noenhanced", "Sans", 11, 1.0, "IEND"},
    {".svg", "svg", "noenhanced background '#ffffff'", "sans-serif", 14, 1.0, "</svg>",
     .is_smoothed = true},
    {".pdf", "pdfcairo", "noenhanced", "Sans", 11, 100.0, "%%EOF", .is_smoothed = true},
    {".eps", "epscairo", "noenhanced", "Sans", 11, 100.0, "%%EOF", .is_smoothed = true},
    {".tex", "tikz standalone", "", "", 11, 100.0, "\\end{document}", .is_tex = true},
    {".gif", MOVING, "noenhanced", "sans", 11, 1.0, ";", .is_animated = true},
    {".mp4", MOVING, "noenhanced", "sans", 11, 1.0, ";", .is_animated = true, .is_film = true},
};

const char ml_plot_suffixes[] = ".png, .svg, .pdf, .eps or .tex; of a stick figure also .gif and "
                                ".mp4, which move";

const struct ml_plot_picture *ml_plot_picture_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (dot && dot > name && strcmp(dot, pictures[i].suffix) == 0)
            return &pictures[i];
    return NULL;
}

/* Writes a character of ASCII so that gnuplot reads it as itself: of \0ooo it reads four digits, of
 * \ooo three. */
static void quote_character(FILE *file, char c)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " .,;:=()[]/|+-_*^";
    if (c < ' ' || c == 0x7F)
        (void)fputc(' ', file);
    else if (strchr(plain, c))
        (void)fputc(c, file);
    else
        (void)fprintf(file, c < 0100 ? "\\%04o" : "\\%03o", (unsigned)c);
}

/* The text that LaTeX reads as a character.
 *   room  of the text */
static const char *quote_for_tex(char c, char room[3])
{
    const bool is_escaped = c != '\0' && strchr("_$%&#{}", c);
    (void)snprintf(room, 3, "%s%c", is_escaped ? "\\" : "", c);
    return c == '\\'  ? "\\textbackslash{}"
           : c == '~' ? "\\textasciitilde{}"
           : c == '^' ? "\\textasciicircum{}"
                      : room;
}

/* Quotes a text, with every `twice` doubled. */
static void quote_part(const struct ml_plot_script *script, const char *text, size_t length,
                       char twice)
{
    FILE *file = script->file;
    uint32_t code = 0;
    (void)fputc('"', file);
    for (size_t i = 0, n; i < length; i += n ? n : 1) {
        n = ml_text_decode(text + i, length - i, &code);
        if (n == 0 || !(n == 1 || ml_text_is_printable(code)))
            (void)fputc('?', file);
        else if (n > 1)
            (void)fwrite(text + i, 1, n, file);
        char room[3] = {text[i]};
        const char *c = script->picture->is_tex ? quote_for_tex(text[i], room) : room;
        for (; n == 1 && *c; c++)
            for (int k = 0; k < (*c == twice ? 2 : 1); k++)
                quote_character(file, *c);
    }
    (void)fputc('"', file);
}

void ml_plot_quote(const struct ml_plot_script *script, const char *text)
{
    quote_part(script, text, strlen(text), '\0');
}

void ml_plot_quote_tic(const struct ml_plot_script *script, const char *text)
{
    quote_part(script, text, strlen(text), '%');
}

/* Bytes of the text that make a line of so many characters: up to the last ';' that fits, or word,
 * or '.' or '_' in one, or a piece of one. */
static size_t line_of(const char *text, int most)
{
    size_t last_mark = 0, last_space = 0, last_end = 0, i = 0;
    for (int columns = 0; text[i] && text[i] != '\n'; i++) {
        bool begins = (text[i] & 0xC0) != 0x80; /* the first byte of a character */
        if (begins && columns++ == most)
            return last_end > 0     ? last_end
                   : last_space > 0 ? last_space
                   : last_mark > 0  ? last_mark
                                    : i;
        if (text[i] == '.' || text[i] == '_')
            last_mark = i + 1;
        if (text[i] == ' ')
            last_space = i;
        if (text[i] == ' ' && i > 0 && text[i - 1] == ';')
            last_end = i;
    }
    return i;
}

void ml_plot_quote_lines(const struct ml_plot_script *script, const char *text, int most)
{
    FILE *file = script->file;
    for (int line = 0; *text; line++) {
        size_t length = line_of(text, most);
        if (line > 0)
            (void)fputs(" . \"\\n\" . ", file);
        if (line == MAX_LINES) {
            (void)fputs("'...'", file);
            return;
        }
        quote_part(script, text, length, '\0');
        text += length;
        if (*text == ' ' || *text == '\n')
            text++;
    }
}

void ml_plot_mark_script(const struct ml_plot_script *script)
{
    (void)fprintf(script->file, ML_PLOT_MARK "plot%s; the data are beside this file\n",
                  script->picture->suffix);
    (void)fflush(script->file); /* ml_plot_finish reports a failure */
}

struct ml_plot_table ml_plot_begin_table(const struct ml_plot_script *script,
                                         unsigned long long n_column)
{
    const bool is_stopped = ml_plot_is_stopped(script->source);
    return (struct ml_plot_table){
        .script = script, .skip = is_stopped ? 0 : ftell(script->data), .n_column = (int)n_column};
}

void ml_plot_write(struct ml_plot_table *table, double value)
{
    (void)fwrite(&value, sizeof value, 1, table->script->data); /* ml_plot_finish looks */
    table->n++;
}

const char *ml_plot_end_table(struct ml_plot_table *table)
{
    while (table->n == 0 || table->n % (unsigned)table->n_column != 0)
        ml_plot_write(table, (double)NAN); /* gnuplot refuses no rows */
    return ml_plot_format(table->script->source,
                          "data binary skip=%ld record=%llu format='%%%ddouble'", table->skip,
                          table->n / (unsigned)table->n_column, table->n_column);
}

double ml_plot_width(const struct ml_plot_script *script, double usual)
{
    return usual * USUAL_WIDTH / (double)script->width;
}

double ml_plot_place(const struct ml_plot_script *script, double part)
{
    const int column = script->panel > 0 ? (script->panel - 1) % script->columns : 0;
    return script->panel > 0 ? (column + part) / script->columns : part;
}

/* Points of the letters. */
static double script_points(const struct ml_plot_script *script)
{
    const char *font = script->options->font, *comma = font ? strchr(font, ',') : NULL;
    double points = 0.0;
    char why[128];
    return comma && ml_number_parse(comma + 1, &points, why, sizeof why) && points > 0.0
               ? points
               : script->picture->points;
}

double ml_plot_letter(const struct ml_plot_script *script)
{
    const double usual = 0.0105 * script_points(script) / script->picture->points;
    return ml_plot_width(script, usual);
}

/* Letters of a line over so many pixels. */
static int letters_over(const struct ml_plot_script *script, int width)
{
    const int letters =
        (int)(TITLE_LINE * width * script->picture->points / (USUAL_WIDTH * script_points(script)));
    return letters > LEAST_LINE ? letters : LEAST_LINE;
}

/* Terminal and output, and of panels the title of all. */
static void begin_picture(const struct ml_plot_script *script)
{
    FILE *file = script->file;
    const struct ml_plot_picture *picture = script->picture;
    const char *unit = picture->unit > 1.0 ? "in" : "";
    const int columns = script->panel > 0 ? script->columns : 1;
    const int rows = script->panel > 0 ? (script->n_panel + columns - 1) / columns : 1;
    const char *font = script->options->font ? script->options->font : "";
    const int length = (int)strcspn(font, ",");
    (void)fprintf(file, "set encoding utf8\nset terminal %s size %g%s,%g%s %s font ",
                  picture->terminal, script->scale * columns * script->width / picture->unit, unit,
                  script->scale * rows * script->height / picture->unit, unit, picture->options);
    ml_plot_quote(script, ml_plot_format(script->source, "%.*s,%g",
                                         length > 0 ? length : (int)strlen(picture->font),
                                         length > 0 ? font : picture->font, script_points(script)));
    if (script->scale != 1.0)
        (void)fprintf(file, " fontscale %g linewidth %g pointscale %g", script->scale,
                      script->scale, script->scale);
    (void)fprintf(file,
                  "\nset output (ARGC > 0 ? ARG1 : 'plot%s')\n"
                  "data = ARG0[1:strlen(ARG0) - strlen('" ML_PLOT_SCRIPT "')] . '" ML_PLOT_DATA
                  "'\n",
                  picture->is_film ? ".gif" : picture->suffix);
    if (script->panel == 0)
        return;
    (void)fprintf(file, "set multiplot layout %d,%d rowsfirst title ", rows, columns);
    ml_plot_quote_lines(script, script->source->title,
                        letters_over(script, columns * script->width));
    (void)fputs(*script->source->title ? "\n" : "''\n", file);
}

/* The title, and lines under it. */
static void write_title(const struct ml_plot_script *script, const char *title,
                        const char *subtitle)
{
    FILE *file = script->file;
    const int most = letters_over(script, script->width);
    ml_plot_quote_lines(script, title, most);
    if (*subtitle) {
        (void)fputs(*title ? " . \"\\n\" . " : "", file);
        ml_plot_quote_lines(script, subtitle, most);
    }
    (void)fputs(*subtitle || *title ? "\n" : "''\n", file);
}

void ml_plot_begin_multiplot(const struct ml_plot_script *script, const char *subtitle)
{
    begin_picture(script);
    (void)fputs("set multiplot title ", script->file);
    write_title(script, script->source->title, subtitle);
}

void ml_plot_begin_script(const struct ml_plot_script *script, const char *subtitle)
{
    FILE *file = script->file;
    if (script->panel <= 1)
        begin_picture(script);
    if (script->panel > 0)
        (void)fputs("reset\n", file);
    (void)fputs("set title ", file);
    write_title(script, script->panel > 0 ? "" : script->source->title, subtitle);
    (void)fputs("set tics out nomirror\n", file);
    if (script->options->aspect != 0.0 && isfinite(script->options->aspect))
        (void)fprintf(file, "set size ratio %g\n", script->options->aspect);
}

/* Room at the left for labels that end, rotated, below places of which the first are near it. */
static void set_room_for_rotated(const struct ml_plot_script *script,
                                 const struct ml_plot_scale *scale, unsigned long long every)
{
    const double usual = 0.12, most = 0.4, right = 0.7; /* of the picture's width */
    double room = usual;
    for (unsigned long long i = 0; i < scale->n; i += every) {
        double place = ((double)i + 0.5) / (double)scale->n;
        double needed = ml_plot_letter(script) * (double)strlen(scale->texts[i]);
        room = fmax(room, (needed - place * right) / (1.0 - place));
    }
    if (room > usual)
        (void)fprintf(script->file, "set lmargin at screen %.3f\n",
                      ml_plot_place(script, fmin(room, most)));
}

/* Labels at the positions of texts. */
static void set_text_tics(const struct ml_plot_script *script, const char *letter,
                          const struct ml_plot_scale *scale)
{
    FILE *file = script->file;
    unsigned long long every = (scale->n + MAX_TICS - 1) / MAX_TICS;
    size_t length = 0;
    for (unsigned long long i = 0; i < scale->n; i += every)
        length += strlen(scale->texts[i]) + 2;
    if (length > LINE * 2 / 3 && strcmp(letter, "x") == 0) {
        (void)fputs("set xtics rotate by 20 right\n", file);
        set_room_for_rotated(script, scale, every);
    }
    (void)fprintf(file, "set %stics (", letter);
    for (unsigned long long i = 0; i < scale->n; i += every) {
        (void)fputs(i > 0 ? ", " : "", file);
        ml_plot_quote_tic(script, scale->texts[i]);
        (void)fprintf(file, " %llu", i);
    }
    (void)fputs(")\n", file);
}

/* A few whole numbers get a tic each, and nothing between them. */
static void set_whole_tics(FILE *file, const char *letter, const struct ml_plot_axis *axis)
{
    const struct ml_plot_scale *scale = axis->scale;
    double low = scale->values[axis->order[0]], high = scale->values[axis->order[axis->n - 1]];
    for (unsigned long long i = 0; i < scale->n; i++)
        if (scale->values[i] != floor(scale->values[i]))
            return;
    if (!axis->is_log && high - low <= MAX_TICS && high - low < 2.0 * (double)scale->n)
        (void)fprintf(file, "set %stics 1\n", letter);
}

int ml_plot_log_steps(double low, double high, int most, double *values)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    const int all = high < 100.0 * low ? 3 : 1;
    int n = 0;
    for (int k = (int)floor(log10(low)); k <= (int)floor(log10(high)); k++)
        for (int i = 0; i < all && n < most; i++) {
            values[n] = steps[i] * pow(10.0, k);
            n += values[n] >= low && values[n] <= high;
        }
    return n;
}

/* gnuplot labels powers of ten only, which are too few on less than two decades. */
static void set_log_tics(FILE *file, const char *letter, double low, double high)
{
    enum { MOST = 9 }; /* 1, 2 and 5 times three powers */
    double values[MOST];
    if (high >= 100.0 * low)
        return;
    const int n = ml_plot_log_steps(low, high, MOST, values);
    (void)fprintf(file, "set %stics (", letter);
    for (int i = 0; i < n; i++)
        (void)fprintf(file, "%s'%.6g' %.17g", i > 0 ? ", " : "", values[i], values[i]);
    (void)fputs(")\n", file);
}

void ml_plot_set_steps(FILE *file, const char *letter, double low, double high, int wanted)
{
    if (!(high > low) || !isfinite(high - low))
        return;
    const double unit = pow(10.0, floor(log10((high - low) / wanted)));
    const double count = (high - low) / wanted / unit;
    (void)fprintf(file, "set %stics %.17g\n", letter,
                  unit * (count < 2.0   ? 2.0
                          : count < 5.0 ? 5.0
                                        : 10.0));
}

void ml_plot_set_label(const struct ml_plot_script *script, const char *letter, const char *label)
{
    for (int i = 0; i < script->options->n_label; i++) {
        const char *axis = script->options->labels[i].axis;
        if (strcmp(strcmp(axis, "colour") == 0 ? "cb" : axis, letter) == 0)
            label = script->options->labels[i].value;
    }
    const double part = 0.85; /* of the panel's width or height, along an axis */
    const double letters = part / ml_plot_letter(script);
    const bool is_across = strcmp(letter, "x") == 0;
    const int most = (int)(is_across ? letters : letters * script->height / script->width);
    (void)fprintf(script->file, "set %slabel ", letter);
    if (*label)
        ml_plot_quote_lines(script, label, most > LEAST_LINE ? most : LEAST_LINE);
    else
        (void)fputs("''", script->file);
    (void)fputc('\n', script->file);
}

void ml_plot_set_aspect(const struct ml_plot_script *script, const char *x_unit,
                        struct ml_plot_range x, const char *y_unit, struct ml_plot_range y)
{
    const double strip = 3.0; /* a longer one says less than two scales */
    const double ratio = (y.high - y.low) / (x.high - x.low);
    const bool is_equal = strcmp(x_unit, "1") != 0 && strcmp(x_unit, y_unit) == 0 && !x.is_log &&
                          !y.is_log && ratio < strip && strip * ratio > 1.0;
    if (script->options->aspect == 0.0 && is_equal)
        (void)fputs("set size ratio -1\n", script->file);
}

void ml_plot_key_title(const struct ml_plot_script *script, const char *title)
{
    ml_plot_quote_lines(script, title, LEAST_LINE);
    (void)fputc('\n', script->file);
}

void ml_plot_set_ends(FILE *file, const char *letter, double low, double high)
{
    if (!isfinite(low) && !isfinite(high))
        return;
    (void)fprintf(file, "set %srange [", letter);
    if (isfinite(low))
        (void)fprintf(file, "%.17g", low);
    (void)fputc(':', file);
    if (isfinite(high))
        (void)fprintf(file, "%.17g", high);
    (void)fputs("]\n", file);
}

void ml_plot_set_range(const struct ml_plot_script *script, const char *letter, const char *label,
                       struct ml_plot_range range)
{
    FILE *file = script->file;
    ml_plot_set_label(script, letter, label);
    (void)fprintf(file, "set %srange [%.17g:%.17g]\n", letter, range.low, range.high);
    if (range.is_few)
        (void)fprintf(file, "set %stics 1\n", letter);
    if (!range.is_log)
        return;
    (void)fprintf(file, "set logscale %s\nset format %s '%%g'\n", letter, letter);
    set_log_tics(file, letter, range.low, range.high);
}

void ml_plot_set_axis(const struct ml_plot_script *script, const char *letter,
                      const struct ml_plot_axis *axis, struct ml_plot_range range)
{
    ml_plot_set_range(script, letter, axis->scale->label, range);
    if (axis->scale->texts)
        set_text_tics(script, letter, axis->scale);
    else
        set_whole_tics(script->file, letter, axis);
}
