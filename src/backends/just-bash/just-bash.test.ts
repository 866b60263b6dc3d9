import { describe, expect, it } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { runCommand, type CommandOutcome } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash, type JustBashOptions } from './index.ts'
import { sample } from '../../testing/depth.ts'

const root = parsePath('/workspace')

async function open(
  options: JustBashOptions = {},
  fs: Vfs = createVfs(memory({ '/workspace/a.txt': 'a\n' })),
): Promise<{ shell: Shell; fs: Vfs }> {
  return { shell: await justBash(options)({ fs, root }), fs }
}

function run(shell: Shell, script: string, timeoutMs = 10_000): Promise<CommandOutcome> {
  return runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 1024 * 1024, timeoutMs })
}

async function paths(fs: Vfs): Promise<string[]> {
  const found: string[] = []
  for await (const entry of fs.walk('/')) found.push(entry.path)
  return found
}

describe('devices and commands are there, and leave nothing behind', () => {
  it.each([
    ['/dev/null takes and gives nothing', 'echo x > /dev/null; wc -c < /dev/null | tr -d " "', '0\n'],
    ['/dev/null can be copied and touched', 'cp /dev/null z; touch /dev/null; wc -c < z | tr -d " "; rm z', '0\n'],
    ['/dev/urandom', 'head -c 8 /dev/urandom | wc -c | tr -d " "', '8\n'],
    ['tee /dev/stderr', 'echo t | tee /dev/stderr', 't\nt\n'],
    [
      'commands have a path',
      'which ls; command -v mktemp; /bin/echo y; /usr/bin/env echo z',
      '/usr/bin/ls\n/usr/bin/mktemp\ny\nz\n',
    ],
    ['a missing device says what to do', 'cat /dev/stdin 2>/dev/null || echo none; [ -e /dev/tty ] || echo no tty', 'no tty\n'],
    ['the root does not list them', 'ls /', 'workspace\n'],
    ['a built-in cannot be removed', 'rm /bin/ls 2>/dev/null; echo $?; ls a.txt', '1\na.txt\n'],
    ['/tmp is listed before it exists', 'ls /tmp; [ -d /tmp ] && echo there', 'there\n'],
  ])('%s', async (_name, script, output) => {
    const { shell, fs } = await open()
    expect((await run(shell, script)).output).toBe(output)
    expect(await paths(fs)).toEqual(['/workspace', '/workspace/a.txt'])
  })

  it('makes /tmp when something is put there', async () => {
    const { shell, fs } = await open()
    await run(shell, 'echo x > /tmp/x')
    expect(await paths(fs)).toEqual(['/tmp', '/tmp/x', '/workspace', '/workspace/a.txt'])
  })

  it("puts the user's own /bin first", async () => {
    const { shell } = await open({}, createVfs(memory({ '/bin/ls': 'mine\n', '/workspace/a.txt': '' })))
    expect((await run(shell, 'cat /bin/ls; ls /bin | head -n 2')).output).toBe('mine\nls\n')
  })
})

describe('how a command ends', () => {
  it('a file that cannot be written fails with a message, whatever way it was named', async () => {
    const { shell } = await open()
    const outcome = await run(shell, 'echo before; echo x > "$(echo no/such/file)"')
    expect(outcome).toMatchObject({ stdout: 'before\n', exit: { kind: 'exited', code: 1 } })
    expect(outcome.stderr).toContain('No such file or directory')
  })

  const endless: readonly string[] = [
    'while true; do :; done',
    'while true; do echo x >/dev/null; done',
    'sleep 1000',
    'f() { f2; }; f2() { :; }; while f; do :; done',
    'while :; do sleep 0.01; done | cat',
  ]
  it.each(sample(endless, 2))('%s ends on time and says no more than it wrote', async script => {
    const { shell } = await open()
    const outcome = await run(shell, script, 300)
    expect(outcome).toMatchObject({ exit: { kind: 'timed-out' }, output: '' })
  })

  it('a loop that runs commands lets other work through', async () => {
    const { shell } = await open()
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 100)
    const running = runCommand(
      shell,
      { kind: 'script', script: 'while true; do echo x; done' },
      { maxCaptureBytes: 1000, timeoutMs: 60_000, signal: controller.signal },
    )
    await expect(running).rejects.toThrow('enough')
  })

  it('a flag in shared memory ends a loop of builtins', async () => {
    const abortFlag = new Int32Array(new SharedArrayBuffer(4))
    const { shell } = await open({ abortFlag })
    // Simulates another thread by the script's own file access.
    const raised = createVfs(memory({ '/workspace/a.txt': '' }))
    const watching = await justBash({ abortFlag })({
      fs: { ...raised, stat: path => (path === '/workspace/raise' ? Atomics.store(abortFlag, 0, 1) : 0, raised.stat(path)) },
      root,
    })
    const outcome = await run(watching, '[ -e raise ]; while true; do :; done')
    expect(outcome.exit).toMatchObject({ kind: 'killed' })
    await shell.dispose()
  })

  it('stops at its own bound on output, and says so', async () => {
    const { shell } = await open()
    const outcome = await run(shell, 'x=$(printf "%01000000d" 0); while true; do echo "$x"; done', 30_000)
    expect(outcome.exit).toEqual({ kind: 'exited', code: 126 })
    expect(outcome.output.slice(-200)).toMatch(/limit|exceeded/)
    expect(outcome.droppedBytes).toBeGreaterThan(50_000_000)
  }, 40_000)

  it('deep recursion is stopped, not fatal', async () => {
    const { shell } = await open()
    expect((await run(shell, 'r() { r; }; r')).exit).toEqual({ kind: 'exited', code: 126 })
  })

  it('refuses to start after dispose', async () => {
    const { shell } = await open()
    await shell.dispose()
    await expect(run(shell, 'echo x')).rejects.toMatchObject({ code: 'shell-disposed' })
  })

  it('a working directory that is a file is refused', async () => {
    const { shell } = await open()
    await expect(shell.start({ kind: 'script', script: 'pwd' }, { cwd: parsePath('/workspace/a.txt') })).rejects.toMatchObject({
      code: 'ENOTDIR',
    })
  })
})

describe('environment', () => {
  it('home, temporary files and options', async () => {
    const { shell } = await open({ env: { EDITOR: 'none' } })
    expect((await run(shell, 'echo $HOME $PWD $TMPDIR $EDITOR; bash -c "echo \\$EDITOR"; cd; pwd')).output).toBe(
      '/workspace /workspace /tmp none\nnone\n/workspace\n',
    )
  })

  it('has no network', async () => {
    const { shell } = await open()
    expect((await run(shell, 'curl http://localhost')).exit).toEqual({ kind: 'exited', code: 127 })
  })

  it.each([
    ['mktemp -d', /^\/tmp\/tmp\.\w{10}\n$/],
    ['mktemp x.XXXX', /^x\.\w{4}\n$/],
    ['mktemp -p sub a-XXX.txt', /^sub\/a-\w{3}\.txt\n$/],
    ['mktemp -t y.XXXXXX', /^\/tmp\/y\.\w{6}\n$/],
    ['mktemp nothing', /^mktemp: too few X's/],
    ['mktemp --what', /^mktemp: unrecognized option '--what'/],
    ['mktemp no/such/XXX', /^mktemp: failed to create file .*ENOENT/],
  ])('%s', async (command, expected) => {
    const { shell } = await open()
    expect((await run(shell, `mkdir sub; ${command}`)).output).toMatch(expected)
  })
})
