// A text that stands in every match of a pattern: where it is not, nothing needs to be looked for.

import type { Node } from './syntax.ts'

/** The longest one that is easily seen; `undefined` where there is none. */
export function requiredText(node: Node): string | undefined {
  const found = longest(runsOf(node))
  return found === '' ? undefined : found
}

/** Runs of characters that stand next to each other; an empty one parts what does not. */
function runsOf(node: Node): readonly string[] {
  switch (node.kind) {
    case 'set': {
      const { set } = node
      const [low = 0, high] = set
      return set.length === 2 && low === high ? [String.fromCodePoint(low)] : ['', '']
    }
    case 'empty':
    case 'assertion':
    case 'look':
    case 'keep-out':
      // They take nothing, so what is on their sides is next to each other.
      return ['']
    case 'sequence':
      return joined(node.nodes)
    case 'group':
    case 'atomic':
      return runsOf(node.node)
    case 'repeat':
      return node.min === 0 ? ['', ''] : ['', ...runsOf(node.node), '']
    default:
      return ['', '']
  }
}

/** A loop over one array, because a pattern may have tens of thousands of parts. */
function joined(nodes: readonly Node[]): readonly string[] {
  const runs = ['']
  for (const node of nodes) {
    const [first = '', ...behind] = runsOf(node)
    runs.push((runs.pop() ?? '') + first)
    for (const run of behind) runs.push(run)
  }
  return runs
}

function longest(runs: readonly string[]): string {
  return runs.reduce((best, run) => (run.length > best.length ? run : best), '')
}
