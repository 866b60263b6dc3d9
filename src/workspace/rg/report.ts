// The output for each searched file in the selected mode (lines, counts, paths or JSON), and the totals.

import type { SearchOutcome } from '../../search/matcher.ts'
import { colorReset, colorStart } from './colors.ts'
import { type Block, eachLine, type MatchSpan } from './found.ts'
import type { RgOptions } from './options.ts'
import { beginMessage, endMessage, linesMessage } from './print-json.ts'
import { LinePrinter } from './print-lines.ts'
import { compileReplacement, replaced, type Replacement } from './replace.ts'
import type { RgPattern } from './rg-pattern.ts'
import { searchText, spansOfContext } from './search-text.ts'
import type { FoundBlock, SearchedText, TextSearch } from './searched-text.ts'
import { type PrintSettings, settingsOf } from './settings.ts'
import { addStats, newStats, type Stats } from './stats.ts'

const encoder = new TextEncoder()

type SummaryMode = 'lines' | 'count' | 'count-matches' | 'files-with-matches' | 'files-without-match' | 'json'

export class FileReport {
  readonly stats: Stats = newStats()
  readonly #options: RgOptions
  readonly #mode: SummaryMode
  readonly #pattern: RgPattern
  readonly #settings: PrintSettings
  readonly #withPath: boolean
  readonly #replacement: Replacement | undefined
  readonly #out: (bytes: Uint8Array) => void
  readonly #lines: LinePrinter
  hasFound = false
  #fileBytes = 0

  constructor(options: RgOptions, pattern: RgPattern, isOneFile: boolean, out: (bytes: Uint8Array) => void) {
    this.#options = options
    this.#pattern = pattern
    this.#mode = modeOf(options)
    this.#settings = { ...settingsOf(options), isMultiline: pattern.scope === 'text' }
    this.#withPath = options.withFilename ?? (options.vimgrep || !isOneFile)
    this.#replacement = options.replace === undefined ? undefined : compileReplacement(options.replace, pattern.captureNames)
    this.#out = bytes => {
      this.#fileBytes += bytes.length
      if (!options.quiet) out(bytes)
    }
    this.#lines = new LinePrinter(
      this.#settings,
      bytes => this.#out(bytes),
      // Colours do not count as printed.
      bytes => {
        if (!options.quiet) out(bytes)
      },
    )
  }

  /** With -q, one matching file is enough. */
  get isDone(): boolean {
    return this.#options.quiet && this.hasFound && !this.#options.stats && this.#mode !== 'json'
  }

  *inspect(
    text: Uint8Array,
    { isNamed, isMapped }: { readonly isNamed: boolean; readonly isMapped: boolean },
    result: { searched?: SearchedText },
  ): Generator<undefined, SearchOutcome, undefined> {
    const startMs = performance.now()
    result.searched = yield* searchText(text, { ...this.#searchOf(isNamed), isMapped })
    this.stats.elapsedMs += performance.now() - startMs
    return { kind: 'complete' }
  }

  #searchOf(isNamed: boolean): TextSearch {
    const { invert, crlf, nullData, binary, maxCount, stopOnNonmatch, stats } = this.#options
    const isSummary = this.#mode !== 'lines' && this.#mode !== 'json'
    const needsAll = this.#mode === 'count' || this.#mode === 'count-matches' || stats || this.#mode === 'json'
    const { before, after, isPassthru, hasContext } = this.#settings
    const countsMatches = this.#mode === 'count-matches' || (this.#mode === 'count' && this.#settings.isMultiline) || stats
    return {
      pattern: this.#pattern,
      isMultiline: this.#settings.isMultiline,
      isCrlf: crlf,
      isNullData: nullData,
      invert,
      limit: maxCount,
      stopsOnNonmatch: stopOnNonmatch,
      searchesAhead: this.#searchesAhead,
      binary: binary === 'text' || nullData ? 'none' : binary === 'search' || isNamed ? 'convert' : 'quit',
      isMapped: false,
      stopsInBinary: this.#mode === 'lines',
      hasLinesBefore: this.#mode === 'lines' && (isPassthru || before > 0),
      isPassthru,
      after: hasContext ? after : 0,
      before: hasContext ? before : 0,
      isOneEnough: !needsAll && isSummary,
      quitsEarly: this.#mode === 'files-with-matches',
      needsSpans: isSummary ? countsMatches : this.#mode === 'json' || this.#settings.needsSpans,
    }
  }

  /** For a file that certainly has no matching line. */
  empty(shown: string): void {
    this.#summary(shown, 0, 0)
    this.stats.searches++
  }

  add(shown: string, isNamed: boolean, searched: SearchedText): void {
    const { binaryOffset, hidden } = searched
    const found = [...searched.found, ...hidden]
    this.#fileBytes = 0
    const isSummary = this.#mode !== 'lines' && this.#mode !== 'json'
    const stats: Stats = { ...newStats(), searches: 1, bytesSearched: searched.bytesSearched }
    for (const { block, spans } of found) {
      stats.matches += isSummary || this.#options.quiet ? Math.max(1, spans.length) : spans.length
      stats.matchedLines += linesIn(searched.text, block, this.#settings)
    }
    const matches = found.length
    if (matches > 0) stats.searchesWithMatch = 1
    const isCut = binaryOffset !== undefined && this.#searchOf(isNamed).binary === 'quit'
    if (isSummary) {
      const counted =
        this.#mode === 'count-matches' || this.#settings.isMultiline
          ? found.reduce((sum, { spans }) => sum + Math.max(1, spans.length), 0)
          : matches
      this.#summary(shown, isCut ? 0 : matches, isCut ? 0 : counted, isCut)
    } else if (matches > 0 || this.#settings.isPassthru || searched.matchesEnd || searched.hiddenContext !== undefined) {
      // A match before binary data counts for messages, but not for what -q answers.
      this.hasFound ||= matches > 0 && !(isCut && this.#options.quiet)
      if (this.#mode !== 'json') this.#print(shown, isNamed, searched)
      else this.#json(shown, searched, stats)
    }
    // ripgrep counts no bytes of summaries.
    stats.bytesPrinted = isSummary || this.#options.quiet ? 0 : this.#fileBytes
    addStats(this.stats, stats)
    if (this.#mode === 'json' && this.#fileBytes > 0) this.#out(encoder.encode(endMessage(shown, binaryOffset, stats)))
  }

  get #searchesAhead(): boolean {
    const { linear } = this.#pattern
    const { isMultiline, isPassthru } = this.#settings
    return !isMultiline && !isPassthru && !this.#options.nullData && linear !== undefined && !linear.anchorsText
  }

  /** `isUnknown`: the rest of a binary file was not searched, so it is not reported as a file without a match. */
  #summary(shown: string, matches: number, counted: number, isUnknown: boolean = false): void {
    const { includeZero, passNull } = this.#options
    const path = this.#shownPath(shown)
    switch (this.#mode) {
      case 'files-with-matches':
      case 'files-without-match': {
        const isWanted = !isUnknown && matches > 0 === (this.#mode === 'files-with-matches')
        this.hasFound ||= isWanted || (isUnknown && this.#mode === 'files-without-match')
        if (isWanted) this.#path(path, passNull ? '\0' : this.#lineEnd())
        return
      }
      case 'count':
      case 'count-matches':
        this.hasFound ||= matches > 0
        if (isUnknown || (counted === 0 && !includeZero)) return
        if (this.#withPath) this.#path(path, passNull ? '\0' : ':')
        this.#out(encoder.encode(`${counted}${this.#lineEnd()}`))
        return
      case 'lines':
      case 'json':
        return
    }
  }

  #lineEnd(): string {
    return String.fromCharCode(...this.#settings.lineEnd)
  }

  #path(path: string, end: string): void {
    const { colors } = this.#settings
    this.#out(encoder.encode(colors === undefined ? `${path}${end}` : `${colorStart(colors.path)}${path}${colorReset}${end}`))
  }

  #shownPath(shown: string): string {
    const { pathSeparator } = this.#options
    return pathSeparator === undefined ? shown : shown.replaceAll('/', pathSeparator)
  }

  #print(shown: string, isNamed: boolean, searched: SearchedText): void {
    const lines = this.#lines
    lines.begin(this.#withPath ? this.#shownPath(shown) : undefined)
    this.#eachPart(searched, {
      onBlock: found => lines.print({ ...this.#shownOf(searched.text, found), isContext: false }),
      onContext: found => lines.print({ ...this.#shownOf(searched.text, found), isContext: true }),
      onBreak: () => lines.break(),
    })
    const { binaryOffset } = searched
    if (searched.breaksBeforeHidden === true) lines.break()
    if (binaryOffset === undefined || searched.found.length + searched.hidden.length === 0) return
    const where = `(found "\\0" byte around offset ${binaryOffset})`
    const isLeft = this.#searchOf(isNamed).binary === 'quit'
    lines.binary(isLeft ? `WARNING: stopped searching binary file after match ${where}` : `binary file matches ${where}`)
  }

  /** Blocks and the context around them, in order. */
  #eachPart(
    { found, counted, text, shownEnd, matchesEnd, hiddenContext }: SearchedText,
    on: {
      readonly onBlock: (found: FoundBlock) => void
      readonly onContext: (found: FoundBlock) => void
      readonly onBreak: () => void
    },
  ): void {
    const { before, after, isPassthru, hasContext } = this.#settings
    if (!hasContext && !isPassthru) {
      for (const each of found) on.onBlock(each)
      return
    }
    const newline = this.#settings.lineByte
    if (found.length === 0 && isPassthru) {
      for (const context of linesBetween(text, 0, shownEnd, 1, newline)) on.onContext(this.#contextOf(text, context))
      return
    }
    let printedEnd = 0
    let hasPrinted = false
    let line = 1
    let left = 0
    for (const [index, each] of found.entries()) {
      const start = isPassthru ? printedEnd : startOfLinesBefore(text, each.block.start, before, printedEnd, newline)
      if (hasPrinted && start > printedEnd) on.onBreak()
      line = each.block.lineNumber - countLines(text, start, each.block.start, newline)
      for (const context of linesBetween(text, start, each.block.start, line, newline))
        on.onContext(this.#contextOf(text, context))
      on.onBlock(each)
      hasPrinted = true
      const next = Math.min(found[index + 1]?.block.start ?? shownEnd, shownEnd)
      left = index < counted ? after : left - 1
      printedEnd = each.block.end
      line = each.block.lineNumber + countLines(text, each.block.start, each.block.end, newline)
      for (const context of linesBetween(text, each.block.end, next, line, newline)) {
        if (left-- <= 0) break
        on.onContext(this.#contextOf(text, context))
        printedEnd = context.end
        line++
      }
    }
    const { start, end } = hiddenContext ?? {
      start: matchesEnd ? startOfLinesBefore(text, text.length, before, printedEnd, newline) : text.length,
      end: text.length,
    }
    if (start >= end) return
    if (hasPrinted && start > printedEnd) on.onBreak()
    for (const context of linesBetween(text, start, end, line + countLines(text, printedEnd, start, newline), newline))
      on.onContext(this.#contextOf(text, context))
  }

  /** With -v, the context consists of matches. */
  #contextOf(text: Uint8Array, block: Block): FoundBlock {
    const needsSpans = this.#settings.needsSpans || this.#mode === 'json'
    if (!this.#options.invert || !needsSpans) return { block, spans: [] }
    const steps = spansOfContext(text, block, this.#searchOf(false))
    for (;;) {
      const step = steps.next()
      if (step.done === true) return { block, spans: step.value }
    }
  }

  #shownOf(
    text: Uint8Array,
    { block, spans }: FoundBlock,
  ): { bytes: Uint8Array; spans: readonly MatchSpan[]; matchCount: number; block: Block } {
    if (this.#replacement !== undefined && spans.length > 0) {
      const { bytes, spans: places } = replaced(text, block.start, block.end, spans, this.#replacement)
      return { bytes, spans: places, matchCount: spans.length, block }
    }
    return { bytes: text.subarray(block.start, block.end), spans: within(spans, block), matchCount: spans.length, block }
  }

  /** Messages show matches in binary data too. */
  #json(shown: string, searched: SearchedText, stats: Stats): void {
    const path = shown
    const put = (kind: 'match' | 'context', { block, spans }: FoundBlock): void => {
      if (this.#fileBytes === 0) this.#out(encoder.encode(beginMessage(path)))
      const bytes = searched.text.subarray(block.start, block.end)
      const replacement = this.#replacement
      const replacements =
        replacement && spans.map(span => replaced(searched.text, span.start, span.end, [span], replacement).bytes)
      const offset = block.start
      const lineNumber = this.#options.lineNumber === false ? null : block.lineNumber
      this.#out(
        encoder.encode(linesMessage({ kind, path, bytes, lineNumber, offset, spans: within(spans, block), replacements })),
      )
    }
    this.#eachPart(searched, {
      onBlock: found => put('match', found),
      onContext: found => put('context', found),
      onBreak: () => undefined,
    })
    stats.bytesPrinted = this.#fileBytes
  }
}

function modeOf({ mode, onlyMatching, invert, quiet }: RgOptions): SummaryMode {
  const asked = typeof mode === 'object' ? 'lines' : mode
  // With -q one match is enough, as for the names of files.
  if (quiet && asked !== 'json' && asked !== 'files-without-match') return 'files-with-matches'
  if (asked === 'count') return onlyMatching && !invert ? 'count-matches' : 'count'
  if (asked === 'count-matches') return invert ? 'count' : 'count-matches'
  return asked === 'json' || asked === 'files-with-matches' || asked === 'files-without-match' ? asked : 'lines'
}

function within(spans: readonly MatchSpan[], { start }: Block): readonly MatchSpan[] {
  return spans.map(span => ({ start: span.start - start, end: span.end - start, groups: span.groups }))
}

function linesIn(text: Uint8Array, { start, end }: Block, { lineByte }: PrintSettings): number {
  return Math.max(1, countLines(text, start, end, lineByte) + (end > start && text[end - 1] !== lineByte ? 1 : 0))
}

function countLines(text: Uint8Array, start: number, end: number, lineByte: number): number {
  let count = 0
  for (let at = text.indexOf(lineByte, start); at !== -1 && at < end; at = text.indexOf(lineByte, at + 1)) count++
  return count
}

/** The start of the `count` lines that end at `offset`, but not before `from`. */
function startOfLinesBefore(text: Uint8Array, offset: number, count: number, from: number, lineByte: number): number {
  let start = offset
  for (let left = count; left > 0 && start > from; left--) start = start < 2 ? 0 : text.lastIndexOf(lineByte, start - 2) + 1
  return Math.max(start, from)
}

function* linesBetween(
  text: Uint8Array,
  start: number,
  end: number,
  lineNumber: number,
  lineByte: number,
): Generator<Block, void, undefined> {
  if (lineByte === 10) {
    for (const line of eachLine(text.subarray(0, end), start, lineNumber)) yield line
    return
  }
  let number = lineNumber
  for (let from = start; from < end;) {
    const at = text.indexOf(lineByte, from)
    const next = at === -1 || at >= end ? end : at + 1
    yield { start: from, end: next, lineNumber: number++ }
    from = next
  }
}
