// The description of outputs in the state of a session: the chunks, so that pages can be found again. The bytes are in the
// storage; outputs in memory are lost with the session.

import type { SavedChunks } from './output-chunks.ts'
import { asCount, asList, asRecord, asText, notState } from './state-parts.ts'

export interface SavedOutput {
  readonly id: number
  readonly title: string
  readonly chunks: SavedChunks
}

export interface SavedOutputs {
  readonly nextId: number
  /** `undefined` if the bytes could not be stored. */
  readonly place: string | undefined
  /** Oldest first. */
  readonly outputs: readonly SavedOutput[]
}

/** Throws `AnchorageError` `toolset-options`. */
export function asSavedOutputs(given: unknown): SavedOutputs | undefined {
  if (given === undefined) return undefined
  const { nextId, place, outputs } = asRecord(given)
  const saved = {
    nextId: asCount(nextId),
    place: place === undefined ? undefined : asText(place),
    outputs: asList(outputs).map(asOutput),
  }
  if (saved.outputs.some(({ id }) => id >= saved.nextId)) throw notState('it has an output with a number that was not assigned')
  return saved
}

function asOutput(given: unknown): SavedOutput {
  const { id, title, chunks } = asRecord(given)
  const { pieces, endsWithNewline } = asRecord(chunks)
  return {
    id: asCount(id),
    title: asText(title),
    chunks: {
      pieces: asList(pieces).map(piece => {
        const [sizeBytes, newlines, isLost] = asList(piece)
        return [asCount(sizeBytes), asCount(newlines), asCount(isLost) === 0 ? 0 : 1]
      }),
      endsWithNewline: endsWithNewline === true,
    },
  }
}
