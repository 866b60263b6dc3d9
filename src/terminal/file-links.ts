// Links in the output to files that exist: `src/a.ts`, `src/a.ts:12`, `/workspace/a.ts:12:5`, `./a b.ts` in quotes.

import type { IBufferLine, ILink, ILinkProvider, Terminal } from '@xterm/xterm'
import { resolveFrom } from '../shell/files.ts'

/** The part of `workspace.fs` that links need. */
export interface LinkFiles {
  stat(path: string): Promise<{ readonly kind: string }>
}

/** A file that the user opened from a terminal, and where. */
export interface OpenedFile {
  /** Absolute. */
  readonly path: string
  /** Both start at 1. */
  readonly line?: number
  readonly column?: number
}

export interface FoundPath extends OpenedFile {
  readonly start: number
  readonly end: number
}

/** A line of a minified file must not be searched for minutes. */
const maxLineCharacters = 4_000
const maxPathsPerLine = 50

const pattern =
  /"([^"\n]+)"(?:[:(](\d+)(?:[:,](\d+))?)?|'([^'\n]+)'(?:[:(](\d+)(?:[:,](\d+))?)?|([^\s"'`<>|;,()[\]{}:]+)(?:[:(](\d+)(?:[:,](\d+))?)?/g

/** What may be a path in `text`. Whether it exists is for the caller to find out. */
export function pathsIn(text: string, cwd: string): readonly FoundPath[] {
  const found: FoundPath[] = []
  for (const match of text.slice(0, maxLineCharacters).matchAll(pattern)) {
    const [whole, double, doubleLine, doubleColumn, single, singleLine, singleColumn, bare, bareLine, bareColumn] = match
    const name = (double ?? single ?? bare ?? '').replace(/\.$/, '')
    // A word without a dot, a slash or a line number is unlikely to be a path.
    const line = doubleLine ?? singleLine ?? bareLine
    if (!/[./]/.test(name) || /^[./]*$/.test(name) || /^(\w+:)?\/\//.test(name)) continue
    const column = doubleColumn ?? singleColumn ?? bareColumn
    const end = match.index + (whole.endsWith('.') ? whole.length - 1 : whole.length)
    found.push({
      path: resolveFrom(cwd, name),
      start: match.index,
      end,
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
    })
    if (found.length === maxPathsPerLine) break
  }
  return found
}

export class FileLinks implements ILinkProvider {
  readonly #terminal: Terminal
  readonly #files: LinkFiles
  readonly #cwd: () => string
  readonly #onOpen: (file: OpenedFile) => void

  constructor(terminal: Terminal, files: LinkFiles, cwd: () => string, onOpen: (file: OpenedFile) => void) {
    this.#terminal = terminal
    this.#files = files
    this.#cwd = cwd
    this.#onOpen = onOpen
  }

  provideLinks(row: number, callback: (links: ILink[] | undefined) => void): void {
    void this.#answer(row, callback)
  }

  async #answer(row: number, callback: (links: ILink[] | undefined) => void): Promise<void> {
    const { text, cells, firstRow } = this.#lineAt(row - 1)
    const columns = this.#terminal.cols
    const place = (unit: number): { x: number; y: number } => {
      const cell = cells[unit] ?? cells.at(-1) ?? 0
      return { x: (cell % columns) + 1, y: firstRow + Math.floor(cell / columns) + 1 }
    }
    const links = pathsIn(text, this.#cwd()).map(async ({ start, end, ...file }): Promise<ILink | undefined> => {
      const isFile = await this.#files.stat(file.path).then(
        ({ kind }) => kind === 'file',
        () => false,
      )
      if (!isFile) return undefined
      return {
        range: { start: place(start), end: place(end - 1) },
        text: text.slice(start, end),
        activate: () => this.#onOpen(file),
      }
    })
    const all = await Promise.all(links)
    callback(all.filter(link => link !== undefined))
  }

  /** The whole line that `row` is part of, and the cell of each of its UTF-16 units: a wide character has two cells. */
  #lineAt(row: number): { readonly text: string; readonly cells: readonly number[]; readonly firstRow: number } {
    const { active } = this.#terminal.buffer
    let firstRow = row
    while (firstRow > 0 && active.getLine(firstRow)?.isWrapped === true) firstRow -= 1
    let text = ''
    const cells: number[] = []
    for (let at = firstRow; ; at++) {
      const line = active.getLine(at)
      if (line === undefined || (at > firstRow && !line.isWrapped) || text.length > maxLineCharacters) break
      const offset = (at - firstRow) * this.#terminal.cols
      text += rowText(line, cell => cells.push(offset + cell))
    }
    return { text: text.trimEnd(), cells, firstRow }
  }
}

function rowText(line: IBufferLine, note: (cell: number) => void): string {
  let text = ''
  for (let cell = 0; cell < line.length; cell++) {
    const shown = line.getCell(cell)
    // The second cell of a wide character is empty.
    if (shown === undefined || shown.getWidth() === 0) continue
    const characters = shown.getChars() || ' '
    for (let unit = 0; unit < characters.length; unit++) note(cell)
    text += characters
  }
  return text
}
