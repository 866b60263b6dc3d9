// A directory that the filesystem refuses to list must not end a search of everything else.

import { expect, test } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { textOf } from '../testing/tool-session.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { VfsError } from '../vfs/error.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'

/** Without snapshots. Nobody may list `locked` or read an ignore file. */
function withLocks({ snapshot: _snapshot, fork: _fork, sync: _sync, ...backend }: VfsBackend): VfsBackend {
  const refuse = (path: string): never => {
    throw new VfsError('EACCES', 'open', { path })
  }
  return {
    ...backend,
    caps: { ...backend.caps, snapshots: false, sync: false },
    list: async path => (path.endsWith('/locked') ? refuse(path) : backend.list(path)),
    read: async (path, range) => (path.endsWith('ignore') ? refuse(path) : backend.read(path, range)),
    as: origin => withLocks(backend.as?.(origin) ?? refuse('/')),
  }
}

test.each<[name: ToolsetName, tool: string, args: unknown, says: string]>([
  ['atomic', 'search', { pattern: 'needle' }, 'locked'],
  ['atomic', 'find', { paths: ['**/*.txt'] }, 'Not listed, because the filesystem cannot read it: d/locked.'],
  ['atomic', 'read', { path: 'd' }, '(cannot be read)'],
  ['rye', 'grep', { pattern: 'needle' }, 'd/locked cannot be read'],
  ['rye', 'glob', { pattern: '**/*.txt' }, 'd/locked cannot be read'],
])('%s: %s lists the rest and names it', async (name, tool, args, says) => {
  const workspace = await createWorkspace({
    fs: withLocks(
      memory({
        'a.txt': 'needle\n',
        'd/locked/b.txt': 'needle\n',
        'd/z.txt': 'needle\n',
        'd/a.txt': 'needle\n',
        '.gitignore': 'z.txt\n',
      }),
    ),
    shell: 'none',
  })
  const result = await (await workspace.toolset(name)).call(tool, args)
  const text = textOf(result)
  expect(text).toContain('a.txt')
  expect(text).toContain('z.txt')
  expect(text).toContain(says)
  await workspace.dispose()
})
