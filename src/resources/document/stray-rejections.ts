// pdf.js leaves promises without a handler when a file is damaged. In Node an unhandled rejection ends the process, so they are
// taken here while a PDF is read; all others stay what they are.

interface RejectionEvents {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown
  off(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown
  listenerCount(event: 'unhandledRejection'): number
}

const strayNames = new Set([
  'ParserEOFException',
  'XRefEntryException',
  'XRefParseException',
  'MissingDataException',
  'FormatError',
  'UnknownErrorException',
  'InvalidPDFException',
  'AbortException',
])

let listening = 0

/** Takes the rejections of pdf.js until the function that it gives is called. Does nothing outside of Node. */
export function takeStrayRejections(): () => void {
  const { process } = globalThis as { process?: Partial<RejectionEvents> }
  if (process?.on === undefined || process.off === undefined) return () => {}
  const events = process as RejectionEvents
  const listener = (reason: unknown): void => {
    const name = typeof reason === 'object' && reason !== null && 'name' in reason ? String(reason.name) : ''
    // What is not from pdf.js ends the process as it would without this listener, unless the host listens too.
    if (!strayNames.has(name) && events.listenerCount('unhandledRejection') <= listening) throw reason
  }
  events.on('unhandledRejection', listener)
  listening++
  return () => {
    events.off('unhandledRejection', listener)
    listening--
  }
}
