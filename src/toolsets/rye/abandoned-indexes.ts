// An index is useless once its file is removed. The indexes of this session are removed with their files; those of earlier sessions are
// searched for once.

import { joinPath, type VfsPath } from '../../core/path.ts'
import { lstatIfThere, readDirectoryIfThere, readFileIfThere } from '../../session/if-there.ts'
import type { Session } from '../../session/session.ts'
import { lineIndexDirectory } from '../../session/tool-directories.ts'
import type { ChangeBatch } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'

/** The number of earlier indexes that are examined; a later session finds the rest. */
const maxLookedAt = 1000
/** An index begins with the path of its file. */
const headBytes = 8192

/** The directory of the indexes, and the removal of an index by the path of its file. */
export interface KeptIndexes {
  readonly known: Iterable<VfsPath>
  clear(file: VfsPath): Promise<void>
}

/** Removes indexes when their files are removed. Returns a function that ends the watch. */
export async function removeWithFiles(session: Session, indexes: KeptIndexes): Promise<() => void> {
  if ((await session.vfs.caps()).watch === 'none') return () => undefined
  return session.vfs.watch('/', ({ changes }: ChangeBatch) => {
    const gone = changes.flatMap(({ type, path, oldPath }) =>
      type === 'delete' ? [path] : type === 'move' && oldPath !== undefined ? [oldPath] : [],
    )
    if (gone.length === 0) return
    const files = [...indexes.known].filter(file => gone.some(path => file === path || file.startsWith(`${path}/`)))
    // Another file may have that path now. `clear` ignores a refusal by a policy or a filesystem.
    for (const file of files) void clearIfGone(session, indexes, file)
  })
}

/** Removes indexes of earlier sessions whose files no longer exist. */
export async function removeLeftovers(session: Session, indexes: KeptIndexes): Promise<void> {
  // Resolved like every path: a link must not lead out of the workspace.
  const { path: directory } = await session.paths.resolve(lineIndexDirectory)
  const known = new Set(indexes.known)
  for (const { name, kind } of (await readDirectoryIfThere(session.vfs, directory)).slice(0, maxLookedAt)) {
    if (kind !== 'file' || !name.endsWith('.json')) continue
    const bytes = await readFileIfThere(session.vfs, joinPath(directory, name))
    const head = new TextDecoder('utf-8', { fatal: false }).decode(bytes?.subarray(0, headBytes))
    const filePath: unknown = parsedText(/^\{"file_path":("(?:[^"\\]|\\.)*")/.exec(head)?.[1])
    if (typeof filePath !== 'string') continue
    const file = joinPath(session.root, ...filePath.split('/'))
    if (!known.has(file)) await clearIfGone(session, indexes, file)
  }
}

async function clearIfGone(session: Session, indexes: KeptIndexes, file: VfsPath): Promise<void> {
  try {
    if ((await lstatIfThere(session.vfs, file)) === undefined) await indexes.clear(file)
  } catch (error) {
    // If the filesystem cannot answer, for example because it is closed, the index is kept.
    if (!isVfsError(error)) throw error
  }
}

function parsedText(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch {
    // A damaged index does not name its file.
    return undefined
  }
}
