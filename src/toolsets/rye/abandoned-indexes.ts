// An index is of no use once its file is gone. Those that this session made go with their files; what an earlier session left behind is
// looked for once.

import { joinPath, type VfsPath } from '../../core/path.ts'
import { lstatIfThere, readDirectoryIfThere, readFileIfThere } from '../../session/if-there.ts'
import type { Session } from '../../session/session.ts'
import { lineIndexDirectory } from '../../session/tool-directories.ts'
import type { ChangeBatch } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'

/** Indexes of earlier sessions that are looked at; what lies beyond is found by a later session. */
const maxLookedAt = 1000
/** The path of the file stands at the beginning of its index. */
const headBytes = 8192

/** Where the indexes are, and how one is removed: by the path of the file that it is about. */
export interface KeptIndexes {
  readonly known: Iterable<VfsPath>
  clear(file: VfsPath): Promise<void>
}

/** Removes indexes as their files go. Gives what ends the watch. */
export async function removeWithFiles(session: Session, indexes: KeptIndexes): Promise<() => void> {
  if ((await session.vfs.caps()).watch === 'none') return () => undefined
  return session.vfs.watch('/', ({ changes }: ChangeBatch) => {
    const gone = changes.flatMap(({ type, path, oldPath }) =>
      type === 'delete' ? [path] : type === 'move' && oldPath !== undefined ? [oldPath] : [],
    )
    if (gone.length === 0) return
    const files = [...indexes.known].filter(file => gone.some(path => file === path || file.startsWith(`${path}/`)))
    // Another file may be there again; `clear` gives way to a policy or a filesystem that says no.
    for (const file of files) void clearIfGone(session, indexes, file)
  })
}

/** Removes the indexes that earlier sessions left of files that are gone. */
export async function removeLeftovers(session: Session, indexes: KeptIndexes): Promise<void> {
  // Through the one resolver: a link must not lead out of the workspace.
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
    // A filesystem that cannot be asked any more, such as a closed one, keeps its index.
    if (!isVfsError(error)) throw error
  }
}

function parsedText(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch {
    // Damaged, so it is not known what it is about.
    return undefined
  }
}
