// pdf.js leaves promises without a handler if a file is damaged. In Node an unhandled rejection ends the process, so they are
// handled while a PDF is read; all others keep their effect.

import { words } from '../../core/words.ts'

interface RejectionEvents {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown
  off(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown
  listenerCount(event: 'unhandledRejection'): number
}

const strayNames = new Set(
  words(`
  ParserEOFException XRefEntryException XRefParseException MissingDataException FormatError UnknownErrorException
  InvalidPDFException AbortException
`),
)

let listening = 0

/** Handles the rejections of pdf.js until the returned function is called. Does nothing outside of Node. */
export function takeStrayRejections(): () => void {
  const { process } = globalThis as { process?: Partial<RejectionEvents> }
  if (process?.on === undefined || process.off === undefined) return () => {}
  const events = process as RejectionEvents
  const listener = (reason: unknown): void => {
    const name = typeof reason === 'object' && reason !== null && 'name' in reason ? String(reason.name) : ''
    // A rejection that is not from pdf.js ends the process as without this listener, unless the host has one too.
    if (!strayNames.has(name) && events.listenerCount('unhandledRejection') <= listening) throw reason
  }
  events.on('unhandledRejection', listener)
  listening++
  return () => {
    events.off('unhandledRejection', listener)
    listening--
  }
}
