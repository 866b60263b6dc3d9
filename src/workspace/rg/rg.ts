// rg on the workspace's search engine: the same patterns, ignore rules and index as the search tool, with ripgrep's interface. It runs in
// the thread of the files, so a search through a whole tree is one message for the shell.

import { joinBytes } from '../../core/bytes.ts'
import type { VfsPath } from '../../core/path.ts'
import type { SearchOutcome } from '../../search/matcher.ts'
import { searchFiles, type SearchGround, withSearchGround } from '../../session/search-driver.ts'
import type { WorkspaceScope } from '../../session/workspace-scope.ts'
import { isVfsError } from '../../vfs/error.ts'
import { compileRgPattern } from './compile-pattern.ts'
import { compileFilters, type PathFilters } from './filters.ts'
import { listRgFiles, resolvedPath, type RgFile } from './files.ts'
import { generated, helpText, perlVersion, versionText } from './help.ts'
import type { RgOptions } from './options.ts'
import { osError, osErrorOf } from './os-error.ts'
import { parseArguments } from './parse-arguments.ts'
import { MatchLimitError, type RgPattern } from './rg-pattern.ts'
import { FileReport } from './report.ts'
import type { SearchedText } from './searched-text.ts'
import { statsText } from './stats.ts'
import { colorReset, colorStart } from './colors.ts'
import { settingsOf } from './settings.ts'
import { summaryMessage } from './print-json.ts'
import { textOfFile, type Unpack } from './text-of-file.ts'
import { UsageError } from './usage-error.ts'
import { pushAll } from '../../core/many.ts'

/** The part of the workspace that the search uses, with the files as commands may see them. */
export type RgWorkspace = Pick<WorkspaceScope, 'vfs' | 'root' | 'limits' | 'index'>

export interface RgContext {
  readonly cwd: VfsPath
  /** `undefined`: there is no piped input. */
  readonly stdin: Uint8Array | undefined
  readonly env?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface RgResult {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

/** The limit for rg's output, because the interpreter keeps all of it in memory. */
const maxOutputBytes = 32 * 1024 * 1024
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Exit code 0: there was a match. 1: there was none. 2: an error, described on standard error. */
export async function rg(args: readonly string[], context: RgContext, workspace: RgWorkspace): Promise<RgResult> {
  const { words, problem } = await withConfig(args, context, workspace)
  const options = parseArguments(words)
  if (typeof options === 'string') return failure(options)
  const said = saidAtOnce(options)
  if (said !== undefined) return said
  if (options.refused.size > 0) return failure([...options.refused.values()].join('\n'))
  const command = new RgCommand(options, context, workspace, problem)
  try {
    return await command.run()
  } catch (error) {
    if (error instanceof UsageError) return failure(error.message)
    throw error
  }
}

/** RIPGREP_CONFIG_PATH names a file with one argument per line, which precede those of the call. */
async function withConfig(args: readonly string[], { env, cwd }: RgContext, { vfs }: RgWorkspace): Promise<WordsOfCall> {
  const path = env?.['RIPGREP_CONFIG_PATH']
  if (path === undefined || path === '' || args.includes('--no-config')) return { words: args }
  try {
    const lines = decoder.decode(await vfs.readFile(await resolvedPath(vfs, path, cwd))).split('\n')
    const words = lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'))
    return { words: [...words, ...args] }
  } catch (error) {
    if (!isVfsError(error)) throw error
    return { words: args, problem: `failed to read the file specified in RIPGREP_CONFIG_PATH: ${path}: ${osError(error.code)}` }
  }
}

interface WordsOfCall {
  readonly words: readonly string[]
  readonly problem?: string
}

function saidAtOnce(options: RgOptions): RgResult | undefined {
  const { mode } = options
  if (mode === 'help' || mode === 'short-help') return said(helpText(mode === 'short-help'))
  if (mode === 'version' || mode === 'short-version') return said(versionText(mode === 'short-version'))
  if (mode === 'type-list') return listTypes(options)
  if (mode === 'pcre2-version') return said(perlVersion)
  return typeof mode === 'object' ? said(generated(mode.generate)) : undefined
}

function listTypes(options: RgOptions): RgResult {
  const filters = compileFilters(options)
  return typeof filters === 'string' ? failure(filters) : said(options.types.list())
}

class RgCommand {
  readonly #options: RgOptions
  readonly #context: RgContext
  readonly #workspace: RgWorkspace
  readonly #parts: Uint8Array[] = []
  readonly #problems: string[] = []
  readonly #startMs = performance.now()
  #hasError = false
  #sizeBytes = 0
  #isFull = false
  #hasSearchedStdin = false
  #unpack: Unpack | undefined

  constructor(options: RgOptions, context: RgContext, workspace: RgWorkspace, problem: string | undefined) {
    this.#options = options
    if (problem !== undefined) this.#notice(problem)
    this.#context = context
    this.#workspace = workspace
  }

  run(): Promise<RgResult> {
    return withSearchGround(this.#workspace, this.#context.signal, ground => this.#runOn(ground))
  }

  async #runOn(ground: SearchGround): Promise<RgResult> {
    const { mode } = this.#options
    const { sources, paths, hasReadStdin } = await this.#patterns()
    if (hasReadStdin && paths.includes('-'))
      throw new UsageError('error: attempted to read patterns from stdin while also searching stdin')
    // Nothing can match, so nothing is read and nothing is said, not even a summary.
    const filters = compileFilters(this.#options)
    if (typeof filters === 'string') throw new UsageError(filters)
    if (mode !== 'files' && this.#cannotMatch(sources)) return this.#result(false)
    const pattern = mode === 'files' ? undefined : await compileRgPattern(sources, this.#options)
    if (this.#options.searchZip) this.#unpack = (await import('./unpack.ts')).unpack
    const usesStdin = paths.length === 0 && this.#context.stdin !== undefined && !hasReadStdin && mode !== 'files'
    const asked = usesStdin ? ['-'] : paths
    const files = await this.#list(ground, asked, filters)
    const found = pattern === undefined ? this.#printPaths(files) : await this.#search(ground, pattern, files, asked)
    if (files.length === 0 && asked.length === 0 && mode !== 'files') {
      this.#problem(
        "No files were searched, which means ripgrep probably applied a filter you didn't expect.\nRunning with --debug will show why files are being skipped.",
      )
    }
    return this.#result(found)
  }

  #cannotMatch(sources: readonly string[]): boolean {
    const { maxCount, invert } = this.#options
    return maxCount === 0 || (sources.length === 0 && !invert)
  }

  /** Without -e and -f, the first word is the pattern; the others are paths. */
  async #patterns(): Promise<{
    readonly sources: readonly string[]
    readonly paths: readonly string[]
    readonly hasReadStdin: boolean
  }> {
    const { patterns, positionals, mode } = this.#options
    if (mode === 'files') return { sources: [], paths: positionals, hasReadStdin: false }
    if (patterns.length === 0) {
      const [first, ...paths] = positionals
      if (first === undefined) throw new UsageError('ripgrep requires at least one pattern to execute a search')
      return { sources: [first], paths, hasReadStdin: false }
    }
    const sources: string[] = []
    let hasReadStdin = false
    for (const source of patterns) {
      if (source.kind === 'text') sources.push(source.text)
      else {
        if (source.path === '-' && hasReadStdin)
          throw new UsageError('error reading -f/--file from stdin: stdin has already been consumed')
        hasReadStdin ||= source.path === '-'
        pushAll(sources, linesOf(await this.#readPatternFile(source.path), source.path === '-' ? '<stdin>' : source.path))
      }
    }
    return { sources, paths: positionals, hasReadStdin }
  }

  async #readPatternFile(path: string): Promise<Uint8Array> {
    if (path === '-') return this.#context.stdin ?? new Uint8Array()
    const { vfs } = this.#workspace
    try {
      return await vfs.readFile(await resolvedPath(vfs, path, this.#context.cwd))
    } catch (error) {
      if (isVfsError(error)) throw new UsageError(`${path}: ${osError(error.code)}`)
      throw error
    }
  }

  async #list({ source }: SearchGround, asked: readonly string[], filters: PathFilters): Promise<readonly RgFile[]> {
    const { vfs, limits } = this.#workspace
    const { cwd, env, signal } = this.#context
    return listRgFiles(this.#options, filters, asked, {
      vfs,
      source,
      cwd,
      env: env ?? {},
      maxEntries: limits.walkMaxEntries,
      signal,
      onProblem: problem => this.#problem(problem),
      onIgnoreProblem: problem => this.#options.ignoreMessages && this.#notice(problem),
      onLeftOut: (path, why) => this.#leftOut(path, why),
    })
  }

  #printPaths(files: readonly RgFile[]): boolean {
    const { quiet, passNull, pathSeparator } = this.#options
    const { colors } = settingsOf(this.#options)
    for (const { shown } of files) {
      if (quiet) break
      const named = shown === '-' ? '<stdin>' : shown
      const path = pathSeparator === undefined ? named : named.replaceAll('/', pathSeparator)
      const look = colors === undefined ? path : `${colorStart(colors.path)}${path}${colorReset}`
      this.#write(encoder.encode(`${look}${passNull ? '\0' : '\n'}`))
    }
    return files.length > 0
  }

  async #search(ground: SearchGround, pattern: RgPattern, files: readonly RgFile[], asked: readonly string[]): Promise<boolean> {
    const options = this.#options
    const isOneFile = asked.length === 1 && (files[0]?.isNamed ?? true) && files.length <= 1
    const report = new FileReport(options, pattern, isOneFile, bytes => this.#write(bytes))
    const isFewFiles =
      asked.length > 0 &&
      asked.length <= 10 &&
      files.length === asked.length &&
      files.every(file => file.isNamed && file.shown !== '-')
    const mayMap = options.mmap === 'always' || (options.mmap === 'auto' && isFewFiles)
    for (let start = 0; start < files.length && !this.#isFull && !report.isDone;) {
      if (files[start]?.shown === '-') {
        this.#searchStdin(report)
        start++
        continue
      }
      const next = files.findIndex((file, index) => index > start && file.shown === '-')
      const end = next === -1 ? files.length : next
      await this.#searchListed(
        ground,
        pattern,
        start === 0 && end === files.length ? files : files.slice(start, end),
        report,
        mayMap,
      )
      start = end
    }
    return this.#end(report)
  }

  async #searchListed(
    ground: SearchGround,
    pattern: RgPattern,
    files: readonly RgFile[],
    report: FileReport,
    mayMap: boolean,
  ): Promise<void> {
    const options = this.#options
    await searchFiles({
      ...ground,
      pattern: this.#mayUseIndex() ? pattern.linear : undefined,
      looksIntoBinary: true,
      // If files without a match are listed, it matters whether they are binary.
      rulesOutFiles: options.mode !== 'files-without-match' && !options.includeZero,
      decodes: false,
      files,
      maxFileBytes: Number.POSITIVE_INFINITY,
      inspect: (file, stored) => {
        const text = textOfFile(file.shown, stored, options.encoding, this.#unpack)
        const found: { searched?: SearchedText } = {}
        if (text.kind === 'problem') this.#problem(text.message)
        const steps =
          text.kind === 'problem'
            ? nothing()
            : this.#bounded(
                file.shown,
                report.inspect(text.bytes, { isNamed: file.isNamed, isMapped: mayMap && text.bytes === stored }, found),
              )
        return { found, steps }
      },
      isTimeOver: () => false,
      signal: this.#context.signal,
      onFile: (file, answer) => {
        if (answer.kind === 'unreadable') {
          // As in ripgrep, a pipe is only searched if it is named, and here it cannot be.
          if (file.isNamed || !answer.isNoFile) this.#problem(`${file.shown}: ${osErrorOf(answer.error)}`)
          else this.#leftOut(file.shown, 'it is not a file')
        }
        if (answer.kind === 'none') report.empty(file.shown)
        else if (answer.kind === 'searched' && answer.found.searched !== undefined)
          report.add(file.shown, file.isNamed, answer.found.searched)
        return !this.#isFull && !report.isDone
      },
    })
  }

  /** A text that takes too many steps is reported; the search continues with the others. */
  *#bounded(
    shown: string,
    steps: Generator<undefined, SearchOutcome, undefined>,
  ): Generator<undefined, SearchOutcome, undefined> {
    try {
      return yield* steps
    } catch (error) {
      if (!(error instanceof MatchLimitError)) throw error
      this.#problem(`${shown}: ${error.message}`)
      return { kind: 'complete' }
    }
  }

  #end(report: FileReport): boolean {
    const { mode, stats } = this.#options
    const totalMs = performance.now() - this.#startMs
    if (mode === 'json') this.#write(encoder.encode(summaryMessage(report.stats, totalMs)))
    else if (stats) this.#write(encoder.encode(statsText(report.stats, totalMs)))
    return report.hasFound
  }

  #searchStdin(report: FileReport): void {
    // What was read once is gone.
    const input = this.#hasSearchedStdin ? undefined : this.#context.stdin
    this.#hasSearchedStdin = true
    const text = textOfFile('', input ?? new Uint8Array(), this.#options.encoding)
    const found: { searched?: SearchedText } = {}
    if (text.kind === 'problem') return
    const steps = this.#bounded('<stdin>', report.inspect(text.bytes, { isNamed: true, isMapped: false }, found))
    while (steps.next().done !== true) this.#context.signal.throwIfAborted()
    if (found.searched !== undefined) report.add('<stdin>', true, found.searched)
  }

  /** The index is only valid for the files as stored, and only excludes lines that cannot match. */
  #mayUseIndex(): boolean {
    const { invert, encoding, searchZip, nullData, stats, mode, context } = this.#options
    const isAsItIs = encoding === 'auto' && !searchZip && !nullData
    return isAsItIs && !invert && !stats && mode !== 'json' && context.kind !== 'passthru'
  }

  #problem(message: string): void {
    this.#hasError = true
    this.#notice(message)
  }

  #leftOut(path: string, why: string): void {
    if (this.#options.debug) this.#problems.push(`DEBUG|${path}: left out, because ${why}`)
  }

  #notice(message: string): void {
    if (this.#options.messages) this.#problems.push(message)
  }

  #write(bytes: Uint8Array): void {
    if (this.#isFull || bytes.length === 0) return
    if (this.#sizeBytes + bytes.length > maxOutputBytes) {
      this.#isFull = true
      this.#problem(`stopped after ${maxOutputBytes} bytes of output; narrow the search`)
      return
    }
    this.#parts.push(bytes.slice())
    this.#sizeBytes += bytes.length
  }

  #result(found: boolean): RgResult {
    const exitCode = found && (this.#options.quiet || !this.#hasError) ? 0 : this.#hasError ? 2 : 1
    const stderr = encoder.encode(this.#problems.map(problem => `rg: ${problem}\n`).join(''))
    return { stdout: joinBytes(this.#parts), stderr, exitCode }
  }
}

// eslint-disable-next-line require-yield
function* nothing(): Generator<undefined, { kind: 'complete' }, undefined> {
  return { kind: 'complete' }
}

/** Each line is a pattern; an empty last line is not one. */
function linesOf(bytes: Uint8Array, name: string): readonly string[] {
  const broken = brokenAt(bytes)
  if (broken !== undefined) {
    const line = bytes.subarray(0, broken).filter(byte => byte === 10).length + 1
    const at = broken - (bytes.lastIndexOf(10, broken) + 1)
    const hex = bytes[broken]?.toString(16).toUpperCase().padStart(2, '0')
    throw new UsageError(
      `${name}:${line}: found invalid UTF-8 in pattern at byte offset ${at}: write the byte as (?-u:\\x${hex}) to find it`,
    )
  }
  const lines = decoder.decode(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** The offset of the first byte that is not UTF-8. */
function brokenAt(bytes: Uint8Array): number | undefined {
  const text = decoder.decode(bytes)
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) {
    const offset = encoder.encode(text.slice(0, at)).length
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return offset
  }
  return undefined
}

function said(text: string): RgResult {
  return { stdout: encoder.encode(text), stderr: new Uint8Array(), exitCode: 0 }
}

function failure(problem: string): RgResult {
  return { stdout: new Uint8Array(), stderr: encoder.encode(`rg: ${problem}\n`), exitCode: 2 }
}
