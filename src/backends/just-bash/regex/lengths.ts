// How many characters a pattern takes.

import { unreachable } from '../../../core/errors.ts'
import type { Node } from './syntax.ts'
import { largest } from '../../../core/many.ts'

export interface Lengths {
  readonly min: number
  readonly max: number
}

const none: Lengths = { min: 0, max: 0 }
const unlimited: Lengths = { min: 0, max: Number.POSITIVE_INFINITY }

/** `groupOf` returns the groups that may be referred to. A group that refers to itself has no limit. */
export function lengthsOf(node: Node, groupOf: (index: number) => Node | undefined): Lengths {
  const of = (part: Node): Lengths => lengthsOf(part, groupOf)
  switch (node.kind) {
    case 'empty':
    case 'assertion':
    case 'look':
    case 'keep-out':
    case 'cut':
      return none
    case 'set':
      return { min: 1, max: 1 }
    case 'sequence':
      return node.nodes.map(of).reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), none)
    case 'alternation': {
      const ways = node.nodes.map(of)
      return { min: ways.reduce((least, { min }) => Math.min(least, min), Infinity), max: largest(ways.map(({ max }) => max)) }
    }
    case 'group':
    case 'atomic':
      return of(node.node)
    case 'repeat': {
      const { min, max } = of(node.node)
      return { min: min * node.min, max: max === 0 || !Number.isFinite(max) ? max : max * node.max }
    }
    case 'conditional':
      return of({ kind: 'alternation', nodes: node.condition.kind === 'never' ? [node.no] : [node.yes, node.no] })
    case 'backreference':
    case 'call': {
      const group = groupOf(node.index)
      return group === undefined ? unlimited : lengthsOf(group, index => (index === node.index ? undefined : groupOf(index)))
    }
    case 'accept':
    case 'cluster':
      return unlimited
    default:
      return unreachable(node)
  }
}
