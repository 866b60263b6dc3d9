// Random patterns against the installed sed, which has POSIX's rules: the leftmost of the longest matches.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { whyNotAsked } from '../../../testing/gnu/real-program.ts'
import { createRandom, type Random } from '../../../testing/random.ts'
import { posixRegex } from './regex.ts'
import { PatternLimitError } from './syntax.ts'

const whyNot = whyNotAsked('sed', ['--version'], /^sed \(GNU sed\) 4\.[89]/)

function randomPattern(random: Random, depth: number): string {
  const atom = (): string =>
    random.pick([
      'a',
      'b',
      'c',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      'a',
      'b',
      depth < 2 ? `(${randomPattern(random, depth + 1)})` : 'c',
      '^',
      '$',
      '\\<',
      '\\b',
    ])
  const sequence = (): string =>
    Array.from({ length: 1 + random.below(3) }, () => {
      const next = atom()
      return /^(?:\^|\$|\\<|\\b)$/.test(next) ? next : next + random.pick(['', '', '', '*', '+', '?', '{1,2}'])
    }).join('')
  return random.chance(0.3) ? `${sequence()}|${sequence()}` : sequence()
}

describe('regular expressions', () => {
  it.skipIf(whyNot !== '')(`match what the installed sed matches, group by group${whyNot && ` (${whyNot})`}`, () => {
    const cases = Array.from({ length: 1500 }, (_, index) => {
      const random = createRandom((index + 1) * 31)
      const pattern = randomPattern(random, 0)
      const text = Array.from({ length: random.below(8) }, () => random.pick(['a', 'b', 'c', ' ', '_'])).join('')
      const regex = posixRegex(pattern, { syntax: 'extended', escapes: 'sed' })
      const places = regex.exec(text)
      const part = (group: number): string =>
        text.slice(...(places?.slice(group * 2, group * 2 + 2).map(place => Math.max(0, place)) ?? []))
      const first = regex.groupCount > 0 ? `{${part(1)}}` : ''
      const ours = places === undefined ? text : `${text.slice(0, places[0])}[${part(0)}]${first}${text.slice(places[1])}`
      return { text, ours, pattern, command: `${index + 1}s/${pattern}/[&]${regex.groupCount > 0 ? '{\\1}' : ''}/` }
    })
    const real = spawnSync('sed', ['-E', cases.map(({ command }) => command).join('\n')], {
      input: `${cases.map(({ text }) => text).join('\n')}\n`,
      env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] },
      encoding: 'utf8',
    }).stdout.split('\n')
    expect(
      cases.flatMap(({ pattern, text, ours }, index) =>
        real[index] === ours ? [] : [{ pattern, text, ours, real: real[index] }],
      ),
    ).toEqual([])
  })

  it('never stall', () => {
    const long = 'a'.repeat(20_000)
    expect(posixRegex('(a*)*b', { syntax: 'extended', escapes: 'none' }).test(long)).toBe(false)
    expect(posixRegex('(a|aa)+$', { syntax: 'extended', escapes: 'none' }).test(`${long}b`)).toBe(false)
    expect(posixRegex('.*.*.*.*x', { syntax: 'basic', escapes: 'none' }).test(long)).toBe(false)
    expect(() => posixRegex('\\(a*\\)*\\1b', { syntax: 'basic', escapes: 'none' }).test(long)).toThrow(PatternLimitError)
  })

  it('match in steps what they match at once', () => {
    const text = `${'ab😀c_'.repeat(100_000)}aab b`
    const half = Math.floor(text.length / 2)
    for (const pattern of ['a*b b', 'x*y', '(a|b)(a|b)*b', '\\<b|c_*$', '[^a]* b', '😀c_+a+b']) {
      const regex = posixRegex(pattern, { syntax: 'extended', escapes: 'sed' })
      for (const from of [0, half, text.length]) {
        const search = regex.execInSteps(text, from)
        let step = search.next()
        while (step.done !== true) step = search.next()
        expect({ pattern, from, places: step.value }).toEqual({ pattern, from, places: regex.exec(text, from) })
      }
    }
  })

  it('keep bytes that are no characters apart', () => {
    const dot = posixRegex('.', { syntax: 'basic', escapes: 'sed' })
    expect(dot.test('\udcff')).toBe(false)
    expect(dot.exec('\udcff😀')).toEqual([1, 3])
    expect(posixRegex('\\xc3\\xa9', { syntax: 'basic', escapes: 'sed' }).exec('caf\u00e9')).toEqual([3, 4])
  })
})
