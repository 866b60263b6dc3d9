// Attributes, references, transformations, odd keys and what `declare -p` prints.

import type { Random } from '../random.ts'
import { plainNumber, times, word, words } from './words.ts'

const name = (random: Random): string => random.pick(['v', 'w', 'a', 'm', 'n', 'r', 'v_1', 'v_2'])

const oddKey = (random: Random): string =>
  random.pick([
    'k',
    '"a b"',
    "'a]b'",
    "'[x'",
    '"$v"',
    '$v',
    "'*'",
    "'@'",
    '"a\\"b"',
    "'a$b'",
    "$'t\\tb'",
    '"é"',
    "'a=b'",
    '0',
    '1+1',
    "'  '",
    '${w:-d}',
    '"x]y[z"',
    "'~'",
    "'a\\b'",
    '$(echo s)',
    '"`echo t`"',
    "'it'\\''s'",
  ])

function statement(random: Random): string {
  const n = (): string => name(random)
  const key = oddKey(random)
  return random.pick<() => string>([
    () => `${n()}=${word(random)}`,
    () => `${n()}+=${word(random)}`,
    () => `m[${key}]=${word(random)}`,
    () => `m[${key}]+=${word(random)}`,
    () => `echo "\${m[${key}]-none}" "\${m[${key}]+set}"`,
    () => `m=([${key}]=${word(random)} [${oddKey(random)}]=2)`,
    () => `m+=([${key}]+=${word(random)})`,
    () => `unset 'm[k]' "m[a b]"`,
    () => `[[ -v m[${key}] ]] && echo there || echo not`,
    () => `for k in "\${!m[@]}"; do printf '%s=%s;' "$k" "\${m[$k]}"; done; echo`,
    () => `a[${random.pick(['0', '3', '-1', 'n', '$n', '2**2', 'n+1', '${#a[@]}'])}]=${word(random)}`,
    () => `a+=(${words(random, 3)})`,
    () => `a=([${random.pick(['2', 'n', '1+1'])}]=${word(random)} ${word(random)} [7]=z)`,
    () => `unset 'a[${random.pick(['0', '-1', '3', '@', 'n'])}]'; echo $?`,
    () =>
      `declare ${random.pick(['-i', '-l', '-u', '-x', '-a', '-c', '+i', '+x', '-ix', '-r', '-au', '-al', '-A', '-n', '-t'])} ${n()}`,
    () => `declare ${random.pick(['-i', '-l', '-u', '-x', '-a', '-g', '+i', '-ai'])} ${n()}=${word(random)}`,
    () => `declare -p ${n()} ${n()}; echo $?`,
    () => `echo "\${${n()}@${random.pick(['Q', 'U', 'u', 'L', 'E', 'P', 'A', 'K', 'a', 'k'])}}"`,
    () => `printf '<%s>' "\${${n()}[@]@${random.pick(['Q', 'U', 'u', 'L', 'E', 'A', 'K', 'a', 'k'])}}"; echo`,
    () => `echo "\${!v@}" "\${!v_*}" \${!m@}`,
    () => `echo "\${!${n()}}" "\${!${n()}-d}"`,
    () => `echo "\${!a[@]}" "\${!a[*]}" "\${#a[@]}" "\${#m[@]}"`,
    () => `declare -n r=${random.pick(['v', 'a', 'm', "'a[1]'", "'m[k]'", 'later', 'w'])}; echo "\${!r}"`,
    () => `r=${word(random)}; echo "$r"`,
    () => `unset -n r`,
    () => `unset ${n()}`,
    () => `printf -v ${random.pick(['v', "'a[2]'", "'m[x y]'", 'r'])} '%s-%03d' ${word(random)} ${plainNumber(random)}`,
    () =>
      `f() { local ${random.pick(['', '-i ', '-a ', '-A ', '-n ', '-r ', '-I ', '-u '])}${n()}; declare -p ${n()} 2>/dev/null; echo "$v"; }; f`,
    () =>
      `f() { local v=inner; g; }; g() { ${random.pick(['v=changed', 'unset v', 'declare -g v=top', 'local v; echo "${v-unset}"', 'echo "$v"', 'typeset -x v'])}; echo "\${v-gone}"; }; f; echo "\${v-none}"`,
    () => `f() { local -n out=$1; out+=(x); out[5]=y; }; f a; f w; declare -p a w`,
    () => `f() { declare -n l=$1; for e in "\${l[@]}"; do printf '%s,' "$e"; done; echo; }; f a; f m`,
    () => `(readonly v; v=2; echo no) 2>/dev/null; echo $?`,
    () => `echo "\${a[*]}" "\${a[@]:1:2}" "\${a[@]: -2:1}" "\${m[*]}"`,
    () => `IFS=${random.pick([',', "''", "' '", ':'])}; echo "\${a[*]}" "\${!m[*]}"; unset IFS`,
    () =>
      `declare -i n; n=${random.pick(['5+3', 'n*2', '"7 / 2"', '0x10', 'a', '"n++"', '1,2'])}; n+=${random.pick(['1', '2*3', '-n'])}; echo $n`,
    () => `export ${n()}; bash -c 'echo "\${v-no} \${w-no} \${n-no}"'`,
    () => `set -- ${words(random, 3)}; echo "\${@@Q}" "\${*@U}" "\${@@A}"`,
    () => `echo "\${${n()}[@]/${random.pick(['a', '#', '%', '?'])}/X}" "\${${n()}[0]^}"`,
    () => `v=(${words(random, 2)}); echo "$v" "\${v[1]-}"; unset v`,
    () => `readonly -p | grep -c 'v=' ; export -p | grep ' [vw]=' `,
    () => `declare -p | grep -E '^declare -[-aAinrxlut]+ (v|w|a|m|n|r|v_1)(=|$)'`,
    () => `a=("\${a[@]}" "\${m[@]}"); echo "\${#a[@]}"`,
    () => `declare -A copy=(); for k in "\${!m[@]}"; do copy[$k]=\${m[$k]}; done; echo "\${#copy[@]}"; declare -p copy`,
    () => `eval "declare -A c2=\${m[@]@K}" 2>/dev/null; eval "declare -a c3=(\${a[*]@Q})"; declare -p c3`,
    () => `test -v a[1]; echo $?; test -v m[k]; echo $?; [[ -v r ]]; echo $?; [[ -R r ]]; echo $?`,
  ])()
}

export function variables(random: Random): string {
  return [
    `v=${word(random)} w=${word(random)} n=2 v_1=1; a=(${words(random, 3)}); declare -A m=([k]=${word(random)})`,
    ...times(random, 7, 3, () => statement(random)),
    'declare -p v a m 2>/dev/null; echo end',
  ].join('\n')
}
