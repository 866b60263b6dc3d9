// The groups of a pattern by their numbers.

import type { Node } from './syntax.ts'

/** The node of a group that is not repeated by number. */
export function groupIn(node: Node, index: number): Node | undefined {
  switch (node.kind) {
    case 'group':
      return node.index === index ? node : groupIn(node.node, index)
    case 'sequence':
    case 'alternation':
      return firstOf(node.nodes, index)
    case 'repeat':
    case 'look':
    case 'atomic':
      return groupIn(node.node, index)
    case 'conditional':
      return firstOf([...(node.condition.kind === 'look' ? [node.condition] : []), node.yes, node.no], index)
    default:
      return undefined
  }
}

function firstOf(nodes: readonly Node[], index: number): Node | undefined {
  for (const node of nodes) {
    const found = groupIn(node, index)
    if (found !== undefined) return found
  }
  return undefined
}
