// Errors of every kind, and what each does to the exit code and to what follows.

import type { Random } from '../random.ts'
import { quoted, times, words } from './words.ts'

function wrong(random: Random): string {
  const number = random.pick([
    '1 +',
    '08',
    '1/0',
    '2**-1',
    '5 5',
    'x y',
    '1 ? 2',
    '1.5',
    '3 # 4',
    '2#3',
    '65#1',
    'a[',
    '1++',
    'u =',
  ])
  const index = random.pick(['-5', '1/0', '1.5', 'u', '7', '1 1'])
  return random.pick([
    'readonly R=1; R=2; echo same',
    'R=1; readonly R; unset R; echo $?',
    'declare -r R=1; declare R=2; echo $?',
    'echo "${u?}"; echo same',
    'echo "${u:?gone}"; echo same',
    `echo $(( ${number} )); echo same`,
    `(( ${number} )); echo $?`,
    `let '${number}'; echo $?`,
    `for ((i = ${number}; i < 1; i++)); do break; done; echo $?`,
    `declare -i k=3; k='${number}'; echo "same $k"`,
    `f() { local -i n='${number}'; echo "in $n"; }; f; echo $?`,
    `s=abc; echo "\${s:${number}}"; echo $?`,
    `a=(1 2); a[${index}]=x; echo "$? \${a[*]}"`,
    `a=(1 2); echo "\${a[${index}]}"; echo $?`,
    `a=(1 2); unset 'a[${index}]'; echo "$? \${a[*]}"`,
    'shift 5; echo $?',
    'shift -1; echo $?',
    'break; echo $?',
    `return ${random.pick(['', '3', 'x'])} 2>/dev/null; echo $?`,
    'cd none; echo $?',
    '. ./none.sh; echo $?',
    'source none.sh || echo "no source $?"',
    'exec none 2>/dev/null; echo $?',
    "eval 'echo a; )'; echo $?",
    "eval 'if'; echo $?",
    "bash -c 'echo a; fi'; echo $?",
    `nosuchcmd ${words(random, 2)}; echo $?`,
    './a.txt; echo $?; ./src; echo $?',
    'cat < none; echo $?',
    'echo x > none/y; echo $?',
    'echo x > src; echo $?',
    ': > "$u"; echo $?',
    'read -r v < none; echo $?',
    'unset -v 1x; echo $?; export 1x=2; echo $?; local v=1; echo $?',
    'declare -n self=self; echo $?',
    `printf '%d\\n' ${random.pick(['abc', '1.5', '0x', "''", "'  5'", '9999999999999999999'])}; echo $?`,
    "printf '%z\\n' 1; echo $?",
    `test 1 -eq ${random.pick(['a', "''", '1.0'])}; echo $?`,
    '[ 1 -eq 1; echo $?; [ a b c ]; echo $?',
    `[[ 1 -eq ${random.pick(['a', '1.0', '"1 1"', '08'])} ]]; echo $?`,
    `p='${random.pick(['(', '[', 'a{2', '*', '+'])}'; [[ a =~ $p ]]; echo $?`,
    'kill -0 999999; echo $?; kill abc; echo $?; wait 99999; echo $?',
    'getopts; echo $?; umask 999; echo $?',
    'set -o nope; echo $?; shopt -s nope; echo $?; set -Z; echo $?',
    "trap 'x' NOSIG; echo $?; alias none; echo $?; type none; echo $?; hash none; echo $?",
    'pushd none; echo $?; popd; echo $?',
    'mapfile -n x v; echo $?; read -n x v; echo $?; read -t x v; echo $?; read 1v; echo $?',
    'x=${none[${u}]}; echo "$? $x"',
    '${u} echo ran; echo $?',
    '"" ; echo $?',
    ': ${v:=$(exit 3)}; echo $?; v=$(exit 4); echo $?; w=$(exit 5) true; echo $?',
    'declare -A m; m[]=1; echo $?',
    'echo a | while read x; do exit 3; done; echo $?',
    'command none; echo $?; builtin none; echo $?; env none; echo $?',
  ])
}

function surrounded(random: Random, text: string): string {
  const written = quoted(random, text)
  return random.pick([
    text,
    text,
    `(${text})\necho "sub $?"`,
    `f() {\n${text}\n}\nf\necho "fun $?"`,
    `{\n${text}\n} || echo "or $?"`,
    `if\n${text}\nthen echo then; fi`,
    `x=$(${text}\n)\necho "cmd $? $x"`,
    `eval ${written}\necho "ev $?"`,
    `for i in 1 2; do\n${text}\ndone\necho "loop $?"`,
    `printf '%s\\n' ${written} 'echo next' > s.sh; bash s.sh; echo "file $?"`,
    `printf '%s\\n' ${written} 'echo next' > s.sh; . ./s.sh; echo "sourced $?"`,
    `bash -c ${written}; echo "bash $?"`,
    `printf '%s\\n' ${written} 'echo next' | bash; echo "in $?"`,
  ])
}

export function failures(random: Random): string {
  const header = random.pick(['', '', '', '', 'set -e', 'set -u', 'set -eu', 'trap \'echo "E $?"\' EXIT', "trap 'echo R' ERR"])
  return [header, ...times(random, 3, 1, () => surrounded(random, wrong(random))), 'echo end'].filter(Boolean).join('\n')
}
