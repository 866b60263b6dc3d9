// State that the tools of one ah session share: which lines of which texts the model was shown. `edit` refuses a text that has moved since
// it was copied, also after a reload.

import type { Session } from '../../session/session.ts'
import { ShownFiles } from '../../session/shown-files.ts'

export interface AhState {
  /** Lines end at LF; a final newline leaves an empty last line, so that the joined lines are the text. */
  readonly shown: ShownFiles
}

export function createAhState({ own, limits }: Session): AhState {
  return { shown: new ShownFiles(own, 'ah', limits.snapshotMaxBytes) }
}
