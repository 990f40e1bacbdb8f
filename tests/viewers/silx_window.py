"""silx_window.py OUT.h5...: opens results in the window of `silx view`, without a screen. Of each it
prints a line: what kinds of items the visible plot has, its title, x and y axis. Beside each it leaves
a picture, OUT.silx.png."""
import os
import sys
import time

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"  # as `silx view` does
from silx.app.view.Viewer import Viewer
from silx.gui import qt
from silx.gui.plot import PlotWidget

MOST_SECONDS = 60
DRAWING_SECONDS = 1.5  # points and stacks are drawn by threads, after the plot has its items


def plot_of(window):
    return next((plot for plot in window.findChildren(PlotWidget) if plot.isVisible() and plot.getItems()), None)


def wait(app, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.02)


def wait_for_plot(app, window):
    """A file is read in a thread of its own and drawn when that ends."""
    end = time.monotonic() + MOST_SECONDS
    while not plot_of(window) and time.monotonic() < end:
        app.processEvents()
        time.sleep(0.02)
    app.processEvents()
    return plot_of(window)


def main(*results):
    app = qt.QApplication([])
    settings = qt.QSettings(os.path.abspath("silx.ini"), qt.QSettings.IniFormat)
    for result in results:
        window = Viewer(settings=settings)
        window.resize(1100, 700)
        window.show()
        window.appendFile(result)
        plot = wait_for_plot(app, window)
        if not plot:
            sys.exit(f"{result}: silx view draws nothing")
        items = "+".join(type(item).__name__ for item in plot.getItems())
        name = result.removesuffix(".h5")
        print(f"{name}: {items}: {plot.getGraphTitle()}")
        print(f"  {plot.getXAxis().getLabel()}; {plot.getYAxis().getLabel()}")
        wait(app, DRAWING_SECONDS)
        window.grab().save(f"{name}.silx.png")
        window.close()
        window.deleteLater()


if __name__ == "__main__":
    main(*sys.argv[1:])
