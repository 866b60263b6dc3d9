// Compiles a regular expression from a model so that it cannot stall: an automaton that reads each character once decides, and byte
// searches exclude or decide most text before it.

import { createAlphabet, type AlphabetOptions } from './dfa/alphabet.ts'
import { Automaton } from './dfa/automaton.ts'
import { compileProgram, sizeOf } from './dfa/program.ts'
import { SpanSearch } from './dfa/spans.ts'
import { windowFinder, type WindowFinder } from './class-window.ts'
import { firstPlacesOf } from './dfa/first-places.ts'
import { requiredPlacesOf } from './dfa/required-places.ts'
import { literalFinder, type LiteralFinder } from './literal.ts'
import { type PatternFacts, PatternError } from './regex/cursor.ts'
import { mayMatch, namesAlone } from './regex/names-alone.ts'
import { parsePattern, type ParsedPattern } from './regex/parse.ts'
import { simplifyForLines } from './regex/simplify.ts'
import { contains } from './regex/code-points.ts'
import { type Assertion, type ClassExpression, evaluateClass, type Node } from './regex/syntax.ts'
import { type Need, requiredLiterals } from './required.ts'

/** A compiled pattern, for `searchBytes`. Several searches may use it at once: its state is only a cache. */
export interface Pattern {
  readonly source: string
  /** A sentence for the model about parts that were read differently than written: literal braces and parentheses. */
  readonly note: string | undefined
  /** Matches of a `text` pattern may span lines: it names a line break, or contains a class that matches everything, such as `[\s\S]`. */
  readonly scope: 'line' | 'text'
  /** It also matches line breaks if it is applied to the whole text, as `\n`, `\s` and `[^a]` do. */
  readonly couldCrossLines: boolean
  /** `\r` is matched as a character instead of as part of a line ending. */
  readonly seesCarriageReturns: boolean
  /** A matching line contains at least one of these. `undefined`: none is known, or none is worth searching for. */
  readonly required: LiteralFinder | undefined
  /** More about what a matching line (with scope `text`, the file) contains: for an index. */
  readonly need: FoldedNeed | undefined
  /** A line that contains one of `required` is a match. */
  readonly isLiteral: boolean
  /**
   * Finds places in lines that may match: by `required`, or by other characters of every match if they are faster to find. `undefined`
   * if reading is faster. Created on first use.
   */
  readonly finder: () => LiteralFinder | WindowFinder | undefined
  /** Created on first use. */
  readonly automaton: () => Automaton
  /** Finds where matches begin and end. Created on first use. */
  readonly spans: () => SpanSearch
  readonly namesNewline: boolean
  /** The pattern asks for this character, not only for a class with it. */
  readonly namesAlone: (character: '\n' | '\r' | '\0') => boolean
  /** Whether a match may contain a line feed, if the whole text is searched. */
  readonly mayMatchNewline: () => boolean
  /** The pattern depends on where the text begins or ends. */
  readonly anchorsText: boolean
  /** It asks for the start or end of a line. */
  readonly anchorsLines: () => boolean
  /** One of the sources ends in a comment of `(?x)`. */
  readonly endsInComment: boolean
  /** The approximate size of the compiled program in ripgrep. */
  readonly sizeBytes: () => number
  /** Names of the capturing groups, by index minus 1; empty unless they were requested. */
  readonly captureNames: readonly (string | undefined)[]
}

export interface CompileOptions {
  readonly ignoreCase?: boolean
  /** Ignores case unless the pattern contains a capital letter. */
  readonly smartCase?: boolean
  /** The sources are plain texts, not expressions. */
  readonly isLiteral?: boolean
  /** Refuses unmatched parentheses and braces instead of reading them literally. Then an empty source is a pattern too. */
  readonly isStrict?: boolean
  /** Default true. */
  readonly unicode?: boolean
  readonly dotMatchesNewline?: boolean
  /** `\r` ends lines too: for `^`, `$` and `.`. Only where `\r` is an ordinary character. */
  readonly isCrlf?: boolean
  /** No class matches `\r`. */
  readonly excludesReturn?: boolean
  /** Restricts what surrounds a match: no word characters next to it, or nothing else in its line. */
  readonly around?: 'word' | 'line'
  /** Whether matches may span lines. Default `auto`: as the pattern requires, see {@link Pattern.scope}. */
  readonly scope?: 'auto' | 'line' | 'text'
  /** `\r` is an ordinary character, also at the end of a line. Default: only for a pattern that names it. */
  readonly seesCarriageReturns?: boolean
  /** {@link Pattern.spans} also returns the groups. */
  readonly hasCaptures?: boolean
  /** Swaps line feeds and null bytes in the pattern: for texts in which they were swapped. */
  readonly swapsNull?: boolean
}

export interface FoldedNeed {
  readonly need: Need
  /** Ignores the case of ASCII letters. */
  readonly isFolded: boolean
}

export type CompiledPattern =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  /** `message` says what is wrong and what to write instead; `offset` is in code points, 0-based. */
  | { readonly kind: 'error'; readonly message: string; readonly offset?: number }

/** The maximum number of instructions of a pattern's program, with expanded repetitions. ripgrep has such a limit too. */
export const maxProgramSize = 8_000
/** The automaton's approximate speed (2026). */
export const nsPerByteRead = 2.4
/** For a literal that is found faster, no other search is prepared. */
const nsPerByteOfRareLiteral = 0.6

/**
 * Compiles Rust's syntax, as in ripgrep (docs/search.md): Unicode classes, inline flags, `^` and `$` at each line, no look-around and no
 * back-references.
 */
export function compilePattern(source: string, options: CompileOptions = {}): CompiledPattern {
  if (source === '' && options.isStrict !== true) {
    return { kind: 'error', message: 'The pattern is empty; give the text or regular expression to search for.' }
  }
  return compilePatterns([source], options)
}

/**
 * What was compiled last. The next page of a result is asked for with the same pattern, whose automaton then has its states; each takes up
 * to some megabytes.
 */
const recent = new Map<string, CompiledPattern>()
const recentCount = 2

/** Compiles several sources to one pattern, as alternatives; earlier ones are preferred. */
export function compilePatterns(sources: readonly string[], options: CompileOptions = {}): CompiledPattern {
  const key = JSON.stringify([sources, options])
  const compiled = recent.get(key) ?? compiledOrError(sources, options)
  recent.delete(key)
  recent.set(key, compiled)
  const [oldest] = recent.keys()
  if (recent.size > recentCount && oldest !== undefined) recent.delete(oldest)
  return compiled
}

function compiledOrError(sources: readonly string[], options: CompileOptions): CompiledPattern {
  try {
    return { kind: 'pattern', pattern: compile(sources, options) }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return { kind: 'error', message: `Regex error at character ${error.offset + 1}: ${error.message}.`, offset: error.offset }
  }
}

function compile(sources: readonly string[], options: CompileOptions): Pattern {
  const { written, facts, captureNames } = parseAll(sources, options)
  const scope = scopeOf(facts, options.scope ?? 'auto')
  // Simplification may change where a match begins and ends, which decides the lines that it spans.
  const node = scope === 'line' ? simplifyForLines(written) : written
  if (sizeOf(node) > maxProgramSize) throw tooLarge()
  const literals = requiredLiterals(node)
  const required = literals && literals.texts.length > 0 ? literalFinder(literals.texts, literals.isFolded) : undefined
  const seesCarriageReturns = options.seesCarriageReturns ?? facts.namesCarriageReturn
  const alphabetOptions: AlphabetOptions = { scope, seesCarriageReturns, hasAsciiWords: facts.words === 'ascii' }
  let automaton: Automaton | undefined
  let finder: { readonly found: LiteralFinder | WindowFinder | undefined } | undefined
  let spans: SpanSearch | undefined
  const isLiteral = scope === 'line' && literals?.isWhole === true && required?.isExact === true && !facts.namesCarriageReturn
  return {
    source: sources.join('|'),
    note: noteOf([...facts.notes]),
    scope,
    couldCrossLines: facts.namesNewline || facts.crossesLines !== undefined,
    seesCarriageReturns,
    required,
    need: literals && { need: literals.need, isFolded: literals.isFolded },
    isLiteral,
    finder: () => (finder ??= { found: isLiteral ? required : fasterFinder(node, scope, required) }).found,
    automaton: () => (automaton ??= new Automaton(node, alphabetOptions)),
    spans: () => (spans ??= spanSearch(written, alphabetOptions, captureNames)),
    namesNewline: facts.namesNewline,
    namesAlone: character =>
      (character === '\r' ? facts.namesCarriageReturn : facts.namesNewline || facts.namesNull) &&
      namesAlone(written, character.charCodeAt(0)),
    mayMatchNewline: () => mayMatch(written, 10),
    anchorsText: facts.anchorsText,
    anchorsLines: () => anchorsLines(written),
    endsInComment: facts.endsInComment,
    sizeBytes: () => (isTexts(written) ? 0 : estimatedSize(written)),
    captureNames,
  }
}

function anchorsLines(node: Node): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.assertion.startsWith('line-')
    case 'sequence':
    case 'alternatives':
      return node.parts.some(anchorsLines)
    case 'capture':
    case 'repeat':
      return anchorsLines(node.node)
    case 'character':
    case 'class':
      return false
  }
}

/** Texts to choose from need no program. */
function isTexts(node: Node): boolean {
  switch (node.kind) {
    case 'character':
      return !node.isFolded
    case 'sequence':
    case 'alternatives':
      return node.parts.length > 0 && node.parts.every(isTexts)
    case 'assertion':
    case 'class':
    case 'capture':
    case 'repeat':
      return false
  }
}

/** Unicode classes are large if characters are bytes: tens of states each. */
function estimatedSize(node: Node): number {
  switch (node.kind) {
    case 'character':
    case 'assertion':
      return 40
    case 'class':
      return node.set.kind === 'ranges' ? 40 : 20_000
    case 'capture':
      return 80 + estimatedSize(node.node)
    case 'repeat':
      return 40 + estimatedSize(node.node) * Math.max(1, node.max ?? node.min)
    case 'sequence':
    case 'alternatives':
      return node.parts.reduce((sum, part) => sum + estimatedSize(part), 0)
  }
}

interface ParsedPatterns {
  readonly written: Node
  readonly facts: PatternFacts
  readonly captureNames: readonly (string | undefined)[]
}

function parseAll(sources: readonly string[], options: CompileOptions): ParsedPatterns {
  const parseWith = (ignoreCase: boolean): readonly ParsedPattern[] => {
    const parsed: ParsedPattern[] = []
    for (const source of sources) {
      const captureNames = options.hasCaptures === true ? (parsed.at(-1)?.captureNames ?? []) : undefined
      parsed.push(
        parsePattern(options.isLiteral === true ? escapePattern(source) : source, {
          ignoreCase,
          isStrict: options.isStrict ?? false,
          unicode: options.unicode ?? true,
          dotMatchesNewline: options.dotMatchesNewline ?? false,
          isCrlf: options.isCrlf ?? false,
          ...(captureNames === undefined ? {} : { captureNames }),
          groupNames: parsed.at(-1)?.groupNames ?? new Set(),
        }),
      )
    }
    return parsed
  }
  let parsed = parseWith(options.ignoreCase === true)
  const isSmart =
    options.smartCase === true && parsed.some(({ facts }) => facts.hasLiteral) && !parsed.some(({ facts }) => facts.hasCapital)
  if (isSmart) parsed = parseWith(true)
  const written = parsed.map(({ node }) => (options.excludesReturn === true ? withClasses(node, withoutReturn) : node))
  const nodes = written.map(node => (options.swapsNull === true ? withNullSwapped(node) : node))
  const [only] = nodes
  const any: Node = nodes.length === 1 && only !== undefined ? only : { kind: 'alternatives', parts: nodes }
  const facts = parsed.map(each => each.facts).reduce(mergeFacts)
  if (options.around === 'word') facts.words ??= options.unicode === false ? 'ascii' : 'unicode'
  return { written: surrounded(any, options), facts, captureNames: parsed.at(-1)?.captureNames ?? [] }
}

function withNullSwapped(node: Node): Node {
  switch (node.kind) {
    case 'character':
      return node.codePoint === 0 || node.codePoint === 10 ? { ...node, codePoint: 10 - node.codePoint } : node
    case 'sequence':
    case 'alternatives':
      return { ...node, parts: node.parts.map(withNullSwapped) }
    case 'capture':
    case 'repeat':
      return { ...node, node: withNullSwapped(node.node) }
    case 'class':
      return { ...node, set: withNullSwappedIn(node.set) }
    case 'assertion':
      return node
  }
}

function withClasses(node: Node, change: (set: ClassExpression) => ClassExpression): Node {
  switch (node.kind) {
    case 'character':
    case 'assertion':
      return node
    case 'sequence':
    case 'alternatives':
      return { ...node, parts: node.parts.map(part => withClasses(part, change)) }
    case 'capture':
    case 'repeat':
      return { ...node, node: withClasses(node.node, change) }
    case 'class':
      return { ...node, set: change(node.set) }
  }
}

const withoutReturn = (set: ClassExpression): ClassExpression => ({
  kind: 'difference',
  left: set,
  right: { kind: 'ranges', ranges: [13, 13] },
})

/** Takes both out, and adds each if the other is in it. */
function withNullSwappedIn(set: ClassExpression): ClassExpression {
  const rest: ClassExpression = { kind: 'difference', left: set, right: nullAndNewline }
  const ascii = evaluateClass(set, 'ascii')
  const moved = (from: number, to: number): ClassExpression => ({ kind: 'ranges', ranges: contains(ascii, from) ? [to, to] : [] })
  return { kind: 'union', of: [rest, moved(0, 10), moved(10, 0)] }
}

const nullAndNewline: ClassExpression = { kind: 'ranges', ranges: [0, 0, 10, 10] }

function mergeFacts(one: PatternFacts, other: PatternFacts): PatternFacts {
  if (one.words !== undefined && other.words !== undefined && one.words !== other.words) {
    throw new PatternError(0, 'word boundaries with and without Unicode cannot stand in one search; use one of them')
  }
  return {
    namesNewline: one.namesNewline || other.namesNewline,
    namesCarriageReturn: one.namesCarriageReturn || other.namesCarriageReturn,
    crossesLines: one.crossesLines === 'any' || other.crossesLines === 'any' ? 'any' : (one.crossesLines ?? other.crossesLines),
    anchorsText: one.anchorsText || other.anchorsText,
    namesNull: one.namesNull || other.namesNull,
    endsInComment: one.endsInComment || other.endsInComment,
    hasLiteral: one.hasLiteral || other.hasLiteral,
    hasCapital: one.hasCapital || other.hasCapital,
    words: one.words ?? other.words,
    notes: new Set([...one.notes, ...other.notes]),
  }
}

function surrounded(node: Node, { around, isCrlf }: CompileOptions): Node {
  if (around === undefined) return node
  const [before, behind]: readonly [Assertion, Assertion] =
    around === 'word'
      ? ['word-start-half', 'word-end-half']
      : isCrlf === true
        ? ['line-start-crlf', 'line-end-crlf']
        : ['line-start', 'line-end']
  return { kind: 'sequence', parts: [{ kind: 'assertion', assertion: before }, node, { kind: 'assertion', assertion: behind }] }
}

function scopeOf({ namesNewline, crossesLines }: PatternFacts, asked: 'auto' | 'line' | 'text'): 'line' | 'text' {
  if (asked !== 'auto') return asked
  return namesNewline || crossesLines === 'any' ? 'text' : 'line'
}

/** A pattern that matches just this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&\-~]/g, '\\$&')
}

function spanSearch(node: Node, options: AlphabetOptions, captureNames: readonly unknown[]): SpanSearch {
  const program = compileProgram(node)
  return new SpanSearch(program, createAlphabet(program, options), captureNames.length === 0 ? 0 : 2 * captureNames.length + 2)
}

function fasterFinder(
  node: Node,
  scope: Pattern['scope'],
  required: LiteralFinder | undefined,
): LiteralFinder | WindowFinder | undefined {
  if (required !== undefined && required.costPerByte < nsPerByteOfRareLiteral) return required
  const other = scope === 'line' ? windowFinderOf(node) : undefined
  const faster = (other?.costPerByte ?? Infinity) < (required?.costPerByte ?? Infinity) ? other : required
  return faster !== undefined && faster.costPerByte < nsPerByteRead ? faster : undefined
}

function windowFinderOf(node: Node): WindowFinder | undefined {
  const finders = [firstPlacesOf(node), ...requiredPlacesOf(node)].filter(places => places.length > 0).map(windowFinder)
  return finders.toSorted((one, other) => one.costPerByte - other.costPerByte)[0]
}

function tooLarge(): PatternError {
  return new PatternError(
    0,
    'the pattern is too large once its counted repetitions are written out; use smaller counts, `*` or `+`',
  )
}

function noteOf(notes: readonly string[]): string | undefined {
  return notes.length === 0 ? undefined : `In the pattern, ${notes.join(' and ')}.`
}
