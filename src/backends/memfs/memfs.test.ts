import { Volume } from 'memfs'
import { describe, test } from 'vitest'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import { memfs } from './index.ts'

const deviations = [
  {
    case: 'batch.sees-no-changes-of-others',
    why: 'a volume has no snapshots: what the batch has not looked at yet may change, and a commit that depends on it is refused',
  },
]

describe('on a volume of the host', () => {
  for (const row of vfsContractRows(() => memfs(new Volume()), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
})
describe('on a volume of its own', () => {
  for (const row of vfsContractRows(() => memfs(), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
})
