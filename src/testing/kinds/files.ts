// One small file of every kind that a path can name, made without any program, so that it can be made on every platform.

import { gzipSync, strToU8, zipSync } from 'fflate'

import { madeDocx, madeEpub, madeOdf, madePdf, madePptx, madeXlsx } from '../documents/made-documents.ts'
import { madeDoc, madePpt, madeXls } from '../documents/made-legacy.ts'
import { bytesOfBase64, tinyDatabase } from '../documents/tiny-database.ts'
import { encodedPictures } from '../images/pictures.ts'

/** What xz, zstd and bzip2 make of one line. */
const packedLine = {
  xz: '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAMcGFja2VkIGFsb25lCgAAAAAipEgYHrdahAABJQ1xGcS2H7bzfQEAAAAABFla',
  zst: 'KLUv/QRYaQAAcGFja2VkIGFsb25lCnDeneg=',
  bz2: 'QlpoOTFBWSZTWVIBOt0AAAZRgAAQQAAuDcAAIAAxANNNBAZBoSgR26El4u5IpwoSCkAnW6A=',
} as const

/** 3 × 2 and 9,000 × 2 pixels. */
const smallWebp = 'UklGRiAAAABXRUJQVlA4TBQAAAAvAkAAAAdQgVQIIAAKmv7HiIj+Bw=='
const longWebp = 'UklGRiQAAABXRUJQVlA4TBcAAAAvJ2MAAAdQjyLXo/8BAEX6/18i+p8iAwA='
const longGif =
  'R0lGODdhKCMCAIEAAMgeHgAAAAAAAAAAACwAAAAAKCMCAAAI2AABCBxIsKDBgwgTKlzIsKHDhxAjSpxIsaLFixgzatzIsaPHjyBDihxJsqTJkyhTqlzJsqXLlzBjypxJs6bNmzhz6tzJs6fPn0CDCh1KtKjRo0iTKl3KtKnTp1CjSp1KtarVq1izat3KtavXr2DDih1LtqzZs2jTql3Ltq3bt3Djyp1Lt67du3jz6t3Lt6/fv4ADCx5MuLDhw4gTK17MuLHjx5AjS55MubLly5gza97MubPnz6BDix5NurTp06hTq17NurXr17Bjy55Nu7bt27hz697Nu3fLgAA7'

/** Of one bit a pixel. */
function longBmp(): Uint8Array {
  const [width, height, rowBytes] = [9000, 2, 1128]
  const bytes = new Uint8Array(62 + rowBytes * height)
  const view = new DataView(bytes.buffer)
  bytes.set(strToU8('BM'))
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, 62, true)
  for (const [at, value] of [
    [14, 40],
    [18, width],
    [22, height],
    [34, rowBytes * height],
    [46, 2],
  ] as const)
    view.setUint32(at, value, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 1, true)
  view.setUint32(58, 0xffffff, true)
  return bytes
}

const notebook = {
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
    { cell_type: 'code', execution_count: 1, metadata: { kept: true }, outputs: [], source: ['print(1)\n', 'print(2)'] },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
  unknown: 'stays',
}

const cells = (text: string): string => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`
const conflict = ['a', `${'<'.repeat(7)} HEAD`, 'ours', '='.repeat(7), 'theirs', `${'>'.repeat(7)} other`, 'z', ''].join('\n')

export function everyKindOfFile(): Readonly<Record<string, string | Uint8Array>> {
  const inner = zipSync({ 'in.txt': strToU8('innermost\n') })
  const qoi = encodedPictures.find(({ name }) => name === 'sample.qoi')?.bytes
  if (qoi === undefined) throw new Error('there is no sample.qoi')
  return {
    'a.txt': 'one\ntwo\n',
    'a.zip': zipSync({ 'src/a.ts': strToU8('export {}\n'), raw: strToU8('named raw\n'), 'n.jar': inner, 'p.qoi': qoi }),
    'one.txt.gz': gzipSync(strToU8('zipped alone\n')),
    'one.txt.xz': bytesOfBase64(packedLine.xz),
    'one.txt.zst': bytesOfBase64(packedLine.zst),
    'one.txt.bz2': bytesOfBase64(packedLine.bz2),
    'broken.zip': strToU8('PK\u0003\u0004 no'),
    'd.db': bytesOfBase64(tinyDatabase),
    'notes.db': 'just text\n',
    'n.ipynb': `${JSON.stringify(notebook, null, 1)}\n`,
    'a.pdf': madePdf([{ texts: [[12, 50, 700, 'first']] }, { texts: [[12, 50, 700, 'second']] }]),
    'a.docx': madeDocx('<w:p><w:r><w:t>of Word</w:t></w:r></w:p>'),
    'a.xlsx': madeXlsx({ Costs: cells('x'), Y2024: cells('y') }),
    'a.pptx': madePptx(['<p:sp><p:txBody><a:p><a:r><a:t>a slide</a:t></a:r></a:p></p:txBody></p:sp>']),
    'a.epub': madeEpub(['<h1>Chapter</h1>']),
    'a.odt': madeOdf('text', '<text:p>open</text:p>'),
    'a.rtf': '{\\rtf1 rich}',
    'a.doc': madeDoc('old words\r', ''),
    'a.xls': madeXls(),
    'a.ppt': madePpt([['old slide', 'text']]),
    'p.qoi': qoi,
    'small.webp': bytesOfBase64(smallWebp),
    'long.webp': bytesOfBase64(longWebp),
    'long.gif': bytesOfBase64(longGif),
    'long.bmp': longBmp(),
    'c.txt': conflict,
    '.agents/skills/review/SKILL.md': 'Read it twice.\n',
  }
}
