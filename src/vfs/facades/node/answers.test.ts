// Calls whose answers depend on the face (synchronous, callback, promise): the same as on Node, over each backend.
import { test } from 'vitest'
import { canCompare, expectAsNode, type PlayedStep } from '../../../testing/expect-as-node.ts'
import type { FsSubject, WholeFs } from '../../../testing/node-fs-subjects.ts'

interface Run {
  readonly fs: WholeFs
  readonly root: string
}

type AnyCall = (...args: readonly unknown[]) => unknown
type Arguments = (root: string, fs: WholeFs) => readonly unknown[]

const faces: Readonly<Record<string, (fs: WholeFs, name: string, args: readonly unknown[]) => unknown>> = {
  synchronous: (fs, name, args) => (Reflect.get(fs, `${name}Sync`) as AnyCall)(...args),
  callback: (fs, name, args) =>
    new Promise(resolve => {
      ;(Reflect.get(fs, name) as AnyCall)(...args, (...answer: readonly unknown[]) => resolve(answer))
    }),
  promise: (fs, name, args) => (Reflect.get(fs.promises, name) as AnyCall)(...args),
}

function* chunks(): Generator<string> {
  yield 'chunk'
}

const rows: readonly (readonly [name: string, args: Arguments])[] = [
  ...['file', 'empty', 'd', 'none'].map((path): [string, Arguments] => ['readFile', root => [`${root}/${path}`, 'buffer']]),
  ['readFile', root => [`${root}/file`, { signal: AbortSignal.abort('why') }]],
  ['writeFile', root => [`${root}/file`, 'text', { signal: AbortSignal.abort('why') }]],
  ['writeFile', root => [`${root}/chunks`, chunks()]],
  ['readdir', root => [root, { withFileTypes: true, encoding: 'hex' }]],
  ['readdir', root => [`${root}/d`, { recursive: 'x' }]],
  ['readdir', root => [`${root}/d`, { recursive: null }]],
  ['mkdir', root => [`${root}/gone/x`, { recursive: true }]],
  ['mkdir', root => [`${root}/gone`, { recursive: true }]],
]

const steps: readonly PlayedStep<Run>[] = [
  ...rows.flatMap(([name, args]) =>
    Object.entries(faces).map(([face, call]) => ({
      text: `${name}, ${face}`,
      async act({ fs, root }: Run) {
        const answer = await call(fs, name, args(root, fs))
        return name === 'readdir' ? sorted(answer) : answer
      },
    })),
  ),
  {
    text: 'read with null as offset',
    act: ({ fs, root }) =>
      new Promise(resolve => {
        const fd = fs.openSync(`${root}/file`, 'r')
        ;(Reflect.get(fs, 'read') as AnyCall)(fd, Buffer.alloc(3), null, 2, 0, (...answer: readonly unknown[]) => {
          fs.closeSync(fd)
          resolve(answer)
        })
      }),
  },
  {
    text: 'read into an empty view',
    async act({ fs, root }) {
      const handle = await fs.promises.open(`${root}/file`)
      try {
        return await handle.read(new DataView(new ArrayBuffer(2), 2, 0), 0, 1)
      } finally {
        await handle.close()
      }
    },
  },
  { text: 'opendir without a callback', act: async ({ fs, root }) => (fs.opendir as AnyCall)(root, {}) },
  {
    text: 'the names of a stat',
    act: async ({ fs, root }) => {
      const found: string[] = []
      for (const name in fs.statSync(`${root}/file`)) if (!name.startsWith('is') && !name.startsWith('_')) found.push(name)
      return found.toSorted()
    },
  },
]

/** Listings have no order in Linux. */
function sorted(answer: unknown): unknown {
  const [list, ...before] = Array.isArray(answer) && answer[0] === null ? (answer as unknown[]).toReversed() : [answer]
  if (!Array.isArray(list)) return answer
  const names = (list as readonly { readonly name?: unknown }[]).map(entry => entry.name ?? entry)
  return [before, names.map(String).toSorted()]
}

const prepare = async ({ fs, root }: FsSubject): Promise<{ readonly run: Run; readonly end: () => Promise<void> }> => {
  fs.mkdirSync(`${root}/d/e`, { recursive: true })
  for (const [path, text] of Object.entries({ file: 'text', empty: '', 'd/e/f': '1' })) fs.writeFileSync(`${root}/${path}`, text)
  fs.symlinkSync('none', `${root}/gone`)
  return { run: { fs, root }, end: async () => {} }
}

test.runIf(canCompare)('each face answers as in Node (needs root)', async () => {
  await expectAsNode('faces', steps, prepare)
})
