"""Builds the package for pip (PEP 517 and 660) without setuptools, so without network: a wheel is a zip archive of the
package and of three texts about it."""
import ast
import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def _field(name, file="pyproject.toml"):
    return ast.literal_eval(re.search(rf"^{name} = (.+)$", (HERE / file).read_text(), re.MULTILINE)[1])


VERSION = _field("VERSION", "manylink/_version.py")
NAME = f"manylink-{VERSION}"
METADATA = "\n".join(["Metadata-Version: 2.1", "Name: manylink", f"Version: {VERSION}", f"Summary: {_field('description')}",
                      f"Requires-Python: {_field('requires-python')}",
                      *(f"Requires-Dist: {name}" for name in _field("dependencies")), ""])
WHEEL = "Wheel-Version: 1.0\nGenerator: manylink\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _package():
    return {f"manylink/{path.name}": path.read_bytes() for path in sorted((HERE / "manylink").iterdir()) if path.is_file()}


def _write_wheel(folder, files):
    files = {**files, f"{NAME}.dist-info/METADATA": METADATA.encode(), f"{NAME}.dist-info/WHEEL": WHEEL.encode()}
    record = f"{NAME}.dist-info/RECORD"
    lines = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"
             for name, data in files.items()]
    with zipfile.ZipFile(Path(folder) / f"{NAME}-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in {**files, record: "".join([*lines, f"{record},,\n"]).encode()}.items():
            wheel.writestr(zipfile.ZipInfo(name), data)
    return f"{NAME}-py3-none-any.whl"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, _package())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, {"manylink.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    with tarfile.open(Path(sdist_directory) / f"{NAME}.tar.gz", "w:gz") as archive:
        for name in ["pyproject.toml", "backend.py", *_package()]:
            archive.add(HERE / name, f"{NAME}/{name}")
        about = tarfile.TarInfo(f"{NAME}/PKG-INFO")
        about.size = len(METADATA.encode())
        archive.addfile(about, io.BytesIO(METADATA.encode()))
    return f"{NAME}.tar.gz"
