# After README's first command the lines of docs/python.md and docs/library.md work, in that order. The clone is
# one of links to this build, which has been built already.
. "$SOURCE/tests/check.sh"
use_package
need cmake ninja gnuplot
[ "$CMAKE_GENERATOR" = Ninja ] || skip "the build is not one of ninja"
unset MANYLINK_LIBRARY PYTHONPATH

# What scripts/run builds is all that will be installed.
target=$(sed -n 's/^cmake --build "$build" --target //p' "$SOURCE/scripts/run")
# shellcheck disable=SC2086 # targets are words
ninja -C "$BUILD" -t commands $target >commands
for made in " -o manylink " scripts/pages libmanylink.a "-o libmanylink.so."; do
    grep -qe "$made" commands || fail "scripts/run does not build $made"
done

mkdir -p clone/build here
for part in scripts python include src studies CMakeLists.txt CMakePresets.json; do
    ln -s "$SOURCE/$part" clone/$part
done
ln -s "$BUILD" clone/build/release
rm clone/scripts
mkdir clone/scripts
cp "$SOURCE/scripts/run" clone/scripts/run
printf '#!/bin/sh\n' >clone/scripts/setup # nothing is missing
chmod +x clone/scripts/setup
cd here
printf 'manylink: 1\nsystem: {type: lorenz}\ntime: {step: 1e-2, end: 1}\nsweep: [{set: initial.x, from: 1, to: 2, count: 4}]\n' >few.yaml
expect 0 env PATH="$work:$PATH" ../clone/scripts/run few.yaml
[ -s few.h5 ] && [ -s few.png ] && [ -s few.html ] || fail "scripts/run leaves $(ls)"

block python docs/python.md | sed 's/"count": 64/"count": 4/' >first.py
expect 0 env PYTHONPATH=../clone/python "$PYTHON" first.py
says out "lyapunov_max"

"$PYTHON" -m pip --version >/dev/null 2>&1 || skip "$PYTHON has no pip"
cd ../clone
rm python
cp -R "$SOURCE/python" python # pip builds where the source is
install=$(block sh docs/python.md | sed -n 's/^pip \([^#]*[^# ]\) *#.*/\1/p')
# shellcheck disable=SC2086 # words
"$PYTHON" -m pip $install --quiet --no-deps --no-index --target "$work/site" >pip.out 2>&1 || fail "$(cat pip.out)"
cd ../here
expect 0 env PYTHONPATH="$work/site" "$PYTHON" first.py
says out "lyapunov_max"

block sh docs/library.md | sed "s|build/release|../clone/&|; s|~/.local|$work/local|; s|^cc |\"$CC\" |" >install.sh
block c docs/library.md >first.c
expect 0 env PKG_CONFIG_PATH="$work/local/lib/pkgconfig" sh -e install.sh
expect 0 ./a.out
says out "0.000 rad"
for page in $("$MANYLINK" --man | sed -n 's/.*manylink\\-\([a-z-]*\) (1).*/\1/p'); do
    [ -s "$work/local/share/man/man1/manylink-$page.1" ] || fail "no page of $page is installed"
done
