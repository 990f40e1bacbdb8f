# Seeds and words of fuzz_formula, into ./seeds and ./words: the formulas of its tests, but for
# long sums: an input with a sum of a million terms takes seconds.
mkdir seeds
grep -oE '"[^"]*[a-z0-9)][^"]*"' "$SOURCE/tests/expr/test_expr.c" | grep -vE 'sum\(.*[0-9]{3}' |
    tr -d '"' | split -l 1 -a 4 - seeds/formula-
{
    sed -n 's/^ML_OP.*"\([a-z0-9]\{2,\}\)").*/"\1("/p' "$SOURCE/src/expr/ops.def"
    printf '"%s"\n' and or not '<=' '>=' '==' '^-' '^0.5' 1e-310 1e308 deg pi x y k t
} >words
