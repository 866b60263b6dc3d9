import { describe, expect, it } from 'vitest'

import {
  openToolSession,
  textOf,
  writeBeforeCommit,
  type ToolSession,
  type ToolSessionOptions,
} from '../../testing/tool-session.ts'

const open = (files: Record<string, string | Uint8Array>, options: ToolSessionOptions = {}): Promise<ToolSession> =>
  openToolSession(files, { ...options, name: 'agsh' })

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `L${from + index}`).join('\n')

describe('bad input', () => {
  const rows: readonly (readonly [tool: string, args: unknown, code: string, says: string])[] = [
    ['nope', {}, 'unknown-tool', 'read_file'],
    ['read_file', {}, 'invalid-arguments', 'path is required'],
    ['read_file', { path: 'a', offset: -1 }, 'invalid-arguments', 'offset'],
    ['read_file', { path: 'a', offset: 1.5 }, 'invalid-arguments', 'offset'],
    ['read_file', { path: 'missing' }, 'ENOENT', "failed to resolve path 'missing'"],
    ['read_file', { path: 'd' }, 'EISDIR', 'directory'],
    ['read_file', { path: 'bin' }, 'binary-file', "failed to read 'bin'"],
    ['read_file', { path: 'a.jxl' }, 'binary-file', 'valid UTF-8'],
    ['read_file', { path: '../x' }, 'path-outside-root', '/workspace'],
    ['edit_file', { path: 'missing', old_string: 'a', new_string: 'b' }, 'ENOENT', 'failed to resolve'],
    ['edit_file', { path: 'a', old_string: 'x', new_string: 'b' }, 'not-read', "file 'a' must be read before editing"],
    ['edit_file', { path: 'a', old_string: '', new_string: 'b', force: true }, 'old-string-empty', 'empty'],
    ['edit_file', { path: 'a', old_string: 'zz', new_string: 'b', force: true }, 'old-string-missing', "'zz' not found in 'a'"],
    ['edit_file', { path: 'crlf', old_string: 'a\nc', new_string: 'b', force: true }, 'old-string-missing', 'Read the file'],
    ['edit_file', { path: 'bin', old_string: 'A', new_string: 'b', force: true }, 'binary-file', 'UTF-8'],
    ['write_file', { path: 'd', content: '' }, 'EISDIR', 'directory'],
    ['write_file', { path: 'x', content: '\udc00' }, 'invalid-text', 'surrogate'],
    ['write_file', { path: 'x', content: 'x', scratchpad: 'a\nb' }, 'scratchpad-name', 'one line'],
    ['write_file', { path: 'x', content: 'x', scratchpad: {} }, 'invalid-arguments', 'scratchpad'],
    ['scratchpad_read', { name: 'none' }, 'scratchpad-missing', 'not found'],
    ['scratchpad_delete', { name: 'none' }, 'scratchpad-missing', 'not found'],
    ['scratchpad_write', { name: ' ', content: 'x' }, 'scratchpad-name', 'name'],
    ['scratchpad_edit', { name: 'none', content: '' }, 'scratchpad-missing', 'not found'],
  ]
  it.each(rows)('%s %j is %s', async (tool, args, code, says) => {
    const bytes = new Uint8Array([0xff, 0x0a, 0, 0xff])
    const session = await open({ a: 'x\n', 'd/f': 'f', bin: bytes, 'a.jxl': bytes, crlf: 'a\r\nb\r\n' })
    expect(await session.failure(tool, args)).toMatchObject({ code, text: expect.stringContaining(says) })
    expect([await session.file('a'), await session.fs.exists('/workspace/x')]).toEqual(['x\n', false])
  })
})

describe('read_file', () => {
  const rows: readonly (readonly [text: string, range: object, shown: string])[] = [
    ['line1\nline2\n', {}, 'line1\nline2'],
    ['', {}, ''],
    ['\n', {}, ''],
    ['a\r\nb\r\n', {}, 'a\nb'],
    ['\ufeffa', {}, 'a'],
    ['a\nb\nc', { offset: 1, limit: 1 }, 'b'],
    ['a\nb\nc', { limit: 0 }, ''],
    ['a\nb\nc\n', { offset: 3 }, "(no lines: offset 3 is past the end of 'f', which has 3 lines)"],
    [numbered(1, 2000), {}, numbered(1, 2000)],
    [numbered(1, 2001), {}, `${numbered(1, 2000)}\n\n... (showing first 2000 of 2001 lines, use offset/limit to read more)`],
    [
      numbered(1, 3000),
      { offset: 10 },
      `${numbered(11, 2010)}\n\n... (showing lines 11-2010 of 3000, use offset/limit to read more; go on with offset 2010)`,
    ],
  ]
  it.each(rows.map(row => [JSON.stringify(row.slice(0, 2)).slice(0, 60), ...row] as const))(
    '%s',
    async (_name, text, range, shown) => {
      const session = await open({ f: text })
      expect(await session.text('read_file', { path: 'f', ...range })).toBe(shown)
    },
  )
})

describe('edit_file', () => {
  it.each([
    ['a b a', 'a', 'x', {}, 'x b a'],
    ['a b a', 'a', 'x', { replace_all: true }, 'x b x'],
    ['aaa', 'aa', 'a', { replace_all: true }, 'aa'],
    ['\ufeffa\r\nb\nc\rd', 'b', "$&'", {}, "\ufeffa\r\n$&'\nc\rd"],
    ['a\n', 'a\n', '', {}, ''],
  ])('%j: %j by %j %j', async (text, oldText, newText, more, after) => {
    const session = await open({ f: text })
    await session.text('read_file', { path: 'f' })
    await session.text('edit_file', { path: 'f', old_string: oldText, new_string: newText, ...more })
    expect(await session.file('f')).toBe(after)
  })

  it('tells where the other matches are', async () => {
    const session = await open({ f: 'a\nb\na\na\n' })
    const text = await session.text('edit_file', { path: 'f', old_string: 'a', new_string: 'x', force: true })
    expect(text).toContain("Successfully edited 'f': replaced 1 occurrence(s)")
    expect(text).toContain('2 more began in line 3, 4')
  })

  type Step = readonly [tool: string, args: object] | ((session: ToolSession) => Promise<unknown>)
  const edit: Step = ['edit_file', { path: 'f', old_string: 'a', new_string: 'b' }]
  const forced: Step = ['edit_file', { path: 'f', old_string: 'a', new_string: 'b', force: true }]
  const read: Step = ['read_file', { path: 'f' }]
  const rows: readonly (readonly [name: string, steps: readonly Step[], code: string | undefined])[] = [
    ['unread', [edit], 'not-read'],
    ['unread but forced', [forced], undefined],
    ['read', [read, edit], undefined],
    ['read in part', [['read_file', { path: 'f', limit: 1 }], edit], undefined],
    ['read by a link', [s => s.fs.symlink('f', '/workspace/l'), ['read_file', { path: 'l' }], edit], undefined],
    ['written by itself', [['write_file', { path: 'f', content: 'aa' }], edit], undefined],
    ['edited twice', [read, edit, edit], undefined],
    ['touched', [read, s => s.fs.utimes('/workspace/f', 1), edit], undefined],
    ['written again with the same text', [read, s => s.fs.writeFile('/workspace/f', 'aaa'), edit], undefined],
    ['changed by another', [read, s => s.fs.writeFile('/workspace/f', 'a, theirs'), edit], 'file-changed'],
    ['changed and forced', [read, s => s.fs.writeFile('/workspace/f', 'a, theirs'), forced], undefined],
    ['changed and read again', [read, s => s.fs.writeFile('/workspace/f', 'a, theirs'), read, edit], undefined],
    ['a failed read', [['read_file', { path: 'missing' }], edit], 'not-read'],
    [
      'a link that was swapped',
      [
        s => s.fs.symlink('g', '/workspace/l'),
        ['read_file', { path: 'l' }],
        s => s.fs.rm('/workspace/l'),
        s => s.fs.symlink('f', '/workspace/l'),
        ['edit_file', { path: 'l', old_string: 'a', new_string: 'b' }],
      ],
      'not-read',
    ],
    [
      'read in another session',
      [async s => (await s.workspace.toolset('agsh')).call('read_file', { path: 'f' }), edit],
      'not-read',
    ],
  ]
  it.each(rows)('%s: %s', async (_name, steps, code) => {
    const session = await open({ f: 'aaa', g: 'aaa' })
    let result: unknown
    for (const step of steps) result = typeof step === 'function' ? await step(session) : await session.call(...step)
    expect(result).toMatchObject(code === undefined ? { isError: false } : { isError: true, details: { error: { code } } })
  })

  it('never overwrites what came between', async () => {
    const session = await open({ f: 'a' })
    await session.text('read_file', { path: 'f' })
    writeBeforeCommit(session, '/workspace/f', 'theirs')
    expect((await session.failure('edit_file', { path: 'f', old_string: 'a', new_string: 'b' })).code).toBe('file-changed')
    expect(await session.file('f')).toBe('theirs')
  })
})

describe('write_file', () => {
  it.each(['', 'hello world', 'é\r\n'])('%j', async content => {
    const session = await open({})
    const bytes = new TextEncoder().encode(content).length
    expect(await session.text('write_file', { path: 'a/b/o.txt', content })).toBe(
      `Successfully wrote ${bytes} bytes to 'a/b/o.txt'`,
    )
    expect(await session.file('a/b/o.txt')).toBe(content)
  })

  it('does not write through a link', async () => {
    const session = await open({ f: 'f' })
    await session.fs.symlink('f', '/workspace/l')
    expect((await session.failure('write_file', { path: 'l', content: 'x' })).code).toBe('symlink')
    expect(await session.file('f')).toBe('f')
  })
})

describe('scratchpad', () => {
  it('takes a result that was named', async () => {
    const session = await open({ f: 'hi\nho\n' })
    expect(await session.text('read_file', { path: 'f', scratchpad: 'out' })).toBe(
      'Output saved to scratchpad "out" (5 characters). Use scratchpad_read to access it.',
    )
    expect(await session.text('scratchpad_read', { name: 'out' })).toBe('hi\nho')
    expect(await session.text('read_file', { path: 'f', scratchpad: '' })).toBe('hi\nho')
  })

  it('takes no failure: the model sees it', async () => {
    const session = await open({})
    expect((await session.failure('read_file', { path: 'f', scratchpad: 'out' })).code).toBe('ENOENT')
    expect(await session.text('scratchpad_list', {})).toBe('Scratchpad is empty.')
  })

  it('takes no image', async () => {
    const session = await open({ 'a.png': 'x' })
    expect((await session.failure('read_file', { path: 'a.png', scratchpad: 'out' })).code).toBe('scratchpad-image')
  })

  it.each([
    [{ regex: '^a' }, '1:apple\n3:apricot\n5:avocado'],
    [{ regex: 'zzz' }, 'No matches found for the given regex pattern.'],
    [{ offset: 6, limit: 6 }, 'banana\n\n(showing characters 6..12 of 36)'],
    [{}, 'apple\nbanana\napricot\ncherry\navocado\n'],
  ])('is read by %j', async (range, shown) => {
    const session = await open({})
    await session.text('scratchpad_write', { name: 'f', content: 'apple\nbanana\napricot\ncherry\navocado\n' })
    expect(await session.text('scratchpad_read', { name: 'f', ...range })).toBe(shown)
  })

  it.each([
    [{ offset: 4 }, 'offset-past-end'],
    [{ regex: '[' }, 'invalid-pattern'],
  ])('refuses %j', async (range, code) => {
    const session = await open({})
    await session.text('scratchpad_write', { name: 'f', content: 'abc' })
    expect((await session.failure('scratchpad_read', { name: 'f', ...range })).code).toBe(code)
  })

  it.each([
    [{ content: 'new' }, 'new'],
    [{ old_string: 'a', new_string: 'x' }, 'x b a'],
    [{ old_string: 'a', new_string: 'x', replace_all: true }, 'x b x'],
    [{ old_string: 'a' }, undefined],
    [{ old_string: 'zz', new_string: 'x' }, undefined],
    [{ content: 'new', old_string: 'a', new_string: 'x' }, undefined],
  ])('is edited by %j', async (edit, after) => {
    const session = await open({})
    await session.text('scratchpad_write', { name: 'f', content: 'a b a' })
    const result = await session.call('scratchpad_edit', { name: 'f', ...edit })
    expect(result.isError).toBe(after === undefined)
    expect(await session.text('scratchpad_read', { name: 'f' })).toBe(after ?? 'a b a')
  })

  it('is listed and deleted', async () => {
    const session = await open({}, { clock: () => 0 })
    await session.text('scratchpad_write', { name: 'one', content: 'x' })
    expect(await session.text('scratchpad_list', {})).toBe('Name      Size  Created\none         1B  1970-01-01T00:00:00.000Z')
    await session.text('scratchpad_delete', { name: 'one' })
    expect(await session.text('scratchpad_list', {})).toBe('Scratchpad is empty.')
  })

  it('takes what is too long, under names that never come again, and gives it back byte for byte', async () => {
    const text = Array.from({ length: 1500 }, (_, index) => `${index} é日😀 ${'x'.repeat(40)}`).join('\n')
    const session = await open({ f: text })
    const shown = await session.text('read_file', { path: 'f' })
    expect(shown).toContain('<large-output name="read_file_1" size="')
    expect(shown.length).toBeLessThan(3000)
    let rebuilt = ''
    for (let pages = 0; pages < 20; pages++) {
      const [page] = (await session.call('scratchpad_read', { name: 'read_file_1', offset: rebuilt.length, limit: 7001 })).content
      if (page?.type !== 'text' || page.text === '') break
      rebuilt += page.text
    }
    expect(rebuilt === text).toBe(true)
    await session.text('scratchpad_delete', { name: 'read_file_1' })
    expect(await session.text('read_file', { path: 'f' })).toContain('name="read_file_2"')
  })

  it('says when it is full, and changes nothing', async () => {
    const session = await open({}, { limits: { outputMaxBytes: 10 } })
    await session.text('scratchpad_write', { name: 'a', content: '12345678' })
    expect((await session.failure('scratchpad_write', { name: 'b', content: '123' })).code).toBe('scratchpad-full')
    await session.text('scratchpad_write', { name: 'a', content: '1234567890' })
  })

  it('can be switched off, and then is not offered', async () => {
    const session = await open({ f: 'f' }, { toolset: { scratchpad: false } })
    expect(session.tools.tools.map(tool => tool.name)).toEqual(['read_file', 'edit_file', 'write_file'])
    expect(JSON.stringify(session.tools.tools)).not.toContain('scratchpad')
    expect(await session.text('read_file', { path: 'f', scratchpad: 'x' })).toMatch(/^f/)
    await expect(session.workspace.toolset('atomic', { scratchpad: true })).rejects.toMatchObject({ code: 'toolset-options' })
  })
})

describe('levels', () => {
  it.each([
    ['none', ['read_file', 'edit_file', 'write_file', 'scratchpad_write']],
    ['read', ['edit_file', 'write_file']],
    ['write', []],
  ] as const)('%s denies %j', async (level, denied) => {
    const session = await open({ f: 'a' }, { policy: { level } })
    const calls = {
      read_file: { path: 'f' },
      edit_file: { path: 'f', old_string: 'a', new_string: 'b', force: true },
      write_file: { path: 'g', content: 'g' },
      scratchpad_write: { name: 'n', content: 'c' },
    }
    const refused: string[] = []
    for (const [tool, args] of Object.entries(calls)) if ((await session.call(tool, args)).isError) refused.push(tool)
    expect(refused).toEqual(denied)
  })

  it('ask asks for what changes files', async () => {
    const asked: string[] = []
    const approve = async ({ tool }: { tool: string }): Promise<'deny'> => {
      asked.push(tool)
      return 'deny'
    }
    const session = await open({ f: 'a' }, { policy: { level: 'ask', approve } })
    await session.text('read_file', { path: 'f' })
    await session.text('scratchpad_write', { name: 'n', content: 'c' })
    expect((await session.failure('write_file', { path: 'g', content: 'g' })).code).toBe('approval-denied')
    expect((await session.failure('edit_file', { path: 'f', old_string: 'a', new_string: 'b' })).code).toBe('approval-denied')
    expect(asked).toEqual(['write_file', 'edit_file'])
    expect(await session.file('f')).toBe('a')
  })
})

describe('nothing outside is touched', () => {
  it.each([
    '../out',
    '/etc/out',
    'a/../../out',
    'link/out',
    'link2/../out',
    'dangling',
    'loop',
    'a\0b',
    '',
    '/workspace/link/deep/f',
  ])('%j', async path => {
    const session = await open({ 'a/f': 'f', '/outside/deep/f': 'f' })
    await session.fs.symlink('/outside', '/workspace/link')
    await session.fs.symlink('link/deep', '/workspace/link2')
    await session.fs.symlink('/outside/new', '/workspace/dangling')
    await session.fs.symlink('loop', '/workspace/loop')
    const tree = async (): Promise<string[]> => {
      const paths: string[] = []
      for await (const entry of session.workspace.fs.walk('/')) paths.push(entry.path)
      return paths
    }
    const before = await tree()
    for (const [tool, args] of [
      ['read_file', { path }],
      ['write_file', { path, content: 'x' }],
      ['edit_file', { path, old_string: 'f', new_string: 'x', force: true }],
    ] as const) {
      const result = await session.call(tool, args)
      expect({ tool, isError: result.isError, text: textOf(result) }).toMatchObject({ tool, isError: true })
    }
    expect(await tree()).toEqual(before)
    expect(await session.fs.readText('/outside/deep/f')).toBe('f')
  })
})

describe('images', () => {
  const bytes = (...values: readonly (string | number)[]): Uint8Array =>
    Uint8Array.from(
      values.flatMap(value => (typeof value === 'number' ? [value] : Array.from(value, each => each.charCodeAt(0)))),
    )
  const pnm = bytes('P6 1 1 255\n', 1, 2, 3)
  const png = bytes(0x89, 'PNG\r\n', 0x1a, '\n')

  it.each([
    ['a.png', png, 'image/png', undefined],
    ['a.JPEG', bytes('raw'), 'image/jpeg', undefined],
    ['a.bmp', bytes('raw'), 'image/bmp', undefined],
    ['a.ppm', pnm, 'image/png', 'pnm'],
    ['named-tif.tif', png, 'image/png', undefined],
    ['named-png.png', pnm, 'image/png', 'pnm'],
  ])('%s', async (name, content, mimeType, convertedFrom) => {
    const session = await open({ [name]: content })
    const result = await session.call('read_file', { path: name, offset: 3 })
    expect(result.content[0]).toEqual({ type: 'text', text: `[Image: ${name}]` })
    expect(result.content[1]).toMatchObject({ type: 'image', mimeType })
    expect(result.details['convertedFrom']).toBe(convertedFrom)
    if (convertedFrom === undefined) {
      expect(result.content[1]).toMatchObject({ data: btoa(String.fromCharCode(...content)) })
    }
  })

  it.each([
    ['a.png', new Uint8Array(3_750_001), 'image-too-large', 'max 3750000 bytes'],
    ['a.tif', bytes('no image'), 'image-damaged', 'failed to decode tiff image'],
    ['a.qoi', bytes('qoif', 0, 0), 'image-damaged', 'failed to decode qoi image'],
    ['a.exr', bytes('v/1', 1, 2, 0, 0, 0, 'x'), 'image-damaged', 'failed to decode exr image'],
  ])('%s is refused', async (name, content, code, says) => {
    const session = await open({ [name]: content })
    expect(await session.failure('read_file', { path: name })).toMatchObject({ code, text: expect.stringContaining(says) })
  })

  it('that grow too large as PNG are refused', async () => {
    const content = new Uint8Array(17 + 1150 * 1150 * 3)
    let noise = 1
    for (let at = content.length - 1; at >= 0; at--) {
      noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0
      content[at] = noise >>> 24
    }
    content.set(bytes('P6 1150 1150 255\n'))
    const session = await open({ 'a.ppm': content })
    const result = await session.call('read_file', { path: 'a.ppm' })
    expect(result.isError ? result.details['error'] : {}).toMatchObject({ code: 'image-too-large' })
  })

  it('other names are text', async () => {
    const session = await open({ 'a.svg': '<svg/>\n' })
    expect(await session.text('read_file', { path: 'a.svg' })).toBe('<svg/>')
  })
})
