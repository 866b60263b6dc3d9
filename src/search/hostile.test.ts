// No pattern can stall: the work is limited in proportion to the text (counted, not timed), and it is divided into small steps. The results
// agree with RE2JS. With SEARCH_ORACLE=full, 10,000 patterns are tested, and timed too; SEARCH_ORACLE_PART=2/4 tests the second quarter of
// them.

import { describe, expect, test } from 'vitest'

import { ToolError } from '../core/errors.ts'
import { inDeepRun, isDeep, seeds } from '../testing/depth.ts'
import { createRandom, type Random } from '../testing/random.ts'
import { createOracle } from '../testing/search-oracle/matching-lines.ts'
import { Automaton } from './dfa/automaton.ts'
import { sizeOf } from './dfa/program.ts'
import { searchSteps } from './matcher.ts'
import { compilePattern, maxProgramSize, type Pattern } from './pattern.ts'
import { parsePattern } from './regex/parse.ts'
import { compiled } from '../testing/compiled.ts'

/** Patterns that make backtracking engines stall: OWASP's list, the Go and Rust issue trackers, packages with advisories. */
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

interface Run {
  readonly lines: readonly number[]
  /** Elementary steps. */
  readonly work: number
  readonly largestStep: number
}

function run(pattern: Pattern, bytes: Uint8Array): Run {
  const lines: number[] = []
  const automaton = pattern.automaton()
  const workBefore = automaton.work
  let largestStep = 0
  const steps = searchSteps(bytes, pattern, ({ lineNumber }) => lines.push(lineNumber) > 0)
  for (let isDone = false; !isDone;) {
    const before = automaton.work
    isDone = steps.next().done === true
    largestStep = Math.max(largestStep, automaton.work - before)
  }
  return { lines, work: automaton.work - workBefore, largestStep }
}

/** The maximum cost of a state: each instruction is reached, listed, and read from, once for each kind that may follow. */
const stateWork = (pattern: Pattern): number => 8 * (pattern.automaton().program.instructions.length + 2)

/** The limit for the work before anything is read, plus the limit per byte, with states and as much without them. */
function bound(pattern: Pattern, bytes: Uint8Array): number {
  const atOnce = pattern.automaton().bits().isTooLarge() ? 3_200_000 : 200_000
  return atOnce + 60 * bytes.length + 50 * stateWork(pattern)
}

/** 250,000 is the limit; the four characters that are read at once may exceed it. */
const maxStep = (pattern: Pattern): number => 250_000 + 4 * stateWork(pattern)

describe('known hostile patterns', () => {
  const size = isDeep ? 200_000 : 20_000
  const texts = [
    `${'a'.repeat(size)}!\n${'x'.repeat(size)}\n${'foo '.repeat(size / 4)}\n`,
    `${'"\\'.repeat(size / 2)}\n${'ab'.repeat(size / 2)}\n${'1.'.repeat(size / 2)}x\n${' '.repeat(size)}.\n${'é'.repeat(size / 2)}\nfoo a bar.js\n`,
    `${'aA1_ '.repeat(size / 5)}\n${'<!-->'.repeat(size / 5)}\n${'kK\u212aſ'.repeat(size / 5)}!\n${'xyz'.repeat(size / 3)}!\n`,
  ].map(text => new TextEncoder().encode(text))

  test.each(corpus)('%s', { timeout: 600_000 }, source => {
    const pattern = compiled(source)
    const oracle = createOracle(source)
    for (const bytes of texts) {
      const { lines, work, largestStep } = run(pattern, bytes)
      expect(work).toBeLessThan(bound(pattern, bytes))
      expect(largestStep).toBeLessThan(maxStep(pattern))
      expect(lines).toEqual(oracle(bytes))
    }
  })
})

describe('generated hostile patterns', () => {
  const count = seeds({ quick: 60, deep: 1000 })
  const random = createRandom(4711)
  const sources = Array.from({ length: count }, () => hostilePattern(random))

  test(`${sources.length} answered as RE2JS answers them`, { timeout: 3_600_000 }, () => {
    const counts = { refused: 0, compared: 0, comparedPlainly: 0, simplifiedOnly: 0 }
    for (const source of sources) {
      const bytes = hostileText(random, 3_000)
      const result = compilePattern(source)
      if (result.kind === 'error') {
        expect(result.message).toContain('too large')
        counts.refused++
        continue
      }
      const { pattern } = result
      const answer = runUnlessRefused(pattern, bytes)
      if (answer === undefined) {
        counts.refused++
        continue
      }
      const { lines, work, largestStep } = answer
      expect(work, source).toBeLessThan(bound(pattern, bytes))
      expect(largestStep, source).toBeLessThan(maxStep(pattern))
      // The oracle expands nested counts for each of its programs, and takes seconds for thousands of instructions. Such patterns are
      // compared with our automaton for the unsimplified pattern, without any shortcut. A pattern that would expand to a million
      // instructions can only be run simplified; simplification is compared with RE2JS on the smaller ones.
      const sizeAsWritten = sizeOf(parsePattern(source, { ignoreCase: false }).node)
      if (sizeAsWritten > maxProgramSize) {
        counts.simplifiedOnly++
        continue
      }
      if (sizeAsWritten >= 500) {
        const plain = runUnlessRefused(asWritten(source, pattern), bytes)
        if (plain === undefined) continue
        expect(lines, source).toEqual(plain.lines)
        counts.comparedPlainly++
        continue
      }
      expect(lines, source).toEqual(createOracle(source)(bytes))
      counts.compared++
    }
    expect(counts.compared).toBeGreaterThan(sources.length / 2)
    expect(counts.refused).toBeLessThan(sources.length / 10)
    if (isDeep) console.log(counts)
  })

  inDeepRun(() =>
    test('no more work than the bound for a megabyte', { timeout: 3_600_000 }, () => {
      const texts = Array.from({ length: 16 }, (_, index) => adversarialText(createRandom(99 + index)))
      let refused = 0
      for (const [index, source] of sources.entries()) {
        const result = compilePattern(source)
        const bytes = texts[index % texts.length] ?? new Uint8Array()
        const answer = result.kind === 'error' ? undefined : runUnlessRefused(result.pattern, bytes)
        if (answer === undefined || result.kind === 'error') refused++
        else expect(answer.work, source).toBeLessThan(bound(result.pattern, bytes))
      }
      expect(refused).toBeLessThan(sources.length / 10)
    }),
  )
})

/** Neither simplified nor accelerated by literals. */
function asWritten(source: string, pattern: Pattern): Pattern {
  const { node } = parsePattern(source, { ignoreCase: false })
  const automaton = new Automaton(node, pattern)
  return { ...pattern, required: undefined, isLiteral: false, finder: () => undefined, automaton: () => automaton }
}

/** `undefined` if the pattern is too large. */
function runUnlessRefused(pattern: Pattern, bytes: Uint8Array): Run | undefined {
  try {
    return run(pattern, bytes)
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}

/** A megabyte: long lines that repeat, a long random line, and many short lines. */
function adversarialText(random: Random): Uint8Array {
  const quarter = 250_000
  const letters = Array.from({ length: quarter }, () => random.pick(['a', 'b'])).join('')
  const few = Array.from({ length: 3 }, () => random.pick(['a', 'b', 'k', 'é', ' ', 'c', 'a', 'b']))
  let short = ''
  while (short.length < quarter) {
    short += `${Array.from({ length: 20 + random.below(400) }, () => random.pick(few)).join('')}${random.pick(['', '!', 'c', 'zzz'])}\n`
  }
  const unit = (): string => Array.from({ length: 3 }, () => random.pick(pieces)).join('')
  const repeated = Array.from({ length: 2 }, unit).map(text => text.repeat(quarter / new TextEncoder().encode(text).length))
  return new TextEncoder().encode([...repeated, letters, short].join(`${random.pick(['', '!', 'c', 'zzz'])}\n`))
}

const pieces = ['a', 'b', 'ab', 'aab', ' ', 'é', 'k\u212a', 'abc', 'x']

/** Nested repetitions, overlapping alternatives, and an end that does not occur. */
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
  const piece = (): string => random.pick(pieces)
  const lines = Array.from({ length: 3 }, () => {
    const unit = `${piece()}${piece()}${piece()}`
    return `${unit.repeat(size / 3 / unit.length)}${random.pick(['', '!', 'c', 'zzz'])}`
  })
  return new TextEncoder().encode(lines.join('\n'))
}
