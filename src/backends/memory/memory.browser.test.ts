import { test } from 'vitest'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import { memory } from './index.ts'

for (const row of vfsContractRows(() => memory())) test.skipIf(row.isSkipped)(row.name, row.run)
