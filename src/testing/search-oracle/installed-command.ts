// The commands that answers are compared with are the system's: a package may bring one of the same name that is another program.

import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where the first of `names` is; `undefined` when the system has none of them. */
export function installedCommand(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return false
    throw error
  }
}
