// A kind is a row and a folder: this one is defined here, and atomic's read, write, search and find open it without knowing it.

import { expect, test } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { defaultLimits } from '../core/limits.ts'
import { parsePath } from '../core/path.ts'
import type { ResourceKind, ResourceMember, ResourceOpener, ResourceSource } from '../resources/kind.ts'
import { textOf } from '../testing/tool-session.ts'
import { atomic } from '../toolsets/atomic/manifest.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { LateBuffers } from '../workspace/late-buffers.ts'
import { openScope } from '../workspace/open-scope.ts'
import { kindOfName, placesIn } from './resource-places.ts'
import { createSession } from './session.ts'
import { openToolset } from './toolset-manifest.ts'

/** `a.pairs:key` is the value after `key=` in a file of such lines. */
const pairs: ResourceKind = { name: 'pairs', extensions: ['pairs'], load: () => Promise.resolve(pairsOpener) }

const pairsOpener: ResourceOpener = {
  async open({ text, source, inner }) {
    if (source === undefined) return undefined
    const values = await valuesOf(source)
    if (inner === '') {
      const members = async function* (): AsyncGenerator<ResourceMember, void> {
        for (const [name, value] of values) {
          yield { display: `${source.display}:${name}`, name, isDirectory: false, text: () => Promise.resolve(value) }
        }
      }
      return { kind: 'entries', display: text, names: [...values.keys()], total: values.size, members }
    }
    const value = values.get(inner)
    return value === undefined ? undefined : { kind: 'text', display: text, text: value }
  },
  async plan({ text, source, inner }, content) {
    const stored = source?.stored
    if (source === undefined || stored === undefined) throw new Error('not of this test')
    const values = new Map(await valuesOf(source)).set(inner, content)
    const bytes = new TextEncoder().encode([...values].map(([key, value]) => `${key}=${value}\n`).join(''))
    const writes = [{ path: stored.path, display: source.display, bytes, baseRev: stored.rev }]
    return { kind: 'files', writes, summary: `Set ${text}.` }
  },
}

async function valuesOf(source: ResourceSource): Promise<ReadonlyMap<string, string>> {
  const text = source.sizeBytes === 0 ? '' : new TextDecoder().decode(await source.read())
  return new Map(text.split('\n').flatMap(line => (line.includes('=') ? [line.split('=') as [string, string]] : [])))
}

test('a kind of its own is read, written, searched and found', async () => {
  const backend = memory({ '/w/a.pairs': 'one=first\ntwo=second\n5=five\n' })
  const fs = createVfs(backend)
  const { scope, dispose } = await openScope(
    { fs: backend, shell: 'none' },
    backend,
    fs,
    parsePath('/w'),
    new LateBuffers(() => Promise.reject(new Error('no editor is open'))),
  )
  const session = createSession(scope, {
    limits: defaultLimits,
    shell: { kind: 'none' },
    toolset: 'atomic',
    id: 's1',
    kinds: [pairs],
    actor: { kind: 'agent' },
    overwrite: 'note',
  })
  const tools = await openToolset(atomic, session, {})
  const text = async (tool: string, args: unknown): Promise<string> => textOf(await tools.call(tool, args))

  expect(await text('read', { path: 'a.pairs' })).toBe('one\ntwo\n5')
  expect(await text('read', { path: 'a.pairs:two' })).toBe('second')
  // Text that looks like a selector may be a name.
  expect(await text('read', { path: 'a.pairs:5' })).toBe('five')
  expect(await text('read', { path: 'a.pairs:two:9' })).toContain('beyond the end')
  expect(await text('read', { path: 'a.pairs:none' })).toContain('ENOENT')
  expect(await text('write', { path: 'a.pairs:two', content: 'other' })).toBe('Set a.pairs:two.')
  expect(await fs.readText('/w/a.pairs')).toBe('one=first\ntwo=other\n5=five\n')
  expect(await text('search', { pattern: 'o.her', paths: 'a.pairs' })).toContain('a.pairs:two:1: other')
  expect(await text('find', { paths: ['a.pairs:t*'] })).toContain('a.pairs:two')
  // A file of exactly that name has priority.
  await fs.writeFile('/w/a.pairs:two', 'a file\n')
  expect(await text('read', { path: 'a.pairs:two' })).toMatch(/^\[a\.pairs:two#[0-9A-F]{4}\]\n1:a file$/)
  await tools.close()
  await dispose()
})

const kinds: readonly ResourceKind[] = [
  { name: 'packed', extensions: ['gz', 'tar.gz'], load: () => Promise.reject(new Error('never loaded')) },
  { name: 'web', prefixes: ['https://'], load: () => Promise.reject(new Error('never loaded')) },
  { name: 'other', prefixes: ['://'], load: () => Promise.reject(new Error('never loaded')) },
]

const places: readonly [text: string, found: readonly string[]][] = [
  ['a.ts', []],
  ['a.gz', []],
  ['a.gz:', ['packed a.gz ']],
  ['a.gz:b', ['packed a.gz b']],
  ['a.gz?b', ['packed a.gz ?b']],
  ['a.tar.gz:b.gz:c', ['packed a.tar.gz:b.gz c', 'packed a.tar.gz b.gz:c']],
  ['.gz:b', []],
  ['d/.gz:b', []],
  ['A.GZ:B', ['packed A.GZ B']],
  ['https://a.gz:8/b', ['web - https://a.gz:8/b']],
  ['foo://a', ['other - foo://a']],
]
test.each(places)('%s', (text, found) => {
  expect(placesIn(kinds, text).map(({ kind, file, inner }) => `${kind.name} ${file ?? '-'} ${inner}`)).toEqual(found)
  expect(kindOfName(kinds, 'x.tar.gz')?.name).toBe('packed')
})
