import { describe, expect, it } from 'vitest'

import { openToolSession, textOf, vanishWhenRead, type ToolSession, type ToolSessionOptions } from '../../testing/tool-session.ts'
import { formatLineTag } from '../../text/line-tags/tag.ts'

type Files = Readonly<Record<string, string | Uint8Array | null>>

function open(files: Files = {}, options: ToolSessionOptions = {}): Promise<ToolSession> {
  return openToolSession(files, { ...options, name: 'ecs' })
}

/** `LINE#ID` of a line. */
function tag(lineNumber: number, line: string): string {
  return formatLineTag(lineNumber, line).slice(0, -1)
}

describe('read_file', () => {
  const rows: readonly (readonly [what: string, text: string, args: object, shown: string])[] = [
    ['lines', 'alpha\nbeta\n', {}, '1#a269|alpha\n2#4366|beta'],
    ['CRLF', 'alpha\r\nbeta\r\n', {}, '1#a269|alpha\n2#4366|beta'],
    ['a byte order mark', '\uFEFFalpha\n', {}, '1#a269|alpha'],
    ['no final newline', 'alpha\nbeta', {}, '1#a269|alpha\n2#4366|beta'],
    ['blanks at the end of a line', 'alpha  \n', {}, '1#a269|alpha  '],
    ['nothing', '', {}, ''],
    ['an empty line', '\n', {}, '1#3afc|'],
    ['an offset', 'alpha\nbeta\n', { offset: 2 }, '2#4366|beta'],
    ['a limit', 'alpha\nbeta\n', { limit: 1 }, '1#a269|alpha\n[Lines 1-1 of 2. Go on with offset 2.]'],
    ['an offset behind the end', 'alpha\n', { offset: 5 }, '\n[There is no line 5; the file has 1.]'],
  ]
  it.each(rows)('of a file with %s', async (_what, text, args, shown) => {
    const session = await open({ f: text })
    expect(await session.text('read_file', { path: 'f', ...args })).toBe(shown)
  })

  it('cuts a large file at a line and a long line at a character, and all of it can be read', async () => {
    const lines = [...Array.from({ length: 5000 }, (_, index) => `${index} ${'ü'.repeat(40)}`), '😀'.repeat(30_000), 'end']
    const session = await open({ f: `${lines.join('\n')}\n` })
    const rebuilt: string[] = []
    const contentOf = (row: string): string => row.slice(row.indexOf('|') + 1)
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const { content, details } = await session.call('read_file', { path: 'f', offset })
      const rows = textOf({ content, details, isError: false })
        .split('\n')
        .filter(row => /^\d+#/.test(row))
      for (const row of rows) {
        let line = contentOf(row)
        for (let column = 10_001; line.length > 19_000 && column <= 20_001; column += 10_000) {
          const part = await session.text('read_file', { path: 'f', offset: Number.parseInt(row), limit: 1, column })
          line += contentOf(part.split('\n')[0] ?? '')
        }
        rebuilt.push(line)
      }
      const { nextOffset } = details
      offset = typeof nextOffset === 'number' ? nextOffset : undefined
    }
    expect(rebuilt.map(line => line.length)).toEqual(lines.map(line => line.length))
    expect(rebuilt).toEqual(lines)
  })
})

describe('write_file', () => {
  it.each([
    ['a new file', {}, 'd/e/f', 'é\r\n', 'Wrote 4 bytes to d/e/f'],
    ['over a file', { f: 'old' }, 'f', '', 'Wrote 0 bytes to f'],
    [
      'over bytes',
      { f: new Uint8Array([0, 255]) },
      'f',
      '\uFEFFx',
      'Wrote 4 bytes to f\nNote: f could not be shown as text (2B). This write replaced all of it.',
    ],
  ] satisfies readonly (readonly [string, Files, string, string, string])[])('%s', async (_what, files, path, content, says) => {
    const session = await open(files)
    expect(await session.text('write_file', { path, content })).toBe(says)
    expect(await session.file(path)).toBe(content)
  })

  it('takes off copied tags, and only those', async () => {
    const session = await open({ f: 'alpha\nbeta\n' })
    const text = await session.text('read_file', { path: 'f' })
    const said = await session.text('write_file', { file_path: 'g', content: `${text}\n9#ffff|x\n` })
    expect(await session.file('g')).toBe('alpha\nbeta\n9#ffff|x\n')
    expect(said).toContain('2 lines were left out')
    expect(said).toContain('1 line starts like a tag')
  })
})

describe('edit_file', () => {
  it('answers with the new tags, which the next edit takes', async () => {
    const session = await open({ f: 'a\nb\nc\nd\ne\nf\ng\nh\n' })
    await session.text('read_file', { path: 'f' })
    const edits = [
      { op: 'replace', pos: tag(2, 'b'), lines: ['B', 'BB'] },
      { op: 'replace', pos: tag(8, 'h'), end: tag(8, 'h'), lines: [] },
    ]
    const said = await session.text('edit_file', { file_path: 'f', edits_json: edits })
    const shown = ['a', 'B', 'BB', 'c', 'd'].map((line, index) => `${tag(index + 1, line)}|${line}`)
    const end = ['f', 'g'].map((line, index) => `${tag(index + 7, line)}|${line}`)
    expect(said.split('\n').slice(0, 9)).toEqual(['Applied 2 edits to f', ...shown, '...', ...end])
    expect(said).toContain('8 lines now; lines below line 2 have new numbers')
    await session.text('edit_file', { file_path: 'f', edits_json: [{ op: 'append', pos: tag(8, 'g'), lines: ['G'] }] })
    expect(await session.file('f')).toBe('a\nB\nBB\nc\nd\ne\nf\ng\nG\n')
  })

  const edited: readonly (readonly [what: string, before: string, edits: readonly object[], after: string])[] = [
    ['nothing', 'a\n', [], 'a\n'],
    ['an empty file', '', [{ op: 'append', pos: '1#3afc', lines: ['a'] }], 'a\n'],
    ['CRLF', 'a\r\nb', [{ op: 'append', pos: tag(2, 'b'), lines: ['c'] }], 'a\r\nb\r\nc'],
    ['mixed endings', 'a\nb\r\nc\n', [{ op: 'replace', pos: tag(2, 'b'), lines: ['B'] }], 'a\nB\r\nc\n'],
    ['a byte order mark', '\uFEFFa\n', [{ op: 'replace', pos: tag(1, 'a'), lines: ['\uFEFFb'] }], '\uFEFFb\n'],
    ['the last line away', 'a\nb', [{ op: 'replace', pos: tag(2, 'b'), end: tag(2, 'b'), lines: [] }], 'a'],
    ['copied tags', 'a\nb\n', [{ op: 'replace', pos: `${tag(1, 'a')}|a`, lines: [`${tag(1, 'a')}|A`] }], 'A\nb\n'],
  ]
  it.each(edited)('edits %s', async (_what, before, edits, after) => {
    const session = await open({ f: before })
    await session.text('edit_file', { path: 'f', edits_json: edits })
    expect(await session.file('f')).toBe(after)
  })

  const stale: readonly (readonly [what: string, shown: string, now: string, edit: object])[] = [
    ['its line changed', 'a\nb\n', 'a\nX\n', { op: 'replace', pos: tag(2, 'b'), lines: ['B'] }],
    ['an equal line came to its place', 'x\n}\n}\ny\n', 'new\nx\n}\n}\ny\n', { op: 'replace', pos: tag(3, '}'), lines: ['!'] }],
    [
      'an equal line came to its place, to insert there',
      'x\n\n\ny\n',
      'n\nx\n\n\ny\n',
      { op: 'append', pos: tag(3, ''), lines: ['!'] },
    ],
    [
      'a line inside its range changed',
      'a\nb\nc\n',
      'a\nX\nc\n',
      { op: 'replace', pos: tag(1, 'a'), end: tag(3, 'c'), lines: [] },
    ],
    ['the file got shorter', 'a\nb\n', 'a\n', { op: 'replace', pos: tag(2, 'b'), lines: ['B'] }],
  ]
  it.each(stale)('is refused when %s since it was shown', async (_what, shown, now, edit) => {
    const session = await open({ f: shown })
    await session.text('read_file', { path: 'f' })
    await session.fs.writeFile('/workspace/f', now)
    const failure = await session.failure('edit_file', { file_path: 'f', edits_json: [edit] })
    expect(failure.text).toMatch(/^Error executing tool 'edit_file': .*\n.*/)
    expect(await session.file('f')).toBe(now)
  })

  it('is refused when sixteen bits say that another line is the one that was shown', async () => {
    const pos = tag(1, 'a')
    let other = 0
    while (tag(1, `other ${other}`) !== pos) other++
    const session = await open({ f: 'a\n' })
    const edit = { file_path: 'f', edits_json: [{ op: 'replace', pos, lines: ['x'] }] }
    await session.text('read_file', { path: 'f' })
    await session.fs.writeFile('/workspace/f', `other ${other}\n`)
    expect((await session.failure('edit_file', edit)).code).toBe('stale-tag')
    await session.text('read_file', { path: 'f' })
    await session.text('edit_file', edit)
    expect(await session.file('f')).toBe('x\n')
  })

  it('goes on where others changed the file elsewhere, and keeps what they did', async () => {
    const session = await open({ f: 'a\nb\nc\n' })
    await session.text('read_file', { path: 'f' })
    await session.fs.writeFile('/workspace/f', 'a\nb\nTHEIRS\n')
    await session.text('edit_file', { file_path: 'f', edits_json: [{ op: 'replace', pos: tag(1, 'a'), lines: ['A'] }] })
    expect(await session.file('f')).toBe('A\nb\nTHEIRS\n')
  })

  it('two at once: both are made, or the second is refused', async () => {
    const session = await open({ f: 'a\nb\n' })
    await session.text('read_file', { path: 'f' })
    const edits = [tag(1, 'a'), tag(1, 'a'), tag(2, 'b')].map(pos => [{ op: 'replace', pos, lines: ['x'] }])
    const results = await Promise.all(edits.map(edit => session.call('edit_file', { file_path: 'f', edits_json: edit })))
    expect(results.map(result => result.isError)).toEqual([false, true, false])
    expect(await session.file('f')).toBe('x\nx\n')
  })

  it('shows at most 200 fresh lines, and no line that it cut counts as shown', async () => {
    const session = await open({ f: 'a\n' })
    const lines = [`${'y'.repeat(600)}`, ...Array.from({ length: 300 }, (_, index) => `line ${index}`)]
    const said = await session.text('edit_file', { file_path: 'f', edits_json: [{ op: 'append', pos: tag(1, 'a'), lines }] })
    expect(said.split('\n').filter(row => /^\d+#/.test(row))).toHaveLength(200)
    expect(said).toContain('Only the first 200 changed lines are shown')
    expect(said).toContain('y [cut]')
  })
})

describe('bash', () => {
  const rows: readonly (readonly [command: string, shown: string | RegExp, exitCode: number])[] = [
    ['echo hello', 'hello\n', 0],
    ['echo a; echo b >&2; echo c', 'a\nb\nc\n', 0],
    ['true', '', 0],
    ['pwd', '/workspace\n', 0],
    ['cat f', 'file\n', 0],
    ['echo out; echo err >&2; exit 3', 'Exit code 3\nSTDOUT:\nout\n\nSTDERR:\nerr\n', 3],
    ['exit 7', 'Exit code 7\nSTDOUT:\n\nSTDERR:\n', 7],
    ['exit 124', 'Exit code 124\nSTDOUT:\n\nSTDERR:\n', 124],
    ['no-such-command', /^Exit code 127\n/, 127],
  ]
  it.each(rows)('%s', async (command, shown, exitCode) => {
    const session = await open({ f: 'file\n' }, { shell: 'just-bash' })
    const result = await session.call('bash', { command })
    expect(result).toMatchObject({ isError: false, details: { exitCode } })
    if (typeof shown === 'string') expect(textOf(result)).toBe(shown)
    else expect(textOf(result)).toMatch(shown)
  })

  it('a time-out is an error that keeps what was said, and the next command runs', async () => {
    const session = await open({}, { shell: 'just-bash' })
    await session.text('bash', { command: 'echo the shell is there' })
    const result = await session.call('bash', { command: 'echo start; sleep 1000', timeout: 2 })
    expect(result).toMatchObject({ isError: true, details: { timedOut: true, error: { code: 'timed-out' } } })
    expect(textOf(result)).toBe("Error executing tool 'bash': Command timed out after 2s\nOutput until then:\nstart\n")
    expect(await session.text('bash', { command: 'echo again' })).toBe('again\n')
  })

  it('an abort rejects with its reason', async () => {
    const session = await open({}, { shell: 'just-bash' })
    const controller = new AbortController()
    const call = session.call('bash', { command: 'sleep 1000' }, { signal: controller.signal })
    setTimeout(() => controller.abort('enough'), 20)
    await expect(call).rejects.toBe('enough')
  })

  it('long output is cut at its start and can be read whole', async () => {
    const session = await open({}, { shell: 'just-bash' })
    const said = await session.text('bash', { command: 'seq 1 4000' })
    expect(said).toMatch(/^1001\n[^]*\n4000\n*\[Lines 1001-4000 of 4000\. The whole output: read_file artifact:\/\/1\.\]$/)
    const whole = Array.from({ length: 4000 }, (_, index) => String(index + 1)).join('\n')
    expect(await session.text('read_file', { path: 'artifact://1' })).toBe(whole)
  })

  it('what a command changed is seen by the tags', async () => {
    const session = await open({ f: 'a\nb\n' }, { shell: 'just-bash' })
    await session.text('read_file', { path: 'f' })
    await session.text('bash', { command: 'sed -i s/a/A/ f' })
    const edit = { file_path: 'f', edits_json: [{ op: 'replace', pos: tag(1, 'a'), lines: ['x'] }] }
    expect((await session.failure('edit_file', edit)).text).toContain('Hash mismatch at line 1: expected 2c11')
  })
})

describe('bad input', () => {
  const pathless: readonly (readonly [tool: string, path: string, more: object])[] = [
    ['read_file', 'path', {}],
    ['write_file', 'path', { content: 'x' }],
    ['edit_file', 'file_path', { edits_json: '[]' }],
  ]
  const rows: readonly (readonly [tool: string, args: object, code: string])[] = [
    ...pathless.flatMap(([tool, name, more]): (readonly [string, object, string])[] => [
      [tool, more, 'invalid-arguments'],
      [tool, { ...more, [name]: ['x'] }, 'invalid-arguments'],
      [tool, { ...more, [name]: '../x' }, 'path-outside-root'],
      [tool, { ...more, [name]: '/etc/passwd' }, 'path-outside-root'],
      [tool, { ...more, [name]: 'out' }, 'path-outside-root'],
      [tool, { ...more, [name]: 'd/../../x' }, 'path-outside-root'],
      [tool, { ...more, [name]: 'a\0b' }, 'path-invalid'],
      [tool, { ...more, [name]: 'd' }, 'EISDIR'],
      ...(tool === 'write_file' ? [] : [[tool, { ...more, [name]: 'missing' }, 'ENOENT'] as const]),
    ]),
    ['read_file', { path: 'bin' }, 'binary-file'],
    ['edit_file', { file_path: 'latin1', edits_json: [] }, 'binary-file'],
    ['read_file', { path: 'huge' }, 'file-too-large'],
    ['read_file', { path: 'f', offset: 0 }, 'invalid-arguments'],
    ['read_file', { path: 'artifact://4' }, 'ENOENT'],
    ['write_file', { path: 'f' }, 'invalid-arguments'],
    ['write_file', { path: 'f', content: '\ud800' }, 'invalid-text'],
    ['write_file', { path: 'new/', content: '' }, 'EISDIR'],
    ['write_file', { path: 'f/below', content: '' }, 'ENOTDIR'],
    ['edit_file', { file_path: 'f', edits_json: 'nope' }, 'invalid-edits'],
    ['edit_file', { file_path: 'f', edits_json: { op: 'replace' } }, 'invalid-edits'],
    ['edit_file', { file_path: 'f', edits_json: [{ op: 'replace', pos: '0#abcd', lines: ['x'] }] }, 'invalid-edits'],
    ['edit_file', { file_path: 'f', edits_json: [{ op: 'replace', pos: '9#abcd', lines: ['x'] }] }, 'invalid-edits'],
    ['edit_file', { file_path: 'f', edits_json: [{ op: 'replace', pos: '1#ffff', lines: ['x'] }] }, 'stale-tag'],
    ['bash', { command: 'touch ran' }, 'no-shell'],
    ['bash', { command: ' ' }, 'invalid-arguments'],
    ['bash', { command: 'touch ran\0' }, 'invalid-arguments'],
    ['bash', { command: 'touch ran', timeout: 0 }, 'invalid-arguments'],
    ['bash', { command: 'touch ran', timeout: -1 }, 'invalid-arguments'],
    ['bash', {}, 'invalid-arguments'],
    ['nope', {}, 'unknown-tool'],
  ]
  it.each(rows)('%s %j is %s', async (tool, args, code) => {
    const session = await open(
      {
        f: 'a\n',
        'd/x': '',
        bin: new Uint8Array([97, 0]),
        latin1: new Uint8Array([97, 0xe9, 10]),
        huge: 'x'.repeat(2000),
        '/etc/passwd': 'root\n',
      },
      { limits: { textMaxBytes: 1000 } },
    )
    await session.fs.symlink('/etc/passwd', '/workspace/out')
    const result = await session.call(tool, args)
    expect(result).toMatchObject({ isError: true, details: { error: { code } } })
    const start = tool === 'nope' ? "Error: unknown tool 'nope'" : `Error executing tool '${tool}': `
    expect(textOf(result).startsWith(start)).toBe(true)
    expect(textOf(result)).not.toMatch(/\bwith find\b|\bwith read\b|\bsearch\b/)
    expect(await session.fs.readText('/etc/passwd')).toBe('root\n')
    expect(await session.file('f')).toBe('a\n')
  })

  it.each([
    ['read_file', { path: 'f' }],
    ['edit_file', { file_path: 'f', edits_json: [{ op: 'append', pos: '1#2c11', lines: ['x'] }] }],
  ])('%s of a file that vanishes under its hands says so', async (tool, args) => {
    const session = await open({ f: 'a\n' })
    vanishWhenRead(session, '/workspace/f')
    expect((await session.failure(tool, args)).code).toBe('ENOENT')
    expect(await session.fs.exists('/workspace/f')).toBe(false)
  })

  it('names a path that leads out as it was given', async () => {
    const { text } = await (await open()).failure('read_file', { path: '../secret.txt' })
    expect(text.split('\n')[0]).toBe("Error executing tool 'read_file': Path outside workspace: ../secret.txt")
  })
})

it('says to a model what it takes', async () => {
  const { tools } = await open()
  expect(tools.tools.map(tool => tool.name)).toEqual(['read_file', 'write_file', 'edit_file', 'bash'])
  const edit = tools.tools.find(tool => tool.name === 'edit_file')
  expect(edit?.inputSchema).toMatchObject({
    properties: {
      edits_json: { anyOf: [{ type: 'string' }, { items: { properties: { op: { enum: ['replace', 'append', 'prepend'] } } } }] },
    },
    required: ['file_path', 'edits_json'],
    additionalProperties: false,
  })
  expect(edit?.description).toContain('1#3afc')
  expect(structuredClone(tools.tools)).toEqual(tools.tools)
})
