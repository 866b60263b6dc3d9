// The pace of long work in the interpreter itself: expansions, word splitting and builtins.

import { Pace, partsOf } from '../commands/pace.ts'
import type { Awaitable } from '../../../shell/files.ts'
import type { Fields } from './fields.ts'
import type { Shell } from './shell.ts'

/** Texts up to this length are processed at once, without the cost of a promise. */
const shortLength = 64 * 1024

export function isLong(text: string): boolean {
  return text.length > shortLength
}

export function shellPace(shell: Shell): Pace {
  return new Pace(() => shell.letOthersRun())
}

/** Adds the value of an expansion to `fields`. A promise is returned only for a long one. */
export function addValue(shell: Shell, fields: Fields, text: string, isQuoted: boolean): Awaitable<void> {
  if (isLong(text)) return addInParts(shell, fields, text, isQuoted)
  if (isQuoted) fields.quoted(text)
  else fields.split(text)
}

async function addInParts(shell: Shell, fields: Fields, text: string, isQuoted: boolean): Promise<void> {
  await eachPart(shell, text, part => {
    if (isQuoted) fields.quoted(part)
    else fields.split(part)
  })
}

/** Calls `work` with consecutive parts of `text`, which never end within a character. */
export async function eachPart(shell: Shell, text: string, work: (part: string) => void): Promise<void> {
  const pace = shellPace(shell)
  for (const part of partsOf(text)) {
    work(part)
    if (pace.isDue(part.length)) await pace.rest()
  }
}
