"""silx_default.py OUT.h5[:PATH]...: what silx draws of a result, a line each: what kind of picture,
its title; then signals, along what (a star: an axis with a logarithmic scale), how it is meant, and
its scale."""
import sys

import silx.io
from silx.io import nxdata


def kind_of(data):
    for kind in ("curve", "image", "stack", "x_y_value_scatter"):
        if getattr(data, f"is_{kind}"):
            return kind.removeprefix("x_y_value_")
    return "nothing"


def describe(data):
    scales = data.plot_style.axes_scale_types
    axes = [name + ("*" if scale == "log" else "") for name, scale in zip(data.axes_names, scales)]
    kind = kind_of(data)
    errors = " with errors" if kind == "curve" and data.signal_is_1d and data.errors is not None else ""
    yield f"{kind}: {data.title}"
    yield f"  {', '.join([data.signal_name, *data.auxiliary_signals_names])}{errors}"
    yield f"  over {'; '.join(axes)}"
    meant = data.interpretation or data.plot_style.signal_scale_type
    if meant:
        yield f"  as {meant}"


def main(*results):
    for result in results:
        path, _, inner = result.partition(":")
        with silx.io.open(path) as file:
            data = nxdata.NXdata(file[inner]) if inner else nxdata.get_default(file)
            if data is None or not data.is_valid:
                sys.exit(f"{result}: silx draws nothing: {data and data.issues}")
            print("\n".join(describe(data)))


if __name__ == "__main__":
    main(*sys.argv[1:])
