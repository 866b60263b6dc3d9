// Checks the names of entries. A name decides where bytes are written, so a name that could lead out of the directory is refused and never
// corrected.

import { pathProblem } from '../../core/path.ts'
import { unsafeZip } from './limits.ts'

/** The parts of a checked name. The name of a directory ends in '/'. `isWindows`: 'c:' is a drive; on other systems it is a name. */
export function safeParts(name: string, isWindows: boolean): readonly string[] {
  if (name === '' || name === '/') throw unsafeZip(name, 'which is not a valid name')
  if (name.startsWith('/')) throw unsafeZip(name, 'an absolute path')
  if ((isWindows ? /^[a-z]:/i : /^[a-z]:[/\\]/i).test(name)) throw unsafeZip(name, 'a path on another drive')
  const parts = (name.endsWith('/') ? name.slice(0, -1) : name).split('/')
  if (parts.includes('..')) throw unsafeZip(name, "which leads out of its directory with '..'")
  if (parts.includes('') || parts.includes('.')) throw unsafeZip(name, 'a path that is not in its normal form')
  const problem = pathProblem(`/${parts.join('/')}`)
  if (problem !== undefined) throw unsafeZip(name, `where ${problem.reason}`)
  return parts
}
