import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { runCommand, type CommandOutcome, type RunOptions } from '../../../shell/run.ts'
import type { Toolset } from '../../../core/tool.ts'
import type { Shell } from '../../../shell/shell.ts'
import { timeOutByHand } from '../../../testing/shell-contract/time-out-by-hand.ts'
import { textOf } from '../../../testing/tool-session.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { createWorkspace } from '../../../workspace/create-workspace.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import { memory } from '../../memory/index.ts'
import { node } from '../index.ts'
import { nodeShell, type NodeShellOptions } from './index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function temporary(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'node-shell-')))
  cleanups.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function openShell(options: Partial<NodeShellOptions> = {}): Promise<{ shell: Shell; directory: string }> {
  const directory = options.directory ?? (await temporary())
  await mkdir(join(directory, 'workspace'), { recursive: true })
  const shell = await nodeShell({ directory, ...options })({ fs: createVfs(node(directory)), root: parsePath('/workspace') })
  cleanups.push(() => shell.dispose())
  return { shell, directory }
}

async function openWorkspace(): Promise<{ directory: string; workspace: Workspace; tools: Toolset }> {
  const directory = await temporary()
  const workspace = await createWorkspace({ fs: node(directory), shell: nodeShell({ directory }) })
  cleanups.push(() => workspace.dispose())
  return { directory, workspace, tools: await workspace.toolset('atomic') }
}

function run(shell: Shell, script: string, options: Partial<RunOptions> = {}): Promise<CommandOutcome> {
  return runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 1024 * 1024, timeoutMs: 20_000, ...options })
}

/** An ended process stays in the system's list until its parent reaps it, which a container's first process may do late or never. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (!existsSync('/proc/self/stat')) return true
  try {
    // proc_pid_stat(5): the state follows the name, which is in parentheses and may contain any character.
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

it('a command that was given up before it started does not start', async () => {
  const { shell, directory } = await openShell()
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(shell.start({ kind: 'script', script: 'touch started' }, { signal })).rejects.toThrow('given up')
  expect(existsSync(join(directory, 'started'))).toBe(false)
})

describe('which files', () => {
  it('gets them by their own names where a command has an address, and none that it cannot have', async () => {
    const directory = await temporary()
    await mkdir(join(directory, 'workspace', "it's"), { recursive: true })
    await writeFile(join(directory, 'workspace', "it's", 'a.txt'), 'one\n')
    const workspace = await createWorkspace({ fs: node(directory), shell: nodeShell({ directory }) })
    cleanups.push(() => workspace.dispose())
    const tools = await workspace.toolset('atomic')
    const bash = async (args: object): Promise<string> => textOf(await tools.call('bash', args))
    expect(await bash({ command: `cd / && cat "local://it's/a.txt"` })).toBe('one\n')
    expect(await bash({ command: 'cat "$F"; pwd', env: { F: "local://it's/a.txt" }, cwd: "local://it's" })).toBe(
      `one\n${directory}/workspace/it's\n`,
    )
    await bash({ command: 'seq 1 4000' })
    expect(await bash({ command: 'cat artifact://1' })).toMatch(/^address-not-a-file: artifact:\/\/1 is a text[^]*read or search/)
  })

  it('works on those of the workspace, and says by which names', async () => {
    const { directory, tools } = await openWorkspace()
    await tools.call('write', { path: 'a.txt', content: 'one\n' })
    expect(textOf(await tools.call('bash', { command: 'sed s/one/two/ a.txt > b.txt; pwd' }))).toBe(`${directory}/workspace\n`)
    expect(textOf(await tools.call('read', { path: 'b.txt' }))).toContain('1:two')
    expect(tools.tools.find(({ name }) => name === 'bash')?.description).toContain(`is ${directory}/workspace to them`)
  })

  it('answers a command that is too long for the system', async () => {
    const { tools } = await openWorkspace()
    const result = await tools.call('bash', { command: `echo ${'x'.repeat(200_000)} | wc -c` })
    expect([result.isError, textOf(result)]).toEqual(
      process.platform === 'linux' ? [true, expect.stringContaining('Write it to a file')] : [false, '200001\n'],
    )
  })

  it.runIf(process.platform === 'linux')('ends what left the group of its command (needs Linux)', async () => {
    const { directory, tools, workspace } = await openWorkspace()
    const isAlive = async (name: string): Promise<boolean> => {
      const pid = Number(await readFile(join(directory, 'workspace', name), 'utf8'))
      try {
        // A process that nobody has waited for yet is dead too.
        return !/^\d+ \(.*\) [ZX]/.test(await readFile(`/proc/${pid}/stat`, 'utf8'))
      } catch {
        return false
      }
    }
    const stray = (name: string): string =>
      `setsid sh -c 'echo $$ > ${name}; exec sleep 100' & while [ ! -s ${name} ]; do :; done`
    const ending = new AbortController()
    const running = tools.call('bash', { command: `${stray('ended')}; touch ready; sleep 100` }, { signal: ending.signal })
    await expect.poll(() => workspace.fs.exists('/workspace/ready')).toBe(true)
    ending.abort('enough')
    await expect(running).rejects.toBe('enough')
    expect(await isAlive('ended')).toBe(false)
    await tools.call('bash', { command: `${stray('left')} > /dev/null 2>&1` })
    expect(await isAlive('left')).toBe(true)
    await workspace.dispose()
    await expect.poll(() => isAlive('left')).toBe(false)
  })

  it('runs custom tools of the workspace, under whatever name the machine has for them', async () => {
    const directory = await temporary()
    await mkdir(join(directory, 'workspace/tools'), { recursive: true })
    await writeFile(
      join(directory, 'workspace/tools/t.json'),
      JSON.stringify({ name: 'shout', description: 'Shouts', input_schema: { type: 'object' }, execute: './t.sh' }),
    )
    await writeFile(join(directory, 'workspace/tools/t.sh'), 'cat; echo "$TOOL_NAME"')
    const workspace = await createWorkspace({ fs: node(directory), shell: nodeShell({ directory }) })
    cleanups.push(() => workspace.dispose())
    const tools = await workspace.toolset('ah')
    expect(textOf(await tools.call('shout', { a: 1 }))).toBe('{"a":1}shout\n')
    expect(await tools.call('bash', { command: 'false | cat; echo not here' })).toMatchObject({ isError: true })
  })

  it.each([
    ['a filesystem in memory', () => memory()],
    ['another directory', async () => node(await temporary())],
  ])('refuses %s, and leaves nothing behind', async (_name, other) => {
    const directory = await temporary()
    await mkdir(join(directory, 'workspace'))
    const workspace = await createWorkspace({ fs: await other(), shell: nodeShell({ directory }) })
    cleanups.push(() => workspace.dispose())
    await expect(workspace.toolset('atomic')).rejects.toMatchObject({ code: 'shell-other-files' })
    expect(await run((await openShell({ directory })).shell, 'ls -a | wc -l | tr -d " "')).toMatchObject({ output: '2\n' })
  })

  it('is refused with a policy that it could not keep', async () => {
    const directory = await temporary()
    const workspace = createWorkspace({ fs: node(directory), shell: nodeShell({ directory }), policy: { protect: ['secret'] } })
    await expect(workspace).rejects.toMatchObject({ code: 'workspace-options' })
  })

  it.each([
    ['/workspace/out', 'path-outside-root'],
    ['/workspace/missing', 'ENOENT'],
    ['/workspace/f', 'ENOTDIR'],
    ['/workspace/../../etc', 'ENOENT'],
  ])('does not start in %s: %s', async (cwd, code) => {
    const { shell, directory } = await openShell()
    await symlink('/etc', join(directory, 'workspace/out'))
    await writeFile(join(directory, 'workspace/f'), '')
    await expect(run(shell, 'pwd', { cwd: parsePath(cwd) })).rejects.toMatchObject({ code })
  })

  it.each([
    [{ shell: '/no/such/bash' }, 'no-such-shell'],
    [{ directory: '/no/such/directory' }, 'no-such-directory'],
  ])('%j is refused', async (options, code) => {
    const directory = await temporary()
    const opening = nodeShell({ directory, ...options })({ fs: createVfs(node(directory)), root: parsePath('/') })
    await expect(opening).rejects.toMatchObject({ code })
  })
})

describe('the environment', () => {
  it('has no secrets of the host, unless they are asked for', async () => {
    vi.stubEnv('MY_SECRET', 'hush')
    cleanups.push(() => Promise.resolve(vi.unstubAllEnvs()))
    const script = 'echo "[$MY_SECRET][$A]"'
    expect((await run((await openShell({ env: { A: '1' } })).shell, script)).output).toBe('[][1]\n')
    expect((await run((await openShell({ inheritEnv: ['MY_SECRET'] })).shell, script)).output).toBe('[hush][]\n')
    expect((await run((await openShell({ inheritEnv: 'all' })).shell, script, { env: { A: '2' } })).output).toBe('[hush][2]\n')
  })
})

describe('an end', () => {
  it('takes the whole group, with what ignores the first signal', async () => {
    const { shell } = await openShell()
    const script = `trap '' TERM; sh -c "trap '' TERM; echo \\$\\$; sleep 30" & wait`
    const time = timeOutByHand()
    const outcome = await run(shell, script, {
      ...time.options,
      killGraceMs: 200,
      progressIntervalMs: 0,
      onOutput: () => time.ring(),
    })
    expect(outcome.exit).toEqual({ kind: 'timed-out' })
    const child = Number(outcome.output.trim())
    expect(child).toBeGreaterThan(0)
    await expect.poll(() => isAlive(child)).toBe(false)
  })

  it('does not wait for what it left running, which ends with the shell', async () => {
    const { shell } = await openShell()
    const outcome = await run(shell, 'sleep 1000 & echo $!')
    expect(outcome).toMatchObject({ exit: { kind: 'exited', code: 0 }, isStillOpen: true })
    const child = Number(outcome.output.trim())
    expect(isAlive(child)).toBe(true)
    await shell.dispose()
    await expect.poll(() => isAlive(child)).toBe(false)
  })

  it('names the signal that it died of', async () => {
    expect((await run((await openShell()).shell, 'kill -9 $$')).exit).toEqual({ kind: 'killed', signal: 'SIGKILL' })
  })

  it('writes nothing after an abort', async () => {
    const { shell, directory } = await openShell()
    const controller = new AbortController()
    const script = 'while true; do echo x >> n; sleep 0.01; done'
    const running = run(shell, script, { signal: controller.signal })
    const rejected = running.catch((error: unknown) => error)
    const writes = (): Promise<string> => readFile(join(directory, 'workspace/n'), 'utf8').catch(() => '')
    await expect.poll(writes).not.toBe('')
    controller.abort(new Error('enough'))
    expect(await rejected).toMatchObject({ message: 'enough' })
    await expect(running).rejects.toThrow('enough')
    const after = await readFile(join(directory, 'workspace/n'), 'utf8')
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await readFile(join(directory, 'workspace/n'), 'utf8')).toBe(after)
  })
})

describe('much output', () => {
  it('is held back while nobody reads it, and comes whole', async () => {
    const { shell } = await openShell()
    let bytes = 0
    const outcome = await run(shell, 'head -c 20000000 /dev/zero | tr "\\0" x', {
      sinks: {
        output: chunk => {
          bytes += chunk.length
          return new Promise(resolve => setImmediate(resolve))
        },
      },
    })
    expect([bytes, outcome.totalBytes, outcome.exit]).toEqual([20_000_000, 20_000_000, { kind: 'exited', code: 0 }])
  })

  it('of both streams is kept to the byte', async () => {
    const { shell } = await openShell()
    const { stdout, stderr } = await run(shell, 'seq 1 20000; seq 1 20000 >&2', { maxCaptureBytes: 1e6 })
    const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')
    expect([stdout === numbers, stderr === numbers]).toEqual([true, true])
  })
})

describe('a terminal', () => {
  const terminal = { columns: 97, rows: 20 }

  it('is what the bash tool gives where `pty` asks for it, in the background too', async () => {
    const { tools } = await openWorkspace()
    const command = "test -t 1 && printf '\\033[32myes\\033[0m\\n' || echo no"
    const text = async (args: object): Promise<string> => textOf(await tools.call('bash', { command, ...args }))
    expect(await text({ pty: true })).toBe('yes\n')
    expect(await text({})).toBe('no\n')
    const id = /job (\S+):/.exec(await text({ pty: true, async: true }))?.[1]
    expect(textOf(await tools.call('bash', { command: `__atomic_bash_job ${id}`, timeout: 20 }))).toMatch(/\nyes\n$/)
  })

  it('is a real one, of the size asked for, where it is asked for', async () => {
    const { shell } = await openShell()
    expect(shell.capabilities.terminal).toBe(true)
    const script = 'test -t 1 && echo yes || echo no; tput cols; echo $TERM; exit 3'
    const options = { terminal, isTerminalText: true }
    expect(await run(shell, script, options)).toMatchObject({
      output: 'yes\n97\nxterm-256color\n',
      exit: { kind: 'exited', code: 3 },
    })
    expect((await run(shell, 'test -t 1 && echo yes || echo no')).output).toBe('no\n')
  })

  it('brings the whole output', async () => {
    const { shell } = await openShell()
    const { output } = await run(shell, 'seq 1 20000', { terminal, isTerminalText: true })
    expect(output.split('\n').length).toBe(20_001)
    expect(output.endsWith('\n20000\n')).toBe(true)
  })

  it('ends with its group, also when it loops', async () => {
    const { shell } = await openShell()
    const time = timeOutByHand()
    const options = { ...time.options, killGraceMs: 200, progressIntervalMs: 0, onOutput: () => time.ring(), terminal }
    expect((await run(shell, 'echo a; while true; do :; done', options)).exit).toEqual({ kind: 'timed-out' })
    expect(
      await run(shell, 'read line; echo "got $line"', {
        terminal,
        stdin: new TextEncoder().encode('hi\n'),
        isTerminalText: true,
      }),
    ).toMatchObject({
      output: expect.stringContaining('got hi'),
    })
  })

  it.each([
    ['the host', { terminal: 'none' as const }, undefined],
    ['the user', {}, 'ATOMIC_NO_PTY'],
    ['the user, in the other way', {}, 'PI_NO_PTY'],
  ])('is not used when %s wants none', async (_name, options, variable) => {
    if (variable !== undefined) vi.stubEnv(variable, '1')
    cleanups.push(() => Promise.resolve(vi.unstubAllEnvs()))
    const { shell } = await openShell(options)
    expect(shell.capabilities.terminal).toBe(false)
    expect((await run(shell, 'test -t 1 && echo yes || echo no', { terminal })).output).toBe('no\n')
  })
})
