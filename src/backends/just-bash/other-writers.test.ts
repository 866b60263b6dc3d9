// A command compares a file with what it has seen before it replaces or removes it, and one redirection is one change.
import { afterEach, describe, expect, it } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { runCommand } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { isDeep } from '../../testing/depth.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

let shell: Shell
let fs: Vfs

async function open(worker: 'auto' | 'none'): Promise<(script: string) => Promise<{ output: string; code: number | undefined }>> {
  fs = createVfs(memory({ '/workspace/f': 'old\n', '/workspace/d/f': 'of d\n', '/workspace/t': '"t"\n' }))
  shell = await justBash({ worker })({ fs, root: parsePath('/workspace') })
  return async script => {
    const { output, exit } = await runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 100_000, timeoutMs: 60_000 })
    return { output, code: exit.kind === 'exited' ? exit.code : undefined }
  }
}

afterEach(() => shell.dispose())

const workers = [
  ['in a worker', 'auto'],
  ['on the thread', 'none'],
] as const

/** A worker takes long to start, so the quick run has every eighth row there. */
function rowsIn<Row>(worker: 'auto' | 'none', rows: readonly Row[]): readonly Row[] {
  return rows.filter((_row, index) => isDeep || worker === 'none' || index % 8 === 0)
}

/** Each would replace, empty or remove `f`, which the script has read before. */
const replacing: readonly string[] = [
  'echo new > f',
  ': > f',
  'mv t f',
  'mv -f d/f f',
  'cp t f',
  'cp -f t f',
  'cp -r d/f .',
  'cp -a d/. .',
  'install t f',
  'ln -f t f',
  'ln -sf t f',
  'rm f',
  'rm -f f',
  'rm f; echo new > f',
  'unlink f',
  'find . -maxdepth 1 -name f -delete',
  'echo f | xargs rm',
  'tar xf x.tar',
  'tar xf x.tar -C . f',
  'unzip -oq x.zip',
  'tee f < t > /dev/null',
  'dd if=t of=f status=none',
  'sort -o f t',
  'truncate -s 0 f',
  'split -l 1 t && mv xaa f',
  'jq . t > u && mv u f',
  'zcat t.gz > f',
  'xxd -p t f',
  'awk \'{ print > "f" }\' t',
  'sed -n "w f" t',
  'mv f g',
]

describe.each(workers)('%s a command does not undo what somebody else wrote to a file that it had read', (_name, worker) => {
  it.each(rowsIn(worker, replacing))('%s', async command => {
    const run = await open(worker)
    const prepare = 'tar cf x.tar f; zip -q x.zip f; gzip -k t; cat f > seen.txt; touch seen'
    const running = run(`${prepare}; until [ -e go ]; do sleep 0.005; done; ${command}`)
    await expect.poll(() => fs.exists('/workspace/seen')).toBe(true)
    await fs.writeFile('/workspace/f', 'edited\n')
    await fs.writeFile('/workspace/go', '')
    const { output, code } = await running
    expect({ content: await fs.readText('/workspace/f'), output, isRefused: code !== 0 }).toEqual({
      content: 'edited\n',
      output: expect.stringMatching(/somebody else wrote it|unlink: command not found/),
      isRefused: true,
    })
  })
})

/** Each makes as many changes as it changes files. */
const changing: readonly (readonly [script: string, changes: readonly string[]])[] = [
  ['echo a > n', ['create n']],
  ['echo a > f', ['modify f']],
  [': > f', ['modify f']],
  ['echo a >> f', ['modify f']],
  ['for i in 1 2 3; do echo $i; done > n', ['create n']],
  ['{ echo a; cat d/f; echo b; } > n 2>&1', ['create n']],
  ['exec 3> n; echo a >&3; echo b >&3; exec 3>&-', ['create n']],
  ['exec > n; echo a; echo b', ['create n']],
  ['cat > n <<< text', ['create n']],
  ['cat > n << END\na\nEND', ['create n']],
  ['(echo a; echo b) > n; echo c >> n', ['create n', 'modify n']],
  ['echo a | tee n > /dev/null', ['create n']],
  ['cp f n', ['create n']],
  ['sed -i s/o/0/ f', ['modify f']],
  ['sort -o f f', ['modify f']],
  ['seq 1 20000 > n', ['create n']],
  ['awk \'{ print > "n"; print > "n" }\' f', ['create n']],
  ['sed -n "w n" f t', ['create n']],
  ['sed "w t" t; [ ! -s t ]', ['modify t']],
  ['sed -n "w n\ns/o/0/w f" f d/f; [ "$(cat f)" = "0f d" ]', ['modify f', 'create n', 'modify f']],
  ['yes | sed "w n" | head -n 1 > /dev/null; [ -s n ]', ['create n']],
  ['for i in 1 2; do echo $i > f; done', ['modify f', 'modify f']],
]

describe.each(workers)('%s one redirection is one change', (_name, worker) => {
  it.each(rowsIn(worker, changing))('%s', async (script, changes) => {
    const run = await open(worker)
    const seen: string[] = []
    const unwatch = await fs.watch('/workspace', batch => {
      for (const change of batch.changes) seen.push(`${change.type} ${change.path.slice('/workspace/'.length)}`)
    })
    expect((await run(script)).code).toBe(0)
    unwatch()
    expect(seen).toEqual(changes)
  })
})
