// How many characters a pattern takes.

import { unreachable } from '../../../core/errors.ts'
import type { Node } from './syntax.ts'
import { largest } from '../../../core/many.ts'

export interface Lengths {
  readonly min: number
  readonly max: number
}

const none: Lengths = { min: 0, max: 0 }

export function lengthsOf(node: Node): Lengths {
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
      return node.nodes.map(lengthsOf).reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), none)
    case 'alternation': {
      const ways = node.nodes.map(lengthsOf)
      return { min: ways.reduce((least, { min }) => Math.min(least, min), Infinity), max: largest(ways.map(({ max }) => max)) }
    }
    case 'group':
    case 'atomic':
      return lengthsOf(node.node)
    case 'repeat': {
      const { min, max } = lengthsOf(node.node)
      return { min: min * node.min, max: max === 0 || !Number.isFinite(max) ? max : max * node.max }
    }
    case 'conditional':
      return lengthsOf({ kind: 'alternation', nodes: node.condition.kind === 'never' ? [node.no] : [node.yes, node.no] })
    case 'backreference':
    case 'call':
    case 'accept':
      return { min: 0, max: Number.POSITIVE_INFINITY }
    default:
      return unreachable(node)
  }
}
