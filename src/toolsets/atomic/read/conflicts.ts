// Merge conflicts as a model reads them: only their lines, with the line numbers of the file and the number that resolves each.

import { documentOf, type TextDocument } from '../../../core/text.ts'
import type { ConflictAddress } from '../../../resources/conflict/address.ts'
import { formatConflictAddress } from '../../../resources/conflict/address.ts'
import { conflictText, findConflicts, sideOf, type ConflictRegion } from '../../../resources/conflict/regions.ts'
import { loadText } from '../../../session/load-text.ts'
import { locateConflict, openConflicts, registeredConflict } from '../../../session/open-conflicts.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import { scanConflicts } from '../../../session/scan-conflicts.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import type { LineRange, PathSelector } from '../../../text/hashline/selector.ts'
import { readDetails, renderSelection } from './render-selection.ts'

interface ShownConflict {
  readonly id: number
  readonly region: ConflictRegion
}

/** The number of conflicts that the text lists; the rows and `details.conflicts` contain all of them. */
const maxListed = 50

/** `path:conflicts`. Ranges are lines of the file; only conflicts that overlap them are shown. */
export async function readFileConflicts(session: Session, file: ResolvedPath, selector: PathSelector): Promise<ToolOutcome> {
  const { document, normalized } = await loadText(session, file)
  const regions = findConflicts(document)
  const ids = session.conflicts.register(
    file.path,
    file.display,
    regions.map(region => conflictText(document, region)),
  )
  const conflicts = regions.flatMap((region, index): ShownConflict[] => {
    const id = ids[index]
    return id !== undefined && isTouched(region, selector.ranges) ? [{ id, region }] : []
  })
  const meta = { source: 'file', sourcePath: file.path }
  if (conflicts.length === 0) {
    const elsewhere = regions.length === 0 ? '' : ` in these lines; the file has ${countConflicts(regions.length)} elsewhere`
    return {
      content: textContent(`${file.display} has no conflicts${elsewhere}.`),
      details: { meta, conflicts: [] },
    }
  }
  return showConflicts(session, { file, document, normalized, selector, conflicts })
}

/** `conflict://…`. Throws `ToolError`: `conflict-unknown`, `conflict-changed`. */
export async function readConflict(
  session: Session,
  address: ConflictAddress,
  selector: PathSelector,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (address.kind === 'all') return listConflicts(session, selector, signal)
  const conflict = registeredConflict(session, address.id)
  const opened = await openConflicts(session, conflict.path)
  const region = locateConflict(opened, conflict)
  const { document, normalized } = opened.loaded
  if (address.kind === 'one') {
    const whole = { ...selector, ranges: [] }
    const file = { ...opened.file, display: conflict.display }
    return showConflicts(session, { file, document, normalized, selector: whole, conflicts: [{ id: conflict.id, region }] })
  }
  const { start, end } = sideOf(region, address.side)
  const display = `${formatConflictAddress(conflict.id)}/${address.side}`
  const side = { bom: false, lines: document.lines.slice(start, end), endings: document.endings.slice(start, end) }
  const isMissing = address.side === 'base' && region.baseIndex === undefined
  const shown =
    start === end
      ? { text: isMissing ? 'This conflict records no base.' : `The side ${display} is empty.`, details: {} }
      : await renderSelection({
          document: side,
          selector,
          limits: session.limits,
          display,
          noun: 'side',
          form: selector.raw ? 'raw' : 'plain',
        })
  return {
    content: textContent(shown.text),
    details: readDetails({ source: 'conflict', sourcePath: conflict.path }, shown),
  }
}

async function listConflicts(session: Session, selector: PathSelector, signal: AbortSignal): Promise<ToolOutcome> {
  const scan = await scanConflicts(session, signal)
  const conflicts = scan.files.flatMap(({ path, display, document, regions }) => {
    const texts = regions.map(region => conflictText(document, region))
    const ids = session.conflicts.register(path, display, texts)
    return regions.flatMap((region, index) => {
      const id = ids[index]
      return id === undefined ? [] : [{ path: display, ...describe({ id, region }) }]
    })
  })
  const note = scan.incomplete === undefined ? '' : `\n\n[The search for conflicts ended ${scan.incomplete}: there may be more.]`
  const meta = { source: 'conflict', sourcePath: session.root }
  if (conflicts.length === 0)
    return { content: textContent(`There are no conflicts in the workspace.${note}`), details: { meta, conflicts } }
  const rows = conflicts.map(
    ({ id, path, startLine, endLine }) => `${formatConflictAddress(id)}  ${path}:${startLine}-${endLine}`,
  )
  const shown = await renderSelection({
    document: documentOf(rows.join('\n')),
    selector,
    limits: session.limits,
    display: 'conflict://*',
    noun: 'list',
    form: 'plain',
  })
  return { content: textContent(`${shown.text}${note}`), details: { conflicts, ...readDetails(meta, shown) } }
}

async function showConflicts(
  session: Session,
  view: {
    readonly file: ResolvedPath
    readonly document: TextDocument
    readonly normalized: string
    readonly selector: PathSelector
    readonly conflicts: readonly ShownConflict[]
  },
): Promise<ToolOutcome> {
  const { file, document, normalized, selector, conflicts } = view
  const ranges = conflicts.map(({ region }): LineRange => {
    return { bounded: true, start: region.startIndex + 1, end: region.endIndex + 1 }
  })
  const shown = await renderSelection({
    document,
    selector: { ...selector, ranges },
    limits: session.limits,
    display: file.display,
    noun: 'file',
    form: selector.raw ? 'raw' : 'numbered',
    excerpt: ':conflicts',
    tag: rows => session.snapshots.record(file.path, file.display, normalized, { rows }),
  })
  const listed = conflicts.slice(0, maxListed).map(describe).map(describeInText)
  if (conflicts.length > maxListed) listed.push(`[${conflicts.length - maxListed} more conflicts. Read conflict://* for a list.]`)
  return {
    content: textContent(selector.raw ? shown.text : `${shown.text}\n\n${listed.join('\n')}`),
    details: { conflicts: conflicts.map(describe), ...readDetails({ source: 'file', sourcePath: file.path }, shown) },
  }
}

interface DescribedConflict {
  readonly id: number
  readonly startLine: number
  readonly endLine: number
  readonly ours: string
  readonly theirs: string
  readonly hasBase: boolean
  readonly separators: number
}

function describe({ id, region }: ShownConflict): DescribedConflict {
  return {
    id,
    startLine: region.startIndex + 1,
    endLine: region.endIndex + 1,
    ours: region.oursLabel,
    theirs: region.theirsLabel,
    hasBase: region.baseIndex !== undefined,
    separators: region.separatorCount,
  }
}

function describeInText({ id, startLine, endLine, hasBase, separators }: DescribedConflict): string {
  const sides = hasBase ? '@ours, @base, @theirs' : '@ours, @theirs'
  const doubt =
    separators > 1 ? ` It has ${separators} lines of =======; the first is taken as the border between the sides.` : ''
  return `[${formatConflictAddress(id)} is lines ${startLine}-${endLine}. Resolve it with write: the new lines, or ${sides}.${doubt}]`
}

function isTouched(region: ConflictRegion, ranges: readonly LineRange[]): boolean {
  if (ranges.length === 0) return true
  return ranges.some(range => range.start <= region.endIndex + 1 && (!range.bounded || range.end >= region.startIndex + 1))
}

function countConflicts(count: number): string {
  return count === 1 ? '1 conflict' : `${count} conflicts`
}
