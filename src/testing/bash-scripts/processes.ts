// Descriptors, patterns over files, jobs, coprocesses and traps, where the order of the output is certain.

import type { Random } from '../random.ts'
import { plainNumber, times, word, words } from './words.ts'

export function descriptors(random: Random): string {
  const line = (): string => {
    const n = random.pick(['3', '4', '9'])
    return random.pick([
      `exec ${n}> o`,
      `exec ${n}>> o`,
      `exec ${n}< a.txt`,
      `exec ${n}<> p`,
      'exec 3< b.txt',
      'exec 4>&3',
      `exec ${n}>&-`,
      'exec {fd}> q; echo var >&$fd; exec {fd}>&-',
      'echo to3 >&3',
      'echo to4 1>&4',
      'read -r v <&3 && echo "got $v"',
      'read -r -u 4 v && echo "got4 $v"',
      '{ echo out; echo err >&2; } 3>&1 1>&2 2>&3',
      '{ echo g1; echo g2 >&3; } 3>> o',
      '(echo sub >&3) 3> sub.txt',
      'f() { echo f1; echo f2 >&2; } > f.out; f 2>> o',
      'while read -r -u 9 l; do echo "w $l"; done 9< b.txt',
      'cat 0< a.txt 3< b.txt <&3',
      'echo both &> both; echo more &>> both; cat both',
      'x=$( { echo a; echo b >&2; } 2>&1 >/dev/null ); echo "$x"',
      'x=$(exec 3>&1; echo a >&3); echo "$x"',
      'ls none a.txt |& sort | head -n 1 | cut -c1-5',
      '[ -t 0 ] || echo notty',
      `cat <<< ${word(random)} > h; cat h`,
      'cat - a.txt <<< x | head -n 2',
      `tee t1 t2 <<< ${word(random)} > /dev/null; cmp t1 t2 && echo same`,
      'for i in 1 2; do echo $i; done > l; echo 3 >> l; wc -l < l',
      `diff <(echo a) <(echo ${random.pick(['a', 'b'])}) > d; echo $?`,
      'exec 5< <(printf \'1\\n2\\n\'); read -r a <&5; read -r b <&5; echo "$a$b"; exec 5<&-',
      'printf \'a\\nb\\n\' | { read -r x; cat; echo "x=$x"; }',
      '> new; [ -f new ] && echo made',
      'cat o 2>/dev/null',
    ])
  }
  return ['exec 3> s3 4> s4', ...times(random, 7, 3, line)].join('\n')
}

export function patterns(random: Random): string {
  const extended = (): string => {
    const choices = times(random, 3, 1, () => random.pick(['a', 'b*', '*.txt', '[0-9]', 'foo', '.*', 'x?', '+(a)', 'A', '*-*']))
    return `${random.pick(['?', '*', '+', '@', '!'])}(${choices.join('|')})`
  }
  const piece = (): string =>
    random.pick(['*', '?', '[a-c]', '[!a]', '[[:digit:]]', '.', 'a', 'foo', '.txt', '-', extended(), extended()])
  const use = (): string => {
    const glob = times(random, 3, 1, piece).join('')
    return random.pick([
      `echo ${glob}`,
      `printf '<%s>' ${glob} sub/${glob}; echo`,
      `for f in ${glob}; do echo "$f"; done`,
      `a=(${glob}); echo "\${#a[@]}"`,
      `for s in ${words(random, 3)} foo.txt aab 12 A; do [[ $s == ${glob} ]] && echo "y $s"; done`,
      `for s in foo.txt aab-12 .x A1; do case $s in ${glob}) echo "c $s";; esac; done`,
      `for s in foo.txt aab-12 .xx A1b; do echo "\${s#${glob}}|\${s##${glob}}|\${s%${glob}}|\${s%%${glob}}|\${s/${glob}/_}|\${s//${glob}/_}"; done`,
      `echo **/${glob}`,
      `rm -f ./${glob}; ls -A`,
      `GLOBIGNORE='${glob}'; echo *; unset GLOBIGNORE`,
      `: *; compgen -G '${glob}' | sort; echo $?`,
    ])
  }
  const shopts = times(random, 3, 0, () =>
    random.pick(['nullglob', 'dotglob', 'globstar', 'nocaseglob', 'nocasematch', 'failglob']),
  )
  return [
    `shopt -s extglob ${shopts.join(' ')}`,
    "mkdir g; cd g; mkdir -p sub/deep .hid; touch a b.txt foo.txt aab-12 A1 B.TXT .dot .a.txt sub/a sub/foo1 sub/deep/x.txt .hid/b 'sp ace' '[x]' '*'",
    ...times(random, 4, 2, use),
  ].join('\n')
}

export function jobs(random: Random): string {
  const code = random.below(5)
  return random.pick([
    'for i in 1 2 3; do (exit $i) & pids+=($!); done; rc=0; for p in "${pids[@]}"; do wait "$p" || { s=$?; ((s > rc)) && rc=$s; }; done; echo "rc $rc"',
    'work() { sleep 0.0$1; echo "w$1" > w$1; return $1; }; work 1 & a=$!; work 2 & b=$!; wait $a; echo $?; wait $b; echo $?; cat w1 w2',
    `coproc { while read -r l; do echo "<$l>"; done; }; for w in ${words(random, 3)}; do echo "$w" >&"\${COPROC[1]}"; read -r r <&"\${COPROC[0]}"; echo "$r"; done; eval "exec \${COPROC[1]}>&-"; wait $COPROC_PID; echo $?`,
    `coproc SUM { s=0; while read -r n; do ((s += n)); done; echo "$s"; }; printf '%s\\n' 1 2 ${plainNumber(random)} >&"\${SUM[1]}"; exec {SUM[1]}>&-; read -r t <&"\${SUM[0]}"; echo "$t"`,
    `{ sleep 0.05; exit ${code}; } & wait -n; echo $?; wait -n; echo $?; wait $!; echo $?`,
    `(exit ${code}) & p=$!; wait $p; echo "$?"; wait $p; echo $?; wait; echo $?`,
    `trap 'echo term; exit ${code}' TERM; kill -TERM $$; echo after`,
    "trap 'echo usr' USR2; for i in 1 2; do kill -USR2 $$; done; trap -p USR2; trap - USR2; trap -p",
    `(trap 'echo sub exit $?' EXIT; exit ${code}); echo $?; trap 'echo outer' EXIT; (echo in); x=$(trap -p EXIT); echo "$x"`,
    'sleep 5 & p=$!; kill $p; wait $p; echo $?; kill -0 $p 2>/dev/null; echo $?; jobs',
    `bash -c 'trap "" TERM; kill -TERM $$; echo alive'; echo $?; bash -c 'kill -KILL $$'; echo $?`,
    `f() { trap 'echo ret' RETURN; echo in; return ${code}; }; f; echo $?; trap - RETURN`,
    `set -T; trap 'echo "d $BASH_COMMAND"' DEBUG; x=1; f() { echo f; }; f; trap - DEBUG; echo ${code}`,
    `trap 'echo "err $? $BASH_COMMAND"' ERR; false; (exit ${code}); [[ a == b ]]; ((0)); ! true; true | false; f() { false; }; f; echo end`,
    `timeout 0.05 sleep 2; echo $?; timeout 2 bash -c 'exit ${code}'; echo $?`,
    '(sleep 0.05; echo late) & echo early; wait; echo done; { echo x & }; wait; echo z',
    `echo ${word(random)} | (read -r a; echo "$a") & wait $!; echo $?`,
    `for i in 1 2; do { sleep 0.0$i; exit $i; } & done; wait -n; echo $?; wait -n; echo $?; wait -n; echo $?`,
  ])
}
