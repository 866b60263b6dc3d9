// A session in a real terminal: an interactive bash. Without the optional package there is none, and the refusal says so.
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import type { ShellSession } from '../../../shell/session.ts'
import type { Shell } from '../../../shell/shell.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { node } from '../index.ts'
import { nodeShell } from './index.ts'

let directory: string
let shell: Shell
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'node-session-')))
  await mkdir(join(directory, 'src'))
  shell = await nodeShell({ directory })({ fs: createVfs(node(directory)), root: parsePath('/') })
})
afterAll(async () => {
  await shell.dispose()
  await rm(directory, { recursive: true, force: true })
})

/** A process that has ended and was not reaped does nothing any more. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status !== '' && !/^\d+ \(.*\) [ZX]/.test(status)
}

async function open(from: Shell = shell): Promise<ShellSession> {
  const session = await from.openSession?.('t1', { columns: 100, rows: 30, env: { GREETING: 'hi' } })
  if (session === undefined) throw new Error('unreachable: this shell has sessions')
  return session
}

it('keeps directory, variables and functions, in a real terminal of its size', async () => {
  const session = await open()
  expect(session).toMatchObject({ name: 'bash', input: 'keys', cwd: '/' })
  await session.run('greet() { echo "$GREETING $1"; }; cd src')
  expect(session.cwd).toBe('/src')
  expect(await session.run('greet you; tty -s && stty size; (exit 3)')).toMatchObject({
    output: 'hi you\n30 100\n',
    exitCode: 3,
    cwd: '/src',
  })
  await session.resize(60, 20)
  expect((await session.run('stty size')).output).toBe('20 60\n')
  expect((await session.run('for a in 1 2\ndo\n  echo "<$a>"\ndone')).output).toBe('<1>\n<2>\n')
  expect((await session.run('env | grep -c "^PS0=\\|^PROMPT_COMMAND="')).output).toBe('0\n')
  await session.close()
})

it('takes keys: a program that reads them, and Ctrl+C', async () => {
  const session = await open()
  let shown = ''
  void (async () => {
    for await (const { bytes } of session.output) shown += new TextDecoder().decode(bytes)
  })()
  const asked = session.run('read -r -p "name? " name; echo "<$name>"')
  await expect.poll(() => shown).toContain('name? ')
  await session.write('Ada\r')
  expect((await asked).output).toContain('<Ada>\n')
  // Ctrl+C that comes before the command has begun is not for it.
  const slept = session.run('echo be""gun; sleep 600')
  await expect.poll(() => shown).toContain('begun')
  expect(session.isBusy).toBe(true)
  await session.write('\x03')
  expect((await slept).exitCode).toBe(130)
  expect(shown).not.toContain('697;')
  await session.write('exit 4\r')
  expect(await session.ended).toEqual({ kind: 'exited', code: 4 })
  await expect(session.run('true')).rejects.toMatchObject({ code: 'session-over' })
})

it('ends what runs when it is closed, and is refused by name without a terminal', async () => {
  const session = await open()
  await session.run('true')
  await session.run('sleep 600 & echo $! > pid')
  const running = session.run('sleep 600')
  await expect.poll(() => session.isBusy).toBe(true)
  await session.close()
  expect((await running).exit.kind).toBe('killed')
  // A job of the shell has a process group of its own.
  const pid = Number(await readFile(join(directory, 'pid'), 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
  vi.stubEnv('ATOMIC_NO_PTY', '1')
  const without = await nodeShell({ directory })({ fs: createVfs(node(directory)), root: parsePath('/') })
  vi.unstubAllEnvs()
  await expect(open(without)).rejects.toMatchObject({ code: 'no-terminal' })
  await without.dispose()
})
