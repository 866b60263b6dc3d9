// Copies and removes directory trees entry by entry, so that each entry is checked and reported separately.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import type { FileStat } from '../../../../shell/files.ts'
import { quotedName } from '../quoted-name.ts'
import { childOf, complain, statIfThere } from '../program.ts'
import { reasonOf } from '../../errno.ts'

export interface CopyOptions {
  readonly name: string
  readonly isRecursive: boolean
  /** Symbolic links are copied as links. */
  readonly keepsLinks: boolean
  readonly keepsTimes: boolean
  readonly keepsMode: boolean
  /** What is new gets the usual mode, and not that of the source. */
  readonly dropsMode?: boolean
  readonly overwrites: 'always' | 'never' | 'if-older'
  readonly isVerbose: boolean
  /** Keeps what is overwritten, if it was asked for. Returns what the name of the backup has behind that of the file. */
  readonly backUp?: (path: string) => Promise<string>
  readonly removesTarget: boolean
  /** The target becomes a copy of the source, or a link to it. */
  readonly makes: 'copy' | 'hard link' | 'symbolic link'
  /** What the copy of one operand shares: its names, and the inodes of the directories that it made. */
  readonly walk?: { readonly operands: readonly [string, string]; readonly made: Set<number> }
}

/** Copies the absolute path `from` to the absolute path `to`; messages show `shownFrom` and `shownTo`. Returns the exit code. */
export async function copyTree(
  context: ShellCommandContext,
  from: string,
  to: string,
  shownFrom: string,
  shownTo: string,
  options: CopyOptions,
): Promise<number> {
  const { files } = context
  try {
    const found = await (options.keepsLinks ? files.lstat(from) : files.stat(from))
    if (found.kind === 'directory') return await copyDirectory(context, from, to, shownFrom, shownTo, options, found)
    let target = await statIfThere(context, to, false)
    let backup = ''
    if (options.makes === 'symbolic link' && !shownFrom.startsWith('/') && /[^/]\/./.test(shownTo.replace(/^(?:\.\/+)+/, '')))
      return await complain(context, options.name, `${shownTo}: can make relative symbolic links only in current directory`)
    const writesThrough = options.name === 'cp' && options.makes === 'copy' && found.kind === 'file' && !options.removesTarget
    const written = writesThrough && target?.kind === 'symlink' ? await statIfThere(context, to) : target
    if (target !== undefined && written === undefined)
      return await complain(context, 'cp', `not writing through dangling symlink ${quotedName(shownTo)}`)
    if (target !== undefined) {
      if (options.makes === 'hard link' && target.ino === found.ino) return 0
      if (options.overwrites === 'never') return 0
      const isOtherName = options.removesTarget && from !== to
      if (written?.ino === found.ino && written.kind === found.kind && !isOtherName)
        return await complain(context, options.name, `${quotedName(shownFrom)} and ${quotedName(shownTo)} are the same file`)
      if (options.overwrites === 'if-older' && target.mtimeMs >= found.mtimeMs) return 0
      if (target.kind === 'directory')
        return await complain(context, options.name, `cannot overwrite directory ${quotedName(shownTo)} with non-directory`)
      const suffix = (await options.backUp?.(to)) ?? ''
      if (suffix !== '') {
        backup = ` (backup: ${quotedName(shownTo + suffix)})`
        target = undefined
      }
    }
    if (target !== undefined) {
      if (options.makes !== 'copy' && !options.removesTarget)
        return await complain(
          context,
          options.name,
          `cannot create ${options.makes} ${quotedName(shownTo)} to ${quotedName(shownFrom)}: File exists`,
        )
      if (options.removesTarget || found.kind === 'symlink') await files.rm(to, {})
    }
    if (options.makes === 'symbolic link') await files.symlink(shownFrom, to)
    else if (options.makes === 'hard link') await files.link(options.keepsLinks ? from : await files.realpath(from), to)
    else if (found.kind === 'symlink') await files.symlink(await files.readlink(from), to)
    else {
      const bytes = await files.readFile(from)
      await files.writeFile(
        to,
        bytes,
        target === undefined && options.dropsMode !== true ? { mode: copiedMode(context, options, found) } : {},
      )
      if (options.keepsMode && target !== undefined) await files.chmod(to, found.mode)
      if (options.keepsTimes) await files.utimes(to, found.mtimeMs, found.atimeMs ?? found.mtimeMs)
    }
    if (options.isVerbose) await context.stdout.write(`${quotedName(shownFrom)} -> ${quotedName(shownTo)}${backup}\n`)
    return 0
  } catch (error) {
    if (isFlow(error)) throw error
    const isSource = (await statIfThere(context, from)) === undefined
    return complain(
      context,
      options.name,
      isSource
        ? `cannot stat ${quotedName(shownFrom)}: ${reasonOf(error)}`
        : `cannot create regular file ${quotedName(shownTo)}: ${reasonOf(error)}`,
    )
  }
}

async function copyDirectory(
  context: ShellCommandContext,
  from: string,
  to: string,
  shownFrom: string,
  shownTo: string,
  options: CopyOptions,
  { mode, mtimeMs, atimeMs = mtimeMs, ino }: FileStat,
): Promise<number> {
  const { files } = context
  if (!options.isRecursive)
    return complain(context, options.name, `-r not specified; omitting directory ${quotedName(shownFrom)}`)
  // What is copied into itself ends at the directories that the copy made.
  const { walk = { operands: [shownFrom, shownTo], made: new Set<number>() } } = options
  if (walk.made.has(ino) || to === from)
    return complain(
      context,
      options.name,
      `cannot copy a directory, ${quotedName(walk.operands[0])}, into itself, ${quotedName(walk.operands[1])}`,
    )
  const target = await statIfThere(context, to)
  if (target !== undefined && target.kind !== 'directory')
    return complain(
      context,
      options.name,
      `cannot overwrite non-directory ${quotedName(shownTo)} with directory ${quotedName(shownFrom)}`,
    )
  if (target === undefined) {
    await files.mkdir(to, options.dropsMode === true ? {} : { mode: copiedMode(context, options, { kind: 'directory', mode }) })
    walk.made.add((await files.stat(to)).ino)
    if (options.isVerbose) await context.stdout.write(`${quotedName(shownFrom)} -> ${quotedName(shownTo)}\n`)
  }
  let code = 0
  for (const { name } of await files.readdir(from))
    code =
      (await copyTree(context, childOf(from, name), childOf(to, name), childOf(shownFrom, name), childOf(shownTo, name), {
        ...options,
        walk,
      })) || code
  if (options.keepsTimes) await files.utimes(to, mtimeMs, atimeMs)
  return code
}

/** Without `keepsMode`, as for a new entry: only a directory keeps its sticky bit. */
function copiedMode(
  { umask = 0o022 }: ShellCommandContext,
  { keepsMode }: CopyOptions,
  { kind, mode }: Pick<FileStat, 'kind' | 'mode'>,
): number {
  return keepsMode ? mode : mode & (kind === 'directory' ? 0o1777 : 0o777) & ~umask
}

/** Whether the error ends the whole command, such as an abort or a closed pipe, and is not a filesystem error. */
export function isFlow(error: unknown): boolean {
  return !(error instanceof Error) || !('code' in error) || error.code === 'EPIPE'
}
