# The Python package can be installed by pip, in the library's version, and finds the library of an
# installed copy by the command on the path.
. "$SOURCE/tests/check.sh"
use_package
"$PYTHON" -c 'import setuptools; assert int(setuptools.__version__.split(".")[0]) >= 61' 2>/dev/null ||
    skip "$PYTHON has no setuptools 61"
"$PYTHON" -m pip --version >/dev/null 2>&1 || skip "$PYTHON has no pip"
unset MANYLINK_LIBRARY PYTHONPATH

cp -R "$SOURCE/python" package # pip builds where the source is
"$PYTHON" -m pip install --quiet --no-deps --no-index --no-build-isolation --target "$work/site" \
    ./package >pip.out 2>&1 || fail "$(cat pip.out)"
cmake --install "$BUILD" --prefix "$work/installed" >/dev/null
export PYTHONPATH="$work/site"
version=$("$MANYLINK" --version | sed -n 's/^manylink \([0-9.]*\).*/\1/p')
[ -d "site/manylink-$version.dist-info" ] || fail "pip installed no version $version: $(ls site)"
expect 0 env PATH="$work/installed/bin:$PATH" "$PYTHON" -c 'import manylink
print(manylink.__version__, manylink.__file__)'
says out "$version $work/site/manylink/__init__.py"

# Without a link for linkers: programs are linked with the static library, if there is one.
case $LIBRARY in
*.a) [ -z "$(find installed -name libmanylink.so)" ] || fail "libmanylink.so would be preferred to libmanylink.a" ;;
esac
