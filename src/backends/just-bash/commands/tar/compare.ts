// tar -d: says where files differ from the members of an archive.

import { sameBytes } from '../../../../core/same-bytes.ts'
import { reasonOf } from '../../errno.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import type { Member } from './extract.ts'
import { saidOf } from './listing.ts'
import type { TarOptions } from './options.ts'

export async function compareMembers(
  members: readonly Member[],
  options: TarOptions,
  { fs, cwd, signal }: CommandContext,
): Promise<CommandResult> {
  const base = fs.resolvePath(cwd, options.directory)
  let [stdout, stderr, exitCode] = ['', '', 0]
  for (const member of members) {
    signal.throwIfAborted()
    const name = member.header.name.replace(/\/+$/, '')
    stdout += saidOf(options, [member.header])
    try {
      const found = await differences(member, fs.resolvePath(base, name), base, fs)
      if (found.length > 0) exitCode = 1
      stdout += found.map(difference => `${name}: ${difference}\n`).join('')
    } catch (error) {
      exitCode = 1
      stderr += `tar: ${name}: Warning: Cannot stat: ${reasonOf(error)}\n`
    }
  }
  return { stdout, stderr, exitCode }
}

async function differences(
  { header, data = new Uint8Array() }: Member,
  path: string,
  base: string,
  fs: CommandContext['fs'],
): Promise<readonly string[]> {
  const { type = 'file', linkname = '', mode = 0, mtime } = header
  if (type === 'link')
    return (await fs.lstat(path)).ino === (await fs.lstat(fs.resolvePath(base, linkname))).ino
      ? []
      : [`Not linked to ${linkname}`]
  const found = await fs.lstat(path)
  if (type === 'symlink') {
    if (!found.isSymbolicLink) return ['File type differs']
    return (await fs.readlink(path)) === linkname ? [] : ['Symlink differs']
  }
  if (type === 'directory' ? !found.isDirectory : !found.isFile) return ['File type differs']
  const all: string[] = []
  if ((found.mode & 0o777) !== (mode & 0o777)) all.push('Mode differs')
  if (type === 'directory') return all
  if (mtime !== undefined && Math.floor(found.mtime.getTime() / 1000) !== Math.floor(mtime.getTime() / 1000))
    all.push('Mod time differs')
  if (found.size !== data.length) return [...all, 'Size differs']
  return sameBytes(await fs.readFileBuffer(path), data) ? all : [...all, 'Contents differ']
}
