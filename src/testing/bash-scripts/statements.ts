// Statements of the shell within statements: pipes, lists, loops, functions, subshells, redirections, here-documents, traps.

import type { Random } from '../random.ts'
import { pattern, times, word } from './words.ts'

const variable = (random: Random): string => random.pick(['x', 'y', 'z'])

function value(random: Random, depth: number): string {
  const choices: (() => string)[] = [
    () => word(random),
    () => `$${variable(random)}`,
    () => `"$${variable(random)}"`,
    () => `"\${${variable(random)}}-$?"`,
    () => `\${${variable(random)}:-${random.pick(['d', '"d e"', '$y'])}}`,
    () => `"\${${variable(random)}${random.pick(['#a', '%b', '//a/b', '^', ':1', ':0:2', '/#/p', '@Q', '##*/', '%%.*'])}}"`,
    () => '"$@"',
    () => '"$*"',
    () => '$#',
    () => '"${a[@]}"',
    () => '"${a[*]}"',
    () => '${#a[@]}',
    () => '"${a[1]-none}"',
    () => `$((${random.pick(['n', 'n+1', 'n*2', 'n++', '${#x}', 'n > 1', 'n, 7'])}))`,
    () => '*.txt',
    () => '{p,q}r',
    () => "$'t\\tb'",
  ]
  if (depth > 0)
    choices.push(
      () => `"$(${statement(random, depth - 1)}\n)"`,
      () => `$(${statement(random, depth - 1)}\n)`,
      () => `$(( $(${random.pick(['echo 3', 'wc -l < a.txt', 'echo "$n"'])}) + 1 ))`,
    )
  return random.pick(choices)()
}

function simple(random: Random, depth: number): string {
  const arg = (): string => value(random, depth)
  return random.pick<() => string>([
    () => `echo ${times(random, 3, 0, arg).join(' ')}`,
    () => `printf '<%s>' ${times(random, 3, 0, arg).join(' ')}; echo`,
    () => `${variable(random)}=${arg()}`,
    () => `${variable(random)}+=${arg()}`,
    () => `a+=(${arg()})`,
    () => `a=(${times(random, 3, 0, arg).join(' ')})`,
    () => `${variable(random)}=${arg()} ${random.pick(['f arg', 'eval \'echo "$x$y$z"\'', 'true', 'sh -c \'echo "$x"\''])}`,
    () => `set -- ${times(random, 3, 0, arg).join(' ')}`,
    () => `[ ${random.pick(['-n', '-z'])} "${random.pick(['$x', '$1', '$y'])}" ]`,
    () => `[[ $${variable(random)} ${random.pick(['==', '!='])} ${pattern(random).replaceAll(' ', '\\ ')} ]]`,
    () => `(( n${random.pick(['++', '--', ' > 1', ' += 2', ' % 2', ' == 0'])} ))`,
    () => 'true',
    () => 'false',
    () => `f ${arg()}`,
    () => `g ${arg()} ${arg()}`,
    () => `read -r ${variable(random)} ${random.pick(['y', ''])} <<< ${arg()}`,
    () => `shift ${random.pick(['', '', '2'])} 2>/dev/null`,
    () => `cat <<${random.pick(['E', '"E"'])}\n[$x] \${a[0]} $((n+1)) \\$y \`echo t\`\nE`,
    () => `eval ${word(random)} 2>/dev/null`,
    () => `local l=${arg()} 2>/dev/null`,
    () => `export ${variable(random)}=${arg()}`,
    () => `unset ${random.pick(['x', 'y', 'a', "'a[0]'", 'n'])}`,
    () => `IFS=${random.pick(["','", "':'", "$' \\t\\n'", "''"])}`,
    () => `cat ${random.pick(['a.txt', 'none', 'out', 'b.txt -'])} < ${random.pick(['b.txt', 'empty'])}`,
    () => `declare -${random.pick(['p', 'u', 'x', 'l'])} ${variable(random)}`,
    () => `${random.pick(['return', 'exit'])} ${random.pick(['0', '1', '3', '$?', ''])}`,
    () => `test ${arg()} = ${arg()}`,
    () => `: "\${${variable(random)}:=${random.pick(['set', '$n'])}}"`,
    () => `grep -c ${random.pick(['a', 'z'])} ${random.pick(['a.txt', 'none', '-'])}`,
    () => `type f`,
    () => `command echo ${arg()}`,
    () => `! true`,
    () => 'echo "$? ${PIPESTATUS[*]}"',
    () => 'wc -l',
    () => 'sort -u',
  ])()
}

function redirected(random: Random): string {
  return random.pick([
    '',
    '',
    '',
    ' > out',
    ' >> out',
    ' 2>/dev/null',
    ' 2>&1',
    ' < a.txt',
    ' > out 2>&1',
    ' >&2',
    ' <<< "$x"',
    ' &> all',
    ' | cat',
    ' 2>&1 | sort',
  ])
}

export function statement(random: Random, depth: number): string {
  if (depth <= 0) return simple(random, 0)
  const inner = (): string => statement(random, depth - 1 - random.below(2))
  const body = (): string =>
    times(random, 3, 1, inner)
      .join(random.pick(['; ', '\n']))
      .replace(/(\nE); /g, '$1\n')
  // The end of a here-document stands alone on its line.
  const closed = (text: string): string => (text.endsWith('\nE') ? `${text}\n` : `${text}; `)
  return random.pick<() => string>([
    () => simple(random, depth),
    () => simple(random, depth),
    () => simple(random, depth) + (random.chance(0.5) ? ' ' : ''),
    () => `${joined(random, inner(), ' && ')}${inner()}`,
    () => `${joined(random, inner(), ' || ')}${inner()}`,
    () => `${joined(random, alone(inner()), ' | ')}${alone(inner())}`,
    () =>
      `if ${closed(inner())}then ${closed(body())}${random.chance(0.5) ? `else ${closed(body())}` : ''}fi${redirected(random)}`,
    () =>
      `for i in ${times(random, 3, 0, () => value(random, 0)).join(' ')}; do ${random.chance(0.2) ? `${random.pick(['break', 'continue'])}; ` : ''}x=$i; ${closed(body())}done${redirected(random)}`,
    () => `turn${depth}=0; while ((turn${depth}++ < ${1 + random.below(3)})); do ${closed(inner())}done${redirected(random)}`,
    () =>
      `while read -r x; do ${closed(inner())}done${random.pick([' < a.txt', ' < nonl.txt', ' <<< "$y"', ' < <(echo p; echo q)'])}`,
    () =>
      `case ${random.pick(['$x', '"$y"', word(random)])} in ${pattern(random).replaceAll(' ', '\\ ')}) ${closed(inner())};; *) ${closed(inner())};; esac`,
    () => `( ${closed(body())})${redirected(random)}`,
    () => `{ ${closed(body())}}${redirected(random)}`,
    () => `! ${inner()}`,
    () => `h${depth}() { ${closed(body())}}${redirected(random)}\nh${depth} ${value(random, 0)}`,
    () => `eval ${quoteForShell(inner())}`,
  ])()
}

function joined(random: Random, text: string, operator: string): string {
  if (/\n/.test(text)) return `{ ${text}\n} ${operator.trim()} `
  return text + operator
}

/** Two commands of a pipeline that write to the same file race. */
const alone = (text: string): string => text.replace(/ (?:&>|>>?) (?:out|all)\b/g, '')

const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function statements(random: Random): string {
  const before = random.pick([
    '',
    '',
    '',
    'set -e',
    'set -o pipefail',
    'set -f',
    'shopt -s nullglob',
    "trap 'echo ERR' ERR",
    'shopt -s lastpipe',
    'shopt -s inherit_errexit; set -e',
    'set -C',
    'set -a',
    "trap 'echo R' RETURN",
  ])
  const start = `x=${word(random)} y='a b' n=${random.below(4)} a=(1 "2 3" '*.txt'); set -- p "q r"; f() { echo "f:$#:$1"; return ${random.below(3)}; }; g() { local x="$1"; f "$2"; }`
  return [before, start, ...times(random, 4, 2, () => statement(random, 2)), 'echo "end $? $x $y ${a[*]} $n $#"']
    .filter(Boolean)
    .join('\n')
}
