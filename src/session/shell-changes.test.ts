import { describe, expect, it } from 'vitest'
import { justBash } from '../backends/just-bash/index.ts'
import { memory } from '../backends/memory/index.ts'
import { parsePath } from '../core/path.ts'
import { runCommand } from '../shell/run.ts'
import type { Shell } from '../shell/shell.ts'
import { bareCapabilities } from '../testing/bare-shell.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { maxListedChanges, watchShell, type CommandChanges } from './shell-changes.ts'
import { sample } from '../testing/depth.ts'

const root = parsePath('/workspace')
const files = {
  '/workspace/a.txt': 'a\n',
  '/workspace/d/b.txt': 'b\n',
  '/workspace/d/deep/c.txt': 'c\n',
  '/outside/o.txt': 'o\n',
}

const by = { actor: { kind: 'agent' } } as const

function run(fs: Vfs, shell: Shell, script: string, timeoutMs = 20_000): Promise<CommandChanges> {
  const watched = watchShell({ vfs: fs, root, by }, shell)
  const command = { kind: 'script', script } as const
  return runCommand(watched.shell, command, { maxCaptureBytes: 1000, timeoutMs }).then(watched.changes)
}

type Lists = Partial<Pick<CommandChanges, 'created' | 'modified' | 'deleted'>>

const rows: readonly (readonly [script: string, changes: Lists])[] = [
  ['cat a.txt; ls; grep -r b .', {}],
  ['echo x > new', { created: ['new'] }],
  ['echo x >> a.txt', { modified: ['a.txt'] }],
  ['sed -i s/a/z/ a.txt', { modified: ['a.txt'] }],
  ['chmod +x a.txt', { modified: ['a.txt'] }],
  ['rm a.txt', { deleted: ['a.txt'] }],
  ['mv a.txt z.txt', { created: ['z.txt'], deleted: ['a.txt'] }],
  ['mv a.txt d/b.txt', { modified: ['d/b.txt'], deleted: ['a.txt'] }],
  ['cp a.txt z.txt; cp a.txt d/b.txt', { created: ['z.txt'], modified: ['d/b.txt'] }],
  ['mkdir -p x/y; touch x/y/z', { created: ['x/', 'x/y/', 'x/y/z'] }],
  ['cp -r d e', { created: ['e/', 'e/b.txt', 'e/deep/', 'e/deep/c.txt'] }],
  ['rm -r d', { deleted: ['d/'] }],
  ['echo x > d/b.txt; rm -r d', { deleted: ['d/'] }],
  ['mv d e', { created: ['e/'], deleted: ['d/'] }],
  ['echo x > t; cat t; rm t; f=$(mktemp -p .); rm $f', {}],
  ['rm a.txt; echo again > a.txt', { modified: ['a.txt'] }],
  ['ln -s a.txt l; echo through > l', { created: ['l'], modified: ['a.txt'] }],
  ['ln -s d l; echo through > l/new', { created: ['d/new', 'l'] }],
  ['echo x > /outside/o.txt', { modified: ['/outside/o.txt'] }],
  ['echo x > no/such; true', {}],
  ['tar cf x.tar d && tar xf x.tar', { created: ['x.tar'], modified: ['d/', 'd/b.txt', 'd/deep/', 'd/deep/c.txt'] }],
]

describe.each([
  ['in a worker', 'auto'],
  ['on the thread', 'none'],
] as const)('what a command of just-bash changed, %s', (_name, worker) => {
  // A worker takes long to start, so the quick run has every fourth row there.
  it.each(worker === 'none' ? rows : sample(rows, 4))('%s', async (script, changes) => {
    const fs = createVfs(memory(files))
    const shell = await justBash({ worker })({ fs, root })
    const found = await run(fs, shell, script)
    const { created = [], modified = [], deleted = [] } = changes
    const total = created.length + modified.length + deleted.length
    expect(found).toEqual({ attribution: 'exact', created, modified, deleted, total, isCut: false })
    await shell.dispose()
  })

  it('is told of a command that was ended, too', async () => {
    const fs = createVfs(memory(files))
    const shell = await justBash({ worker })({ fs, root })
    expect(await run(fs, shell, 'echo x > new; while :; do :; done', 400)).toMatchObject({ created: ['new'], total: 1 })
    await shell.dispose()
  })

  it('leaves out what others did meanwhile', async () => {
    const fs = createVfs(memory(files))
    const shell = await justBash({ worker })({ fs, root })
    const one = run(fs, shell, 'echo 1 > one; until [ -e two ]; do sleep 0.01; done')
    const two = run(fs, shell, 'until [ -e one ]; do sleep 0.01; done; echo 2 > two')
    await fs.writeFile('/workspace/person.txt', 'mine')
    expect([(await one).created, (await two).created]).toEqual([['one'], ['two']])
    await shell.dispose()
  })

  it('lists so many and says how many there were', async () => {
    const fs = createVfs(memory(files))
    const shell = await justBash({ worker })({ fs, root })
    const changes = await run(fs, shell, `for i in $(seq 1 ${maxListedChanges + 50}); do : > f$i; done`)
    expect([changes.created.length, changes.total, changes.isCut]).toEqual([maxListedChanges, maxListedChanges + 50, true])
    await shell.dispose()
  })
})

describe('a shell that cannot tell its own writes', () => {
  const foreign = (work: () => Promise<unknown>): Shell => ({
    capabilities: bareCapabilities,
    start: async () => ({
      output: (async function* () {})(),
      exit: work().then(() => ({ kind: 'exited', code: 0 }) as const),
      write: () => Promise.resolve(),
      kill: () => Promise.resolve('unsupported'),
    }),
    dispose: () => Promise.resolve(),
  })

  it('is told what changed meanwhile, as that', async () => {
    const fs = createVfs(memory(files))
    const shell = foreign(async () => {
      await fs.writeFile('/workspace/new', 'x')
      await fs.writeFile('/workspace/new', 'y')
      await fs.writeFile('/workspace/a.txt', 'x')
      await fs.rename('/workspace/d', '/workspace/e')
      await fs.writeFile('/workspace/gone', 'x')
      await fs.rm('/workspace/gone')
    })
    expect(await run(fs, shell, 'x')).toEqual({
      attribution: 'observed',
      created: ['e/', 'new'],
      modified: ['a.txt'],
      deleted: ['d/'],
      total: 4,
      isCut: false,
    })
  })

  it('says that it does not know where nothing is watched', async () => {
    const fs = createVfs(memory(files))
    const blind: Vfs = { ...fs, caps: async () => ({ ...(await fs.caps()), watch: 'none' }) }
    expect(
      await run(
        blind,
        foreign(() => fs.writeFile('/workspace/new', '')),
        'x',
      ),
    ).toMatchObject({ attribution: 'unknown', total: 0 })
  })

  it('says nothing of a command that never started', async () => {
    const watched = watchShell(
      { vfs: createVfs(memory(files)), root, by },
      { ...foreign(() => Promise.resolve()), start: () => Promise.reject(new Error('no')) },
    )
    await expect(watched.shell.start({ kind: 'script', script: '' })).rejects.toThrow('no')
    expect(await watched.changes()).toMatchObject({ total: 0 })
  })
})
