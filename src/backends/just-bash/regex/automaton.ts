// The leftmost of the longest matches, found in time that grows with the text and never faster: a set of states at a time, each set
// worked out when it is first reached.

import { isHighSurrogate } from '../../../core/surrogates.ts'
import { contains } from '../../../search/regex/code-points.ts'
import { holds, Side, sideBefore, sideOf } from './assertions.ts'
import type { Instruction, Program } from './program.ts'
import { PatternLimitError } from './syntax.ts'

interface State {
  /** Before assertions are asked. */
  readonly kernel: readonly number[]
  readonly before: Side
  /** By class of the next character. */
  readonly next: (Step | undefined)[]
}

interface Step {
  readonly state: State | undefined
  /** The pattern has matched, what was read so far. */
  readonly accepts: boolean
}

/** How far a search has come. */
interface Pass {
  at: number
  state: State
}

/** The characters that a search reads between two pauses. */
const partLength = 256 * 1024
/** The places where a match may begin that are tried between two pauses. */
const startsPerPart = 16 * 1024
const mostStates = 3000
const mostSteps = 300_000_000
// Shorter texts are searched at once.
const longTextLength = 200

export class Automaton {
  private readonly program: Program
  private readonly hasAssertions: boolean
  private readonly asciiClasses = new Uint16Array(128)
  private readonly otherClasses = new Map<number, number>()
  private readonly classKeys = new Map<string, number>()
  /** One member of each class; class 0 is the end of the text. */
  private readonly members: number[] = [-1]
  private readonly states = new Map<string, State>()
  private steps = 0

  constructor(program: Program) {
    this.program = program
    this.hasAssertions = program.instructions.some(({ op }) => op === 'assert')
    for (let codePoint = 0; codePoint < 128; codePoint++) this.asciiClasses[codePoint] = this.newClass(codePoint)
  }

  /** Start and end of the leftmost-longest match that begins at `from` or behind it. */
  find(text: string, from: number): readonly [number, number] | undefined {
    this.steps = 0
    // Whether there is a match at all is found in one pass; only then is it worth while to look where it begins.
    if (text.length - from > longTextLength && !this.hasMatch(text, from)) return undefined
    return this.seek(text, from, text.length)
  }

  /** Like `find`. Yields between parts of a long text. */
  *findInSteps(text: string, from: number): Generator<undefined, readonly [number, number] | undefined> {
    this.steps = 0
    const pass = { at: from, state: this.startAt(text, from) }
    for (let hasMatch: boolean | undefined; hasMatch === undefined;) {
      hasMatch = this.passOn(text, pass, pass.at + partLength)
      if (hasMatch === false) return undefined
      if (hasMatch === undefined) yield
    }
    for (let start = from; start <= text.length; start += startsPerPart) {
      // No match begins within a character.
      const isWithin = start > from && (text.codePointAt(start - 1) ?? 0) > 0xffff
      const found = this.seek(text, isWithin ? start + 1 : start, Math.min(text.length, start + startsPerPart - 1))
      if (found !== undefined) return found
      yield
    }
    return undefined
  }

  hasMatch(text: string, from: number): boolean {
    return this.passOn(text, { at: from, state: this.startAt(text, from) }, text.length) === true
  }

  /** Whether a match ends up to `last`; `undefined` if this is not known there. */
  private passOn(text: string, pass: Pass, last: number): boolean | undefined {
    let { at, state } = pass
    while (at <= last) {
      const codePoint = at >= text.length ? -1 : (text.codePointAt(at) ?? 0)
      const step: Step = this.stepOf(state, this.classOf(codePoint))
      if (step.accepts) return true
      if (codePoint < 0) return false
      at += codePoint > 0xffff ? 2 : 1
      // A match may begin here too.
      state = this.withStart(step.state, codePoint)
    }
    pass.at = at
    pass.state = state
    return undefined
  }

  /** The first match that begins at `from` or behind it, and not behind `last`. */
  private seek(text: string, from: number, last: number): readonly [number, number] | undefined {
    for (let start = from; start <= last; start++) {
      const end = this.longest(text, start)
      if (end >= 0) return [start, end]
      if (isHighSurrogate(text.charCodeAt(start))) start += 1
    }
    return undefined
  }

  private readonly restarts = new Map<State, State>()
  private readonly starts: (State | undefined)[] = []

  private withStart(state: State | undefined, codePoint: number): State {
    if (state === undefined) return this.startBehind(this.hasAssertions ? sideOf(codePoint) : Side.none)
    const known = this.restarts.get(state)
    if (known !== undefined) return known
    const restart = this.stateOf([...new Set([...state.kernel, 0])], state.before)
    this.restarts.set(state, restart)
    return restart
  }

  private startBehind(side: Side): State {
    return (this.starts[side] ??= this.stateOf([0], side))
  }

  private startAt(text: string, at: number): State {
    return this.startBehind(this.hasAssertions ? sideBefore(text, at) : Side.none)
  }

  /** The end of the longest match that begins at `start`, or -1. */
  private longest(text: string, start: number): number {
    let state: State | undefined = this.startAt(text, start)
    let end = -1
    for (let at = start; state !== undefined;) {
      const codePoint = at === text.length ? -1 : (text.codePointAt(at) ?? 0)
      const kind = codePoint >= 0 && codePoint < 128 ? (this.asciiClasses[codePoint] ?? 0) : this.classOf(codePoint)
      const step: Step = state.next[kind] ?? this.stepOf(state, kind)
      if (step.accepts) end = at
      if (codePoint < 0) break
      at += codePoint > 0xffff ? 2 : 1
      state = step.state
      this.steps += 1
      if (this.steps > mostSteps) throw new PatternLimitError('the pattern takes too long on this text')
    }
    return end
  }

  private classOf(codePoint: number): number {
    if (codePoint < 0) return 0
    if (codePoint < 128) return this.asciiClasses[codePoint] ?? 0
    const known = this.otherClasses.get(codePoint)
    if (known !== undefined) return known
    const made = this.newClass(codePoint)
    this.otherClasses.set(codePoint, made)
    return made
  }

  /** Characters that no set and no assertion tells apart are of one class. */
  private newClass(codePoint: number): number {
    let key = this.hasAssertions ? String(sideOf(codePoint)) : ''
    for (const instruction of this.program.instructions) {
      if (instruction.op === 'set') key += contains(instruction.set, codePoint) ? '1' : '0'
    }
    const known = this.classKeys.get(key)
    if (known !== undefined) return known
    this.members.push(codePoint)
    this.classKeys.set(key, this.members.length - 1)
    return this.members.length - 1
  }

  private stateOf(kernel: readonly number[], before: Side): State {
    const sorted = kernel.length === 1 ? kernel : kernel.toSorted((one, other) => one - other)
    const key = `${before}:${sorted.join()}`
    const known = this.states.get(key)
    if (known !== undefined) return known
    if (this.states.size >= mostStates) this.forget()
    const state: State = { kernel: sorted, before, next: [] }
    this.states.set(key, state)
    return state
  }

  private forget(): void {
    this.states.clear()
    this.restarts.clear()
    this.starts.length = 0
  }

  private stepOf(state: State, kind: number): Step {
    const known = state.next[kind]
    if (known !== undefined) return known
    const codePoint = this.members[kind] ?? -1
    const behind = codePoint < 0 ? Side.none : this.hasAssertions ? sideOf(codePoint) : Side.other
    const reached = this.closure(state.kernel, state.before, behind)
    const targets: number[] = []
    let accepts = false
    for (const index of reached) {
      const instruction = this.program.instructions[index]
      if (instruction?.op === 'match') accepts = true
      else if (instruction?.op === 'set' && codePoint >= 0 && contains(instruction.set, codePoint)) targets.push(index + 1)
    }
    this.steps += reached.length
    const before = this.hasAssertions && codePoint >= 0 ? sideOf(codePoint) : Side.none
    const step: Step = { state: targets.length === 0 ? undefined : this.stateOf(targets, before), accepts }
    state.next[kind] = step
    return step
  }

  private closure(kernel: readonly number[], before: Side, behind: Side): readonly number[] {
    const seen = new Set<number>()
    const pending = [...kernel]
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (seen.has(index)) continue
      seen.add(index)
      const instruction: Instruction | undefined = this.program.instructions[index]
      if (instruction === undefined) continue
      if (instruction.op === 'jump') pending.push(instruction.to)
      else if (instruction.op === 'split') pending.push(instruction.first, instruction.second)
      else if (instruction.op === 'save' || instruction.op === 'mark' || instruction.op === 'progress') pending.push(index + 1)
      else if (instruction.op === 'assert' && holds(instruction.assertion, before, behind)) pending.push(index + 1)
    }
    return [...seen]
  }
}
