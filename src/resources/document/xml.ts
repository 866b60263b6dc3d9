// XML in pieces: each block of a document becomes a small tree, so that the whole document is never in memory.

import { SaxesParser } from 'saxes'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentWork } from './work.ts'

/** An element. Names have no prefix, because the formats read here do not need it. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[]
}

/** No program writes more; a deeper file is an attack. */
const depthMax = 256
const blockMaxElements = 1_000_000
const chunkBytes = 64 * 1024

interface BlockReader {
  /** Whether an element with this name below `parents` (the outermost first) begins a block. */
  readonly isBlock: (name: string, parents: readonly string[]) => boolean
  /** Called for an element that is not a block and not inside one. */
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>) => void
  /** `false` ends the reading. */
  readonly onBlock: (block: XmlElement) => boolean | void
}

/** Reads the blocks of an XML file in order. Throws {@link DocumentTrouble} `damaged`. */
export async function readBlocks(bytes: Uint8Array, work: DocumentWork, reader: BlockReader): Promise<void> {
  const parents: string[] = []
  const open: OpenElement[] = []
  let count = 0
  let isEnded = false
  const parser = new SaxesParser()
  // Without a prototype, because a file can name what every object inherits.
  parser.ENTITIES = Object.assign(Object.create(null), namedEntities) as Record<string, string>
  parser.on('error', error => {
    // Entities that only HTML defines stay as written; anything else is a broken file.
    if (/undefined entity|disallowed character|malformed character entity/.test(error.message)) return
    throw new DocumentTrouble('damaged', `its XML is broken: ${error.message}`)
  })
  parser.on('opentag', ({ name: given, attributes: withPrefixes }) => {
    const name = withoutPrefix(given)
    if (parents.length >= depthMax) throw new DocumentTrouble('damaged', 'its elements are nested too deeply')
    const attributes: Record<string, string> = {}
    for (const [key, value] of Object.entries(withPrefixes)) {
      attributes[key] = value
      // `r:id` may occur together with another `id`.
      const bare = withoutPrefix(key)
      if (!Object.hasOwn(withPrefixes, bare)) attributes[bare] = value
    }
    const parent = open.at(-1)
    if (parent !== undefined || reader.isBlock(name, parents)) {
      const element: OpenElement = { name, attributes, children: [] }
      if (++count > blockMaxElements) throw new DocumentTrouble('too-large', 'a single block of it is too large')
      parent?.children.push(element)
      open.push(element)
    } else reader.onOpen?.(name, attributes)
    parents.push(name)
  })
  parser.on('closetag', () => {
    parents.pop()
    const element = open.pop()
    if (element === undefined || open.length > 0) return
    count = 0
    if (!isEnded && reader.onBlock(element) === false) isEnded = true
  })
  const onText = (text: string): void => {
    open.at(-1)?.children.push(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  const decoder = decoderFor(bytes)
  for (let at = 0; at < bytes.length && !isEnded; at += chunkBytes) {
    parser.write(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }))
    await work.pause()
  }
  if (isEnded) return
  parser.write(decoder.decode())
  parser.close()
}

/** A whole file as one tree; for the small parts of a document. */
export async function readTree(bytes: Uint8Array, work: DocumentWork): Promise<XmlElement> {
  let root: XmlElement | undefined
  await readBlocks(bytes, work, {
    isBlock: (_name, parents) => parents.length === 0,
    onBlock: element => {
      root = element
    },
  })
  if (root === undefined) throw new DocumentTrouble('damaged', 'a part of it is empty')
  return root
}

function decoderFor(bytes: Uint8Array): TextDecoder {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be')
  const head = String.fromCharCode(...bytes.subarray(0, 100))
  const [, label = 'utf-8'] = /^[^>]*encoding=["']([\w-]+)["']/.exec(head) ?? []
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('utf-8')
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((each): each is XmlElement => typeof each !== 'string' && each.name === name)
}

/** The child along a path of names. */
export function childAt(element: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>((found, name) => child(found, name), element)
}

/** The child elements, all or those with one name. */
export function elementsOf(element: XmlElement | undefined, name?: string): readonly XmlElement[] {
  return (element?.children ?? []).filter(
    (each): each is XmlElement => typeof each !== 'string' && (name === undefined || each.name === name),
  )
}

/** Every descendant with that name, in order, without looking inside those found. */
export function allNamed(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return elementsOf(element).flatMap(each => (each.name === name ? [each] : allNamed(each, name)))
}

/** The text of all descendants. */
export function textIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map(each => (typeof each === 'string' ? each : textIn(each))).join('')
}

/** Those of XML itself, and the most common ones in books written as XHTML. */
const namedEntities: Readonly<Record<string, string>> = Object.fromEntries(
  `amp 26 lt 3c gt 3e quot 22 apos 27
  nbsp a0 iexcl a1 cent a2 pound a3 yen a5 sect a7 uml a8 copy a9 ordf aa laquo ab not ac shy ad reg ae deg b0 plusmn b1 sup2 b2 sup3 b3
  acute b4 micro b5 para b6 middot b7 sup1 b9 ordm ba raquo bb frac14 bc frac12 bd frac34 be iquest bf Agrave c0 Aacute c1 Acirc c2
  Auml c4 Aring c5 AElig c6 Ccedil c7 Egrave c8 Eacute c9 Ecirc ca Euml cb Ouml d6 times d7 Oslash d8 Uuml dc szlig df agrave e0
  aacute e1 acirc e2 atilde e3 auml e4 aring e5 aelig e6 ccedil e7 egrave e8 eacute e9 ecirc ea euml eb igrave ec iacute ed icirc ee
  iuml ef ntilde f1 ograve f2 oacute f3 ocirc f4 otilde f5 ouml f6 divide f7 oslash f8 ugrave f9 uacute fa ucirc fb uuml fc yuml ff
  OElig 152 oelig 153 ensp 2002 emsp 2003 thinsp 2009 zwnj 200c zwj 200d ndash 2013 mdash 2014 lsquo 2018 rsquo 2019 sbquo 201a
  ldquo 201c rdquo 201d bdquo 201e dagger 2020 Dagger 2021 bull 2022 hellip 2026 permil 2030 prime 2032 Prime 2033 lsaquo 2039
  rsaquo 203a euro 20ac trade 2122 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 minus 2212 infin 221e ne 2260 le 2264 ge 2265`
    .trim()
    .split(/\s+/)
    .flatMap((name, index, all) =>
      index % 2 === 0 ? [[name, String.fromCodePoint(Number.parseInt(all[index + 1] ?? '20', 16))] as const] : [],
    ),
)
