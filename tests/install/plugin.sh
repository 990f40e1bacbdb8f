# A plugin can be built with an installed copy, and runs in its command.
. "$SOURCE/tests/check.sh"
need cmake
[ -z "$SANITIZE" ] || skip "a user's plugin is built without sanitizers"

cmake --install "$BUILD" --prefix "$work/installed" >/dev/null
# The copy must do without the place it was made for, so it is used from another.
mv installed moved
cp -R "$SOURCE/examples/cart_pole" cart_pole
rm -rf cart_pole/build

cmake -S cart_pole -B cart_pole/build -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_FLAGS="-std=c17 -Wall -Wextra -Wpedantic -Werror" >/dev/null
cmake --build cart_pole/build >/dev/null
expect 0 moved/bin/manylink run cart_pole/cart_pole.yaml --set time.end=0.1 --set 'sweep=[]' \
    --set 'analyse={}'
says out "1 finished"
