// Resolves merge conflicts in place. Any number of files are read and checked under their locks, and written in one batch that names their
// revisions.

import { ToolError } from '../../../core/errors.ts'
import type { VfsPath } from '../../../core/path.ts'
import { encodeText, normalizedText, type TextDocument } from '../../../core/text.ts'
import { formatConflictAddress, type ConflictAddress } from '../../../resources/conflict/address.ts'
import { conflictText, findConflicts, type ConflictRegion } from '../../../resources/conflict/regions.ts'
import { parseResolution, spliceConflicts, type Resolution } from '../../../resources/conflict/splice.ts'
import { commitWrites } from '../../../session/commit.ts'
import type { RegisteredConflict } from '../../../session/conflicts.ts'
import { locateConflict, openConflicts, registeredConflict, type ConflictFile } from '../../../session/open-conflicts.ts'
import { scanConflicts } from '../../../session/scan-conflicts.ts'
import { diffDetails } from '../../../session/diff-details.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { diffDocuments, type DocumentDiff } from '../../../text/diff.ts'
import { formatHeader } from '../../../text/hashline/format.ts'
import type { GivenContent } from './copied-output.ts'

/** One file with its conflicts resolved in memory. */
interface ResolvedFile extends ConflictFile {
  readonly display: string
  readonly resolved: readonly { readonly id: number; readonly region: ConflictRegion }[]
  readonly after: TextDocument
  readonly diff: DocumentDiff
}

export async function writeConflicts(
  address: ConflictAddress,
  content: GivenContent,
  { session, signal }: ToolCall,
): Promise<ToolOutcome> {
  const resolution = parseResolution(content.text)
  const conflicts = await addressed(session, address, signal)
  return session.locks.hold([...conflicts.keys()], signal, async () => {
    const files: ResolvedFile[] = []
    for (const [path, ofFile] of conflicts) {
      signal.throwIfAborted()
      files.push(await resolveFile(session, path, ofFile, resolution))
    }
    await commitWrites(
      session.vfs,
      files.map(({ display, file, loaded, after }) => ({
        path: file.path,
        display,
        bytes: encodeText(after),
        baseRev: loaded.stat.rev,
      })),
      signal,
    )
    session.conflicts.forget(new Set(files.flatMap(({ resolved }) => resolved.map(({ id }) => id))))
    return report(session, files, resolution, content.notes)
  })
}

/** The conflicts that an address names. In a session that was shown none, these are all conflicts of the workspace, if all were found. */
async function addressed(
  session: Session,
  address: ConflictAddress,
  signal: AbortSignal,
): Promise<ReadonlyMap<VfsPath, readonly RegisteredConflict[]>> {
  if (address.kind === 'side') {
    throw new ToolError(
      'conflict-side-read-only',
      `${formatConflictAddress(address.id)}/${address.side} is one side of a conflict and can only be read. Nothing was written.`,
      { nextStep: `Write to ${formatConflictAddress(address.id)} with the content @${address.side} to keep that side.` },
    )
  }
  if (session.conflicts.all().size === 0) await registerAll(session, signal)
  if (address.kind === 'one') {
    const conflict = registeredConflict(session, address.id)
    return new Map([[conflict.path, [conflict]]])
  }
  // A copy, because resolving removes entries from the original.
  const all = new Map(session.conflicts.all())
  if (all.size > 0) return all
  throw new ToolError('conflict-none', 'There are no conflicts in the workspace. Nothing was written.', {
    nextStep: 'Write to a file by its path.',
  })
}

async function registerAll(session: Session, signal: AbortSignal): Promise<void> {
  const scan = await scanConflicts(session, signal)
  if (scan.incomplete !== undefined) {
    throw new ToolError(
      'conflict-scan-incomplete',
      `The search for conflicts ended ${scan.incomplete}, so their numbers are not certain. Nothing was written.`,
      { nextStep: 'Read the conflicts of one file with read: <path>:conflicts, then resolve them by their numbers.' },
    )
  }
  for (const { path, display, document, regions } of scan.files) {
    session.conflicts.register(
      path,
      display,
      regions.map(region => conflictText(document, region)),
    )
  }
}

async function resolveFile(
  session: Session,
  path: VfsPath,
  conflicts: readonly RegisteredConflict[],
  resolution: Resolution,
): Promise<ResolvedFile> {
  const opened = await openConflicts(session, path)
  const resolved = conflicts
    // Looked up again under the lock, because another call may have resolved it meanwhile.
    .map(({ id }) => ({ id, region: locateConflict(opened, registeredConflict(session, id)) }))
    .sort((left, right) => left.region.startIndex - right.region.startIndex)
  const after = spliceConflicts(
    opened.loaded.document,
    resolved.map(({ region }) => region),
    resolution,
  )
  const display = conflicts[0]?.display ?? opened.file.display
  return { ...opened, display, resolved, after, diff: diffDocuments(opened.loaded.document, after, display) }
}

function report(session: Session, files: readonly ResolvedFile[], resolution: Resolution, notes: readonly string[]): ToolOutcome {
  const blocks = files.map(({ file, display, resolved, after, diff }) => {
    const tag = session.snapshots.record(file.path, display, normalizedText(after))
    const left = findConflicts(after).length
    const lines = resolved.map(({ id, region }) => {
      const doubt = doubtAbout(region, resolution)
      return `Resolved ${formatConflictAddress(id)} (lines ${region.startIndex + 1}-${region.endIndex + 1}).${doubt}`
    })
    const rest = left === 0 ? [] : [`${left === 1 ? '1 conflict is' : `${left} conflicts are`} left in ${display}.`]
    return [formatHeader(display, tag), ...lines, ...rest, ...cutDiffRows(diff.rows, display)].join('\n')
  })
  return {
    content: textContent([...notes, blocks.join('\n\n')].join('\n')),
    details: {
      meta: { source: 'conflict', sourcePath: files[0]?.file.path },
      resolved: files.flatMap(({ resolved }) => resolved.map(({ id }) => id)),
      files: files.map(({ display }) => display),
      ...diffDetails(files),
    },
  }
}

/** Possible problems of taking one side, to be checked in the diff. */
function doubtAbout(region: ConflictRegion, resolution: Resolution): string {
  if (resolution.kind === 'text') return ''
  const noBase =
    resolution.sides.includes('base') && region.baseIndex === undefined ? ' It records no base: that side is empty.' : ''
  const borders =
    region.separatorCount > 1
      ? ` It had ${region.separatorCount} lines of =======; the first was taken as the border between the sides: check the diff.`
      : ''
  return noBase + borders
}

/** Rows of one file's diff in the text of a result: a whole file would be costly, and `details.diff` has all of it. */
const maxDiffRows = 120
const maxRowCharacters = 160

/** The rows of a diff, cut with a note. */
function cutDiffRows(diff: string, path: string): readonly string[] {
  const rows =
    diff === '' ? [] : diff.split('\n').map(row => (row.length > maxRowCharacters ? `${row.slice(0, maxRowCharacters)}…` : row))
  if (rows.length <= maxDiffRows) return rows
  const left = rows.length - maxDiffRows
  return [...rows.slice(0, maxDiffRows), `[${left} more diff ${left === 1 ? 'row' : 'rows'}. Read ${path} to see the rest.]`]
}
