// Explains a refused edit: the reason, the present tag of the file, and the lines around its anchors. Unlike a read, this authorises no
// edit.

import { ToolError } from '../../../core/errors.ts'
import type { TextDocument } from '../../../core/text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { OlderRow } from '../../../session/older-rows.ts'
import type { Authorization, Snapshot } from '../../../session/snapshots.ts'
import { formatContextRow, formatMatchRow } from '../../../text/hashline/format.ts'
import type { Hunk, Section } from '../../../text/hashline/parse.ts'
import type { Conflict } from '../../../text/hashline/recover.ts'
import { quote } from '../../../text/hashline/rejections.ts'
import { cut } from './change-rows.ts'

const contextLines = 2
/** A script may have thousands of anchors; the model needs to see that lines moved, not every one of them. */
const maxContextRows = 60

type Refusal = Exclude<Authorization, { readonly kind: 'current' }>

export function refuseUnauthorized(refused: {
  readonly section: Section
  readonly file: ResolvedPath
  readonly document: TextDocument
  readonly authorization: Refusal
  /** Why the edit could not follow its lines, if that was tried. */
  readonly conflicts?: readonly Conflict[]
}): ToolError {
  const { section, file, document, authorization, conflicts = [] } = refused
  const lineCount = document.lines.length
  const anchors =
    conflicts.length === 0
      ? section.hunks.flatMap(hunk => anchorLines(hunk, lineCount))
      : conflicts.flatMap(({ liveLine, start, end }) => linesFrom(liveLine, liveLine + end - start, lineCount))
  const context = anchorContext(document, new Set(anchors))
  return new ToolError(
    codeOf(authorization),
    `${reason(authorization, section.tag, file.display, conflicts)} Nothing was written.${context === '' ? '' : `\n\n${context}\n`}`,
    {
      nextStep: `Read ${file.display} again and use the header of that result.`,
      details: {
        path: file.display,
        tag: section.tag,
        currentTag: authorization.liveTag,
        scriptLine: conflicts[0]?.scriptLine ?? section.scriptLine,
        ...(conflicts.length === 0 ? {} : { conflicts }),
      },
    },
  )
}

/** The numbers of a script may be those of an older view. Both readings are shown, because either may be intended. */
export function refuseOlderRow(display: string, section: Section, row: OlderRow, textNow: string | undefined): ToolError {
  const { lineNumber, tag, text, nowAt } = row
  const where = nowAt === undefined ? 'its place in this text is not certain' : `it is line ${nowAt} in this text`
  const was =
    text === undefined ? `under #${tag} you saw another text` : `under #${tag} you saw it as ${quote(text)}, and ${where}`
  const from = Math.max(1, Math.min(lineNumber, nowAt ?? lineNumber) - 2)
  const to = Math.max(lineNumber, nowAt ?? lineNumber) + 2
  return new ToolError(
    'edit-rows-not-shown',
    `Line ${lineNumber} of ${display} was not shown under #${section.tag}: ${was}. ${textNow === undefined ? 'This text ends before it.' : `Here line ${lineNumber} is ${quote(textNow)}.`} Nothing was written.`,
    {
      nextStep: `Read ${display}:${from}-${to} and use the header and the numbers of that result.`,
      details: { path: display, tag: section.tag, line: lineNumber, shownAs: tag, nowAt, scriptLine: section.scriptLine },
    },
  )
}

function codeOf(authorization: Refusal): string {
  if (authorization.kind === 'unknown') return 'edit-tag-unknown'
  const isAmbiguous = authorization.kind === 'same-tag-other-text' || authorization.snapshot.kind === 'ambiguous'
  return isAmbiguous ? 'edit-tag-ambiguous' : 'edit-tag-stale'
}

function reason(authorization: Refusal, tag: string, path: string, conflicts: readonly Conflict[]): string {
  switch (authorization.kind) {
    case 'stale':
      return `${path} changed since you saw it: the edit is for #${tag}, the file is now #${authorization.liveTag}. ${whyNotMoved(authorization.snapshot, tag, conflicts)}`
    case 'unknown': {
      const forgotten = authorization.mayBeForgotten ? ', or so long ago that it is forgotten' : ''
      return `#${tag} was not issued for ${path} in this session${forgotten}; the file is now #${authorization.liveTag}.`
    }
    case 'same-tag-other-text':
      return `${path} changed since you saw it. It still shows #${authorization.liveTag}, because only trailing blanks changed or two texts share the tag. ${whyNotMoved(authorization.snapshot, tag, conflicts)}`
  }
}

/** Why the edit could not follow its lines to their present place. */
function whyNotMoved(snapshot: Snapshot, tag: string, [conflict]: readonly Conflict[]): string {
  switch (snapshot.kind) {
    case 'kept':
      return conflict === undefined ? 'The new place of its lines is not certain.' : describeConflict(conflict)
    case 'dropped':
      return `What you saw under #${tag} is no longer in memory, so the change cannot be followed.`
    case 'ambiguous':
      return `#${tag} stands for more than one text of this file, so the text that you mean is not certain.`
  }
}

function describeConflict({ scriptLine, operation, start, end, reason: why }: Conflict): string {
  const lines = start === end ? `line ${start}` : `lines ${start}-${end}`
  const was = `Line ${scriptLine} of the edit script: \`${operation}\``
  return why === 'changed'
    ? `${was} touches ${lines} as you saw them, and those lines or their neighbours have changed.`
    : `${was} touches ${lines} as you saw them, but equal lines are in other places too, so the place that you mean is not certain.`
}

function anchorContext(document: TextDocument, anchors: ReadonlySet<number>): string {
  const visible = [
    ...new Set(
      [...anchors].flatMap(line => Array.from({ length: 2 * contextLines + 1 }, (_, index) => line - contextLines + index)),
    ),
  ]
    .filter(line => line >= 1 && line <= document.lines.length)
    .sort((a, b) => a - b)
  const rows: string[] = []
  let previous: number | undefined
  for (const line of visible.slice(0, maxContextRows)) {
    if (previous !== undefined && line > previous + 1) rows.push('...')
    const text = document.lines[line - 1] ?? ''
    rows.push(anchors.has(line) ? formatMatchRow(line, cut(text)) : formatContextRow(line, cut(text)))
    previous = line
  }
  if (visible.length > maxContextRows) rows.push(`... (${visible.length - maxContextRows} more lines)`)
  return rows.join('\n')
}

/** The lines that a hunk names, limited to the file, so that a number far beyond its end costs no time. */
function anchorLines(hunk: Hunk, lineCount: number): readonly number[] {
  switch (hunk.kind) {
    case 'replace':
    case 'delete':
      return linesFrom(hunk.start, hunk.end, lineCount)
    case 'insert':
      switch (hunk.at.place) {
        case 'head':
          return [1]
        case 'tail':
          return [lineCount]
        default:
          return [hunk.at.line]
      }
    default:
      return [hunk.line]
  }
}

function linesFrom(start: number, end: number, lineCount: number): readonly number[] {
  const last = Math.min(end, lineCount, start + maxContextRows)
  return Array.from({ length: Math.max(0, last - start + 1) }, (_, index) => start + index)
}
