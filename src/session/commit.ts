// The only way in which a tool changes files: everything that one call writes is committed in one batch, or nothing is.

import { ToolError } from '../core/errors.ts'
import type { Stat } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { PlannedWrite } from '../vfs/planned-write.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { WriteReview } from './policy/approve.ts'

/**
 * Throws `ToolError`: `file-changed` if a file is no longer what the plan was based on, `approval-denied` if a user was asked and refused.
 * Then nothing was written.
 */
export async function commitWrites(
  vfs: Vfs & WriteReview,
  writes: readonly PlannedWrite[],
  signal: AbortSignal,
): Promise<readonly Stat[]> {
  signal.throwIfAborted()
  const files = (await vfs.reviewWrites?.(writes)) ?? vfs
  const expect = Object.fromEntries(writes.map(write => [write.path, write.baseRev]))
  try {
    return await files.batch(
      async fs => {
        const stats: Stat[] = []
        for (const write of writes) {
          let stat = await fs.writeFile(write.path, write.bytes, { parents: true })
          if (write.mode !== undefined) {
            await fs.chmod(write.path, write.mode)
            stat = await fs.stat(write.path)
          }
          stats.push(stat)
        }
        // This is the last point at which an abort guarantees that nothing was written.
        signal.throwIfAborted()
        return stats
      },
      { expect },
    )
  } catch (error) {
    if (!isVfsError(error, 'ESTALE')) throw error
    const changed = writes.find(write => write.path === error.path)?.display ?? error.path ?? 'a file'
    throw new ToolError(
      'file-changed',
      `${changed} was changed by another writer while this call was preparing its write. Nothing was written.`,
      {
        nextStep: 'Read the file again and repeat the change with its present text.',
        details: { path: changed },
        cause: error,
      },
    )
  }
}
