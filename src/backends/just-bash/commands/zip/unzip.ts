// unzip: extracts archives. No member is written outside the directory, whatever its name, and existing files are overwritten
// only on request: Info-ZIP would prompt at a terminal, but there is none.

import type { ZipEntry } from '../../../../codec/zip/directory.ts'
import { byteTextInParts, paceOf } from '../pace.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { isThere, makeParents } from '../inside-directory.ts'
import { bytesOfArgument, bytesResult } from '../inputs.ts'
import { type Arguments, has, optionTable, parseArguments, valueOf } from '../options.ts'
import { climbs, partMatcher, plainName } from '../tar/names.ts'
import { ZipArchive } from './archive.ts'
import { hasUnixModes, zipInfo } from './zip-info.ts'
import { reasonOf } from '../../errno.ts'

const table = optionTable(`
  -l: list, -p: print, -c: show, -v: verbose, -o: overwrite, -u: update, -f: freshen, -n: never, -q: quiet, -j: junk, -t: test,
  -d: directory=, -1: names, -Z: info
`)

const usage = `Usage: unzip [-clptvZ] [-foqnuj] [-d DIRECTORY] ARCHIVE[.zip] [NAME]... [-x NAME...]
Extracts the archive, or lists it with -l, -v and -Z.
`

interface Run {
  readonly name: string
  readonly archive: ZipArchive
  readonly parsed: Arguments
  readonly chosen: readonly ZipEntry[]
  readonly context: CommandContext
}

/**
 * `unzip [-clptv] [-oqnj] [-d DIRECTORY] ARCHIVE [NAME]... [-x NAME...]`. Exit codes: 0 on success, 1 if a member was skipped, 9 if
 * the file is not an archive, 11 if no member matches.
 */
export async function unzip(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  // -x takes all arguments up to the next option.
  const excludes: string[] = []
  const others: string[] = []
  let isExcluding = false
  for (const arg of args) {
    if (arg === '-x' || arg.startsWith('-')) isExcluding = arg === '-x'
    if (arg === '-x') continue
    if (isExcluding) excludes.push(arg)
    else others.push(arg)
  }
  const parsed = parseArguments(others, table)
  if (typeof parsed === 'string') return failed('unzip', parsed, 10)
  const isInfo = has(parsed, 'info') && !has(parsed, 'names')
  if (isInfo && parsed.options.length > 1) return failed('unzip', '-Z is available here alone and as -Z1; use -v for more', 10)
  const [given, ...names] = parsed.operands
  if (given === undefined)
    return parsed.options.length === 0 ? bytesResult(usage) : failed('unzip', 'give the name of an archive', 10)
  const { fs, cwd } = context
  let archive: ZipArchive
  let archiveBytes = 0
  let name = given
  try {
    if (!(await fs.exists(fs.resolvePath(cwd, name)))) name = `${given}.zip`
    const bytes = await fs.readFileBuffer(fs.resolvePath(cwd, name))
    archiveBytes = bytes.length
    archive = await ZipArchive.open(bytes)
  } catch (error) {
    const reason = reasonOf(error)
    const isMissing = reason === 'No such file or directory'
    if (isMissing) return failed('unzip', `cannot find or open ${given}, ${given}.zip`, 9)
    return bytesResult(titleOf(name, parsed), `unzip: ${name}: ${reason}\n`, 9)
  }
  const { entries } = archive.directory
  if (entries.length === 0) return ofEmpty(name, archiveBytes, parsed)
  const wanted = names.map(partMatcher)
  const unwanted = excludes.map(partMatcher)
  const chosen = entries.filter(
    entry => (wanted.length === 0 || wanted.some(test => test(entry.name))) && !unwanted.some(test => test(entry.name)),
  )
  const missing = names.filter((_, index) => !entries.some(entry => wanted[index]?.(entry.name) === true))
  const notFound = missing.map(pattern => `caution: filename not matched:  ${pattern}\n`).join('')
  if (isInfo) {
    if (!hasUnixModes(chosen)) return failed('unzip', '-Z of an archive from another system is not available here; use -v', 10)
    const info = zipInfo(name, archiveBytes, chosen, names.length === 0 && excludes.length === 0)
    return bytesResult(bytesOfArgument(info), notFound, missing.length === 0 ? 0 : 11)
  }
  const run: Run = { name, archive, parsed, chosen, context }
  const result = has(parsed, 'verbose')
    ? listedWithSizes(run)
    : has(parsed, 'list')
      ? listed(run)
      : has(parsed, 'names')
        ? bytesResult(bytesOfArgument(chosen.map(entry => `${entry.name}\n`).join('')))
        : has(parsed, 'print') || has(parsed, 'show') || has(parsed, 'test')
          ? await readOnly(run)
          : await extract(run)
  return missing.length === 0 ? result : { ...result, stderr: notFound + result.stderr, exitCode: result.exitCode || 11 }
}

/** What stands before the message about an archive without members. */
function titleOf(name: string, parsed: Arguments): string {
  const isShort = ['quiet', 'print', 'info', 'names'].some(option => has(parsed, option))
  return isShort ? '' : bytesOfArgument(`Archive:  ${name}\n`)
}

function ofEmpty(name: string, archiveBytes: number, parsed: Arguments): CommandResult {
  const warning = `warning [${name}]:  zipfile is empty\n`
  if (has(parsed, 'names')) return bytesResult('Empty zipfile.\n', '', 1)
  const size = `Archive:  ${name}\nZip file size: ${archiveBytes} bytes, number of entries: 0\nEmpty zipfile.\n`
  if (has(parsed, 'info')) return bytesResult(bytesOfArgument(size), '', 1)
  const title = titleOf(name, parsed)
  return has(parsed, 'test') ? bytesResult(title + bytesOfArgument(warning), '', 1) : bytesResult(title, warning, 1)
}

function listed({ name: archive, chosen, parsed }: Run): CommandResult {
  const total = chosen.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const lines = chosen.map(({ name, sizeBytes, mtimeMs }) => {
    const time = new Date(mtimeMs).toISOString().slice(0, 16).replace('T', ' ')
    return `${String(sizeBytes).padStart(9)}  ${time}   ${name}\n`
  })
  const count = `${chosen.length} file${chosen.length === 1 ? '' : 's'}`
  const head = `Archive:  ${archive}\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n`
  const foot = `---------                     -------\n${String(total).padStart(9)}                     ${count}\n`
  const quiet = parsed.options.filter(option => option.name === 'quiet').length
  const title = head.replace(/^Archive[^\n]*\n/, quiet === 0 ? '$&' : '')
  return bytesResult(bytesOfArgument(quiet > 1 ? lines.join('') : title + lines.join('') + foot))
}

function listedWithSizes({ name: archive, chosen, parsed }: Run): CommandResult {
  const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)
  const [total, packed] = [sumOf(chosen.map(entry => entry.sizeBytes)), sumOf(chosen.map(entry => entry.packedBytes))]
  const lines = chosen.map(({ name, sizeBytes, packedBytes, method, mtimeMs, checksum }) => {
    const time = new Date(mtimeMs).toISOString().slice(0, 16).replace('T', ' ')
    const how = method === 0 ? 'Stored' : method === 8 ? 'Defl:N' : `Unk:${String(method).padStart(3, '0')}`
    const sum = checksum.toString(16).padStart(8, '0')
    return `${String(sizeBytes).padStart(8)}  ${how.padEnd(7)}${String(packedBytes).padStart(8)} ${ratioOf(sizeBytes, packedBytes)} ${time} ${sum}  ${name}\n`
  })
  const head =
    ' Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n'
  const count = `${chosen.length} file${chosen.length === 1 ? '' : 's'}`
  const foot = `--------          -------  ---                            -------\n${String(total).padStart(8)}         ${String(packed).padStart(8)} ${ratioOf(total, packed)}                            ${count}\n`
  const quiet = parsed.options.filter(option => option.name === 'quiet').length
  const title = quiet === 0 ? `Archive:  ${archive}\n` : ''
  return bytesResult(bytesOfArgument(quiet > 1 ? lines.join('') : title + head + lines.join('') + foot))
}

function ratioOf(sizeBytes: number, packedBytes: number): string {
  const percent = sizeBytes === 0 ? 0 : Math.round((1 - packedBytes / sizeBytes) * 100)
  return `${String(percent).padStart(3)}%`
}

/** Prints the contents, with -c below their names, or with -t a test result for each member. */
async function readOnly({ name, archive, chosen, parsed, context }: Run): Promise<CommandResult> {
  const pace = paceOf(context.signal)
  const isNamed = has(parsed, 'show') && !has(parsed, 'quiet')
  let [stdout, stderr] = ['', '']
  for (const entry of chosen) {
    try {
      const content = await archive.contentOf(entry, context.signal)
      stdout += has(parsed, 'test')
        ? bytesOfArgument(`    testing: ${entry.name.padEnd(22)}   OK\n`)
        : isNamed
          ? `${bytesOfArgument(`${entry.method === 0 ? ' extracting' : '  inflating'}: ${entry.name.padEnd(22)}  \n`)}${await byteTextInParts(content, pace)}\n`
          : await byteTextInParts(content, pace)
    } catch (error) {
      stderr += `unzip: ${reasonOf(error)}\n`
    }
  }
  if (has(parsed, 'print') || has(parsed, 'show'))
    return bytesResult(isNamed ? bytesOfArgument(`Archive:  ${name}\n`) + stdout : stdout, stderr, stderr === '' ? 0 : 2)
  const verdict =
    stderr === '' ? `No errors detected in compressed data of ${name}.\n` : `At least one error was detected in ${name}.\n`
  const said = has(parsed, 'quiet') ? verdict : `Archive:  ${name}\n${stdout}${verdict}`
  return bytesResult(said, stderr, stderr === '' ? 0 : 2)
}

async function extract({ name: archiveName, archive, parsed, chosen, context }: Run): Promise<CommandResult> {
  const { fs, cwd, signal } = context
  const root = fs.resolvePath(cwd, valueOf(parsed, 'directory') ?? '.')
  if (!(await isThere(fs, root))) {
    if (!(await fs.exists(fs.resolvePath(root, '..'))))
      return failed(
        'unzip',
        `cannot create extraction directory: ${valueOf(parsed, 'directory') ?? ''}: No such file or directory`,
        2,
      )
    await fs.mkdir(root)
  }
  const base = await fs.realpath(root)
  const shownRoot =
    valueOf(parsed, 'directory') === undefined ? '' : `${(valueOf(parsed, 'directory') ?? '').replace(/\/+$/, '')}/`
  const knownParents = new Set<string>()
  let [said, stderr] = [`Archive:  ${archiveName}\n`, '']
  for (const member of chosen) {
    signal.throwIfAborted()
    try {
      if (climbs(member.name) || member.name.startsWith('/'))
        throw new Error('its name leads out of the directory, so it was left out')
      const isFolder = member.name.endsWith('/')
      if (isFolder && has(parsed, 'junk')) continue
      const name = has(parsed, 'junk') ? (plainName(member.name).split('/').at(-1) ?? '') : plainName(member.name)
      said += await put(member, { name, base, shownRoot, isFolder, archive, knownParents, signal }, parsed, fs)
    } catch (error) {
      stderr += `unzip: ${member.name}: ${reasonOf(error)}\n`
    }
  }
  return bytesResult(has(parsed, 'quiet') ? '' : bytesOfArgument(said), stderr, stderr === '' ? 0 : 1)
}

interface Place {
  readonly name: string
  readonly base: string
  readonly shownRoot: string
  readonly isFolder: boolean
  readonly archive: ZipArchive
  readonly knownParents: Set<string>
  readonly signal: AbortSignal
}

/** Extracts one member and returns the message about it. */
async function put(
  member: ZipEntry,
  { name, base, shownRoot, isFolder, archive, knownParents, signal }: Place,
  parsed: Arguments,
  fs: CommandContext['fs'],
): Promise<string> {
  const path = `${base === '/' ? '' : base}/${name}`
  const wasThere = await isThere(fs, path)
  if (!wasThere && has(parsed, 'freshen')) return ''
  await makeParents(fs, base, isFolder ? `${name}/` : name, knownParents)
  if (isFolder) return wasThere ? '' : `   creating: ${shownRoot}${name}/\n`
  if (wasThere) {
    if ((await fs.lstat(path)).isDirectory) throw new Error('a directory of this name exists; skipped')
    if (has(parsed, 'never')) return ''
    const isOnlyForNewer = has(parsed, 'update') || has(parsed, 'freshen')
    if (isOnlyForNewer && (await fs.lstat(path)).mtime.getTime() >= member.mtimeMs) return ''
    if (!has(parsed, 'overwrite'))
      throw new Error('the file exists and was not changed; give -o to overwrite it, or -n to skip it')
  }
  const content = await archive.contentOf(member, signal)
  // Never writes through an existing symbolic link, or to another name of the file.
  if (wasThere) await fs.rm(path)
  if (member.kind === 'symlink') {
    await fs.symlink(new TextDecoder().decode(content), path)
    knownParents.clear()
    return `    linking: ${shownRoot}${name}  -> ${new TextDecoder().decode(content)} \n`
  }
  await fs.writeFile(path, content)
  if (member.mode !== undefined) await fs.chmod(path, member.mode)
  const modified = new Date(member.mtimeMs)
  await fs.utimes(path, modified, modified)
  return `${member.method === 0 ? ' extracting' : '  inflating'}: ${`${shownRoot}${name}`.padEnd(22)}  \n`
}
