import { expect, it } from 'vitest'
import { memory as backend, type MemoryFiles } from '../backends/memory/index.ts'
import { memory } from './memory-recipe.ts'
import { toWireFileSystem } from './options.ts'

const rows: readonly (readonly [what: string, files: MemoryFiles | undefined])[] = [
  ['nothing', undefined],
  ['text, bytes and an empty directory', { 'a.txt': '1', '/b': Uint8Array.of(1), 'd/': null }],
  ['a file named like a part of the description', { recipe: 'x', lookup: 'y' }],
]

it.each(rows)('says the same as the filesystem itself: %s', (_what, files) => {
  expect(toWireFileSystem(memory(files))).toEqual(toWireFileSystem(backend(files)))
  const mounts = { '/': backend(), '/m': memory(files) }
  expect(toWireFileSystem(mounts)).toEqual(toWireFileSystem({ '/': backend(), '/m': backend(files) }))
})
