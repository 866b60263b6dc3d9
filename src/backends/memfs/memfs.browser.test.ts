// The shipped bundle of memfs, in a page without polyfills.
import { expect, test } from 'vitest'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import { memfs } from './index.ts'
import { hostDeviations as deviations } from '../../testing/vfs-contract/host-deviations.ts'

test('the page has no Buffer and no process of its own', async () => {
  await memfs().flush()
  expect(['Buffer', 'require'].filter(name => name in globalThis)).toEqual([])
})

for (const row of vfsContractRows(() => memfs(), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
