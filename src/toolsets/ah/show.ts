// Every result of ah is shown by this module: the model gets the cut text with an address at which the whole text can be read.

import type { Session } from '../../session/session.ts'
import { textContent, type ToolOutcome } from '../../session/tool.ts'
import { cutMiddle, type CutLimits, type Removed } from './cut.ts'

/** `title` describes the text to a person who lists kept outputs. */
export function shownText(
  session: Session,
  title: string,
  text: string,
  limits: CutLimits,
): Pick<ToolOutcome, 'content' | 'details'> & { readonly removed?: Removed | undefined } {
  const cut = cutMiddle(text, limits)
  if (!cut.isTruncated) return { content: textContent(text), details: {} }
  const { text: _shown, ...truncation } = cut
  const address = session.outputs.save(title, text)
  return {
    content: textContent(`${cut.text}\n\n[${howToGoOn(address, cut.removed)}]`),
    details: { truncation, fullOutputPath: address },
    removed: cut.removed,
  }
}

export function howToGoOn(address: string, removed: Removed | undefined): string {
  if (removed === undefined) return `Whole output: read ${address}`
  return `Whole output: read ${address}; the part that was left out: read ${address}?bytes=${removed.startByte}-${removed.endByte}`
}
