/* Every key of the schema that takes a formula knows the names of all scopes above it, or refuses
 * a name with a reason; and a cycle of names has one wording wherever the names are. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "config/schema/schema.h"
#include "model/forces/force.h"
#include "study.h"

/* A number and a formula of `define`; a function, a definition, an entry of an array and a
 * parameter of the system; a quantity; a register; a number by its path. */
enum { N_NAME = 9, LONGEST = 4096 };
static const char *const names[N_NAME] = {"k",    "m",       "f(1.5)", "d",          "w[2]",
                                          "gain", "measure", "held",   "system.gain"};

/* Studies of some keys: a base and a text, in which @ stands for the formula and % for the key. Of
 * each name: + where the keys take it, else -. */
struct place {
    const char *keys, *known, *base, *text;
};

#define BEGIN(time) "manylink: 1\ntime: {" time "}\ndefine: {k: 2, m: k^2}\n"
#define TIME "step: 0.1, end: 1"
#define OWN(time)                                                                    \
    BEGIN(time)                                                                      \
    "system:\n  type: equations\n  parameters: {gain: 1, w: {value: 2, count: 3}}\n" \
    "  functions: {\"f(a)\": a + k}\n  define: {d: f(gain)"
#define FLOW OWN(TIME) "}\n  state: {y: 1}\n  rates: {y: -y}\n"
#define REST FLOW "quantities: {measure: 2*y}\nregisters: {held: 3}\n"
#define MOTION OWN(TIME) "}\n  coordinates: {x: 1}\n"
#define ENERGY MOTION "  kinetic: x_rate^2\n"
#define CHAIN                                                              \
    BEGIN(TIME)                                                            \
    "system: {type: chain, segments: [{name: rod, length: 1, mass: 1}]}\n" \
    "quantities: {measure: 2*angle.rod}\nregisters: {held: 3}\nforces:\n"

/* Formulas of the system know no quantities and no paths; a chain has no formulas. */
static const char all[] = "+++++++++", of_system[] = "++++++---", of_force[] = "++-----+-";

static const struct place places[] = {
    {"SYSTEM.define", of_system, OWN(TIME), ", e: \"@\"}\n  state: {y: 1}\n  rates: {y: -y}\n"},
    {"SYSTEM.functions", of_system, BEGIN(TIME),
     "system: {type: equations, state: {y: 1}, parameters: {gain: 1, w: {value: 2, count: 3}},\n"
     "  functions: {f(a): 2*a, g(a): \"a + @\"}, define: {d: gain}, rates: {y: g(y)}}\n"},
    {"SYSTEM.rates", of_system, OWN(TIME), "}\n  state: {y: 1}\n  rates: {y: \"@\"}\n"},
    {"SYSTEM.next", of_system, OWN("steps: 9"),
     "}\n  kind: map\n  state: {y: 1}\n  next: {y: \"@\"}\n"},
    {"SYSTEM.mass", of_system, MOTION, "  mass: [[\"2 + (@)^2\"]]\n"},
    {"SYSTEM.C SYSTEM.G SYSTEM.Q SYSTEM.D SYSTEM.E SYSTEM.force", of_system, MOTION,
     "  mass: [[2]]\n  %: [\"@\"]\n"},
    {"SYSTEM.kinetic", of_system, MOTION, "  kinetic: \"(1 + (@)^2)*x_rate^2\"\n"},
    {"SYSTEM.lagrangian", of_system, MOTION, "  lagrangian: \"x_rate^2 - x*(@)\"\n"},
    {"SYSTEM.hamiltonian", of_system, MOTION, "  hamiltonian: \"p_x^2 + x*(@)\"\n"},
    {"SYSTEM.potential SYSTEM.dissipation", of_system, ENERGY, "  %: \"x*(@)\"\n"},
    {"SYSTEM.forces", of_system, ENERGY, "  forces: {x: \"@\"}\n"},
    {"SYSTEM.points", of_system, ENERGY, "  points: [{at: [x, \"@\"], force: [1, \"@\"]}]\n"},
    {"POINT.at", of_system, ENERGY, "  points: [{at: [x, \"(@)*x\"], force: [1, 0]}]\n"},
    {"POINT.force", of_system, ENERGY, "  points: [{at: [x, 0], force: [\"@\", 1]}]\n"},
    {"SYSTEM.constraints", of_system, ENERGY, "  constraints: [\"x = 1 + 0*(@)\"]\n"},
    {"SYSTEM.stabilisation", of_system, ENERGY, "  constraints: [x = 1]\n  stabilisation: \"@\"\n"},
    {"QUANTITY.formula", all, FLOW,
     "registers: {held: 3}\nquantities: {measure: 2*y, o: {formula: \"@\"}}\n"},
    {"REGISTER.next", all, FLOW,
     "quantities: {measure: 2*y}\nregisters: {held: 3, u: {start: 0, every: 0.5, next: \"@\"}}\n"},
    {"CONTROLLER.input", of_system, FLOW,
     "controllers: {u: {type: pid, kp: 1, %: \"@\", target: 1}}\n"},
    {"CONTROLLER.target", of_system, FLOW,
     "controllers: {u: {type: pid, kp: 1, input: y, %: \"@\"}}\n"},
    {"CONTROLLER.rate", of_system, FLOW,
     "controllers: {u: {type: pid, kd: 1, input: y, target: 1, %: \"@\"}}\n"},
    {"EVENT.when EVENT.of", all, REST, "events: [{name: e, %: \"y + @\"}]\n"},
    {"EVENT.and EVENT.if", all, REST, "events: [{name: e, when: y - 0.5, %: \"1 < @\"}]\n"},
    {"EVENT.keep", all, REST, "events: [{name: e, when: y - 0.5, max: 1, keep: [\"@\"]}]\n"},
    {"EVENT.set", all, REST, "events: [{name: e, when: y - 0.5, set: {y: \"@\"}}]\n"},
    {"EVENT.then", all, REST,
     "events: [{name: e, when: y - 0.5, set: {y: 1}, then: {y: \"@\"}}]\n"},
    {"OBSERVABLE.max OBSERVABLE.min OBSERVABLE.mean OBSERVABLE.rms OBSERVABLE.integral "
     "OBSERVABLE.at_end",
     all, REST, "analyse: {observe: {o: {%: \"@\"}}}\n"},
    {"EVENT.when", "++----++-", CHAIN,
     "  - {type: torque, joint: rod, value: 1}\nevents: [{name: e, when: \"angle.rod + @\"}]\n"},
    {"STUDY.formulas", "++-------", FLOW, "formulas: {system.gain: \"@\"}\n"},
    {"FORCE.torque", of_force, CHAIN, "  - {name: p, type: formula, joint: rod, torque: \"@\"}\n"},
    {"FORCE.force", of_force, CHAIN,
     "  - {name: p, type: point_formula, segment: rod, at: 1, force: [\"@\", 0]}\n"},
    {"FORCE.define", of_force, CHAIN,
     "  - {name: p, type: formula, joint: rod, define: {e: \"@\"}, torque: e}\n"},
    {"FORCE.rates", of_force, CHAIN,
     "  - {name: p, type: states, state: {s: 1}, rates: {s: \"@\"}}\n"},
};

/* Puts a text in the place of a mark, wherever that is. */
static void replace(char text[LONGEST], const char *mark, const char *by)
{
    static char out[LONGEST];
    char *at = out;
    for (const char *from = text; *from;) {
        const bool is_mark = strncmp(from, mark, strlen(mark)) == 0;
        at += snprintf(at, (size_t)(out + LONGEST - at), "%.*s", is_mark ? 1000 : 1,
                       is_mark ? by : from);
        from += is_mark ? strlen(mark) : 1;
    }
    memcpy(text, out, (size_t)(at - out) + 1);
}

/* Whether a study is accepted; the reason of one that is not contains one of the texts. */
static bool accepts(const char *text, const char *const reasons[3])
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    const bool is_right = ml_study_load(STUDY_TEXT("names.yaml", text), &study, &err) == ML_OK;
    bool has_reason = is_right;
    for (int i = 0; !is_right && i < 3; i++)
        has_reason |= strstr(err.text, reasons[i]) != NULL;
    CHECK(has_reason);
    ml_study_free(study);
    ml_error_clear(&err);
    return is_right;
}

static void names_are_known(const struct place *place)
{
    static const char *const reasons[] = {"there is no", "there are no", "has no name"};
    static char text[LONGEST];
    char keys[LONGEST];
    (void)snprintf(keys, sizeof keys, "%s", place->keys);
    for (char *rest, *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
        for (int i = 0; i < N_NAME; i++) {
            CHECK_CASE("%s = %s", key, names[i]);
            (void)snprintf(text, sizeof text, "%s%s", place->base, place->text);
            replace(text, "%", strchr(key, '.') + 1);
            replace(text, "@", names[i]);
            CHECK(accepts(text, reasons) == (place->known[i] == '+'));
        }
}

/* Every key with formulas has a place. */
static void keys_are_here(struct ml_pool *pool, enum ml_scope scope)
{
    const struct ml_system own = {.has_formulas = true};
    const struct ml_params force = {.places = ML_BY_FORMULA};
    const struct ml_keys keys =
        ml_schema_keys(pool, scope, &own, scope == ML_SCOPE_FORCE ? &force : NULL);
    for (int i = 0; i < keys.n; i++) {
        static const char *const scopes[ML_N_SCOPE] = {
            [ML_SCOPE_STUDY] = "STUDY",          [ML_SCOPE_SYSTEM] = "SYSTEM",
            [ML_SCOPE_POINT] = "POINT",          [ML_SCOPE_FORCE] = "FORCE",
            [ML_SCOPE_REGISTER] = "REGISTER",    [ML_SCOPE_EVENT] = "EVENT",
            [ML_SCOPE_CONTROLLER] = "CONTROLLER"};
        const enum ml_key_kind kind = keys.row[i].kind;
        char key[100];
        bool is_here = false;
        (void)snprintf(key, sizeof key, "%s.%s", scopes[scope] ? scopes[scope] : "?",
                       keys.row[i].param.name);
        for (size_t p = 0; p < sizeof places / sizeof *places; p++)
            is_here |= strstr(places[p].keys, key) != NULL;
        CHECK_CASE("%s", key);
        CHECK(is_here ||
              (kind != ML_KEY_FORMULA && kind != ML_KEY_FORMULAS && kind != ML_KEY_FORMULA_LIST &&
               kind != ML_KEY_FORMULA_ROWS && kind != ML_KEY_CHOSEN && kind != ML_KEY_CHOSENS));
    }
}

static void cycles_have_one_wording(void)
{
    static const char *const cycle[] = {"depends on itself: a -> b -> a",
                                        "depends on itself: h -> h", "-"};
    static const char *const studies[] = {
        BEGIN(
            TIME) "system: {type: equations, state: {y: b}, rates: {y: -y}}\ndefine: {a: b, b: a}",
        OWN(TIME) ", a: b, b: a}\n  state: {y: 1}\n  rates: {y: b}",
        FLOW "quantities: {a: b, b: a + y}",
        CHAIN "  - {type: formula, joint: rod, define: {a: b, b: a}, torque: a}",
        BEGIN(TIME) "system: {type: equations, state: {y: 1}, functions: {h(a): h(a)}, rates: {y: "
                    "h(y)}}",
    };
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        CHECK_CASE("cycle %zu", i);
        CHECK(!accepts(studies[i], cycle));
    }
}

int main(void)
{
    struct ml_pool pool = {0};
    for (int scope = 0; scope < ML_N_SCOPE; scope++)
        keys_are_here(&pool, (enum ml_scope)scope);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        names_are_known(&places[i]);
    cycles_have_one_wording();
    ml_pool_free(&pool);
    return check_done();
}
