// The command `js` in the shell: pipes, early ends, the rule about other writers, and the policy's files.

import { afterEach, expect, it } from 'vitest'

import { parsePath } from '../../core/path.ts'
import { runCommand } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { sample } from '../../testing/depth.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { justBash } from '../just-bash/index.ts'
import { memory } from '../memory/index.ts'
import { js } from './index.ts'

let shell: Shell
let fs: Vfs

async function open(worker: 'auto' | 'none' = 'auto'): Promise<void> {
  fs = createVfs(memory({ '/workspace/f': 'old\n', '/workspace/lines.js': 'for (let n = 0; ; n++) console.log(n)' }))
  shell = await justBash({ worker, commands: [js(), js({ name: 'node' })] })({ fs, root: parsePath('/workspace') })
}

async function run(script: string, timeoutMs = 60_000): Promise<{ output: string; code: number | undefined }> {
  const { output, exit } = await runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 100_000, timeoutMs })
  return { output, code: exit.kind === 'exited' ? exit.code : undefined }
}

afterEach(() => shell.dispose())

const rows: readonly (readonly [script: string, output: string, code: number])[] = [
  [`seq 3 | js -e 'console.log(fs.readFileSync(0, "utf8").trim().split("\\n").map(Number))'`, '[ 1, 2, 3 ]\n', 0],
  [`js - a b <<'EOF'\nconsole.log(process.argv.slice(2).join('+'))\nEOF`, 'a+b\n', 0],
  ['js lines.js | head -n 2', '0\n1\n', 0],
  [`node -p '6 * 7' > out; cat out`, '42\n', 0],
  [`X=1 js -e 'process.exit(Number(process.env.X) + 1)'; echo $?`, '2\n', 0],
  [`mkdir d; cd d; js -e 'fs.writeFileSync("x", process.cwd())'; cat x`, '/workspace/d', 0],
  [
    `mkdir gone; cd gone; rmdir ../gone
js -e 'for (const ask of [process.cwd, () => fs.readFileSync("x")]) try { ask() } catch (error) { console.log(error.code) }
process.chdir("/workspace"); console.log(process.cwd(), fs.existsSync("f"))'`,
    'ENOENT\nENOENT\n/workspace true\n',
    0,
  ],
  [`echo f | xargs js -e 'console.log(process.argv[1])'`, 'f\n', 0],
  [`timeout 0.2 js -e 'for (;;);'; echo $?`, '124\n', 0],
  [`js -e 'console.log(1)' & wait; echo 2`, '1\n2\n', 0],
]

// Each starts an interpreter, and a worker takes longer still.
const [inWorkers, onThread] = [sample(rows, 8), sample(rows, 2)]

it.each([...inWorkers.map(row => ['auto', ...row] as const), ...onThread.map(row => ['none', ...row] as const)])(
  'in the shell (worker: %s): %s',
  async (worker, script, output, code) => {
    await open(worker)
    expect(await run(script)).toEqual({ output, code })
  },
)

it.each([
  ['node a.js', 'no JavaScript runs in this shell; use awk, jq or a bash script', 'use js'],
  ['deno run a.ts', 'no JavaScript runs in this shell; use awk, jq or a bash script', 'use js'],
  ['bun a.ts', 'no JavaScript runs in this shell; use awk, jq or a bash script', 'use js'],
  ['python3 -c 1', 'no Python runs in this shell; use awk, jq or a bash script', ''],
  ['python a.py', 'no Python runs in this shell; use awk, jq or a bash script', ''],
  ['perl -e 1', 'use sed, awk or a bash script', ''],
  ['pip install x', 'nothing can be installed in this shell', ''],
  ['npm install x', 'nothing can be installed in this shell', ''],
])('what is refused says what runs scripts here: %s', async (script, without, instead) => {
  fs = createVfs(memory({ '/workspace/a': '' }))
  shell = await justBash()({ fs, root: parsePath('/workspace') })
  expect(await run(script)).toEqual({ output: expect.stringContaining(without) as string, code: 127 })
  await shell.dispose()
  shell = await justBash({ commands: [js()] })({ fs, root: parsePath('/workspace') })
  expect((await run(script)).output).toContain(instead === '' ? without : instead)
})

it('a program does not undo what somebody else wrote to a file that it had read', async () => {
  await open()
  const running = run(
    `js -e 'fs.readFileSync("f"); fs.writeFileSync("seen", ""); while (!fs.existsSync("go")); fs.writeFileSync("f", "mine")'`,
  )
  await expect.poll(() => fs.exists('/workspace/seen')).toBe(true)
  await fs.writeFile('/workspace/f', 'edited\n')
  await fs.writeFile('/workspace/go', '')
  const { output, code } = await running
  expect({ content: await fs.readText('/workspace/f'), code }).toEqual({ content: 'edited\n', code: 1 })
  expect(output).toContain('somebody else wrote it')
})

it('a program ends with its time-out', async () => {
  await open()
  expect((await run(`js -e 'for (;;);'`, 300)).code).toBeUndefined()
  expect(await run(`js -p '1 + 1'`)).toEqual({ output: '2\n', code: 0 })
})
