// A real workspace in the worker, created from recipes.

import { describe, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { atRoot } from '../vfs/at-root.ts'
import { mountBackends } from '../vfs/mount.ts'
import { overlay } from '../vfs/overlay.ts'
import { readonly } from '../vfs/readonly.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type ClientWorkspaceOptions } from './client.ts'
import { openAcross } from '../testing/workspace-places.ts'

const connect = (options: ClientWorkspaceOptions): Promise<Workspace> => openAcross({ shell: 'none', ...options })

/** A backend that has only a recipe. */
function recipeOnly(recipe: VfsBackend['recipe']): VfsBackend {
  return Object.assign(memory(), { recipe })
}

test('files lie below the root, text, bytes and empty directories', async () => {
  const { fs, root } = await connect({
    fs: memory({ 'a/b.txt': 'one', 'c.bin': Uint8Array.of(0, 255), 'empty/': null }),
    root: '/project',
  })
  expect(root).toBe('/project')
  expect(await fs.readText('/project/a/b.txt')).toBe('one')
  expect(await fs.readFile('/project/c.bin')).toEqual(Uint8Array.of(0, 255))
  expect((await fs.stat('/project/empty')).kind).toBe('directory')
})

test('a mount table keeps its paths apart', async () => {
  const { fs } = await connect({ fs: { '/': memory({ '/x': 'outer' }), '/in': memory({ '/x': 'inner' }) }, root: '/' })
  expect(await fs.readText('/x')).toBe('outer')
  expect(await fs.readText('/in/x')).toBe('inner')
})

describe('filesystems made of filesystems cross as their parts:', () => {
  const rows: readonly (readonly [name: string, make: () => VfsBackend, text: string, write: string])[] = [
    ['an overlay', () => overlay(memory({ '/a': 'lower' })), 'lower', 'fine'],
    ['an overlay over another', () => overlay(overlay(memory({ '/a': 'lower' })), memory()), 'lower', 'fine'],
    ['a read-only view', () => readonly(memory({ '/a': 'kept' })), 'kept', 'EROFS'],
    ['a directory as a whole', () => atRoot(memory({ '/in/a': 'inside' }), '/in'), 'inside', 'fine'],
    ['a mount', () => mountBackends({ '/': memory({ '/a': 'outer' }), '/in': overlay(memory()) }), 'outer', 'fine'],
  ]
  test.each(rows)('%s', async (_name, make, text, write) => {
    const { fs } = await connect({ fs: make(), root: '/' })
    expect(await fs.readText('/a')).toBe(text)
    const wrote = await fs.writeFile('/a', 'new').then(
      () => 'fine',
      (error: unknown) => Reflect.get(Object(error), 'code'),
    )
    expect(wrote).toBe(write)
  })

  test('one of them in a mount table', async () => {
    const { fs } = await connect({ fs: { '/': memory(), '/in': overlay(memory({ '/a': 'lower' })) }, root: '/' })
    expect(await fs.readText('/in/a')).toBe('lower')
  })

  test('a part that cannot be sent is named', async () => {
    const live = memory({}, { clock: () => 0 })
    await expect(connect({ fs: overlay(live) })).rejects.toMatchObject({ code: 'no-recipe' })
    await expect(connect({ fs: recipeOnly({ kind: 'overlay', parts: {} }) })).rejects.toMatchObject({ code: 'bad-recipe' })
    await expect(connect({ fs: recipeOnly({ kind: 'readonly', parts: { whole: { kind: 'nope' } } }) })).rejects.toMatchObject({
      code: 'unknown-recipe',
    })
  })
})

test('a tool reads what was put there', async () => {
  const tools = await (await connect({ fs: memory({ 'a.txt': 'hello\n' }) })).toolset('atomic')
  const result = await tools.call('read', { path: 'a.txt' })
  expect(result.isError).toBe(false)
  expect(JSON.stringify(result.content)).toContain('hello')
})

const failures: readonly [name: string, options: ClientWorkspaceOptions, code: string][] = [
  ['an unknown recipe', { fs: recipeOnly({ kind: 'tape' }) }, 'unknown-recipe'],
  ['a recipe named like a prototype', { fs: recipeOnly({ kind: '__proto__' }) }, 'unknown-recipe'],
  ['a file that is neither text nor bytes', { fs: recipeOnly({ kind: 'memory', files: { a: 7 } }) }, 'bad-recipe'],
  ['files that are no record', { fs: recipeOnly({ kind: 'memory', files: ['a'] }) }, 'wire-refused'],
  ['no filesystem', {}, 'no-filesystem'],
]
test.each(failures)('%s is an error with a next step', async (_name, options, code) => {
  await expect(connect(options)).rejects.toMatchObject({ code, message: expect.stringContaining('Next:') })
})

test('a policy holds on the far side', async () => {
  const far = await connect({ fs: memory({ 'p/a': 'a' }), policy: { protect: ['p'] } })
  const tools = await far.toolset('ah')
  const refused = await tools.call('write', { path: 'p/b', content: 'b' })
  expect(refused).toMatchObject({ isError: true, details: { error: { code: 'EACCES' } } })
  expect(await far.fs.exists('/workspace/p/b')).toBe(false)
})

test.each([
  [{ level: 'raed' }, 'workspace-options'],
  [{ approve: 'allow' }, 'workspace-options'],
  ['write', 'workspace-options'],
])('the policy %j is refused', async (policy, code) => {
  const options = { fs: memory(), policy } as ClientWorkspaceOptions
  await expect(connect(options)).rejects.toMatchObject({ code: expect.stringMatching(code) })
})
