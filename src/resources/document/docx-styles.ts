// The effect of styles and numbering in a Word document on a paragraph: a heading, a list item, a quotation.

import { formatNumber } from './numbers.ts'
import type { PackageFile } from './package-file.ts'
import type { DocumentWork } from './work.ts'
import { child, childAt, elementsOf, readTree, type XmlElement } from './xml.ts'

interface Style {
  readonly id: string
  readonly name: string
  readonly basedOn: string | undefined
  readonly outlineLevel: number | undefined
  readonly numbering: NumberingReference | undefined
}

export interface NumberingReference {
  readonly list: string | undefined
  readonly level: number | undefined
}

interface ListLevel {
  readonly format: string
  readonly start: number
  /** `%1.%2)`: the numbers of this and higher levels, among other characters. */
  readonly text: string | undefined
  /** The numbers of all levels are decimal, whatever their own format is. */
  readonly isDecimal: boolean
  /** Paragraphs with this style have this level. */
  readonly styleId: string | undefined
}

export interface ListMarker {
  readonly depth: number
  /** `-` for an item without a number. */
  readonly marker: string
}

/** Styles and lists of one document. Counts list items as they occur. */
export class DocxStyles {
  readonly #styles = new Map<string, Style>()
  readonly #levels = new Map<string, ReadonlyMap<number, ListLevel>>()
  readonly #counters = new Map<string, number[]>()
  /** The list whose counter is used: several lists of a document may share one. */
  readonly #abstractOf = new Map<string, string>()

  static async of(file: PackageFile, folder: string, work: DocumentWork): Promise<DocxStyles> {
    const styles = new DocxStyles()
    const styleBytes = await file.read(`${folder}styles.xml`)
    if (styleBytes !== undefined) styles.#readStyles(await readTree(styleBytes, work))
    const numberBytes = await file.read(`${folder}numbering.xml`)
    if (numberBytes !== undefined) styles.#readNumbering(await readTree(numberBytes, work))
    return styles
  }

  /** 1 to 6 for a heading, from the paragraph's own properties or its style. A title is 1. */
  headingLevel(properties: XmlElement | undefined): number | undefined {
    const own = numberOf(child(properties, 'outlineLvl'))
    if (own !== undefined) return own < 9 ? own + 1 : undefined
    for (const style of this.#chain(properties)) {
      if (/^title$/i.test(style.name)) return 1
      const [, level] = /^heading (\d)$/i.exec(style.name) ?? []
      if (level !== undefined) return Number(level)
      if (style.outlineLevel !== undefined) return style.outlineLevel < 9 ? style.outlineLevel + 1 : undefined
    }
    return undefined
  }

  isQuotation(properties: XmlElement | undefined): boolean {
    return this.#chain(properties).some(({ name }) => /^(?:intense )?quote$|^block text$/i.test(name))
  }

  isCode(properties: XmlElement | undefined): boolean {
    return this.#chain(properties).some(({ name }) => /^(?:html preformatted|source code|code|plain text)$/i.test(name))
  }

  /** The marker of a paragraph that is an item of a list, counted. */
  listMarker(properties: XmlElement | undefined): ListMarker | undefined {
    const own = numberingOf(child(properties, 'numPr'))
    const inherited = this.#chain(properties).map(({ numbering }) => numbering)
    const list = [own, ...inherited].find(reference => reference?.list !== undefined)?.list
    if (list === undefined || list === '0') return undefined
    const levels = this.#levels.get(list) ?? new Map<number, ListLevel>()
    const depth =
      [own, ...inherited].find(reference => reference?.level !== undefined)?.level ??
      (own?.list === undefined ? this.#depthOfStyle(properties, levels) : undefined) ??
      0
    const level = levels.get(depth)
    const counted = this.#abstractOf.get(list) ?? list
    const counters = this.#counters.get(counted) ?? []
    this.#counters.set(counted, counters)
    counters[depth] = (counters[depth] ?? (level?.start ?? 1) - 1) + 1
    counters.length = depth + 1
    return { depth, marker: markerOf(level, depth, counters, levels) }
  }

  #depthOfStyle(properties: XmlElement | undefined, levels: ReadonlyMap<number, ListLevel>): number | undefined {
    const chain = this.#chain(properties).map(({ id }) => id)
    return [...levels].find(([, { styleId }]) => styleId !== undefined && chain.includes(styleId))?.[0]
  }

  #chain(properties: XmlElement | undefined): readonly Style[] {
    const chain: Style[] = []
    let id = child(properties, 'pStyle')?.attributes['val']
    // In a broken file, a style may be based on itself.
    while (id !== undefined && chain.length < 20) {
      const style: Style | undefined = this.#styles.get(id)
      if (style === undefined) {
        // The style sheet may be missing, but the IDs of the usual styles are known.
        chain.push({
          id,
          name: id.replace(/^heading(\d)$/i, 'heading $1'),
          basedOn: undefined,
          outlineLevel: undefined,
          numbering: undefined,
        })
        break
      }
      chain.push(style)
      id = style.basedOn
    }
    return chain
  }

  #readStyles(root: XmlElement): void {
    for (const style of elementsOf(root, 'style')) {
      const { styleId } = style.attributes
      if (styleId === undefined) continue
      const properties = child(style, 'pPr')
      this.#styles.set(styleId, {
        id: styleId,
        name: child(style, 'name')?.attributes['val'] ?? styleId,
        basedOn: child(style, 'basedOn')?.attributes['val'],
        outlineLevel: numberOf(child(properties, 'outlineLvl')),
        numbering: numberingOf(child(properties, 'numPr')),
      })
    }
  }

  #readNumbering(root: XmlElement): void {
    const abstract = new Map(elementsOf(root, 'abstractNum').map(each => [each.attributes['abstractNumId'], each] as const))
    const lists = elementsOf(root, 'num')
    const abstractIdOf = (list: XmlElement | undefined): string | undefined => child(list, 'abstractNumId')?.attributes['val']
    /** The levels of a list style are in another list. */
    const ownerOf = (id: string | undefined): string | undefined => {
      const style = child(abstract.get(id), 'numStyleLink')?.attributes['val']
      const linked = style === undefined ? undefined : this.#styles.get(style)?.numbering?.list
      return linked === undefined ? id : abstractIdOf(lists.find(({ attributes }) => attributes['numId'] === linked))
    }
    for (const list of lists) {
      const { numId } = list.attributes
      const abstractId = ownerOf(abstractIdOf(list))
      if (numId === undefined) continue
      const levels = levelsOf(abstract.get(abstractId))
      const overrides = elementsOf(list, 'lvlOverride')
      for (const override of overrides) {
        const depth = Number(override.attributes['ilvl'] ?? 0)
        const start = numberOf(child(override, 'startOverride'))
        const own = child(override, 'lvl')
        const level = own === undefined ? levels.get(depth) : levelOf(own)
        if (level !== undefined) levels.set(depth, { ...level, start: start ?? level.start })
      }
      this.#levels.set(numId, levels)
      if (abstractId !== undefined && overrides.length === 0) this.#abstractOf.set(numId, `abstract ${abstractId}`)
    }
  }
}

function markerOf(
  level: ListLevel | undefined,
  depth: number,
  counters: readonly (number | undefined)[],
  levels: ReadonlyMap<number, ListLevel>,
): string {
  if (level === undefined || level.format === 'bullet' || level.format === 'none') return '-'
  const text = level.text ?? `%${depth + 1}.`
  const marker = text.replace(/%([1-9])/g, (_mark, digit: string) => {
    const index = Number(digit) - 1
    const { format = 'decimal', start = 1 } = levels.get(index) ?? {}
    const isWithout = format === 'bullet' || format === 'none'
    return isWithout ? '' : formatNumber(counters[index] ?? start, level.isDecimal ? 'decimal' : format)
  })
  return marker.trim() === '' ? '-' : marker.trim()
}

function levelsOf(abstract: XmlElement | undefined): Map<number, ListLevel> {
  return new Map(elementsOf(abstract, 'lvl').map(level => [Number(level.attributes['ilvl'] ?? 0), levelOf(level)] as const))
}

function levelOf(level: XmlElement): ListLevel {
  return {
    format:
      child(level, 'numFmt')?.attributes['val'] ??
      childAt(level, 'AlternateContent', 'Choice', 'numFmt')?.attributes['val'] ??
      'decimal',
    start: numberOf(child(level, 'start')) ?? 1,
    text: child(level, 'lvlText')?.attributes['val'],
    isDecimal: child(level, 'isLgl') !== undefined,
    styleId: child(level, 'pStyle')?.attributes['val'],
  }
}

function numberingOf(element: XmlElement | undefined): NumberingReference | undefined {
  if (element === undefined) return undefined
  return { list: child(element, 'numId')?.attributes['val'], level: numberOf(child(element, 'ilvl')) }
}

function numberOf(element: XmlElement | undefined): number | undefined {
  const value = Number(element?.attributes['val'] ?? Number.NaN)
  return Number.isInteger(value) && value >= 0 && value < 1_000_000 ? value : undefined
}
