// Converts the XHTML of books to Markdown. Web pages have another reader, because they are rarely well-formed.

import { words } from '../../core/words.ts'
import { ruby } from './field-codes.ts'
import { BlockWriter, heading, inline, listItem, pictureMark, table, type Run } from './markdown.ts'
import { allNamed, elementsOf, textIn, type XmlElement } from './xml.ts'
import { pushAll } from '../../core/many.ts'

const blockNames = new Set(
  words(`
  address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
  header hr li main nav ol p pre section table ul
`),
)
const ignored = new Set(['head', 'script', 'style', 'template', 'title', 'noscript'])

/** Writes an element of a body and its content. */
export function htmlBlocks(element: XmlElement, writer: BlockWriter): void {
  const { name } = element
  if (ignored.has(name)) return
  const [, level] = /^h([1-6])$/.exec(name) ?? []
  if (level !== undefined) {
    const text = inline(runsOf(element)).trim()
    if (text !== '') writer.add(heading(Number(level), text))
  } else if (name === 'ul' || name === 'ol') list(element, 0, writer)
  else if (name === 'table') writer.add(tableOf(element))
  else if (name === 'hr') writer.add('---')
  else if (name === 'pre') writer.add(`\`\`\`\n${textIn(element).replace(/^\n|\s+$/g, '')}\n\`\`\``)
  else if (name === 'blockquote') {
    const inner = new BlockWriter()
    children(element, inner)
    if (inner.text !== '') writer.add(`> ${inner.text.replaceAll('\n', '\n> ')}`)
  } else children(element, writer)
}

/** Blocks among text: the text between two blocks is a paragraph. */
function children(element: XmlElement, writer: BlockWriter): void {
  let runs: Run[] = []
  const flush = (): void => {
    writer.add(tidy(inline(runs)))
    runs = []
  }
  if (!blockNames.has(element.name)) {
    runs = runsOf({ name: 'span', attributes: {}, children: [element] })
    return flush()
  }
  for (const each of element.children) {
    if (typeof each !== 'string' && (blockNames.has(each.name) || hasBlock(each))) {
      flush()
      htmlBlocks(each.name === 'a' || !blockNames.has(each.name) ? { ...each, name: 'div' } : each, writer)
    } else pushAll(runs, runsOf({ name: 'span', attributes: {}, children: [each] }))
  }
  flush()
}

function hasBlock(element: XmlElement): boolean {
  return elementsOf(element).some(each => blockNames.has(each.name) || hasBlock(each))
}

function tidy(text: string): string {
  return text.replace(/[ \t]*\n[ \t]*/g, '\n').trim()
}

function runsOf(element: XmlElement, look: Omit<Run, 'text'> = {}): Run[] {
  return element.children.flatMap((each): Run[] => {
    if (typeof each === 'string') return [{ ...look, text: each.replace(/[ \t\r\n]+/g, ' ') }]
    if (ignored.has(each.name)) return []
    switch (each.name) {
      case 'br':
        return [{ ...look, text: '\n' }]
      case 'img':
      case 'image':
        return [{ ...look, text: pictureMark(each.attributes['alt'] ?? each.attributes['title'] ?? '') }]
      case 'rp':
        return []
      case 'rt':
        return [{ ...look, text: ruby('', textIn(each)) }]
      case 'b':
      case 'strong':
        return runsOf(each, { ...look, isBold: true })
      case 'i':
      case 'em':
      case 'cite':
        return runsOf(each, { ...look, isItalic: true })
      case 's':
      case 'del':
      case 'strike':
        return runsOf(each, { ...look, isStruck: true })
      case 'code':
      case 'tt':
      case 'kbd':
      case 'samp':
        return runsOf(each, { ...look, isCode: true })
      case 'a':
        return runsOf(each, { ...look, link: each.attributes['href'] })
      default:
        return runsOf(each, look)
    }
  })
}

function list(element: XmlElement, depth: number, writer: BlockWriter): void {
  let number = Number(element.attributes['start'] ?? 1) || 1
  for (const item of elementsOf(element)) {
    if (item.name === 'ul' || item.name === 'ol') list(item, depth + 1, writer)
    if (item.name !== 'li') continue
    const nested = elementsOf(item).filter(each => each.name === 'ul' || each.name === 'ol')
    const own = new BlockWriter()
    children({ ...item, children: item.children.filter(each => typeof each === 'string' || !nested.includes(each)) }, own)
    writer.add(listItem(depth, element.name === 'ol' ? `${number++}.` : '-', own.text.replaceAll('\n\n', '\n')), true)
    for (const inner of nested) list(inner, depth + 1, writer)
  }
}

function tableOf(element: XmlElement): string {
  /** How many more rows the cell above takes, by column. */
  const below: number[] = []
  const rows = allNamed(element, 'tr').map(row => {
    const cells: string[] = []
    const passTaken = (): void => {
      for (let left = below[cells.length] ?? 0; left > 0; left = below[cells.length] ?? 0) {
        below[cells.length] = left - 1
        cells.push('')
      }
    }
    for (const cell of elementsOf(row)) {
      if (cell.name !== 'td' && cell.name !== 'th') continue
      passTaken()
      const inner = new BlockWriter()
      children({ ...cell, name: 'div' }, inner)
      const [columns, lines] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')]
      for (let index = 0; index < columns; index++) {
        below[cells.length] = lines - 1
        cells.push(index === 0 ? inner.text : '')
      }
    }
    passTaken()
    return cells
  })
  return table(rows)
}

function spanOf({ attributes }: XmlElement, name: string): number {
  return Math.min(64, Math.max(1, Number(attributes[name] ?? 1) || 1))
}
