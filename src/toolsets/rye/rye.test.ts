import { describe, expect, it } from 'vitest'

import { fullHash } from '../../core/hash.ts'
import { formatLineIndex } from '../../text/line-ids/index-file.ts'
import { indexLines } from '../../testing/line-index.ts'
import { objectOf, textOf, vanishWhenRead, type ToolSession } from '../../testing/tool-session.ts'
import { idsOf, indexFolder, openRye } from '../../testing/rye-session.ts'

describe('read', () => {
  const rows: readonly (readonly [what: string, text: string, args: object, expected: object])[] = [
    ['CRLF', 'a\r\nb\r\n', {}, { output: '[LID:4162fd] a\n[LID:faac0b] b', line_count: 2, total_lines: 2 }],
    ['a byte order mark', '\uFEFFa\n', {}, { output: '[LID:4162fd] a', total_lines: 1 }],
    ['no final newline', 'a\nb', {}, { output: '[LID:4162fd] a\n[LID:faac0b] b', total_lines: 2 }],
    ['an empty line', '\n', {}, { output: `[LID:${fullHash('1:').slice(0, 6)}] `, line_count: 1 }],
    ['a line separator', 'a\u2028b\n', {}, { line_count: 1 }],
    ['an offset of 0', 'a\n', { offset: 0 }, { output: '[LID:4162fd] a', offset: 0 }],
    ['an offset below 0', 'a\n', { offset: -3 }, { output: '[LID:4162fd] a', offset: -3 }],
    ['an offset behind the end', 'a\n', { offset: 9 }, { output: '', line_count: 0, total_lines: 1 }],
    ['a limit of 0', 'a\n', { limit: 0 }, { output: '', line_count: 0, next_offset: 1 }],
    ['a limit', 'a\nb\nc\n', { limit: 2 }, { line_count: 2, total_lines: 3, truncated: false, next_offset: 3 }],
    ['2000 lines at once', 'x\n'.repeat(2001), {}, { line_count: 2000, total_lines: 2001, next_offset: 2001 }],
    ['numbers as texts', 'a\nb\n', { offset: '2' }, { output: '[LID:faac0b] b' }],
  ]
  it.each(rows)('of a file with %s', async (_what, text, args, expected) => {
    expect(await objectOf(await openRye({ f: text }), 'read', { file_path: 'f', ...args })).toMatchObject(expected)
  })

  it('cuts a line at 2,000 characters and gives the rest', async () => {
    const session = await openRye({ f: `${'é😀'.repeat(2500)}\nb\n` })
    const first = await objectOf(session, 'read', { file_path: 'f' })
    expect(first).toMatchObject({ truncated: true, line_count: 2, notes: [expect.stringContaining('column 2001')] })
    const parts = [String(first['output']).split('\n')[0]?.slice(13)]
    for (const column of [2001, 4001]) {
      parts.push(String((await objectOf(session, 'read', { file_path: 'f', limit: 1, column }))['output']).slice(13))
    }
    expect(parts.join('')).toBe('é😀'.repeat(2500))
  })

  it('cuts at 51,200 bytes, at a line, and every page together is the file', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => `${index} ${'ü'.repeat(100)}`)
    const session = await openRye({ f: `${lines.join('\n')}\n` })
    const rebuilt: string[] = []
    for (let offset: unknown = 1; offset !== undefined;) {
      const page = await objectOf(session, 'read', { file_path: 'f', offset })
      expect(new TextEncoder().encode(String(page['output'])).length).toBeLessThanOrEqual(51_200)
      if (page['next_offset'] !== undefined) {
        expect(page).toMatchObject({ truncated: true })
        expect(await session.text('read', { file_path: 'f', offset })).toContain(
          `Go on with offset ${JSON.stringify(page['next_offset'])}`,
        )
      }
      rebuilt.push(
        ...String(page['output'])
          .split('\n')
          .map(row => row.slice(13)),
      )
      offset = page['next_offset']
    }
    expect(rebuilt).toEqual(lines)
  })

  it('keeps the index where the document says, and uses it again', async () => {
    const session = await openRye({ 'src/main.py': 'a\nb\n' })
    await session.text('read', { file_path: 'src/main.py', limit: 1 })
    const path = `${indexFolder}/2e5ad92c43aa96cc.json`
    const written = await session.fs.stat(path)
    expect(JSON.parse(await session.fs.readText(path))).toMatchObject({
      file_path: 'src/main.py',
      lines: expect.stringMatching(/^.{32}$/),
    })
    await session.text('read', { file_path: './src/main.py' })
    expect((await session.fs.stat(path)).rev).toBe(written.rev)
    const another = await session.workspace.toolset('rye')
    const ids = await idsOf(session, 'src/main.py')
    const edit = { file_path: 'src/main.py', changes: [{ line_id: ids[1], new_content: 'B' }] }
    expect((await another.call('edit_lines', edit)).isError).toBe(false)
    expect(await session.file('src/main.py')).toBe('a\nB\n')
    expect(await session.fs.exists(path)).toBe(false)
  })

  it.each<readonly [how: string, gone: (session: ToolSession) => Promise<unknown>, left: number]>([
    ['removed', session => session.fs.rm('/workspace/src/a'), 0],
    ['removed with its directory', session => session.fs.rm('/workspace/src', { recursive: true }), 0],
    ['moved', session => session.fs.rename('/workspace/src/a', '/workspace/b'), 0],
    [
      'not when it is replaced at once',
      session =>
        session.fs.batch(async fs => {
          await fs.rm('/workspace/src/a')
          await fs.writeFile('/workspace/src/a', 'x')
        }),
      1,
    ],
    ['not when it is changed', session => session.fs.writeFile('/workspace/src/a', 'x'), 1],
  ])('an index leaves with its file: %s', async (_how, gone, left) => {
    const session = await openRye({ 'src/a': 'a\n', 'src/b': 'b\n' })
    await session.text('read', { file_path: 'src/a' })
    await session.text('read', { file_path: 'src/b' })
    expect(await session.fs.readdir(indexFolder)).toHaveLength(2)
    await gone(session)
    // When the index of the other has left, what came before was looked at, too.
    await session.fs.rm('/workspace/src/b', { force: true })
    await expect.poll(() => session.fs.readdir(indexFolder)).toHaveLength(left)
  })

  it('what an earlier session left of files that are gone is removed', async () => {
    const session = await openRye({ a: 'a\n', b: 'b\n', 'c "d"': 'c\n' })
    const earlier = await session.workspace.toolset('rye')
    for (const path of ['a', 'c "d"']) await earlier.call('read', { file_path: path })
    await earlier.close()
    await session.fs.rm('/workspace/c "d"')
    expect(await session.fs.readdir(indexFolder)).toHaveLength(2)
    await session.text('read', { file_path: 'b' })
    expect(await session.fs.readdir(indexFolder)).toHaveLength(2)
    expect(await session.fs.exists(`${indexFolder}/252f10c83610ebca.json`)).toBe(false)
  })

  it.each<readonly [toolset: 'atomic' | 'rye', tool: string, args: object]>([
    ['atomic', 'read', { path: '.' }],
    ['atomic', 'find', { paths: ['**'] }],
    ['atomic', 'search', { pattern: 'content_hash' }],
    ['rye', 'ls', {}],
    ['rye', 'glob', { pattern: '*' }],
    ['rye', 'grep', { pattern: 'content_hash' }],
  ])('the indexes are not shown by %s: %s', async (toolset, tool, args) => {
    const session = await openRye({ f: 'a\n' })
    await session.text('read', { file_path: 'f' })
    const other = await session.workspace.toolset(toolset)
    expect(textOf(await other.call(tool, args))).not.toMatch(/\.ai|line_index/)
    await session.fs.writeFile('/workspace/.ai/notes', 'content_hash')
    if (tool !== 'grep') expect(textOf(await other.call(tool, args))).toContain('.ai')
    expect(textOf(await other.call(tool, args))).not.toMatch(/line_index/)
  })

  it('shows a file whose index cannot be kept', async () => {
    for (const files of [
      { f: 'a\n', '.ai': 'a file' },
      { f: 'a\n', [`${indexFolder.slice(11)}/252f10c83610ebca.json`]: 'broken' },
    ]) {
      const session = await openRye(files)
      const [id] = await idsOf(session, 'f')
      expect((await session.call('edit_lines', { file_path: 'f', changes: [{ line_id: id, new_content: 'b' }] })).isError).toBe(
        false,
      )
      expect(await session.file('f')).toBe('b\n')
    }
  })

  it('writes nothing where the policy lets it only read', async () => {
    const session = await openRye({ f: 'a\n' }, { policy: { level: 'read' } })
    await session.text('read', { file_path: 'f' })
    expect(await session.fs.exists('/workspace/.ai')).toBe(false)
    const edit = { file_path: 'f', changes: [{ line_id: '4162fd', new_content: 'b' }] }
    expect((await session.failure('edit_lines', edit)).code).toBe('permission-denied')
  })

  it('asks about the edit and about nothing else, also beside an index from before', async () => {
    const asked: unknown[] = []
    const approve = (request: { readonly effect: unknown }): Promise<'allow'> => {
      asked.push(request.effect)
      return Promise.resolve('allow')
    }
    const session = await openRye({ f: 'a\n' }, { policy: { level: 'ask', approve } })
    await session.fs.mkdir(indexFolder, { recursive: true })
    const stale = { filePath: 'f', contentHash: fullHash('old\n'), lines: indexLines(['old']) }
    await session.fs.writeFile(`${indexFolder}/252f10c83610ebca.json`, formatLineIndex(stale))
    for (const text of ['b', 'c']) {
      const [id] = await idsOf(session, 'f')
      await session.text('edit_lines', { file_path: 'f', changes: [{ line_id: id, new_content: text }] })
    }
    expect(await session.file('f')).toBe('c\n')
    expect(asked).toMatchObject([{ changes: [{ path: '/workspace/f' }] }, { changes: [{ path: '/workspace/f' }] }])
  })

  it('never follows a link with its index out of the workspace', async () => {
    const session = await openRye({ f: 'a\n', '/outside/x': '' })
    await session.fs.symlink('/outside', '/workspace/.ai')
    await session.text('read', { file_path: 'f' })
    expect(await session.fs.readdir('/outside')).toEqual([{ name: 'x', kind: 'file' }])
  })
})

describe('bad input', () => {
  const edit = { changes: [{ line_id: 'aaaaaa', new_content: 'x' }] }
  const rows: readonly (readonly [tool: string, args: object, code: string])[] = [
    ...(['read', 'write', 'edit_lines'] as const).flatMap(tool => {
      const more = tool === 'write' ? { content: 'x' } : tool === 'edit_lines' ? edit : {}
      return [
        [tool, { ...more }, 'invalid-arguments'],
        [tool, { ...more, file_path: { a: 1 } }, 'invalid-arguments'],
        [tool, { ...more, file_path: '../x' }, 'path-outside-root'],
        [tool, { ...more, file_path: '/etc/passwd' }, 'path-outside-root'],
        [tool, { ...more, file_path: 'out' }, 'path-outside-root'],
        [tool, { ...more, file_path: 'src/../../x' }, 'path-outside-root'],
        [tool, { ...more, file_path: 'a\0b' }, 'path-invalid'],
        [tool, { ...more, file_path: 'src' }, 'EISDIR'],
        [tool, { ...more, file_path: 'f/below' }, tool === 'write' ? 'ENOTDIR' : 'ENOENT'],
        ...(tool === 'write' ? [] : ([[tool, { ...more, file_path: 'missing' }, 'ENOENT']] as const)),
      ] as const
    }),
    ['read', { file_path: 'bin' }, 'binary-file'],
    ['read', { file_path: 'latin1' }, 'binary-file'],
    ['read', { file_path: 'huge' }, 'file-too-large'],
    ['read', { file_path: 'f', limit: -1 }, 'invalid-arguments'],
    ['read', { file_path: 'f', offset: 1.5 }, 'invalid-arguments'],
    ['read', { file_path: 'artifact://9' }, 'ENOENT'],
    ['read', { file_path: 'https://a.example' }, 'path-scheme-unsupported'],
    ['write', { file_path: 'new/', content: '' }, 'EISDIR'],
    ['write', { file_path: 'new', content: '\ud800' }, 'invalid-text'],
    ['write', { file_path: 'new' }, 'invalid-arguments'],
    ['edit_lines', { file_path: 'f' }, 'invalid-arguments'],
    ['edit_lines', { file_path: 'f', changes: 'x' }, 'invalid-arguments'],
    ['glob', { pattern: '' }, 'invalid-glob'],
    ['glob', { pattern: '/abs/*' }, 'invalid-glob'],
    ['glob', { pattern: 'a\0' }, 'invalid-glob'],
    ['glob', { pattern: '**/'.repeat(40) }, 'invalid-glob'],
    ['glob', {}, 'invalid-arguments'],
    ['glob', { pattern: '*', path: '../' }, 'path-outside-root'],
    ['glob', { pattern: '*', path: 'missing' }, 'ENOENT'],
    ['glob', { pattern: '*', offset: -1 }, 'invalid-arguments'],
    ['grep', { pattern: '[' }, 'invalid-pattern'],
    ['grep', { pattern: '' }, 'invalid-pattern'],
    ['grep', { pattern: '(?=x)' }, 'invalid-pattern'],
    ['grep', { pattern: 'x', path: '/' }, 'path-outside-root'],
    ['grep', { pattern: 'x', path: 'missing' }, 'ENOENT'],
    ['grep', { pattern: 'x', include: '{'.repeat(3000) }, 'invalid-glob'],
    ['ls', { path: 'out' }, 'path-outside-root'],
    ['ls', { path: 'missing' }, 'ENOENT'],
    ['ls', { path: 'f' }, 'not-a-directory'],
    ['list', {}, 'unknown-tool'],
  ]
  it.each(rows)('%s %j is %s', async (tool, args, code) => {
    const session = await openRye(
      {
        f: 'a\n',
        'src/x': '',
        bin: new Uint8Array([97, 0]),
        latin1: new Uint8Array([97, 0xe9, 10]),
        huge: 'x'.repeat(2000),
        '/etc/passwd': 'root\n',
      },
      { limits: { textMaxBytes: 1000 } },
    )
    await session.fs.symlink('/etc/passwd', '/workspace/out')
    const result = await session.call(tool, args)
    const { success, error } = result.structuredContent ?? {}
    expect(result).toMatchObject({ isError: true, details: { error: { code } } })
    expect(success).toBe(false)
    expect(textOf(result)).toContain(String(error))
    // Only tools of this set are named in the way on.
    expect(textOf(result)).not.toMatch(/\bbash\b|\bwith find\b|\bwith read\b/)
    expect(await session.fs.readText('/etc/passwd')).toBe('root\n')
    expect(await session.file('f')).toBe('a\n')
  })

  it.each(['../x', 'f/below', 'lib/x', 'd/'])('a failed write of %s names the file as it was given', async path => {
    const session = await openRye({ f: '' }, { policy: { protect: ['lib'] } })
    const result = await session.call('write', { file_path: path, content: '' })
    expect(result.structuredContent).toMatchObject({ success: false, file_path: path })
  })

  it.each([
    ['read', {}],
    ['edit_lines', { changes: [{ line_id: '4162fd', new_content: 'x' }] }],
  ])('%s of a file that vanishes under its hands says so', async (tool, more) => {
    const session = await openRye({ f: 'a\n' })
    await session.text('read', { file_path: 'f' })
    vanishWhenRead(session, '/workspace/f')
    const failure = await session.failure(tool, { file_path: 'f', ...more })
    expect(failure).toMatchObject({ code: 'ENOENT', text: expect.stringContaining('glob') })
    expect(await session.fs.exists('/workspace/f')).toBe(false)
  })

  it('an abort reaches the making of a large index, and one that would be too large is not begun', async () => {
    const session = await openRye({ large: 'x\n'.repeat(90_000), larger: '\n'.repeat(100_001) })
    const controller = new AbortController()
    session.between.read = () => controller.abort('enough')
    await expect(session.call('read', { file_path: 'large' }, { signal: controller.signal })).rejects.toBe('enough')
    session.between.read = undefined
    expect(await session.fs.exists('/workspace/.ai')).toBe(false)
    expect((await session.failure('read', { file_path: 'larger' })).code).toBe('too-many-lines')
  })

  it('an abort writes nothing, not even an index', async () => {
    const session = await openRye({ f: 'a\n' })
    const controller = new AbortController()
    const call = session.call('read', { file_path: 'f' }, { signal: controller.signal })
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
    expect(await session.fs.exists('/workspace/.ai')).toBe(false)
  })
})

it('says to a model what it enforces', async () => {
  const { tools } = await openRye()
  expect(tools.tools.map(tool => tool.name)).toEqual(['read', 'write', 'edit_lines', 'glob', 'grep', 'ls'])
  const text = tools.tools.map(tool => tool.description).join('\n')
  for (const part of ['2000', '51200', '100', 'node_modules', '*.egg-info', 'Read the file first']) expect(text).toContain(part)
  expect(structuredClone(tools.tools)).toEqual(tools.tools)
})
