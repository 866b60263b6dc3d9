// diff: compares files and directories line by line, with the output formats of GNU diff.

import { joinInParts, paceOf, unitsPerItem } from '../pace.ts'
import { checkEnded, letOthersRun } from '../stop.ts'
import { type CommandContext, type CommandResult, failed } from '../command.ts'
import { bytesOfArgument, bytesResult, readInput } from '../inputs.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { type Change, coloured, copied, edScript, forwardScript, type LineStyle, normal, rcs, unified } from './diff-formats.ts'
import { PatternError } from '../../regex/syntax.ts'
import { quotedName } from '../quoted-name.ts'
import { sideBySide } from './side-by-side.ts'
import { reasonOf } from '../../errno.ts'
import {
  contextLinesOf,
  type DiffOptions,
  diffTable,
  excludedNames,
  isGroupOption,
  lastName,
  optionsOf,
  styles,
  testsOf,
} from './diff-options.ts'
import { changesOf, linesOf, withoutTabs } from './changed-lines.ts'

/**
 * `diff [-uqrsNaiwbB] [-U N] [--strip-trailing-cr] [--label L] FILE1 FILE2`. Exit codes: 0 if the files are equal, 1 if they
 * differ, 2 after an error.
 */
export async function diff(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  // `-u5` is an obsolete form of `-U5`.
  const parsed = parseArguments(
    args.map(arg => arg.replace(/^-u(?=\d+$)/, '-U').replace(/^--unified=/, '-U')),
    diffTable,
  )
  if (typeof parsed === 'string') return failed('diff', parsed, 2)
  const fixed = valueOf(parsed, 'from-file') ?? valueOf(parsed, 'to-file')
  if (fixed !== undefined) {
    const isFrom = valueOf(parsed, 'from-file') !== undefined
    return diffWithEach(
      args,
      parsed.operands.map(name => (isFrom ? [fixed, name] : [name, fixed])),
      context,
    )
  }
  const [first, second, ...rest] = parsed.operands
  if (first === undefined || second === undefined || rest.length > 0) return failed('diff', operandProblem(parsed.operands), 2)
  if (new Set(parsed.options.flatMap(({ name }) => styles[name] ?? [])).size > 1)
    return failed('diff', 'conflicting output style options', 2)
  const contextLines = contextLinesOf(parsed)
  if (Number.isNaN(contextLines)) return failed('diff', 'the values of -U and -C must be numbers', 2)
  const isUnified = has(parsed, 'unified') || has(parsed, 'context')
  const shownArgs = optionsOf(args)
    .map(arg => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : quotedName(arg)))
    .join(' ')
  try {
    const tests = testsOf(parsed)
    const excluded = await excludedNames(parsed, context)
    const options: DiffOptions = { parsed, context, contextLines, isUnified, shownArgs, tests, excluded }
    const folders = await Promise.all([isFolder(first, context), isFolder(second, context)])
    const path = (name: string): string => context.fs.resolvePath(context.cwd, name)
    const isNew = async (name: string, isRight: boolean): Promise<boolean> =>
      (has(parsed, 'new-file') || (!isRight && has(parsed, 'new-file-right'))) && !(await context.fs.exists(path(name)))
    // With -N, a missing directory is an empty one.
    if (folders[0] && (folders[1] || (await isNew(second, true)))) return await compareFolders(first, second, options)
    if (folders[1] && (await isNew(first, false))) return await compareFolders(first, second, options)
    const [one, other] = folders[0]
      ? [`${first}/${lastName(second)}`, second]
      : folders[1]
        ? [first, `${second}/${lastName(first)}`]
        : [first, second]
    return await compareFiles(one, other, options)
  } catch (error) {
    checkEnded(context.signal)
    return failed('diff', error instanceof PatternError ? error.message : reasonOf(error), 2)
  }
}

/** --from-file and --to-file: one file is compared with each of the others. */
async function diffWithEach(
  args: readonly string[],
  pairs: readonly (readonly string[])[],
  context: CommandContext,
): Promise<CommandResult> {
  const given = optionsOf(args)
  const isFixed = (arg: string): boolean => /^--(?:from|to)-file(?:=|$)/.test(arg)
  const kept = given.filter((arg, index) => !isFixed(arg) && !/^--(?:from|to)-file$/.test(given[index - 1] ?? ''))
  let [stdout, stderr, exitCode] = ['', '', 0]
  for (const pair of pairs) {
    const result = await diff([...kept, '--', ...pair], context)
    stdout += result.stdout
    stderr += result.stderr
    exitCode = Math.max(exitCode, result.exitCode)
  }
  return bytesResult(stdout, stderr, exitCode)
}

async function isFolder(name: string, { fs, cwd }: CommandContext): Promise<boolean> {
  const path = fs.resolvePath(cwd, name)
  return name !== '-' && (await fs.exists(path)) && (await fs.stat(path)).isDirectory
}

/** The real paths of two directories; `undefined` for a missing one. */
type Pair = readonly [string | undefined, string | undefined]

/** `above`: the ancestor directories, to detect loops of symbolic links. */
async function compareFolders(
  one: string,
  other: string,
  options: DiffOptions,
  above: readonly Pair[] = [],
): Promise<CommandResult> {
  const { fs, cwd } = options.context
  const realOf = async (name: string): Promise<string | undefined> => {
    const path = fs.resolvePath(cwd, name)
    return (await fs.exists(path)) ? fs.realpath(path) : undefined
  }
  const here: Pair = [await realOf(one), await realOf(other)]
  const side = ([0, 1] as const).find(index => here[index] !== undefined && above.some(pair => pair[index] === here[index]))
  if (side !== undefined) return failed('diff', `${side === 0 ? one : other}: recursive directory loop`, 2)
  // One directory by two names has no differences.
  if (here[0] !== undefined && here[0] === here[1]) return bytesResult('', '', 0)
  const namesIn = async (name: string): Promise<ReadonlySet<string>> => {
    const path = fs.resolvePath(cwd, name)
    // With -N, a missing directory is treated as empty.
    return new Set(
      (has(options.parsed, 'new-file') || has(options.parsed, 'new-file-right')) && !(await fs.exists(path))
        ? []
        : await fs.readdir(path),
    )
  }
  const [left, right] = await Promise.all([one, other].map(namesIn))
  const names = [...new Set([...(left ?? []), ...(right ?? [])])]
    .filter(name => !options.excluded.some(glob => glob.test(name)))
    .sort()
  let [stdout, stderr, exitCode] = ['', '', 0]
  for (const name of names) {
    const [inLeft, inRight] = [left?.has(name) === true, right?.has(name) === true]
    const isNewAllowed = has(options.parsed, 'new-file') || (has(options.parsed, 'new-file-right') && inRight)
    if ((!inLeft || !inRight) && !isNewAllowed) {
      stdout += `Only in ${inLeft ? one : other}: ${name}\n`
      exitCode = Math.max(exitCode, 1)
      continue
    }
    const [from, to] = [`${one.replace(/\/$/, '')}/${name}`, `${other.replace(/\/$/, '')}/${name}`]
    const found = [await isFolder(from, options.context), await isFolder(to, options.context)]
    const folders = inLeft && inRight ? found : found.map(() => found.includes(true))
    if (folders.some(Boolean)) {
      if (!has(options.parsed, 'recursive') && folders.every(Boolean)) {
        if ((await realOf(from)) !== (await realOf(to))) stdout += `Common subdirectories: ${from} and ${to}\n`
      } else if (folders.every(Boolean)) {
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

async function compareFiles(one: string, other: string, options: DiffOptions): Promise<CommandResult> {
  const { parsed, context } = options
  const labels = parsed.options.filter(({ name }) => name === 'label').map(({ value }) => value)
  const pair = `${labels[0] ?? one} and ${labels[1] ?? other}`
  const texts: string[] = []
  let problems = ''
  for (const name of [one, other]) {
    try {
      texts.push(await readInput(name, context))
    } catch (error) {
      if ((has(parsed, 'new-file') || has(parsed, 'new-file-right')) && reasonOf(error).startsWith('No such')) texts.push('')
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
  const isMerged = has(parsed, 'ifdef') || parsed.options.some(({ name }) => isGroupOption.test(name))
  if (left === right && showsColumns) return bytesResult(await inColumns([]))
  const same = has(parsed, 'same') ? `Files ${pair} are identical\n` : ''
  if (left === right && (!isMerged || has(parsed, 'brief'))) return bytesResult(same)
  if (!has(parsed, 'text') && `${left.slice(0, 65536)}${right.slice(0, 65536)}`.includes('\0'))
    return bytesResult(has(parsed, 'brief') ? `Files ${pair} differ\n` : `Binary files ${pair} differ\n`, '', 1)
  const leftLines = await linesOf(left, pace)
  const rightLines = await linesOf(right, pace)
  const found = await changesOf(leftLines, rightLines, options)
  const { isFunction, isIgnored } = options.tests
  const doesNotCount = (change: Change): boolean =>
    isIgnored !== undefined && change.removed.every(isIgnored) && change.added.every(isIgnored)
  const isCopiedStyle =
    has(parsed, 'copied') ||
    has(parsed, 'copied-lines') ||
    (has(parsed, 'functions') && !parsed.options.some(({ name }) => styles[name] !== undefined))
  // Where changes are shown with the lines around them, one that does not count is still shown beside another one.
  const changes = options.isUnified || isCopiedStyle || showsColumns ? found : found.filter(change => !doesNotCount(change))
  const tabSize = Number(valueOf(parsed, 'tab-size') ?? 8)
  if (!(tabSize > 0)) return failed('diff', `invalid tabsize '${valueOf(parsed, 'tab-size') ?? ''}'`, 2)
  const style: LineStyle = {
    hasInitialTab: has(parsed, 'initial-tab'),
    showLine: has(parsed, 'expand-tabs') ? line => withoutTabs(line, tabSize) : line => line,
    isIgnored: doesNotCount,
    titleAt: oldIndex => {
      if (isFunction === undefined) return ''
      let at = oldIndex - 1
      while (at >= 0 && !isFunction(leftLines[at] ?? '')) at -= 1
      const title = leftLines[at]
      return title === undefined ? '' : ` ${title.trim().slice(0, 40).trimEnd()}`
    },
  }
  const isColoured = parsed.options.findLast(({ name }) => name === 'color')?.value === 'always'
  const painted = (text: string, format: Parameters<typeof coloured>[1]): string => (isColoured ? coloured(text, format) : text)
  await letOthersRun(context.signal)
  if (showsColumns) return bytesResult(await inColumns(changes), '', changes.length === 0 ? 0 : 1)
  if (changes.every(doesNotCount) && !isMerged) return bytesResult(same)
  if (has(parsed, 'brief')) return bytesResult(`Files ${pair} differ\n`, '', 1)
  const formats = parsed.options.filter(({ name }) => isGroupOption.test(name))
  const macro = valueOf(parsed, 'ifdef')
  if (isMerged) {
    const { ifdefFormats, inGroups } = await import('../rarer/diff-groups.ts')
    const merged = new Map([
      ...(macro === undefined ? [] : ifdefFormats(macro)),
      ...formats.map(({ name, value }) => [name, bytesOfArgument(value)] as const),
    ])
    const grouped = inGroups(changes, leftLines, rightLines, merged)
    return typeof grouped === 'string' ? failed('diff', grouped, 2) : bytesResult(grouped.text, '', changes.length === 0 ? 0 : 1)
  }
  if (has(parsed, 'forward-ed')) return bytesResult(forwardScript(changes), '', 1)
  if (has(parsed, 'ed')) {
    const open = [one, other].filter((_, index) => !/^$|\n$/.test(texts[index] ?? ''))
    const warnings = open.map(name => `diff: ${name}: No newline at end of file\n\n`).join('')
    return bytesResult(edScript(changes), warnings, open.length > 0 ? 2 : 1)
  }
  if (has(parsed, 'rcs')) return bytesResult(rcs(changes), '', 1)
  if (!options.isUnified && !isCopiedStyle) {
    const shown: string[] = []
    for (const change of changes) {
      shown.push(normal(change, style))
      if (pace.isDue(8 * unitsPerItem * (change.added.length + change.removed.length))) await pace.rest()
    }
    return bytesResult(painted(await joinInParts(shown, '', pace), 'normal'), '', 1)
  }
  const header = await Promise.all(
    [one, other].map(async (name, index) => labels[index] ?? `${name}\t${await timeOf(name, context)}`),
  )
  if (isCopiedStyle) {
    const around = parsed.options.some(({ name }) => name === 'copied' || name === 'copied-lines') ? options.contextLines : 3
    const body = copied(changes, leftLines, rightLines, around, style)
    return bytesResult(painted(`*** ${header[0] ?? ''}\n--- ${header[1] ?? ''}\n${body}`, 'copied'), '', 1)
  }
  const body = unified(changes, leftLines, options.contextLines, style)
  return bytesResult(painted(`--- ${header[0] ?? ''}\n+++ ${header[1] ?? ''}\n${body}`, 'unified'), '', 1)
}

async function timeOf(name: string, { fs, cwd }: CommandContext): Promise<string> {
  const path = fs.resolvePath(cwd, name)
  // A pipe has the time at which it is read; the beginning of time would mean a missing file to patch.
  const isPipe = name === '-' || path.startsWith('/dev/fd/')
  const time = isPipe ? new Date() : (await fs.exists(path)) ? (await fs.stat(path)).mtime : new Date(0)
  return `${time.toISOString().replace('T', ' ').replace('Z', '000000')} +0000`
}

function operandProblem(operands: readonly string[]): string {
  return operands[2] === undefined ? `missing operand after '${operands[0] ?? 'diff'}'` : `extra operand '${operands[2]}'`
}
