import { describe, expect, it } from 'vitest'

import { fullHash } from '../../core/hash.ts'
import { formatLineIndex } from '../../text/line-ids/index-file.ts'
import { indexLines } from '../../testing/line-index.ts'
import {
  objectOf,
  openToolSession,
  textOf,
  vanishWhenRead,
  type ToolSession,
  type ToolSessionOptions,
} from '../../testing/tool-session.ts'

type Files = Readonly<Record<string, string | Uint8Array | null>>

function open(files: Files = {}, options: ToolSessionOptions = {}): Promise<ToolSession> {
  return openToolSession(files, { ...options, name: 'rye' })
}

async function idsOf(session: ToolSession, path: string): Promise<readonly string[]> {
  const { output } = await objectOf(session, 'read', { file_path: path })
  return String(output)
    .split('\n')
    .map(row => row.slice(5, 11))
}

const indexFolder = '/workspace/.ai/cache/tools/read/line_index'

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
    expect(await objectOf(await open({ f: text }), 'read', { file_path: 'f', ...args })).toMatchObject(expected)
  })

  it('cuts a line at 2,000 characters and gives the rest', async () => {
    const session = await open({ f: `${'é😀'.repeat(2500)}\nb\n` })
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
    const session = await open({ f: `${lines.join('\n')}\n` })
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
    const session = await open({ 'src/main.py': 'a\nb\n' })
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
    const session = await open({ 'src/a': 'a\n', 'src/b': 'b\n' })
    await session.text('read', { file_path: 'src/a' })
    await session.text('read', { file_path: 'src/b' })
    expect(await session.fs.readdir(indexFolder)).toHaveLength(2)
    await gone(session)
    // When the index of the other has left, what came before was looked at, too.
    await session.fs.rm('/workspace/src/b', { force: true })
    await expect.poll(() => session.fs.readdir(indexFolder)).toHaveLength(left)
  })

  it('what an earlier session left of files that are gone is removed', async () => {
    const session = await open({ a: 'a\n', b: 'b\n', 'c "d"': 'c\n' })
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
    const session = await open({ f: 'a\n' })
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
      const session = await open(files)
      const [id] = await idsOf(session, 'f')
      expect((await session.call('edit_lines', { file_path: 'f', changes: [{ line_id: id, new_content: 'b' }] })).isError).toBe(
        false,
      )
      expect(await session.file('f')).toBe('b\n')
    }
  })

  it('writes nothing where the policy lets it only read', async () => {
    const session = await open({ f: 'a\n' }, { policy: { level: 'read' } })
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
    const session = await open({ f: 'a\n' }, { policy: { level: 'ask', approve } })
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
    const session = await open({ f: 'a\n', '/outside/x': '' })
    await session.fs.symlink('/outside', '/workspace/.ai')
    await session.text('read', { file_path: 'f' })
    expect(await session.fs.readdir('/outside')).toEqual([{ name: 'x', kind: 'file' }])
  })
})

describe('edit_lines', () => {
  /** Letters name the lines as they were read. */
  async function edit(
    text: string,
    changes: (ids: readonly string[]) => readonly unknown[],
  ): Promise<{ session: ToolSession; answer: unknown }> {
    const session = await open({ f: text })
    const ids = await idsOf(session, 'f')
    const result = await session.call('edit_lines', { file_path: 'f', changes: changes(ids) })
    return { session, answer: result.structuredContent }
  }

  it('replaces, deletes and inserts in one call', async () => {
    const { session, answer } = await edit('a\nb\nc\nd\n', ([a, b, c, d]) => [
      { line_id: d, new_content: 'd\ne' },
      { line_id: a, new_content: '' },
      { start_line_id: b, end_line_id: c, new_content: 'B' },
    ])
    expect(await session.file('f')).toBe('B\nd\ne\n')
    expect(answer).toMatchObject({ success: true, changes_applied: 3, lines_changed: 5 })
  })

  it('takes IDs with their brackets, and leaves copied IDs out of the content', async () => {
    const { session, answer } = await edit('a\nb\n', ([a, b]) => [
      { line_id: `[LID:${a}]`, new_content: `[LID:${a}] A\n[LID:${b}] x` },
    ])
    expect(await session.file('f')).toBe('A\nx\nb\n')
    expect(answer).toMatchObject({ notes: [expect.stringContaining('2 lines were left out')] })
  })

  it('takes the changes as a JSON text', async () => {
    const session = await open({ f: 'a\n' })
    const [id] = await idsOf(session, 'f')
    await session.text('edit_lines', { path: 'f', changes: JSON.stringify([{ line_id: id, new_content: 'b' }]) })
    expect(await session.file('f')).toBe('b\n')
  })

  it('a byte order mark stays one', async () => {
    const { session } = await edit('\uFEFFa\n', ([a]) => [{ line_id: a, new_content: '\uFEFFb' }])
    expect(await session.file('f')).toBe('\uFEFFb\n')
  })

  const refused: readonly (readonly [what: string, changes: (ids: readonly string[]) => readonly unknown[], says: string])[] = [
    [
      'an unknown ID',
      () => [{ line_id: 'zzzzzz', new_content: 'x' }],
      "Invalid line IDs: ['zzzzzz']. Available IDs include: ['4162fd'",
    ],
    ['a range backwards', ([a, b]) => [{ start_line_id: b, end_line_id: a, new_content: 'x' }], 'before its start'],
    [
      'one line twice',
      ([a]) => [
        { line_id: a, new_content: 'x' },
        { line_id: a, new_content: 'y' },
      ],
      'change 1 changes too',
    ],
    [
      'overlapping ranges',
      ([a, b]) => [
        { start_line_id: a, end_line_id: b, new_content: 'x' },
        { line_id: b, new_content: 'y' },
      ],
      'too',
    ],
    ['half a range', ([a]) => [{ start_line_id: a, new_content: 'x' }], 'needs either'],
    ['no content', ([a]) => [{ line_id: a }], 'new_content'],
    ['a field that is not known', ([a]) => [{ line_id: a, new_content: 'x', op: 'delete' }], 'op'],
    ['content of another type', ([a]) => [{ line_id: a, new_content: ['x'] }], 'new_content'],
    ['half a character', ([a]) => [{ line_id: a, new_content: '\ud800' }], 'surrogate'],
    ['a lone carriage return', ([a]) => [{ line_id: a, new_content: 'x\ry' }], 'carriage return'],
    [
      'one good and one bad',
      ([a]) => [
        { line_id: a, new_content: 'x' },
        { line_id: 'ffffff', new_content: 'y' },
      ],
      'ffffff',
    ],
  ]
  it.each(refused)('%s changes nothing', async (_what, changes, says) => {
    const { session, answer } = await edit('a\nb\n', changes)
    expect(answer).toEqual({ success: false, error: expect.stringContaining(says) })
    expect(await session.file('f')).toBe('a\nb\n')
  })

  it('needs a read before, and another after each change', async () => {
    const session = await open({ f: 'a\nb\n' })
    const change = (id: string | undefined, text: string): object => ({
      file_path: 'f',
      changes: [{ line_id: id, new_content: text }],
    })
    expect((await session.failure('edit_lines', change('4162fd', 'x'))).code).toBe('no-line-ids')
    const [a, b] = await idsOf(session, 'f')
    await session.text('edit_lines', change(a, 'A'))
    expect((await session.failure('edit_lines', change(b, 'B'))).code).toBe('no-line-ids')
    const [, again] = await idsOf(session, 'f')
    await session.text('edit_lines', change(again, 'B'))
    expect(await session.file('f')).toBe('A\nB\n')
  })

  it('an ID from before is not taken for the equal line that has it now', async () => {
    const session = await open({ f: 'a\n}\nb\n}\nc\n' })
    const before = await idsOf(session, 'f')
    await session.text('edit_lines', { file_path: 'f', changes: [{ line_id: before[0], new_content: 'x\ny\na' }] })
    // The second bracket was line 4, where the first is now: its ID, made anew, is the same.
    await session.text('read', { file_path: 'f', limit: 1 })
    const edit = { file_path: 'f', changes: [{ line_id: before[3], new_content: '!' }] }
    const failure = await session.failure('edit_lines', edit)
    expect(failure).toMatchObject({ code: 'stale-line-ids', text: expect.stringContaining('other lines') })
    await session.text('read', { file_path: 'f' })
    await session.text('edit_lines', edit)
    expect(await session.file('f')).toBe('x\ny\na\n!\nb\n}\nc\n')
  })

  it('a range does not swallow what came into it unseen', async () => {
    const session = await open({ f: 'a\nb\nc\nd\n' })
    const [a, b] = await idsOf(session, 'f')
    await session.fs.writeFile('/workspace/f', 'a\nunseen\nb\nc\nd\n')
    await session.text('read', { file_path: 'f', offset: 4 })
    const edit = { file_path: 'f', changes: [{ start_line_id: a, end_line_id: b, new_content: 'x' }] }
    expect((await session.failure('edit_lines', edit)).text).toContain('changed since they were shown')
    await session.text('read', { file_path: 'f' })
    await session.text('edit_lines', edit)
    expect(await session.file('f')).toBe('x\nc\nd\n')
  })

  it('two at once: one is made, the other says that the file changed', async () => {
    const session = await open({ f: 'a\nb\n' })
    const [a, b] = await idsOf(session, 'f')
    const results = await Promise.all(
      [a, b].map(id => session.call('edit_lines', { file_path: 'f', changes: [{ line_id: id, new_content: 'x' }] })),
    )
    expect(results.map(result => result.isError)).toEqual([false, true])
    expect(await session.file('f')).toBe('x\nb\n')
  })
})

describe('write', () => {
  const rows: readonly (readonly [what: string, before: string | Uint8Array | undefined, content: string, answer: object])[] = [
    [
      'a new file',
      undefined,
      'é\n',
      { output: 'Created new file d/f (3 bytes)', bytes_written: 3, created: true, file_path: 'd/f' },
    ],
    ['an empty new file', undefined, '', { output: 'Created new file d/f (0 bytes)', created: true }],
    ['a change', 'a\n', 'b\n', { output: '--- a/d/f\n+++ b/d/f\n@@ -1 +1 @@\n-a\n+b\n', created: false }],
    ['no change', 'a\n', 'a\n', { output: '', bytes_written: 2, created: false }],
    ['over bytes', new Uint8Array([0, 255]), 'a\n', { output: 'Replaced file d/f (2 bytes)', created: false }],
    ['LF over CRLF', 'a\r\nb\r\n', 'a\nb\n', { notes: [expect.stringContaining('ended with CRLF and now end with LF')] }],
    ['CRLF and a byte order mark', undefined, '\uFEFFa\r\n', { bytes_written: 6 }],
  ]
  it.each(rows)('%s', async (_what, before, content, answer) => {
    const session = await open(before === undefined ? {} : { 'd/f': before })
    expect(await objectOf(session, 'write', { file_path: './d/f', content })).toMatchObject({ success: true, ...answer })
    expect(await session.file('d/f')).toBe(content)
  })

  it('a diff that is too long is cut at a line and can be read whole', async () => {
    const before = Array.from({ length: 400 }, (_, index) => `${index} ${'x'.repeat(300)}\n`)
    const session = await open({ f: before.join('') })
    const { output, notes } = await objectOf(session, 'write', { file_path: 'f', content: 'y\n' })
    expect(String(output).length).toBeLessThanOrEqual(51_200)
    expect(String(output)).toMatch(/\n$/)
    const address = /artifact:\/\/\d+/.exec(String(notes))?.[0]
    const rebuilt: unknown[] = []
    for (let offset: unknown = 1; offset !== undefined;) {
      const page = await objectOf(session, 'read', { file_path: address, offset })
      rebuilt.push(page['output'])
      offset = page['next_offset']
    }
    const whole = `--- a/f\n+++ b/f\n@@ -1,400 +1 @@\n${before.map(line => `-${line}`).join('')}+y\n`
    expect(`${rebuilt.join('\n')}\n`).toBe(whole)
    expect(whole.startsWith(String(output))).toBe(true)
  })

  it('takes off the IDs that it knows, forgets the index, and leaves others', async () => {
    const session = await open({ f: 'a\nb\n' })
    const [a] = await idsOf(session, 'f')
    const answer = await objectOf(session, 'write', { file_path: 'g', content: `[LID:${a}] a\n[LID:ffffff] x\n` })
    expect(await session.file('g')).toBe('a\n[LID:ffffff] x\n')
    expect(answer['notes']).toHaveLength(2)
    await session.text('write', { file_path: 'f', content: 'new\n' })
    expect((await session.failure('edit_lines', { file_path: 'f', changes: [] })).code).toBe('no-line-ids')
  })
})

describe('glob, grep and ls', () => {
  const tree: Files = {
    'README.md': 'TODO readme\n',
    'src/main.py': 'import os\n# TODO: fix\n',
    'src/lib/util.py': 'x\r\nTODO\r\n',
    '.hidden/h.md': 'TODO\n',
    'build/o.py': 'TODO\n',
    'src/dist/o.py': 'TODO\n',
    'node_modules/y/i.js': 'TODO\n',
    'foo.egg-info/p.py': 'TODO\n',
    'src/build': 'a file TODO\n',
    'bin.dat': new Uint8Array([84, 79, 68, 79, 0, 10]),
    'Zed.txt': '',
  }
  const found: readonly (readonly [args: object, files: readonly string[]])[] = [
    [{ pattern: '*.py' }, ['src/lib/util.py', 'src/main.py']],
    [{ pattern: 'src/*.py' }, ['src/main.py']],
    [{ pattern: '*.md' }, ['.hidden/h.md', 'README.md']],
    [{ pattern: '**/*.py', path: 'src/lib' }, ['src/lib/util.py']],
    [{ pattern: 'build' }, ['src/build']],
    [{ pattern: '*', path: 'build' }, []],
    [{ pattern: '*.{md,txt}', path: '/workspace' }, ['.hidden/h.md', 'README.md', 'Zed.txt']],
    [{ pattern: '../*' }, []],
  ]
  it.each(found)('glob %j', async (args, files) => {
    expect(await objectOf(await open(tree), 'glob', args)).toMatchObject({ files, output: files.join('\n'), count: files.length })
  })

  it('glob sorts everything before it shows the first hundred, and goes on', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `f${String(119 - index).padStart(3, '0')}`)
    const session = await open(Object.fromEntries([...names.map(name => [`z/${name}`, '']), ['a', '']]))
    const first = await objectOf(session, 'glob', { pattern: '*' })
    expect(first).toMatchObject({ count: 100, truncated: true, notes: [expect.stringContaining('offset 100')] })
    expect((first['files'] as string[]).slice(0, 3)).toEqual(['a', 'z/f000', 'z/f001'])
    const rest = await objectOf(session, 'glob', { pattern: '*', offset: 100 })
    expect(rest).toMatchObject({ count: 21, truncated: false })
    expect(await objectOf(session, 'glob', { pattern: 'z/f0*' })).toMatchObject({ count: 100, truncated: false })
  })

  it('glob takes a link to a file for a file, but none that leads out or nowhere', async () => {
    const session = await open({ ...tree, '/etc/passwd': 'x' })
    for (const [name, target] of [
      ['in', 'README.md'],
      ['out', '/etc/passwd'],
      ['gone', 'gone2'],
      ['loop', 'loop'],
      ['dir', 'src'],
    ] as const) {
      await session.fs.symlink(target, `/workspace/${name}.link`)
    }
    expect(await objectOf(session, 'glob', { pattern: '*.link' })).toMatchObject({ files: ['in.link'] })
    const ls = await objectOf(session, 'ls', {})
    expect(ls['output']).toContain('dir.link/\n')
    expect(ls['output']).toContain('\nout.link\n')
  })

  const grepped: readonly (readonly [args: object, rows: readonly string[]])[] = [
    [
      { pattern: 'TODO' },
      [
        '.hidden/h.md:1:TODO',
        'README.md:1:TODO readme',
        'src/build:1:a file TODO',
        'src/lib/util.py:2:TODO',
        'src/main.py:2:# TODO: fix',
      ],
    ],
    [{ pattern: 'TODO', path: 'src', include: '*.py' }, ['src/lib/util.py:2:TODO', 'src/main.py:2:# TODO: fix']],
    [{ pattern: 'TODO', include: 'src/*.py' }, ['src/main.py:2:# TODO: fix']],
    [{ pattern: 'TODO', path: 'src', include: '!*.py' }, ['src/build:1:a file TODO']],
    [{ pattern: '^TODO$' }, ['.hidden/h.md:1:TODO', 'src/lib/util.py:2:TODO']],
    [{ pattern: 'todo' }, []],
    [{ pattern: 'TODO', path: 'README.md' }, ['README.md:1:TODO readme']],
    [{ pattern: 'TODO', path: 'build/o.py' }, ['build/o.py:1:TODO']],
    [{ pattern: 'TODO', path: 'build' }, []],
  ]
  it.each(grepped)('grep %j', async (args, rows) => {
    expect(await objectOf(await open(tree), 'grep', args)).toMatchObject({
      output: rows.join('\n'),
      count: rows.length,
      truncated: false,
    })
  })

  it('grep names lines only while the file is what was read', async () => {
    const session = await open(tree)
    const [, id] = await idsOf(session, 'src/main.py')
    const grep = (): Promise<Readonly<Record<string, unknown>>> => objectOf(session, 'grep', { pattern: 'fix', path: 'src' })
    expect(await grep()).toMatchObject({ matches: [{ file: 'src/main.py', line: 2, content: '# TODO: fix', line_id: id }] })
    await session.fs.writeFile('/workspace/src/main.py', 'new\nimport os\n# TODO: fix\n')
    expect((await grep())['matches']).toEqual([{ file: 'src/main.py', line: 3, content: '# TODO: fix' }])
  })

  it.each<[args: object, note: string]>([
    [{ pattern: 'useState(0)' }, 'escape its special characters'],
    [{ pattern: '/usestate/i' }, '"usestate" matches without them'],
    [{ pattern: 'b\\s+c' }, 'matched line by line'],
    [{ pattern: 'b', include: '*.none' }, 'No file fits "*.none"'],
  ])('grep says why %j may have found nothing', async (args, note) => {
    const answer = await objectOf(await open({ a: 'useState(0)\nb\nc\n' }), 'grep', args)
    expect(answer).toMatchObject({ count: 0, notes: [expect.stringContaining(note)] })
  })

  it('grep goes on after a hundred, and says what it left out', async () => {
    const session = await open(
      { a: 'x\n'.repeat(150), b: `${'x'.repeat(5000)}\n`, c: 'x'.repeat(9) },
      { limits: { searchMaxFileBytes: 6000 } },
    )
    await session.fs.writeFile('/workspace/large', 'x'.repeat(7000))
    const first = await objectOf(session, 'grep', { pattern: 'x' })
    expect(first).toMatchObject({ count: 100, truncated: true, notes: [expect.stringContaining('offset 100')] })
    const rest = await objectOf(session, 'grep', { pattern: 'x', offset: 100 })
    expect(rest).toMatchObject({ count: 52, truncated: false })
    expect(rest['notes']).toEqual([expect.stringContaining('cut at 2000'), expect.stringContaining('too large: large')])
    expect((await objectOf(session, 'grep', { pattern: 'x', path: 'c' }))['truncated']).toBe(false)
  })

  it('grep shows the part of a long line that matches', async () => {
    const session = await open({ a: `${'x'.repeat(5000)} needle ${'y'.repeat(5000)}\n` })
    const { matches } = await objectOf(session, 'grep', { pattern: 'needle' })
    expect(matches).toEqual([expect.objectContaining({ content: expect.stringMatching(/^…x{900,1000} needle y{900,1000}…$/) })])
  })

  it('grep says first that the only file is too large', async () => {
    const session = await open({ large: 'x'.repeat(7000) }, { limits: { searchMaxFileBytes: 6000 } })
    expect(textOf(await session.call('grep', { pattern: 'x', path: 'large' }))).toMatch(
      /^large was not searched: it is larger than the limit of/,
    )
  })

  const listed: readonly (readonly [args: object, output: string])[] = [
    [{}, '.hidden/\nbuild/\nsrc/\nbin.dat\nREADME.md\nZed.txt'],
    [{ path: 'src/' }, 'src/dist/\nsrc/lib/\nsrc/build\nsrc/main.py'],
    [{ path: '' }, '.hidden/\nbuild/\nsrc/\nbin.dat\nREADME.md\nZed.txt'],
    [{ offset: 4 }, 'README.md\nZed.txt'],
  ]
  it.each(listed)('ls %j', async (args, output) => {
    expect((await objectOf(await open(tree), 'ls', args))['output']).toBe(output)
  })

  it('sorts by code point, as Python does', async () => {
    const session = await open({ '\uFF5Ex.md': '', '😀x.md': '' })
    expect((await objectOf(session, 'glob', { pattern: '*.md' }))['files']).toEqual(['\uFF5Ex.md', '😀x.md'])
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
    const session = await open(
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
    const session = await open({ f: '' }, { policy: { protect: ['lib'] } })
    const result = await session.call('write', { file_path: path, content: '' })
    expect(result.structuredContent).toMatchObject({ success: false, file_path: path })
  })

  it.each([
    ['read', {}],
    ['edit_lines', { changes: [{ line_id: '4162fd', new_content: 'x' }] }],
  ])('%s of a file that vanishes under its hands says so', async (tool, more) => {
    const session = await open({ f: 'a\n' })
    await session.text('read', { file_path: 'f' })
    vanishWhenRead(session, '/workspace/f')
    const failure = await session.failure(tool, { file_path: 'f', ...more })
    expect(failure).toMatchObject({ code: 'ENOENT', text: expect.stringContaining('glob') })
    expect(await session.fs.exists('/workspace/f')).toBe(false)
  })

  it('an abort reaches the making of a large index, and one that would be too large is not begun', async () => {
    const session = await open({ large: 'x\n'.repeat(90_000), larger: '\n'.repeat(100_001) })
    const controller = new AbortController()
    session.between.read = () => controller.abort('enough')
    await expect(session.call('read', { file_path: 'large' }, { signal: controller.signal })).rejects.toBe('enough')
    session.between.read = undefined
    expect(await session.fs.exists('/workspace/.ai')).toBe(false)
    expect((await session.failure('read', { file_path: 'larger' })).code).toBe('too-many-lines')
  })

  it('an abort writes nothing, not even an index', async () => {
    const session = await open({ f: 'a\n' })
    const controller = new AbortController()
    const call = session.call('read', { file_path: 'f' }, { signal: controller.signal })
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
    expect(await session.fs.exists('/workspace/.ai')).toBe(false)
  })
})

it('says to a model what it enforces', async () => {
  const { tools } = await open()
  expect(tools.tools.map(tool => tool.name)).toEqual(['read', 'write', 'edit_lines', 'glob', 'grep', 'ls'])
  const text = tools.tools.map(tool => tool.description).join('\n')
  for (const part of ['2000', '51200', '100', 'node_modules', '*.egg-info', 'Read the file first']) expect(text).toContain(part)
  expect(structuredClone(tools.tools)).toEqual(tools.tools)
})
