// Every result of ah goes through here: the model gets the cut text, and the whole stays readable by an address in it (ah §1.6).

import type { Session } from '../../session/session.ts'
import { textContent, type ToolOutcome } from '../../session/tool.ts'
import { cutMiddle, type CutLimits } from './cut.ts'

/** `title` says what the text is, to a person who lists kept outputs. */
export function shownText(
  session: Session,
  title: string,
  text: string,
  limits: CutLimits,
): Pick<ToolOutcome, 'content' | 'details'> {
  const cut = cutMiddle(text, limits)
  if (!cut.isTruncated) return { content: textContent(text), details: {} }
  const { text: _shown, ...truncation } = cut
  const isKept = text.length * 2 <= session.limits.outputMaxBytes
  const address = isKept ? session.outputs.save(title, text) : undefined
  return {
    content: textContent(`${cut.text}\n\n[${howToGoOn(address, cut.removed)}]`),
    details: { truncation, ...(address === undefined ? {} : { fullOutputPath: address }) },
  }
}

function howToGoOn(address: string | undefined, removed: { startByte: number; endByte: number } | undefined): string {
  if (address === undefined)
    return 'The whole is too large to be kept. Ask for less: use offset and limit, or write the output to a file.'
  if (removed === undefined) return `Whole output: read ${address}`
  return `Whole output: read ${address}; what is left out: read ${address}?bytes=${removed.startByte}-${removed.endByte}`
}
