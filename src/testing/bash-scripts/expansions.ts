// Parameters, arrays, arithmetic, splitting, globs and braces.

import type { Random } from '../random.ts'
import { number, operand, pattern, plainNumber, times, value, word, words, quoted } from './words.ts'

const show = (list: string): string => `printf '<%s>' ${list}; echo`

export function parameter(random: Random): string {
  const n = (): string => random.pick(['0', '1', '2', '3', '7', ' -1', ' -2', ' -3'])
  const operation = (): string =>
    random.pick([
      '',
      '',
      `:-${operand(random)}`,
      `-${operand(random)}`,
      `:+${operand(random)}`,
      `:=${random.pick(['d', 'x y', '*'])}`,
      `#${pattern(random)}`,
      `##${pattern(random)}`,
      `%${pattern(random)}`,
      `%%${pattern(random)}`,
      `/${pattern(random)}/${random.pick(['', 'R', '<&>', '\\&', '/'])}`,
      `//${random.pick(['a', 'b', '.', ' ', '[a-c]', '?', '*', 'X', '\\/', ':'])}/${random.pick(['', '_', '-', '[&]'])}`,
      `/#${random.pick(['a', '*', '?', '/'])}/Z`,
      `/%${random.pick(['c', '*', '?', 'z'])}/Z`,
      '^',
      '^^',
      ',',
      ',,',
      '^^[a-c]',
      `:${n()}`,
      `:${n()}:${n()}`,
      '@Q',
      '@U',
      '@u',
      '@L',
    ])
  const uses = times(random, 4, 1, () => {
    const inside = `\${v${operation()}}`
    if (random.chance(0.15)) return '${#v}'
    return random.chance(0.7) ? `"${inside}"` : random.chance(0.3) ? `x${inside}y` : inside
  })
  const set = random.chance(0.9) ? `v=${word(random)}` : random.pick(['unset v', 'v='])
  const ifs = random.chance(0.2) ? `IFS=${random.pick(["','", "':'", "''", "$'\\n'", "' :'", 'X'])}\n` : ''
  return `${ifs}${set}\n${show(uses.join(' '))}`
}

export function array(random: Random): string {
  const subscript = (): string => random.pick(['0', '1', '2', '-1', '@', '*', '1+1', '$i', 'i'])
  const use = (): string =>
    random.pick([
      '"${a[@]}"',
      '"${a[*]}"',
      '${a[@]}',
      '"${#a[@]}"',
      '"${!a[@]}"',
      `"\${a[${subscript()}]:-none}"`,
      '"${a[@]:1}"',
      '"${a[@]:1:2}"',
      '"${a[@]: -1}"',
      `"\${a[@]/${random.pick(['a', '?', '*', ' '])}/Z}"`,
      '"${a[@]%?}"',
      '"${a[@]#*.}"',
      '"${a[@]^^}"',
      '"x${a[@]}y"',
      '"${a[*]:-e}"',
      '"${a[@]@Q}"',
      '"${#a[0]}"',
      '"${a[@]+set}"',
      '$a',
    ])
  const change = (): string =>
    random.pick([
      `a+=(${words(random, 2)})`,
      `a[${random.pick(['0', '1', '5', '7', 'i', '-1'])}]=${word(random)}`,
      `unset 'a[${random.pick(['0', '1', '-1'])}]'`,
      'a=("${a[@]}")',
      'b=("${a[@]}"); a=("${b[@]:0:2}" end)',
      `a[0]+=${word(random)}`,
      'IFS=,',
      'unset IFS',
      'a=()',
      'for e in "${a[@]}"; do printf "[%s]" "$e"; done; echo',
      'for k in "${!a[@]}"; do printf "%s=%s;" "$k" "${a[k]}"; done; echo',
      'declare -p a',
      'mapfile -t a < <(printf "%s\\n" "${a[@]}" | sort)',
      `read -r -a a <<< ${word(random)}`,
      'set -- "${a[@]}"; echo $#',
      'a=($(printf "%s\\n" one two three))',
      'local_copy=("${a[@]/#/pre-}"); printf "%s|" "${local_copy[@]}"; echo',
    ])
  const start = random.chance(0.8)
    ? `i=1; a=(${words(random, 4)})`
    : `i=1; declare -a a=([2]=${word(random)} [5]=${word(random)} last)`
  return [start, ...times(random, 3, 1, change), show(times(random, 3, 1, use).join(' '))].join('\n')
}

export function map(random: Random): string {
  const key = (): string => random.pick(['a', 'b', 'k1', '"x y"', "'*'", '$k', '"$k"', '0', 'a.b', 'é'])
  const change = (): string =>
    random.pick([
      `m[${key()}]=${word(random)}`,
      `m[${key()}]+=${word(random)}`,
      `unset 'm[a]'`,
      `((m[a]++))`,
      `((m[n]+=${plainNumber(random)}))`,
      `[[ -v m[${key()}] ]] && echo there || echo no`,
      `echo "\${m[${key()}]-unset}"`,
      'm+=([z]=1 [y]="2 3")',
      'for w in b a b c; do ((count[$w]++)) || true; done',
    ])
  return [
    'declare -A m count; k="key 1"',
    ...times(random, 5, 1, change),
    'echo "${#m[@]}"',
    'for k in "${!m[@]}"; do echo "$k => ${m[$k]}"; done | sort',
    'for k in "${!count[@]}"; do echo "$k ${count[$k]}"; done | sort',
  ].join('\n')
}

function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.2)) return random.pick([number(random), 'x', 'y', '$x', '${y}', 'arr[1]', 'z'])
  const inner = (): string => expression(random, depth - 1)
  const space = random.pick(['', ' '])
  switch (random.below(8)) {
    case 0:
      return `(${inner()})`
    case 1:
      return `${random.pick(['- ', '~', '!', '+ '])}${inner()}`
    case 2:
      return `(${inner()})${space}?${space}${inner()}${space}:${space}${inner()}`
    case 3:
      return `(${random.pick(['x', 'y', 'z', 'arr[0]'])}${random.pick(['=', '+=', '-=', '*=', '<<=', '|=', '^='])}${inner()})`
    case 4:
      return random.pick(['x++', '++x', 'y--', '--y', 'x++ + ++x'])
    default:
      return `${inner()}${space}${random.pick(['+', '-', '*', '<', '>', '<=', '>=', '==', '!=', '&&', '||', '&', '|', '^', '<<', '>>', ','])}${space}${inner()}`
  }
}

export function arithmetic(random: Random): string {
  const one = (): string => {
    const text = expression(random, 1 + random.below(3))
    switch (random.below(6)) {
      case 0:
        return `if ((${text})); then echo yes; else echo no; fi`
      case 1:
        return `(( ${text} )); echo $?`
      case 2:
        return `let "x = ${text}" "y += 1"; echo $? $x $y`
      case 3:
        return `declare -i n; n="${text}"; echo $n`
      case 4:
        return `arr=(1 2 3); echo $(( ${text} )) "\${arr[*]}"`
      default:
        return `echo $((${text})) $x $y $z`
    }
  }
  const special = random.pick([
    'echo $((7/2)) $((-7/2)) $((-7%3)) $((2**10)) $((9223372036854775807+1))',
    'echo $((1/0)); echo after',
    'for ((i=0; i<3; i++)); do printf "%d " $((i*i)); done; echo',
    'for ((i=3,j=0; i>j; i--,j++)); do echo $i-$j; done',
    'printf "%x %o %X %#x %05d %+d\\n" 255 8 171 16 42 7',
    'echo $(( 0x7fffffffffffffff )) $(( 1 << 62 )) $(( -1 >> 1 )) $((3**3**2))',
    'x=abc; echo $((x)); y=x; echo $((y+1))',
    'x="1+2"; echo $((x*3))',
    'echo $((08))',
    'echo $(( 5 +  ))',
  ])
  return ['x=4; y=3; arr=(5 6 7)', ...times(random, 3, 1, one), ...(random.chance(0.3) ? [special] : [])].join('\n')
}

export function splitting(random: Random): string {
  const input = random.pick([
    `${word(random)}`,
    "'a:b:c'",
    "'  x  y  '",
    "'a,b,,c,'",
    "$'p\\tq r\\ns'",
    "'k=v=w'",
    "'one two three four'",
    "':lead:'",
  ])
  const ifs = random.pick(["','", "':'", "' '", "$'\\t'", "''", "', '", "':='", "$'\\n'"])
  return random.pick([
    `v=${input}; IFS=${ifs} read -r a b c <<< "$v"; ${show('"$a" "$b" "$c"')}`,
    `v=${input}; IFS=${ifs} read -ra parts <<< "$v"; echo \${#parts[@]}; ${show('"${parts[@]}"')}`,
    `v=${input}; old=$IFS; IFS=${ifs}; set -- $v; IFS=$old; echo $#; ${show('"$@"')}`,
    `v=${input}; (IFS=${ifs}; for w in $v; do echo "[$w]"; done)`,
    `v=${input}; set -f; IFS=${ifs}; a=($v); set +f; unset IFS; ${show('"${a[@]}"')}`,
    `printf '%s\\n' ${input} | while IFS=${ifs} read -r x rest; do echo "x=$x rest=$rest"; done`,
    `set -- ${words(random, 3)}; IFS=${ifs}; echo "$*"; ${show('$*')}; unset IFS; ${show('"$@"')}`,
    `printf 'a b\\\\ c\\\\\\n d\\n' | while read x y; do echo "$x|$y"; done`,
    `read -r -n 3 v <<< ${input}; echo "[$v]"; read -r -d , w <<< ${input}; echo "[$w]" $?`,
    `mapfile -t lines <<< ${input}; echo \${#lines[@]}; ${show('"${lines[@]}"')}`,
    `IFS= read -r v < <(printf '%s' ${input}); echo "$? [$v]"`,
    `readarray -d : -t p <<< ${input}; ${show('"${p[@]}"')}`,
  ])
}

export function globbing(random: Random): string {
  const glob = (): string =>
    random.pick([
      '*.txt',
      '*',
      'd*',
      '?.txt',
      '[ab]*',
      '*/',
      '*/*',
      '.*',
      'none*',
      '*.{txt,md}',
      'src/*.js',
      '**',
      '**/*.js',
      '"*"',
      "'a'*",
      '[!a]*.txt',
      '*[0-9]*',
      './*.txt',
      'src/**/f*',
      '[',
      'a[',
      '[ a.txt ]',
    ])
  const option = random.pick([
    '',
    '',
    '',
    'shopt -s nullglob',
    'shopt -s dotglob',
    'shopt -s globstar',
    'shopt -s extglob',
    'shopt -s nocaseglob',
    'shopt -s failglob',
    'set -f',
  ])
  const extended = random.pick(['!(a.txt)', '@(a|b).txt', '+([a-z]).txt', '*(a|b)*', '?(a).txt', '!(*.txt|d)'])
  const braces = random.pick([
    '{1..5}',
    '{01..10..3}',
    '{a..e}',
    '{e..a..2}',
    'x{a,b{1,2}}y',
    '{a,}',
    '{a}',
    '{-2..2}',
    'a{1..3}b{x,y}',
    '{"a b",c}',
    '${v}{1,2}',
    '{1..a}',
    '{3..1}',
  ])
  return random.pick([
    `${option}\n${show(glob())}`,
    `${option}\nfor f in ${glob()}; do echo "$f"; done`,
    `shopt -s extglob\n${show(extended)}`,
    `v=q; echo ${braces} ${random.chance(0.5) ? braces : ''}`,
    `${option}\na=(${glob()}); echo \${#a[@]}`,
    `mkdir -p "sp ace"; touch "sp ace/f 1" "sp ace/f2"; for f in "sp ace"/*; do echo "<$f>"; done`,
    `v='*.txt'; echo $v; echo "$v"; echo "\${v}"`,
  ])
}

export function quoting(random: Random): string {
  const text = value(random)
  return random.pick([
    `v=${quoted(random, text)}; ${show('"$v" $v "${v}"')}`,
    `printf '%q\\n' ${words(random, 3, 1)}`,
    `v=${word(random)}; eval "w=$(printf %q "$v")"; [ "$v" = "$w" ] && echo same`,
    `echo ${words(random, 3, 1)}`,
    `printf '%s|' ${words(random, 3)}; echo`,
    `v=${word(random)}; echo "\${v@Q}"; echo "a'b\\"c\\$d\\\`e\\\\f"`,
    `echo "$(echo "$(echo ${word(random)})")"`,
    `echo "\`echo ${quoted(random, 'in side')}\`"`,
    `v=${word(random)}; cat <<EOF\n[$v] \${v} $((1+1)) $(echo sub) \\$v \\\\\nEOF`,
    `v=${word(random)}; cat <<'EOF'\n[$v] $(no) \\\nEOF`,
    `cat <<-EOF\n\tindented\n\t\tmore $((2*3))\n\tEOF`,
    `v=${word(random)}; x="$v"y'$v'z; printf '%s\\n' "$x"`,
    `printf '%b\\n' 'a\\tb\\nc\\x41\\101\\0101\\\\'; echo -e 'x\\ty\\cz'; echo -n no; echo`,
    `a=${word(random)} b=$a; echo "$b"; c=\${a}\${b}; echo "$c"`,
  ])
}
