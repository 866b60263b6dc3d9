// Excel workbooks (ECMA-376, SpreadsheetML): each sheet as a table, with the values that formulas had when it was saved.

import { cellFormat, plainNumber, shownNumber, type CellFormat } from './cell-values.ts'
import { PackageFile } from './package-file.ts'
import { mainPart, relationsOf, type Relation } from './relations.ts'
import { cellAt, sheetTable, type Cell } from './spreadsheet-table.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'
import { child, elementsOf, readBlocks, readTree, textIn, type XmlElement } from './xml.ts'

const sheetMaxCells = 400_000

interface Workbook {
  readonly sharedTexts: readonly string[]
  readonly formats: readonly CellFormat[]
  readonly is1904: boolean
}

/** Throws `DocumentTrouble`. */
export async function readXlsx(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new PackageFile(bytes, work)
  const main = await mainPart(file, work, 'xl/workbook.xml')
  if (/\.bin$/i.test(main)) throw new DocumentTrouble('unsupported', 'it is a binary workbook (.xlsb)')
  const relations = await relationsOf(file, main, work)
  const root = await readTree(await file.demand(main), work)
  const partOf = (type: string): string | undefined => [...relations.values()].find(relation => relation.type === type)?.target
  const workbook: Workbook = {
    sharedTexts: await sharedTexts(await file.read(partOf('sharedStrings') ?? 'xl/sharedStrings.xml'), work),
    formats: await formatsOf(await file.read(partOf('styles') ?? 'xl/styles.xml'), work),
    is1904: /^(?:1|true)$/.test(child(root, 'workbookPr')?.attributes['date1904'] ?? ''),
  }
  const parts: DocumentPart[] = []
  for (const sheet of elementsOf(child(root, 'sheets'), 'sheet')) {
    const { name = '', id = '', state = 'visible' } = sheet.attributes
    const part = relations.get(id)
    const title = `## ${name}${state === 'visible' ? '' : ' (hidden)'}`
    const content =
      part?.type === 'worksheet' && file.has(part.target) ? await readSheet(file, part.target, workbook, work) : '(a chart)'
    const markdown = `${title}\n\n${content === '' ? '(empty)' : content}`
    if (!work.takes(markdown)) break
    parts.push({ name: `sheet ${name}`, markdown })
  }
  return { parts }
}

async function sharedTexts(bytes: Uint8Array | undefined, work: DocumentWork): Promise<readonly string[]> {
  const texts: string[] = []
  if (bytes === undefined) return texts
  await readBlocks(bytes, work, {
    isBlock: (name, parents) => name === 'si' && parents.length === 1,
    onBlock: item => void texts.push(richText(item)),
  })
  return texts
}

/** Text in runs with different formatting. The pronunciation beside Japanese words is left out. */
function richText(item: XmlElement): string {
  return elementsOf(item)
    .map(each => (each.name === 't' ? textIn(each) : each.name === 'r' ? textIn(child(each, 't')) : ''))
    .join('')
    .replace(/_x([0-9A-F]{4})_/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

async function formatsOf(bytes: Uint8Array | undefined, work: DocumentWork): Promise<readonly CellFormat[]> {
  if (bytes === undefined) return []
  const root = await readTree(bytes, work)
  const codes = new Map(
    elementsOf(child(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  )
  return elementsOf(child(root, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0)
    return cellFormat(id, codes.get(id))
  })
}

async function readSheet(file: PackageFile, name: string, workbook: Workbook, work: DocumentWork): Promise<string> {
  const relations = await relationsOf(file, name, work)
  const cells: Cell[] = []
  const links = new Map<string, string>()
  const reader = new RowReader(workbook, cells)
  await readBlocks(await file.demand(name), work, {
    isBlock: (each, parents) => (each === 'row' && parents.at(-1) === 'sheetData') || each === 'hyperlinks',
    onBlock(block) {
      if (block.name === 'hyperlinks') for (const link of elementsOf(block, 'hyperlink')) addLink(links, link, relations)
      else reader.read(block)
      if (cells.length <= sheetMaxCells) return true
      work.notes.push(`A sheet is cut after ${sheetMaxCells.toLocaleString('en-US')} cells`)
      return false
    },
  })
  const linked = cells.map(cell => {
    const target = links.get(`${cell.row} ${cell.column}`)
    return target === undefined || target === cell.text ? cell : { ...cell, text: `[${cell.text}](${target})` }
  })
  const comments = await commentsOf(file, relations, work)
  return [sheetTable(linked), ...(comments.length === 0 ? [] : [`Notes:\n${comments.join('\n')}`])].filter(Boolean).join('\n\n')
}

function addLink(links: Map<string, string>, { attributes }: XmlElement, relations: ReadonlyMap<string, Relation>): void {
  const target = relations.get(attributes['id'] ?? '')?.target
  const at = cellAt((attributes['ref'] ?? '').split(':')[0] ?? '')
  if (target !== undefined && at !== undefined && !/[\s()<>]/.test(target)) links.set(`${at.row} ${at.column}`, target)
}

async function commentsOf(
  file: PackageFile,
  relations: ReadonlyMap<string, Relation>,
  work: DocumentWork,
): Promise<readonly string[]> {
  const part = [...relations.values()].find(({ type }) => type === 'comments')?.target
  const bytes = part === undefined ? undefined : await file.read(part)
  if (bytes === undefined) return []
  return elementsOf(child(await readTree(bytes, work), 'commentList'), 'comment').flatMap(comment => {
    const text = richText(child(comment, 'text') ?? comment)
      .replace(/\s*\n\s*/g, ' ')
      .trim()
    return text === '' ? [] : [`- ${comment.attributes['ref'] ?? ''}: ${text}`]
  })
}

/** Rows and cells may lack their positions: then each follows the previous one. */
class RowReader {
  readonly #workbook: Workbook
  readonly #cells: Cell[]
  #nextRow = 0

  constructor(workbook: Workbook, cells: Cell[]) {
    this.#workbook = workbook
    this.#cells = cells
  }

  read(row: XmlElement): void {
    const given = Number(row.attributes['r'] ?? Number.NaN)
    const rowIndex = Number.isInteger(given) && given >= 1 ? given - 1 : this.#nextRow
    this.#nextRow = rowIndex + 1
    let nextColumn = 0
    for (const cell of elementsOf(row, 'c')) {
      const column = cellAt(cell.attributes['r'] ?? '')?.column ?? nextColumn
      nextColumn = column + 1
      const text = this.#textOf(cell)
      if (text !== '') this.#cells.push({ row: rowIndex, column, text })
    }
  }

  #textOf(cell: XmlElement): string {
    const { t: type = 'n', s: style = '' } = cell.attributes
    const stored = child(cell, 'v')
    const value = textIn(stored)
    const formula = child(cell, 'f')
    if (type === 'inlineStr') return richText(child(cell, 'is') ?? cell)
    // A program that does not calculate leaves the value out: then only the formula is there.
    if (stored === undefined || value === '') return formula !== undefined && textIn(formula) !== '' ? `=${textIn(formula)}` : ''
    if (type === 's') return this.#workbook.sharedTexts[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type === 'd') return value.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?Z?$/, '')
    if (type !== 'n') return value
    const number = Number(value)
    if (Number.isNaN(number)) return value
    // Integers with more than fifteen digits are shown as in the file.
    const format = this.#workbook.formats[Number(style || 0)] ?? 'number'
    if ((format === 'number' || format === 'text') && !Number.isSafeInteger(number) && /^-?\d+$/.test(value)) return value
    return format === 'text' ? plainNumber(number) : shownNumber(number, format, this.#workbook.is1904)
  }
}
