// A pattern as a list of instructions, in the order of preference of Thompson's construction. Two engines use it: the automaton, which
// decides whether lines match, and the simulation, which finds where a match that spans lines begins and ends.

import { unreachable } from '../../core/errors.ts'
import { type Assertion, type ClassExpression, type Node } from '../regex/syntax.ts'

export type Instruction =
  /** Consumes one character of `sets[set]`. */
  | { readonly kind: 'set'; readonly set: number; next: number }
  /** Continues at `next`, or otherwise at `other`. */
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'assertion'; readonly assertion: Assertion; next: number }
  /** Records the position as the start or the end of a group: slot 2·index or 2·index + 1. */
  | { readonly kind: 'save'; readonly slot: number; next: number }
  | { readonly kind: 'match' }

export interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
  readonly sets: readonly ClassExpression[]
  /** Characters must be distinguished by whether they are word characters. */
  readonly hasWordAssertion: boolean
  /** `\r` must be distinguished from other characters. */
  readonly hasReturnAssertion: boolean
  /** Counted repetitions were expanded, so the program may be much larger than its pattern. */
  readonly hasCopies: boolean
}

/** There is one match instruction, and it is the first. */
export const matchIndex = 0

/** Expands the pattern's counted repetitions: check its size first (`sizeOf`). */
export function compileProgram(node: Node): Program {
  const build: Build = {
    instructions: [{ kind: 'match' }],
    sets: [],
    setIndexes: new Map(),
    hasWordAssertion: false,
    hasReturnAssertion: false,
    hasCopies: false,
  }
  const start = emit(build, node, matchIndex)
  const { instructions, sets, hasWordAssertion, hasReturnAssertion, hasCopies } = build
  return { instructions, start, sets, hasWordAssertion, hasReturnAssertion, hasCopies }
}

/** The approximate number of instructions in the program of `node`. */
export function sizeOf(node: Node): number {
  switch (node.kind) {
    case 'character':
    case 'class':
    case 'assertion':
      return 1
    case 'capture':
      return 2 + sizeOf(node.node)
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 0)
    case 'alternatives':
      return node.parts.reduce((sum, part) => sum + sizeOf(part) + 1, 0)
    case 'repeat': {
      const branches = node.max === undefined ? 1 : node.max - node.min
      return sizeOf(node.node) * Math.max(node.max ?? node.min, 1) + branches
    }
    default:
      return unreachable(node)
  }
}

interface Build {
  readonly instructions: Instruction[]
  readonly sets: ClassExpression[]
  readonly setIndexes: Map<string, number>
  hasWordAssertion: boolean
  hasReturnAssertion: boolean
  hasCopies: boolean
}

/** Emits `node` so that it continues at `next`; returns where it begins. Built from the end, so that every target is known. */
function emit(build: Build, node: Node, next: number): number {
  switch (node.kind) {
    case 'character':
      return emitSet(build, characterSet(node), next)
    case 'class':
      return emitSet(build, node.set, next)
    case 'assertion':
      if (node.assertion.includes('word')) build.hasWordAssertion = true
      if (node.assertion.endsWith('-crlf')) build.hasReturnAssertion = true
      return push(build, { kind: 'assertion', assertion: node.assertion, next })
    case 'capture': {
      const end = push(build, { kind: 'save', slot: node.index * 2 + 1, next })
      return push(build, { kind: 'save', slot: node.index * 2, next: emit(build, node.node, end) })
    }
    case 'sequence':
      return node.parts.reduceRight((after, part) => emit(build, part, after), next)
    case 'alternatives':
      return node.parts
        .map(part => emit(build, part, next))
        .reduceRight((other, first) => push(build, { kind: 'split', next: first, other }))
    case 'repeat':
      return emitRepeat(build, node, next)
    default:
      return unreachable(node)
  }
}

function emitRepeat(build: Build, node: Extract<Node, { kind: 'repeat' }>, next: number): number {
  // Copies of an empty node are empty: `(?:(){1000}){1000}` must not take a million steps.
  if (isEmpty(node.node)) return next
  if (node.min > 1 || (node.max ?? 0) > 1) build.hasCopies = true
  let start = next
  if (node.max === undefined) {
    // A body that may be empty must be tried once before the exit, or its preferences are lost: `(a*)*` is `((a*)+)?`.
    const isOptional = node.min === 0
    start = emitLoop(build, node, next, !isOptional || canBeEmpty(node.node))
    if (isOptional && canBeEmpty(node.node)) start = emitChoice(build, node.isGreedy, start, next)
  } else {
    for (let count = node.min; count < node.max; count++) {
      start = emitChoice(build, node.isGreedy, emit(build, node.node, start), next)
    }
  }
  for (let count = node.max === undefined ? 1 : 0; count < node.min; count++) start = emit(build, node.node, start)
  return start
}

/** A loop that starts with its body if `isEnteredAtBody`, otherwise with its choice. */
function emitLoop(build: Build, node: Extract<Node, { kind: 'repeat' }>, next: number, isEnteredAtBody: boolean): number {
  const choice: Extract<Instruction, { kind: 'split' }> = { kind: 'split', next, other: next }
  const choiceIndex = push(build, choice)
  const body = emit(build, node.node, choiceIndex)
  if (node.isGreedy) choice.next = body
  else choice.other = body
  return isEnteredAtBody ? body : choiceIndex
}

function emitChoice(build: Build, isGreedy: boolean, inside: number, outside: number): number {
  return push(build, isGreedy ? { kind: 'split', next: inside, other: outside } : { kind: 'split', next: outside, other: inside })
}

function emitSet(build: Build, set: ClassExpression, next: number): number {
  const key = JSON.stringify(set)
  let index = build.setIndexes.get(key)
  if (index === undefined) {
    index = build.sets.push(set) - 1
    build.setIndexes.set(key, index)
  }
  return push(build, { kind: 'set', set: index, next })
}

function characterSet({ codePoint, isFolded }: Extract<Node, { kind: 'character' }>): ClassExpression {
  const ranges: ClassExpression = { kind: 'ranges', ranges: [codePoint, codePoint] }
  return isFolded ? { kind: 'folded', of: ranges } : ranges
}

function push(build: Build, instruction: Instruction): number {
  return build.instructions.push(instruction) - 1
}

function isEmpty(node: Node): boolean {
  return (
    (node.kind === 'sequence' && node.parts.every(isEmpty)) || (node.kind === 'repeat' && (node.max === 0 || isEmpty(node.node)))
  )
}

function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'character':
    case 'class':
      return false
    case 'assertion':
      return true
    case 'capture':
      return canBeEmpty(node.node)
    case 'sequence':
      return node.parts.every(canBeEmpty)
    case 'alternatives':
      return node.parts.some(canBeEmpty)
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.node)
    default:
      return unreachable(node)
  }
}
