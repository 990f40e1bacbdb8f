# label: source
# docs/messages.md has every warning and outcome of the program, and quotes lines that the program has.
. "$SOURCE/tests/check.sh"
page=$SOURCE/docs/messages.md
cat $(find "$SOURCE/src" "$SOURCE/include" -name '*.[ch]') | tr '\n' ' ' | sed 's/"  *"//g' >text

# Rows of the tables about messages: what they quote, of which " .. " leaves out the middle.
sed -n '/^## Warnings/,$p' "$page" | sed -nE 's/^\| (`[^|]*(\|eigenvalue\|[^|]*)?`) \|.*/\1/p' | grep -oE '`[^`]+`' | tr -d '`' >quoted
[ "$(grep -c . quoted)" -gt 20 ] || fail "the page quotes few messages"
while read -r words; do
    case $words in
    "warning: large step error" | "warning: the energy" | "warning: the constraints" | "warning: gauss")
        continue ;; # the program puts these together
    esac
    grep -qF -e "$words" text || fail "no message has the words: $words"
done <quoted

# The other way round.
grep -oE '" *warning: [a-z%]+[a-z .%]{0,8}' text | sed 's/^" *//; s/%.*//; s/ *$//' | grep -v -e ':$' -e iconv | sort -u >warnings
[ "$(grep -c . warnings)" -gt 4 ] || fail "few warnings were found: $(cat warnings)"
while read -r words; do
    grep -qF -e "$words" "$page" || fail "docs/messages.md lacks: $words"
done <warnings
sed -nE 's/^ *X\(ML_[A-Z_]+, [0-9]+, "([a-z_]+)".*/\1/p' "$SOURCE/include/manylink/outcome.h" >outcomes
[ "$(grep -c . outcomes)" -gt 5 ] || fail "no outcomes were found"
while read -r outcome; do
    grep -qF "| \`$outcome\` |" "$page" || fail "docs/messages.md lacks the outcome $outcome"
done <outcomes
