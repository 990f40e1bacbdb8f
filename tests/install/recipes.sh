# packaging/ and CITATION.cff state the version and license of the library, and exactly the dependencies of the table in
# docs/install.md, which are those of scripts/setup and of CMake.
. "$SOURCE/tests/check.sh"
need_python
"$PYTHON" - "$SOURCE" <<'END' || fail "packaging differs"
import re
import sys
import types
from pathlib import Path

import yaml

root = Path(sys.argv[1])
packaging = root / "packaging"
wrong = []


def read(path):
    return (root / path).read_text()


def check(name, found, wanted):
    if found != wanted:
        wrong.append(f"{name}: {found}, not {wanted}")


header = read("include/manylink/version.h")
version = re.search(r'ML_VERSION "([0-9.]+)"', header).group(1)
minor = ".".join(version.split(".")[:2])
page = read("docs/install.md")
table = [[set(re.findall("`([^`]+)`", cell)) for cell in row.split("|")[1:-1]]
         for row in page.split("## Dependencies")[1].split("\n\n")[1].splitlines()[2:]]
modules, debian, spack, conda, brew, nix = [set().union(*column) for column in zip(*table)][1:]
check("docs/install.md", re.findall(r"\| manylink \| ([0-9.]+)", page), [version])
check("docs/install.md", re.findall(r"`libmanylink\.so\.([0-9.]+)`", page), [minor])
for name, macro in (("study", "ML_FORMAT"), ("result", "ML_RESULT_FORMAT")):
    check(f"docs/install.md, {name} files", re.findall(rf"\| {name} files \| (\d+)", page),
          re.findall(rf"#define {macro} (\d+)", header))

cmake = read("CMakeLists.txt") + read("scripts/manylinkConfig.cmake")
check("CMake", {m for line in re.findall(r"pkg_check_modules\(\S+ (?:\S+ )?IMPORTED_TARGET ([^)]*)\)", cmake)
                for m in line.split()}, modules)
needed = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", cmake).group(1)
check("scripts/setup", {p for a, b in re.findall(r'^lacks (?:"([^"]*)"|(\S+)) ', read("scripts/setup"), re.M)
                        for p in (a or b).split()}, debian)

# Spack: the file is run, where its words only note what they are given.
said = {"depends_on": set(), "version": set(), "license": set()}
words = types.ModuleType("spack.package")
for word, notes in said.items():
    setattr(words, word, lambda value, notes=notes, **_: notes.add(value))
cmake_package = types.ModuleType("spack_repo.builtin.build_systems.cmake")
cmake_package.CMakePackage = object
sys.modules |= {"spack": types.ModuleType("spack"), words.__name__: words, cmake_package.__name__: cmake_package}
for part in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
    sys.modules[part] = types.ModuleType(part)
recipe = next(packaging.glob("spack_repo/*/packages/*/package.py")).read_text()
exec(compile(recipe, "package.py", "exec"), {})
check("Spack", {re.match(r"[\w-]+", d).group() for d in said["depends_on"]}, spack)
check("Spack", {d for d in said["depends_on"] if d.startswith("cmake")}, {f"cmake@{needed}:"})
check("Spack", (said["version"], said["license"]), ({version}, {"BSD-3-Clause"}))
check("Spack", re.findall(r"manylink@([0-9.]+)", recipe + page), [version] * 2)

recipe = read("packaging/conda/meta.yaml")
pattern = re.search(r"regex_pattern='([^']*)'", recipe).group(1)
check("conda", re.search(pattern, header).group(1), version)
meta = yaml.safe_load(re.sub(r"{%.*?%}", "", re.sub(r'{{ (?:compiler|stdlib)\("(\w+)"\) }}', r"\1", recipe), flags=re.S))
needs = [d for group in meta["requirements"].values() for d in group]
check("conda", {d.split()[0] for d in needs}, conda)
check("conda", [d for d in needs if d.startswith("cmake")], [f"cmake >={needed}"])
check("conda", (meta["about"]["license"], (root / meta["about"]["license_file"]).exists()), ("BSD-3-Clause", True))

recipe = read("packaging/homebrew/manylink.rb")
check("Homebrew", set(re.findall(r'depends_on "([^"]+)"', recipe)), brew)
check("Homebrew", re.findall(r'license "([^"]+)"', recipe), ["BSD-3-Clause"])

recipe = read("packaging/default.nix")
check("Nix", {d for group in re.findall(r"with pkgs; \[([^]]*)\]", recipe) for d in group.split()} |
      set(re.findall(r"pkgs\.(\w+)", recipe)), nix)
check("Nix", re.search(re.search(r'split "(.*)" header', recipe).group(1).replace("\\", ""), header).group(1), version)
check("Nix", re.findall(r"licenses\.(\w+)", recipe), ["bsd3"])

citation = yaml.safe_load(read("CITATION.cff"))
check("CITATION.cff", (citation["version"], citation["license"]), (version, "BSD-3-Clause"))
check("LICENSE", read("LICENSE").splitlines()[0], "BSD 3-Clause License")

# Options that recipes give are options of CMakeLists.txt, and folders that they name are there.
for path in sorted(packaging.rglob("*")):
    if path.is_file():
        text = path.read_text()
        for name in set(re.findall(r"-D ?(\w+)=|define\(\"(\w+)\"", text)):
            name = name[0] or name[1]
            if not re.search(rf"(option|set)\({name}\b", cmake) and not re.match("CMAKE_INSTALL_|CPACK_", name):
                wrong.append(f"{path.name}: CMakeLists.txt has no option {name}")
        for name in re.findall(r"packaging/[\w./]*\w", text):
            if not (root / name).exists():
                wrong.append(f"{path.name}: {name} is missing")
        if re.search("https?://", text):
            wrong.append(f"{path.name}: an address of a machine")
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
END
