import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fastTemporary } from '../../testing/fuzz/oracle.ts'
import { hostDeviations } from '../../testing/vfs-contract/host-deviations.ts'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
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

test.each([1_444_384_103_372, -1500, -0.5, 0, 1001, 132_780_074.125])('the disk has the time %d exactly', async timeMs => {
  const directory = mkdtempSync(join(fastTemporary, 'node-times-'))
  const backend = node(directory)
  onTestFinished(async () => {
    await backend.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const fs = createVfs(backend)
  await fs.writeFile('/f', 'text')
  await fs.utimes('/f', timeMs)
  expect(statSync(join(directory, 'f')).mtimeMs).toBe(timeMs)
})

test.skipIf(process.platform !== 'linux')(
  'names that are not UTF-8 (only Linux has them) have a stat and are refused, not missing',
  async () => {
    const directory = mkdtempSync(join(fastTemporary, 'node-names-'))
    const backend = node(directory)
    onTestFinished(async () => {
      await backend.close()
      rmSync(directory, { recursive: true, force: true })
    })
    const inside = (bytes: string): Buffer => Buffer.from(`${directory}/${bytes}`, 'latin1')
    mkdirSync(inside('d\xe9'))
    writeFileSync(inside('d\xe9/c.txt'), 'needle')
    writeFileSync(inside('b\xff'), 'needle')
    writeFileSync(join(directory, 'ok\uFFFD'), 'needle')
    const fs = createVfs(backend)
    expect((await fs.readdir('/')).map(({ name }) => name)).toEqual(['b\uFFFD', 'd\uFFFD', 'ok\uFFFD'])
    expect(await fs.readText('/ok\uFFFD')).toBe('needle')
    await expect(fs.readFile('/b\uFFFD')).rejects.toMatchObject({ code: 'EIO', hint: expect.stringContaining('not UTF-8') })
    await expect(fs.readdir('/d\uFFFD')).rejects.toMatchObject({ code: 'EIO' })
    await expect(fs.writeFile('/b\uFFFD', 'other')).rejects.toMatchObject({ code: 'EIO' })
    await expect(fs.readFile('/d\uFFFD/c.txt')).rejects.toMatchObject({ name: 'VfsError' })
    expect(await fs.lstat('/b\uFFFD')).toMatchObject({ kind: 'file', sizeBytes: 6 })
    await expect(fs.readFile('/x\uFFFD')).rejects.toMatchObject({ code: 'ENOENT' })
  },
)
