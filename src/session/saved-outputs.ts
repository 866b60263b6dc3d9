// What a session's state says of its outputs: which there are and of which pieces, so that pages are found again. The bytes stay where they
// were put away; where that was memory, they went with it.

import type { SavedChunks } from './output-chunks.ts'
import { asCount, asList, asRecord, asText, notState } from './state-parts.ts'

export interface SavedOutput {
  readonly id: number
  readonly title: string
  readonly chunks: SavedChunks
}

export interface SavedOutputs {
  readonly nextId: number
  /** `undefined` where the bytes could not be kept. */
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
  if (saved.outputs.some(({ id }) => id >= saved.nextId)) throw notState('it holds an output with a number that was not given')
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
