// `--stat`, `--numstat`, `--shortstat`: the numbers of added and removed lines, by file and in total; and `--summary`.

import { columnCount, lastColumns } from '../text-columns.ts'
import { diffLines } from '../../text/git-diff/diff-lines.ts'
import type { hunksOf } from '../../text/git-diff/hunks.ts'
import type { Quote } from '../quote.ts'
import type { FilePair } from './file-pair.ts'
import type { FileSide } from './tree-diff.ts'
import type { DiffSettings } from './settings.ts'
import { modes } from '../store/object-format.ts'

export interface FileStat {
  readonly pair: FilePair
  readonly kind: 'text' | 'binary' | 'unmerged'
  /** Lines, or bytes of a binary file. */
  readonly added: number
  readonly deleted: number
}

/** `hunksIn` is needed where some changed lines do not count. */
export function countLines(
  before: Uint8Array,
  after: Uint8Array,
  settings: DiffSettings,
  hunksIn: typeof hunksOf | undefined,
): { readonly added: number; readonly deleted: number } {
  const diff = diffLines(before, after, { ...settings.lines, cutsCommonTail: true })
  const { ignoresBlankLines, isIgnoredLine, lines } = settings
  const edits =
    hunksIn !== undefined
      ? hunksIn(diff, {
          context: 0,
          ignoreBlankLines: ignoresBlankLines,
          anyBlanksAreBlank: lines.whitespace !== 'exact',
          isIgnoredLine,
        }).flatMap(hunk => hunk.edits)
      : diff.edits
  let added = 0
  let deleted = 0
  for (const edit of edits) {
    added += edit.afterEnd - edit.afterStart
    deleted += edit.beforeEnd - edit.beforeStart
  }
  return { added, deleted }
}

/** `dir/{old => new}/file`. */
export function renamedPath(before: string, after: string, quote: Quote): string {
  if (quote(before) !== before || quote(after) !== after) return `${quote(before)} => ${quote(after)}`
  let head = 0
  for (let at = 0; at < Math.min(before.length, after.length) && before[at] === after[at]; at++)
    if (before[at] === '/') head = at + 1
  let tail = 0
  const limit = head > 0 ? head - 1 : 0
  for (let length = 0; ; length++) {
    const a = before.length - 1 - length
    const b = after.length - 1 - length
    if (a < limit || b < limit || before[a] !== after[b]) break
    if (before[a] === '/') tail = length + 1
  }
  const middleBefore = before.slice(head, Math.max(head, before.length - tail))
  const middleAfter = after.slice(head, Math.max(head, after.length - tail))
  if (head + tail === 0) return `${before} => ${after}`
  return `${before.slice(0, head)}{${middleBefore} => ${middleAfter}}${before.slice(before.length - tail)}`
}

export function shownPath(pair: FilePair, quote: Quote): string {
  const side = pair.before ?? pair.after
  const isLoose = side?.bytes !== undefined
  if (pair.status !== 'R' && pair.status !== 'C' && !isLoose) return quote(pair.path)
  const nothing = '/dev/null'
  return renamedPath(
    pair.before === undefined && isLoose ? nothing : pair.beforePath,
    pair.after === undefined && isLoose ? nothing : pair.path,
    quote,
  )
}

function scale(value: number, width: number, max: number): number {
  return value === 0 ? 0 : 1 + Math.floor((value * (width - 1)) / max)
}

function digits(value: number): number {
  return String(value).length
}

export interface StatStyle {
  readonly quote: Quote
  /** What follows a name, as in `--compact-summary`. */
  readonly note: (pair: FilePair) => string
  /** Puts colors around a text. */
  readonly paint?: ((kind: 'new' | 'old', text: string) => string) | undefined
}

/** The rows and the totals. */
export function renderStat(stats: readonly FileStat[], settings: DiffSettings, { quote, note, paint }: StatStyle): string {
  if (stats.length === 0) return ''
  const painted = paint ?? ((_kind: string, text: string): string => text)
  const count = settings.stat.count > 0 ? Math.min(settings.stat.count, stats.length) : stats.length
  const shown = stats.slice(0, count)
  const names = shown.map(({ pair }) => {
    const comment = note(pair)
    return shownPath(pair, quote) + (comment === '' ? '' : ` (${comment})`)
  })
  const maxName = names.reduce((widest, name) => Math.max(widest, columnCount(name)), 0)
  let maxChange = 0
  let binaryWidth = 0
  let numberWidth = 0
  for (const { kind, added, deleted } of shown) {
    if (kind === 'unmerged') binaryWidth = Math.max(binaryWidth, 8)
    else if (kind === 'binary') {
      binaryWidth = Math.max(binaryWidth, 14 + digits(added) + digits(deleted))
      numberWidth = 3
    } else maxChange = Math.max(maxChange, added + deleted)
  }
  numberWidth = Math.max(numberWidth, digits(maxChange))
  const width = Math.max(settings.stat.width, 16 + 6 + numberWidth)
  let graphWidth = maxChange + 4 > binaryWidth ? maxChange : binaryWidth - 4
  if (settings.stat.graphWidth > 0) graphWidth = Math.min(graphWidth, settings.stat.graphWidth)
  let nameWidth = settings.stat.nameWidth > 0 && settings.stat.nameWidth < maxName ? settings.stat.nameWidth : maxName
  if (nameWidth + numberWidth + 6 + graphWidth > width) {
    const share = Math.floor((width * 3) / 8) - numberWidth - 6
    if (graphWidth > share) graphWidth = Math.max(6, share)
    if (settings.stat.graphWidth > 0) graphWidth = Math.min(graphWidth, settings.stat.graphWidth)
    if (nameWidth > width - numberWidth - 6 - graphWidth) nameWidth = width - numberWidth - 6 - graphWidth
    else graphWidth = width - numberWidth - 6 - nameWidth
  }
  const lines = shown.map(({ kind, added, deleted }, index) => {
    const name = cutName(names[index] ?? '', nameWidth)
    if (kind === 'binary') {
      const sizes =
        added === 0 && deleted === 0 ? '' : ` ${painted('old', String(deleted))} -> ${painted('new', String(added))} bytes`
      return ` ${name} | ${'Bin'.padStart(numberWidth)}${sizes}`
    }
    if (kind === 'unmerged') return ` ${name} | Unmerged`
    let plus = added
    let minus = deleted
    if (graphWidth <= maxChange) {
      let total = scale(added + deleted, graphWidth, maxChange)
      if (total < 2 && added > 0 && deleted > 0) total = 2
      if (added < deleted) {
        plus = scale(added, graphWidth, maxChange)
        minus = total - plus
      } else {
        minus = scale(deleted, graphWidth, maxChange)
        plus = total - minus
      }
    }
    const bar = added + deleted > 0 ? ` ${painted('new', '+'.repeat(plus))}${painted('old', '-'.repeat(minus))}` : ''
    return ` ${name} | ${String(added + deleted).padStart(numberWidth)}${bar}`
  })
  if (count < stats.length) lines.push(' ...')
  // Git writes no line feed after a conflict.
  const text = lines.map((line, index) => (shown[index]?.kind === 'unmerged' ? line : `${line}\n`)).join('')
  return text + sumLine(stats)
}

function cutName(name: string, width: number): string {
  const columns = columnCount(name)
  if (columns <= width) return name + ' '.repeat(width - columns)
  const left = Math.max(0, width - 3)
  const cut = lastColumns(name, left)
  const slash = cut.indexOf('/')
  const shown = slash === -1 ? cut : cut.slice(slash)
  return `...${shown}${' '.repeat(left - columnCount(shown))}`
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)`. */
export function sumLine(stats: readonly FileStat[]): string {
  let files = 0
  let added = 0
  let deleted = 0
  for (const stat of stats) {
    if (stat.kind === 'unmerged') continue
    files++
    if (stat.kind === 'binary') continue
    added += stat.added
    deleted += stat.deleted
  }
  let line = ` ${files} file${files === 1 ? '' : 's'} changed`
  if (files === 0) return `${line}\n`
  if (added > 0 || deleted === 0) line += `, ${added} insertion${added === 1 ? '' : 's'}(+)`
  if (deleted > 0 || added === 0) line += `, ${deleted} deletion${deleted === 1 ? '' : 's'}(-)`
  return `${line}\n`
}

export function renderNumstat(stats: readonly FileStat[], quote: Quote, isNullTerminated: boolean): string {
  return stats
    .map(({ pair, kind, added, deleted }) => {
      const counts = kind === 'binary' ? '-\t-\t' : `${added}\t${deleted}\t`
      if (!isNullTerminated) return `${counts}${shownPath(pair, quote)}\n`
      return pair.status === 'R' || pair.status === 'C'
        ? `${counts}\0${pair.beforePath}\0${pair.path}\0`
        : `${counts}${pair.path}\0`
    })
    .join('')
}

export function compactNote({ status, before, after }: FilePair): string {
  if (status === 'A') return after?.mode === modes.executable ? 'new +x' : after?.mode === modes.symlink ? 'new +l' : 'new'
  if (status === 'D') return 'gone'
  if (before === undefined || after === undefined || before.mode === after.mode) return ''
  if (after.mode === modes.symlink) return 'mode +l'
  if (before.mode === modes.symlink) return 'mode -l'
  return after.mode === modes.executable ? 'mode +x' : 'mode -x'
}

/** Created, deleted and renamed files, and changes of mode. */
export function renderSummary(pairs: readonly FilePair[], quote: Quote): string {
  return pairs.map(pair => summaryOf(pair, quote)).join('')
}

function summaryOf(shown: FilePair, quote: Quote): string {
  const pair = shown.uncut ?? shown
  const { before, after, status } = pair
  const octal = (side: FileSide | undefined): string => (side?.mode ?? 0).toString(8).padStart(6, '0')
  if (status === 'A') return ` create mode ${octal(after)} ${quote(pair.path)}\n`
  if (status === 'D') return ` delete mode ${octal(before)} ${quote(pair.path)}\n`
  const isModeChange = before !== undefined && after !== undefined && before.mode !== after.mode
  if (status === 'R' || status === 'C') {
    const word = status === 'R' ? 'rename' : 'copy'
    const line = ` ${word} ${renamedPath(pair.beforePath, pair.path, quote)} (${pair.similarity}%)\n`
    return isModeChange ? `${line} mode change ${octal(before)} => ${octal(after)}\n` : line
  }
  return isModeChange ? ` mode change ${octal(before)} => ${octal(after)} ${quote(pair.path)}\n` : ''
}
