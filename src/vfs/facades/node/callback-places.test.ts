// Where the callback is among the arguments, and what is said when it is not there: as on Node, for every function.
import { test } from 'vitest'
import { canCompare, expectAsNode, type PlayedStep } from '../../../testing/expect-as-node.ts'
import type { WholeFs } from '../../../testing/node-fs-subjects.ts'

interface Run {
  readonly fs: WholeFs
  readonly root: string
}
type AnyCall = (...args: readonly unknown[]) => unknown

const closed = 9_999_999
const one = new Uint8Array(1)

/** All arguments before the callback. No call finds a file. `rm` is not here: without a callback Node 20 ends the process later. */
const functions: Readonly<Record<string, (root: string) => readonly unknown[]>> = {
  access: root => [`${root}/f`, 0],
  appendFile: root => [`${root}/none/f`, 'x', {}],
  chmod: root => [`${root}/f`, 0],
  chown: root => [`${root}/f`, 0, 0],
  copyFile: root => [`${root}/f`, `${root}/g`, 0],
  cp: root => [`${root}/f`, `${root}/g`, {}],
  exists: root => [`${root}/f`],
  fchmod: () => [closed, 0],
  fchown: () => [closed, 0, 0],
  fdatasync: () => [closed],
  fstat: () => [closed, {}],
  fsync: () => [closed],
  ftruncate: () => [closed, 0],
  futimes: () => [closed, 0, 0],
  lchown: root => [`${root}/f`, 0, 0],
  link: root => [`${root}/f`, `${root}/g`],
  lstat: root => [`${root}/f`, {}],
  lutimes: root => [`${root}/f`, 0, 0],
  mkdir: root => [`${root}/none/f`, {}],
  mkdtemp: root => [`${root}/none/f`, {}],
  open: root => [`${root}/none/f`, 'r', 0],
  opendir: root => [`${root}/f`, {}],
  read: () => [closed, one, 0, 1, 0],
  readdir: root => [`${root}/f`, {}],
  readFile: root => [`${root}/f`, {}],
  readlink: root => [`${root}/f`, {}],
  readv: () => [closed, [one], 0],
  realpath: root => [`${root}/f`, {}],
  rename: root => [`${root}/f`, `${root}/g`],
  rmdir: root => [`${root}/f`, {}],
  stat: root => [`${root}/f`, {}],
  symlink: root => ['f', `${root}/none/l`, 'file'],
  truncate: root => [`${root}/f`, 0],
  unlink: root => [`${root}/f`],
  utimes: root => [`${root}/f`, 0, 0],
  write: () => [closed, one, 0, 1, 0],
  writeFile: root => [`${root}/none/f`, 'x', {}],
  writev: () => [closed, [one], 0],
}

const endings: readonly (readonly unknown[])[] = [[], ['word'], [undefined], [1]]

/** The first so many arguments, then perhaps a callback, then what follows it. */
const steps: readonly PlayedStep<Run>[] = Object.entries(functions).flatMap(([name, make]) =>
  make('').flatMap((_, before) =>
    [true, false].flatMap(hasCallback =>
      endings.map(ending => ({
        text: `${name} with ${before + 1} arguments${hasCallback ? ', a callback' : ''} and ${String(ending[0])}`,
        act: ({ fs, root }: Run) =>
          new Promise<unknown>(resolve => {
            const callback = (error: unknown): void => resolve(['called', error instanceof Error && Reflect.get(error, 'code')])
            const given = [...make(root).slice(0, before + 1), ...(hasCallback ? [callback] : []), ...ending]
            ;(Reflect.get(fs, name) as AnyCall)(...given)
          }),
      })),
    ),
  ),
)

test.runIf(canCompare)('callbacks are found where Node finds them (needs root)', async () => {
  await expectAsNode('places', steps, async ({ fs, root }) => ({ run: { fs, root }, end: async () => {} }), ['memory'])
})
