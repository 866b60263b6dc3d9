// Whether an entry of an archive may be called what it is called. A name decides where bytes go, so what could lead out of the
// directory is refused and never mended.

import { pathProblem } from '../../core/path.ts'
import { unsafeZip } from './limits.ts'

/** The parts of a checked name. A directory's ends in '/'. `isWindows`: made where 'c:' is a drive; elsewhere it is a name. */
export function safeParts(name: string, isWindows: boolean): readonly string[] {
  if (name === '' || name === '/') throw unsafeZip(name, 'which is no name')
  if (name.startsWith('/')) throw unsafeZip(name, 'an absolute path')
  if ((isWindows ? /^[a-z]:/i : /^[a-z]:[/\\]/i).test(name)) throw unsafeZip(name, 'a path on another drive')
  const parts = (name.endsWith('/') ? name.slice(0, -1) : name).split('/')
  if (parts.includes('..')) throw unsafeZip(name, "which leads out of its directory with '..'")
  if (parts.includes('') || parts.includes('.')) throw unsafeZip(name, 'a path that is not in its normal form')
  const problem = pathProblem(`/${parts.join('/')}`)
  if (problem !== undefined) throw unsafeZip(name, `where ${problem.reason}`)
  return parts
}
