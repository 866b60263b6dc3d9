// Completion with Tab: adds the common beginning of all words, and shows the words if there is nothing to add.

import type { ShellCompletion } from '../shell/session.ts'

export interface CompletedLine {
  /** The text before the cursor. */
  readonly before: string
  /** To be shown below the line; empty when the line has changed, or nothing fits. */
  readonly choices: readonly string[]
  readonly isCut: boolean
}

export function applyCompletion(before: string, { start, words, isCut }: ShellCompletion): CompletedLine {
  const typed = before.slice(start)
  const common = words.reduce((prefix, word) => commonPrefix(prefix, word), words[0] ?? typed)
  const isLonger = common.length > typed.length || (words.length === 1 && common !== typed)
  if (isLonger) return { before: before.slice(0, start) + common, choices: [], isCut: false }
  return { before, choices: words.length > 1 ? words.map(word => lastPart(word)) : [], isCut }
}

/** Of a path only its last name, as in a listing. */
function lastPart(word: string): string {
  const name = word.trimEnd()
  const slash = name.slice(0, -1).lastIndexOf('/')
  return slash === -1 ? name : name.slice(slash + 1)
}

function commonPrefix(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  // Never half of a character.
  const last = one.charCodeAt(length - 1)
  return one.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

const maxShown = 200

/** Columns that fit into `width` characters, filled downwards. */
export function inColumns(words: readonly string[], width: number, isCut: boolean): string {
  const shown = words.slice(0, maxShown)
  const columnWidth = Math.max(...shown.map(word => word.length)) + 2
  const columns = Math.max(1, Math.floor(width / columnWidth))
  const rows = Math.ceil(shown.length / columns)
  const lines = Array.from({ length: rows }, (_, row) =>
    shown
      .filter((_word, index) => index % rows === row)
      .map(word => word.padEnd(columnWidth))
      .join('')
      .trimEnd(),
  )
  const more = words.length - shown.length
  return [...lines, ...(more > 0 || isCut ? [`… ${isCut ? 'more' : `${more} more`}`] : [])].join('\n')
}
