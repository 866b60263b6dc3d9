// The files that glob and grep search: below one directory, without ignored directories, sorted by path. All are found before any is
// dropped, so that the first hundred results are the first hundred of all files.

import { ToolError, unreachable } from '../../core/errors.ts'
import type { VfsPath } from '../../core/path.ts'
import type { FileReader } from '../../session/if-there.ts'
import { listFiles, type ListOutcome } from '../../session/list-files.ts'
import type { PresentFile } from '../../session/resolve-text.ts'
import type { Session } from '../../session/session.ts'
import type { ToolCall } from '../../session/tool.ts'
import { byCodePoint } from './code-point-order.ts'
import { ignoredPartOf, isSearchedNever } from './ignored.ts'
import { searchTimeoutMs } from './limits.ts'
import { fromRoot } from './paths.ts'

export interface ProjectFile {
  readonly path: VfsPath
  /** Relative to the root. */
  readonly shown: string
  /** Relative to the searched directory. */
  readonly relative: string
}

export interface ProjectFiles {
  /** Sorted by the code points of `shown`. */
  readonly files: readonly ProjectFile[]
  readonly notes: readonly string[]
  /** The listing is incomplete. */
  readonly isIncomplete: boolean
}

export interface ListProjectOptions {
  /** Default: the current files. */
  readonly source?: FileReader
  readonly matches: (file: ProjectFile) => boolean
  /** Whether a link to a file counts as a file. */
  readonly followsLinks: boolean
  /** On the session's clock. */
  readonly deadlineMs: number
}

export async function listProject(base: PresentFile, options: ListProjectOptions, call: ToolCall): Promise<ProjectFiles> {
  const { session, signal } = call
  const start = fromRoot(session, base.path)
  if (base.stat.kind !== 'directory') {
    const file = { path: base.path, shown: start, relative: base.path.slice(base.path.lastIndexOf('/') + 1) }
    return { files: [file], notes: [], isIncomplete: false }
  }
  const ignored = start === '' ? undefined : ignoredPartOf(start)
  if (ignored !== undefined)
    return { files: [], notes: [`${ignored} is one of the directories that are never searched`], isIncomplete: false }
  const files: ProjectFile[] = []
  const unreadable: string[] = []
  const outcome = await listFiles(
    {
      vfs: options.source ?? session.vfs,
      root: session.root,
      base: base.path,
      hidden: true,
      gitignore: false,
      includeNodeModules: false,
      skipDirectory: isSearchedNever,
      onUnreadable: relative => void unreadable.push([start, relative].filter(Boolean).join('/') || '.'),
      signal,
      clock: session.clock,
      deadlineMs: options.deadlineMs,
      maxEntries: session.limits.walkMaxEntries,
    },
    async ({ path, relative, kind }) => {
      if (kind === 'directory' || (kind === 'symlink' && !options.followsLinks)) return true
      const file = { path, relative, shown: start === '' ? relative : `${start}/${relative}` }
      if (options.matches(file) && (kind === 'file' || (await isLinkToFile(session, file.shown)))) files.push(file)
      return true
    },
  )
  const end = endNote(outcome)
  return {
    files: files.sort((a, b) => byCodePoint(a.shown, b.shown)),
    notes: [...(end === undefined ? [] : [end]), ...unreadable.map(directory => `${directory} cannot be read`)],
    isIncomplete: end !== undefined,
  }
}

/** A link that leads out of the project, into a loop or to no file does not count as a file of the project. */
async function isLinkToFile(session: Session, shown: string): Promise<boolean> {
  try {
    return (await session.paths.resolve(shown)).stat?.kind === 'file'
  } catch (error) {
    if (error instanceof ToolError) return false
    throw error
  }
}

function endNote(outcome: ListOutcome): string | undefined {
  switch (outcome.kind) {
    case 'complete':
    case 'stopped':
      return undefined
    case 'timed-out':
      return `Stopped after ${searchTimeoutMs / 1000} s; the results are incomplete. Give a "path" to search less`
    case 'too-many-entries':
      return `Stopped after ${outcome.limit} entries; the results are incomplete. Give a "path" to search less`
    default:
      return unreachable(outcome)
  }
}
