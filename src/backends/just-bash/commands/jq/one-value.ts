// Which expressions surely have one value, for steps that change a state in place.

import type { Expression } from './syntax.ts'

/** Has one value, or fails. */
export function isPlain(node: Expression): boolean {
  return hasOneValue(node, true)
}

/** Has one value, and none of its parts are of the state. */
export function isClosed(node: Expression): boolean {
  return hasOneValue(node, false)
}

/** A new list or object may not hold parts of the state, because nothing tells where they are. */
function hasOneValue(node: Expression, mayBeOfState: boolean): boolean {
  switch (node.kind) {
    case 'identity':
      return mayBeOfState
    case 'literal':
    case 'variable':
      return true
    case 'index':
      return hasOneValue(node.target, mayBeOfState) && hasOneValue(node.index, mayBeOfState)
    case 'text':
      return node.parts.every(part => typeof part === 'string' || hasOneValue(part, mayBeOfState))
    case 'binary':
      return hasOneValue(node.left, mayBeOfState) && hasOneValue(node.right, mayBeOfState)
    case 'array':
      return node.body === undefined || isClosed(node.body)
    case 'object':
      return node.entries.every(({ key, value }) => isClosed(key) && isClosed(value))
    default:
      return false
  }
}
