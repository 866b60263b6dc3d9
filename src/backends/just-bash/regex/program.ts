// A pattern as instructions for the two machines that run it: the automaton (automaton.ts) and the backtracker (backtracker.ts).

import { unreachable } from '../../../core/errors.ts'
import type { CharacterSet } from './character-set.ts'
import { groupIn } from './groups.ts'
import { lengthsOf, type Lengths } from './lengths.ts'
import { empty, PatternError, type Assertion, type Cut, type Look, type Node } from './syntax.ts'

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
  /** Bodies stand behind their instruction and end with `match`; `past` is what follows them. */
  | {
      readonly op: 'look'
      readonly isBehind: boolean
      readonly isNegative: boolean
      readonly bodies: readonly Body[]
      /** A look behind of several lengths: in PCRE2, the text ends for it where it does. */
      readonly endsText: boolean
      readonly past: number
      /** Where a condition goes on that does not hold; -1: it fails. */
      readonly otherwise: number
    }
  | { readonly op: 'atomic'; readonly past: number }
  | { readonly op: 'call'; readonly index: number; readonly to: number }
  /** The end of a group that is called. */
  | { readonly op: 'return' }
  | { readonly op: 'has-group'; readonly index: number; readonly otherwise: number }
  | { readonly op: 'in-call'; readonly index: number | undefined; readonly otherwise: number }
  | { readonly op: 'accept' }
  | { readonly op: 'cut'; readonly next: Cut }
  | { readonly op: 'cluster' }
  | { readonly op: 'match' }

/** What a look asks for, and how many characters that takes: where a look behind begins. */
export interface Body {
  readonly entry: number
  readonly lengths: Lengths
}

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
  const builder = new Builder(node, (groupCount + 1) * 2, isPerl)
  builder.add(node)
  builder.push({ op: 'match' })
  builder.addCalled()
  return builder.finish()
}

class Builder {
  private readonly instructions: Instruction[] = []
  private readonly root: Node
  private slotCount: number
  private readonly isPerl: boolean
  private needsBacktracking = false
  /** Where groups are called, whose code has no place yet. */
  private readonly calls: number[] = []
  private readonly openGroups: number[] = []

  constructor(root: Node, slotCount: number, isPerl: boolean) {
    this.root = root
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
        this.openGroups.push(node.index)
        this.add(node.node)
        this.openGroups.pop()
        this.push({ op: 'save', slot: node.index * 2 + 1 })
        return
      case 'repeat':
        if (node.mode === 'possessive') this.addAtomic({ ...node, mode: 'greedy' })
        else this.addRepeat(node.node, node.min, node.max, node.mode === 'lazy')
        return
      case 'backreference':
        this.needsBacktracking = true
        this.push({ op: 'backreference', index: node.index, ignoresCase: node.ignoresCase })
        return
      case 'look':
        this.addLook(node)
        return
      case 'atomic':
        this.addAtomic(node.node)
        return
      case 'keep-out':
        this.needsBacktracking = true
        this.push({ op: 'save', slot: 0 })
        return
      case 'call':
        this.needsBacktracking = true
        this.calls.push(this.push({ op: 'call', index: node.index, to: 0 }))
        return
      case 'conditional':
        this.addConditional(node)
        return
      case 'accept':
        this.needsBacktracking = true
        for (const index of this.openGroups) this.push({ op: 'save', slot: index * 2 + 1 })
        this.push({ op: 'accept' })
        return
      case 'cut':
        this.needsBacktracking = true
        this.push({ op: 'cut', next: node.next })
        return
      case 'cluster':
        this.needsBacktracking = true
        this.push({ op: 'cluster' })
        return
      default:
        unreachable(node)
    }
  }

  /** The code of each group that is called from anywhere. */
  addCalled(): void {
    const entries = new Map<number, number>()
    for (let call = this.calls.pop(); call !== undefined; call = this.calls.pop()) {
      const instruction = this.instructions[call]
      if (instruction?.op !== 'call') continue
      let to = entries.get(instruction.index)
      if (to === undefined) {
        to = this.next
        entries.set(instruction.index, to)
        this.add(instruction.index === 0 ? this.root : (groupIn(this.root, instruction.index) ?? empty))
        this.push({ op: 'return' })
      }
      this.instructions[call] = { ...instruction, to }
    }
  }

  private addAtomic(node: Node): void {
    this.needsBacktracking = true
    const at = this.push({ op: 'match' })
    this.add(node)
    this.push({ op: 'match' })
    this.push({ op: 'accept' })
    this.instructions[at] = { op: 'atomic', past: this.next }
  }

  /** Its place. Ways of a look behind are tried one after the other, each from its own beginnings. */
  private addLook({ isBehind, isNegative, node }: Look): number {
    this.needsBacktracking = true
    const at = this.push({ op: 'match' })
    const bodies = (isBehind && node.kind === 'alternation' ? node.nodes : [node]).map(body => {
      const entry = this.next
      this.add(body)
      this.push({ op: 'match' })
      return { entry, lengths: lengthsOf(body, index => groupIn(this.root, index)) }
    })
    const endsText = isBehind && bodies.some(({ lengths }) => lengths.min !== lengths.max)
    this.instructions[at] = { op: 'look', isBehind, isNegative, bodies, endsText, past: this.next, otherwise: -1 }
    return at
  }

  private addConditional({ condition, yes, no }: Node & { readonly kind: 'conditional' }): void {
    if (condition.kind === 'never') return
    this.needsBacktracking = true
    const at =
      condition.kind === 'look'
        ? this.addLook(condition)
        : this.push(
            condition.kind === 'in-call'
              ? { op: 'in-call', index: condition.index, otherwise: 0 }
              : { op: 'has-group', index: condition.index, otherwise: 0 },
          )
    this.add(yes)
    const jump = this.push({ op: 'jump', to: 0 })
    const asked = this.instructions[at]
    if (asked !== undefined && 'otherwise' in asked) this.instructions[at] = { ...asked, otherwise: this.next }
    this.add(no)
    this.instructions[jump] = { op: 'jump', to: this.next }
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
    case 'cluster':
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
