// An editor whose workspace was replaced, for example with its worker, continues in the new one with everything that was typed.

import { AnchorageError } from '../core/errors.ts'
import { mergeTexts } from '../text/merge.ts'
import { textDifference } from '../text/text-difference.ts'
import type { BufferLink, OpenedBuffer } from './link.ts'
import type { BufferReplica } from './replica.ts'

/**
 * `opened` is the file in the new workspace. What was not saved is merged with it by lines. Throws `AnchorageError` `buffer-lost` if both
 * changed the same lines: then the editor's text stays readable, and nothing is overwritten.
 */
export function rejoinText(replica: BufferReplica, opened: OpenedBuffer, link: BufferLink): void {
  const { text, savedText } = replica
  const merged = replica.dirty ? mergeTexts(savedText, text, opened.text) : ({ kind: 'merged', text: opened.text } as const)
  if (merged.kind === 'conflict') {
    throw new AnchorageError(
      'buffer-lost',
      `The worker of ${replica.path} was lost, and its file has other text in the same lines as the editor. Next: copy the editor's text, and open the file again.`,
    )
  }
  replica.rejoin(opened, link, {
    arrived: textDifference(text, merged.text),
    unsent: textDifference(opened.text, merged.text),
  })
}
