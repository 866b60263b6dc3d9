// read, mapfile, braces and case, with the options that are seldom used.

import type { Random } from '../random.ts'
import { pattern, times, word, words } from './words.ts'

export function reading(random: Random): string {
  const input = random.pick([
    "'a b  c'",
    "' lead trail '",
    "'a\\ b c\\\\d'",
    "$'one\\ntwo\\nthree'",
    "$'a\\\\\\nb c'",
    "'a,b,,c,'",
    "':x:y:'",
    "$'p\\tq\\t\\tr'",
    "'a:b c:d'",
    "''",
    "'é日本 x'",
    "$'no\\nend'",
    word(random),
  ])
  const ifs = random.pick(['', '', 'IFS=, ', 'IFS=: ', 'IFS= ', "IFS=$'\\t' ", "IFS=' :' ", 'IFS=x '])
  const flags = times(random, 2, 0, () =>
    random.pick(['-r', '-r', '-n 2', '-N 3', '-d ,', "-d ''", '-d :', '-t 1', '-s', '-p prompt', '-n 0', '-u 0', '-e']),
  ).join(' ')
  const names = random.pick(['a', 'a b', 'a b c', '', '-a a', 'a b _', "'a[1]'", '-a a b'])
  const show = 'echo "$? [${a-unset}] [${b-unset}] [${c-unset}] [${REPLY-unset}]"; declare -p a 2>/dev/null'
  const mapfile = `mapfile ${times(random, 3, 0, () => random.pick(['-t', '-n 2', '-s 1', '-O 2', '-d ,', "-d ''", '-c 1', '-n 0', "-C 'echo cb'", '-u 0'])).join(' ')} ${random.pick(['a', '', 'a'])}`
  return random.pick([
    `unset a b c; ${ifs}read ${flags} ${names} <<< ${input}; ${show}`,
    `unset a b c; printf '%s' ${input} | { ${ifs}read ${flags} ${names}; ${show}; cat; }`,
    `printf '%s\\n' ${input} | while ${ifs}read ${flags.replace(/-n 0|-t 1/g, '')} ${names || 'a'}; do ${show}; done`,
    `a=(q r s); ${mapfile} <<< ${input}; echo $?; declare -p a MAPFILE 2>/dev/null`,
    `a=(q r s); ${mapfile} < <(printf '%s' ${input}); echo $?; declare -p a MAPFILE 2>/dev/null`,
    `printf '%s\\n' ${input} | (read -r a; echo "$a"; read -r -N 2 b; echo "$b"; read -r c || echo "eof $c"; read -t 0 < /dev/null; echo $?)`,
    `PS3='? '; select x in ${words(random, 3, 1)}; do echo "[$x] [$REPLY]"; ((k++ > 1)) && break; done <<< $'${random.pick(['1', '9', 'x', '', '2 '])}\\n${random.pick(['1', '2', '', 'q'])}\\n3'; echo "$? \${x-}"`,
    `IFS=${random.pick(["','", "' ,'", "$' \\t\\n'", "''", "'ab'", "'\\'", "'*'", "'é'"])}; v=${input}; set -- $v; echo $#; printf '<%s>' "$@" $* "$*"; echo; a=($v x$v"y"$v); printf '[%s]' "\${a[@]}"; echo`,
  ])
}

export function braced(random: Random): string {
  const item = (depth: number): string =>
    random.pick<() => string>([
      () =>
        random
          .pick([
            'a',
            'b',
            'x y',
            '',
            '1',
            '*',
            '$v',
            '"q,r"',
            "'s}t'",
            '\\,',
            '\\{',
            '$(echo c)',
            '`echo d`',
            '${v:-e}',
            '~',
            '=',
            '.',
            '..',
            '{',
            '}',
            ',',
          ])
          .replace(' ', '\\ '),
      () => (depth > 0 ? list(depth - 1) : 'z'),
    ])()
  const list = (depth: number): string =>
    random.pick<() => string>([
      () => `{${times(random, 4, 1, () => item(depth)).join(',')}}`,
      () =>
        `{${random.pick(['1..3', '3..1', '01..3', '1..10..4', 'a..e', 'e..a..2', '-2..2', 'a..3', '1..', '..2', '1.5..3', 'A..c', '0x1..3', '1..3..0', '-01..1', 'é..z', '1..3..-1', 'Z..a', '001..-1'])}}`,
      () =>
        `${random.pick(['p', '$v', '"$v"', '-', '+'])}{${times(random, 3, 1, () => item(depth)).join(',')}}${random.pick(['', 's', '{u,v}', '"t"'])}`,
    ])()
  return `v=${random.pick(['val', "'a b'", "'{x,y}'"])}; set -- p q\n${times(random, 4, 2, () => {
    const made = list(2)
    return random.pick([
      `echo ${made}`,
      `printf '<%s>' ${made} ${list(1)}; echo`,
      `w=${made}; echo "$w"`,
      `for i in ${made}; do printf '%s;' "$i"; done; echo`,
      `a=(${made}); echo "\${#a[@]}"`,
      `echo "${made.replaceAll('"', '')}" ${made}`,
      `case ${made} in *) echo "${random.pick(['c', 'd'])}";; esac`,
      `echo \${v}${made}\${v}`,
    ])
  }).join('\n')}`
}

export function chosen(random: Random): string {
  const end = (): string => random.pick([';;', ';;', ';&', ';;&'])
  const branch = (label: string): string =>
    `  ${random.pick(['', '('])}${times(random, 3, 1, () => random.pick([pattern(random).replaceAll(' ', '\\ '), '"$w"', '$w', "''", '*', '@(a|b)*', '!(x)', '[[:alpha:]]*', '\\*', '"a"*', 'é*', '-*', '$(echo a)*'])).join(' | ')}) ${random.pick([`echo ${label}`, `echo ${label}; false`, '', `echo "${label} $?"`, 'continue', 'break', `x+=${label}`])} ${end()}`
  return `shopt -s extglob\nw=${word(random)} x=\nfor v in ${words(random, 4, 1)} a 12 '*'; do\ncase ${random.pick(['$v', '"$v"', '${v%?}', '$v$w', '"${v^^}"'])} in\n${times(random, 4, 1, () => branch(random.pick(['one', 'two', 'three']))).join('\n')}\nesac\necho "c $? $x"\ndone`
}
