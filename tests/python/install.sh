# The Python package can be installed by pip, in the library's version, and finds the library of the
# repository that it was installed from, and that of a command on the path.
. "$SOURCE/tests/check.sh"
use_package
"$PYTHON" -m pip --version >/dev/null 2>&1 || skip "$PYTHON has no pip"
unset MANYLINK_LIBRARY PYTHONPATH

mkdir -p repository/build/release
cp -R "$SOURCE/python" repository # pip builds where the source is
"$PYTHON" -m pip install --quiet --no-deps --no-index --target "$work/site" \
    ./repository/python >pip.out 2>&1 || fail "$(cat pip.out)"
cmake --install "$BUILD" --prefix "$work/installed" >/dev/null
export PYTHONPATH="$work/site"
version=$("$MANYLINK" --version | sed -n 's/^manylink \([0-9.]*\).*/\1/p')
[ -d "site/manylink-$version.dist-info" ] || fail "pip installed no version $version: $(ls site)"
[ -e site/manylink/py.typed ] || fail "pip installed no py.typed"
library=$(basename "$BUILD"/libmanylink.so.?.?)
ln -s "$BUILD/$library" "repository/build/release/$library"
finds() # PATH LIBRARY: with this path the library is the first that is tried
{
    expect 0 env PATH="$1:$PATH" "$PYTHON" -c 'from manylink import _library; print(_library._candidates()[0])'
    says out "$2"
}
finds "$work" "$work/repository/build/release/$library"
rm "repository/build/release/$library"
finds "$BUILD" "$BUILD/$library"
expect 0 env PATH="$work/installed/bin:$PATH" "$PYTHON" -c 'import manylink
print(manylink.__version__, manylink.__file__)'
says out "$version $work/site/manylink/__init__.py"

# Without a link for linkers: programs are linked with the static library, if there is one.
case $LIBRARY in
*.a) [ -z "$(find installed -name libmanylink.so)" ] || fail "libmanylink.so would be preferred to libmanylink.a" ;;
esac
