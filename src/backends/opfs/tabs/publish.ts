// Reports the edits of a transaction to watchers together, and separate operations that were only committed together one by one.

import type { Feed } from '../../../vfs/feed.ts'
import { changeOf, type Edit } from '../../../vfs/tree/edit.ts'

export function publishEdits(feed: Feed, edits: readonly Edit[], isTogether: boolean, origin: string | undefined): void {
  if (isTogether) feed.publish(edits.map(changeOf), origin)
  else for (const edit of edits) feed.publish([changeOf(edit)], origin)
}
