// Edits lines by their tags.

import { ToolError, unreachable } from '../../../core/errors.ts'
import { textOf, type TextDocument } from '../../../core/text.ts'
import { changeText } from '../../../session/change-file.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { parseEdits, type TagEdit } from '../../../text/line-tags/parse-edits.ts'
import { placeEdits } from '../../../text/line-tags/place-edits.ts'
import type { ShownTexts } from '../../../text/shown-texts.ts'
import { formatLineTag, type LineTag } from '../../../text/line-tags/tag.ts'
import { sliceCharacters } from '../../../text/page-lines.ts'
import { spliceLines, withoutSecondMark, type LineSplice } from '../../../text/splice-lines.ts'
import { unifiedDiff } from '../../../text/unified-diff.ts'
import { withoutCopiedTags } from '../copied-tags.ts'
import { ecsWords } from '../paths.ts'
import { withNotes } from '../result.ts'
import type { EcsState } from '../state.ts'
import { freshLines } from './fresh-lines.ts'

export interface EditFileArguments {
  readonly file_path: string
  readonly edits_json: string | readonly unknown[]
}

export function runEditFile(args: EditFileArguments, call: ToolCall, state: EcsState): Promise<ToolOutcome> {
  return changeText(call, args.file_path, ecsWords, text => {
    const { file, document } = text
    const parsed = parseEdits(args.edits_json)
    if (parsed.kind === 'refused') throw refusal(parsed.message)
    const { edits } = parsed
    if (edits.length > 0 && state.isChanged(file.path, document.lines)) throw changedSince(file.display)
    const notes = [...parsed.notes]
    const isOwnText = state.freshness(file.path, document.lines) === 'current'
    const splices = placedEdits(edits, document.lines, state.shownTexts(file.path), isOwnText).map(splice => {
      const bare = withoutCopiedTags(splice.lines, document.lines)
      notes.push(...bare.notes)
      return { ...splice, lines: withoutSecondMark(bare.lines, splice, document) }
    })
    const after = spliceLines(document, splices)
    const afterText = textOf(after)
    return {
      after: afterText,
      report(written) {
        if (written === undefined && edits.length > 0) notes.push('The file already held exactly these lines')
        const fresh = freshLines(splices, after.lines)
        for (const { startIndex, endIndex } of fresh.shown) state.show(file.path, after.lines, startIndex, endIndex)
        const summary = [`Applied ${edits.length} edits to ${args.file_path}`, ...fresh.rows].join('\n')
        const allNotes = [...notes, ...fresh.notes, ...renumberedNote(splices, document, after)]
        return {
          content: textContent(withNotes(summary, allNotes)),
          details: {
            resolvedPath: file.path,
            editCount: edits.length,
            patch: unifiedDiff(text.text, afterText, file.display),
          },
        }
      },
    }
  })
}

/** `isOwnText`: the session saw or wrote the present text, so tags that do not fit are from an earlier view. */
function placedEdits(
  edits: readonly TagEdit[],
  lines: readonly string[],
  shown: ShownTexts,
  isOwnText: boolean,
): readonly LineSplice[] {
  const placed = placeEdits(edits, lines)
  switch (placed.kind) {
    case 'refused':
      throw refusal(placed.message)
    case 'mismatch':
      throw mismatch(placed.tag, placed.actualId, lines, isOwnText)
    case 'placed':
      refuseUnseenChanges(edits, lines, shown)
      return placed.splices
    default:
      return unreachable(placed)
  }
}

/** The tags fit. The lines must also be those that were shown with these tags, and no unseen line may lie between them. */
function refuseUnseenChanges(edits: readonly TagEdit[], lines: readonly string[], shown: ShownTexts): void {
  const lineNow = shown.against(lines)
  for (const edit of edits) {
    const last = edit.op === 'replace' ? (edit.end ?? edit.pos) : edit.pos
    for (let lineNumber = edit.pos.lineNumber; lineNumber <= last.lineNumber; lineNumber++) {
      const now = lineNow(lineNumber - 1)
      if (now.kind === 'same' || now.kind === 'never-shown') continue
      if (now.kind === 'uncertain') throw uncertainLine(lineNumber)
      const where = now.nowAt === undefined ? '' : `; the line that was shown is line ${now.nowAt} now`
      throw new ToolError('stale-tag', `Line ${lineNumber} is no longer the line that was shown${where}`, {
        nextStep: 'Read the file again and use its new tags. Nothing was changed.',
        details: { line: lineNumber },
      })
    }
  }
}

function uncertainLine(lineNumber: number): ToolError {
  return new ToolError(
    'stale-tag',
    `Line ${lineNumber} may not be the line that was shown: equal lines were added or removed near it`,
    { nextStep: 'Read the file again and use its new tags. Nothing was changed.', details: { line: lineNumber } },
  )
}

const shownCharacters = 200

function mismatch({ lineNumber, id }: LineTag, actualId: string, lines: readonly string[], isOwnText: boolean): ToolError {
  const line = lines[lineNumber - 1] ?? ''
  const now = formatLineTag(lineNumber, line) + sliceCharacters(line, 0, shownCharacters).text
  return new ToolError('stale-tag', `Hash mismatch at line ${lineNumber}: expected ${id}, got ${actualId}`, {
    nextStep: `The line is now: ${now}\n${isOwnText ? 'If you edited this file just before, use the tags of that answer, and send all edits of a file in one call. ' : ''}Read the file again before you edit it. Nothing was changed.`,
    details: { line: lineNumber, expected: id, actual: actualId },
  })
}

function changedSince(display: string): ToolError {
  return new ToolError('stale-tag', `${display} changed since it was shown`, {
    nextStep: 'Read the file again and use its new tags. Nothing was changed.',
    details: { path: display },
  })
}

function refusal(message: string): ToolError {
  return new ToolError('invalid-edits', message, { nextStep: 'Correct it and send all edits again. Nothing was changed.' })
}

/** A change of line numbers below an edit also changes the tags there. */
function renumberedNote(splices: readonly LineSplice[], before: TextDocument, after: TextDocument): readonly string[] {
  const moved = splices.find(({ removed, lines }) => removed !== lines.length)
  if (moved === undefined || moved.startIndex + moved.removed >= before.lines.length) return []
  const count = after.lines.length
  return [
    `The file has ${count} ${count === 1 ? 'line' : 'lines'} now; lines below line ${moved.startIndex + 1} have new numbers and tags`,
  ]
}
