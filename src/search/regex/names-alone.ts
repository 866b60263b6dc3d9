// Whether a pattern requires one specific character, as opposed to a class of several, and whether it may match that character.

import type { CodePointSet } from './code-points.ts'
import { contains, union } from './code-points.ts'
import { evaluateClass, type Node } from './syntax.ts'

export function namesAlone(node: Node, codePoint: number): boolean {
  const set = setOf(node)
  if (set !== undefined) return set.length === 2 && set[0] === codePoint && set[1] === codePoint
  switch (node.kind) {
    case 'sequence':
    case 'alternatives':
      return node.parts.some(part => namesAlone(part, codePoint))
    case 'capture':
    case 'repeat':
      return namesAlone(node.node, codePoint)
    case 'character':
    case 'class':
    case 'assertion':
      return false
  }
}

export function mayMatch(node: Node, codePoint: number): boolean {
  switch (node.kind) {
    case 'sequence':
    case 'alternatives':
      return node.parts.some(part => mayMatch(part, codePoint))
    case 'capture':
    case 'repeat':
      return mayMatch(node.node, codePoint)
    case 'character':
    case 'class':
      return contains(setOf(node) ?? [], codePoint)
    case 'assertion':
      return false
  }
}

/**
 * The characters of a node that always matches one character. Alternatives of single characters are one class, and so are alternatives of
 * classes, but a mixture of both is not merged, as in ripgrep.
 */
function setOf(node: Node): CodePointSet | undefined {
  switch (node.kind) {
    case 'character':
      return [node.codePoint, node.codePoint]
    case 'class':
      return evaluateClass(node.set, 'unicode')
    case 'alternatives': {
      const sets = node.parts.map(setOf).filter(set => set !== undefined)
      const isOfOneKind = new Set(node.parts.map(isCertain)).size === 1
      return isOfOneKind && sets.length === node.parts.length ? union(...sets) : undefined
    }
    case 'sequence': {
      const [only, ...others] = node.parts.filter(part => part.kind !== 'sequence' || part.parts.length > 0)
      return only !== undefined && others.length === 0 ? setOf(only) : undefined
    }
    case 'capture':
    case 'repeat':
    case 'assertion':
      return undefined
  }
}

/** Whether the node matches just one character, in one case. */
function isCertain(node: Node): boolean {
  if (node.kind === 'character' && node.isFolded) {
    const character = String.fromCodePoint(node.codePoint)
    return character.toLowerCase() === character.toUpperCase()
  }
  const set = setOf(node)
  return set?.length === 2 && set[0] === set[1]
}
