# label: source
# Sources are as clang-format leaves them.
. "$SOURCE/tests/check.sh"
need clang-format
for folder in src include tests bench examples; do
    [ ! -d "$SOURCE/$folder" ] || find "$SOURCE/$folder" -name '*.[ch]' >>files
done
xargs clang-format --dry-run --Werror <files
