// Quoting within quoting, here-documents within anything, lookups of commands, and descriptors by name.

import type { Random } from '../random.ts'
import { times, word, words } from './words.ts'

function nested(random: Random, depth: number): string {
  const inner = (): string =>
    depth > 0 ? nested(random, depth - 1) : random.pick(['x', '$v', '"$v"', "'q r'", '$((1 + 1))', '\\$', "it\\'s"])
  return random.pick<() => string>([
    inner,
    () => `"${random.pick(['', 'p ', '\\"', "'"])}$(echo ${inner()})"`,
    () => `$(echo ${inner()})`,
    () => `"$(printf '%s' "${random.pick(['$v', '\\$v', '${v}'])}" ${inner()})"`,
    () => `"\${v:-${random.pick(['d', '"e f"', '$(echo g)', '}', '\\}', '"}"', "'h'"]).replace(/^\}$/, 'i')}}"`,
    () => `"\${u:-${inner().replace(/[{}]/g, '')}}"`,
    () => `\${u:-${inner().replace(/[{}]/g, '')}}`,
    () =>
      `"\${v//${random.pick(['a', '"a"', "\\'", "'\"'", '\\"', ' '])}/${random.pick(['b', '"b"', "'c'", '\\&', '&', '$w', '\\\\'])}}"`,
    () => `\`echo \\"${random.pick(['a', '$v', '\\$v'])}\\" ${random.pick(["'b c'", '"d"', '\\\\e'])}\``,
    () => `"\`echo ${random.pick(['a', '$v', "'b  c'", '\\"d  e\\"'])}\`"`,
    () => `$'a\\'b\\x41\\tc'${inner()}`,
    () => `$"loc $v"`,
    () => `"a"'b'"\${v}"\\ ${inner()}`,
    () => `"\${a[@]/#/"${random.pick(['p', '$v', ' '])}"}"`,
    () => `"\${a["${random.pick(['1', '$n', '$((n - 1))'])}"]}"`,
    () => `"$(cat <<E\n${random.pick(['$v', '"$v"', "'$v'", '$(echo h)', '\\$v', '`echo i`', "it's"])}\nE\n)"`,
    () => `$((\${#v} + $(echo ${random.pick(['1', '"2"', '$n'])})))`,
    () => `"\${v#"${random.pick(['a', '$w', '*', '?'])}"}"`,
    () => `"$(case $v in a*) echo A;; (b*) echo B;; *) echo C;; esac)"`,
    () => `"$(for i in 1 2; do echo "$i)"; done)"`,
    () => `"$(# comment ' with "\n echo k)"`,
  ])()
}

export function nesting(random: Random): string {
  return [
    `v=${word(random)} w=a n=1 a=(${words(random, 3, 2)})`,
    ...times(random, 4, 2, () => {
      const made = nested(random, 2)
      return random.pick([
        `printf '<%s>' ${made}; echo`,
        `x=${made}; echo "$x"`,
        `echo ${made} ${nested(random, 1)}`,
        `f() { echo "$#:$1"; }; f ${made}`,
        `for i in ${made}; do echo "[$i]"; done`,
        `cat <<E\n${made.includes('\n') ? '$v' : made}\nE`,
        `eval "echo ${random.pick(['\\"$v\\"', '\\$v', "'$w'", '\\\\\\$v', '$(echo \\$w)', '\\"\\${a[*]}\\"'])}"`,
        `[[ ${made} == *"$w"* ]] && echo has`,
        `case ${made} in *a*) echo A;; *) echo other;; esac`,
        `bash -c 'echo "$1" '\\''in'\\'' "$(echo "$0")"' ${made} b`,
      ])
    }),
  ].join('\n')
}

export function documents(random: Random): string {
  const body = (): string =>
    times(random, 3, 1, () =>
      random.pick([
        '$v',
        '${v:-d} ${u:-"e f"}',
        'it\'s "$v"',
        '$(echo "sub $n")',
        '`echo tick`',
        '\\$v \\\\ \\` \\"',
        '$((n + 1)) ${#a[@]}',
        '${a[@]}',
        'end \\',
        '\ttab',
        '$(cat <<I\ninner $v\nI\n)',
        '$',
        '${v//a/b}',
        'E no',
        ' E',
        '${u:-$(echo "x y")}',
        "${u:-'q'}",
        '${v@Q}',
        '"${a[*]}"',
        '$1 $# $@',
      ]),
    ).join('\n')
  const open = random.pick(['<<E', "<<'E'", '<<"E"', '<<-E', "<<-'E'", '<<\\E'])
  const document = `${open}\n${body()}\n${open.startsWith('<<-') ? random.pick(['E', '\tE']) : 'E'}`
  const first = document.slice(0, document.indexOf('\n'))
  const rest = document.slice(document.indexOf('\n'))
  return `v=${word(random)} n=2 a=(${words(random, 2)}); set -- ${words(random, 2)}\n${random.pick([
    `cat ${document}`,
    `f() {\n  cat ${document}\n}\nf p; f q | tail -n 1; declare -f f`,
    `for i in 1 2; do\n  cat ${first}${rest}\n  n=$i\ndone`,
    `while read -r l; do\n  cat ${first} | sed "s/^/$l:/"${rest}\ndone < a.txt`,
    `if cat ${first} > o; then${rest}\n  cat o\nfi`,
    `cat ${first} | tr a-z A-Z && echo and${rest}`,
    `x=$(cat ${document}\n)\necho "$x"`,
    `{ cat; cat <&3; } ${first} 3<<F${rest}\nthree $v\nF`,
    `while read -r p q; do echo "$q-$p"; done ${document}`,
    `read -r x y ${document}\necho "[$x] [$y]"`,
    `cat <<A; cat ${first}; echo both\nfirst $v\nA${rest}`,
    `mapfile -t m ${document}\nprintf '<%s>' "\${m[@]}"; echo`,
    `(cat ${document}\n) | wc -l`,
    `case x in x) cat ${document}\n;; esac`,
    `bash -s p q ${first}\necho "$1"; echo $v${rest.replace(/\n\$\(cat[^]*?I\n\)/g, '').replace(/\n[^\n]*["'`\\(][^\n]*/g, '')}`,
    `cat ${first} > out.txt; cat out.txt${rest}\nwc -c < out.txt`,
    `! grep -q zzz ${document}\necho $?`,
    `cat ${document}\ncat <<< "$v"; cat <<< $v; cat <<< "a  b"c; cat <<< \${a[@]}; cat <<< "\${a[*]}"`,
  ])}`
}

export function lookups(random: Random): string {
  const target = (): string =>
    random.pick([
      'f',
      'ls',
      'cd',
      'if',
      'none',
      './run.sh',
      'al',
      'echo',
      '[',
      'test',
      'cat',
      '[[',
      'time',
      'declare',
      '/bin/ls',
      'f cd if',
    ])
  return [
    'shopt -s expand_aliases; f() { echo "f $1"; }; alias al="echo aliased"; printf \'#!/bin/bash\\necho run "$@"\\n\' > run.sh; chmod +x run.sh',
    ...times(random, 6, 3, () =>
      random.pick([
        `type -t ${target()}; echo $?`,
        `type ${random.pick(['f', 'cd', 'if', 'none', 'al', 'echo', '['])} 2>&1 | head -n 4`,
        `type -a ${random.pick(['f', 'cd', 'if', 'al'])}`,
        `command -v ${random.pick(['f', 'cd', 'if', 'none', 'al', './run.sh', '[[', 'test', 'time'])}; echo $?`,
        `command -V ${random.pick(['f', 'cd', 'if', 'none', 'al'])} 2>&1`,
        `if command -v ${target()} > /dev/null 2>&1; then echo found; else echo missing; fi`,
        `hash ${random.pick(['-r', 'none', '-d none', '-t none', 'cd', '-p /bin/cat mycat; mycat a.txt | head -n 1'])} 2>/dev/null; echo $?`,
        `command ${random.pick(['f', 'echo x', 'cd src', 'none', 'al', '-p echo y'])} 2>/dev/null; echo $?`,
        `builtin ${random.pick(['echo x', 'cd src', 'none', 'f', 'printf y', 'type cd'])} 2>/dev/null; echo $?`,
        'al x; unalias al; al y 2>/dev/null; echo $?',
        'alias al; alias q="echo q "; q al; alias | head -n 3',
        'unset -f f; f 2>/dev/null; echo $?; unset f; f() { echo again; }; f',
        'echo() { builtin echo "wrapped $*"; }; echo hi; unset -f echo; echo hi',
        'cd() { builtin cd "$@" && echo "in ${PWD##*/}"; }; cd src; cd ..; unset -f cd',
        'enable -n echo; type -t echo; enable echo; type -t echo',
        'declare -F f; declare -F none; echo $?; declare -f f | wc -l; declare -F | grep -c "f$"',
        'PATH=; ls 2>/dev/null; echo $?; PATH=/usr/bin:/bin',
        'PATH=$PWD:$PATH run.sh a b; PATH=$PWD:$PATH; run.sh c; command -v run.sh | sed "s|.*/||"',
        'x=echo; $x a; "$x" b; ${x} c; ${none} echo d; "$none" 2>/dev/null; echo $?',
        `umask ${random.pick(['', '-S', '022', '077', 'u=rwx,g=rx,o=', '-p', 'g-w', '027 -S'])}; umask; touch um; stat -c %a um; rm -f um`,
        'ulimit -n > /dev/null; echo $?; ulimit -c 0; echo $?',
        `{ time ${random.pick(['true', 'f x', '(exit 3)', 'echo t | cat', '{ false; }', '! true'])}; } 2> time.txt; echo $?; grep -c real time.txt; rm time.txt`,
        `TIMEFORMAT='${random.pick(['t', '%%', '%R', 'x %P'])}'; { time true; } 2>&1 | tr -d '0-9.'; unset TIMEFORMAT`,
        `exec {fd}${random.pick(['> o', '>> o', '< a.txt', '<> o', '<<< "$x"'])}; echo $((fd >= 10)); { echo w >&$fd; } 2>/dev/null; read -r -u $fd l 2>/dev/null; echo "\${l-}"; exec {fd}>&-; cat o 2>/dev/null`,
        '{ echo a >&"$fd"; } {fd}> o2; cat o2; exec {fd}>&- 2>/dev/null; f y {out}> o3 >&$out; cat o3',
        'exec 3>&1; x=$(echo cap; echo out >&3); exec 3>&-; echo "$x"',
        'shopt -s ' +
          random.pick(['nullglob', 'failglob', 'dotglob', 'globstar', 'nocaseglob']) +
          '; echo none* 2>/dev/null; echo "$?"; echo *.TXT 2>/dev/null; echo .* 2>/dev/null | wc -w; echo **/*.js; shopt -u nullglob failglob dotglob globstar nocaseglob',
        'shopt -p nullglob; shopt -q extglob; echo $?; shopt -o errexit; set -o | grep -E "^(errexit|pipefail|noglob)"; echo "$-" | tr -d "hBc"',
        'caller; echo $?; g() { caller 0; caller; }; g',
        'let "i = 5" "i *= 2"; echo "$i $?"; let i=0; echo $?; ((i = 3, i++)); echo "$i"; echo $((i++ + ++i)) $((i--)) $((-i ** 2)) $((i ? i : 0)) $((16#aF + 2#11 + 36#Z + 64#_))',
      ]),
    ),
  ].join('\n')
}
