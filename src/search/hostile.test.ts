// No pattern can stall: the work is bounded by the text and the program's size, counted and not timed, and the steps it is cut into
// are small. What the automaton answers is what RE2JS answers.

import { describe, expect, test } from 'vitest'

import { createRandom, type Random } from '../testing/random.ts'
import { createOracle } from '../testing/search-oracle/matching-lines.ts'
import { searchSteps } from './matcher.ts'
import { compilePattern, type Pattern } from './pattern.ts'

const isFull = process.env['SEARCH_ORACLE'] === 'full'

/** Known to make backtracking engines stall: OWASP's list, the Go and Rust issue trackers, packages with advisories. */
const corpus: readonly string[] = [
  '(a+)+$',
  '(a+)+b',
  '([a-zA-Z]+)*$',
  '(a|aa)+$',
  '(a|a?)+$',
  '(.*a){12}',
  '(.*a){25}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '^(\\w+\\s?)*$',
  '(\\w*)*=\\d',
  '.*foo.*bar',
  '([a-z]+)+\\.js\\b',
  '("(\\\\.|[^"])*")+;',
  '[ab].{12}z',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@)[a-z]+\\.[a-z]{2,3}$',
  '^(\\d+\\.?)+$',
  '(\\s+)+,',
  '\\s+$',
  '^\\s*(.*?)\\s*$',
  '(?i)(?:k+)+ſ$',
  '((a*)*)*b',
  '(?:(?:a{0,30}){0,30})b',
  '(a?){30}a{30}$',
  '(?:x*y*z*)*!',
  '<(?:[^>]*>)*<!--(?:.|-)*-->',
  '\\b(\\w+\\W*)+\\b!',
  '(é+)+ß',
  '(?:.|é)*x{20}$',
]

function compiled(source: string): Pattern {
  const result = compilePattern(source)
  if (result.kind === 'error') throw new Error(`${source}: ${result.message}`)
  return result.pattern
}

interface Run {
  readonly lines: readonly number[]
  /** Instructions, per byte of text. */
  readonly workPerByte: number
  readonly largestStep: number
}

function run(pattern: Pattern, bytes: Uint8Array): Run {
  const lines: number[] = []
  const automaton = pattern.automaton()
  const workBefore = automaton.work()
  let largestStep = 0
  const steps = searchSteps(bytes, pattern, ({ lineNumber }) => lines.push(lineNumber) > 0)
  for (let isDone = false; !isDone;) {
    const before = automaton.work()
    isDone = steps.next().done === true
    largestStep = Math.max(largestStep, automaton.work() - before)
  }
  return { lines, workPerByte: (automaton.work() - workBefore) / bytes.length, largestStep }
}

/** What a character costs at the worst: each instruction is reached, listed, and read from, once for each kind that may follow. */
function bound(pattern: Pattern): number {
  return 8 * (pattern.automaton().program.instructions.length + 2)
}

/** 250,000 are asked for; the four characters that are read at once may go over. */
const maxStep = (pattern: Pattern): number => 250_000 + 4 * bound(pattern)

describe('known hostile patterns', () => {
  const size = isFull ? 200_000 : 20_000
  const texts = [
    `${'a'.repeat(size)}!\n${'x'.repeat(size)}\n${'foo '.repeat(size / 4)}\n`,
    `${'"\\'.repeat(size / 2)}\n${'ab'.repeat(size / 2)}\n${'1.'.repeat(size / 2)}x\n${' '.repeat(size)}.\n${'é'.repeat(size / 2)}\nfoo a bar.js\n`,
    `${'aA1_ '.repeat(size / 5)}\n${'<!-->'.repeat(size / 5)}\n${'kK\u212aſ'.repeat(size / 5)}!\n${'xyz'.repeat(size / 3)}!\n`,
  ].map(text => new TextEncoder().encode(text))

  test.each(corpus)('%s', { timeout: 600_000 }, source => {
    const pattern = compiled(source)
    const oracle = createOracle(source)
    for (const bytes of texts) {
      const { lines, workPerByte, largestStep } = run(pattern, bytes)
      expect(workPerByte).toBeLessThan(bound(pattern))
      expect(largestStep).toBeLessThan(maxStep(pattern))
      expect(lines).toEqual(oracle(bytes))
    }
  })
})

describe('generated hostile patterns', () => {
  const count = isFull ? 10_000 : 60
  test(`${count} of them`, { timeout: 3_600_000 }, () => {
    const random = createRandom(4711)
    const size = isFull ? 4_000 : 3_000
    for (let number = 0; number < count; number++) {
      const source = hostilePattern(random)
      const result = compilePattern(source)
      // Too large once written out: refused, which is an answer too.
      if (result.kind === 'error') {
        expect(result.message).toContain('too large')
        continue
      }
      const bytes = hostileText(random, size)
      const { lines, workPerByte, largestStep } = run(result.pattern, bytes)
      expect(workPerByte, source).toBeLessThan(bound(result.pattern))
      expect(largestStep, source).toBeLessThan(maxStep(result.pattern))
      // The oracle writes nested counts out for each of its programs, and takes seconds for what is thousands of instructions.
      if (result.pattern.automaton().program.instructions.length < 500) expect(lines, source).toEqual(createOracle(source)(bytes))
    }
  })
})

/** Repeats of repeats, alternatives that overlap, and an end that does not come. */
function hostilePattern(random: Random): string {
  const atom = (): string => random.pick(['a', 'b', '.', '\\w', '[ab]', '(?:a|ab)', '(?:a|a)', '\\s', '[^c]', 'é', '(?i:k)'])
  const repeat = (): string => random.pick(['+', '*', '?', '{2,9}', '{0,20}', '{12}', '+?', '*?', '{5,}'])
  let pattern = atom()
  for (let depth = 1 + random.below(3); depth > 0; depth--) {
    pattern = random.pick([
      () => `(?:${pattern})${repeat()}`,
      () => `(?:${pattern}${repeat()}${atom()}${repeat()})${repeat()}`,
      () => `(?:${pattern}|${atom()}${repeat()})${repeat()}`,
      () => `${atom()}${repeat()}${pattern}${repeat()}`,
    ])()
  }
  return `${random.pick(['', '', '^', '\\b'])}${pattern}${random.pick(['', '$', '!', 'c', '\\b', 'z{3}'])}`
}

function hostileText(random: Random, size: number): Uint8Array {
  const piece = (): string => random.pick(['a', 'b', 'ab', 'aab', ' ', 'é', 'k\u212a', 'abc', 'x'])
  const lines = Array.from({ length: 3 }, () => {
    const unit = `${piece()}${piece()}${piece()}`
    return `${unit.repeat(size / 3 / unit.length)}${random.pick(['', '!', 'c', 'zzz'])}`
  })
  return new TextEncoder().encode(lines.join('\n'))
}
