// Creates archives: files, directories and symbolic links, under the names given on the command line.

import type { CommandContext, CommandResult } from '../command.ts'
import { gzipInParts } from '../../gzip.ts'
import { millisecondsOf, parseTime } from '../date/parse-time.ts'
import { byteTextInParts, paceOf } from '../pace.ts'
import { climbs, plainName } from './names.ts'
import { archiveOf, isNewer } from './change.ts'
import type { Member } from './extract.ts'
import { saidOf } from './listing.ts'
import type { TarOptions } from './options.ts'
import { transformer } from './transform.ts'
import { excluderOf, namesOf } from './wanted-names.ts'
import { reasonOf } from '../../errno.ts'

interface Entry {
  readonly header: {
    readonly name: string
    readonly size: number
    readonly type: 'file' | 'directory' | 'symlink'
    readonly mode: number
    readonly mtime: Date
    readonly linkname?: string
    readonly uname?: string
    readonly gname?: string
    readonly uid?: number
    readonly gid?: number
  }
  readonly body?: Uint8Array
}

/** The name and the number in `--owner` or `--group`. The number 0 is root's. */
function holderOf(text: string): { readonly name: string; readonly id: number } {
  const [, name = '', number] = /^(.*?):?(\d+)?$/.exec(text) ?? []
  const id = number === undefined ? (name === 'root' ? 0 : 1000) : Number(number)
  return { name: name === '' && id === 0 ? 'root' : name, id }
}

function ownership({ owner, group }: TarOptions): Pick<Entry['header'], 'uname' | 'gname' | 'uid' | 'gid'> {
  const user = owner === undefined ? undefined : holderOf(owner)
  const own = group === undefined ? undefined : holderOf(group)
  return {
    ...(user === undefined ? {} : { uname: user.name, uid: user.id }),
    ...(own === undefined ? {} : { gname: own.name, gid: own.id }),
  }
}

/** The stored name: without a leading `/`, everything up to the last `..`, and trailing slashes. */
function keptName(name: string): string {
  const inside = climbs(name) ? name.replace(/^(?:[^]*\/)?\.\.(?:\/+|$)/, '') || '.' : name
  return inside.startsWith('/') ? plainName(inside) : inside.replace(/\/+$/, '')
}

/** What the archive has already, for -r and -u. */
export interface Existing {
  readonly members: readonly Member[]
  readonly parts: readonly Uint8Array[]
}

export async function createArchive(
  options: TarOptions,
  context: CommandContext,
  maxBytes: number,
  existing?: Existing,
): Promise<CommandResult> {
  const { fs, cwd, signal } = context
  const names = await namesOf(options, context)
  if (names.length === 0 && existing === undefined) throw new Error('refusing to make an empty archive: name the files to add')
  const archivePath = options.archive === '-' ? undefined : fs.resolvePath(cwd, options.archive)
  const isExcluded = await excluderOf(options, context)
  const wantedTime = await timeOfMembers(options, context)
  const transform = transformer(options.transforms)
  const isWanted = options.mode === 'update' ? isNewer(existing?.members ?? []) : () => true
  const entries: Entry[] = []
  const shown: Entry['header'][] = []
  const problems: string[] = []
  const owned = ownership(options)
  const add = ({ header, body }: Entry, said: string): void => {
    const entry = { header: { ...header, ...owned }, ...(body && { body }) }
    entries.push(entry)
    shown.push({ ...entry.header, name: said })
  }
  let sizeBytes = 0
  // An explicit stack, because the depth of the tree is unlimited.
  const pending: { readonly name: string; readonly directory: string }[] = names.toReversed()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal.throwIfAborted()
    const { name, directory } = next
    if (isExcluded(name)) continue
    const path = fs.resolvePath(cwd, name.startsWith('/') ? name : `${directory}/${name}`)
    if (path === archivePath) continue
    // As in GNU tar, a stored name never points outside the directory where it is extracted.
    const own = keptName(name)
    const kept = transform(own, 'member')
    const said = options.showsTransformed ? kept : own
    if (kept === '' && own !== '') {
      problems.push(`tar: ${name}: --transform leaves no name, so it was left out\n`)
      continue
    }
    try {
      const found = await (options.follows ? fs.stat(path) : fs.lstat(path))
      const { isDirectory, isSymbolicLink, mode } = found
      const mtime = wantedTime ?? found.mtime
      const isAdded = isWanted(own, found.mtime)
      if (!isAdded && !isDirectory) continue
      if (isSymbolicLink) {
        const linkname = transform(await fs.readlink(path), 'symlink')
        add({ header: { name: kept, size: 0, type: 'symlink', mode: 0o777, mtime, linkname } }, said)
      } else if (isDirectory) {
        if (isAdded) add({ header: { name: `${kept}/`, size: 0, type: 'directory', mode: mode & 0o777, mtime } }, said)
        if (options.isFlat) continue
        for (const child of (await fs.readdir(path)).toReversed())
          pending.push({ name: `${name === '/' ? '' : name.replace(/\/+$/, '')}/${child}`, directory })
      } else if (found.device !== undefined) problems.push(`tar: ${name}: devices cannot be archived here; leave it out\n`)
      else {
        const body = await fs.readFileBuffer(path)
        sizeBytes += body.length
        if (sizeBytes > maxBytes) throw new Error(`the archive would be larger than ${maxBytes} bytes`)
        add({ header: { name: kept, size: body.length, type: 'file', mode: mode & 0o777, mtime }, body }, said)
      }
    } catch (error) {
      if (sizeBytes > maxBytes) throw error
      const reason = reasonOf(error)
      problems.push(`tar: ${name}: ${reason.startsWith('No such') ? 'Cannot stat' : 'Cannot open'}: ${reason}\n`)
    }
  }
  for (const unused of options.unused) problems.push(`tar: ${unused} has no effect: no name follows it\n`)
  const pace = paceOf(signal)
  const { packTar } = await import('modern-tar')
  const packed = archiveOf(existing?.parts ?? [], await packTar(entries))
  const bytes = options.gzip === true ? await gzipInParts(packed, pace) : packed
  const listing = saidOf(options, shown)
  const stderr = problems.join('')
  const exitCode = problems.length === 0 ? 0 : 2
  if (archivePath === undefined)
    return { stdout: await byteTextInParts(bytes, pace), stdoutKind: 'bytes', stderr: listing + stderr, exitCode }
  await fs.writeFile(archivePath, bytes)
  return { stdout: listing, stderr, exitCode }
}

/** `--mtime` names a time, or a file by a path that begins with `/` or `.`. */
async function timeOfMembers({ mtime }: TarOptions, { fs, cwd, env }: CommandContext): Promise<Date | undefined> {
  if (mtime === undefined) return undefined
  if (/^[./]/.test(mtime)) return (await fs.stat(fs.resolvePath(cwd, mtime))).mtime
  const moment = parseTime(mtime, Date.now(), env['TZ'])
  if (moment === undefined) throw new Error(`--mtime: '${mtime}' is not a time; write for example '2024-01-31 12:00'`)
  return new Date(millisecondsOf(moment))
}
