// diff: compares files and directories line by line, with the output formats of GNU diff.

import { joinInParts, paceOf, unitsPerItem, type Pace } from '../pace.ts'
import { checkEnded, letOthersRun } from '../stop.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesResult, readInput, reasonOf } from '../inputs.ts'
import { compareLines } from './compare-lines.ts'
import { countOf, has, parseArguments, valueOf, type Arguments, type OptionTable } from '../options.ts'
import { copied, edScript, normal, rcs, unified, type Change } from './diff-formats.ts'
import { sideBySide } from './side-by-side.ts'

const table: OptionTable = {
  '-u': 'unified',
  '-U': 'context=',
  '--unified': 'unified?',
  '-q': 'brief',
  '--brief': 'brief',
  '-s': 'same',
  '--report-identical-files': 'same',
  '-r': 'recursive',
  '--recursive': 'recursive',
  '-N': 'new-file',
  '--new-file': 'new-file',
  '-a': 'text',
  '--text': 'text',
  '-i': 'ignore-case',
  '--ignore-case': 'ignore-case',
  '-w': 'ignore-all-space',
  '--ignore-all-space': 'ignore-all-space',
  '-b': 'ignore-space-change',
  '--ignore-space-change': 'ignore-space-change',
  '-B': 'ignore-blank-lines',
  '--ignore-blank-lines': 'ignore-blank-lines',
  '--strip-trailing-cr': 'strip-cr',
  '-x': 'exclude=',
  '--exclude': 'exclude=',
  '-c': 'copied',
  '-C': 'copied-lines=',
  '--context': 'copied?',
  '-y': 'columns',
  '--side-by-side': 'columns',
  '-W': 'width=',
  '--width': 'width=',
  '--suppress-common-lines': 'suppress-common',
  '--left-column': 'left-column',
  '-t': 'expand-tabs',
  '--expand-tabs': 'expand-tabs',
  '-e': 'ed',
  '--ed': 'ed',
  '-n': 'rcs',
  '--rcs': 'rcs',
  '-Z': 'ignore-trailing-space',
  '--ignore-trailing-space': 'ignore-trailing-space',
  '-d': 'minimal',
  '--minimal': 'minimal',
  '--horizon-lines': 'horizon=',
  '--normal': 'normal',
  '--color': 'color?',
  '--label': 'label=',
  '-L': 'label=',
}

/** The options that choose a format; two formats exclude each other. */
const styles: Readonly<Record<string, string>> = {
  unified: 'unified',
  context: 'unified',
  copied: 'copied',
  'copied-lines': 'copied',
  columns: 'columns',
  ed: 'ed',
  rcs: 'rcs',
  normal: 'normal',
}

/**
 * `diff [-uqrsNaiwbB] [-U N] [--strip-trailing-cr] [--label L] FILE1 FILE2`. Exit codes: 0 if the files are equal, 1 if they
 * differ, 2 after an error.
 */
export async function diff(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  // `-u5` is an obsolete form of `-U5`.
  const parsed = parseArguments(
    args.map(arg => arg.replace(/^-u(?=\d+$)/, '-U').replace(/^--unified=/, '-U')),
    table,
  )
  if (typeof parsed === 'string') return failed('diff', parsed, 2)
  const [first, second, ...rest] = parsed.operands
  if (first === undefined || second === undefined || rest.length > 0)
    return failed('diff', 'give two files or two directories', 2)
  if (parsed.options.some(({ name, value }) => name === 'color' && value === 'always'))
    return failed('diff', '--color=always is not available here', 2)
  if (new Set(parsed.options.flatMap(({ name }) => styles[name] ?? [])).size > 1)
    return failed('diff', 'conflicting output style options', 2)
  const contextLines = contextLinesOf(parsed)
  if (Number.isNaN(contextLines)) return failed('diff', 'the value of -U and of -C is a number', 2)
  const isUnified = has(parsed, 'unified') || has(parsed, 'context')
  const shownArgs = args.filter(arg => arg.startsWith('-') && arg !== '-').join(' ')
  const options: Options = { parsed, context, contextLines, isUnified, shownArgs }
  try {
    const folders = await Promise.all([isFolder(first, context), isFolder(second, context)])
    if (folders[0] && folders[1]) return await compareFolders(first, second, options)
    const [one, other] = folders[0]
      ? [`${first}/${lastName(second)}`, second]
      : folders[1]
        ? [first, `${second}/${lastName(first)}`]
        : [first, second]
    return await compareFiles(one, other, options)
  } catch (error) {
    checkEnded(context.signal)
    return failed('diff', reasonOf(error), 2)
  }
}

/** The largest number that is given counts. `-u` and `-c` give 3. NaN if a value is not a number. */
function contextLinesOf({ options }: Arguments): number {
  const given = options.flatMap(({ name, value }) => {
    if (name === 'unified' || name === 'copied') return value === '' ? 3 : countOf(value)
    return name === 'context' || name === 'copied-lines' ? countOf(value) : []
  })
  return Math.max(0, ...given.map(count => count ?? Number.NaN))
}

interface Options {
  readonly parsed: Arguments
  readonly context: CommandContext
  readonly contextLines: number
  readonly isUnified: boolean
  readonly shownArgs: string
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

async function isFolder(name: string, { fs, cwd }: CommandContext): Promise<boolean> {
  const path = fs.resolvePath(cwd, name)
  return name !== '-' && (await fs.exists(path)) && (await fs.stat(path)).isDirectory
}

/** The real paths of two directories; `undefined` for a missing one. */
type Pair = readonly [string | undefined, string | undefined]

/** `above`: the ancestor directories, to detect loops of symbolic links. */
async function compareFolders(one: string, other: string, options: Options, above: readonly Pair[] = []): Promise<CommandResult> {
  const { fs, cwd } = options.context
  const realOf = async (name: string): Promise<string | undefined> => {
    const path = fs.resolvePath(cwd, name)
    return (await fs.exists(path)) ? fs.realpath(path) : undefined
  }
  const here: Pair = [await realOf(one), await realOf(other)]
  const side = ([0, 1] as const).find(index => here[index] !== undefined && above.some(pair => pair[index] === here[index]))
  if (side !== undefined) return failed('diff', `${side === 0 ? one : other}: recursive directory loop`, 2)
  const namesIn = async (name: string): Promise<ReadonlySet<string>> => {
    const path = fs.resolvePath(cwd, name)
    // With -N, a missing directory is treated as empty.
    return new Set(has(options.parsed, 'new-file') && !(await fs.exists(path)) ? [] : await fs.readdir(path))
  }
  const [left, right] = await Promise.all([one, other].map(namesIn))
  const excluded = options.parsed.options.filter(({ name }) => name === 'exclude').map(({ value }) => globOf(value))
  const names = [...new Set([...(left ?? []), ...(right ?? [])])].filter(name => !excluded.some(glob => glob.test(name))).sort()
  let [stdout, stderr, exitCode] = ['', '', 0]
  for (const name of names) {
    const [inLeft, inRight] = [left?.has(name) === true, right?.has(name) === true]
    if ((!inLeft || !inRight) && !has(options.parsed, 'new-file')) {
      stdout += `Only in ${inLeft ? one : other}: ${name}\n`
      exitCode = Math.max(exitCode, 1)
      continue
    }
    const [from, to] = [`${one.replace(/\/$/, '')}/${name}`, `${other.replace(/\/$/, '')}/${name}`]
    const found = [await isFolder(from, options.context), await isFolder(to, options.context)]
    const folders = inLeft && inRight ? found : found.map(() => found.includes(true))
    if (folders.some(Boolean)) {
      if (!has(options.parsed, 'recursive') && folders.every(Boolean)) stdout += `Common subdirectories: ${from} and ${to}\n`
      else if (folders.every(Boolean)) {
        const inner = await compareFolders(from, to, options, [...above, here])
        stdout += inner.stdout
        stderr += inner.stderr
        exitCode = Math.max(exitCode, inner.exitCode)
      } else {
        const kind = (isOne: boolean | undefined): string => (isOne === true ? 'directory' : 'regular file')
        stdout += `File ${from} is a ${kind(folders[0])} while file ${to} is a ${kind(folders[1])}\n`
        exitCode = Math.max(exitCode, 1)
      }
      continue
    }
    const result = await compareFiles(from, to, options)
    const title = result.exitCode === 1 && !has(options.parsed, 'brief') && !result.stdout.startsWith('Binary files ')
    stdout += (title ? `diff ${options.shownArgs} ${from} ${to}\n` : '') + result.stdout
    stderr += result.stderr
    exitCode = Math.max(exitCode, result.exitCode)
  }
  return bytesResult(stdout, stderr, exitCode)
}

function globOf(glob: string): RegExp {
  return new RegExp(
    `^${glob
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )
}

async function compareFiles(one: string, other: string, options: Options): Promise<CommandResult> {
  const { parsed, context } = options
  const labels = parsed.options.filter(({ name }) => name === 'label').map(({ value }) => value)
  const pair = `${labels[0] ?? one} and ${labels[1] ?? other}`
  const texts: string[] = []
  let problems = ''
  for (const name of [one, other]) {
    try {
      texts.push(await readInput(name, context))
    } catch (error) {
      if (has(parsed, 'new-file') && reasonOf(error).startsWith('No such')) texts.push('')
      else problems += `diff: ${name}: ${reasonOf(error)}\n`
    }
  }
  const [left = '', right = ''] = texts
  if (problems !== '') return bytesResult('', problems, 2)
  const pace = paceOf(context.signal)
  const inColumns = async (found: readonly Change[]): Promise<string> =>
    sideBySide(
      found,
      await linesOf(left, pace),
      await linesOf(right, pace),
      {
        width: Number(valueOf(parsed, 'width') ?? 130),
        hidesCommon: has(parsed, 'suppress-common'),
        showsLeftOnly: has(parsed, 'left-column'),
        expandsTabs: has(parsed, 'expand-tabs'),
      },
      context.signal,
    )
  const showsColumns = has(parsed, 'columns') && !has(parsed, 'brief')
  if (left === right && showsColumns) return bytesResult(await inColumns([]))
  const same = has(parsed, 'same') ? `Files ${pair} are identical\n` : ''
  if (left === right) return bytesResult(same)
  if (!has(parsed, 'text') && `${left.slice(0, 65536)}${right.slice(0, 65536)}`.includes('\0'))
    return bytesResult(has(parsed, 'brief') ? `Files ${pair} differ\n` : `Binary files ${pair} differ\n`, '', 1)
  const leftLines = await linesOf(left, pace)
  const rightLines = await linesOf(right, pace)
  const changes = await changesOf(leftLines, rightLines, options)
  await letOthersRun(context.signal)
  if (showsColumns) return bytesResult(await inColumns(changes), '', changes.length === 0 ? 0 : 1)
  if (
    changes.every(({ removed, added }) => isBlank(removed) && isBlank(added)) &&
    (has(parsed, 'ignore-blank-lines') || changes.length === 0)
  )
    return bytesResult(same)
  if (has(parsed, 'brief')) return bytesResult(`Files ${pair} differ\n`, '', 1)
  const isCopied = has(parsed, 'copied') || has(parsed, 'copied-lines')
  if (has(parsed, 'ed')) {
    const open = [one, other].filter((_, index) => !/^$|\n$/.test(texts[index] ?? ''))
    const warnings = open.map(name => `diff: ${name}: No newline at end of file\n\n`).join('')
    return bytesResult(edScript(changes), warnings, open.length > 0 ? 2 : 1)
  }
  if (has(parsed, 'rcs')) return bytesResult(rcs(changes), '', 1)
  if (!options.isUnified && !isCopied) {
    const shown: string[] = []
    for (const change of changes) {
      shown.push(normal(change))
      if (pace.isDue(8 * unitsPerItem * (change.added.length + change.removed.length))) await pace.rest()
    }
    return bytesResult(await joinInParts(shown, '', pace), '', 1)
  }
  const header = await Promise.all(
    [one, other].map(async (name, index) => labels[index] ?? `${name}\t${await timeOf(name, context)}`),
  )
  if (isCopied) {
    const body = copied(changes, leftLines, rightLines, options.contextLines)
    return bytesResult(`*** ${header[0] ?? ''}\n--- ${header[1] ?? ''}\n${body}`, '', 1)
  }
  const body = unified(changes, leftLines, options.contextLines)
  return bytesResult(`--- ${header[0] ?? ''}\n+++ ${header[1] ?? ''}\n${body}`, '', 1)
}

async function timeOf(name: string, { fs, cwd }: CommandContext): Promise<string> {
  const path = fs.resolvePath(cwd, name)
  // A pipe has the time at which it is read; the beginning of time would mean a missing file to patch.
  const isPipe = name === '-' || path.startsWith('/dev/fd/')
  const time = isPipe ? new Date() : (await fs.exists(path)) ? (await fs.stat(path)).mtime : new Date(0)
  return `${time.toISOString().replace('T', ' ').replace('Z', '000000')} +0000`
}

/** Splits `text` into lines that include their newlines. */
async function linesOf(text: string, pace: Pace): Promise<string[]> {
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length
    lines.push(text.slice(start, end))
    if (pace.isDue(end - start + unitsPerItem)) await pace.rest()
    start = end
  }
  return lines
}

function isBlank(lines: readonly string[]): boolean {
  return lines.every(line => line === '\n')
}

async function changesOf(
  left: readonly string[],
  right: readonly string[],
  { parsed, context: { signal }, contextLines, isUnified }: Options,
): Promise<Change[]> {
  const showsContext = isUnified || has(parsed, 'copied') || has(parsed, 'copied-lines')
  const horizonLines = Math.max(Number(valueOf(parsed, 'horizon') ?? 0), showsContext ? contextLines : 0)
  const keyOf = (line: string): string => {
    let key = line
    if (has(parsed, 'strip-cr')) key = key.replace(/\r\n$/, '\n')
    if (has(parsed, 'ignore-all-space')) key = key.replace(/\s+/g, '')
    else if (has(parsed, 'ignore-space-change')) key = key.replace(/\s+$/, '').replace(/\s+/g, ' ')
    else if (has(parsed, 'ignore-trailing-space')) key = key.replace(/\s+$/, '')
    return has(parsed, 'ignore-case') ? key.toLowerCase() : key
  }
  const pace = paceOf(signal)
  const keysOf = async (lines: readonly string[]): Promise<readonly string[]> => {
    const keys: string[] = []
    for (const line of lines) {
      keys.push(keyOf(line))
      if (pace.isDue(line.length + unitsPerItem)) await pace.rest()
    }
    return keys
  }
  const [leftKeys, rightKeys] = [await keysOf(left), await keysOf(right)]
  const edits = await compareLines(
    { lines: left, keys: leftKeys },
    { lines: right, keys: rightKeys },
    { horizonLines, isMinimal: has(parsed, 'minimal'), signal },
  )
  return edits.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldIndex: oldStart,
    newIndex: newStart,
    removed: left.slice(oldStart, oldEnd),
    added: right.slice(newStart, newEnd),
  }))
}
