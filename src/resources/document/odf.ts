// OpenDocument (ISO 26300): texts, sheets and slides have one content file, in which the body's name shows the kind.

import { plainNumber } from './cell-values.ts'
import { ruby } from './field-codes.ts'
import {
  BlockWriter,
  heading,
  inline,
  listItem,
  nestedTable,
  numberedItem,
  paragraph,
  pictureMark,
  table,
  type Run,
} from './markdown.ts'
import { OdfLists, OdfStyles } from './odf-styles.ts'
import { PackageFile } from './package-file.ts'
import { cellName, sheetTable, type Cell } from './spreadsheet-table.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'
import { allNamed, child, childAt, elementsOf, readBlocks, readTree, textIn, type XmlElement } from './xml.ts'

/** Limit for writing out repeated cells and rows. */
const repeatMax = 1_000
const sheetMaxCells = 400_000
const bodies = new Set(['text', 'spreadsheet', 'presentation', 'drawing'])

/** Throws `DocumentTrouble`. */
export async function readOdf(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new PackageFile(bytes, work)
  const manifest = await file.read('META-INF/manifest.xml')
  if (manifest !== undefined && allNamed(await readTree(manifest, work), 'encryption-data').length > 0)
    throw new DocumentTrouble('encrypted', 'it is protected by a password')
  const styles = new OdfStyles()
  const content = await file.demand('content.xml')
  const common = await file.read('styles.xml')
  for (const part of common === undefined ? [content] : [common, content]) await styles.read(part, work)
  const text = new OdfText(styles)
  const parts: DocumentPart[] = []
  const writer = new BlockWriter()
  let body = ''
  await readBlocks(content, work, {
    isBlock(_name, parents) {
      const isOne = parents.at(-2) === 'body' && bodies.has(parents.at(-1) ?? '')
      if (isOne) body = parents.at(-1) ?? ''
      return isOne
    },
    onBlock(block) {
      const isSheet = body === 'spreadsheet' && block.name === 'table'
      const part =
        block.name === 'page' ? slidePart(block, parts.length + 1, text) : isSheet ? sheetPart(block, text, work) : undefined
      if (part !== undefined) {
        parts.push(part)
        return work.takes(part.markdown)
      }
      const before = writer.text.length
      text.block(block, writer)
      return work.takes(writer.text.slice(before))
    },
  })
  for (const note of text.notes) writer.add(note, true)
  return { parts: writer.text === '' ? parts : [...parts, { markdown: writer.text }] }
}

function slidePart(page: XmlElement, number: number, text: OdfText): DocumentPart {
  const writer = new BlockWriter()
  writer.add(`<!-- Slide ${number}${text.isHidden(page) ? ' (hidden)' : ''} -->`)
  for (const frame of elementsOf(page)) {
    if (frame.name === 'notes' || frame.name === 'annotation') continue
    if (frame.attributes['class'] === 'title') {
      const title = allNamed(frame, 'p')
        .map(each => inline(text.runs(each)))
        .join(' ')
        .trim()
      if (title !== '') writer.add(heading(1, title))
    } else text.frame(frame, writer)
  }
  const notes = new BlockWriter()
  for (const box of allNamed(child(page, 'notes'), 'text-box')) for (const each of elementsOf(box)) text.block(each, notes)
  if (notes.text !== '') writer.add(`Notes:\n\n${notes.text}`)
  const comments = elementsOf(page, 'annotation').map(each => {
    const by = textIn(child(each, 'creator'))
    const said = elementsOf(each, 'p').map(inner => text.plain(inner))
    return listItem(0, '-', `${by === '' ? '' : `${by}: `}${said.join(' ')}`)
  })
  if (comments.length > 0) writer.add(`Comments:\n${comments.join('\n')}`)
  return { name: `slide ${number}`, markdown: writer.text }
}

function sheetPart(sheet: XmlElement, reader: OdfText, work: DocumentWork): DocumentPart {
  const name = sheet.attributes['table:name'] ?? sheet.attributes['name'] ?? ''
  const cells: Cell[] = []
  const comments: string[] = []
  let row = 0
  const visit = (parent: XmlElement): void => {
    for (const each of elementsOf(parent)) {
      if (/^table-(?:header-rows|row-group|rows)$/.test(each.name)) visit(each)
      if (each.name !== 'table-row') continue
      const repeated = Math.max(1, Number(each.attributes['number-rows-repeated'] ?? 1) || 1)
      const found = rowCells(each, reader)
      for (const { column, comment } of found) if (comment !== '') comments.push(`- ${cellName(row, column)}: ${comment}`)
      const times = found.length === 0 ? 0 : Math.min(repeated, repeatMax)
      if (times < repeated && found.length > 0) work.notes.push(`Equal rows are shown ${repeatMax} times`)
      for (let time = 0; time < times && cells.length < sheetMaxCells; time++)
        for (const cell of found) cells.push({ row: row + time, ...cell })
      row += repeated
    }
  }
  visit(sheet)
  if (cells.length >= sheetMaxCells) work.notes.push(`A sheet is cut after ${sheetMaxCells.toLocaleString('en-US')} cells`)
  const content = [sheetTable(cells), comments.length === 0 ? '' : `Notes:\n${comments.join('\n')}`].filter(Boolean).join('\n\n')
  const title = `## ${name}${reader.isHidden(sheet) ? ' (hidden)' : ''}`
  return { name: `sheet ${name}`, markdown: `${title}\n\n${content === '' ? '(empty)' : content}` }
}

interface RowCell extends Omit<Cell, 'row'> {
  readonly comment: string
}

function rowCells(row: XmlElement, reader: OdfText): readonly RowCell[] {
  const cells: RowCell[] = []
  let column = 0
  for (const cell of elementsOf(row)) {
    if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue
    const repeated = Math.max(1, Number(cell.attributes['number-columns-repeated'] ?? 1) || 1)
    const text = cell.name === 'table-cell' ? cellText(cell, reader) : ''
    const comment = elementsOf(child(cell, 'annotation'), 'p')
      .map(each => reader.plain(each))
      .join(' ')
      .trim()
    const times = text === '' && comment === '' ? 0 : Math.min(repeated, repeatMax)
    for (let time = 0; time < times; time++) cells.push({ column: column + time, text, comment })
    column += repeated
  }
  return cells
}

/** The text of the cell is formatted for one country; dates and numbers also have a standard form. */
function cellText(cell: XmlElement, reader: OdfText): string {
  const {
    'value-type': type = '',
    value = '',
    'date-value': date,
    'time-value': time,
    'boolean-value': boolean,
  } = cell.attributes
  const shown = elementsOf(cell, 'p')
    .map(each => (type === 'string' || type === '' ? reader.line(each) : reader.plain(each)))
    .join('\n')
  switch (type) {
    case 'float':
    case 'currency':
      return plainNumber(Number(value))
    case 'percentage':
      return `${plainNumber(Number(value) * 100)}%`
    case 'date':
      return (date ?? shown).replace('T', ' ').replace(/ 00:00:00(?:\.0+)?$/, '')
    case 'time':
      return (time ?? shown).replace(/^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/, '$1:$2:$3')
    case 'boolean':
      return (boolean ?? shown).toUpperCase()
    default:
      return shown
  }
}

class OdfText {
  readonly notes: string[] = []
  readonly #styles: OdfStyles
  readonly #lists: OdfLists

  constructor(styles: OdfStyles) {
    this.#styles = styles
    this.#lists = new OdfLists(styles)
  }

  /** Of a slide or a sheet. */
  isHidden({ attributes }: XmlElement): boolean {
    return this.#styles.isHidden(attributes['style-name'] ?? '')
  }

  plain(element: XmlElement): string {
    return this.runs(element)
      .map(({ text }) => text)
      .join('')
  }

  /** With its links, and without its looks. */
  line(element: XmlElement): string {
    return inline(this.runs(element).map(({ text, link }) => ({ text, link })))
  }

  block(block: XmlElement, writer: BlockWriter): void {
    switch (block.name) {
      case 'h': {
        const text = this.line(block).trim()
        const level = Number(block.attributes['outline-level'] ?? 1) || 1
        if (text !== '') writer.add(heading(level, `${this.#lists.headingNumber(block, level)}${text}`))
        return this.#frames(block, writer)
      }
      case 'p': {
        const text = inline(this.runs(block))
        const level = this.#styles.headingLevel(block.attributes['style-name'] ?? '')
        if (text.trim() !== '') writer.add(level === undefined ? paragraph(text) : heading(level, text))
        return this.#frames(block, writer)
      }
      case 'list':
        return this.#list(block, 0, block.attributes['style-name'] ?? '', writer)
      case 'table':
        return writer.add(table(this.#rows(block)))
      case 'frame':
        return this.frame(block, writer)
      case 'section':
      case 'table-of-content':
      case 'index-body':
      case 'illustration-index':
      case 'alphabetical-index':
      case 'numbered-paragraph':
        for (const inner of elementsOf(block)) this.block(inner, writer)
    }
  }

  frame(frame: XmlElement, writer: BlockWriter): void {
    for (const box of elementsOf(frame, 'text-box')) for (const inner of elementsOf(box)) this.block(inner, writer)
    for (const inner of elementsOf(frame)) {
      if (inner.name === 'table') writer.add(table(this.#rows(inner)))
      // Shapes of a drawing contain their paragraphs directly.
      else if (inner.name === 'p' || inner.name === 'list') this.block(inner, writer)
      else if (inner.name === 'g' || inner.name === 'frame' || inner.name === 'custom-shape') this.frame(inner, writer)
    }
    if (child(frame, 'image') !== undefined && child(frame, 'table') === undefined)
      writer.add(pictureMark(textIn(child(frame, 'desc')) || textIn(child(frame, 'title'))))
  }

  runs(element: XmlElement, look: Omit<Run, 'text'> = {}): Run[] {
    return element.children.flatMap((each): Run[] => {
      if (typeof each === 'string') return [{ ...look, text: each.replace(/[ \t\r\n]+/g, ' ') }]
      switch (each.name) {
        case 's':
          return [{ ...look, text: ' '.repeat(Math.min(200, Number(each.attributes['c'] ?? 1) || 1)) }]
        case 'tab':
          return [{ ...look, text: '\t' }]
        case 'line-break':
          return [{ ...look, text: '\n' }]
        case 'span':
          return this.runs(each, { ...look, ...this.#styles.looks(each.attributes['style-name'] ?? '') })
        case 'ruby':
          return [{ ...look, text: ruby(textIn(child(each, 'ruby-base')), textIn(child(each, 'ruby-text'))) }]
        case 'a':
          return this.runs(each, { ...look, link: each.attributes['href'] })
        case 'note': {
          const body = new BlockWriter()
          for (const inner of elementsOf(child(each, 'note-body'))) this.block(inner, body)
          const mark = `${each.attributes['note-class'] === 'endnote' ? 'e' : ''}${textIn(child(each, 'note-citation')) || this.notes.length + 1}`
          this.notes.push(`[^${mark}]: ${body.text.replaceAll('\n', '\n    ')}`)
          return [{ ...look, text: `[^${mark}]` }]
        }
        case 'annotation': {
          const by = textIn(child(each, 'creator'))
          const mark = `c${this.notes.length + 1}`
          const text = elementsOf(each, 'p').map(textIn).join(' ')
          this.notes.push(`[^${mark}]: Comment${by === '' ? '' : ` by ${by}`}: ${text}`)
          return [{ ...look, text: `[^${mark}]` }]
        }
        case 'frame':
        case 'g':
        case 'custom-shape':
        case 'tracked-changes':
          return []
        default:
          return this.runs(each, look)
      }
    })
  }

  /** Pictures and boxes that are attached to a paragraph. */
  #frames(element: XmlElement, writer: BlockWriter): void {
    for (const inner of elementsOf(element)) {
      if (inner.name === 'frame' || inner.name === 'custom-shape' || inner.name === 'g') this.frame(inner, writer)
      else if (inner.name === 'span' || inner.name === 'a') this.#frames(inner, writer)
    }
  }

  #list(element: XmlElement, depth: number, style: string, writer: BlockWriter): void {
    this.#lists.start(element, depth, style)
    for (const item of elementsOf(element)) {
      if (item.name !== 'list-item' && item.name !== 'list-header') continue
      let isFirst = true
      for (const inner of elementsOf(item)) {
        if (inner.name === 'list') {
          this.#list(inner, depth + 1, inner.attributes['style-name'] ?? style, writer)
          continue
        }
        const text = new BlockWriter()
        this.block(inner, text)
        if (text.text === '') continue
        // Numbered headings are in lists.
        if (inner.name === 'h') writer.add(text.text)
        else if (isFirst) {
          const marker = item.name === 'list-header' ? '-' : this.#lists.next(item, depth, style)
          writer.add(numberedItem(depth, marker, text.text), true)
        } else writer.add(`${'  '.repeat(depth + 1)}${text.text.replaceAll('\n', `\n${'  '.repeat(depth + 1)}`)}`, true)
        isFirst = false
      }
    }
    this.#lists.end(element, depth, style)
  }

  #rows(element: XmlElement): string[][] {
    const rows: string[][] = []
    const visit = (parent: XmlElement): void => {
      for (const each of elementsOf(parent)) {
        if (/^table-(?:header-rows|row-group|rows)$/.test(each.name)) visit(each)
        if (each.name === 'table-row') rows.push(this.#row(each))
      }
    }
    visit(childAt(element, 'table') ?? element)
    return rows
  }

  #row(row: XmlElement): string[] {
    return elementsOf(row).flatMap(cell => {
      if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') return []
      const inner = new BlockWriter()
      for (const each of elementsOf(cell)) {
        if (each.name === 'table') inner.add(nestedTable(this.#rows(each)))
        else this.block(each, inner)
      }
      const repeated = Math.min(64, Math.max(1, Number(cell.attributes['number-columns-repeated'] ?? 1) || 1))
      return Array.from({ length: repeated }, () => inner.text)
    })
  }
}
