// Alternatives of a pattern whose longest match counts, so that their order has no effect. Those that begin with the same characters
// share them. So the automaton of thousands of words tries one branch for each next character, not one for each word.

import { type Node, sequence } from './syntax.ts'

/** Alternatives that are nested more deeply share nothing, so that compiling them needs little stack. */
const maxDepth = 100

/** Must not have groups, which are numbered by their order. */
export function eitherOf(nodes: readonly Node[]): Node {
  const rows = nodes.map(node => (node.kind === 'sequence' ? node.nodes : node.kind === 'empty' ? [] : [node]))
  return alternatives(rows, 0, maxDepth)
}

type Row = readonly Node[]

/** What the rows have from `from` on. */
function alternatives(rows: readonly Row[], from: number, depth: number): Node {
  const branches: Node[] = []
  for (const group of depth === 0 ? rows.map(row => [row]) : groupsAt(rows, from)) {
    const [first = []] = group
    const to = group.length === 1 ? first.length : sharedEnd(group, from + 1)
    const rest = group.length === 1 ? [] : [alternatives(group, to, depth - 1)]
    branches.push(sequence([...first.slice(from, to), ...rest]))
  }
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { kind: 'alternation', nodes: branches }
}

/** Rows with the same character at `at` are in one group. A row with anything else there is a group alone. */
function groupsAt(rows: readonly Row[], at: number): readonly Row[][] {
  const groups: Row[][] = []
  const known = new Map<string, Row[]>()
  for (const row of rows) {
    const key = characterAt(row, at)
    const group = key === undefined ? undefined : known.get(key)
    if (group !== undefined) {
      group.push(row)
      continue
    }
    const begun = [row]
    groups.push(begun)
    if (key !== undefined) known.set(key, begun)
  }
  return groups
}

/** The first position from `from` on where the rows differ, or have something else than characters. */
function sharedEnd(rows: readonly Row[], from: number): number {
  const [first = []] = rows
  let to = from
  for (; ; to++) {
    const key = characterAt(first, to)
    if (key === undefined || !rows.every(row => characterAt(row, to) === key)) return to
  }
}

function characterAt(row: Row, at: number): string | undefined {
  const node = row[at]
  return node?.kind === 'set' ? node.set.join() : undefined
}
