import { describe, expect, it } from 'vitest'

import type { ToolResult } from '../../core/tool.ts'
import { openToolSession, textOf, writeBeforeCommit, type ToolSession } from '../../testing/tool-session.ts'

const open = (files: Record<string, string | Uint8Array>, shell: 'none' | 'just-bash' = 'none'): Promise<ToolSession> =>
  openToolSession(files, { name: 'ah', shell })

describe('bad input', () => {
  const binary = new Uint8Array([65, 0, 66])
  const rows: readonly (readonly [tool: string, args: unknown, code: string, says: string])[] = [
    ['nope', {}, 'unknown-tool', 'read, write, edit, bash'],
    ['write', {}, 'invalid-arguments', 'path is required'],
    ['read', { path: 'a', limit: 'abc' }, 'invalid-arguments', 'limit'],
    ['read', { path: 'a', limit: -1 }, 'invalid-arguments', 'limit'],
    ['read', { path: 'missing' }, 'ENOENT', 'missing'],
    ['read', { path: 'd' }, 'EISDIR', 'directory'],
    ['read', { path: '../x' }, 'path-outside-root', '/workspace'],
    ['read', { path: 'bin' }, 'binary-file', 'appears to be a binary file (3 bytes)'],
    ['read', { path: 'latin1' }, 'binary-file', '2 bytes'],
    ['read', { path: 'controls' }, 'binary-file', 'binary'],
    ['read', { path: 'artifact://1' }, 'artifact-unknown', 'artifact'],
    ['read', { path: 'artifact://1?bytes=5' }, 'artifact-unknown', 'artifact'],
    ['write', { path: 'd', content: '' }, 'EISDIR', 'directory'],
    ['write', { path: 'x/', content: '' }, 'EISDIR', 'directory'],
    ['write', { path: 'a/b', content: '' }, 'ENOTDIR', 'directory'],
    ['write', { path: 'x', content: '\ud800' }, 'invalid-text', 'surrogate'],
    ['edit', { path: 'missing', old_string: 'a', new_string: 'b' }, 'ENOENT', 'failed to read file: missing'],
    ['edit', { path: 'a', old_string: '', new_string: 'b' }, 'old-string-empty', 'empty'],
    ['edit', { path: 'a', old_string: 'zzz', new_string: 'b' }, 'old-string-missing', 'not found'],
    ['edit', { path: 'a', old_string: 'x', new_string: 'b' }, 'old-string-not-unique', 'found 2 times, in lines 1, 2'],
    // The two places overlap, and the result depends on which is meant.
    ['edit', { path: 'blank', old_string: '\n\n', new_string: 'b' }, 'old-string-not-unique', 'found 2 times, in lines 1, 2'],
    ['edit', { path: 'bin', old_string: 'A', new_string: 'b' }, 'binary-file', 'binary'],
    ['edit', { path: 'crlf', old_string: 'a\nc', new_string: 'b' }, 'old-string-missing', 'Read the file'],
    ['bash', { command: ' ' }, 'invalid-arguments', 'empty'],
    ['bash', { command: 'a\0' }, 'invalid-arguments', 'null byte'],
    ['bash', { command: 'true', timeout: 0 }, 'invalid-arguments', 'timeout'],
    ['bash', { command: 'true' }, 'no-shell', 'no shell'],
  ]
  it.each(rows)('%s %j is %s', async (tool, args, code, says) => {
    const files = {
      a: 'x\nx\n',
      blank: 'a\n\n\nb\n',
      'd/f': 'f',
      bin: binary,
      latin1: new Uint8Array([65, 0xe9]),
      controls: '\u001b\u0001ab',
      crlf: 'a\r\nb\r\n',
    }
    const session = await open(files)
    expect(await session.failure(tool, args)).toMatchObject({ code, text: expect.stringContaining(says) })
    expect(await session.file('a')).toBe('x\nx\n')
    expect(await session.fs.exists('/workspace/x')).toBe(false)
  })
})

describe('read', () => {
  it.each([
    ['a\nb\nc\n', {}, '1\ta\n2\tb\n3\tc'],
    ['a\nb\nc', {}, '1\ta\n2\tb\n3\tc'],
    ['a\n\n', {}, '1\ta\n2\t'],
    ['', {}, ''],
    ['a\r\nb', {}, '1\ta\r\n2\tb'],
    ['a\nb\nc\n', { limit: 1 }, '1\ta'],
    ['a\nb\nc\n', { offset: 2, limit: 1 }, '2\tb'],
    ['a\nb\nc\n', { offset: 0 }, '1\ta\n2\tb\n3\tc'],
    ['a\nb\n', { offset: 9 }, '(no lines: offset 9 is past the end of f, which has 2 lines)'],
    ['日本語\n', {}, '1\t日本語'],
  ])('%j %j', async (text, range, shown) => {
    const session = await open({ f: text })
    expect(await session.text('read', { path: 'f', ...range })).toBe(shown)
  })

  it('shows an image under the type that its bytes have', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    const session = await open({ 'a.jpg': png, 'b.JPEG': 'x' })
    expect((await session.call('read', { path: 'a.jpg' })).content).toEqual([
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    ])
    expect((await session.call('read', { path: 'b.JPEG' })).content).toEqual([
      { type: 'image', data: 'eA==', mimeType: 'image/jpeg' },
    ])
  })

  it('shows a text whose extension is the name of something that objects inherit', async () => {
    const session = await open({ 'a.constructor': 'text\n' })
    expect(await session.text('read', { path: 'a.constructor' })).toBe('1\ttext')
  })

  it('refuses an image that no provider takes', async () => {
    const session = await open({ 'a.png': new Uint8Array(3_750_001) })
    expect((await session.failure('read', { path: 'a.png' })).code).toBe('image-too-large')
  })
})

describe('edit keeps every other byte', () => {
  it.each([
    ['value = 100', '100', '50%', 'value = 50%'],
    ['a', 'a', "$& $1 $'", "$& $1 $'"],
    ['\ufeffa\r\nb\nc\rd', 'b', 'B', '\ufeffa\r\nB\nc\rd'],
    ['a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['a\tb', '\t', ' ', 'a b'],
    ['one\r\ntwo', 'one\r\n', '1\r\n', '1\r\ntwo'],
  ])('%j: %j becomes %j', async (text, oldText, newText, after) => {
    const session = await open({ f: text })
    await session.text('edit', { path: 'f', old_string: oldText, new_string: newText })
    expect(await session.file('f')).toBe(after)
  })

  it('is told as a compact diff', async () => {
    const session = await open({ f: 'a\nb\n' })
    const result = await session.call('edit', { path: 'f', old_string: 'a\nb\n', new_string: 'c' })
    expect(textOf(result)).toBe('- a\n- b\n+ c')
    expect(result.details).toMatchObject({ path: 'f', old_lines: 3, new_lines: 1 })
  })

  it('is refused when the file changes at the commit', async () => {
    const session = await open({ f: 'a' })
    writeBeforeCommit(session, '/workspace/f', 'theirs')
    expect((await session.failure('edit', { path: 'f', old_string: 'a', new_string: 'b' })).code).toBe('file-changed')
    expect(await session.file('f')).toBe('theirs')
  })
})

describe('write', () => {
  it.each([
    ['', '0 lines', 1],
    ['a', '1 lines', 1],
    ['a\nb\n', '2 lines', 3],
    ['a\r\nb', '2 lines', 2],
  ])('%j is %s', async (content, text, lineCount) => {
    const session = await open({})
    const result = await session.call('write', { path: 'new/deep/f', content })
    expect(textOf(result)).toBe(text)
    expect(result.details).toMatchObject({ path: 'new/deep/f', line_count: lineCount })
    expect(await session.file('new/deep/f')).toBe(content)
  })
})

describe('bash', () => {
  const bash = async (command: string, more: object = {}): Promise<ToolResult> =>
    (await open({}, 'just-bash')).call('bash', { command, ...more })

  it.each([
    ['echo hello', 'hello\n', 0],
    ['true', '(no output)', 0],
    ['echo a; false; echo b', 'a\n\nexit code: 1', 1],
    ['printf a; exit 3', 'a\nexit code: 3', 3],
    ['exit 4', 'exit code: 4', 4],
    ['exit 124', 'exit code: 124', 124],
    ['false | cat; echo b', 'exit code: 1', 1],
    ['false || echo b', 'b\n', 0],
    ['echo out; echo err >&2; echo out', 'out\nerr\nout\n', 0],
    ['# only a comment', '(no output)', 0],
    ['cat <<X\nhere\nX', 'here\n', 0],
  ])('%s', async (command, text, code) => {
    const result = await bash(command)
    expect(textOf(result)).toBe(text)
    expect(result).toMatchObject({ isError: code !== 0, details: { command, exit_code: code } })
  })

  it('ends what takes too long, in milliseconds', async () => {
    const result = await bash('sleep 5', { timeout: 60 })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('error: command timed out after 1s')
  })

  it('ends what runs when the call is aborted', async () => {
    const session = await open({}, 'just-bash')
    const controller = new AbortController()
    const call = session.call(
      'bash',
      { command: 'until [ -e go ]; do sleep 0.01; done; echo x > late' },
      { signal: controller.signal },
    )
    setTimeout(() => controller.abort('enough'), 20)
    await expect(call).rejects.toBe('enough')
    await session.text('bash', { command: 'touch go; sleep 0.1' })
    expect(await session.fs.exists('/workspace/late')).toBe(false)
  })
})

describe('what is cut can be rebuilt byte for byte', () => {
  it.each([
    ['bytes', "for i in $(seq 1 400); do printf '%0200d é日😀' $i; done"],
    ['lines', 'seq 1 1000'],
    ['both', 'seq 1 20000'],
  ])('%s', async (_what, command) => {
    const session = await open({}, 'just-bash')
    const whole = await session.call('bash', { command: `${command} > f; cat f` })
    const cut = textOf(whole)
    const address = /read (artifact:\/\/\d+)/.exec(cut)?.[1]
    if (address === undefined) throw new Error(`no address in ${cut.slice(-200)}`)
    let rebuilt = ''
    let next: string | undefined = address
    for (let pages = 0; next !== undefined && pages < 20; pages++) {
      const [page, more]: ToolResult['content'] = (await session.call('read', { path: next })).content
      if (page?.type !== 'text') throw new Error('no page')
      rebuilt += page.text
      next = more?.type === 'text' ? /read (artifact:\S+)\]/.exec(more.text)?.[1] : undefined
    }
    expect(rebuilt === (await session.file('f'))).toBe(true)
  })

  it('by the hole alone, and by lines', async () => {
    const session = await open({ f: `${'x'.repeat(60_000)}\n` })
    const cut = await session.text('read', { path: 'f' })
    const hole = /left out: read (\S+)\]/.exec(cut)?.[1]
    const [head = '', tail = ''] = cut.split(/\n\n\[output truncated: \d+ bytes removed from middle\]\n\n/)
    const middle = textOf(await session.call('read', { path: hole }))
    expect(head + middle + (tail.split('\n\n[Whole output')[0] ?? '')).toBe(`1\t${'x'.repeat(60_000)}`)
    expect((await session.call('read', { path: 'artifact://1', offset: 2 })).content).toEqual([{ type: 'text', text: '' }])
  })
})

it('the limits are those of the document', async () => {
  const session = await open({ exact: 'x'.repeat(49_998), over: 'x'.repeat(49_999) })
  expect(await session.text('read', { path: 'exact' })).toBe(`1\t${'x'.repeat(49_998)}`)
  expect(await session.text('read', { path: 'over' })).toContain('[output truncated: 1 bytes removed from middle]')
})

describe('nothing outside is touched', () => {
  it.each([
    ['../out'],
    ['/etc/out'],
    ['a/../../out'],
    ['link/out'],
    ['link2/../out'],
    ['/workspace/../out'],
    ['dangling'],
    ['loop'],
    ['a\0b'],
    [''],
    ['/workspace/link/deep/out'],
  ])('%j', async path => {
    const session = await open({ 'a/f': 'f', '/outside/deep/f': 'f' })
    await session.fs.symlink('/outside', '/workspace/link')
    await session.fs.symlink('link/deep', '/workspace/link2')
    await session.fs.symlink('/outside/new', '/workspace/dangling')
    await session.fs.symlink('loop', '/workspace/loop')
    const before: string[] = []
    for await (const entry of session.workspace.fs.walk('/')) before.push(entry.path)
    for (const [tool, args] of [
      ['read', { path }],
      ['write', { path, content: 'x' }],
      ['edit', { path, old_string: 'f', new_string: 'x' }],
    ] as const) {
      expect({ tool, isError: (await session.call(tool, args)).isError }).toEqual({ tool, isError: true })
    }
    const after: string[] = []
    for await (const entry of session.workspace.fs.walk('/')) after.push(entry.path)
    expect(after).toEqual(before)
    expect(await session.fs.readText('/outside/deep/f')).toBe('f')
  })
})
