// Why an edit is refused, what the file is now, and the lines around its anchors, so that the next step is clear (atomic §4.7).
// The tag named here authorises nothing: it is not a reading of the file (atomic §21.5 #56).

import { ToolError } from '../../../core/errors.ts'
import type { TextDocument } from '../../../core/text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Authorization, Snapshot } from '../../../session/snapshots.ts'
import { formatContextRow, formatMatchRow } from '../../../text/hashline/format.ts'
import type { Hunk, Section } from '../../../text/hashline/parse.ts'

const contextLines = 2
/** A script may anchor thousands of lines; the model needs to see that they moved, not all of them. */
const maxContextRows = 60

type Refusal = Exclude<Authorization, { readonly kind: 'current' }>

export function refuseUnauthorized(refused: {
  readonly section: Section
  readonly file: ResolvedPath
  readonly document: TextDocument
  readonly authorization: Refusal
}): ToolError {
  const { section, file, document, authorization } = refused
  const context = anchorContext(document, section.hunks)
  return new ToolError(
    codeOf(authorization),
    `${reason(authorization, section.tag, file.display)} Nothing was written.${context === '' ? '' : `\n\n${context}\n`}`,
    {
      nextStep: `Read ${file.display} again and use the header of that result.`,
      details: { path: file.display, tag: section.tag, currentTag: authorization.liveTag, scriptLine: section.scriptLine },
    },
  )
}

function codeOf(authorization: Refusal): string {
  if (authorization.kind === 'unknown') return 'edit-tag-unknown'
  const isAmbiguous = authorization.kind === 'same-tag-other-text' || authorization.snapshot.kind === 'ambiguous'
  return isAmbiguous ? 'edit-tag-ambiguous' : 'edit-tag-stale'
}

function reason(authorization: Refusal, tag: string, path: string): string {
  switch (authorization.kind) {
    case 'stale':
      return `${path} changed since you saw it: the edit is for #${tag}, the file is now #${authorization.liveTag}. ${whyNotMoved(authorization.snapshot, tag)}`
    case 'unknown': {
      const forgotten = authorization.mayBeForgotten ? ', or so long ago that it is forgotten' : ''
      return `#${tag} was not issued for ${path} in this session${forgotten}; the file is now #${authorization.liveTag}.`
    }
    case 'same-tag-other-text':
      return `${path} changed since you saw it. It still shows #${authorization.liveTag}, because only trailing blanks changed or two texts share the tag. ${whyNotMoved(authorization.snapshot, tag)}`
  }
}

/** Why the edit could not follow its lines to where they are now. */
function whyNotMoved(snapshot: Snapshot, tag: string): string {
  switch (snapshot.kind) {
    case 'kept':
      return 'The lines that it names cannot be told apart for certain in the file as it is now.'
    case 'dropped':
      return `What you saw as #${tag} was dropped from memory, so it cannot be told what changed.`
    case 'ambiguous':
      return `#${tag} stood for more than one text of this file, so it cannot be told which one you mean.`
  }
}

function anchorContext(document: TextDocument, hunks: readonly Hunk[]): string {
  const anchors = new Set(hunks.flatMap(hunk => anchorLines(hunk, document.lines.length)))
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
    rows.push(anchors.has(line) ? formatMatchRow(line, text) : formatContextRow(line, text))
    previous = line
  }
  if (visible.length > maxContextRows) rows.push(`... (${visible.length - maxContextRows} more lines)`)
  return rows.join('\n')
}

/** The lines that a hunk names, kept within the file so that a wild number costs nothing. */
function anchorLines(hunk: Hunk, lineCount: number): readonly number[] {
  switch (hunk.kind) {
    case 'replace':
    case 'delete': {
      const end = Math.min(hunk.end, lineCount, hunk.start + maxContextRows)
      return Array.from({ length: Math.max(0, end - hunk.start + 1) }, (_, index) => hunk.start + index)
    }
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
