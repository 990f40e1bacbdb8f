# label: source
# Comments and messages keep to the style sheet of CONTRIBUTING.md, as far as words that can be counted show
# that. The bounds are the present figures: lower a bound when sentences have been rewritten.
. "$SOURCE/tests/check.sh"
need python3

cat >count.py <<'end'
import pathlib, re, sys

phrases = ('what', r'(is|are) to be', r'go(es)? on', r'there (is|are) none', r'tells?', r'says so')
token = re.compile(r"""(/\*.*?\*/|//[^\n]*)|("(?:[^"\\\n]|\\.)*")|'(?:[^'\\\n]|\\.)+'""", re.S)
words = 0
for folder in ('src', 'include'):
    for path in sorted(pathlib.Path(sys.argv[1], folder).rglob('*')):
        if path.suffix not in ('.c', '.h', '.def'):
            continue
        source = path.read_text()
        for match in token.finditer(source):
            if match.lastindex is None:
                continue
            kind, part = ('comment', 'message')[match.lastindex - 1], match.group(0).lower()
            plain = re.sub(r'\s[*/]*\s*', ' ', part)
            line = source.count('\n', 0, match.start()) + 1
            if kind == 'comment':
                words += len(re.findall('[a-z]+', plain))
            for phrase in phrases:
                for found in re.finditer(rf'\b{phrase}\b', plain):
                    print(f'{path.relative_to(sys.argv[1])}:{line}: {kind}: {found.group(0)}')
print(f'words of comments: {words}')
end
python3 count.py "$SOURCE" >found

at_most() { # at_most BOUND PATTERN
    grep -E "$2" found >places || true
    [ "$(grep -c . places)" -le "$1" ] ||
        fail "$(grep -c . places) places with '$2', at most $1 (CONTRIBUTING.md, Sentences): $(tail -n 60 places)"
}
at_most 76 'comment: what$'
at_most 23 'message: what$'
at_most 83 'comment: [^w]'
at_most 1 'message: [^w]'
