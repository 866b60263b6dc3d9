// How an archive is refused, for a model.

import { ToolError } from '../../core/errors.ts'
import { CodecError } from '../../codec/error.ts'

const nextSteps = {
  damaged: 'Get the archive again; unzip or tar in bash may still unpack a part of it.',
  unsupported: 'Unpack it with another program, or ask the user for an archive without that.',
  limit: 'Unpack what you need of it with bash, or ask the user for a smaller archive.',
} as const

/** Runs `read`, and turns errors of the format into `ToolError`s. */
export async function readingArchive<T>(display: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    const { fault, message } = error
    const start = fault === 'damaged' ? `${display} is damaged` : `${display} cannot be opened here`
    throw new ToolError(`archive-${fault}`, `${start}: ${message}.`, {
      nextStep: nextSteps[fault],
      details: { path: display },
      cause: error,
    })
  }
}

export function refusedWrite(display: string, why: string, nextStep: string): ToolError {
  return new ToolError('archive-write', `${display} was not written: ${why}.`, { nextStep, details: { path: display } })
}
