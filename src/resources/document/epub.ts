// Electronic books (EPUB 2 and 3): the metadata of the book, then its chapters in reading order.

import { htmlBlocks } from './html-blocks.ts'
import { BlockWriter } from './markdown.ts'
import { PackageFile } from './package-file.ts'
import { resolvePart } from './relations.ts'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentPart, DocumentWork, ReadDocument } from './work.ts'
import { allNamed, child, elementsOf, readBlocks, readTree, textIn, type XmlElement } from './xml.ts'

const facts = [
  ['title', 'Title'],
  ['creator', 'Author'],
  ['publisher', 'Publisher'],
  ['date', 'Date'],
  ['language', 'Language'],
  ['description', 'Description'],
] as const

/** Throws `DocumentTrouble`. */
export async function readEpub(bytes: Uint8Array, work: DocumentWork): Promise<ReadDocument> {
  const file = new PackageFile(bytes, work)
  if (file.has('META-INF/encryption.xml') && file.has('META-INF/rights.xml'))
    throw new DocumentTrouble('encrypted', 'it is protected against copying')
  const container = await readTree(await file.demand('META-INF/container.xml'), work)
  const [rootFile] = allNamed(container, 'rootfile')
  const main = decodeName(rootFile?.attributes['full-path'] ?? '')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const root = await readTree(await file.demand(main), work)
  const metadata = child(root, 'metadata')
  const header = facts.flatMap(([name, label]) => {
    const values = elementsOf(metadata, name)
      .map(each => textIn(each).replace(/\s+/g, ' ').trim())
      .filter(Boolean)
    return values.length === 0 ? [] : [`**${label}:** ${values.join(', ')}`]
  })
  const items = new Map(
    elementsOf(child(root, 'manifest'), 'item').map(({ attributes }) => [attributes['id'] ?? '', attributes] as const),
  )
  const parts: DocumentPart[] = header.length === 0 ? [] : [{ markdown: header.join('\n') }]
  let chapter = 0
  for (const { attributes } of elementsOf(child(root, 'spine'), 'itemref')) {
    const item = items.get(attributes['idref'] ?? '')
    if (item === undefined || !/html|xml/.test(item['media-type'] ?? 'xhtml')) continue
    const markdown = await readChapter(file, resolvePart(folder, decodeName(item['href'] ?? '')), work)
    chapter++
    if (markdown === '') continue
    if (!work.takes(markdown)) break
    parts.push({ name: `chapter ${chapter}`, markdown })
  }
  return { parts }
}

async function readChapter(file: PackageFile, name: string, work: DocumentWork): Promise<string> {
  const bytes = await file.read(name)
  if (bytes === undefined) {
    work.notes.push(`The chapter ${name} is missing in the file`)
    return ''
  }
  const writer = new BlockWriter()
  const write = (block: XmlElement): void => htmlBlocks(block, writer)
  try {
    await readBlocks(bytes, work, { isBlock: (_name, parents) => parents.at(-1) === 'body', onBlock: write })
  } catch (error) {
    if (!(error instanceof DocumentTrouble) || error.kind !== 'damaged') throw error
    // Shows what was read until then; leaves out the rest of this chapter.
    work.notes.push(`The chapter ${name} is not well-formed, and is shown only as far as it could be read`)
  }
  return writer.text
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
