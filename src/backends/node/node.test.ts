import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { fastTemporary } from '../../testing/fuzz/oracle.ts'
import { hostDeviations } from '../../testing/vfs-contract/host-deviations.ts'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { node } from './index.ts'

const deviations = [
  ...hostDeviations,
  ...(process.getuid?.() === 0
    ? []
    : [{ case: 'setattr.mode-is-not-enforced', why: 'the system enforces it for everyone but the superuser' }]),
]

function temporary(): VfsBackend {
  const directory = mkdtempSync(join(fastTemporary, 'node-backend-'))
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
