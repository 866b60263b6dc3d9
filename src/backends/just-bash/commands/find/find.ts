// find: visits the entries of each directory in order of their names and evaluates the expression for each entry.

import { BrokenPipeError } from '../../../../shell/commands.ts'
import { latin1Bytes } from '../../encoding.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { quote } from '../../script.ts'
import { millisecondsOf, parseTime } from '../date/parse-time.ts'
import { fromZone, inZone } from '../../format/time-format.ts'
import { bytesOfArgument, bytesResult } from '../inputs.ts'
import type { CommandStat } from '../text-files.ts'
import { partMatcher } from '../tar/names.ts'
import { childEntries, letterOf, nameOf, startEntry, type Entry, type Kind } from './entry.ts'
import { compares, ExpressionError, readExpression, type Asked, type Expression, type FileTime } from './expression.ts'
import { formatted, longLine } from './format.ts'
import { createRegexTests, type RegexTests } from './regex-tests.ts'
import { reasonOf } from '../../errno.ts'

/** The limit on entries visited per search. */
const maxEntries = 1_000_000
/** Output is flushed in pieces of this length, so that a closed pipe ends the search early. */
const printedLength = 8192
/** The maximum number of paths for one `-exec … +` command. */
const maxGathered = 5000

interface Search extends Asked {
  readonly context: CommandContext
  readonly follows: boolean
  readonly nowMs: number
  readonly zone: string
  /** Lines of standard input that -ok has not read yet. */
  answers: string[] | undefined
  readonly regexes: RegexTests
  readonly matchers: Map<string, (name: string) => boolean>
  readonly gathered: Map<number, { readonly exec: Exec; readonly directory: string; paths: string[] }>
  readonly written: Map<string, string>
  stdout: string
  stderr: string
  exitCode: number
  entryCount: number
  hasQuit: boolean
}

type Exec = Extract<Expression, { readonly kind: 'exec' }>

/** `find [-HLP] [PATH]... [EXPRESSION]`. Exit codes: 0, or 1 if an entry could not be read. */
export async function find(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  // -D and -O say how to search, which changes nothing here.
  const given = args.filter((arg, index) => !/^-O[0-3]?$|^-D$/.test(arg) && args[index - 1] !== '-D')
  const links = given.findIndex(arg => !/^-[HLP]$/.test(arg))
  const flags = given.slice(0, links === -1 ? given.length : links)
  const rest = given.slice(flags.length)
  const begin = rest.findIndex(arg => /^-.|^[!(]$/.test(arg))
  const starts = begin === -1 ? rest : rest.slice(0, begin)
  let asked: Asked
  try {
    asked = readExpression(begin === -1 ? [] : rest.slice(begin))
  } catch (error) {
    if (error instanceof ExpressionError) return failed('find', error.message)
    throw error
  }
  const search: Search = {
    ...asked,
    context,
    follows: flags.at(-1) === '-L' || asked.settings.follows,
    nowMs: Date.now(),
    zone: context.env['TZ'] ?? '',
    answers: undefined,
    regexes: createRegexTests(context),
    matchers: new Map(),
    gathered: new Map(),
    written: new Map(asked.settings.files.map(file => [file, ''])),
    stdout: '',
    stderr: '',
    exitCode: 0,
    entryCount: 0,
    hasQuit: false,
  }
  try {
    for (const start of starts.length === 0 ? ['.'] : starts) {
      const path = context.fs.resolvePath(context.cwd, start)
      try {
        await visit(
          await startEntry(context.fs, start, path, search.follows || flags.at(-1) === '-H' || start.endsWith('/')),
          [],
          search,
        )
      } catch (error) {
        if (error instanceof ExpressionError || error instanceof BrokenPipeError) throw error
        complain(search, start, error)
      }
      if (search.hasQuit) break
    }
    for (const id of search.gathered.keys()) await runGathered(id, search)
    for (const [file, text] of search.written)
      await context.fs.writeFile(context.fs.resolvePath(context.cwd, file), latin1Bytes(text))
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    search.stderr += `find: ${error.message}\n`
    search.exitCode = 1
  }
  return bytesResult(search.stdout, search.stderr, search.exitCode)
}

async function flush(search: Search): Promise<void> {
  const { stdout } = search
  search.stdout = ''
  await search.context.print(stdout)
}

function complain(search: Search, shown: string, error: unknown): void {
  search.stderr += `find: '${shown}': ${reasonOf(error)}\n`
  search.exitCode = 1
}

async function visit(entry: Entry, above: readonly string[], search: Search): Promise<void> {
  const { context, settings } = search
  context.signal.throwIfAborted()
  search.entryCount += 1
  if (search.entryCount > maxEntries) throw new ExpressionError(`stopped after ${maxEntries} entries; search a smaller directory`)
  const isIn = entry.depth >= settings.minDepth
  let isPruned = false
  const look = async (): Promise<void> => {
    if (!isIn) return
    isPruned = (await holds(search.expression, entry, search)).isPruned
  }
  if (!settings.isDepthFirst) await look()
  if (search.hasQuit) return
  if (entry.kind.isDirectory && !entry.kind.isSymbolicLink && !isPruned && entry.depth < settings.maxDepth) {
    try {
      // A symbolic link to an ancestor directory would be followed forever.
      const real = search.follows ? await context.fs.realpath(entry.path) : entry.path
      if (above.includes(real)) throw new Error('the symbolic link points to a parent directory; skipped')
      for (const child of await childEntries(context.fs, entry, search.follows)) {
        await visit(child, search.follows ? [...above, real] : above, search)
        if (search.stdout.length >= printedLength) await flush(search)
        if (search.hasQuit) return
      }
    } catch (error) {
      if (error instanceof ExpressionError || error instanceof BrokenPipeError) throw error
      complain(search, entry.shown, error)
    }
  }
  if (settings.isDepthFirst) await look()
}

interface Answer {
  readonly isTrue: boolean
  readonly isPruned: boolean
}

async function holds(expression: Expression, entry: Entry, search: Search): Promise<Answer> {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'list': {
      // The left operands of a long list are nested as deep as the list is long.
      const chain: (typeof expression)[] = []
      let first: Expression = expression
      for (; first.kind === 'and' || first.kind === 'or' || first.kind === 'list'; first = first.left) chain.push(first)
      let left = await holds(first, entry, search)
      for (const { kind, right: operand } of chain.toReversed()) {
        if (search.hasQuit) return left
        if (kind !== 'list' && left.isTrue === (kind === 'or')) continue
        const right = await holds(operand, entry, search)
        left = { isTrue: right.isTrue, isPruned: left.isPruned || right.isPruned }
      }
      return left
    }
    case 'not': {
      const { isTrue, isPruned } = await holds(expression.operand, entry, search)
      return { isTrue: !isTrue, isPruned }
    }
    case 'prune':
      return { isTrue: true, isPruned: true }
    default:
      return { isTrue: await isTrue(expression, entry, search), isPruned: false }
  }
}

type Leaf = Exclude<Expression, { readonly kind: 'and' | 'or' | 'list' | 'not' | 'prune' }>

async function isTrue(test: Leaf, entry: Entry, search: Search): Promise<boolean> {
  const { fs, cwd } = search.context
  switch (test.kind) {
    case 'constant':
      return test.value
    case 'name':
      return fits(test, nameOf(entry), search)
    case 'path':
      return fits(test, entry.shown, search)
    case 'link-name':
      return entry.kind.isSymbolicLink && fits(test, await fs.readlink(entry.path), search)
    case 'regex':
      return search.regexes.fits(test, entry)
    case 'type': {
      return test.letters.includes(letterOf(test.follows ? await otherSide(entry, search) : entry.kind))
    }
    case 'size':
      return compares(test.compared, Math.ceil((await entry.stat()).size / test.unitBytes))
    case 'age': {
      const fromMs = test.isFromDayEnd ? dayEndMs(search) : search.nowMs
      const age = (fromMs - timeOfAge(await entry.stat(), test.time, search.nowMs)) / test.unitMs
      // -mtime counts complete days; -mmin rounds minutes up, as GNU find does.
      return compares(test.compared, test.unitMs > 60_000 ? Math.floor(age) : test.compared.sign === '' ? Math.ceil(age) : age)
    }
    case 'links':
      return compares(test.compared, (await entry.stat()).nlink)
    case 'inode':
      return compares(test.compared, (await entry.stat()).ino)
    case 'newer':
      return (await entry.stat())[test.time] > (await fs.stat(fs.resolvePath(cwd, test.file)))[test.fileTime]
    case 'newer-than': {
      const time = parseTime(test.date, search.nowMs, search.zone)
      if (time === undefined)
        throw new ExpressionError(`the date '${test.date}' is not understood here; write it as 2026-01-31 12:00`)
      return (await entry.stat())[test.time].getTime() > millisecondsOf(time)
    }
    case 'same-file':
      return (await entry.stat()).ino === (await fs.stat(fs.resolvePath(cwd, test.file))).ino
    case 'mode': {
      const bits = (await entry.stat()).mode & 0o7777
      if (test.how === 'exact') return bits === test.bits
      return test.how === 'all' ? (bits & test.bits) === test.bits : test.bits === 0 || (bits & test.bits) !== 0
    }
    case 'access':
      // What a link leads to is asked, and a broken one gives no access.
      return (await fs.exists(entry.path)) && (((await fs.stat(entry.path)).mode >> 6) & test.bit) !== 0
    case 'empty':
      if (entry.kind.isDirectory) return (await fs.readdir(entry.path)).length === 0
      return entry.kind.isFile && (await entry.stat()).size === 0
    default:
      return act(test, entry, search)
  }
}

/** What `-xtype` looks at: the target of a link, or the link itself where links are followed. */
async function otherSide({ kind, path }: Entry, { context: { fs }, follows }: Search): Promise<Kind> {
  if (follows) return fs.lstat(path)
  return kind.isSymbolicLink && (await fs.exists(path)) ? fs.stat(path) : kind
}

type Action = Extract<Leaf, { readonly kind: 'quit' | 'delete' | 'print' | 'printf' | 'ls' | 'exec' }>

async function act(action: Action, entry: Entry, search: Search): Promise<boolean> {
  const { fs } = search.context
  const readLink = (): Promise<string> => fs.readlink(entry.path)
  switch (action.kind) {
    case 'quit':
      search.hasQuit = true
      return true
    case 'print':
      say(search, `${entry.shown}${action.end}`, action.file)
      return true
    case 'printf':
      say(search, await formatted(action.format, entry, { readLink, zone: search.zone }), action.file)
      return true
    case 'ls':
      say(search, await longLine(entry, search.nowMs, { readLink, zone: search.zone }), action.file)
      return true
    case 'delete':
      if (entry.shown === '.') return true
      try {
        await fs.rm(entry.path)
        return true
      } catch (error) {
        search.stderr += `find: cannot delete '${entry.shown}': ${reasonOf(error)}\n`
        search.exitCode = 1
        return false
      }
    case 'exec':
      return execute(action, entry, search)
    default:
      throw new Error(`unreachable: ${JSON.stringify(action satisfies never)}`)
  }
}

function say(search: Search, text: string, file: string | undefined): void {
  if (file === undefined || file === '/dev/stdout') search.stdout += bytesOfArgument(text)
  else search.written.set(file, (search.written.get(file) ?? '') + bytesOfArgument(text))
}

function fits(
  { pattern, ignoresCase }: { readonly pattern: string; readonly ignoresCase: boolean },
  text: string,
  search: Search,
): boolean {
  const wanted = ignoresCase ? pattern.toLowerCase() : pattern
  const matcher = search.matchers.get(wanted) ?? partMatcher(wanted)
  search.matchers.set(wanted, matcher)
  return matcher(ignoresCase ? text.toLowerCase() : text)
}

async function execute(exec: Exec, entry: Entry, search: Search): Promise<boolean> {
  const [directory, path] = exec.inDirectory ? placeOf(entry, search) : ['', entry.shown]
  if (!exec.isMany) {
    if (exec.asks && !(await isConfirmed(exec, entry, search))) return false
    const result = await run(
      exec.words.map(word => word.replaceAll('{}', () => path)),
      directory,
      search,
    )
    return result === 0
  }
  const known = search.gathered.get(exec.id)
  if (known !== undefined && (known.directory !== directory || known.paths.length >= maxGathered))
    await runGathered(exec.id, search)
  const group = search.gathered.get(exec.id) ?? { exec, directory, paths: [] }
  group.paths.push(path)
  search.gathered.set(exec.id, group)
  return true
}

/** The directory in which -execdir runs, and the name there. A starting point without a name, as `.`, is named in the working directory. */
function placeOf({ shown, path, depth }: Entry, { context }: Search): [directory: string, name: string] {
  const trimmed = shown.replace(/\/+$/, '')
  if (trimmed === '') return ['/', '/']
  const slash = path.lastIndexOf('/')
  const last = trimmed.slice(trimmed.lastIndexOf('/') + 1)
  if (depth === 0 && (last === '.' || last === '..'))
    return [context.fs.resolvePath(context.cwd, trimmed.slice(0, trimmed.length - last.length) || '.'), `./${last}`]
  return [path.slice(0, slash) || '/', `./${path.slice(slash + 1)}${shown === trimmed ? '' : '/'}`]
}

/** Asks on standard error; the next line of standard input answers. */
async function isConfirmed(exec: Exec, entry: Entry, search: Search): Promise<boolean> {
  search.stderr += `< ${exec.words[0] ?? ''} ... ${entry.shown} > ? `
  search.answers ??= (await search.context.readStdin()).split('\n')
  return /^\s*[yY]/.test(search.answers.shift() ?? '')
}

/**
 * Changes in one millisecond get times one millisecond apart, so the last ones can be ahead of the clock. They count as made now. A
 * time of modification that a program has set into the future stays there.
 */
function timeOfAge(stat: CommandStat, time: FileTime, nowMs: number): number {
  const timeMs = stat[time].getTime()
  return stat[time] > stat.ctime ? timeMs : Math.min(nowMs, timeMs)
}

/** -daystart: days are counted back from the end of today. */
function dayEndMs({ nowMs, zone }: Search): number {
  const dayMs = 86_400_000
  const localMs = (inZone(nowMs, zone) ?? inZone(nowMs, ''))?.local.getTime() ?? nowMs
  return fromZone((Math.floor(localMs / dayMs) + 1) * dayMs, zone)
}

async function runGathered(id: number, search: Search): Promise<void> {
  const group = search.gathered.get(id)
  search.gathered.delete(id)
  if (group === undefined) return
  if ((await run([...group.exec.words, ...group.paths], group.directory, search)) !== 0) search.exitCode = 1
}

async function run(words: readonly string[], directory: string, search: Search): Promise<number> {
  const [file = '', ...given] = words
  const { context } = search
  const result =
    directory === ''
      ? await context.exec(file, given, undefined, '')
      : await context.exec('sh', ['-c', `cd ${quote(directory)} && ${words.map(quote).join(' ')}`], undefined, '')
  search.stdout += result.stdoutKind === 'bytes' ? result.stdout : bytesOfArgument(result.stdout)
  search.stderr += result.stderr
  return result.exitCode
}
