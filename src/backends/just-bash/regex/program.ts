// A pattern as instructions for the two machines that run it: the automaton (automaton.ts) and the backtracker (backtracker.ts).

import { unreachable } from '../../../core/errors.ts'
import type { CharacterSet } from './character-set.ts'
import { lengthsOf, type Lengths } from './lengths.ts'
import { PatternError, type Assertion, type Node } from './syntax.ts'

export type Instruction =
  | { readonly op: 'set'; readonly set: CharacterSet }
  /** Both ways are possible; `first` is tried first. */
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'backreference'; readonly index: number; readonly ignoresCase: boolean }
  /** Remembers where a turn of a loop begins; one that takes nothing is not made. */
  | { readonly op: 'mark'; readonly slot: number }
  /** For a turn that takes nothing: it fails, or with `past` it ends the loop. */
  | { readonly op: 'progress'; readonly slot: number; readonly past: number | undefined }
  | {
      readonly op: 'look'
      readonly isBehind: boolean
      readonly isNegative: boolean
      readonly body: Program
      /** How many characters the body takes: where a look behind begins. */
      readonly lengths: Lengths
    }
  | { readonly op: 'atomic'; readonly body: Program }
  | { readonly op: 'keep-out' }
  | { readonly op: 'match' }

export interface Program {
  readonly instructions: readonly Instruction[]
  /** Two for each group and for the whole match, then one for each loop. */
  readonly slotCount: number
  /** Only the backtracker can run it. */
  readonly needsBacktracking: boolean
}

const mostInstructions = 60_000

/** `isPerl`: a turn of a loop that takes nothing counts, and is the last one. */
export function compile(node: Node, groupCount: number, isPerl = false): Program {
  const builder = new Builder((groupCount + 1) * 2, isPerl)
  builder.add(node)
  builder.push({ op: 'match' })
  return builder.finish()
}

class Builder {
  private readonly instructions: Instruction[] = []
  private slotCount: number
  private readonly isPerl: boolean
  private needsBacktracking = false

  constructor(slotCount: number, isPerl: boolean) {
    this.slotCount = slotCount
    this.isPerl = isPerl
  }

  finish(): Program {
    return { instructions: this.instructions, slotCount: this.slotCount, needsBacktracking: this.needsBacktracking }
  }

  push(instruction: Instruction): number {
    if (this.instructions.length >= mostInstructions) throw new PatternError('Regular expression too big')
    return this.instructions.push(instruction) - 1
  }

  private get next(): number {
    return this.instructions.length
  }

  add(node: Node): void {
    switch (node.kind) {
      case 'empty':
        return
      case 'set':
        this.push({ op: 'set', set: node.set })
        return
      case 'assertion':
        this.push({ op: 'assert', assertion: node.assertion })
        return
      case 'sequence':
        for (const part of node.nodes) this.add(part)
        return
      case 'alternation':
        this.addAlternation(node.nodes)
        return
      case 'group':
        this.push({ op: 'save', slot: node.index * 2 })
        this.add(node.node)
        this.push({ op: 'save', slot: node.index * 2 + 1 })
        return
      case 'repeat':
        if (node.mode === 'possessive') this.addInner('atomic', { ...node, mode: 'greedy' })
        else this.addRepeat(node.node, node.min, node.max, node.mode === 'lazy')
        return
      case 'backreference':
        this.needsBacktracking = true
        this.push({ op: 'backreference', index: node.index, ignoresCase: node.ignoresCase })
        return
      case 'look':
        this.needsBacktracking = true
        this.push({
          op: 'look',
          isBehind: node.isBehind,
          isNegative: node.isNegative,
          body: this.inner(node.node),
          lengths: lengthsOf(node.node),
        })
        return
      case 'atomic':
        this.addInner('atomic', node.node)
        return
      case 'keep-out':
        this.needsBacktracking = true
        this.push({ op: 'keep-out' })
        return
      default:
        unreachable(node)
    }
  }

  private addInner(op: 'atomic', node: Node): void {
    this.needsBacktracking = true
    this.push({ op, body: this.inner(node) })
  }

  /** A program that shares the slots. */
  private inner(node: Node): Program {
    const builder = new Builder(this.slotCount, this.isPerl)
    builder.add(node)
    builder.push({ op: 'match' })
    const program = builder.finish()
    this.slotCount = program.slotCount
    return program
  }

  private addAlternation(nodes: readonly Node[]): void {
    const jumps: number[] = []
    for (const [index, node] of nodes.entries()) {
      if (index === nodes.length - 1) {
        this.add(node)
        continue
      }
      const split = this.push({ op: 'split', first: this.next + 1, second: 0 })
      this.add(node)
      jumps.push(this.push({ op: 'jump', to: 0 }))
      this.instructions[split] = { op: 'split', first: split + 1, second: this.next }
    }
    for (const jump of jumps) this.instructions[jump] = { op: 'jump', to: this.next }
  }

  private addRepeat(node: Node, min: number, max: number, isLazy: boolean): void {
    for (let count = 0; count < min; count++) this.add(node)
    const split = (at: number, into: number, past: number): void => {
      this.instructions[at] = isLazy ? { op: 'split', first: past, second: into } : { op: 'split', first: into, second: past }
    }
    if (max === Number.POSITIVE_INFINITY) {
      const slot = canBeEmpty(node) ? this.slotCount++ : -1
      const begin = this.push({ op: 'jump', to: 0 })
      if (slot >= 0) this.push({ op: 'mark', slot })
      this.add(node)
      if (slot >= 0) this.push({ op: 'progress', slot, past: this.isPerl ? this.next + 2 : undefined })
      this.push({ op: 'jump', to: begin })
      split(begin, begin + 1, this.next)
      return
    }
    const splits: number[] = []
    const slot = !this.isPerl && canBeEmpty(node) && max > min ? this.slotCount++ : -1
    for (let count = min; count < max; count++) {
      splits.push(this.push({ op: 'jump', to: 0 }))
      if (slot >= 0) this.push({ op: 'mark', slot })
      this.add(node)
      if (slot >= 0) this.push({ op: 'progress', slot, past: undefined })
    }
    for (const at of splits) split(at, at + 1, this.next)
  }
}

export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return false
    case 'sequence':
      return node.nodes.every(canBeEmpty)
    case 'alternation':
      return node.nodes.some(canBeEmpty)
    case 'group':
    case 'atomic':
      return canBeEmpty(node.node)
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.node)
    default:
      return true
  }
}
