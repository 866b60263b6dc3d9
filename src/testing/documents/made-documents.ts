// Handmade documents for tests: each contains what its reader must show, and nothing else.

import { strToU8, zipSync, zlibSync, type Zippable } from 'fflate'

/** A package of XML parts. */
export function packed(parts: Readonly<Record<string, string>>): Uint8Array {
  const files: Zippable = {}
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(text)
  return zipSync(files)
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Relations as Office writes them. */
export function relations(
  ...rows: readonly (readonly [id: string, type: string, target: string, isExternal?: boolean])[]
): string {
  const lines = rows.map(
    ([id, type, target, isExternal = false]) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  )
  return `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`
}

/** A Word document with this body; other parts may be added. */
export function madeDocx(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  return packed({
    '_rels/.rels': relations(['rId1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${body}<w:sectPr/></w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="x"><w:style w:styleId="Titre1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Own"><w:name w:val="My part"/><w:basedOn w:val="Titre1"/></w:style><w:style w:styleId="Q"><w:name w:val="Quote"/></w:style></w:styles>`,
    'word/numbering.xml': `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    ...parts,
  })
}

/** A workbook; each sheet is the XML of its rows, or of a whole worksheet's inside when it starts with '<sheetData'. */
export function madeXlsx(
  sheets: Readonly<Record<string, string>>,
  parts: Readonly<Record<string, string>> = {},
  properties = '',
): Uint8Array {
  const names = Object.keys(sheets)
  const files: Record<string, string> = {
    '_rels/.rels': relations(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `${xml}<workbook xmlns:r="r">${properties}<sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...names.map((_name, index) => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`] as const),
    ),
  }
  for (const [index, name] of names.entries()) {
    const rows = sheets[name] ?? ''
    files[`xl/worksheets/sheet${index + 1}.xml`] =
      `${xml}<worksheet xmlns:r="r">${rows.startsWith('<sheetData') ? rows : `<sheetData>${rows}</sheetData>`}</worksheet>`
  }
  return packed({ ...files, ...parts })
}

/** A presentation; each slide is the XML of its shapes. */
export function madePptx(slides: readonly string[], parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const files: Record<string, string> = {
    '_rels/.rels': relations(['rId1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides.map((_slide, index) => `<p:sldId r:id="rId${index + 1}" id="${256 + index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    // The files are numbered in reverse order: only the relations show which is which.
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_slide, index) => [`rId${index + 1}`, 'slide', `slides/slide${slides.length - index}.xml`] as const),
    ),
  }
  for (const [index, shapes] of slides.entries()) {
    files[`ppt/slides/slide${slides.length - index}.xml`] =
      `<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="r"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
  }
  return packed({ ...files, ...parts })
}

/** A book whose chapters are the insides of their bodies. */
export function madeEpub(chapters: readonly string[]): Uint8Array {
  const files: Record<string, string> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package xmlns:dc="dc"><metadata><dc:title>A Book</dc:title><dc:creator>Ann Author</dc:creator></metadata><manifest>${chapters.map((_chapter, index) => `<item id="c${index}" href="part%20${index}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${chapters.map((_chapter, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
  }
  for (const [index, body] of chapters.entries()) {
    files[`OPS/part ${index}.xhtml`] =
      `<?xml version="1.0"?><!DOCTYPE html><html><head><title>no</title></head><body>${body}</body></html>`
  }
  return packed(files)
}

/** An OpenDocument file; `kind` is the name of the body. */
export function madeOdf(kind: 'text' | 'spreadsheet' | 'presentation', body: string, styles = ''): Uint8Array {
  return packed({
    mimetype: 'application/vnd.oasis.opendocument',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="ta" xmlns:draw="d" xmlns:xlink="x" xmlns:style="s" xmlns:presentation="pr" xmlns:fo="fo" xmlns:dc="dc"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  })
}

interface PdfPage {
  /** Size in points, place from the left and from below, and text. */
  readonly texts: readonly (readonly [size: number, x: number, y: number, text: string])[]
  /** In quarters of a circle: the page is shown so, and its texts are written so. */
  readonly turns?: number
  readonly link?: readonly [url: string, left: number, bottom: number, right: number, top: number]
}

/** A PDF of one font, with correct offsets. */
export function madePdf(pages: readonly PdfPage[]): Uint8Array {
  const objects: string[] = []
  const add = (text: string): number => objects.push(text)
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add('')
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const kids = pages.map(({ texts, link, turns = 0 }) => {
    const [cos = 1, sin = 0] =
      [
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
      ][turns % 4] ?? []
    const content = texts
      .map(
        ([size, x, y, text]) =>
          `BT /F1 ${size} Tf ${cos} ${sin} ${-sin} ${cos} ${x} ${y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`,
      )
      .join('\n')
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    const annotations =
      link === undefined
        ? ''
        : `/Annots [${add(`<< /Type /Annot /Subtype /Link /Rect [${link.slice(1).join(' ')}] /A << /S /URI /URI (${link[0]}) >> >>`)} 0 R]`
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate ${turns * 90} /Contents ${stream} 0 R /Resources << /Font << /F1 3 0 R >> >> ${annotations} >>`,
    )
  })
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map(kid => `${kid} 0 R`).join(' ')}] >>`
  return pdfOf(objects)
}

/** A small PDF whose page draws eight forms, each of which draws eight others, and so on: following them all never ends. */
export function endlessPdf(): Uint8Array {
  const depth = 30
  const formOf = (index: number): string => {
    const content = index === depth ? 'BT /F1 9 Tf (x) Tj ET' : '/X Do '.repeat(8)
    const next = index === depth ? '' : `/XObject << /X ${4 + index} 0 R >>`
    const resources = `/Resources << /Font << /F1 3 0 R >> ${next} >>`
    return `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources} /Length ${content.length} >>\nstream\n${content}\nendstream`
  }
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 1 /Kids [${5 + depth} 0 R] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...Array.from({ length: depth }, (_, index) => formOf(index + 1)),
    '<< /Length 5 >>\nstream\n/X Do\nendstream',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents ${4 + depth} 0 R /Resources << /XObject << /X 4 0 R >> >> >>`,
  ])
}

/** A small PDF whose page is so many megabytes of blanks, packed `times` times. */
export function blankPdf(megabytes: number, times: number): Uint8Array {
  let content: Uint8Array = new Uint8Array(megabytes * 1024 * 1024).fill(0x20)
  for (let time = 0; time < times; time++) content = zlibSync(content, { level: 1 })
  const bytes = Array.from(content, byte => String.fromCharCode(byte)).join('')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    `<< /Filter [${'/FlateDecode '.repeat(times)}] /Length ${content.length} >>\nstream\n${bytes}\nendstream`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 3 0 R >>',
  ])
}

function pdfOf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return strToU8(text, true)
}
