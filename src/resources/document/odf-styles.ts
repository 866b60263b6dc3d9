// The effect of styles in OpenDocument: looks, levels of headings, hidden sheets and slides, and the numbers of lists.

import type { Run } from './markdown.ts'
import { formatNumber } from './numbers.ts'
import type { DocumentWork } from './work.ts'
import { child, elementsOf, readBlocks, type XmlElement } from './xml.ts'

type Looks = Pick<Run, 'isBold' | 'isItalic' | 'isStruck'>

interface ListLevel {
  readonly format: string
  readonly prefix: string
  readonly suffix: string
  readonly start: number
  /** How many levels the number shows, this one included. */
  readonly shownLevels: number
}

/** Depths are zero-based, levels of headings begin with 1. */
export class OdfStyles {
  readonly #levels = new Map<string, ListLevel>()
  readonly #looks = new Map<string, Looks>()
  readonly #hidden = new Set<string>()
  readonly #parents = new Map<string, string>()

  async read(bytes: Uint8Array, work: DocumentWork): Promise<void> {
    await readBlocks(bytes, work, {
      isBlock: name => name === 'list-style' || name === 'style' || name === 'outline-style',
      onBlock: style => this.#add(style),
    })
  }

  /** `undefined` for a level without numbers. */
  listLevel(list: string, depth: number): ListLevel | undefined {
    return this.#levels.get(`${list} ${depth}`)
  }

  looks(style: string): Looks {
    return [...this.#chain(style)].reduce<Looks>((looks, name) => ({ ...this.#looks.get(name), ...looks }), {})
  }

  isHidden(style: string): boolean {
    return this.#hidden.has(style)
  }

  /** For a paragraph that only looks like a heading. */
  headingLevel(style: string): number | undefined {
    for (const name of this.#chain(style)) {
      if (/^Title$/i.test(name)) return 1
      const [, level] = /^Heading_20_(\d)$/i.exec(name) ?? []
      if (level !== undefined) return Number(level)
    }
    return undefined
  }

  *#chain(style: string): Generator<string> {
    let name: string | undefined = style
    // In a broken file, a style may be its own parent.
    for (let count = 0; name !== undefined && count < 20; count++) {
      yield name
      name = this.#parents.get(name)
    }
  }

  #add(style: XmlElement): void {
    const { name = '', 'parent-style-name': parent } = style.attributes
    if (style.name === 'style') {
      if (parent !== undefined) this.#parents.set(name, parent)
      this.#looks.set(name, looksOf(child(style, 'text-properties')))
      const isHidden =
        child(style, 'table-properties')?.attributes['display'] === 'false' ||
        child(style, 'drawing-page-properties')?.attributes['visibility'] === 'hidden'
      if (isHidden) this.#hidden.add(name)
      return
    }
    const list = style.name === 'outline-style' ? outline : name
    for (const each of elementsOf(style)) {
      const { attributes } = each
      if ((attributes['num-format'] ?? '') === '') continue
      this.#levels.set(`${list} ${Number(attributes['level'] ?? 1) - 1}`, {
        format: attributes['num-format'] ?? '',
        prefix: attributes['num-prefix'] ?? '',
        suffix: attributes['num-suffix'] ?? '',
        start: Number(attributes['start-value'] ?? 1) || 1,
        shownLevels: Number(attributes['display-levels'] ?? 1) || 1,
      })
    }
  }
}

function looksOf(properties: XmlElement | undefined): Looks {
  const {
    'font-weight': weight,
    'font-style': slant,
    'text-line-through-style': line,
    'text-line-through-type': type,
  } = properties?.attributes ?? {}
  return {
    ...(weight === undefined ? {} : { isBold: /^(?:bold|[6-9]00)$/.test(weight) }),
    ...(slant === undefined ? {} : { isItalic: /^(?:italic|oblique)$/.test(slant) }),
    ...(line === undefined && type === undefined ? {} : { isStruck: line !== 'none' && type !== 'none' }),
  }
}

/** No list style has this name. */
const outline = ' outline'

/** Counts the items of all lists of a document. */
export class OdfLists {
  readonly #styles: OdfStyles
  /** The numbers of the list that is being read, and of headings, by depth. */
  #numbers: number[] = []
  readonly #headings: number[] = []
  /** Where lists ended, by style and by identifier: another one may continue there. */
  readonly #ended = new Map<string, readonly number[]>()

  constructor(styles: OdfStyles) {
    this.#styles = styles
  }

  start({ attributes }: XmlElement, depth: number, style: string): void {
    if (depth > 0) this.#numbers.length = Math.min(this.#numbers.length, depth)
    else {
      const { 'continue-list': list, 'continue-numbering': isContinued } = attributes
      const key = list === undefined ? (isContinued === 'true' ? `style ${style}` : undefined) : `list ${list}`
      this.#numbers = [...((key === undefined ? undefined : this.#ended.get(key)) ?? [])]
    }
  }

  end({ attributes }: XmlElement, depth: number, style: string): void {
    if (depth > 0) return
    this.#ended.set(`style ${style}`, this.#numbers)
    const { id } = attributes
    if (id !== undefined) this.#ended.set(`list ${id}`, this.#numbers)
  }

  /** The marker of the next item. */
  next({ attributes }: XmlElement, depth: number, style: string): string {
    const level = this.#styles.listLevel(style, depth)
    this.#count(this.#numbers, depth, level, attributes['start-value'])
    return level === undefined ? '-' : this.#number(style, depth, this.#numbers) || '-'
  }

  /** With a blank after it; '' if headings have no numbers. */
  headingNumber({ attributes }: XmlElement, level: number): string {
    if (attributes['is-list-header'] === 'true') return ''
    const found = this.#styles.listLevel(outline, level - 1)
    this.#count(
      this.#headings,
      level - 1,
      found,
      attributes['restart-numbering'] === 'true' ? attributes['start-value'] : undefined,
    )
    const number = found === undefined ? '' : this.#number(outline, level - 1, this.#headings)
    return number === '' ? '' : `${number} `
  }

  #count(numbers: number[], depth: number, level: ListLevel | undefined, start: string | undefined): void {
    const following = (numbers[depth] ?? (level?.start ?? 1) - 1) + 1
    const given = Number(start ?? Number.NaN)
    numbers[depth] = Number.isInteger(given) ? given : following
    numbers.length = depth + 1
  }

  #number(list: string, depth: number, numbers: readonly number[]): string {
    const own = this.#styles.listLevel(list, depth)
    if (own === undefined) return ''
    const parts: string[] = []
    for (let each = Math.max(0, depth + 1 - own.shownLevels); each <= depth; each++) {
      const level = this.#styles.listLevel(list, each)
      if (level !== undefined) parts.push(formatNumber(numbers[each] ?? level.start, level.format))
    }
    return `${own.prefix}${parts.join('.')}${own.suffix}`.trim()
  }
}
