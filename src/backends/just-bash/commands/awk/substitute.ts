// sub, gsub and gensub.

import type { Regex } from '../../regex/regex.ts'
import type { Waiting } from './code.ts'

/** The replacement for a match. */
export interface Replace {
  readonly of: (text: string, places: readonly number[]) => string
  readonly needsGroups: boolean
}

/**
 * Parses the replacement of sub and gsub: `&` is the match, `\&` a literal `&`, and `\\&` a backslash followed by the match.
 * Other backslashes are literal.
 */
export function replacementFor(written: string): Replace {
  if (!written.includes('&')) return { of: () => written, needsGroups: false }
  const parts: (string | undefined)[] = []
  let literal = ''
  for (let at = 0; at < written.length; at++) {
    const [backslashes = ''] = /^\\*/.exec(written.slice(at)) ?? []
    const behind = at + backslashes.length
    if (written.charAt(behind) !== '&') {
      literal += backslashes + written.charAt(behind)
      at = behind
      continue
    }
    literal += '\\'.repeat(backslashes.length >> 1)
    if (backslashes.length % 2 === 1) literal += '&'
    else {
      parts.push(literal, undefined)
      literal = ''
    }
    at = behind
  }
  parts.push(literal)
  return { of: (text, [start, end]) => parts.map(part => part ?? text.slice(start, end)).join(''), needsGroups: false }
}

/** Parses the replacement of gensub: `\1` to `\9` are capture groups, `\0` and `&` the whole match. */
export function generalReplacement(written: string): Replace {
  const parts: (string | number)[] = []
  let literal = ''
  const push = (group: number): void => {
    parts.push(literal, group)
    literal = ''
  }
  for (let at = 0; at < written.length; at++) {
    const character = written.charAt(at)
    if (character === '&') push(0)
    else if (character === '\\') {
      at += 1
      const next = written.charAt(at)
      if (/\d/.test(next)) push(Number(next))
      else literal += next === '\\' || next === '&' ? next : `\\${next}`
    } else literal += character
  }
  parts.push(literal)
  return {
    of: (text, places) =>
      parts
        .map(part => {
          if (typeof part === 'string') return part
          const start = places[part * 2] ?? -1
          return start < 0 ? '' : text.slice(start, places[part * 2 + 1])
        })
        .join(''),
    needsGroups: true,
  }
}

/** What a substitution needs to know. */
export interface Job {
  readonly text: string
  readonly regex: Regex
  readonly replace: Replace
  readonly isGlobal: boolean
  /** The number of the first match that is replaced. */
  readonly from: number
}

export interface Substituted {
  readonly text: string
  readonly count: number
}

/** A text up to this length is changed at once; of a longer one, about as much between two pauses. */
const partLength = 256 * 1024

/** Calls `rest` between parts of a long text. */
export function substituted(job: Job, rest: (() => Promise<void>) | undefined): Waiting<Substituted> {
  return rest === undefined || job.text.length <= partLength ? substitutedAtOnce(job) : substitutedInParts(job, rest)
}

export function substitutedAtOnce(job: Job): Substituted {
  const { text, regex, replace } = job
  const work = new Substituting(job)
  while (work.at <= text.length) {
    const places = replace.needsGroups ? regex.exec(text, work.at) : regex.find(text, work.at)
    if (places === undefined || !work.add(places)) break
  }
  return work.result
}

async function substitutedInParts(job: Job, rest: () => Promise<void>): Promise<Substituted> {
  const { text, regex } = job
  const work = new Substituting(job)
  let restsAt = partLength
  while (work.at <= text.length) {
    const search = regex.execInSteps(text, work.at)
    let step = search.next()
    for (; step.done !== true; step = search.next()) await rest()
    if (step.value === undefined || !work.add(step.value)) break
    if (work.at < restsAt) continue
    restsAt = work.at + partLength
    await rest()
  }
  return work.result
}

class Substituting {
  /** Where the next match is looked for. */
  at = 0
  private output = ''
  private copied = 0
  private count = 0
  private seen = 0
  private lastEnd = -1
  private readonly job: Job

  constructor(job: Job) {
    this.job = job
  }

  get result(): Substituted {
    const { text } = this.job
    return { text: this.count === 0 ? text : this.output + text.slice(this.copied), count: this.count }
  }

  /** Returns false if no further match is replaced. */
  add(places: readonly number[]): boolean {
    const { text, replace, isGlobal, from } = this.job
    const [start = 0, end = 0] = places
    // An empty match directly after another match does not count.
    if (!(start === end && start === this.lastEnd)) {
      this.seen += 1
      if (this.seen >= from) {
        this.output += text.slice(this.copied, start) + replace.of(text, places)
        this.copied = end
        this.count += 1
        if (!isGlobal) return false
      }
    }
    this.lastEnd = end
    this.at = start === end ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end
    return true
  }
}
