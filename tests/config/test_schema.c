/* Every row of the schema that is a value has a field of the size that its kind writes. */
#include "config/schema/schema.h"

#include <string.h>

#include "check.h"

static bool fits(const struct ml_key *key)
{
    switch (ml_key_kinds[key->kind].field) {
    case ML_FIELD_DOUBLE:
        return key->slot >= 0 || key->size == sizeof(double);
    case ML_FIELD_WHOLE:
        return key->size == sizeof(int) || key->size == sizeof(int64_t);
    case ML_FIELD_WORD: /* types of systems, forces and signals are read before their maps */
        return key->size == sizeof(int) || key->size == sizeof(bool) ||
               (key->size == 0 && strcmp(key->param.name, "type") == 0);
    case ML_FIELD_COUNT:
        return key->size == sizeof(int64_t);
    case ML_FIELD_NAME:
    case ML_FIELD_TEXT:
        return key->size == sizeof(const char *);
    default:
        return key->size == 0;
    }
}

static void values_have_fields_that_fit(void)
{
    struct ml_pool pool = {0};
    int n = 0;
    for (int scope = 0; scope < ML_N_SCOPE; scope++) {
        const struct ml_keys keys = ml_schema_keys(&pool, (enum ml_scope)scope, NULL, NULL);
        for (int i = 0; i < keys.n; i++, n++) {
            CHECK_CASE("%s.%s", ml_scope_name((enum ml_scope)scope), keys.row[i].param.name);
            CHECK(scope == ML_SCOPE_CONTROLLER || fits(&keys.row[i])); /* rewritten to other keys */
        }
    }
    CHECK(n > 80);
    ml_pool_free(&pool);
}

int main(void)
{
    values_have_fields_that_fit();
    return check_done();
}
