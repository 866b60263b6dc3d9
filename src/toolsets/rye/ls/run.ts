// Lists one directory.

import { ToolError } from '../../../core/errors.ts'
import { childPath } from '../../../core/path.ts'
import { printablePath } from '../../../core/printable.ts'
import { readDirectoryIfThere } from '../../../session/if-there.ts'
import { resolvePath, type PresentFile } from '../../../session/resolve-text.ts'
import type { Session } from '../../../session/session.ts'
import { isOnlyForTools } from '../../../session/tool-directories.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import type { Dirent } from '../../../vfs/backend.ts'
import { byCodePoint } from '../code-point-order.ts'
import { isListedNever } from '../ignored.ts'
import { maxEntries } from '../limits.ts'
import { fromRoot, missing, ryeWords } from '../paths.ts'
import { ryeResult } from '../result.ts'

export interface LsArguments {
  readonly path?: string | undefined
  readonly offset?: number | undefined
}

interface Entry {
  /** Relative to the root. */
  readonly name: string
  readonly type: 'directory' | 'file'
  readonly key: string
}

export async function runLs(args: LsArguments, { session, signal }: ToolCall): Promise<ToolOutcome> {
  const place = await resolvePath(session, args.path === undefined || args.path === '' ? '.' : args.path, ryeWords)
  if (place.stat === undefined) throw missing('Directory', place)
  if (place.stat.kind !== 'directory')
    throw new ToolError('not-a-directory', 'Path is not a directory', { nextStep: 'To see a file use read.' })
  const directory: PresentFile = { ...place, stat: place.stat }
  const found: Entry[] = []
  for (const entry of await readDirectoryIfThere(session.vfs, directory.path)) {
    signal.throwIfAborted()
    const type = await typeOf(session, directory, entry)
    if (type === 'directory' && isListedNever(entry.name)) continue
    const start = fromRoot(session, directory.path)
    const name = start === '' ? entry.name : `${start}/${entry.name}`
    if (type === 'directory' && (await isOnlyForTools(session.vfs, childPath(directory.path, entry.name), name))) continue
    found.push({ name, type, key: entry.name.toLowerCase() })
  }
  found.sort((a, b) =>
    a.type === b.type ? byCodePoint(a.key, b.key) || byCodePoint(a.name, b.name) : a.type === 'directory' ? -1 : 1,
  )
  const skipped = args.offset ?? 0
  const entries = found.slice(skipped, skipped + maxEntries).map(({ name, type }) => ({ name, type }))
  const isCut = found.length > skipped + entries.length
  return ryeResult({
    output: entries.map(({ name, type }) => printablePath(type === 'directory' ? `${name}/` : name)).join('\n'),
    fields: { entries, ...(isCut ? { truncated: true } : {}) },
    notes: isCut ? [`${entries.length} of ${found.length} entries. For the next: offset ${skipped + entries.length}`] : [],
    emptyText: found.length === 0 ? 'The directory is empty.' : `There are only ${found.length} entries.`,
    details: { entryCount: found.length },
  })
}

/** A link counts as its target. A link that leads out of the project or to no file is shown as a file, and not followed. */
async function typeOf(session: Session, directory: PresentFile, entry: Dirent): Promise<Entry['type']> {
  if (entry.kind !== 'symlink') return entry.kind
  try {
    const target = await session.paths.resolve(childPath(directory.path, entry.name))
    return target.stat?.kind === 'directory' ? 'directory' : 'file'
  } catch (error) {
    if (error instanceof ToolError) return 'file'
    throw error
  }
}
