/* Names of up to 256 state quantities: x00 .. xff. */
#define ROW(i)                                                \
    {                                                         \
        "x" #i, UNIT, "quantity " #i " of a row, hexadecimal" \
    }
#define ROWS(i)                                                                             \
    ROW(i##0), ROW(i##1), ROW(i##2), ROW(i##3), ROW(i##4), ROW(i##5), ROW(i##6), ROW(i##7), \
        ROW(i##8), ROW(i##9), ROW(i##a), ROW(i##b), ROW(i##c), ROW(i##d), ROW(i##e), ROW(i##f)

static const struct ml_plugin_quantity state[] = {
    ROWS(0), ROWS(1), ROWS(2), ROWS(3), ROWS(4), ROWS(5), ROWS(6), ROWS(7),
    ROWS(8), ROWS(9), ROWS(a), ROWS(b), ROWS(c), ROWS(d), ROWS(e), ROWS(f)};
