// The replacement of an s command.

import { characterEscape } from '../../regex/parse-posix.ts'
import type { Places } from '../../regex/backtracker.ts'
import type { CaseChange, ReplacementPart } from './script.ts'

export function parseReplacement(written: string, isPosix: boolean): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = []
  let literal = ''
  const push = (part: ReplacementPart): void => {
    if (literal !== '') parts.push(literal)
    literal = ''
    parts.push(part)
  }
  for (let at = 0; at < written.length;) {
    const character = written.charAt(at)
    if (character === '&') {
      push({ group: 0 })
      at += 1
      continue
    }
    if (character !== '\\') {
      literal += character
      at += 1
      continue
    }
    const next = written.charAt(at + 1)
    const change = isPosix ? undefined : caseChanges[next]
    const escape = characterEscape(written, at, 'sed')
    if (change !== undefined) push(change)
    else if (/\d/.test(next)) push({ group: Number(next) })
    else if (escape !== undefined) {
      literal += String.fromCodePoint(escape.codePoint)
      at = escape.end
      continue
    } else literal += next
    at += 2
  }
  if (literal !== '') parts.push(literal)
  return parts
}

const caseChanges: Readonly<Record<string, CaseChange>> = {
  U: { lasting: 'U' },
  L: { lasting: 'L' },
  E: { lasting: 'E' },
  u: { once: 'u' },
  l: { once: 'l' },
}

/** Expands a replacement for one match. */
export function replaced(parts: readonly ReplacementPart[], text: string, places: Places): string {
  let output = ''
  let lasting: 'U' | 'L' | 'E' = 'E'
  let once: 'u' | 'l' | undefined
  for (const part of parts) {
    if (typeof part === 'object' && !('group' in part)) {
      if (part.lasting !== undefined) {
        lasting = part.lasting
        once = undefined
      }
      once = part.once ?? once
      continue
    }
    const piece = typeof part === 'string' ? part : groupText(text, places, part.group)
    if (piece === '') continue
    output += inCase(piece, lasting, once)
    once = undefined
  }
  return output
}

function groupText(text: string, places: Places, group: number): string {
  const start = places[group * 2] ?? -1
  return start < 0 ? '' : text.slice(start, places[group * 2 + 1])
}

function inCase(piece: string, lasting: 'U' | 'L' | 'E', once: 'u' | 'l' | undefined): string {
  const whole = lasting === 'U' ? mapped(piece, upper) : lasting === 'L' ? mapped(piece, lower) : piece
  if (once === undefined) return whole
  const first = String.fromCodePoint(whole.codePointAt(0) ?? 0)
  return (once === 'u' ? upper(first) : lower(first)) + whole.slice(first.length)
}

function mapped(text: string, change: (character: string) => string): string {
  return /^[\0-\x7f]*$/.test(text) ? change(text) : Array.from(text, change).join('')
}

/** Maps one character to one character, like towupper: `ß` is unchanged. */
function upper(character: string): string {
  const changed = character.toUpperCase()
  return changed.length === character.length ? changed : character
}

function lower(character: string): string {
  const changed = character.toLowerCase()
  return changed.length === character.length ? changed : character
}
