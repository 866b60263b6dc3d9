// Whether a pattern asks for one certain character, as opposed to a class in which it is one of several, and whether it may match it.

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

/** The characters of a node that always matches one character. Alternatives of such nodes are one class. */
function setOf(node: Node): CodePointSet | undefined {
  if (node.kind === 'character') return [node.codePoint, node.codePoint]
  if (node.kind === 'class') return evaluateClass(node.set, 'unicode')
  if (node.kind !== 'alternatives') return undefined
  const sets: CodePointSet[] = []
  for (const part of node.parts) {
    const set = setOf(part)
    if (set === undefined) return undefined
    sets.push(set)
  }
  return union(...sets)
}
