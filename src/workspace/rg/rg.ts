// rg on the workspace's own search engine: the same patterns, ignore rules and index as the search tool, in ripgrep's words. It runs beside
// the files, so a search through a whole tree is one message for the shell.

import { createPauser } from '../../core/pause.ts'
import type { VfsPath } from '../../core/path.ts'
import { createSpanFinder } from '../../search/line-spans.ts'
import { searchSteps, type LineMatch } from '../../search/matcher.ts'
import { compilePattern, type Pattern } from '../../search/pattern.ts'
import { type Inspection, searchFiles, type SearchGround, withSearchGround } from '../../session/search-driver.ts'
import type { WorkspaceScope } from '../../session/workspace-scope.ts'
import { listRgFiles, type RgFile } from './files.ts'
import { parseRgOptions, type RgOptions } from './options.ts'
import { linesOf, printLines } from './print.ts'

/** What the search runs on: the workspace, with the files as commands may see them. */
export type RgWorkspace = Pick<WorkspaceScope, 'vfs' | 'root' | 'limits' | 'index'>

export interface RgContext {
  readonly cwd: VfsPath
  /** `undefined`: nothing is piped in. */
  readonly stdin: Uint8Array | undefined
  readonly signal: AbortSignal
}

export interface RgResult {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

/** What rg may print: the interpreter holds the whole of it. */
const maxOutputBytes = 32 * 1024 * 1024
const pauseEveryMs = 20

/** 0: something matched. 1: nothing did. 2: it went wrong, and standard error says how. */
export async function rg(args: readonly string[], context: RgContext, workspace: RgWorkspace): Promise<RgResult> {
  const options = parseRgOptions(args)
  if (typeof options === 'string') return failure(options)
  const compiled = compileAll(options)
  if (typeof compiled === 'string') return failure(compiled)
  return withSearchGround(workspace, context.signal, ground => search(options, compiled, { ...context, ...workspace, ...ground }))
}

interface Compiled {
  readonly pattern: Pattern | undefined
  readonly spans: (line: Uint8Array) => ReturnType<ReturnType<typeof createSpanFinder>>
}

/** Gives what is wrong as a sentence. */
function compileAll(options: RgOptions): Compiled | string {
  if (options.mode === 'files') return { pattern: undefined, spans: () => [] }
  const parts = options.patterns.map(text => (options.fixed ? escapePattern(text) : text))
  const joined = parts.length === 1 ? (parts[0] ?? '') : parts.map(part => `(?:${part})`).join('|')
  const whole = options.wholeLine ? `^(?:${joined})$` : options.word ? `\\b(?:${joined})\\b` : joined
  const ignoreCase = options.ignoreCase || (options.smartCase && !options.patterns.some(hasUpperCase))
  // An empty pattern matches every line.
  const source = whole === '' ? '^' : whole
  const compiled = compilePattern(source, { ignoreCase })
  if (compiled.kind === 'error') return `regex parse error: ${compiled.message}`
  let find: ReturnType<typeof createSpanFinder> | undefined
  return { pattern: compiled.pattern, spans: line => (find ??= createSpanFinder(source, { ignoreCase }))(line) }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&\-~]/g, '\\$&')
}

/** A class such as `\W` is no upper case. */
function hasUpperCase(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replace(/\\(?:[pP]\{[^}]*\}|[^])/g, ''))
}

type SearchContext = RgContext & Omit<RgWorkspace, 'index'> & SearchGround

interface Output {
  readonly parts: Uint8Array[]
  sizeBytes: number
  isFull: boolean
}

async function search(options: RgOptions, compiled: Compiled, context: SearchContext): Promise<RgResult> {
  const output: Output = { parts: [], sizeBytes: 0, isFull: false }
  const problems: string[] = []
  const note = compiled.pattern?.note
  let found = false
  let printed = 0
  const write = (part: Uint8Array): void => {
    if (output.sizeBytes + part.length > maxOutputBytes) output.isFull = true
    if (output.isFull || options.mode === 'quiet') return
    output.parts.push(part)
    output.sizeBytes += part.length
  }
  const take = (file: RgFile, bytes: Uint8Array, matches: readonly LineMatch[], isMany: boolean): void => {
    const withFilename = options.withFilename ?? isMany
    found ||= options.mode === 'files-without-match' ? matches.length === 0 : matches.length > 0
    const spansOf = (match: LineMatch): ReturnType<Compiled['spans']> => compiled.spans(bytes.subarray(match.start, match.end))
    printFile({ shown: file.shown, bytes, matches, withFilename, spansOf }, options, printed === 0, write)
    if (matches.length > 0) printed += 1
  }
  const { pattern } = compiled
  if (readsStandardInput(options, context.stdin)) {
    const bytes = context.stdin ?? new Uint8Array()
    const shown = '<stdin>'
    const matches = pattern === undefined ? [] : await matchingLines(bytes, pattern, options, context.signal)
    if (matches === 'binary') problems.push('-: is a binary file and was not searched')
    else take({ path: context.cwd, shown, isNamed: true }, bytes, matches, false)
  } else {
    const {
      files,
      problems: unlisted,
      isMany,
    } = await listRgFiles(options, { ...context, maxEntries: context.limits.walkMaxEntries })
    problems.push(...unlisted)
    if (pattern === undefined) {
      for (const { shown } of files) write(encoder.encode(`${shown}${options.nullAfterPath ? '\0' : '\n'}`))
      found = files.length > 0
    } else {
      await searchFiles({
        source: context.source,
        index: context.index,
        // That no line matches is an answer for -v.
        pattern: options.invert ? undefined : pattern,
        files,
        maxFileBytes: Number.POSITIVE_INFINITY,
        inspect: (_file, bytes) => inspect(bytes, pattern, options),
        isTimeOver: () => false,
        signal: context.signal,
        onFile(file, answer) {
          if (answer.kind === 'binary' && file.isNamed) problems.push(`${file.shown}: is a binary file and was not searched`)
          else if (answer.kind === 'unreadable') problems.push(`${file.shown}: ${answer.reason}`)
          else if (answer.kind === 'searched') take(file, answer.bytes, selected(answer.bytes, answer.found, options), isMany)
          else if (answer.kind === 'none') take(file, empty, [], isMany)
          return !output.isFull && !(options.mode === 'quiet' && found)
        },
      })
    }
  }
  if (output.isFull) problems.push(`stopped after ${maxOutputBytes} bytes of output; narrow the search`)
  const exitCode = options.mode === 'quiet' && found ? 0 : problems.length > 0 ? 2 : found ? 0 : 1
  const said = [...(note === undefined ? [] : [`note: ${note}`]), ...problems]
  return { stdout: join(output), stderr: encoder.encode(said.map(line => `rg: ${line}\n`).join('')), exitCode }
}

/** Without a path, what is piped in is meant; nothing at all counts as not piped. */
function readsStandardInput({ paths, mode }: RgOptions, stdin: Uint8Array | undefined): boolean {
  if (mode === 'files') return false
  return paths.length === 0 ? stdin !== undefined : paths.length === 1 && paths[0] === '-'
}

const empty = new Uint8Array()

/** Without `-m` and what `-l` and `-q` need less of, all lines that match. */
function inspect(bytes: Uint8Array, pattern: Pattern, { invert, maxCount, mode }: RgOptions): Inspection<LineMatch[]> {
  const isOneEnough = mode === 'files-with-matches' || mode === 'files-without-match' || mode === 'quiet'
  const limit = invert ? Number.POSITIVE_INFINITY : isOneEnough ? 1 : maxCount
  const found: LineMatch[] = []
  const steps = searchSteps(bytes, pattern, match => {
    if (found.length >= limit) return false
    found.push(match)
    return found.length < limit
  })
  return { found, steps }
}

/** The lines that are asked for: those that match, or with `-v` the others. */
function selected(bytes: Uint8Array, matches: readonly LineMatch[], { invert, maxCount }: RgOptions): readonly LineMatch[] {
  if (!invert) return matches
  const matching = new Set(matches.map(({ lineNumber }) => lineNumber))
  return linesOf(bytes)
    .filter(({ lineNumber }) => !matching.has(lineNumber))
    .slice(0, Number.isFinite(maxCount) ? maxCount : undefined)
}

async function matchingLines(
  bytes: Uint8Array,
  pattern: Pattern,
  options: RgOptions,
  signal: AbortSignal,
): Promise<readonly LineMatch[] | 'binary'> {
  const pause = createPauser(pauseEveryMs)
  const { found, steps } = inspect(bytes, pattern, options)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value.kind === 'binary' ? 'binary' : selected(bytes, found, options)
    await pause()
    signal.throwIfAborted()
  }
}

function printFile(
  file: Parameters<typeof printLines>[0],
  options: RgOptions,
  isFirst: boolean,
  write: (part: Uint8Array) => void,
): void {
  const { shown, matches, withFilename, spansOf } = file
  const end = options.nullAfterPath ? '\0' : '\n'
  switch (options.mode) {
    case 'files-with-matches':
      if (matches.length > 0) write(encoder.encode(`${shown}${end}`))
      return
    case 'files-without-match':
      if (matches.length === 0) write(encoder.encode(`${shown}${end}`))
      return
    case 'count':
    case 'count-matches': {
      if (matches.length === 0) return
      const isByMatch = options.mode === 'count-matches' && !options.invert
      const count = isByMatch ? matches.reduce((sum, match) => sum + spansOf(match).length, 0) : matches.length
      write(encoder.encode(`${withFilename ? `${shown}${options.nullAfterPath ? '\0' : ':'}` : ''}${count}\n`))
      return
    }
    case 'quiet':
    case 'files':
      return
    default:
      if (matches.length > 0) printLines(file, options, isFirst, write)
  }
}

const encoder = new TextEncoder()

function join({ parts, sizeBytes }: Output): Uint8Array {
  const all = new Uint8Array(sizeBytes)
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

function failure(problem: string): RgResult {
  return { stdout: empty, stderr: encoder.encode(`rg: ${problem}\n`), exitCode: 2 }
}
