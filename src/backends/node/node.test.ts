import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { node } from './index.ts'

const deviations = [
  {
    case: 'batch.sees-no-changes-of-others',
    why: 'a directory has no snapshots: what the batch has not looked at yet may change, and a commit that depends on it is refused',
  },
  ...(process.getuid?.() === 0
    ? []
    : [{ case: 'setattr.mode-is-not-enforced', why: 'the system enforces it for everyone but the superuser' }]),
]

function temporary(): VfsBackend {
  const directory = mkdtempSync(join(tmpdir(), 'node-backend-'))
  const backend = node(directory)
  return {
    ...backend,
    async close() {
      await backend.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

describe('contract', () => {
  for (const row of vfsContractRows(temporary, { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
})
