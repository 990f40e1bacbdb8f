# label: source
# What the pages name is there, and docs/index.md, to which README.md leads, has every page: files and sections that they link to, paths in the repository, registry
# lines, and in the tables of docs/guarantees.md, docs/validation.md and CONTRIBUTING.md tests.
. "$SOURCE/tests/check.sh"
cd "$SOURCE"
bad=$work/bad
: >"$bad"

# anchors PAGE: its sections as links name them.
anchors()
{
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

for page in README.md CONTRIBUTING.md docs/*.md; do
    sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -v '^http' | while read -r link; do
        file=${link%%#*}
        file=${file:+$(dirname "$page")/$file}
        file=${file:-$page}
        if [ ! -e "$file" ]; then
            echo "$page: there is no $link" >>"$bad"
        elif [ "$link" != "${link#*#}" ] && ! anchors "$file" | grep -qx -e "${link#*#}"; then
            echo "$page: $file has no section #${link#*#}" >>"$bad"
        fi
    done
    # Paths in code; with a word in capitals they are patterns.
    {
        grep -oE '`(src|include|tests|studies|scripts|examples|docs|bench|python)/[^` ]*`' "$page" | tr -d '`'
        grep -E '^(    |manylink )' "$page" | grep -oE '(^| )(scripts|studies|examples)/[A-Za-z0-9_./]+'
    } | grep -vE '[A-Z]{3}' | while read -r path; do
        # shellcheck disable=SC2086 # a pattern
        set -- $path
        [ -e "$1" ] || echo "$page: there is no $path" >>"$bad"
    done
done

grep -q "](docs/index.md" README.md || echo "README.md: no link to docs/index.md" >>"$bad"
for page in docs/*.md; do
    grep -q "](${page#docs/}" docs/index.md || [ "$page" = docs/index.md ] || echo "docs/index.md: no link to $page" >>"$bad"
done

# Files of src/ in the drawing of the pipeline.
sed -n '/^## The pipeline/,/^## Work/p' docs/architecture.md |
    grep -oE '[^a-z/][a-z]+/[a-z0-9_*]+(\.kern)?\.[ch]' | cut -c 2- | grep -v '^manylink/' | while read -r path; do
    set -- src/$path
    [ -e "$1" ] || echo "docs/architecture.md: there is no src/$path" >>"$bad"
done

# "| .. | `ML_FORCE(NAME)` in `src/model/forces/forces.def` |": the registry has such lines.
sed -nE 's/.*`(ML_[A-Z]+)\(.*\)` in `(src[^`]*)`.*/\1 \2/p' docs/architecture.md | while read -r macro file; do
    grep -q "^$macro(" "$file" || echo "docs/architecture.md: no $macro in $file" >>"$bad"
done

{
    sed -n 's/^| .* | \(`.*`\) |$/\1/p' docs/guarantees.md docs/validation.md
    sed -n 's/^| \(`[a-z_.]*`\) | .*/\1/p' CONTRIBUTING.md | grep -vE '`([a-z-]*(debug|asan|tsan|release)|bench|fuzz)`'
} | grep -oE '`[a-z0-9_.*]+`' | tr -d '`' | sort -u >"$work/tests"
[ "$(wc -l <"$work/tests")" -gt 40 ] || fail "the pages name few tests"
while read -r name; do
    folder=${name%%.*} file=${name#*.}
    case $name in
    *.\*) set -- tests/"$folder"/* ;;
    *.*) set -- tests/"$folder"/test_"$file".c && [ -e "$1" ] || set -- tests/"$folder/$file".sh ;;
    *) set -- tests/"$name".sh ;;
    esac
    [ -e "$1" ] || echo "there is no test $name" >>"$bad"
done <"$work/tests"

[ ! -s "$bad" ] || fail "$(sort -u "$bad")"
