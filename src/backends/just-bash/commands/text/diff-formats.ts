// The output formats of GNU diff, except for columns (side-by-side.ts).

export interface Change {
  /** The number of lines before the change. */
  readonly oldIndex: number
  readonly newIndex: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** How lines are printed: with -T, a tab stands between the mark and the line; with -t, tabs are blanks. */
export interface LineStyle {
  readonly hasInitialTab: boolean
  readonly showLine: (line: string) => string
  /** The line that is shown behind the numbers of a hunk that begins at a line: -p and -F. */
  readonly titleAt: (oldIndex: number) => string
  /** Whether nothing is shown of a change unless another one is near it: -B and -I. */
  readonly isIgnored: (change: Change) => boolean
}

function shownBy({ hasInitialTab, showLine }: LineStyle): (mark: string, lines: readonly string[]) => string {
  return (mark, lines) => {
    const begin = !hasInitialTab ? mark : mark === ' ' ? '\t' : `${mark.replace(/ $/, '')}\t`
    return lines.map(line => begin + showLine(line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('')
  }
}

export function normal({ oldIndex, newIndex, removed, added }: Change, style: LineStyle): string {
  const shown = shownBy(style)
  const span = (index: number, count: number): string =>
    count === 0 ? `${index}` : count === 1 ? `${index + 1}` : `${index + 1},${index + count}`
  const kind = removed.length === 0 ? 'a' : added.length === 0 ? 'd' : 'c'
  const middle = kind === 'c' ? '---\n' : ''
  return `${span(oldIndex, removed.length)}${kind}${span(newIndex, added.length)}\n${shown('< ', removed)}${middle}${shown('> ', added)}`
}

export function unified(changes: readonly Change[], left: readonly string[], around: number, style: LineStyle): string {
  const shown = shownBy(style)
  return hunksOf(changes, left.length, around)
    .filter(({ parts }) => !parts.every(style.isIgnored))
    .map(({ parts, begin, end, newBegin, newEnd }) => {
      let at = begin
      let body = ''
      for (const { oldIndex, removed, added } of parts) {
        body += shown(' ', left.slice(at, oldIndex)) + shown('-', removed) + shown('+', added)
        at = oldIndex + removed.length
      }
      const span = (from: number, count: number): string =>
        count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`
      return `@@ -${span(begin, end - begin)} +${span(newBegin, newEnd - newBegin)} @@${style.titleAt(begin)}\n${body}${shown(' ', left.slice(at, end))}`
    })
    .join('')
}

/** Changes that are shown together with their context: the lines from `begin` to `end` of the old file, and likewise of the new file. */
interface Hunk {
  readonly parts: readonly Change[]
  readonly begin: number
  readonly end: number
  readonly newBegin: number
  readonly newEnd: number
}

/** Groups changes whose context lines touch or overlap. */
function hunksOf(changes: readonly Change[], lineCount: number, around: number): readonly Hunk[] {
  const hunks: Hunk[] = []
  for (const change of changes) {
    const last = hunks.at(-1)
    const before = last?.parts.at(-1)
    const changeEnd = change.oldIndex + change.removed.length
    const end = Math.min(lineCount, changeEnd + around)
    const newEnd = change.newIndex + change.added.length + (end - changeEnd)
    if (last !== undefined && before !== undefined && change.oldIndex - (before.oldIndex + before.removed.length) <= around * 2) {
      hunks[hunks.length - 1] = { ...last, parts: [...last.parts, change], end, newEnd }
    } else {
      const begin = Math.max(0, change.oldIndex - around)
      hunks.push({ parts: [change], begin, end, newBegin: change.newIndex - (change.oldIndex - begin), newEnd })
    }
  }
  return hunks
}

/** `-c`: context format, the old lines of a hunk and then the new ones. */
export function copied(
  changes: readonly Change[],
  left: readonly string[],
  right: readonly string[],
  around: number,
  style: LineStyle,
): string {
  const shown = shownBy(style)
  return hunksOf(changes, left.length, around)
    .filter(({ parts }) => !parts.every(style.isIgnored))
    .map(({ parts, begin, end, newBegin, newEnd }) => {
      const span = (from: number, to: number): string => (to > from + 1 ? `${from + 1},${to}` : `${to}`)
      const side = (lines: readonly string[], from: number, to: number, kind: 'removed' | 'added'): string => {
        if (parts.every(change => change[kind].length === 0)) return ''
        let at = from
        let body = ''
        for (const change of parts) {
          const start = kind === 'removed' ? change.oldIndex : change.newIndex
          const isBoth = change.removed.length > 0 && change.added.length > 0
          body += shown('  ', lines.slice(at, start)) + shown(isBoth ? '! ' : kind === 'removed' ? '- ' : '+ ', change[kind])
          at = start + change[kind].length
        }
        return body + shown('  ', lines.slice(at, to))
      }
      return (
        `***************${style.titleAt(begin)}\n*** ${span(begin, end)} ****\n${side(left, begin, end, 'removed')}` +
        `--- ${span(newBegin, newEnd)} ----\n${side(right, newBegin, newEnd, 'added')}`
      )
    })
    .join('')
}

/** `-e`: an ed script, from the last change to the first. */
export function edScript(changes: readonly Change[]): string {
  return changes
    .toReversed()
    .map(({ oldIndex, removed, added }) => {
      const count = removed.length
      const span = count > 1 ? `${oldIndex + 1},${oldIndex + count}` : count === 1 ? `${oldIndex + 1}` : `${oldIndex}`
      if (added.length === 0) return `${span}d\n`
      let text = `${span}${count === 0 ? 'a' : 'c'}\n`
      for (const [index, line] of added.entries()) {
        // A line with only a period would end ed's input mode: it is written as two periods, and one of them is removed again.
        if (line.trimEnd() === '.') text += `..\n.\ns/.//\n${index + 1 < added.length ? 'a\n' : ''}`
        else text += line.endsWith('\n') ? line : `${line}\n`
      }
      return added.at(-1)?.trimEnd() === '.' ? text : `${text}.\n`
    })
    .join('')
}

/** `-f`: like an ed script, but from the first change to the last, and not for ed. */
export function forwardScript(changes: readonly Change[]): string {
  return changes
    .map(({ oldIndex, removed, added }) => {
      const count = removed.length
      const span = count > 1 ? `${oldIndex + 1} ${oldIndex + count}` : count === 1 ? `${oldIndex + 1}` : `${oldIndex}`
      if (added.length === 0) return `d${span}\n`
      return `${count === 0 ? 'a' : 'c'}${span}\n${added.map(line => (line.endsWith('\n') ? line : `${line}\n`)).join('')}.\n`
    })
    .join('')
}

const [bold, red, green, cyan] = [1, 31, 32, 36]

/** The lines of an output in the colours of --color=always. */
export function coloured(output: string, format: 'normal' | 'unified' | 'copied'): string {
  // In a copied context, all lines of a hunk have the colour of the file that they stand in.
  let ofFile = red
  const colourOf = (line: string, index: number): number | undefined => {
    if (format === 'normal')
      return /^\d/.test(line) ? cyan : line.startsWith('<') ? red : line.startsWith('>') ? green : undefined
    if (index < 2) return bold
    if (/^(?:@@|\*\*\* \d|--- \d.* ----)/.test(line)) {
      ofFile = line.startsWith('-') ? green : red
      return cyan
    }
    if (format === 'copied') return /^(?:\*{15}|\\)/.test(line) ? undefined : ofFile
    return line.startsWith('-') ? red : line.startsWith('+') ? green : undefined
  }
  const paint = (line: string, index: number): string => {
    const colour = colourOf(line, index)
    return colour === undefined || line === '' ? line : `\u001b[${colour}m${line}\u001b[0m`
  }
  return output.split('\n').map(paint).join('\n')
}

/** `-n`: RCS format. */
export function rcs(changes: readonly Change[]): string {
  return changes
    .map(
      ({ oldIndex, removed, added }) =>
        (removed.length > 0 ? `d${oldIndex + 1} ${removed.length}\n` : '') +
        (added.length > 0 ? `a${oldIndex + removed.length} ${added.length}\n${added.join('')}` : ''),
    )
    .join('')
}
