// A descriptor refers to a file and not to a path, whatever happens to the names of the file, and through whichever interface.
import { describe, expect, test } from 'vitest'
import { compareWithNode, type NodeFsRow } from '../../../testing/node-fs-comparison.ts'
import { parsePath } from '../../../core/path.ts'
import { createVfs } from '../../create-vfs.ts'
import { type NodeFileHandle, toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

const text = async (handle: NodeFileHandle): Promise<string> => {
  const buffer = new Uint8Array(100)
  const { bytesRead } = await handle.read(buffer, 0, 100, 0)
  return new TextDecoder().decode(buffer.subarray(0, bytesRead))
}

/** Opens `f` with `flags`, runs `act` and reports what the handle then sees. */
function held(
  flags: string,
  act: (fs: Parameters<NodeFsRow[2]>[0], root: string, handle: NodeFileHandle) => Promise<unknown>,
): NodeFsRow[2] {
  return async (fs, root) => {
    const handle = await fs.open(`${root}/f`, flags)
    try {
      const result = await act(fs, root, handle)
      const { nlink, size } = await handle.stat()
      return [result, nlink, size, flags.includes('+') || flags === 'r' ? await text(handle) : undefined]
    } finally {
      await handle.close()
    }
  }
}

const rows: readonly NodeFsRow[] = [
  ['read after unlink', 'f=abc', held('r', (fs, r) => fs.unlink(`${r}/f`))],
  ['read after rename over it', 'f=abc g=new', held('r', (fs, r) => fs.rename(`${r}/g`, `${r}/f`))],
  ['read after it was renamed', 'f=abc', held('r', (fs, r) => fs.rename(`${r}/f`, `${r}/g`))],
  [
    'read after its directory was renamed',
    'd/f=abc',
    async (fs, r) => {
      const handle = await fs.open(`${r}/d/f`)
      await fs.rename(`${r}/d`, `${r}/e`)
      await fs.writeFile(`${r}/e/f`, 'more')
      const seen = await text(handle)
      await handle.close()
      return seen
    },
  ],
  [
    'read after the tree was removed',
    'd/f=abc',
    async (fs, r) => {
      const handle = await fs.open(`${r}/d/f`)
      await fs.rm(`${r}/d`, { recursive: true })
      const seen = await text(handle)
      await handle.close()
      return seen
    },
  ],
  [
    'write after unlink goes on',
    'f=abc',
    held('r+', async (fs, r, h) => {
      await fs.unlink(`${r}/f`)
      await h.write('XY', 1)
      await h.write('tail', 10)
    }),
  ],
  [
    'write after rename over it',
    'f=abc g=new',
    held('r+', async (fs, r, h) => {
      await fs.rename(`${r}/g`, `${r}/f`)
      await h.write('XY')
    }),
  ],
  [
    'write after it was renamed',
    'f=abc',
    held('r+', async (fs, r, h) => {
      await fs.rename(`${r}/f`, `${r}/g`)
      await h.write('XY')
    }),
  ],
  [
    'write after unlink and a new file',
    'f=abc',
    held('r+', async (fs, r, h) => {
      await fs.unlink(`${r}/f`)
      await fs.writeFile(`${r}/f`, 'another')
      await h.write('XY')
    }),
  ],
  [
    'truncate after unlink',
    'f=abcdef',
    held('r+', async (fs, r, h) => {
      await fs.unlink(`${r}/f`)
      await h.truncate(2)
      await h.truncate(4)
    }),
  ],
  [
    'appending after unlink',
    'f=abc',
    held('a+', async (fs, r, h) => {
      await fs.unlink(`${r}/f`)
      await h.write('1')
      await h.write('2')
    }),
  ],
  ['sees what others write', 'f=abc', held('r', (fs, r) => fs.writeFile(`${r}/f`, 'longer text'))],
  ['sees what others append', 'f=abc', held('r', (fs, r) => fs.appendFile(`${r}/f`, 'd'))],
  [
    'sees another handle write',
    'f=abc',
    held('r', async (fs, r) => {
      const other = await fs.open(`${r}/f`, 'r+')
      await other.write('Z')
      await other.close()
    }),
  ],
  [
    'two handles of an unlinked file',
    'f=abc',
    held('r', async (fs, r) => {
      const other = await fs.open(`${r}/f`, 'r+')
      await fs.unlink(`${r}/f`)
      await other.write('Z')
      await other.close()
    }),
  ],
  [
    'one of two names is removed',
    'f=abc',
    held('r+', async (fs, r, h) => {
      await fs.link(`${r}/f`, `${r}/g`)
      await fs.unlink(`${r}/f`)
      await h.write('Z')
      return fs.readFile(`${r}/g`, 'utf8')
    }),
  ],
  [
    'chmod after unlink',
    'f=abc',
    held('r', async (fs, r, h) => {
      await fs.unlink(`${r}/f`)
      await h.chmod(0o700)
      return (await h.stat()).mode & 0o777
    }),
  ],
  [
    'stays through a symlink that changes',
    'a=one b=two f->a',
    held('r', async (fs, r) => {
      await fs.unlink(`${r}/f`)
      await fs.symlink('b', `${r}/f`)
    }),
  ],
  ['writing beyond the end', 'f=abc', held('r+', async (_fs, _r, h) => h.write('x', 8).then(({ bytesWritten }) => bytesWritten))],
]

test.each(rows)('as with Node: %s', async (_rule, tree, act) => {
  const { node, ours } = await compareWithNode(tree, act)
  expect(ours).toEqual(node)
})

const bytes = (content: string): Uint8Array => new TextEncoder().encode(content)

describe('what somebody else does to the filesystem', () => {
  const setUp = () => {
    const backend = emptyTree()
    const vfs = createVfs(backend)
    return { backend, vfs, fs: toNodeFs(vfs) }
  }

  test('a rename over the file leaves both as they were', async () => {
    const { vfs, fs } = setUp()
    await vfs.writeFile('/f', 'old')
    await vfs.writeFile('/g', 'new')
    const handle = await fs.promises.open('/f', 'r+')
    await vfs.rename('/g', '/f')
    await handle.write('X')
    expect([await text(handle), await vfs.readText('/f')]).toEqual(['Xld', 'new'])
  })

  test('a rename of the file is followed', async () => {
    const { vfs, fs } = setUp()
    await vfs.writeFile('/d/f', 'old', { parents: true })
    const handle = await fs.promises.open('/d/f', 'r+')
    await vfs.rename('/d', '/e')
    await handle.write('X')
    expect(await vfs.readText('/e/f')).toBe('Xld')
  })

  test('removing the file leaves its content to whoever has it open', async () => {
    const { vfs, fs } = setUp()
    await vfs.writeFile('/f', 'old')
    const handle = await fs.promises.open('/f', 'r+')
    await vfs.writeFile('/f', 'newer')
    await vfs.rm('/f')
    await handle.write('X')
    expect([await text(handle), await vfs.exists('/f')]).toEqual(['Xewer', false])
  })

  test('descriptors of the synchronous verbs too', () => {
    const { backend, fs } = setUp()
    backend.sync.write(parsePath('/f'), bytes('old'))
    const fd = fs.openSync?.('/f', 'r+') ?? -1
    fs.renameSync?.('/f', '/g')
    fs.writeFileSync?.('/f', 'another')
    fs.writeSync?.(fd, 'X')
    fs.unlinkSync?.('/g')
    fs.writeSync?.(fd, 'Y')
    const buffer = new Uint8Array(10)
    expect(fs.readSync?.(fd, buffer, 0, 10, 0)).toBe(3)
    expect(new TextDecoder().decode(buffer.subarray(0, 3))).toBe('XYd')
    expect(fs.readFileSync?.('/f', 'utf8')).toBe('another')
    fs.closeSync?.(fd)
    expect(() => fs.closeSync?.(fd)).toThrow('EBADF: bad file descriptor, close')
  })
})

test('writing a file piece by piece takes time in proportion to its length', async () => {
  // Counts instead of timing: how many bytes the filesystem is given.
  const backend = emptyTree()
  let writtenBytes = 0
  const counting = {
    ...backend.sync,
    write: (...args: Parameters<typeof backend.sync.write>) => {
      writtenBytes += args[1].length
      return backend.sync.write(...args)
    },
  }
  const fs = toNodeFs(createVfs({ ...backend, sync: counting }))
  const handle = await fs.promises.open('/f', 'w')
  for (let count = 0; count < 1_000; count++) await handle.write(new Uint8Array(1_000))
  await handle.close()
  expect(writtenBytes).toBe(1_000_000)
})
