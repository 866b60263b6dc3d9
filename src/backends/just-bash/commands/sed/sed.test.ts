// Runs scripts typical of agents, and harder ones, and compares the results with those of the installed sed.
import { expect, it } from 'vitest'
import { seeds } from '../../../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../../../testing/random.ts'
import { runFilter, type FilterRun, type Files } from '../../../../testing/gnu/run-filter.ts'
import { runReal, whyNotAsked } from '../../../../testing/gnu/real-program.ts'
import { sed } from './sed.ts'
import { describeUnless } from '../../../../testing/suites.ts'

const whyNot = whyNotAsked('sed', ['--version'], /^sed \(GNU sed\) 4\.[89]/)

const patterns = [
  'a',
  'b*',
  '^a',
  'b$',
  '[0-9]',
  '[^a ]',
  'a\\|b',
  '\\(a\\)\\(b*\\)',
  '.',
  'x',
  '',
  '\\w\\+',
  '\\bb',
  '\\s',
  'é',
  '[[:upper:]]',
  '\\.',
  'a.*b',
  '^$',
  '\\(.\\)\\1',
  'A',
  '=',
  '\\n',
  '^#',
]
const replacements = ['X', '', '&&', '[&]', '\\n', '\\U&', '\\u&x', '\\\\&', 'a\\tb', '\\L&\\E!', '\\&', 'é', '\\\nz']
const flags = ['', '', 'g', '2', 'p', 'I', '2g', 'gp', 'gI', 'w out', 'M']

function randomAddress(random: Random): string {
  return random.pick([
    '1',
    '2',
    '3',
    '$',
    '0~2',
    '2~3',
    ...patterns.filter(pattern => pattern !== '').map(pattern => `/${pattern}/`),
    '/A/I',
    '\\,a,',
  ])
}

function randomSelection(random: Random): string {
  const choice = random.below(6)
  if (choice < 2) return ''
  if (choice < 4) return randomAddress(random) + random.pick(['', '', '!'])
  const end = random.pick([randomAddress(random), '+1', '~2', '+0', randomAddress(random)])
  const start = random.chance(0.1) && end.startsWith('/') ? '0' : randomAddress(random)
  return `${start},${end}${random.pick(['', '', '!'])}`
}

function randomCommand(random: Random, depth: number): string {
  const selection = randomSelection(random)
  const command = random.pick([
    ...Array.from({ length: 8 }, () => `s/${random.pick(patterns)}/${random.pick(replacements)}/${random.pick(flags)}`),
    's,a,b,',
    's|[/]|-|g',
    'y/abc/xyz/',
    'y/é\\n/e /',
    ...'dDgGhHnNpPxz='.split(''),
    'p',
    'd',
    'N',
    'n',
    'l',
    'l 5',
    'F',
    'a text',
    'a\\\n  two\\\nlines',
    'i\\before',
    'c changed',
    '$!N',
    'r other',
    'R other',
    'w out',
    'W out',
    'q',
    'q3',
    'Q',
    'Q 4',
    'b',
    't',
    'T',
    ...(depth < 2
      ? [`{${random.pick(['', ' '])}${randomScript(random, depth + 1)}\n}`, `{${randomScript(random, depth + 1)}\n}`]
      : []),
  ])
  const isSingle = /^[qQ]/.test(command)
  return `${isSingle ? selection.replace(/,.*/, '') : selection}${command}`
}

function randomScript(random: Random, depth: number): string {
  const commands = Array.from({ length: 1 + random.below(3) }, () => randomCommand(random, depth))
  let script = ''
  for (const command of commands) {
    const needsLine =
      /(?:^|[^\\])[aicrRwW{}] ?(?:\\|text|before|changed|other|out)/.test(command) ||
      command.endsWith('w out') ||
      command.includes('\n')
    script += command + (needsLine ? '\n' : random.pick([';', '\n', ' ; ']))
  }
  return script.replace(/[;\n ]+$/, '')
}

function randomText(random: Random): string {
  const pieces = [
    'a',
    'b',
    'ab',
    'aab ',
    'x=1',
    ' ',
    '\n',
    '\n',
    '\n\n',
    'A',
    'b.b',
    '#c',
    '\xc3\xa9',
    '\xff',
    '\t',
    '\r\n',
    'a/b',
    '12',
    '\\',
    'zz',
  ]
  return Array.from({ length: random.below(24) }, () => random.pick(pieces)).join('')
}

describeUnless(whyNot, 'sed answers as the installed one', () => {
  const compare = async (args: readonly string[], input: string, files: Files): Promise<void> => {
    const real = runReal('sed', args, input, files)
    const ours = await runFilter(sed, args, input, files)
    // The texts of errors are not compared. For an invalid script neither are the files, because GNU sed may already have created
    // a file of `w`.
    const shown = ({ output, errors, exitCode, files: after }: FilterRun): unknown => ({
      ...{ args, input, files, output, exitCode, hasErrors: errors !== '' },
      ...(exitCode === 1 ? {} : { after }),
    })
    expect(shown(ours)).toEqual(shown(real))
  }

  it('for random scripts', async () => {
    await forSeeds(seeds({ quick: 10, deep: 7_500 }), async (_random, seed) => {
      const random = createRandom(seed * 7331)
      const script = randomScript(random, 0)
      const options = random.pick([[], [], ['-n'], ['-s'], ['-i'], ['-i.bak'], ['-z'], ['-n', '-i'], ['-s', '-n']])
      // After a file without a final newline, GNU sed does not treat the next file as a separate input.
      const end = options.some(option => /^-[si]/.test(option)) ? 'a\n' : ''
      const files = {
        one: randomText(random) + end,
        two: randomText(random) + end,
        other: random.pick(['o1\no2\n', 'o1\no2', '']),
      }
      const names =
        options.some(option => option.startsWith('-i')) || random.chance(0.6) ? ['one', 'two'].slice(0, 1 + random.below(2)) : []
      // GNU sed treats an invalid byte as a letter when it looks for word boundaries, and splits characters with `b*` and -z.
      const withoutBytes = /\\b|b\*/.test(script)
      const plain = (text: string): string => (withoutBytes ? text.replace(/[\x80-\xff]/g, '') : text)
      const input = plain(randomText(random))
      await compare([...options, '-e', script, ...names], input, {
        one: plain(files.one),
        two: plain(files.two),
        other: files.other,
      })
    })
  })
})
