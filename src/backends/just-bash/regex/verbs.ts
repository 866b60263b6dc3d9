// Perl's verbs where PCRE2, as it is compiled, does not do what its manual says: it passes over places where it expects no match.

import { intersects, setOf } from './character-set.ts'
import { canBeEmpty } from './program.ts'
import { PatternError, type Node } from './syntax.ts'

/** Throws `PatternError` for a verb whose effect depends on such places. */
export function checkVerbs(root: Node): void {
  if (commitsFirst(root)) throw new PatternError('(*COMMIT) before the first character is not available here')
  if (hasOtherWays(root) && cutsRun(root))
    throw new PatternError('(*PRUNE) or (*SKIP) behind a repetition is not available here beside another way')
}

/** Whether a `(*COMMIT)` may come before any character. */
function commitsFirst(node: Node): boolean {
  if (node.kind === 'cut') return node.next === 'nowhere'
  if (node.kind !== 'sequence') return partsOf(node).some(commitsFirst)
  const first = node.nodes.findIndex(part => !canBeEmpty(part))
  return node.nodes.slice(0, first < 0 ? undefined : first + 1).some(commitsFirst)
}

/** Whether a verb moves the next beginning into a run of characters, of which PCRE2 knows the end. */
function cutsRun(node: Node): boolean {
  if (node.kind !== 'sequence') return partsOf(node).some(cutsRun)
  const { nodes } = node
  return nodes.some((part, index) => {
    if (cutsRun(part)) return true
    const before = nodes.slice(0, index)
    if (part.kind !== 'cut' || part.next === 'nowhere' || !before.some(hasRun)) return false
    return part.next === 'further' || before.some((run, at) => hasRun(run) && mayGiveBack(run, before[at + 1]))
  })
}

/** Whether a run may end before the last character that it has tried, for what follows it. */
function mayGiveBack(run: Node, next: Node | undefined): boolean {
  if (next === undefined) return false
  if (run.kind !== 'repeat' || run.node.kind !== 'set') return true
  const { set } = run.node
  if (next.kind === 'assertion' && next.assertion === 'line-end') return intersects(set, newline)
  return next.kind !== 'set' || (run.mode === 'greedy' && intersects(set, next.set))
}

const newline = setOf(10)

function hasRun(node: Node): boolean {
  return (node.kind === 'repeat' && node.node.kind === 'set' && node.max > 1) || partsOf(node).some(hasRun)
}

function hasOtherWays(node: Node): boolean {
  const isOptional = node.kind === 'repeat' && node.node.kind !== 'set' && node.min === 0
  return isOptional || node.kind === 'alternation' || node.kind === 'conditional' || partsOf(node).some(hasOtherWays)
}

function partsOf(node: Node): readonly Node[] {
  if ('nodes' in node) return node.nodes
  return node.kind === 'conditional' ? [node.yes, node.no] : 'node' in node ? [node.node] : []
}
