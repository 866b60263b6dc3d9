// Markdown as these readers write it: it is rarely escaped, because it is read and not rendered.

/** Text and its formatting, before adjacent runs with the same formatting are joined. */
export interface Run {
  readonly text: string
  readonly isBold?: boolean
  readonly isItalic?: boolean
  readonly isStruck?: boolean
  readonly isCode?: boolean
  readonly link?: string | undefined
}

/** One line of formatted text. Joins runs with equal formatting, and keeps blanks outside of the marks. */
export function inline(runs: readonly Run[]): string {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    if (run.text === '') continue
    if (last !== undefined && looksLike(last, run)) joined[joined.length - 1] = { ...last, text: last.text + run.text }
    else joined.push(run)
  }
  let text = ''
  for (let index = 0; index < joined.length;) {
    const link = joined[index]?.link
    let end = index + 1
    while (link !== undefined && joined[end]?.link === link) end++
    const inner = joined.slice(index, end).map(marked).join('')
    text += link === undefined ? inner : linked(inner, link)
    index = end
  }
  return text
}

function looksLike(a: Run, b: Run): boolean {
  return (['isBold', 'isItalic', 'isStruck', 'isCode', 'link'] as const).every(look => (a[look] ?? false) === (b[look] ?? false))
}

function marked({ text, isBold = false, isItalic = false, isStruck = false, isCode = false }: Run): string {
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (core === '') return text
  const mark = `${isStruck ? '~~' : ''}${isBold ? '**' : ''}${isItalic ? '*' : ''}`
  const inner = isCode && !core.includes('`') ? `\`${core}\`` : core
  return `${before}${mark}${inner}${[...mark].reverse().join('')}${after}`
}

function linked(text: string, target: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return text
  if (trimmed === target) return text.replace(trimmed, () => `<${target}>`)
  const safe = /[\s()<>]/.test(target) ? `<${target.replace(/[\s<>]/g, encodeURIComponent)}>` : target
  return `${/^\s*/.exec(text)?.[0] ?? ''}[${trimmed.replaceAll(']', '\\]')}](${safe})${/\s*$/.exec(text)?.[0] ?? ''}`
}

export function heading(level: number, text: string): string {
  return `${'#'.repeat(Math.min(6, Math.max(1, level)))} ${oneLine(text)}`
}

/** A paragraph whose first characters must not make it another kind of block. */
export function paragraph(text: string): string {
  return text.replace(/^(\s*)(#{1,6}\s|>|```|~~~)/gm, '$1\\$2').trim()
}

export function listItem(depth: number, marker: string, text: string): string {
  const indent = '  '.repeat(Math.max(0, depth))
  return `${indent}${marker} ${text.trim().replaceAll('\n', `\n${indent}${' '.repeat(marker.length + 1)}`)}`
}

/** An item with the number that the document shows, such as `2.1` or `(a)`. A lone number gets a dot, as lists of Markdown have it. */
export function numberedItem(depth: number, number: string, text: string): string {
  return listItem(depth, /^[\p{L}\p{N}]+$/u.test(number) ? `${number}.` : number, text)
}

/** Rows as a table, with the first as its header. Short rows are padded; '' if there is no text. */
export function table(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0 || rows.every(row => row.every(cell => cell.trim() === ''))) return ''
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => tableCell(cells[index] ?? '')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
}

/** A table in a cell of another one: a line for each row. */
export function nestedTable(rows: readonly (readonly string[])[]): string {
  return rows
    .filter(row => row.some(cell => cell.trim() !== ''))
    .map(row => row.map(cell => cell.trim().replaceAll('\n', ' ')).join(' | '))
    .join('\n')
}

function tableCell(text: string): string {
  return text.trim().replaceAll('|', '\\|').replace(/\r?\n/g, '<br>')
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The text for a picture, chart or similar. */
export function pictureMark(description: string): string {
  const text = oneLine(description)
  return text === '' ? '[image]' : `[image: ${text}]`
}

/** Blocks with a blank line between them, except between the items of a list. */
export class BlockWriter {
  #text = ''
  #wasItem = false

  /** `isItem`: follows another item without a blank line. */
  add(block: string, isItem = false): void {
    if (block.trim() === '') return
    if (this.#text !== '') this.#text += this.#wasItem && isItem ? '\n' : '\n\n'
    this.#text += block.replace(/[ \t]+$/gm, '')
    this.#wasItem = isItem
  }

  get text(): string {
    return this.#text
  }
}
