// How tar says a member: by its name, or with mode, size and time.

import type { Member } from './extract.ts'
import type { TarOptions } from './options.ts'

const typeLetters: Readonly<Record<string, string>> = { directory: 'd', symlink: 'l', link: 'h' }

/** The line for each member, if -v asked for one. */
export function saidOf({ verbosity }: TarOptions, headers: readonly Member['header'][]): string {
  return verbosity === 0 ? '' : headers.map(verbosity > 1 ? longLine : nameLine).join('')
}

export function nameLine({ name, type }: Member['header']): string {
  return `${type === 'directory' ? `${name.replace(/\/+$/, '')}/` : name}\n`
}

export function longLine(header: Member['header']): string {
  const { type = 'file', mode = 0o644, size, mtime = new Date(), linkname, uname = '', gname = '', uid = 0, gid = 0 } = header
  const user = uname || (uid === 0 ? 'user' : String(uid))
  const group = gname || (gid === 0 ? 'user' : String(gid))
  const bits = Array.from({ length: 9 }, (_, index) => ((mode >> (8 - index)) & 1 ? ('rwx'[index % 3] ?? '') : '-')).join('')
  const time = mtime.toISOString().slice(0, 16).replace('T', ' ')
  const link = type === 'symlink' ? ` -> ${linkname}` : type === 'link' ? ` link to ${linkname}` : ''
  const name = nameLine(header).slice(0, -1)
  return `${typeLetters[type] ?? '-'}${bits} ${user}/${group} ${String(size).padStart(17 - user.length - group.length)} ${time} ${name}${link}\n`
}
