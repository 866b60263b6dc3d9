// Replaces lines by their IDs. The order of the checks: docs/toolsets/rye.md.

import { fullHash } from '../../../core/hash.ts'
import { ToolError, unreachable } from '../../../core/errors.ts'
import type { VfsPath } from '../../../core/path.ts'
import { createPauser } from '../../../core/pause.ts'
import { textOf } from '../../../core/text.ts'
import { changeText, checkWellFormed } from '../../../session/change-file.ts'
import { alreadyNote, mergedNote } from '../../../session/drift-notes.ts'
import type { LoadedText } from '../../../session/load-text.ts'
import type { OpenedText } from '../../../session/resolve-text.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { parseLineId } from '../../../text/line-ids/display.ts'
import type { LineIndex } from '../../../text/line-ids/index-file.ts'
import { lineHash } from '../../../text/line-ids/line-index.ts'
import { placeChanges, type LineIdChange, type PlacedChange } from '../../../text/line-ids/place-changes.ts'
import type { ShownLines } from '../../../text/line-ids/shown-lines.ts'
import { spliceLines, withoutSecondMark, type LineSplice } from '../../../text/splice-lines.ts'
import { unifiedDiff } from '../../../text/unified-diff.ts'
import { withoutCopiedIds } from '../copied-ids.ts'
import { fromRoot, ryeWords } from '../paths.ts'
import { ryeResult } from '../result.ts'
import { shownDiff } from '../shown-diff.ts'
import type { RyeState } from '../state.ts'

export interface EditLinesArguments {
  readonly file_path: string
  readonly changes: readonly LineIdChange[]
}

export function runEditLines(args: EditLinesArguments, call: ToolCall, state: RyeState): Promise<ToolOutcome> {
  const { session } = call
  return changeText(call, args.file_path, ryeWords, async text => {
    const { file } = text
    const index = await state.indexes.load(file)
    if (index === undefined) {
      throw new ToolError('no-line-ids', 'No line ID cache found. Read the file first to generate line IDs.', {
        ...(session.freshness.check(file.path, text.stat.rev, text.text) === 'current' ? { nextStep: endedByOwnEdit } : {}),
      })
    }
    const isStale = index.contentHash !== fullHash(text.text) || index.lines.length !== text.document.lines.length
    const changes = checkedChanges(args.changes, index, isStale && state.drift === 'refuse', isStale)
    refuseUnseenLines(args.changes, changes, { index, text, session, shown: state.shownLines(file.path), isStale })
    const notes: string[] = []
    const isKnown = (id: string): boolean => index.lines.some(line => line.id === id) || state.hasShown(id)
    const bareChanges = changes.map(change => {
      const bare = withoutCopiedIds(change.lines, isKnown)
      notes.push(...bare.notes)
      return { ...change, lines: bare.lines }
    })
    const placed = isStale
      ? await placedNow(bareChanges, index, text, call.signal)
      : { splices: bareChanges, notes: [], details: {} }
    notes.push(...placed.notes)
    const splices = placed.splices.map(splice => ({ ...splice, lines: withoutSecondMark(splice.lines, splice, text.document) }))
    const after = textOf(spliceLines(text.document, splices))
    const diff = unifiedDiff(text.text, after, fromRoot(session, file.path))
    return {
      after,
      async report(written) {
        if (written !== undefined) {
          await state.indexes.clear(file.path)
          // The session did not see the other writers' changes.
          if (!isStale) session.freshness.note(file.path, written.rev, after)
        }
        const { output, notes: cutNotes } = shownDiff(session, diff, file.display)
        return ryeResult({
          output,
          fields: {
            changes_applied: splices.length,
            lines_changed: splices.reduce((sum, { removed, lines }) => sum + Math.max(removed, lines.length), 0),
          },
          notes: [...notes, ...cutNotes],
          emptyText: 'No change: the file already held exactly these lines.',
          details: { resolvedPath: file.path, patch: diff, ...placed.details },
        })
      },
    }
  })
}

const endedByOwnEdit =
  'The IDs ended with your last change of this file. That change was made; this call changed nothing. Send all changes of a file in one call.'

/** Transfers changes of an older version of the file to the present one. Throws `ToolError` `stale-line-ids`. */
async function placedNow(
  changes: readonly LineSplice[],
  index: LineIndex,
  { document, file: { display } }: OpenedText,
  signal: AbortSignal,
): Promise<{ readonly splices: readonly LineSplice[]; readonly notes: readonly string[]; readonly details: object }> {
  const [{ mergeChanges }, hashes] = await Promise.all([
    import('../../../text/line-ids/merge-changes.ts'),
    lineHashes(document.lines, signal),
  ])
  const merged = mergeChanges(index.lines, document, hashes, changes)
  switch (merged.kind) {
    case 'refused':
      throw stale('The file has changed since it was read, and where these lines are now is not certain.')
    case 'already-applied':
      return { splices: [], notes: [alreadyNote(display)], details: { alreadyApplied: true } }
    case 'merged': {
      const leftOut = merged.leftOut === 0 ? [] : [`${merged.leftOut} of ${changes.length} changes had been made already`]
      return { splices: merged.splices, notes: [mergedNote(display, merged), ...leftOut], details: { merged: true } }
    }
    default:
      return unreachable(merged)
  }
}

/** Lines hashed between two pauses, which takes some milliseconds. */
const linesPerStep = 1_000

async function lineHashes(lines: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const pause = createPauser()
  const hashes: string[] = []
  for (const [index, line] of lines.entries()) {
    if (index % linesPerStep === 0) {
      await pause()
      signal.throwIfAborted()
    }
    hashes.push(lineHash(line))
  }
  return hashes
}

interface Seen {
  readonly index: LineIndex
  /** The index is of an older version. */
  readonly isStale: boolean
  readonly text: LoadedText & { readonly file: { readonly path: VfsPath } }
  readonly session: Session
  readonly shown: ShownLines
}

/** The IDs fit the file; this session must also have been shown them. Throws `ToolError` `stale-line-ids`. */
function refuseUnseenLines(
  given: readonly LineIdChange[],
  changes: readonly PlacedChange[],
  { index, text, session, shown, isStale }: Seen,
): void {
  // An earlier session may have seen it, or its text was dropped from memory and only its identity is left.
  const isUnseen = shown.size === 0 && session.freshness.check(text.file.path, text.stat.rev, text.text) === 'changed'
  if (isUnseen) throw stale('The file changed since it was shown.')
  const ids = given.flatMap(change => idsOf(change))
  // An older version is a proof only for a session that saw it.
  if (isStale && !ids.every(id => shown.knows(id))) throw staleFile()
  const outdated = shown.outdated(index.lines, ids)
  if (outdated.length > 0)
    throw stale(`The line IDs ${outdated.join(', ')} were shown for other lines than those that have them now.`)
  const changedRange = changes.find(({ startIndex, removed }) =>
    shown.isRangeChanged(index.lines, startIndex, startIndex + removed - 1),
  )
  if (changedRange !== undefined)
    throw stale(`Lines inside the range of change ${changedRange.position + 1} changed since they were shown.`)
}

function checkedChanges(
  given: readonly LineIdChange[],
  index: LineIndex,
  isRefused: boolean,
  isStale: boolean,
): readonly PlacedChange[] {
  for (const change of given) checkWellFormed(change.new_content)
  const placed = placeChanges(given, index.lines)
  if (placed.kind === 'unknown-ids') throw unknownIds(placed.ids, index, isStale)
  if (isRefused) throw staleFile()
  if (placed.kind === 'refused') {
    throw new ToolError('invalid-changes', placed.message, {
      nextStep: 'Correct it and send all changes again. Nothing was changed.',
    })
  }
  return placed.changes
}

const namedIds = 10

function unknownIds(ids: readonly string[], index: LineIndex, isStale: boolean): ToolError {
  const listed = (list: readonly string[]): string => `[${list.map(id => `'${id}'`).join(', ')}]`
  const available = index.lines.slice(0, namedIds).map(line => line.id)
  return new ToolError('unknown-line-ids', `Invalid line IDs: ${listed(ids)}. Available IDs include: ${listed(available)}...`, {
    nextStep: isStale
      ? 'The file has changed too: read it again.'
      : 'Read the part of the file that you mean; IDs stand before each line.',
    details: { ids },
  })
}

function staleFile(): ToolError {
  return new ToolError('stale-line-ids', 'File has changed since last read. Re-read the file to get updated line IDs.')
}

function stale(message: string): ToolError {
  return new ToolError('stale-line-ids', message, { nextStep: 'Read that part of the file again. Nothing was changed.' })
}

function idsOf({ line_id: only, start_line_id: start, end_line_id: end }: LineIdChange): readonly string[] {
  return [only, start, end].flatMap(id => (id === undefined ? [] : (parseLineId(id) ?? [])))
}
