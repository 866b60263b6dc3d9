// The functions that Node has in newer versions only, so that they cannot be compared with the running one, and what a page lacks.
import { expect, test } from 'vitest'
import { createVfs } from '../../create-vfs.ts'
import { type NodeFs, type NodeFsOptions, type NodeStream, toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

/** A facade over a tree that is given like 'd/f=text l->target'. */
function facade(tree = '', options: NodeFsOptions = {}): NodeFs {
  const fs = toNodeFs(createVfs(emptyTree()), options)
  for (const item of tree.split(' ').filter(Boolean)) {
    const [, name = '', sign = '', value = ''] = /^(.*?)(=|->)(.*)$/.exec(item) ?? []
    fs.mkdirSync?.(`/${name}`.replace(/\/[^/]*$/, '') || '/', { recursive: true })
    if (sign === '->') fs.symlinkSync?.(value, `/${name}`)
    else fs.writeFileSync?.(`/${name}`, value)
  }
  return fs
}

const sources = 'a/1.js= a/b/2.js= a/b/c/3.ts= a/.hid/4.js= a/.dotfile.js= x/5.js= top.js= .dot= la->a lf->top.js'

test.each([
  ['*', 'a la lf top.js x'],
  ['**/*.js', 'a/1.js a/b/2.js top.js x/5.js'],
  ['a/**', 'a a/1.js a/b a/b/2.js a/b/c a/b/c/3.ts'],
  ['a/**/', 'a a/b a/b/c'],
  ['*/', 'a x'],
  ['la/*', 'la/1.js la/b'],
  ['*/*.js', 'a/1.js x/5.js'],
  ['{a,x}/*.js', 'a/1.js x/5.js'],
  ['a/../x/*', 'x/5.js'],
  ['**/.*', '.dot a/.dotfile.js a/.hid'],
  ['/a/*.js', '/a/1.js'],
  ['none/*', ''],
  ['top.js/**', 'top.js'],
  ['*.js/**', ''],
  ['*/.', 'a x'],
  ['*.js/.', ''],
])('glob %s', (pattern, expected) => {
  expect(
    facade(sources)
      .globSync?.(pattern)
      .map(String)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .join(' '),
  ).toBe(expected)
})

test('glob leaves out what a pattern or a function names, and gives entries', async () => {
  const fs = facade(sources)
  expect(fs.globSync?.('**/*.js', { exclude: ['a/**'] })).toEqual(['top.js', 'x/5.js'])
  expect(fs.globSync?.('*/*.js', { exclude: (path: string) => path === 'x' })).toEqual(['a/1.js'])
  const [entry] = fs.globSync?.('*.js', { cwd: '/a/b', withFileTypes: true }) ?? []
  expect(entry).toMatchObject({ name: '2.js', parentPath: '/a/b' })
  const found: unknown[] = []
  for await (const path of fs.promises.glob('x/*')) found.push(path)
  expect(found).toEqual(['x/5.js'])
})

test('a temporary directory removes itself', async () => {
  const fs = facade('t/f=1')
  const made = fs.mkdtempDisposableSync?.('/t/m-')
  expect(fs.readdirSync?.('/t')).toHaveLength(2)
  made?.remove()
  const other = await fs.promises.mkdtempDisposable('/t/n-')
  await fs.promises.writeFile(`${String(other.path)}/g`, 'x')
  await other.remove()
  expect(fs.readdirSync?.('/t')).toEqual(['f'])
})

test('a file as a blob keeps the content that it had', async () => {
  const fs = facade('f=before')
  const blob = await fs.openAsBlob('/f', { type: 'text/plain' })
  fs.writeFileSync?.('/f', 'after')
  expect([blob.type, await blob.text()]).toEqual(['text/plain', 'before'])
})

test('a callback function throws without its callback, and calls back later', async () => {
  const fs = facade('f=1')
  expect(() => fs.readFile('/f')).toThrow('The "cb" argument must be of type function. Received undefined')
  const order: string[] = []
  await new Promise<void>(resolve => {
    fs.readFile('/f', 'utf8', (error: unknown, text: string) => {
      order.push(String(error), text)
      resolve()
    })
    order.push('returned')
  })
  expect(order).toEqual(['returned', 'null', '1'])
})

test('an abort in the same task prevents a write', async () => {
  const fs = facade('f=1')
  const controller = new AbortController()
  const writing = fs.promises.writeFile('/f', '2', { signal: controller.signal })
  controller.abort()
  await expect(writing).rejects.toMatchObject({ code: 'ABORT_ERR' })
  expect(fs.readFileSync?.('/f', 'utf8')).toBe('1')
})

test('bytes are Buffers where the platform has them, or of the class that is given', async () => {
  expect(facade('f=é').readFileSync?.('/f').toString()).toBe('é')
  class Bytes extends Uint8Array<ArrayBuffer> {
    static override from(...args: readonly never[]): Bytes {
      const [buffer, offset, length] = args as unknown as [ArrayBuffer, number, number]
      return new Bytes(buffer, offset, length)
    }
  }
  const fs = facade('f=1', { Buffer: Bytes as unknown as NonNullable<NodeFsOptions['Buffer']> })
  expect(await fs.promises.readFile('/f')).toBeInstanceOf(Bytes)
})

test('streams are Node’s, of a path or a handle', async () => {
  const fs = facade('f=0123456789')
  const text = async (stream: unknown): Promise<string> => {
    const chunks: unknown[] = []
    for await (const chunk of stream as NodeStream) chunks.push(chunk)
    return chunks.join('|')
  }
  const stream = fs.createReadStream('/f', { encoding: 'utf8', start: 2, end: 7, highWaterMark: 3 })
  expect(stream).toBeInstanceOf(fs.ReadStream)
  expect(await text(stream)).toBe('234|567')
  const handle = await fs.promises.open('/f')
  expect(await text(handle.createReadStream({ encoding: 'utf8', start: 8 }))).toBe('89')
  await expect(handle.stat()).rejects.toMatchObject({ code: 'EBADF' })
  const lines = await fs.promises.open('/f')
  expect(await text(lines.readLines())).toBe('0123456789')
})

test('a recursive listing of names enters no directory that it came through', () => {
  const fs = facade('d/g=1 d/loop->. d/up->.. e/x->../d')
  const names = fs.readdirSync?.('/', { recursive: true }) ?? []
  expect(names.map(String).toSorted()).toEqual('d d/g d/loop d/up e e/x e/x/g e/x/loop e/x/up'.split(' '))
})

test('a directory that is opened with the encoding `buffer` has bytes', () => {
  const directory = facade('é=1').opendirSync?.('/', { encoding: 'buffer' })
  expect([directory?.path, directory?.readSync()?.name]).toEqual(['/', Buffer.from('é')])
})

test.each(['d/..', 'dl/..', 'd/../'])('a recursive removal of %s removes nothing', async path => {
  const fs = facade('d/f=1 other/g=2 dl->other')
  const before = fs.readdirSync?.('/', { recursive: true })
  const refused = { code: 'ENOTEMPTY', syscall: 'rmdir', path: `/${path}` }
  for (const force of [false, true]) {
    await expect(fs.promises.rm(`/${path}`, { recursive: true, force })).rejects.toMatchObject(refused)
    expect(() => fs.rmSync?.(`/${path}`, { recursive: true, force })).toThrow(expect.objectContaining(refused) as Error)
  }
  expect(fs.readdirSync?.('/', { recursive: true })).toEqual(before)
})

test.each([
  ['a link over one that leads nowhere, at once', 'l', 'gone', (fs: NodeFs) => fs.cpSync?.('/l', '/gone'), 'ENOENT'],
  ['a link over one that leads nowhere', 'l', 'gone', (fs: NodeFs) => fs.promises.cp('/l', '/gone'), undefined],
  ['a link that leads nowhere over one, at once', 'gone', 'l', (fs: NodeFs) => fs.cpSync?.('/gone', '/l'), undefined],
  ['a link that leads nowhere over one', 'gone', 'l', (fs: NodeFs) => fs.promises.cp('/gone', '/l'), 'ENOENT'],
])('cp of %s', async (_what, from, to, act, code) => {
  const fs = facade('f=1 l->f gone->none')
  const targets = [fs.readlinkSync?.(`/${from}`), fs.readlinkSync?.(`/${to}`)]
  const outcome = await (async () => act(fs))().then(
    () => undefined,
    (error: unknown) => (error as { readonly code?: unknown }).code,
  )
  expect(outcome).toBe(code)
  const [source, old] = targets
  expect(fs.readlinkSync?.(`/${to}`)).toBe(code === undefined ? `/${String(source)}` : old)
})
