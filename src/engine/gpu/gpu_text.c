/* The text of this machine's GPUs for `manylink --version`. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/driver.h"
#include "manylink/version.h"

static void print_fault(FILE *to, const struct ml_error *err)
{
    const char *why = err->text ? err->text : "out of memory";
    fprintf(to, "%s: %.*s", ftell(to) > 0 ? "; and no more" : "none", (int)strcspn(why, "\n"), why);
}

/* False if a device cannot be described. */
static bool print_devices(FILE *to, const struct ml_gpu_driver *driver, struct ml_error *err)
{
    struct ml_gpu_device device;
    for (int k = 0; k < ml_gpu_driver_devices(driver); k++) {
        if (ml_gpu_driver_describe(driver, k, &device, err) != ML_OK)
            return false;
        fprintf(to, "%s%s (%.0f GB, compute capability %d.%d)", k > 0 ? ", " : "", device.name,
                (double)device.bytes / 1e9, device.major, device.minor);
    }
    return true;
}

char *ml_gpu_text(void)
{
    struct ml_gpu_driver *driver;
    struct ml_error err = {0};
    size_t size = 0;
    char *text = NULL;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    if (ml_gpu_driver_open(&driver, &err) != ML_OK || !print_devices(to, driver, &err))
        print_fault(to, &err);
    ml_gpu_driver_close(driver);
    ml_error_clear(&err);
    (void)fclose(to);
    return text;
}
