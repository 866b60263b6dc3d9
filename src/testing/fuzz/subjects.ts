// Every filesystem that claims POSIX rules.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parsePath } from '../../core/path.ts'
import { memfs } from '../../backends/memfs/index.ts'
import { memory } from '../../backends/memory/index.ts'
import { node } from '../../backends/node/index.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { atRoot } from '../../vfs/at-root.ts'
import { mountBackends } from '../../vfs/mount.ts'
import { fastTemporary } from './oracle.ts'
import type { KnownDifference, Subject } from './run.ts'

const copiedSymlinks: KnownDifference = {
  why: 'a symlink never changes, so a hard link to one is a copy of it; only a rename of one onto the other could tell',
  isMetBy: (step, kind) => step.verb === 'link' && kind === 'symlink',
  stream: [
    { verb: 'symlink', at: parsePath('/a'), target: 'x' },
    { verb: 'link', at: parsePath('/a'), to: parsePath('/b') },
    { verb: 'rename', at: parsePath('/a'), to: parsePath('/b') },
  ],
}

function inDirectory(whole: VfsBackend): VfsBackend {
  whole.sync?.mkdir(parsePath('/d'))
  whole.sync?.mkdir(parsePath('/d/e'))
  return atRoot(whole, '/d/e')
}

export const subjects: readonly Subject[] = [
  { name: 'memory', open: () => memory(), differences: [copiedSymlinks] },
  { name: 'memory, mounted', open: () => mountBackends({ '/': memory() }), differences: [copiedSymlinks] },
  { name: 'a directory of memory', open: () => inDirectory(memory()), differences: [copiedSymlinks] },
  { name: 'memfs', open: () => memfs() },
  {
    name: 'node',
    open() {
      const directory = mkdtempSync(join(fastTemporary, 'fuzz-node-'))
      const backend = node(directory, { durability: 'flush' })
      return {
        ...backend,
        async close() {
          await backend.close()
          rmSync(directory, { recursive: true, force: true })
        },
      }
    },
  },
]
