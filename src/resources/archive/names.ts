// Names in an archive. A name that leads outside is never opened: unpacking it would write outside of the directory.

import { pathProblem } from '../../core/path.ts'

/** Why a name is unsafe, as the end of a sentence; `undefined` for a plain relative path. */
export function nameProblem(name: string, isWindows = false): string | undefined {
  const path = name.endsWith('/') ? name.slice(0, -1) : name
  if (path === '') return 'it is empty'
  if (path.startsWith('/')) return 'it is an absolute path'
  if ((isWindows ? /^[a-z]:/i : /^[a-z]:[/\\]/i).test(path)) return 'it is a path on a drive'
  const parts = path.split('/')
  if (parts.includes('..')) return "it leads out of the archive with '..'"
  if (parts.includes('') || parts.includes('.')) return 'it is not in its normal form'
  return pathProblem(`/${path}`)?.reason
}

/** tar writes `./a` for `a`. */
export function normalName(name: string): string {
  return name.replace(/^(?:\.\/)+/, '')
}
