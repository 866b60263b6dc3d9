// Finds where in an address the path of a file may end and an inner address begin, from the text alone.

import type { ResourceKind } from '../resources/kind.ts'

export interface ResourcePlace {
  readonly kind: ResourceKind
  /** `undefined` for an address with a prefix. */
  readonly file: string | undefined
  readonly inner: string
}

const anyScheme = /^[a-z][a-z0-9+.-]*:\/\//i

/**
 * Returns all interpretations of an address as an entry inside a file, the longest file path first, or as an address with a
 * prefix. The file itself is not included.
 */
export function placesIn(kinds: readonly ResourceKind[], text: string): readonly ResourcePlace[] {
  const lower = text.toLowerCase()
  const named = kinds.find(({ prefixes = [] }) => prefixes.some(prefix => prefix !== '://' && lower.startsWith(prefix)))
  const prefixed = named ?? (anyScheme.test(text) ? kinds.find(({ prefixes = [] }) => prefixes.includes('://')) : undefined)
  if (prefixed !== undefined) return [{ kind: prefixed, file: undefined, inner: text }]
  const places: ResourcePlace[] = []
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if (mark !== ':' && mark !== '?') continue
    const kind = kindOfName(kinds, lower.slice(0, at))
    if (kind !== undefined) places.push({ kind, file: text.slice(0, at), inner: text.slice(mark === ':' ? at + 1 : at) })
  }
  return places.reverse()
}

/** The kind for the extension of the name. If two match, the one with the longer extension. */
export function kindOfName(kinds: readonly ResourceKind[], name: string): ResourceKind | undefined {
  const lower = name.toLowerCase()
  let best: ResourceKind | undefined
  let bestLength = 0
  for (const kind of kinds) {
    for (const extension of kind.extensions ?? []) {
      if (extension.length <= bestLength || !lower.endsWith(`.${extension}`)) continue
      const before = lower.at(-extension.length - 2)
      if (before === undefined || before === '/') continue
      best = kind
      bestLength = extension.length
    }
  }
  return best
}
