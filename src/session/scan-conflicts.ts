// Searches the whole workspace for merge conflicts, for a session that has not been shown any. It reports files that were not
// searched, because "all conflicts" must not omit any.

import { findConflicts, type ConflictRegion } from '../resources/conflict/regions.ts'
import { decodeText, type TextDocument } from '../core/text.ts'
import type { VfsPath } from '../core/path.ts'
import { displayPath } from '../core/path.ts'
import { lstatIfThere, readFileIfThere } from './if-there.ts'
import { listFiles } from './list-files.ts'
import type { Session } from './session.ts'

export interface ConflictedFile {
  readonly path: VfsPath
  readonly display: string
  readonly document: TextDocument
  readonly regions: readonly ConflictRegion[]
}

export interface ConflictScan {
  readonly files: readonly ConflictedFile[]
  /** The reason why the scan ended early, as the end of a sentence. `undefined` if every file was searched. */
  readonly incomplete: string | undefined
}

const maxFiles = 1_000

/** Skips ignored files, `.git` and `node_modules`, which users do not merge, and binary files. */
export async function scanConflicts(session: Session, signal: AbortSignal): Promise<ConflictScan> {
  const files: ConflictedFile[] = []
  const { vfs, root, limits, clock } = session
  const outcome = await listFiles(
    {
      vfs,
      root,
      base: root,
      hidden: true,
      gitignore: true,
      includeNodeModules: false,
      // Nobody can resolve a conflict there.
      onUnreadable: () => {},
      signal,
      clock,
      deadlineMs: clock() + limits.searchTimeoutMs,
      maxEntries: limits.walkMaxEntries,
    },
    async ({ path, kind }) => {
      if (kind !== 'file') return true
      const stat = await lstatIfThere(vfs, path)
      if (stat === undefined || stat.sizeBytes > limits.textMaxBytes) return true
      const bytes = await readFileIfThere(vfs, path)
      if (bytes === undefined || !mayHoldConflict(bytes)) return true
      const decoded = decodeText(bytes)
      const regions = decoded.kind === 'text' ? findConflicts(decoded.document) : []
      if (decoded.kind === 'text' && regions.length > 0)
        files.push({ path, display: displayPath(path, root), document: decoded.document, regions })
      return files.length < maxFiles
    },
  )
  switch (outcome.kind) {
    case 'complete':
      return { files, incomplete: undefined }
    case 'stopped':
      return { files, incomplete: `at the first ${maxFiles} files that have conflicts` }
    case 'timed-out':
      return { files, incomplete: `after ${limits.searchTimeoutMs / 1000} s` }
    case 'too-many-entries':
      return { files, incomplete: `after ${outcome.limit} entries` }
  }
}

const lessThan = 0x3c

/** A fast test for seven '<' in a row. */
function mayHoldConflict(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(lessThan); at !== -1; at = bytes.indexOf(lessThan, at + 1)) {
    let end = at
    while (bytes[end] === lessThan) end++
    if (end - at === 7) return true
    at = end
  }
  return false
}
