// An editor whose workspace was replaced, for example with its worker, continues in the new one with everything that was typed.

import { mapChange } from '../text/text-change.ts'
import { textDifference } from '../text/text-difference.ts'
import type { BufferLink, OpenedBuffer } from './link.ts'
import type { BufferReplica } from './replica.ts'

/** `opened` is what became of `sent`, the editor's text when it asked. What was typed since then is merged with it by characters. */
export function rejoinText(replica: BufferReplica, sent: string, opened: OpenedBuffer, link: BufferLink): void {
  const typed = textDifference(sent, replica.text)
  const there = textDifference(sent, opened.text)
  replica.rejoin(opened, link, { arrived: mapChange(there, typed, 'before'), unsent: mapChange(typed, there, 'after') })
}
