// Sets one row of pr: its cells at their columns, with numbers, and with tabs in place of blanks.

import { encodeText } from '../../../../shell/byte-text.ts'

export interface Tabs {
  readonly character: string
  readonly width: number
}

export interface Numbering {
  readonly digits: number
  readonly separator: string
  /** With the separator. */
  readonly width: number
  /** Once in each row, in place of once in each cell. */
  readonly isOnce: boolean
}

export interface RowStyle {
  readonly columns: number
  /** Of a column. */
  readonly width: number
  readonly margin: number
  readonly separator: string
  /** Whether cells are as long as their text. */
  readonly isJoined: boolean
  readonly isCut: boolean
  readonly inputTabs: Tabs | undefined
  /** The tabs that blanks become. */
  readonly outputTabs: Tabs | undefined
  /** How a byte that cannot be printed is shown. */
  readonly escapes: 'carets' | 'octal' | undefined
  readonly numbering: Numbering | undefined
  readonly isAcross: boolean
}

/** The blanks of a margin. */
export function marginOf({ margin, outputTabs }: RowStyle): string {
  const row = new Row(outputTabs)
  row.padTo(margin)
  row.flush()
  return row.text
}

/** @param numberOf the number of the cell in a column */
export function rowText(cells: readonly (string | undefined)[], style: RowStyle, numberOf: (column: number) => number): string {
  const { margin, separator, isJoined, numbering, width } = style
  const row = new Row(style.outputTabs)
  row.padTo(margin)
  if (style.columns > 1) row.flush()
  const before = numbering?.isOnce === true ? numbering.width : 0
  for (const [column, cell] of cells.entries()) {
    const hasNumber = numbering !== undefined && (column === 0 || !numbering.isOnce)
    const used = hasNumber && !numbering.isOnce ? numbering.width : 0
    const text = cellText(cell ?? '', style, used)
    // Across, GNU's pr sets nothing for a text of which no character has room.
    if (style.isAcross && text === '' && cell !== '' && !hasNumber) continue
    if (column > 0) {
      if (!isJoined) row.padTo(margin + before + column * width + (column - 1) * separator.length)
      row.separate(separator)
    }
    if (hasNumber) {
      const digits = String(numberOf(column)).slice(-numbering.digits).padStart(numbering.digits)
      if (style.columns > 1 && numbering.separator === '\t') row.put(digits.padEnd(numbering.width))
      else {
        row.put(digits + numbering.separator)
        if (numbering.separator === '\t') row.advanceToTab()
      }
    }
    row.put(text)
  }
  return row.text
}

/** @param used the columns that the number takes */
function cellText(text: string, { inputTabs, isCut, width, escapes }: RowStyle, used: number): string {
  if (inputTabs === undefined && !isCut && escapes === undefined) return text
  let shown = ''
  let position = isCut ? used : 0
  const characters = escapes === undefined ? text : escaped(text, escapes, inputTabs?.character)
  let isFirst = true
  for (const character of characters) {
    const isTab = character === inputTabs?.character || character === '\t'
    const isExpanded = isTab && inputTabs !== undefined
    const tabWidth = character === inputTabs?.character ? inputTabs.width : 8
    // A tab at the beginning does not count the number before it.
    const wide = isTab
      ? tabWidth - (isFirst ? 0 : position % tabWidth)
      : character.length > 1
        ? character.length
        : widthOf(character)
    if (isCut && position + wide > width) break
    shown += isExpanded ? ' '.repeat(wide) : character
    position = Math.max(0, position + wide)
    isFirst = false
  }
  return shown
}

/** One text for each byte. A tab stays. */
function escaped(text: string, by: 'carets' | 'octal', tab: string | undefined): string[] {
  return Array.from(encodeText(text), byte => {
    const character = String.fromCharCode(byte)
    if (/^[ -~\t]$/.test(character) || character === tab) return character
    return by === 'carets' && byte < 0x80 ? `^${String.fromCharCode(byte ^ 0x40)}` : `\\${byte.toString(8).padStart(3, '0')}`
  })
}

/** Only ASCII has a width, as in GNU's pr, which counts bytes that it can print. */
function widthOf(character: string): number {
  return widthOfCode(character.charCodeAt(0))
}

function widthOfCode(code: number): number {
  return code === 8 ? -1 : code >= 0x20 && code < 0x7f ? 1 : 0
}

/** Blanks wait until something follows them. Those at the end are dropped where blanks become tabs. */
class Row {
  text = ''
  #position = 0
  #blanks = 0
  readonly #tabs: Tabs | undefined

  constructor(tabs: Tabs | undefined) {
    this.#tabs = tabs
  }

  padTo(position: number): void {
    this.#blanks = Math.max(this.#blanks, position - this.#position)
    if (this.#tabs === undefined) this.flush()
  }

  put(text: string): void {
    if (this.#tabs === undefined && text !== '') {
      this.flush()
      this.text += text
      for (let at = 0; at < text.length; at++) this.#position = Math.max(0, this.#position + widthOfCode(text.charCodeAt(at)))
      return
    }
    for (const character of text) {
      if (character === ' ' && this.#tabs !== undefined) {
        this.#blanks += 1
        continue
      }
      this.flush()
      this.text += character
      this.#position = Math.max(0, this.#position + widthOf(character))
    }
  }

  /** Blanks before and in a separator are never dropped. */
  separate(separator: string): void {
    for (const character of separator) {
      this.put(character)
      // A tab as separator counts as one column.
      if (widthOf(character) === 0) this.#position += 1
    }
    this.flush()
  }

  /** A tab was put, which ends at the next stop. */
  advanceToTab(): void {
    const width = this.#tabs?.width ?? 8
    this.#position += width - (this.#position % width)
  }

  flush(): void {
    const goal = this.#position + this.#blanks
    this.#blanks = 0
    if (this.#tabs !== undefined)
      while (goal - this.#position > 1) {
        const next = this.#position + this.#tabs.width - (this.#position % this.#tabs.width)
        if (next > goal) break
        this.text += this.#tabs.character
        this.#position = next
      }
    this.text += ' '.repeat(goal - this.#position)
    this.#position = goal
  }
}
