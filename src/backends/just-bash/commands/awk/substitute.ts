// sub, gsub and gensub.

import type { Places } from '../../regex/backtracker.ts'
import type { Regex } from '../../regex/regex.ts'

/** The replacement for a match. */
export interface Replace {
  readonly of: (text: string, places: Places) => string
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

export function substituted(
  text: string,
  regex: Regex,
  replace: Replace,
  isGlobal: boolean,
  from: number,
): { readonly text: string; readonly count: number } {
  let output = ''
  let copied = 0
  let count = 0
  let seen = 0
  let lastEnd = -1
  let at = 0
  while (at <= text.length) {
    const places = replace.needsGroups ? regex.exec(text, at) : regex.find(text, at)
    if (places === undefined) break
    const [start = 0, end = 0] = places
    // An empty match directly after another match does not count.
    if (!(start === end && start === lastEnd)) {
      seen += 1
      if (seen >= from) {
        output += text.slice(copied, start) + replace.of(text, [...places])
        copied = end
        count += 1
        if (!isGlobal) break
      }
    }
    lastEnd = end
    at = start === end ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end
  }
  return { text: count === 0 ? text : output + text.slice(copied), count }
}
