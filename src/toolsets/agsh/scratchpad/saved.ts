// The scratchpad of an earlier session, from its state.

import { asCount, asList, asRecord, asText, notState } from '../../../session/state-parts.ts'
import { isName, type SavedScratchpad } from './store.ts'

/** Throws `AnchorageError` `toolset-options`. */
export function asSavedScratchpad(given: unknown): SavedScratchpad | undefined {
  if (given === undefined) return undefined
  const { entries, leftOut, nextNumbers } = asRecord(given)
  return {
    entries: asList(entries).map(entry => {
      const [name, text, createdMs] = asList(entry)
      return [asName(name), asText(text), asCount(createdMs)]
    }),
    leftOut: asNumbers(leftOut),
    nextNumbers: asNumbers(nextNumbers),
  }
}

function asName(value: unknown): string {
  const name = asText(value)
  if (!isName(name)) throw notState('it has a scratchpad entry with an invalid name')
  return name
}

function asNumbers(value: unknown): readonly (readonly [name: string, number: number])[] {
  return asList(value).map(entry => {
    const [name, number] = asList(entry)
    return [asText(name), asCount(number)]
  })
}
