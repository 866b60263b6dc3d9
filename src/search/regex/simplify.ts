// Makes a smaller pattern for the same lines. Only whether a line contains a match counts, so preferences between matches are dropped,
// nested repetitions are merged, and a repetition at either end is repeated no more than necessary. This makes most patterns small that are
// designed to stall an engine. The rules are those of Kleene algebra with tests, so assertions keep their meaning.

import { allCodePoints, type CodePointSet, maxCodePoint, newline, union } from './code-points.ts'
import { type ClassExpression, empty, type Node } from './syntax.ts'

type Repeat = Extract<Node, { kind: 'repeat' }>

/** For patterns that are applied to single lines. */
export function simplifyForLines(node: Node): Node {
  return trimmed(trimmed(simplify(node), 'start'), 'end')
}

function simplify(node: Node): Node {
  switch (node.kind) {
    case 'sequence':
      return sequenceOf(node.parts.map(simplify))
    case 'alternatives':
      return alternativesOf(node.parts.map(simplify))
    case 'capture':
      return simplify(node.node)
    case 'repeat':
      return repeatOf(simplify(node.node), node.min, node.max)
    case 'character':
    case 'class':
    case 'assertion':
      return node
  }
}

function isEmpty(node: Node): boolean {
  return node.kind === 'sequence' && node.parts.length === 0
}

/** Whether it matches the empty text everywhere; an assertion does so only where it holds. */
function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'sequence':
      return node.parts.every(isNullable)
    case 'alternatives':
      return node.parts.some(isNullable)
    case 'capture':
      return isNullable(node.node)
    case 'repeat':
      return node.min === 0 || isNullable(node.node)
    case 'character':
    case 'class':
    case 'assertion':
      return false
  }
}

function isSame(left: Node, right: Node): boolean {
  return left === right || (left.kind === right.kind && JSON.stringify(left) === JSON.stringify(right))
}

function sequenceOf(given: readonly Node[]): Node {
  // A text of thousands of characters is a sequence too.
  if (given.length > 1 && given.every(({ kind }) => kind !== 'sequence' && kind !== 'repeat'))
    return { kind: 'sequence', parts: given }
  const parts: Node[] = []
  for (const part of given.flatMap(each => (each.kind === 'sequence' ? each.parts : [each]))) {
    const last = parts.at(-1)
    const merged = last === undefined ? undefined : mergedRepeats(last, part)
    if (merged === undefined) parts.push(part)
    else parts[parts.length - 1] = merged
  }
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts }
}

/** `x{a,b}x{c,d}` is `x{a+c,b+d}`. */
function mergedRepeats(left: Node, right: Node): Node | undefined {
  if (left.kind !== 'repeat' && right.kind !== 'repeat') return undefined
  const first = asRepeat(left)
  const second = asRepeat(right)
  if (!isSame(first.node, second.node)) return undefined
  const max = first.max === undefined || second.max === undefined ? undefined : first.max + second.max
  return repeat(first.node, first.min + second.min, max)
}

function asRepeat(node: Node): Repeat {
  return node.kind === 'repeat' ? node : repeat(node, 1, 1)
}

function repeat(node: Node, min: number, max: number | undefined): Repeat {
  return { kind: 'repeat', node, min, max, isGreedy: true }
}

function alternativesOf(given: readonly Node[]): Node {
  const parts = unique(given.flatMap(part => (part.kind === 'alternatives' ? part.parts : [part])))
  const kept = new Map<string, Node>()
  const sets: ClassExpression[] = []
  for (const part of parts) {
    const set = setOf(part)
    if (set !== undefined) {
      // Alternatives of single characters are one class, at the position of the first.
      if (sets.length === 0) kept.set('class', part)
      sets.push(set)
    } else if (!isEmpty(part)) kept.set(JSON.stringify(part), part)
  }
  if (sets.length > 1) kept.set('class', { kind: 'class', set: unionOf(sets) })
  // An alternative that `.+` covers adds nothing, unless it contains an assertion.
  const widest = [...kept.values()].find(
    part => part.kind === 'repeat' && part.max === undefined && part.min <= 1 && isAny(part.node),
  )
  if (widest !== undefined) {
    for (const [key, part] of kept) if (part !== widest && !isNullable(part) && !mustStay(part)) kept.delete(key)
  }
  const [only, ...others] = kept.values()
  if (only === undefined) return empty
  const all: Node = others.length === 0 ? only : { kind: 'alternatives', parts: [...kept.values()] }
  return parts.some(isEmpty) ? repeatOf(all, 0, 1) : all
}

function unique(nodes: readonly Node[]): readonly Node[] {
  return [...new Map(nodes.map(node => [JSON.stringify(node), node])).values()]
}

function setOf(node: Node): ClassExpression | undefined {
  if (node.kind === 'class') return node.set
  if (node.kind !== 'character') return undefined
  const ranges: ClassExpression = { kind: 'ranges', ranges: [node.codePoint, node.codePoint] }
  return node.isFolded ? { kind: 'folded', of: ranges } : ranges
}

function unionOf(sets: readonly ClassExpression[]): ClassExpression {
  const plain: CodePointSet[] = []
  const others = new Map<string, ClassExpression>()
  for (const set of sets) {
    if (set.kind === 'ranges') plain.push(set.ranges)
    else others.set(JSON.stringify(set), set)
  }
  if (plain.length > 0) others.set('', { kind: 'ranges', ranges: union(...plain) })
  const [only, ...rest] = others.values()
  return only !== undefined && rest.length === 0 ? only : { kind: 'union', of: [...others.values()] }
}

/** `node` is already simplified. */
function repeatOf(node: Node, min: number, max: number | undefined): Node {
  if (isEmpty(node) || max === 0) return empty
  if (isNullable(node)) {
    const loose = max === undefined ? loosened(node, 0) : undefined
    if (loose !== undefined) return repeatOf(loose, 0, max)
    const rest = withoutEmpty(node)
    return rest === undefined ? empty : repeatNonEmpty(rest, 0, max)
  }
  return repeatNonEmpty(node, min, max)
}

function repeatNonEmpty(given: Node, min: number, max: number | undefined): Node {
  if (min === 1 && max === 1) return given
  const node = given.kind === 'alternatives' ? factored(given.parts) : given
  if (max === undefined) {
    const loose = loosened(node, min)
    if (loose !== undefined) return repeatOf(loose, min, max)
  }
  if (node.kind === 'repeat') {
    const merged = productOf(node, min, max)
    if (merged !== undefined) return merged
  }
  return repeat(node, min, max)
}

/** Alternatives with a common beginning are factored: `ab|ac` is `a(b|c)`. */
function factored(parts: readonly Node[]): Node {
  const byHead = new Map<string, { readonly head: Node; readonly tails: Node[] }>()
  for (const part of parts) {
    const [head = empty, ...tail] = part.kind === 'sequence' ? part.parts : [part]
    const key = JSON.stringify(head)
    const group = byHead.get(key)
    if (group === undefined) byHead.set(key, { head, tails: [sequenceOf(tail)] })
    else group.tails.push(sequenceOf(tail))
  }
  if (byHead.size === parts.length) return alternativesOf(parts)
  return alternativesOf([...byHead.values()].map(({ head, tails }) => sequenceOf([head, alternativesOf(tails)])))
}

/** `(x{a,b}){c,d}` is `x{ac,bd}` if the counts leave no gap. */
function productOf(inner: Repeat, min: number, max: number | undefined): Node | undefined {
  const least = inner.min
  const most = inner.max ?? Infinity
  const isWithoutGap = min === max || (min === 0 ? least <= 1 : (min + 1) * least <= min * most + 1)
  if (!isWithoutGap) return undefined
  const total = max === undefined || inner.max === undefined ? undefined : inner.max * max
  return repeat(inner.node, least * min, total)
}

/** The same without the empty match; `undefined` if nothing is left. */
function withoutEmpty(node: Node): Node | undefined {
  if (isEmpty(node)) return undefined
  if (node.kind === 'repeat' && node.min === 0) return node.max === 1 ? node.node : repeat(node.node, 1, node.max)
  if (node.kind === 'alternatives') {
    const parts = node.parts.map(withoutEmpty).filter(part => part !== undefined)
    return parts.length === 0 ? undefined : alternativesOf(parts)
  }
  // `x*y*` is `x+y*` or `y+`. Expanded for few parts only, because each part is repeated as often as there are parts before it.
  if (node.kind === 'sequence' && node.parts.length <= maxSplitParts && node.parts.every(isNullable)) {
    const parts = node.parts.map((part, index) => {
      const rest = withoutEmpty(part)
      return rest === undefined ? undefined : sequenceOf([rest, ...node.parts.slice(index + 1)])
    })
    return alternativesOf(parts.filter(part => part !== undefined))
  }
  return node
}

const maxSplitParts = 4

/** A simpler node that may replace `node` in an unlimited repetition; `undefined` if there is none. */
function loosened(node: Node, min: number): Node | undefined {
  if (node.kind === 'sequence' && min === 0 && node.parts.length > 1 && node.parts.every(isNullable)) {
    return alternativesOf(node.parts)
  }
  if (node.kind !== 'alternatives') return undefined
  const isRepeated = (part: Node): part is Repeat => part.kind === 'repeat' && part.min <= 1
  if (node.parts.some(isRepeated)) return alternativesOf(node.parts.map(part => (isRepeated(part) ? part.node : part)))
  // A part that any character covers adds nothing, unless it contains an assertion.
  const any = node.parts.find(isAny)
  if (any === undefined) return undefined
  const others = node.parts.filter(part => part === any || mustStay(part))
  return others.length === node.parts.length ? undefined : alternativesOf(others)
}

function isAny(node: Node): boolean {
  return node.kind === 'class' && isAnySet(node.set)
}

/** A line contains no line feed, so it does not matter whether the set does. */
function isAnySet(set: ClassExpression): boolean {
  switch (set.kind) {
    case 'ranges':
      return set.ranges.length === allCodePoints.length && set.ranges.every((bound, index) => bound === allCodePoints[index])
    case 'not':
      return (
        set.of.kind === 'ranges' &&
        set.of.ranges.length === newline.length &&
        set.of.ranges.every((bound, index) => bound === newline[index])
      )
    case 'union':
      return set.of.some(isAnySet)
    default:
      return false
  }
}

/** Whether it contains an assertion, or matches an invalid byte, which not even `.` covers. */
function mustStay(node: Node): boolean {
  switch (node.kind) {
    case 'assertion':
      return true
    case 'sequence':
    case 'alternatives':
      return node.parts.some(mustStay)
    case 'capture':
    case 'repeat':
      return mustStay(node.node)
    case 'class':
      return mayHoldBytes(node.set)
    case 'character':
      return false
  }
}

function mayHoldBytes(set: ClassExpression): boolean {
  switch (set.kind) {
    case 'ranges':
      return (set.ranges.at(-1) ?? 0) > maxCodePoint
    case 'named':
    case 'not':
      return false
    case 'folded':
    case 'ascii-folded':
      return mayHoldBytes(set.of)
    case 'union':
      return set.of.some(mayHoldBytes)
    case 'intersection':
    case 'difference':
    case 'symmetric-difference':
      return mayHoldBytes(set.left) || mayHoldBytes(set.right)
  }
}

/** Removes what is not needed at one side: a match that begins later, or ends earlier, is also a match of the line. */
function trimmed(node: Node, side: 'start' | 'end'): Node {
  switch (node.kind) {
    case 'sequence': {
      const parts = [...node.parts]
      while (parts.length > 0) {
        const index = side === 'start' ? 0 : parts.length - 1
        const outer = trimmed(parts[index] ?? empty, side)
        if (!isEmpty(outer)) {
          parts[index] = outer
          break
        }
        parts.splice(index, 1)
      }
      return sequenceOf(parts)
    }
    case 'alternatives': {
      const parts = node.parts.map(part => trimmed(part, side))
      return parts.some(isNullable) ? empty : alternativesOf(parts)
    }
    case 'capture':
      return trimmed(node.node, side)
    case 'repeat':
      if (node.min === 0) return empty
      return node.min === 1 ? trimmed(node.node, side) : repeat(node.node, node.min, node.min)
    case 'character':
    case 'class':
    case 'assertion':
      return node
  }
}
