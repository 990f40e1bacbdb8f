# A GPU beside the processor, played by the host (tests/engine/gpu/stand_in.c): the result has the same bits,
# whatever the device computes of it and however it fails.
. "$SOURCE/tests/check.sh"

# Plays the clang of kernels for GPUs: a text whose first line names a shared object for lanes one wide.
fma=
! grep -qsw fma /proc/cpuinfo || fma=-mfma
cat >clang_stand_in <<END
#!/bin/sh
flags=
for word; do
    case \$word in
    --version) echo "a compiler of the tests" && exit ;;
    -D* | -f*) flags="\$flags \$word" ;;
    esac
done
case " \$* " in
*" -o first.bc "*) exec $CC -std=c17 -O2 $fma -w \$flags -DML_WIDTH=1 -I. -shared -o first.bc "\$word" -lm ;;
*" -o second.bc "*) exec mv first.bc second.bc ;;
esac
mv second.bc "$work/\$\$.so"
printf '// %s\n.visible .func ml_gpu_window_(\n}' "$work/\$\$.so" >kernel.so
END
chmod +x clang_stand_in
export MANYLINK_GPU_CC="$work/clang_stand_in" MANYLINK_CUDA_LIBRARY="$CUDA_STAND_IN" MANYLINK_CACHE="$work/cache"
export STAND_IN_REPORT="$work/report"

# on_gpu PLAN STUDY [OPTION...]: computes the study, where calls fail as stand_in.h says: to the bits of STUDY.h5,
# and everything of the device is given back.
on_gpu()
{
    plan=$1
    study=$2
    shift 2
    rm -f gpu.h5 report
    expect 0 env STAND_IN="$plan" "$MANYLINK" run "$study.yaml" --failed-runs-ok --device gpu -o gpu.h5 "$@"
    same "$study.h5" gpu.h5
    grep -q '^live 0, ' report || fail "$plan: $(cat report)"
}

# ran N: the device computed so many runs, and the result names it.
ran()
{
    expect 0 "$MANYLINK" info gpu.h5
    says out "; $1 runs on stand-in"
}

print_chain 300 320 >chain.yaml
# Runs that diverge, and signals that jump within a step, which the host integrates.
cat >diverging.yaml <<'END'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 20}
time: {step: 0.02, end: 2}
sweep: [{set: system.rho, from: 10, to: 2000, count: 100}]
analyse: {lyapunov: {exponents: 2}}
END
{
    print_chain 300 40
    echo 'forces: [{type: torque, joint: 1, value: {type: pulse, amplitude: 1, onset: 0.1234, duration: 0.05}}]'
    echo 'save: {summary: [end_state]}'
} >jumps.yaml
sed 's/^forces.*/forces: [{type: damper, joint: 1, coefficient: 0.05}]/' jumps.yaml >damper.yaml
# Tangent vectors: all exponents with the trace, whose last interval is short; some of them; derivatives beside.
analyse()
{
    print_chain 1003 40
    printf 'save: {summary: [end_state]}\nanalyse: {%s}\n' "$1"
}
analyse "lyapunov: {exponents: all, renormalise: 0.05, history: 0.25}" >spectrum.yaml
forces='{type: pulse, amplitude: 1, onset: 0.1, duration: 0.05}'
{ cat spectrum.yaml; echo "forces: [{type: damper, joint: 1, coefficient: 0.5}, {type: torque, joint: 2, value: $forces}]"; } >driven.yaml
analyse "megno: {}, gali: {vectors: 3}, fli: {}, ftle: {}" >vectors.yaml
analyse "sensitivity: {of: end_state, to: [initial.angle.1]}" >derivatives.yaml
# Steps that runs choose; some choose too many.
print_chosen()
{
    print_chain 4000 "$1" | sed 's|step: 1e-3, ||'
    echo "integrator: {type: dop853, tolerance: 1e-9${2-}}"
    echo 'save: {summary: [end_state]}'
}
print_chosen 320 >chosen.yaml
print_chosen 320 ", max_steps: 250" >failing.yaml
{ print_chain 21 640; echo 'save: {summary: [end_state]}'; echo 'analyse: {ftle: {renormalise: 5e-3}}'; } >short.yaml
# More steps than the first launch takes: drift and rates go on from one launch to the next.
{
    print_chain 10001 16
    echo 'analyse: {lyapunov: {exponents: 1, transient: 1}}'
    echo 'save: {summary: [max_rate, energy_drift]}'
} >long.yaml
for study in chain diverging jumps damper long spectrum driven vectors derivatives short chosen failing; do
    expect 0 "$MANYLINK" run $study.yaml --failed-runs-ok -o $study.h5 -q
done
on_gpu "" chain
ran 320
on_gpu "" damper
ran 40
on_gpu "" long
ran 16
! grep -q 'kernels 1,' report || fail "one launch took all steps"
# One block has one queue, whose memory the plan has, and two threads their batches.
pinned=$(sed "s/.*pinned //" report | awk "{ printf \"%.3g kB\", \$1 / 1000 }")
expect 0 "$MANYLINK" plan long.yaml --device gpu --threads 1
says out "GPU       stand-in: 1 thread more, with 16 runs at a time; $pinned there"
for study in spectrum driven vectors derivatives; do
    on_gpu "" $study
    ran 40
done
on_gpu "" chosen
ran 320
on_gpu "" failing
expect 0 "$MANYLINK" info gpu.h5
says out " runs on stand-in"
says out "too_many_steps"
on_gpu "" jumps
on_gpu "" diverging
expect 0 "$MANYLINK" info gpu.h5
says out " runs on stand-in"
says out "diverged"

# The device fails while blocks are computed: the host goes on.
for plan in "cuStreamCreate 1 2" "cuMemAlloc_v2 2 2 lost" "cuMemcpyHtoDAsync_v2 4 719" \
    "cuLaunchKernel 5 719 lost" "cuStreamSynchronize 6 719 lost"; do
    on_gpu "$plan" chain
    says err "the GPU is not used any more, and the rest is computed without it: stand-in: "
done
# Memory for both batches of a block is missing: they come one after the other.
on_gpu "cuMemAlloc_v2 1 2" short
ran 640
on_gpu wrong chain
says err "stand-in: its numbers differ from the host's"
expect 0 "$MANYLINK" info gpu.h5
! grep -q "runs on stand-in" out || fail "wrong numbers are kept"

# planned TEXT STUDY [OPTION...]: the plan of the study with a GPU; everything of the device is given back.
planned()
{
    text=$1
    study=$2
    shift 2
    rm -f report
    expect 0 "$MANYLINK" plan "$study.yaml" --device gpu "$@"
    says out "$text"
    [ ! -e report ] || grep -q '^live 0, ' report || fail "plan: $(cat report)"
}
planned "/s, measured just now on 320 runs; on " chain
planned "/s, measured just now on 40 runs; on " spectrum
planned "/s, measured just now on 320 runs" chosen
planned " of 100 ticks; on " chosen --set time.end=1000
STAND_IN="delay 20" planned "/s, measured just now on 320 runs; on " chain
planned " of 100000000 steps; on " chain --set time.end=1e5
STAND_IN="cuMemAlloc_v2 2 719 lost" planned "GPU       none: stand-in: cannot take 0.1 MB of its memory: unspecified" chain
STAND_IN="cuLaunchKernel 3 719 lost" planned "GPU       none: stand-in: cannot begin the kernel: unspecified" chain
STAND_IN=wrong planned "GPU       none: stand-in: its numbers differ from the host's" chain
planned "GPU       none: chain.yaml: cannot use a GPU: the study must have no traj" chain --set save.trajectory.every=10
planned "GPU       none: there is no device gpu:1: the driver has 1" chain --device gpu:1
expect 2 "$MANYLINK" plan chain.yaml --device gpux
says err 'the device is `gpux`, but must be'

# Two devices: each has runs, all runs are on them, and where one of them is lost its blocks go elsewhere.
export STAND_IN_DEVICES=2
both()
{
    on_gpu "$1" chain --device gpu:0,1
    cp err notices
    expect 0 "$MANYLINK" info gpu.h5
    sed -n 's/.*; \([0-9]*\) runs on stand-in gpu:0\(; \([0-9]*\) runs on stand-in gpu:1\)*.*/\1 \3/p' out >counts
}
both "delay 100"
awk '$1 > 0 && $2 > 0 && $1 + $2 == 320 { ok = 1 } END { exit !ok }' counts || fail "two devices: $(cat counts out)"
both "cuLaunchKernel 5 719 lost"
grep -q "the rest is computed without it: stand-in gpu:[01]: cannot begin the kernel: unspecified" notices || fail "$(cat notices)"
[ "$(grep -c "is not used any more" notices)" = 1 ] || fail "$(cat notices)"
planned "GPU       stand-in gpu:1 and 1 more: 10 threads more for each, each with 16 runs at a time; " chain --device gpu:1,0
both wrong
grep -q "stand-in gpu:[01]: its numbers differ from the host's" notices || fail "$(cat notices)"
for word in gpu:0,0 gpu:0, gpu:,1 gpu:0,-1 gpu:0.1; do
    expect 2 "$MANYLINK" run chain.yaml -o none.h5 --device $word
    says err "the device is \`$word\`, but must be auto, none, gpu or gpu:K, or gpu:K,L,... for 16 devices at most"
done
expect 2 "$MANYLINK" run chain.yaml -o none.h5 --device gpu:0,2
says err "there is no device gpu:2: the driver has 2, from gpu:0 on"
unset STAND_IN_DEVICES

# Shards of both, and one that goes on: no difference.
expect 0 "$MANYLINK" run chain.yaml --shard 0/2 -q
expect 0 "$MANYLINK" run chain.yaml --shard 1/2 -q --device gpu
expect 0 "$MANYLINK" merge chain.shard-*.h5 -o merged.h5
same chain.h5 merged.h5
stops half.h5 "$MANYLINK" run chain.yaml -o half.h5 --threads 1
expect 0 "$MANYLINK" run chain.yaml -o half.h5 --device gpu
same chain.h5 half.h5

# refused CODE TEXT [OPTION...]: with `gpu` an error, with `auto` the host computes.
refused()
{
    code=$1
    text=$2
    shift 2
    expect $code "$MANYLINK" run chain.yaml -o none.h5 --device gpu "$@"
    says err "$text"
    expect 0 "$MANYLINK" run chain.yaml -o none.h5 --device auto "$@"
    rm none.h5
}
refused 2 "cannot use a GPU: the study must have no trajectories" --set save.trajectory.every=10
STAND_IN="cuInit 1 719" refused 2 "cannot begin: unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED, code 719)"
STAND_IN="cuModuleLoadDataEx 1 719" refused 2 "stand-in: cannot compile the kernel: unspecified launch failure"
says err "no GPU is used: stand-in: cannot compile the kernel"
MANYLINK_CUDA_LIBRARY=libnone.so.1 refused 2 "libnone.so.1, the library of the driver of GPUs, is not there"
MANYLINK_GPU_CC=/none MANYLINK_CACHE=$work/empty refused 1 "/none"
expect 2 "$MANYLINK" run chain.yaml -o none.h5 --device gpu:1
says err "there is no device gpu:1: the driver has 1, from gpu:0 on"
expect 2 "$MANYLINK" run chain.yaml -o none.h5 --device gpu:x
says err 'the device is `gpu:x`, but must be auto, none, gpu or gpu:K'
