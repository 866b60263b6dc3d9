import { describe, expect, it } from 'vitest'

import { openToolSession, textOf, type ToolSession } from '../../../testing/tool-session.ts'

function open(files: Readonly<Record<string, string>> = {}): Promise<ToolSession> {
  return openToolSession(files, { shell: 'just-bash' })
}

describe('what comes back', () => {
  const rows: readonly (readonly [command: string, text: string])[] = [
    ['echo hello', 'hello\n'],
    ['true', '(no output)'],
    ['echo a; echo b >&2; echo c', 'a\nb\nc\n'],
    ['pwd', '/workspace\n'],
    ['cat f.txt | tr a-z A-Z', 'FILE\n'],
    ['echo é😀', 'é😀\n'],
  ]
  it.each(rows)('%s', async (command, text) => {
    expect(await (await open({ 'f.txt': 'file\n' })).text('bash', { command })).toBe(text)
  })

  it.each([
    ['echo out; exit 3', 'out\n\n\nCommand exited with code 3', 3],
    ['exit 7', '(no output)\n\nCommand exited with code 7', 7],
    ['no-such-command', expect.stringContaining('Command exited with code 127'), 127],
  ])('%s is an error', async (command, text, exitCode) => {
    const result = await (await open()).call('bash', { command })
    expect(result).toMatchObject({ isError: true, details: { exitCode, error: { code: 'exit-code' } } })
    expect(textOf(result)).toEqual(text)
  })

  it('tells the host how long it took and might have taken', async () => {
    const result = await (await open()).call('bash', { command: 'true', timeout: 9999 })
    expect(result.details).toMatchObject({ timeoutSeconds: 3600, requestedTimeoutSeconds: 9999, wallTimeMs: expect.any(Number) })
  })
})

it('works on the same files as the other tools, both ways', async () => {
  const session = await open({ 'src/a.txt': 'one\n' })
  await session.text('bash', { command: 'sed -i s/one/two/ src/a.txt && mkdir -p out && cp src/a.txt out/b.txt' })
  expect(await session.text('read', { path: 'out/b.txt' })).toContain('1:two')
  await session.text('write', { path: 'src/a.txt', content: 'three\n' })
  expect(await session.text('bash', { command: 'cat src/a.txt' })).toBe('three\n')
})

it('tells the host what a command did to the files, and nothing when it did nothing', async () => {
  const session = await open({ 'a.txt': 'one\n', 'b.txt': '' })
  const result = await session.call('bash', {
    command: 'echo two > a.txt; mkdir d; echo x > d/new; rm b.txt; echo > gone; rm gone',
  })
  expect(result.details['changed']).toMatchObject({
    attribution: 'exact',
    created: ['d/', 'd/new'],
    modified: ['a.txt'],
    deleted: ['b.txt'],
  })
  expect(await session.call('bash', { command: 'cat a.txt' })).not.toHaveProperty('details.changed')
})

it('runs in cwd with env, starting afresh each time', async () => {
  const session = await open({ 'sub/x': '' })
  expect(
    await session.text('bash', {
      command: 'export LATER=1; basename "$PWD"; echo "$GREETING"',
      cwd: 'sub',
      env: { GREETING: 'hi' },
    }),
  ).toBe('sub\nhi\n')
  expect(await session.text('bash', { command: 'basename "$PWD"; echo "[$GREETING$LATER]"' })).toBe('workspace\n[]\n')
})

describe('what is refused runs nothing', () => {
  it.each([
    [{ command: 'touch ran', cwd: 'nope' }, 'ENOENT'],
    [{ command: 'touch ran', cwd: 'f.txt' }, 'ENOTDIR'],
    [{ command: 'touch ran', cwd: '/' }, 'path-outside-root'],
    [{ command: 'touch ran\0' }, 'invalid-arguments'],
    [{ command: 'touch ran', env: { A: 'x\0' } }, 'invalid-arguments'],
  ])('%j', async (args, code) => {
    const session = await open({ 'f.txt': '' })
    expect((await session.failure('bash', args)).code).toBe(code)
    expect(await session.fs.exists('/workspace/ran')).toBe(false)
  })
})

describe('an end is always reached', () => {
  it.each([
    ['a tight loop', 'echo start; while true; do :; done'],
    ['a sleep', 'echo start; sleep 30'],
  ])('%s ends at its time-out, with what it said, and the next command runs', async (_name, command) => {
    const session = await open()
    // What the shell loads must not take of the second.
    await session.text('bash', { command: 'true' })
    const result = await session.call('bash', { command, timeout: 1 })
    expect(result).toMatchObject({ isError: true, details: { timedOut: true, error: { code: 'timed-out' } } })
    expect(textOf(result)).toMatch(/^start\n[^]*timed out after 1 seconds/)
    expect(await session.text('bash', { command: 'echo again' })).toBe('again\n')
  })

  it('abort rejects with its reason', async () => {
    const session = await open()
    const controller = new AbortController()
    const call = session.call('bash', { command: 'sleep 30' }, { signal: controller.signal })
    setTimeout(() => controller.abort('enough'), 20)
    await expect(call).rejects.toBe('enough')
  })
})

describe('long output', () => {
  it('shows the beginning and the end, and keeps the whole for read', async () => {
    const session = await open()
    const result = await session.call('bash', { command: 'seq 1 4000' })
    const text = textOf(result)
    expect(text).toMatch(/^1\n2\n[^]*\n20\n\n\[… 3\.8KB left out …\]\n\n1001\n1002\n/)
    expect(text).toMatch(/\n4000\n*\[Showing lines 1001-4000 of 4000\. Whole output: read artifact:\/\/1\.\]$/)
    expect(result.details['fullOutputPath']).toBe('artifact://1')
    expect(await session.text('read', { path: 'artifact://1:1-2:raw' })).toBe('1\n2\n')
    expect(await session.text('read', { path: 'artifact://1:4000' })).toBe('4000')
  })

  it('can be searched, line by line and from any line on', async () => {
    const session = await open()
    await session.text('bash', { command: "seq 1 60000; printf 'nul \\0 4711\\n'" })
    expect(await session.text('search', { pattern: '^4711$', paths: 'artifact://1' })).toBe(
      '[artifact://1]\n 4710:4710\n*4711:4711\n 4712:4712\n 4713:4713\n 4714:4714',
    )
    expect(await session.text('search', { pattern: '4711$', paths: 'artifact://1:59000-' })).toBe(
      '[artifact://1]\n 60000:60000\n*60001:nul \0 4711',
    )
    const many = await session.text('search', { pattern: '7', paths: ['artifact://1'] })
    const [, next] = /Go on with paths: "artifact:\/\/1:(\d+)-"/.exec(many) ?? []
    expect(many.match(/^\*/gm)?.length).toBe(200)
    expect(await session.text('search', { pattern: '7', paths: `artifact://1:${next}-` })).toMatch(
      new RegExp(`^\\*${next}:|^\\*\\d+:.*7`, 'm'),
    )
    await session.text('bash', { command: "for i in 1 2 3; do seq -s, 1 12000; done; echo 'x'; seq 1 4000" })
    expect(await session.text('search', { pattern: '^x$', paths: 'artifact://2' })).toMatch(
      /^\[artifact:\/\/2\]\n 3:1,2[\d,]+…\n\*4:x\n 5:1\n/,
    )
    expect(await session.text('search', { pattern: 'nothing', paths: 'artifact://1' })).toBe('No matches found.')
    expect((await session.failure('search', { pattern: 'x', paths: 'artifact://9' })).code).toBe('artifact-unknown')
    expect((await session.failure('search', { pattern: 'x', paths: ['artifact://1', 'src'] })).code).toBe('invalid-arguments')
  })
})
