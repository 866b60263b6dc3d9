// The command `js` beside Node: same arguments and files, same output, exit code and files.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, it } from 'vitest'

import { memory } from '../memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { isDeep } from '../../testing/depth.ts'
import { callJs } from '../../testing/js/call-js.ts'
import { jsCases, jsFiles, jsRefusals } from '../../testing/js/js-cases.ts'

function workspaceFiles(): Vfs {
  return createVfs(memory(Object.fromEntries(Object.entries(jsFiles).map(([name, text]) => [`/w/${name}`, text]))))
}

/** path → content, in hexadecimal digits. */
async function contents(vfs: Vfs): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { path, kind } of vfs.walk('/w'))
    if (kind === 'file') found[path.slice(3)] = Buffer.from(await vfs.readFile(path)).toString('hex')
  return found
}

function contentsOnDisk(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => name !== 'link' && statSync(join(directory, name)).isFile())
  return Object.fromEntries(files.map(name => [name, readFileSync(join(directory, name)).toString('hex')]))
}

// A case starts a real Node, so the quick run has every third.
it.each(Object.entries(jsCases).filter((_case, index) => isDeep || index % 3 === 0))(
  'js as Node: %s',
  async (_name, { args, input, stdout, code = 0, complaint }) => {
    const directory = mkdtempSync(join(tmpdir(), 'js-'))
    try {
      for (const [name, text] of Object.entries(jsFiles)) {
        mkdirSync(dirname(join(directory, name)), { recursive: true })
        writeFileSync(join(directory, name), text)
      }
      const env = { HOME: directory, GREETING: 'hi', NODE_NO_WARNINGS: '1' }
      const real = spawnSync(process.execPath, args, { cwd: directory, input: input ?? '', encoding: 'utf8', env })
      const vfs = workspaceFiles()
      const ours = await callJs(vfs, args, input)
      expect({ stdout: real.stdout, code: real.status }, 'the expectation is not what Node does').toEqual({ stdout, code })
      expect({ stdout: ours.stdout, code: ours.code, stderr: complaint === undefined ? ours.stderr : '' }).toEqual({
        stdout,
        code,
        stderr: '',
      })
      if (complaint !== undefined) expect(ours.stderr).toContain(complaint)
      expect(await contents(vfs)).toEqual(contentsOnDisk(directory))
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
)

it.each(Object.entries(jsRefusals))('js refuses %s', async (_name, { args, code, complaint }) => {
  const ours = await callJs(workspaceFiles(), args)
  expect({ code: ours.code, stdout: ours.stdout }).toEqual({ code, stdout: '' })
  expect(ours.stderr).toContain(complaint)
})

it('a program that never ends is ended by its signal', async () => {
  const controller = new AbortController()
  const vfs = workspaceFiles()
  const running = callJs(vfs, ['-e', 'fs.writeFileSync("started", ""); for (;;);'], undefined, controller.signal)
  await expect.poll(() => vfs.exists('/w/started')).toBe(true)
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  expect((await callJs(vfs, ['-p', '1 + 1'])).stdout).toBe('2\n')
})

it('programs run side by side, and one sees nothing of the others', async () => {
  const vfs = workspaceFiles()
  const code = 'globalThis.seen = (globalThis.seen ?? 0) + 1; console.log(seen)'
  const answers = await Promise.all(Array.from({ length: 4 }, () => callJs(vfs, ['-e', code])))
  answers.push(await callJs(vfs, ['-e', code]))
  expect(answers.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 5 }, () => '1\n'))
})

it('large files and outputs arrive as a whole', async () => {
  const vfs = workspaceFiles()
  await vfs.writeFile('/w/large.txt', new TextEncoder().encode('0123456789'.repeat(300_000)))
  const ours = await callJs(vfs, [
    '-e',
    'const t = fs.readFileSync("large.txt", "utf8"); fs.writeFileSync("copy.txt", t); process.stdout.write(t + t.length)',
  ])
  expect(ours.stdout.length).toBe(3_000_000 + 7)
  expect((await vfs.stat('/w/copy.txt')).sizeBytes).toBe(3_000_000)
})
