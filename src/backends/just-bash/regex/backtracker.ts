// Tries the ways of a pattern one after the other: for what an automaton cannot tell (where groups matched, references back to them,
// look-around) and for Perl's patterns, where the first way counts. It is bounded.

import { contains } from '../../../search/regex/code-points.ts'
import { foldOrbit } from '../../../search/regex/unicode.ts'
import { holds, sideBefore, sideBehind } from './assertions.ts'
import type { Lengths } from './lengths.ts'
import type { Instruction, Program } from './program.ts'
import { clusterLength } from './cluster.ts'
import { PatternLimitError, type Cut } from './syntax.ts'

const mostSteps = 20_000_000

/** Places of groups as pairs of start and end, -1 where one took no part; the whole match first. */
export type Places = number[]

/** A call of a group that has not returned. */
interface Frame {
  readonly index: number
  readonly at: number
  readonly returnTo: number
  /** Groups are as before when it returns. */
  readonly slots: Places
  readonly outer: Frame | undefined
}

/** What is to be done on the way back. */
type Saved =
  | { readonly kind: 'state'; readonly slots: Places; readonly frame: Frame | undefined }
  | { readonly kind: 'cut'; readonly frame: Frame | undefined; readonly nextStart: number }

export class Backtracker {
  private readonly text: string
  /** Where the text ends for what is tried now. */
  private end: number
  private slots: Places
  private steps = 0
  private searchStart = 0
  private frame: Frame | undefined
  private isAccepted = false
  private nextStart: number | undefined
  private readonly maxSteps: number

  constructor(text: string, program: Program, maxSteps: number = mostSteps) {
    this.text = text
    this.end = text.length
    this.slots = Array.from({ length: program.slotCount }, () => -1)
    this.maxSteps = maxSteps
  }

  /** The places of the first way from `searchStart` on, as Perl has it. It begins before `before`. */
  first(program: Program, searchStart: number, before: number, skipsLineFeeds: boolean): Places | undefined {
    const { text } = this
    this.searchStart = searchStart
    for (let start = searchStart; start < before && start <= text.length;) {
      this.slots.fill(-1)
      this.frame = undefined
      this.isAccepted = false
      const end = this.run(program, 0, start, -1)
      const kept = this.slots[0] ?? -1
      if (end >= 0) return this.result(kept < 0 ? start : kept, end)
      const next = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
      const isReturn = skipsLineFeeds && text.charCodeAt(start) === 13 && text.charCodeAt(next) === 10
      start = Math.max(isReturn ? next + 1 : next, this.nextStart ?? 0)
      this.nextStart = undefined
    }
    return undefined
  }

  /** The places of the first way that leads from `start` to `end`. An automaton has found that there is one. */
  placesBetween(program: Program, start: number, end: number): Places | undefined {
    // A place once left without success hardly ever succeeds: only a loop's turn that took nothing may be told apart from others.
    if (this.run(program, 0, start, end, new Set()) < 0 && this.run(program, 0, start, end) < 0) return undefined
    return this.result(start, end)
  }

  /** The places of the longest way that begins at `start`. */
  longestFrom(program: Program, start: number): Places | undefined {
    let best: Places | undefined
    let bestEnd = -1
    this.run(program, 0, start, -1, undefined, end => {
      if (end > bestEnd) {
        bestEnd = end
        best = this.result(start, end)
      }
      return end < this.text.length
    })
    return best
  }

  private result(start: number, end: number): Places {
    const places = this.slots.slice()
    places[0] = start
    places[1] = end
    return places
  }

  /**
   * The end of the first way from `start` through the code at `entry` that ends at `requiredEnd` (anywhere: -1) and that `wantsMore` is
   * satisfied with; else -1.
   */
  private run(
    program: Program,
    entry: number,
    start: number,
    requiredEnd: number,
    failed?: Set<number>,
    wantsMore?: (end: number) => boolean,
  ): number {
    const { text } = this
    const { instructions } = program
    const base = this.frame
    // Places to go back to, each with what the slots were: undo records have a slot number and are -1 - slot; -Infinity is a record of
    // `saved`.
    const stack: number[] = []
    const saved: Saved[] = []
    const save = (record: Saved): void => {
      saved.push(record)
      stack.push(0, Number.NEGATIVE_INFINITY)
    }
    let counter = entry
    let at = start
    for (;;) {
      let isStuck = false
      this.steps += 1
      if (this.steps > this.maxSteps) throw new PatternLimitError('the pattern takes too long on this text')
      const instruction = instructions[counter]
      if (instruction === undefined) throw new Error('unreachable: a program ends with match')
      switch (instruction.op) {
        case 'set': {
          const codePoint = at < this.end ? (text.codePointAt(at) ?? 0) : -1
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
          const isPerlEnd = instruction.assertion === 'perl-end' && at === this.end - 1 && text.charCodeAt(at) === 10
          const isStart = instruction.assertion === 'search-start' && at === this.searchStart
          if (isPerlEnd || isStart || holds(instruction.assertion, sideBefore(text, at), sideBehind(text, at, this.end)))
            counter += 1
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
        case 'look': {
          const slots = this.slots.slice()
          const { frame } = this
          const isFound = this.looks(program, instruction, at)
          if (isFound && !instruction.isNegative) save({ kind: 'state', slots, frame })
          else this.slots = slots
          this.frame = frame
          if (isFound !== instruction.isNegative) counter = instruction.past
          else if (instruction.otherwise >= 0) counter = instruction.otherwise
          else isStuck = true
          break
        }
        case 'atomic': {
          save({ kind: 'state', slots: this.slots.slice(), frame: this.frame })
          const end = this.run(program, counter + 1, at, -1)
          if (end < 0) {
            const { nextStart } = this
            this.nextStart = undefined
            if (nextStart !== undefined) save({ kind: 'cut', frame: this.frame, nextStart })
            isStuck = true
            break
          }
          at = end
          // Before what follows it stands `accept`.
          counter = this.isAccepted ? instruction.past - 1 : instruction.past
          this.isAccepted = false
          break
        }
        case 'cluster': {
          const length = clusterLength(text, at, this.end)
          at += length
          counter += 1
          isStuck = length === 0
          break
        }
        case 'call': {
          const { index } = instruction
          for (let outer = this.frame; outer?.at === at; outer = outer.outer) {
            if (outer.index === index) throw new PatternLimitError('the pattern calls itself without end')
          }
          save({ kind: 'state', slots: this.slots, frame: this.frame })
          this.frame = { index, at, returnTo: counter + 1, slots: this.slots, outer: this.frame }
          this.slots = this.slots.slice()
          counter = instruction.to
          break
        }
        case 'has-group':
          counter = (this.slots[instruction.index * 2 + 1] ?? -1) >= 0 ? counter + 1 : instruction.otherwise
          break
        case 'in-call': {
          const isIn = this.frame !== undefined && (instruction.index ?? this.frame.index) === this.frame.index
          counter = isIn ? counter + 1 : instruction.otherwise
          break
        }
        case 'cut':
          save({ kind: 'cut', frame: this.frame, nextStart: this.startBehindCut(instruction.next, at) })
          counter += 1
          break
        case 'accept':
        case 'return': {
          const { frame } = this
          if (frame === base || frame === undefined) {
            this.isAccepted = true
            return at
          }
          save({ kind: 'state', slots: this.slots, frame })
          this.slots = frame.slots.slice()
          this.frame = frame.outer
          counter = frame.returnTo
          break
        }
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
        if (place === Number.NEGATIVE_INFINITY) {
          const record = saved.pop()
          if (record === undefined) throw new Error('unreachable: each mark has a record')
          if (record.kind === 'state') {
            this.slots = record.slots.slice()
            this.frame = record.frame
          } else if (record.frame === base) {
            // Slots are reset by who asks again.
            this.nextStart = record.nextStart
            return -1
          } else this.leaveCall(record.frame, stack, saved)
        } else if (place < 0) this.slots[-1 - place] = value
        else {
          counter = value
          at = place
          break
        }
      }
    }
  }

  private startBehindCut(next: Cut, at: number): number {
    return next === 'further' ? 0 : next === 'here' ? at : Number.POSITIVE_INFINITY
  }

  /** A cut makes the call fail that it is in: takes all records up to the one from before the call. */
  private leaveCall(frame: Frame | undefined, stack: number[], saved: Saved[]): void {
    for (;;) {
      const place = stack.pop()
      const value = stack.pop()
      if (place === undefined || value === undefined) return
      if (place !== Number.NEGATIVE_INFINITY) continue
      const record = saved.pop()
      if (record?.kind === 'state' && record.frame === frame?.outer && record.slots === frame?.slots) {
        this.slots = record.slots.slice()
        this.frame = record.frame
        return
      }
    }
  }

  private looks(program: Program, { isBehind, bodies, endsText }: Instruction & { readonly op: 'look' }, at: number): boolean {
    const { end } = this
    if (endsText) this.end = at
    const isFound = bodies.some(({ entry, lengths }) => {
      if (!isBehind) return this.run(program, entry, at, -1) >= 0
      for (const start of this.startsBehind(at, lengths)) if (this.run(program, entry, start, at) >= 0) return true
      return false
    })
    this.end = end
    this.isAccepted = false
    this.nextStart = undefined
    return isFound
  }

  /** Where a look behind that ends at `at` may begin: the longest first. */
  private startsBehind(at: number, { min, max }: Lengths): readonly number[] {
    const starts: number[] = []
    for (let start = at, count = 0; start >= 0 && count <= max; count++, start -= isPairBefore(this.text, start) ? 2 : 1) {
      if (count >= min) starts.push(start)
    }
    return starts.reverse()
  }

  private lengthOfReference(index: number, ignoresCase: boolean, at: number): number {
    const start = this.slots[index * 2] ?? -1
    const end = this.slots[index * 2 + 1] ?? -1
    if (start < 0 || end < start) return -1
    const wanted = this.text.slice(start, end)
    const there = this.text.slice(at, Math.min(at + wanted.length, this.end))
    if (there === wanted) return wanted.length
    if (!ignoresCase || there.length !== wanted.length) return -1
    const isSame = Array.from(wanted).every((character, position) => {
      const other = Array.from(there)[position]?.codePointAt(0) ?? -1
      const codePoint = character.codePointAt(0) ?? 0
      return other === codePoint || foldOrbit(codePoint).includes(other)
    })
    return isSame ? wanted.length : -1
  }
}

function isPairBefore(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at - 2), text.charCodeAt(at - 1)]
  return at > 1 && low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff
}
