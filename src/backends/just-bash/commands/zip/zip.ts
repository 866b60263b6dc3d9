// Makes an archive, or brings one up to date: what it holds and is not named stays in it.

import { zipSync, type ZipOptions } from 'fflate'
import { latin1Text } from '../../encoding.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, reasonOf } from '../inputs.ts'
import { has, parseArguments, type Arguments } from '../options.ts'
import { isThere } from '../inside-directory.ts'
import { partMatcher, plainName } from '../tar/names.ts'
import { maxUnpackedBytes, readMembers } from './members.ts'

const table = {
  '-r': 'recursive',
  '--recurse-paths': 'recursive',
  '-q': 'quiet',
  '--quiet': 'quiet',
  '-j': 'junk',
  '--junk-paths': 'junk',
  '-D': 'no-folders',
  '-y': 'links',
  '--symlinks': 'links',
  '-X': 'ignored',
  '-u': 'ignored',
  '-@': 'list',
  ...Object.fromEntries(Array.from({ length: 10 }, (_, level) => [`-${level}`, `level${level}`])),
}

interface Addition {
  readonly name: string
  readonly data: Uint8Array
  readonly mode: number
  readonly modified: Date
}

const maxMembers = 65_534

/** `zip [-rqjDy0-9] ARCHIVE NAME... [-x PATTERN...]`: 0 done, 12 nothing to do. */
export async function zip(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const excludes: string[] = []
  const includes: string[] = []
  const others: string[] = []
  let into: string[] = others
  for (const arg of args) {
    if (arg === '-x' || arg === '--exclude') into = excludes
    else if (arg === '-i' || arg === '--include') into = includes
    else {
      if (arg.startsWith('-') && arg !== '-') into = others
      // A `@` ends such a list.
      if (arg === '@' && into !== others) into = others
      else into.push(arg)
    }
  }
  const parsed = parseArguments(others, table)
  if (typeof parsed === 'string') return failed('zip', parsed, 16)
  const [archive, ...operands] = parsed.operands
  const names = has(parsed, 'list') ? [...operands, ...(await context.readStdin()).split('\n').filter(Boolean)] : operands
  if (archive === undefined || names.length === 0) return failed('zip', 'give an archive, and the names of what goes into it', 16)
  const { fs, cwd } = context
  const shown = archive === '-' ? '-' : /\.[^/]+$/.test(archive) ? archive : `${archive}.zip`
  const path = fs.resolvePath(cwd, shown)
  const [isExcluded, isIncluded] = [matcherOf(excludes), includes.length === 0 ? () => true : matcherOf(includes)]
  try {
    const level = levelOf(parsed)
    const archived = new Map<string, Addition>()
    if (archive !== '-' && (await fs.exists(path))) {
      for (const { name, content, modified, mode = 0o644, isLink } of readMembers(await fs.readFileBuffer(path)))
        archived.set(name, { name, data: content(), mode: (isLink ? linkBits : fileBits) | mode, modified })
    }
    const isChosen = (name: string): boolean => isIncluded(name) && !isExcluded(name)
    const { additions, problems } = await collect(names, { parsed, context, skipped: path, isChosen })
    if (additions.length === 0) return { stdout: '', stderr: `${problems}\nzip error: Nothing to do! (${shown})\n`, exitCode: 12 }
    let said = ''
    for (const addition of additions) {
      said += `${archived.has(addition.name) ? 'updating' : '  adding'}: ${addition.name}\n`
      archived.set(addition.name, addition)
    }
    if (archived.size > maxMembers) return failed('zip', `more than ${maxMembers} members; make several archives`, 6)
    const members = Array.from(archived.values(), (member): [string, [Uint8Array, ZipOptions]] => [
      member.name,
      [member.data, optionsOf(member, level)],
    ])
    const zipped = zipSync(Object.fromEntries(members))
    if (archive === '-') return bytesResult(latin1Text(zipped), problems, 0)
    await fs.writeFile(path, zipped)
    return bytesResult(has(parsed, 'quiet') ? '' : bytesOfArgument(said), problems, 0)
  } catch (error) {
    return failed('zip', `${shown}: ${reasonOf(error)}`, 3)
  }
}

function levelOf({ options }: Arguments): Level {
  const last = options.findLast(({ name }) => name.startsWith('level'))
  return levels[Number(last?.name.slice('level'.length) ?? 6)] ?? 6
}

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
const levels: readonly Level[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

const unix = 3
// What the format can say.
const earliestMs = Date.UTC(1980, 0, 1)
const latestMs = Date.UTC(2099, 11, 31)

function optionsOf({ data, mode, modified }: Omit<Addition, 'name'>, level: Level): ZipOptions {
  const timeMs = Math.min(latestMs, Math.max(earliestMs, modified.getTime()))
  const extra = new Uint8Array(5)
  const view = new DataView(extra.buffer)
  view.setUint8(0, 1)
  view.setInt32(1, Math.floor(modified.getTime() / 1000), true)
  return {
    level: data.length === 0 ? 0 : level,
    os: unix,
    attrs: mode * 2 ** 16,
    // It writes the time of this machine's zone; the shell's is UTC.
    mtime: new Date(timeMs + new Date(timeMs).getTimezoneOffset() * 60_000),
    extra: { 0x5455: extra },
  }
}

function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map(pattern => partMatcher(pattern))
  return name => tests.some(test => test(name))
}

interface Collecting {
  readonly parsed: Arguments
  readonly context: CommandContext
  /** The archive itself never goes into itself. */
  readonly skipped: string
  readonly isChosen: (name: string) => boolean
}

interface Collected {
  readonly additions: readonly Addition[]
  readonly problems: string
}

const linkBits = 0o120000
const fileBits = 0o100000
const folderBits = 0o040000

async function collect(names: readonly string[], { parsed, context, skipped, isChosen }: Collecting): Promise<Collected> {
  const { fs, cwd, signal } = context
  const additions: Addition[] = []
  let problems = ''
  let sizeBytes = 0
  const add = async (path: string, name: string, isNamed: boolean): Promise<void> => {
    signal.throwIfAborted()
    if (path === skipped) return
    const own = await fs.lstat(path)
    const isLink = own.isSymbolicLink && has(parsed, 'links')
    const { isDirectory, mode, mtime } = isLink ? own : await fs.stat(path)
    const kept = has(parsed, 'junk') ? name.slice(name.lastIndexOf('/') + 1) : name
    if (isDirectory && !isLink) {
      const hasEntry = name !== '' && !has(parsed, 'junk') && !has(parsed, 'no-folders') && isChosen(`${name}/`)
      if (hasEntry)
        additions.push({ name: `${name}/`, data: new Uint8Array(), mode: folderBits | (mode & 0o777), modified: mtime })
      // A link to a directory is gone into only where it is named, so that no circle is walked.
      if (!has(parsed, 'recursive') || (own.isSymbolicLink && !isNamed)) return
      for (const child of await fs.readdir(path))
        await add(`${path === '/' ? '' : path}/${child}`, name === '' ? child : `${name}/${child}`, false)
      return
    }
    if (!isChosen(name)) return
    const data = isLink ? new TextEncoder().encode(await fs.readlink(path)) : await fs.readFileBuffer(path)
    // What packs knows its members by their names, as an object's properties.
    if (kept === '__proto__') throw new Error('a file of the name __proto__ cannot be packed; rename it')
    sizeBytes += data.length
    if (sizeBytes > maxUnpackedBytes) throw new Error(`more than ${maxUnpackedBytes} bytes; make several archives`)
    additions.push({ name: kept, data, mode: (isLink ? linkBits : fileBits) | (mode & 0o777), modified: mtime })
  }
  for (const named of names) {
    const path = fs.resolvePath(cwd, named)
    if (await isThere(fs, path)) await add(path, plainNameOf(named), true)
    else problems += `\tzip warning: name not matched: ${named}\n`
  }
  return { additions, problems }
}

/** As it is kept: no `/` in front, and nothing of `.` and `..`. */
function plainNameOf(named: string): string {
  return plainName(named)
    .split('/')
    .filter(part => part !== '..')
    .join('/')
}
