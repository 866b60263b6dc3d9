// A sed script, read far enough to write what just-bash's own reads wrongly in a way that it reads rightly.

import { endOfBracket } from './basic-pattern.ts'
import { caseMark, caseMarks, quitMark } from './sed-marks.ts'

export interface ReadScript {
  /** For the interpreter's own sed. */
  readonly text: string
  /** Where the source must be cut, so that no command sees the marks of one before it. Behind commands that change case. */
  readonly cuts: readonly number[]
  /** Its output holds marks (see sed-marks.ts). */
  readonly hasMarks: boolean
}

const caseHint =
  "changing case with \\U, \\L, \\u or \\l is available here in a script of nothing but s commands, or in its last command; use awk's toupper() and tolower()"

/** What to run, or why it cannot be run. A script that is not understood is left as it is. */
export function readScript(script: string): ReadScript | { readonly problem: string } {
  let output = ''
  let at = 0
  let hasMarks = false
  // Where commands that change case end; the last one ends the script, or only s commands stand beside it.
  const cuts: number[] = []
  let isPlain = true
  let isBehindLast = true
  const take = (pattern: RegExp): string => {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = at
    const found = sticky.exec(script)?.[0] ?? ''
    at += found.length
    return found
  }
  // Each turn takes at least one character.
  while (at < script.length) {
    const between = take(/[\s;{}!]+/)
    output += between
    isPlain &&= !/[{}]/.test(between)
    output += take(/(?:\d+(?:~\d+)?|\$|[+~]\d+|,|\s|!)+/)
    if (script.charAt(at) === '/' || script.charAt(at) === '\\') {
      const isOther = script.charAt(at) === '\\'
      const delimiter = script.charAt(at + (isOther ? 1 : 0))
      const end = endOfPart(script, at + (isOther ? 2 : 1), delimiter, true)
      if (end === undefined) return { problem: 'unterminated address regex' }
      const address = withWordEnds(withBytes(script.slice(at, end)))
      at = end
      const flag = take(/[IM]/)
      isBehindLast = false
      if (flag === 'M') return { problem: 'the flag M is not available here; use awk, or perl-like patterns of grep -P' }
      output += flag === 'I' ? ignoringCase(address, isOther ? 2 : 1) : address
      continue
    }
    const command = script.charAt(at)
    // What only prints or ends looks at nothing.
    if (command !== '' && !/[pdq=]/.test(command)) isBehindLast = false
    isPlain &&= command === '' || command === 's' || command === 'y'
    if (command === 's' || command === 'y') {
      const delimiter = script.charAt(at + 1)
      const middle = endOfPart(script, at + 2, delimiter, command === 's')
      const end = middle === undefined ? undefined : endOfPart(script, middle, delimiter, false)
      if (middle === undefined || end === undefined) return { problem: `unterminated '${command}' command` }
      const [pattern, replacement] = [script.slice(at, middle), script.slice(middle, end)]
      at = end
      const flags = take(/[gpiIemM\d]*/)
      if (/\d/.test(flags) && flags.includes('g'))
        return { problem: `the flags '${flags}' together are not available here; use awk` }
      if (script.charAt(at) === 'w')
        return { problem: "the flag 'w' of s is not available here; redirect the output of sed -n 's/…/…/p'" }
      if (/[mM]/.test(flags)) return { problem: 'the flag M is not available here; use awk' }
      const changesCase = command === 's' && /\\[ULEul]/.test(replacement.replace(/\\\\/g, ''))
      output += withWordEnds(withBytes(pattern)) + withBytes(changesCase ? withCaseMarks(replacement) : replacement) + flags
      if (changesCase) {
        hasMarks = true
        isBehindLast = true
        cuts.push(at)
      }
      if (/[pe]/.test(flags)) isPlain = false
    } else if (/[aic]/.test(command)) {
      const text = take(/[aic](?:[^\\\n]|\\(?:[^]|$))*/)
      if (/^[aic]\s*\\$/.test(text)) return { problem: `'${text}' lacks its text` }
      // The text begins right behind `a\`, with its blanks.
      output += text.replace(/^([aic])\s*\\(?!\n)/, '$1\\\n')
    } else if (/^[qQ]\s*\d/.test(script.slice(at))) {
      const [, letter = '', code = ''] = /^([qQ])\s*(\d+)/.exec(take(/[qQ]\s*\d+/)) ?? []
      output += `{\ni\\\n${quitMark(Number(code) % 256)}\n${letter}\n}`
      hasMarks = true
    } else if (/[rRwWbtT:#]/.test(command)) output += take(/[^\n;}]*/) || take(/[^]/)
    else output += take(/[^]/)
  }
  const isLast = cuts.length === 1 && isBehindLast
  if (cuts.length > 0 && !isLast && !isPlain) return { problem: caseHint }
  return { text: output, cuts: isLast ? [] : cuts, hasMarks }
}

/** `\U` and its like as marks that go through sed as characters do, and end with the replacement. */
function withCaseMarks(replacement: string): string {
  const delimiter = replacement.slice(-1)
  const marked = replacement
    .slice(0, -1)
    .replace(/\\([ULEul])|\\[^]/g, (all, letter?: string) => (letter === undefined ? all : caseMark(letter)))
  return `${marked}${caseMarks.E}${delimiter}`
}

/** `\<` and `\>`, which its own takes for letters. With a dot beside them they say that it stands for a letter of a word. */
function withWordEnds(pattern: string): string {
  return pattern
    .replace(/(\\\\)|\\<\.(?![*?{+\\])/g, (_, pair?: string) => pair ?? '\\b\\w')
    .replace(/(\\\\)|(?<!\\)\.\\>/g, (_, pair?: string) => pair ?? '\\w\\b')
    .replace(/\\([^])/g, (all, letter: string) => (letter === '<' || letter === '>' ? '\\b' : all))
}

/** An address in which each letter stands for both. Its delimiters stay. */
function ignoringCase(address: string, start: number): string {
  let output = address.slice(0, start)
  for (let at = start; at < address.length - 1; at++) {
    const character = address.charAt(at)
    if (character === '\\') output += address.slice(at, (at += 1) + 1)
    else if (character === '[') {
      const end = endOfBracket(address, at)
      const set = address.slice(at, end)
      const others = set.replace(/\[:\w+:\]/g, '').match(/[a-zA-Z]-[a-zA-Z]|[a-zA-Z]/g) ?? []
      output += `${set.slice(0, -1)}${others.map(otherCase).join('')}]`
      at = end - 1
    } else output += /[a-zA-Z]/.test(character) ? `[${character}${otherCase(character)}]` : character
  }
  return output + address.slice(-1)
}

function otherCase(text: string): string {
  return Array.from(text, letter => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('')
}

/** Behind the delimiter that ends the part which begins at `start`. In a pattern one inside brackets does not count. */
function endOfPart(script: string, start: number, delimiter: string, isPattern: boolean): number | undefined {
  for (let at = start; at < script.length; at++) {
    const character = script.charAt(at)
    if (character === '\\') at += 1
    else if (character === delimiter) return at + 1
    else if (isPattern && character === '[') {
      const end = endOfBracket(script, at)
      // A set that is not closed within the script is a character.
      if (end < script.length) at = end - 1
    }
  }
  return undefined
}

/** `\xHH`, which its own does not know, as the characters that the bytes are. */
function withBytes(text: string): string {
  return text.replace(/(\\\\)|((?:\\x[\da-fA-F]{2})+)/g, (all, pair?: string, bytes?: string) => {
    if (pair !== undefined || bytes === undefined) return all
    const values = (bytes.match(/[\da-fA-F]{2}(?=\\|$)/g) ?? []).map(hex => Number.parseInt(hex, 16))
    const characters = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(values))
    return characters.replace(/[\\^$.*+?()[\]{}|/&\n]/g, '\\$&')
  })
}
