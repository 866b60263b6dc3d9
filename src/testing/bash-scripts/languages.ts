// Programs of sed and regular expressions, made by grammars of their own.

import type { Random } from '../random.ts'
import { times } from './words.ts'

const file = (random: Random): string =>
  random.pick(['a.txt', 'b.txt', 'nonl.txt', 'data.csv', 'log.txt', 'words.txt', 'crlf.txt', 'num.txt', 'tab.tsv', 'src/main.js'])

/** A regular expression that every dialect reads the same way. */
function extended(random: Random, depth: number): string {
  const atom = (): string =>
    depth > 0 && random.chance(0.3)
      ? `(${extended(random, depth - 1)})`
      : random.pick([
          'a',
          'e',
          'l',
          't',
          '[a-m]',
          '[^a-z ]',
          '.',
          '[[:digit:]]',
          '[0-9]',
          ' ',
          '\\.',
          'al',
          'th',
          '[[:alpha:]_]',
          '[],-]',
          '1',
          'o',
        ])
  const piece = (): string => atom() + random.pick(['', '', '', '*', '+', '?', '{2}', '{1,2}', '{2,}'])
  const branch = (): string => times(random, 3, 1, piece).join('')
  const text = times(random, 2, 1, branch).join('|')
  return depth > 1 ? random.pick(['', '', '^']) + text + random.pick(['', '', '$']) : text
}

/** The same for the dialect without `+`, where groups have backslashes. */
function basic(random: Random): string {
  const atom = (): string =>
    random.pick(['a', 'e', 'l', '[a-m]', '[^a-z ]', '.', '[[:digit:]]', ' ', '\\.', '\\(a.\\)', '\\([a-z]*\\)'])
  const piece = (): string => atom() + random.pick(['', '', '', '*', '\\+', '\\?', '\\{2\\}', '\\{1,2\\}'])
  return random.pick(['', '', '^']) + times(random, 3, 1, piece).join('') + random.pick(['', '', '', '$', '\\|th'])
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function regularExpression(random: Random): string {
  const regex = extended(random, 2)
  const plain = basic(random)
  return random.pick([
    `grep -E ${random.pick(['-o', '-n', '-c', '-v', '-w', '-x', '-i', '-on', '-ob'])} ${quote(regex)} ${file(random)}; echo $?`,
    `grep ${random.pick(['-o', '-n', '-c', '-v', '-w', '-x', '-i'])} ${quote(plain)} ${file(random)}; echo $?`,
    `grep -P ${random.pick(['-o', '-n', '-c', '-i'])} ${quote(regex)} ${file(random)}; echo $?`,
    `sed -E ${quote(`s#${regex}#<&>#${random.pick(['', 'g', '2', '2g', 'I'])}`)} ${file(random)}`,
    `sed ${quote(`s#${plain}#<&>#${random.pick(['', 'g', '2', 'gI'])}`)} ${file(random)}`,
    `re=${quote(regex)}; while IFS= read -r l; do [[ $l =~ $re ]] && printf '<%s>' "\${BASH_REMATCH[@]}"; echo; done < ${file(random)}`,
    `find . -regextype posix-extended -regex ${quote(`.*(${regex.replace(/^\^|\$$/g, '')})`)} | sort`,
    `expr "$(head -n 1 ${file(random)})" : ${quote(plain)}; echo $?`,
  ])
}

function sedAddress(random: Random): string {
  const one = (): string => random.pick(['1', '2', '3', '$', '/a/', '/e$/', '/^$/', '\\,o,', '/T/I', '0~2', '1~3'])
  const last = (): string => random.pick([one(), '+1', '~2', '+2', '$'])
  return (
    random.pick(['', '', one(), one(), `${one()},${last()}`, `${one()},${last()}`, `0,/e/`]) + random.pick(['', '', '', '!', ' '])
  )
}

function sedCommands(random: Random, depth: number): string {
  return times(random, 3, 1, () => {
    const command = random.pick([
      () =>
        `s/${basic(random).replaceAll('/', '\\/')}/${random.pick(['<&>', '', '\\n', '[\\0]', '\\U&\\E!', '\\u&', '\\l&', '\\&', 'a\\tb'])}/${random.pick(['', 'g', '2', 'p', 'gp', 'I', 'w out'])}`,
      () =>
        random.pick(['p', 'd', 'D', 'P', 'n', 'N', 'g', 'G', 'h', 'H', 'x', '=', 'l', 'l 20', 'q', 'q3', 'Q', 'Q2', 'z', 'F']),
      () =>
        random.pick([
          'a\\\nafter',
          'a after',
          'i\\\n  before',
          'i\\  kept',
          'c\\\nchanged',
          'a\\\ntwo\\\nlines',
          'r a.txt',
          'R num.txt',
          'w out',
          'y/abc/\\nbc/',
          'y,a/,/a,',
        ]),
      () => `b\n`,
      () => `s/a/A/;t\ns/e/E/`,
      () => `s/a/A/;T\ns/e/E/`,
      () => `:x\n$!{N;bx\n}`,
      () => (depth > 0 ? `{\n${sedCommands(random, depth - 1)}\n}` : 'p'),
    ])()
    // A label takes no address.
    return command.startsWith(':') ? command : sedAddress(random) + command
  }).join('\n')
}

export function sedGrammar(random: Random): string {
  // A second label of the same name is an error.
  const program = sedCommands(random, 1).replace(/(:x\n[^]*?):x\n\$!\{N;bx\n\}/g, '$1p')
  const flags = random.pick(['', '', '-n', '-s', '-i', '-n -s', '-z', '-u', '-l 30', '-i.bak'])
  return `sed ${flags} ${quote(program)} ${file(random)} ${random.chance(0.3) ? file(random) : ''}; echo $?; cat out 2>/dev/null`
}
