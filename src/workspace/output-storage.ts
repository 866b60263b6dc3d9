// Chooses the storage for outputs that do not fit into memory. Both kinds are loaded when the first output needs one.

import type { OpenOutputStorage } from '../core/output-storage.ts'
import { isNode } from './platform.ts'
import type { WorkspaceOptions } from './workspace.ts'

export function outputStorage(choice: WorkspaceOptions['outputs'] = 'auto'): OpenOutputStorage | undefined {
  if (typeof choice === 'function') return choice
  if (choice === 'memory') return undefined
  if (isNode()) return async kept => (await import('../backends/node/output-directory.ts')).openOutputDirectory(undefined, kept)
  if ('indexedDB' in globalThis)
    return async kept => (await import('../backends/indexeddb/output-database.ts')).openOutputDatabase(kept)
  return undefined
}
