// The parts of the facade that are not compared with Node: its interface, its differences from Node, and concurrent calls.
import { expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import type { VfsBackend } from '../../backend.ts'
import { createVfs } from '../../create-vfs.ts'
import { readonly } from '../../readonly.ts'
import { type NodeFs, type NodeFsOptions, toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

function tree(): VfsBackend {
  return emptyTree()
}

const open = (options?: NodeFsOptions): NodeFs => toNodeFs(createVfs(tree()), options)

/** Everything through promises, without transactions, like a WebContainer or a plain directory. */
function waitingBackend(): VfsBackend {
  const { sync: _sync, batch: _batch, snapshot: _snapshot, ...rest } = tree()
  return { ...rest, caps: { ...rest.caps, sync: false, transactions: false, snapshots: false } }
}

const waiting = (): NodeFs => toNodeFs(createVfs(waitingBackend()))

test('`promises` is an own enumerable property, with every function its own', () => {
  const fs = open()
  expect(Object.getOwnPropertyDescriptor(fs, 'promises')).toMatchObject({ enumerable: true })
  const { constants, ...functions } = fs.promises
  expect(constants.S_IFDIR).toBe(0o040000)
  for (const [name, value] of Object.entries(functions)) expect(typeof value, name).toBe('function')
  expect(Object.keys(toNodeFs(createVfs(waitingBackend()))).filter(name => name.endsWith('Sync'))).toEqual([])
})

test.each(Object.keys(open().promises).filter(name => !['constants', 'watch', 'glob', 'lchmod'].includes(name)))(
  '%s without arguments rejects, and does not throw',
  async name => {
    const { promises } = open()
    const call: unknown = Reflect.get(promises, name)
    if (typeof call !== 'function') throw new Error('it is no function')
    const result: unknown = Reflect.apply(call, promises, [])
    expect(result).toBeInstanceOf(Promise)
    await expect(result).rejects.toMatchObject({ code: expect.stringMatching(/^ERR_INVALID_ARG/) })
  },
)

test('bytes lie in a buffer of exactly their length, which nothing else uses', async () => {
  const fs = open()
  await fs.promises.writeFile('/a', 'abc')
  await fs.promises.writeFile('/b', 'def')
  const read = await fs.promises.readFile('/a')
  if (typeof read === 'string') throw new Error('bytes were asked for')
  expect([read.byteOffset, read.buffer.byteLength, read.constructor]).toEqual([0, 3, Buffer])
  read.fill(0)
  expect(await fs.promises.readFile('/a', 'utf8')).toBe('abc')
})

test('relative paths begin at the working directory', async () => {
  const fs = open({ workingDirectory: '/w' })
  await fs.promises.mkdir('/w/d', { recursive: true })
  await fs.promises.writeFile('d/f', '1')
  expect(await fs.promises.readFile('/w/d/f', 'utf8')).toBe('1')
  await expect(fs.promises.readFile('none')).rejects.toMatchObject({
    path: 'none',
    message: "ENOENT: no such file or directory, open 'none'",
  })
})

test('a recursive listing never enters a link, so it ends', async () => {
  const fs = open()
  await fs.promises.mkdir('/d')
  await fs.promises.symlink('..', '/d/up')
  expect(await fs.promises.readdir('/', { recursive: true })).toEqual(['d', 'd/up'])
})

test('a write in the middle loses nobody’s', async () => {
  const fs = open()
  await fs.promises.writeFile('/f', '.'.repeat(20))
  const handles = await Promise.all(Array.from({ length: 10 }, () => fs.promises.open('/f', 'r+')))
  await Promise.all(handles.map((handle, index) => handle.write(`${index}`, 2 * index)))
  await Promise.all(handles.map(handle => handle.close()))
  expect(await fs.promises.readFile('/f', 'utf8')).toBe('0.1.2.3.4.5.6.7.8.9.')
})

test('writes by one handle keep their order, which Node does not promise', async () => {
  const fs = open()
  const handle = await fs.promises.open('/f', 'w')
  await Promise.all(['a', 'b', 'c', 'd'].map(letter => handle.write(letter)))
  await handle.close()
  expect(await fs.promises.readFile('/f', 'utf8')).toBe('abcd')
})

test('rmdir takes only what is empty, also where nothing is atomic', async () => {
  const fs = waiting()
  await fs.promises.mkdir('/d')
  await fs.promises.writeFile('/d/f', '1')
  await expect(fs.promises.rmdir('/d')).rejects.toMatchObject({ code: 'ENOTEMPTY', syscall: 'rmdir', path: '/d' })
  await expect(fs.promises.rmdir('/d/f')).rejects.toMatchObject({ code: 'ENOTDIR' })
  await fs.promises.unlink('/d/f')
  await fs.promises.rmdir('/d')
  expect(await fs.promises.readdir('/')).toEqual([])
})

test('a filesystem that cannot be written says so before', async () => {
  const backend = tree()
  await backend.write(parsePath('/f'), new Uint8Array())
  const fs = toNodeFs(createVfs(readonly(backend)))
  await fs.promises.access('/f')
  await expect(fs.promises.access('/f', fs.constants.W_OK)).rejects.toMatchObject({ code: 'EROFS', syscall: 'access' })
  await expect(fs.promises.writeFile('/f', 'x')).rejects.toMatchObject({ code: 'EROFS', syscall: 'open', errno: -30 })
})

test('an aborted read or write does nothing', async () => {
  const fs = open()
  const reason = new Error('enough')
  const signal = AbortSignal.abort(reason)
  await expect(fs.promises.writeFile('/f', 'x', { signal })).rejects.toMatchObject({ code: 'ABORT_ERR', cause: reason })
  await expect(fs.promises.readFile('/f', { signal })).rejects.toMatchObject({ name: 'AbortError' })
  expect(await fs.promises.readdir('/')).toEqual([])
})

test('watch tells names, and ends when it is aborted', async () => {
  const fs = open()
  await fs.promises.mkdir('/d/e', { recursive: true })
  const controller = new AbortController()
  const heard: string[] = []
  const listening = (async () => {
    for await (const { eventType, filename } of fs.promises.watch('/d', { signal: controller.signal, recursive: true })) {
      heard.push(`${eventType} ${String(filename)}`)
      if (heard.length === 5) controller.abort()
    }
  })()
  await new Promise(resolve => setTimeout(resolve, 5))
  await fs.promises.writeFile('/d/f', '1')
  await fs.promises.writeFile('/d/f', '2')
  await fs.promises.rename('/d/f', '/d/e/g')
  await fs.promises.writeFile('/elsewhere', '1')
  await fs.promises.unlink('/d/e/g')
  await expect(listening).rejects.toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' })
  expect(heard).toEqual(['rename f', 'change f', 'rename f', 'rename e/g', 'rename e/g'])
})

test('watch stops when its reader does, and tells of a missing path', async () => {
  const fs = open()
  await fs.promises.writeFile('/f', '1')
  setTimeout(() => void fs.promises.writeFile('/f', '2'), 5)
  for await (const event of fs.promises.watch('/f')) {
    expect(event).toEqual({ eventType: 'change', filename: 'f' })
    break
  }
  await expect(fs.promises.watch('/none')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'ENOENT',
    syscall: 'watch',
    path: '/none',
  })
})

test('bytes that are not UTF-8 name nothing, and never the file with a replacement character in its name', async () => {
  const { promises } = open()
  await promises.writeFile(Buffer.from('/\ufffd'), 'kept')
  const bytes = Buffer.from([47, 255])
  const refused = [() => promises.writeFile(bytes, ''), () => promises.readFile(bytes), () => promises.symlink(bytes, '/l')]
  for (const act of refused) await expect(act()).rejects.toMatchObject({ code: 'EINVAL' })
  expect(await promises.readdir('/')).toEqual(['\ufffd'])
  expect(await promises.readFile('/\ufffd', 'utf8')).toBe('kept')
})
