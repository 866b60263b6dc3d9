// Tries the ways of a pattern one after the other: for what an automaton cannot tell (where groups matched, references back to them,
// look-around) and for Perl's patterns, where the first way counts. It is bounded.

import { contains } from '../../../search/regex/code-points.ts'
import { otherCases } from './character-set.ts'
import { holds, sideBefore, sideBehind } from './assertions.ts'
import type { Instruction, Program } from './program.ts'
import { PatternLimitError } from './syntax.ts'

const mostSteps = 20_000_000

/** Places of groups as pairs of start and end, -1 where one took no part; the whole match first. */
export type Places = number[]

export class Backtracker {
  private readonly text: string
  private slots: Places
  private steps = 0
  private keptFrom = -1
  private readonly maxSteps: number

  constructor(text: string, program: Program, maxSteps: number = mostSteps) {
    this.text = text
    this.slots = Array.from({ length: program.slotCount }, () => -1)
    this.maxSteps = maxSteps
  }

  /** The places of the first way that leads from `start` to `end`. An automaton has found that there is one. */
  placesBetween(program: Program, start: number, end: number): Places | undefined {
    // A place once left without success hardly ever succeeds: only a loop's turn that took nothing may be told apart from others.
    if (this.run(program, start, end, new Set()) < 0 && this.run(program, start, end) < 0) return undefined
    return this.result(start, end)
  }

  /** The places of the longest way that begins at `start`. */
  longestFrom(program: Program, start: number): Places | undefined {
    let best: Places | undefined
    let bestEnd = -1
    this.run(program, start, -1, undefined, end => {
      if (end > bestEnd) {
        bestEnd = end
        best = this.result(start, end)
      }
      return end < this.text.length
    })
    return best
  }

  /** The places of the first way that begins at `start`, as Perl has it. */
  firstFrom(program: Program, start: number): Places | undefined {
    this.slots.fill(-1)
    this.keptFrom = -1
    const end = this.run(program, start, -1)
    return end < 0 ? undefined : this.result(this.keptFrom < 0 ? start : this.keptFrom, end)
  }

  private result(start: number, end: number): Places {
    const places = this.slots.slice()
    places[0] = start
    places[1] = end
    return places
  }

  /** The end of the first way from `start` that ends at `requiredEnd` (anywhere: -1) and that `wantsMore` is satisfied with; else -1. */
  private run(
    program: Program,
    start: number,
    requiredEnd: number,
    failed?: Set<number>,
    wantsMore?: (end: number) => boolean,
  ): number {
    const { text } = this
    const { instructions } = program
    // Places to go back to, each with what the slots were: undo records have a slot number and are -1 - slot.
    const stack: number[] = []
    let counter = 0
    let at = start
    for (;;) {
      let isStuck = false
      this.steps += 1
      if (this.steps > this.maxSteps) throw new PatternLimitError('the pattern takes too long on this text')
      const instruction = instructions[counter]
      if (instruction === undefined) throw new Error('unreachable: a program ends with match')
      switch (instruction.op) {
        case 'set': {
          const codePoint = at < text.length ? (text.codePointAt(at) ?? 0) : -1
          if (codePoint >= 0 && contains(instruction.set, codePoint)) {
            at += codePoint > 0xffff ? 2 : 1
            counter += 1
          } else isStuck = true
          break
        }
        case 'split': {
          const key = counter * (text.length + 1) + at
          if (failed?.has(key) === true) {
            isStuck = true
            break
          }
          failed?.add(key)
          stack.push(instruction.second, at)
          counter = instruction.first
          break
        }
        case 'jump':
          counter = instruction.to
          break
        case 'assert': {
          const isPerlEnd = instruction.assertion === 'perl-end' && at === text.length - 1 && text.charCodeAt(at) === 10
          if (isPerlEnd || holds(instruction.assertion, sideBefore(text, at), sideBehind(text, at))) counter += 1
          else isStuck = true
          break
        }
        case 'save':
        case 'mark':
          stack.push(this.slots[instruction.slot] ?? -1, -1 - instruction.slot)
          this.slots[instruction.slot] = at
          counter += 1
          break
        case 'progress':
          if (this.slots[instruction.slot] !== at) counter += 1
          else if (instruction.past === undefined) isStuck = true
          else counter = instruction.past
          break
        case 'backreference': {
          const length = this.lengthOfReference(instruction.index, instruction.ignoresCase, at)
          if (length < 0) isStuck = true
          else {
            at += length
            counter += 1
          }
          break
        }
        case 'look':
          if (this.looks(instruction, at) === instruction.isNegative) isStuck = true
          else counter += 1
          break
        case 'atomic': {
          const end = this.run(instruction.body, at, -1)
          if (end < 0) isStuck = true
          else {
            at = end
            counter += 1
          }
          break
        }
        case 'keep-out':
          this.keptFrom = at
          counter += 1
          break
        case 'match':
          if ((requiredEnd < 0 || at === requiredEnd) && !(wantsMore?.(at) ?? false)) return at
          isStuck = true
          break
      }
      if (!isStuck) continue
      // Back to the last choice.
      for (;;) {
        const place = stack.pop()
        const value = stack.pop()
        if (place === undefined || value === undefined) return -1
        if (place < 0) this.slots[-1 - place] = value
        else {
          counter = value
          at = place
          break
        }
      }
    }
  }

  private looks({ body, isBehind, lengths }: Instruction & { readonly op: 'look' }, at: number): boolean {
    if (!isBehind) return this.run(body, at, -1) >= 0
    // A character has at most two units.
    for (let start = at - lengths.min; start >= Math.max(0, at - lengths.max * 2); start--) {
      if (this.run(body, start, at) >= 0) return true
    }
    return false
  }

  private lengthOfReference(index: number, ignoresCase: boolean, at: number): number {
    const start = this.slots[index * 2] ?? -1
    const end = this.slots[index * 2 + 1] ?? -1
    if (start < 0 || end < start) return -1
    const wanted = this.text.slice(start, end)
    const there = this.text.slice(at, at + wanted.length)
    if (there === wanted) return wanted.length
    if (!ignoresCase || there.length !== wanted.length) return -1
    const isSame = Array.from(wanted).every((character, position) => {
      const other = Array.from(there)[position]?.codePointAt(0) ?? -1
      const codePoint = character.codePointAt(0) ?? 0
      return other === codePoint || otherCases(codePoint).includes(other)
    })
    return isSame ? wanted.length : -1
  }
}
