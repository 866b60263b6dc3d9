// zip: creates or updates an archive. Existing members that are not named are copied byte for byte. Messages and exit codes are
// those of Info-ZIP 3.0, which writes its warnings to standard output.

import { crc32 } from '../../../../codec/crc32.ts'
import { emptyZip, rewriteZip, type NewZipEntry } from '../../../../codec/zip/rewrite.ts'
import type { ZipEntry } from '../../../../codec/zip/directory.ts'
import { deflateInParts } from '../../gzip.ts'
import { bytesInParts, byteTextInParts, inParts, paceOf } from '../pace.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult } from '../inputs.ts'
import { type Arguments, has, optionTable, parseArguments } from '../options.ts'
import { isThere } from '../inside-directory.ts'
import { partMatcher, plainName } from '../tar/names.ts'
import { maxUnpackedBytes, ZipArchive } from './archive.ts'
import { splitLists } from './pattern-lists.ts'
import { reasonOf } from '../../errno.ts'

const table = {
  ...optionTable(`
    -r --recurse-paths: recursive, -q --quiet: quiet, -j --junk-paths: junk, -D: no-folders, -y --symlinks: links,
    -X -g --grow: ignored, -d --delete: delete, -u --update: update, -f --freshen: freshen, -m --move: move, -@: list,
    -T --test: test, -v --verbose: verbose
  `),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, level) => [`-${level}`, `level${level}`])),
}

interface Addition {
  readonly path: string | undefined
  readonly named: string
  readonly entry: NewZipEntry
}

/**
 * `zip [-rqjDydufm0-9] ARCHIVE NAME... [-x PATTERN...]`. Exit codes: 0 on success, 3 if the archive is damaged, 12 if there is
 * nothing to do, 16 for invalid arguments.
 */
export async function zip(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const lists = await splitLists(args, context)
  if (typeof lists === 'string') return invalidArguments(lists)
  const { others, excludes, includes, isSearch } = lists
  const parsed = parseArguments(others, table)
  if (typeof parsed === 'string') {
    const [, letter] = /^invalid option -- '(.)'/.exec(parsed) ?? []
    return letter !== undefined && !laterOptions.includes(letter)
      ? invalidArguments(`short option '${letter}' not supported`)
      : failed('zip', parsed, 16)
  }
  if (parsed.options.filter(({ name }) => name === 'delete' || name === 'update' || name === 'freshen').length > 1)
    return invalidArguments('specify just one action')
  // Without any name, standard input is packed to standard output.
  const [archive = '-', ...operands] = parsed.operands.length === 0 ? ['-', '-'] : parsed.operands
  const given = has(parsed, 'list') ? [...operands, ...(await context.readStdin()).split('\n').filter(Boolean)] : operands
  const names = isSearch ? ['.'] : given
  const isPlainWalk = has(parsed, 'recursive') && excludes.length + includes.length === 0
  const typed = others.filter(arg => /^-./.test(arg)).join(' ')
  const advice = isPlainWalk && !isSearch ? `try: zip ${typed} ${archive} . -i ${names.join(' ')}` : undefined
  const isRecursive = isSearch || has(parsed, 'recursive')
  const { fs, cwd } = context
  const name = archive === '-' || /\.[^/]+$/.test(archive) ? archive : `${archive}.zip`
  const path = archive === '-' ? undefined : fs.resolvePath(cwd, name)
  const [isExcluded, isIncluded] = [matcherOf(excludes), includes.length === 0 ? () => true : matcherOf(includes)]
  const isSought = isSearch ? matcherOf(given) : () => true
  const isChosen = (member: string): boolean => isSought(member) && isIncluded(member) && !isExcluded(member)
  try {
    const target = await targetOf(name, path, fs)
    if (names.length === 0) {
      if (has(parsed, 'test')) return await testOnly(target, { parsed, context, isRecursive })
      if (has(parsed, 'delete')) return await remove([], target, isChosen, { parsed, context, isRecursive })
      if (!keepsOthers(parsed)) return said(target, `\nzip error: Nothing to do! (${name})\n`, 12)
      if (target.opened === undefined) return said(target, warning(parsed, `${name} not found or empty`), 12)
      // Without names, -u and -f look at the members.
      for (const entry of target.opened.directory.entries)
        if (entry.kind !== 'directory' && (await isThere(fs, fs.resolvePath(cwd, entry.name)))) names.push(entry.name)
      if (names.length === 0) return said(target, '', 12)
    }
    const result = has(parsed, 'delete')
      ? await remove(names, target, isChosen, { parsed, context, isRecursive })
      : await add(names, target, isChosen, { parsed, context, advice, isRecursive })
    if (!has(parsed, 'test') || result.exitCode !== 0 || path === undefined) return result
    const tested = await testOnly(
      { ...target, opened: await ZipArchive.open(await fs.readFileBuffer(path)) },
      { parsed, context, isRecursive },
    )
    return { ...tested, stdout: result.stdout + tested.stdout, stderr: result.stderr + tested.stderr }
  } catch (error) {
    return failed('zip', `${name}: ${reasonOf(error)}`, 3)
  }
}

async function targetOf(name: string, path: string | undefined, fs: CommandContext['fs']): Promise<Target> {
  const before = path !== undefined && (await fs.exists(path)) ? await fs.readFileBuffer(path) : undefined
  const opened = before === undefined ? undefined : await ZipArchive.open(before)
  // An archive without members counts as none.
  return opened?.directory.entries.length === 0
    ? { name, path, before: undefined, opened: undefined }
    : { name, path, before, opened }
}

/** Options of one letter that Info-ZIP has and this command has not. */
const laterOptions = 'bceghiklnopstxzAFHJLOPRUZ?'

function invalidArguments(problem: string): CommandResult {
  return bytesResult(bytesOfArgument(`\nzip error: Invalid command arguments (${problem})\n`), '', 16)
}

/** Reads all members of the archive, whose checksums are verified by that. */
async function testOnly({ name, opened }: Target, { parsed, context }: Run): Promise<CommandResult> {
  if (opened === undefined) return bytesResult(bytesOfArgument(`\nzip error: Nothing to do! (${name})\n`), '', 12)
  let lines = ''
  try {
    for (const entry of opened.directory.entries) {
      await opened.contentOf(entry, context.signal)
      lines += `    testing: ${entry.name.padEnd(22)}   OK\n`
    }
  } catch (error) {
    return failed('zip', `error: Zip file invalid or corrupt (${name}): ${reasonOf(error)}`, 8)
  }
  const members = has(parsed, 'verbose') ? `Archive:  ${name}\n${lines}No errors detected in compressed data of ${name}.\n` : ''
  return bytesResult(bytesOfArgument(has(parsed, 'quiet') ? '' : `${members}test of ${name} OK\n`))
}

/** Whether members and files that are not newer stay as they are. */
function keepsOthers(parsed: Arguments): boolean {
  return has(parsed, 'update') || has(parsed, 'freshen')
}

/** -q leaves out all warnings. */
function warning(parsed: Arguments, text: string): string {
  return has(parsed, 'quiet') ? '' : `\tzip warning: ${text}\n`
}

interface Run {
  readonly isRecursive: boolean
  /** What is printed in the place of the archive's name when there is nothing to do. */
  readonly advice?: string | undefined
  readonly parsed: Arguments
  readonly context: CommandContext
}

/** The archive file and its previous content. */
interface Target {
  readonly name: string
  /** `undefined` for standard output. */
  readonly path: string | undefined
  readonly before: Uint8Array | undefined
  readonly opened: ZipArchive | undefined
}

async function add(
  names: readonly string[],
  target: Target,
  isChosen: (member: string) => boolean,
  run: Run,
): Promise<CommandResult> {
  const { parsed, context } = run
  const directory = target.opened?.directory ?? emptyZip
  const places = new Map(directory.entries.map(({ name }, index) => [name, index]))
  const collected = await collect(names, { ...run, skipped: target.path, isChosen })
  const { additions } = collected
  const isUpdateOfNothing = keepsOthers(parsed) && target.opened === undefined
  const problems = isUpdateOfNothing
    ? warning(parsed, `${target.name} not found or empty`) + collected.problems
    : collected.problems
  const repeated = repeatedName(additions)
  if (repeated !== undefined) return said(target, `${problems}${repeated}`, 16)
  const isWanted = ({ entry: { name, mtimeMs } }: Addition): boolean => {
    const place = places.get(name)
    if (!keepsOthers(parsed)) return true
    if (place === undefined) return has(parsed, 'update')
    // Timestamps in the format have whole seconds.
    return Math.floor(mtimeMs / 1000) > Math.floor((directory.entries[place]?.mtimeMs ?? 0) / 1000)
  }
  const wanted = additions.filter(isWanted)
  if (additions.length === 0 && !isUpdateOfNothing)
    return said(target, `${problems}\nzip error: Nothing to do! (${run.advice ?? target.name})\n`, 12)
  if (wanted.length === 0) return said(target, problems, 12)
  const replaced = new Map<number, NewZipEntry>()
  const added: NewZipEntry[] = []
  const pace = paceOf(context.signal)
  for (const { entry } of wanted) {
    const place = places.get(entry.name)
    let checksum = 0
    await inParts(entry.content.length, pace, (from, to) => {
      checksum = crc32(entry.content.subarray(from, to), checksum)
    })
    const packed = { ...entry, deflated: await deflateInParts(entry.content, entry.level ?? 6, pace), checksum }
    if (place === undefined) added.push(packed)
    else replaced.set(place, packed)
  }
  const zipped = rewriteZip(target.before ?? new Uint8Array(), directory, { replaced, added })
  if (target.path === undefined) return bytesResult(await byteTextInParts(zipped, pace), bytesOfArgument(problems))
  // The new archive is parsed before it replaces the old one, because a bug here would destroy the other members.
  const { entries } = (await ZipArchive.open(zipped)).directory
  const packedBytes = new Map(entries.map(entry => [entry.name, entry]))
  const lines = wanted.map(({ entry: { name } }) => {
    const { method = 0, packedBytes: packed = 0, sizeBytes = 0 } = packedBytes.get(name) ?? {}
    const saved = savedPercent(sizeBytes, packed)
    const sizes = has(parsed, 'verbose') ? `\t(in=${sizeBytes}) (out=${packed})` : ''
    const verb = !places.has(name) ? '  adding' : has(parsed, 'freshen') ? 'freshening' : 'updating'
    return `${verb}: ${name}${sizes} (${method === 0 ? 'stored' : 'deflated'} ${saved}%)\n`
  })
  if (has(parsed, 'verbose')) lines.push(totalsOf(entries))
  await context.fs.writeFile(target.path, zipped)
  if (has(parsed, 'move')) await removeSources(wanted, context)
  return bytesResult(bytesOfArgument(`${problems}${has(parsed, 'quiet') ? '' : lines.join('')}`))
}

function savedPercent(sizeBytes: number, packedBytes: number): number {
  return sizeBytes > packedBytes ? Math.floor((1 + Math.floor((200 * (sizeBytes - packedBytes)) / sizeBytes)) / 2) : 0
}

function totalsOf(entries: readonly ZipEntry[]): string {
  const size = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const packed = entries.reduce((sum, { packedBytes }) => sum + packedBytes, 0)
  return `total bytes=${size}, compressed=${packed} -> ${savedPercent(size, packed)}% savings\n`
}

/** Removes directories last, and only if they are empty. */
async function removeSources(wanted: readonly Addition[], { fs }: CommandContext): Promise<void> {
  for (const { path, entry } of wanted.toReversed()) {
    if (path === undefined) continue
    if (entry.kind !== 'directory') await fs.rm(path)
    else if ((await fs.readdir(path)).length === 0) await fs.rm(path, { recursive: true })
  }
}

/** A directory is meant with and without its slash. */
function isMeant(test: ((name: string) => boolean) | undefined, name: string): boolean {
  return test !== undefined && (test(name) || (name.endsWith('/') && test(name.slice(0, -1))))
}

async function remove(
  names: readonly string[],
  target: Target,
  isChosen: (member: string) => boolean,
  { parsed, context }: Run,
): Promise<CommandResult> {
  const { opened, before, path } = target
  const nothing = `\nzip error: Nothing to do! (${target.name})\n`
  if (opened === undefined || before === undefined || path === undefined)
    return said(target, `${warning(parsed, `${target.name} not found or empty`)}${nothing}`, 12)
  const { directory } = opened
  const tests = names.map(partMatcher)
  const gone = new Map<number, undefined>()
  for (const [index, { name }] of directory.entries.entries())
    if (isChosen(name) && tests.some(test => isMeant(test, name))) gone.set(index, undefined)
  const missing = names.filter((_, index) => !directory.entries.some(({ name }) => isMeant(tests[index], name)))
  const problems = missing.map(name => warning(parsed, `name not matched: ${name}`)).join('')
  if (gone.size === 0) return said(target, `${problems}${nothing}`, 12)
  const deleted = directory.entries.flatMap(({ name }, index) => (gone.has(index) ? [`deleting: ${name}\n`] : [])).join('')
  const isEmpty = gone.size === directory.entries.length
  await context.fs.writeFile(path, rewriteZip(before, directory, { replaced: gone, added: [] }))
  const rest = isEmpty ? warning(parsed, 'zip file empty') : ''
  return said(target, `${problems}${has(parsed, 'quiet') ? '' : deleted}${rest}`, 0)
}

/** Messages go to standard error if the archive goes to standard output. */
function said({ path }: Target, text: string, exitCode: number): CommandResult {
  const bytes = bytesOfArgument(text)
  return path === undefined ? bytesResult('', bytes, exitCode) : bytesResult(bytes, '', exitCode)
}

function repeatedName(additions: readonly Addition[]): string | undefined {
  const byName = new Map<string, Addition>()
  for (const addition of additions) {
    const first = byName.get(addition.entry.name)
    if (first !== undefined && first.path !== addition.path)
      return `\tzip warning:   first full name: ${first.named}
                      second full name: ${addition.named}
                     name in zip file repeated: ${addition.entry.name}
                     this may be a result of using -j

zip error: Invalid command arguments (cannot repeat names in zip file)
`
    byName.set(addition.entry.name, addition)
  }
  return undefined
}

function levelOf({ options }: Arguments): Level {
  const last = options.findLast(({ name }) => name.startsWith('level'))
  return levels[Number(last?.name.slice('level'.length) ?? 6)] ?? 6
}

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
const levels: readonly Level[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map(pattern => partMatcher(pattern))
  return name => tests.some(test => test(name))
}

interface Collecting extends Run {
  /** The path of the archive, which is never added to itself. */
  readonly skipped: string | undefined
  readonly isChosen: (name: string) => boolean
}

interface Collected {
  readonly additions: readonly Addition[]
  readonly problems: string
}

async function collect(
  names: readonly string[],
  { parsed, context, skipped, isChosen, isRecursive }: Collecting,
): Promise<Collected> {
  const { fs, cwd, signal } = context
  const level = levelOf(parsed)
  const additions: Addition[] = []
  let problems = ''
  let sizeBytes = 0
  const push = (path: string | undefined, entry: NewZipEntry): void => {
    sizeBytes += entry.content.length
    if (sizeBytes > maxUnpackedBytes) throw new Error(`more than ${maxUnpackedBytes} bytes; make several archives`)
    const named = path?.startsWith(`${cwd}/`) === true ? path.slice(cwd.length + 1) : (path ?? '-')
    additions.push({ path, named, entry })
  }
  /** `above`: the real paths of the directories that lead here. */
  const walk = async (path: string, name: string, above: readonly string[]): Promise<void> => {
    signal.throwIfAborted()
    if (path === skipped) return
    const own = await fs.lstat(path)
    const isLink = own.isSymbolicLink && has(parsed, 'links')
    if (!isLink && !(await fs.exists(path))) {
      problems += warning(parsed, `name not matched: ${name}`)
      return
    }
    const { isDirectory, mode, mtime } = isLink ? own : await fs.stat(path)
    const kept = has(parsed, 'junk') ? name.slice(name.lastIndexOf('/') + 1) : name
    if (isDirectory && !isLink) {
      const hasEntry = name !== '' && !has(parsed, 'junk') && !has(parsed, 'no-folders') && isChosen(`${name}/`)
      if (hasEntry)
        push(path, {
          name: `${name}/`,
          kind: 'directory',
          content: new Uint8Array(),
          mode: mode & 0o777,
          mtimeMs: mtime.getTime(),
        })
      if (!isRecursive) return
      const real = await fs.realpath(path)
      if (above.includes(real)) throw new Error(`${name} leads back to a directory above it; give -y to store links as links`)
      for (const child of await fs.readdir(path))
        await walk(`${path === '/' ? '' : path}/${child}`, name === '' ? child : `${name}/${child}`, [...above, real])
      return
    }
    if (!isChosen(name)) return
    const content = isLink ? new TextEncoder().encode(await fs.readlink(path)) : await fs.readFileBuffer(path)
    push(path, { name: kept, kind: isLink ? 'symlink' : 'file', content, mode: mode & 0o777, mtimeMs: mtime.getTime(), level })
  }
  for (const named of names) {
    const path = fs.resolvePath(cwd, named)
    if (named === '-')
      push(undefined, {
        name: '-',
        content: await bytesInParts(await context.readStdin(), paceOf(signal)),
        mode: 0o600,
        mtimeMs: Date.now(),
        level,
      })
    else if (await isThere(fs, path)) await walk(path, plainName(named), [])
    else problems += warning(parsed, `name not matched: ${named}`)
  }
  return { additions, problems }
}
