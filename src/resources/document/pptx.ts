// PowerPoint presentations (ECMA-376, PresentationML): slides in their order, with tables, links and the speaker's notes.

import { BlockWriter, heading, inline, listItem, paragraph, pictureMark, table, type Run } from './markdown.ts'
import { PackageFile } from './package-file.ts'
import { mainPart, relationsOf, type Relation } from './relations.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'
import { allNamed, child, childAt, elementsOf, readTree, textIn, type XmlElement } from './xml.ts'

/** Throws `DocumentTrouble`. */
export async function readPptx(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new PackageFile(bytes, work)
  const main = await mainPart(file, work, 'ppt/presentation.xml')
  const relations = await relationsOf(file, main, work)
  const root = await readTree(await file.demand(main), work)
  const parts: DocumentPart[] = []
  for (const { attributes } of elementsOf(child(root, 'sldIdLst'), 'sldId')) {
    const target = relations.get(attributes['r:id'] ?? attributes['id'] ?? '')?.target
    const number = parts.length + 1
    if (target === undefined || !file.has(target)) continue
    const markdown = await readSlide(file, target, number, work)
    if (!work.takes(markdown)) break
    parts.push({ name: `slide ${number}`, markdown })
  }
  return { parts }
}

async function readSlide(file: PackageFile, name: string, number: number, work: DocumentWork): Promise<string> {
  const relations = await relationsOf(file, name, work)
  const root = await readTree(await file.demand(name), work)
  const writer = new BlockWriter()
  const isHidden = /^(?:0|false)$/.test(root.attributes['show'] ?? '1')
  writer.add(`<!-- Slide ${number}${isHidden ? ' (hidden)' : ''} -->`)
  const slide = new SlideText(relations, writer)
  const shapes = childAt(root, 'cSld', 'spTree')
  if (shapes !== undefined) slide.shapes(shapes)
  for (const { type, target } of relations.values()) {
    const bytes = type === 'diagramData' ? await file.read(target) : undefined
    if (bytes === undefined) continue
    for (const point of allNamed(await readTree(bytes, work), 'pt')) slide.paragraphs(child(point, 't'), true)
  }
  const notes = [...relations.values()].find(({ type }) => type === 'notesSlide')?.target
  const noteBytes = notes === undefined ? undefined : await file.read(notes)
  if (noteBytes !== undefined) {
    const own = new BlockWriter()
    const reader = new SlideText(await relationsOf(file, notes ?? '', work), own)
    for (const shape of allNamed(await readTree(noteBytes, work), 'sp')) {
      if (placeholderOf(shape) === 'body') reader.paragraphs(child(shape, 'txBody'), false)
    }
    if (own.text !== '') writer.add(`Notes:\n\n${own.text}`)
  }
  return writer.text
}

function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = childAt(shape, 'nvSpPr', 'nvPr', 'ph')
  return placeholder === undefined ? undefined : (placeholder.attributes['type'] ?? 'obj')
}

/** Placeholders that are repeated on each slide and belong to none. */
const furniture = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])

class SlideText {
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #writer: BlockWriter

  constructor(relations: ReadonlyMap<string, Relation>, writer: BlockWriter) {
    this.#relations = relations
    this.#writer = writer
  }

  shapes(parent: XmlElement): void {
    // The title comes first, wherever it is in the file.
    const shapes = elementsOf(parent)
    const isTitle = (shape: XmlElement): boolean => /^(?:title|ctrTitle)$/.test(placeholderOf(shape) ?? '')
    for (const shape of [...shapes.filter(isTitle), ...shapes.filter(each => !isTitle(each))]) this.#shape(shape)
  }

  paragraphs(body: XmlElement | undefined, isList: boolean): void {
    for (const each of elementsOf(body, 'p')) {
      const text = inline(this.#runs(each))
      if (text.trim() === '') continue
      const properties = child(each, 'pPr')
      const depth = Math.min(8, Number(properties?.attributes['lvl'] ?? 0) || 0)
      const isNumbered = child(properties, 'buAutoNum') !== undefined
      const hasBullet =
        isNumbered || child(properties, 'buChar') !== undefined || (isList && child(properties, 'buNone') === undefined)
      if (hasBullet) this.#writer.add(listItem(depth, isNumbered ? '1.' : '-', text), true)
      else this.#writer.add(paragraph(text))
    }
  }

  #shape(shape: XmlElement): void {
    switch (shape.name) {
      case 'sp': {
        const kind = placeholderOf(shape)
        const body = child(shape, 'txBody')
        if (kind !== undefined && furniture.has(kind)) return
        if (kind === 'title' || kind === 'ctrTitle') {
          const title = elementsOf(body, 'p').map(each => inline(this.#runs(each).map(({ text, link }) => ({ text, link }))))
          const text = title.join(' ').trim()
          if (text !== '') this.#writer.add(heading(1, text))
        } else if (kind === 'subTitle') this.paragraphs(body, false)
        else this.paragraphs(body, kind === 'obj' || kind === 'body')
        return
      }
      case 'grpSp':
        return this.shapes(shape)
      case 'pic': {
        const { descr = '', title = '' } = childAt(shape, 'nvPicPr', 'cNvPr')?.attributes ?? {}
        return this.#writer.add(pictureMark(descr || title))
      }
      case 'graphicFrame': {
        const [found] = allNamed(shape, 'tbl')
        if (found !== undefined) return this.#table(found)
        const { descr = '', title = '', name = '' } = childAt(shape, 'nvGraphicFramePr', 'cNvPr')?.attributes ?? {}
        if (allNamed(shape, 'chart').length > 0) this.#writer.add(`[chart: ${descr || title || name}]`)
        return
      }
      case 'AlternateContent':
        return this.shapes(child(shape, 'Choice') ?? shape)
    }
  }

  #table(element: XmlElement): void {
    const rows = elementsOf(element, 'tr').map(row =>
      elementsOf(row, 'tc').map(cell => {
        const { hMerge = '0', vMerge = '0' } = cell.attributes
        if (hMerge === '1' || vMerge === '1') return ''
        return elementsOf(child(cell, 'txBody'), 'p')
          .map(each => inline(this.#runs(each)))
          .join('\n')
      }),
    )
    this.#writer.add(table(rows))
  }

  #runs(element: XmlElement): Run[] {
    return elementsOf(element).flatMap((each): Run[] => {
      if (each.name === 'br') return [{ text: '\n' }]
      if (each.name === 'AlternateContent' || each.name === 'm') return [{ text: allNamed(each, 't').map(textIn).join('') }]
      if (each.name !== 'r' && each.name !== 'fld') return []
      const properties = child(each, 'rPr')
      const link = this.#relations.get(child(properties, 'hlinkClick')?.attributes['id'] ?? '')
      return [
        {
          text: textIn(child(each, 't')),
          isBold: /^(?:1|true)$/.test(properties?.attributes['b'] ?? ''),
          isItalic: /^(?:1|true)$/.test(properties?.attributes['i'] ?? ''),
          link: link?.type === 'hyperlink' ? link.target : undefined,
        },
      ]
    })
  }
}
