// The next commit to test: the one whose answer leaves the fewest commits, chosen as git chooses it.

import type { ObjectId } from '../store/object-format.ts'

export interface BisectedCommit {
  readonly oid: ObjectId
  readonly parents: readonly ObjectId[]
}

export interface Bisection {
  /** The commit to test; `undefined` if none is left. */
  readonly next: ObjectId | undefined
  readonly skipped: readonly ObjectId[]
  /** The number of commits that `next` reaches, including itself. */
  readonly reaches: number
}

interface Node {
  readonly oid: ObjectId
  readonly parents: readonly Node[]
  weight: number
}

const unknown = -1

/** `commits`: newest first, the bad one among them. */
export function bisect(
  commits: readonly BisectedCommit[],
  bad: ObjectId,
  skipped: ReadonlySet<ObjectId>,
  firstParent: boolean,
): Bisection {
  const nodes = linked(commits, firstParent)
  if (nodes.length === 0) return { next: undefined, skipped: [], reaches: 0 }
  const half = weigh(nodes, skipped.size === 0)
  if (skipped.size === 0) {
    const best = half ?? farthest(nodes)
    return { next: best?.oid, skipped: [], reaches: best?.weight ?? 0 }
  }
  const distance = ({ weight }: Node): number => Math.min(weight, nodes.length - weight)
  const sorted = nodes.toSorted((a, b) => distance(b) - distance(a) || (a.oid < b.oid ? -1 : 1))
  const reaches = sorted[0]?.weight ?? 0
  const [first] = sorted
  if (first !== undefined && !skipped.has(first.oid)) return { next: first.oid, skipped: [], reaches }
  const open = sorted.filter(({ oid }) => !skipped.has(oid))
  const passed = sorted.filter(({ oid }) => skipped.has(oid)).map(({ oid }) => oid)
  return { next: aside(open, bad)?.oid, skipped: passed, reaches }
}

/** Oldest first, with parents as nodes. */
function linked(commits: readonly BisectedCommit[], firstParent: boolean): readonly Node[] {
  const byId = new Map<ObjectId, Node & { parents: Node[] }>()
  for (const { oid } of commits) byId.set(oid, { oid, parents: [], weight: unknown })
  for (const { oid, parents } of commits) {
    const wanted = firstParent ? parents.slice(0, 1) : parents
    byId.get(oid)?.parents.push(...wanted.flatMap(parent => byId.get(parent) ?? []))
  }
  return [...byId.values()].toReversed()
}

/** Gives each node the number of commits that it reaches. With `stops`, stops at a node that halves them and returns it. */
function weigh(nodes: readonly Node[], stops: boolean): Node | undefined {
  const count = nodes.length
  let weighed = 0
  for (const node of nodes) {
    if (node.parents.length > 0) continue
    node.weight = 1
    weighed++
  }
  for (const node of nodes) {
    if (node.parents.length < 2) continue
    node.weight = reachedFrom(node)
    if (stops && halves(node, count)) return node
    weighed++
  }
  while (weighed < count) {
    for (const node of nodes) {
      if (node.weight !== unknown) continue
      const known = node.parents.find(({ weight }) => weight !== unknown)
      if (known === undefined) continue
      node.weight = known.weight + 1
      weighed++
      if (stops && halves(node, count)) return node
    }
  }
  return undefined
}

function reachedFrom(start: Node): number {
  const seen = new Set<Node>([start])
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const parent of node.parents) {
      if (seen.has(parent)) continue
      seen.add(parent)
      open.push(parent)
    }
  }
  return seen.size
}

function halves({ weight }: Node, count: number): boolean {
  const difference = 2 * weight - count
  return Math.abs(difference) <= 1 || (count > 1024 && Math.abs(difference) < count / 1024)
}

function farthest(nodes: readonly Node[]): Node | undefined {
  let best: Node | undefined
  let distance = -1
  for (const node of nodes) {
    const own = Math.min(node.weight, nodes.length - node.weight)
    if (own <= distance) continue
    best = node
    distance = own
  }
  return best
}

const randomModulus = 32_768

/** A commit at some distance from those that cannot be tested, chosen by git's own pseudorandom number. */
function aside(open: readonly Node[], bad: ObjectId): Node | undefined {
  const count = open.length
  const number = Math.floor((Math.imul(count, 1_103_515_245) + 12_345) / 65_536) % randomModulus
  const positive = (number + randomModulus) % randomModulus
  const index = Math.floor(
    (Math.floor((count * positive) / randomModulus) * Math.floor(Math.sqrt(positive))) / Math.floor(Math.sqrt(randomModulus)),
  )
  const chosen = open[index]
  if (chosen === undefined) return open[0]
  return chosen.oid === bad ? (open[index - 1] ?? open[0]) : chosen
}

/** About how many more answers are needed. */
export function stepsLeft(count: number): number {
  if (count < 3) return 0
  const bits = Math.floor(Math.log2(count))
  const power = 2 ** bits
  return power < 3 * (count - power) ? bits : bits - 1
}
