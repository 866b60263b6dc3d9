// A pattern that is ready to be looked for.

import { Automaton } from './automaton.ts'
import { Backtracker, type Places } from './backtracker.ts'
import { toNative, type NativePattern } from './native.ts'
import { parsePosix, type PosixOptions } from './parse-posix.ts'
import { compile, type Program } from './program.ts'
import type { Pattern } from './syntax.ts'

export interface Regex {
  readonly groupCount: number
  /** Where the first match at `from` or behind it is: start and end of it, then of each group, -1 for a group that took no part. */
  exec(text: string, from?: number): Places | undefined
  /** Like `exec`. Yields between parts of a long text where it can. */
  execInSteps(text: string, from?: number): Generator<undefined, Places | undefined>
  /** Where the first match is, without its groups. */
  find(text: string, from?: number): readonly [start: number, end: number] | undefined
  test(text: string): boolean
}

/** Throws `PatternError` for a pattern that cannot be read; what it gives throws `PatternLimitError` for one that takes too long. */
export function posixRegex(source: string, options: PosixOptions): Regex {
  return longestRegex(parsePosix(source, options))
}

/** The leftmost of the longest matches of a pattern that is already read. */
export function longestRegex(pattern: Pattern): Regex {
  return new LongestRegex(pattern)
}

class LongestRegex implements Regex {
  readonly groupCount: number
  private readonly pattern: Pattern
  private readonly native: (NativePattern & { readonly regex: RegExp }) | undefined
  private program: Program | undefined
  private automaton: Automaton | undefined

  constructor(pattern: Pattern) {
    this.pattern = pattern
    this.groupCount = pattern.groupCount
    const native = toNative(pattern.node)
    this.native = native && { ...native, regex: new RegExp(native.source, native.source.includes('(') ? 'dgu' : 'gu') }
    // A program that is too large is refused when the pattern is read.
    if (native === undefined) this.program = compile(pattern.node, pattern.groupCount)
  }

  exec(text: string, from: number = 0): Places | undefined {
    if (this.isNativeFast(text)) return this.execNative(text, from)
    const program = this.compiled()
    if (program.needsBacktracking) return this.backtrack(program, text, from)
    const found = this.matcher().find(text, from)
    return found && this.placesOf(text, found)
  }

  *execInSteps(text: string, from: number = 0): Generator<undefined, Places | undefined> {
    if (this.isNativeFast(text) || this.compiled().needsBacktracking) return this.exec(text, from)
    const found = yield* this.matcher().findInSteps(text, from)
    return found && this.placesOf(text, found)
  }

  find(text: string, from: number = 0): readonly [number, number] | undefined {
    if (!this.isNativeFast(text) && !this.compiled().needsBacktracking) return this.matcher().find(text, from)
    const places = this.exec(text, from)
    return places === undefined ? undefined : [places[0] ?? 0, places[1] ?? 0]
  }

  test(text: string): boolean {
    if (this.native !== undefined && this.isNativeFast(text)) {
      this.native.regex.lastIndex = 0
      return this.native.regex.test(text)
    }
    const program = this.compiled()
    if (program.needsBacktracking) return this.backtrack(program, text, 0) !== undefined
    return this.matcher().hasMatch(text, 0)
  }

  private compiled(): Program {
    this.program ??= compile(this.pattern.node, this.groupCount)
    return this.program
  }

  private matcher(): Automaton {
    this.automaton ??= new Automaton(this.compiled())
    return this.automaton
  }

  private placesOf(text: string, [start, end]: readonly [number, number]): Places | undefined {
    if (this.groupCount === 0) return [start, end]
    const program = this.compiled()
    return new Backtracker(text, program).placesBetween(program, start, end)
  }

  /** JavaScript's engine may try each way that its loose parts leave, from each place of the text. */
  private isNativeFast(text: string): boolean {
    if (this.native === undefined) return false
    return this.native.looseParts === 0 || text.length ** (this.native.looseParts + 1) < mostNativeSteps
  }

  private execNative(text: string, from: number): Places | undefined {
    if (this.native === undefined) return undefined
    const { regex } = this.native
    regex.lastIndex = from
    const found = regex.exec(text)
    if (found === null) return undefined
    if (this.groupCount === 0) return [found.index, found.index + found[0].length]
    const places: number[] = []
    for (const place of found.indices ?? []) {
      // A group of a part that took no part in the match: its type leaves that out.
      const [start, end] = (place as [number, number] | undefined) ?? [-1, -1]
      places.push(start, end)
    }
    return places
  }

  private backtrack(program: Program, text: string, from: number): Places | undefined {
    for (let start = from; start <= text.length; start++) {
      const found = new Backtracker(text, program).longestFrom(program, start)
      if (found !== undefined) return found
      const unit = text.charCodeAt(start)
      if (unit >= 0xd800 && unit <= 0xdbff) start += 1
    }
    return undefined
  }
}

const mostNativeSteps = 1e9
