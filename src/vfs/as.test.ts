import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { memfs } from '../backends/memfs/index.ts'
import type { Change, VfsBackend } from './backend.ts'
import { atRoot } from './at-root.ts'
import { createVfs } from './create-vfs.ts'
import { mountBackends } from './mount.ts'
import { overlay } from './overlay.ts'

const backends: Readonly<Record<string, () => VfsBackend | Promise<VfsBackend>>> = {
  memory: () => memory(),
  memfs: () => memfs(),
  overlay: () => overlay(memory()),
  mount: () => mountBackends({ '/': memory(), '/m': memory() }),
  'a directory': () => atRoot(memory({ '/r/x': '' }), '/r'),
}

test.each(Object.entries(backends))('who changed a file is told by `as`, on %s', async (_name, make) => {
  const fs = createVfs(await make())
  const told: Change[] = []
  await fs.watch('/', ({ changes }) => told.push(...changes), { immediate: true })
  await fs.writeFile('/by-nobody', '')
  await fs.as('person').writeFile('/by-person', '')
  await fs.as('importer').mkdir('/by-importer')
  await fs.as({ kind: 'agent', name: 'main' }).rename('/by-person', '/by-agent')
  await fs.as('person').batch(files => files.writeFile('/by-importer/f', ''))
  await fs.as('importer').as('shell').rm('/by-importer/f')
  await expect
    .poll(() => told.filter(({ path }) => path.startsWith('/by-')).map(({ path, type, by }) => [path, type, by?.actor]))
    .toEqual([
      ['/by-nobody', 'create', undefined],
      ['/by-person', 'create', { kind: 'person' }],
      ['/by-importer', 'create', { kind: 'host', name: 'importer' }],
      ['/by-agent', 'move', { kind: 'agent', name: 'main' }],
      ['/by-importer/f', 'create', { kind: 'person' }],
      ['/by-importer/f', 'delete', { kind: 'shell' }],
    ])
})

test.each(['', 'x'.repeat(201), { kind: 'nobody' }, undefined])('%j is nobody', given => {
  expect(() => createVfs(memory()).as(given as string)).toThrow('The actor cannot be used')
})
