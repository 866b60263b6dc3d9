import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn } from '../../../testing/tool-session.ts'

const ten = Array.from({ length: 10 }, (_, index) => `line${index + 1}\n`).join('')
const hundred = Array.from({ length: 100 }, (_, index) => `line${index + 1}\n`).join('')

describe('lines of a file', () => {
  const rows: readonly (readonly [path: string, text: string])[] = [
    ['ten.txt:9', '[ten.txt#1769]\n9:line9\n10:line10'],
    ['ten.txt:9-', '[ten.txt#1769]\n9:line9\n10:line10'],
    [
      'ten.txt:2-2',
      '[ten.txt#1769]\n1:line1\n2:line2\n3:line3\n4:line4\n5:line5\n\n[5 more lines in file. Continue with path selector :6.]',
    ],
    [
      'ten.txt:5+2',
      '[ten.txt#1769]\n4:line4\n5:line5\n6:line6\n7:line7\n8:line8\n9:line9\n\n[1 more line in file. Continue with path selector :10.]',
    ],
    ['ten.txt:8-12', '[ten.txt#1769]\n7:line7\n8:line8\n9:line9\n10:line10\n\n[The file ends at line 10.]'],
    [
      'hundred.txt:2-2,99',
      '[hundred.txt#8C87]\n1:line1\n2:line2\n3:line3\n4:line4\n5:line5\n...\n98:line98\n99:line99\n100:line100',
    ],
    ['ten.txt:2-3:raw', 'line2\nline3\n'],
    ['no-newline.txt', '[no-newline.txt#6540]\n1:a\n2:b'],
    ['empty.txt', '[empty.txt#5D05]\n1:'],
    ['crlf.txt', '[crlf.txt#9A46]\n1:a\n2:b'],
    ['crlf.txt:raw', '\uFEFFa\r\nb\r\n'],
    ['@ten.txt:10', '[ten.txt#1769]\n10:line10'],
    ['/workspace/ten.txt:10', '[ten.txt#1769]\n10:line10'],
    ['sub/../ten.txt:10', '[ten.txt#1769]\n10:line10'],
    ['odd:3', '[odd:3#5BF9]\n1:hello'],
    ['link.txt', '[link.txt#5BF9]\n1:hello'],
  ]
  it.each(rows)('%s', async (path, text) => {
    const session = await openToolSession({
      'ten.txt': ten,
      'hundred.txt': hundred,
      'no-newline.txt': 'a\nb',
      'empty.txt': '',
      'crlf.txt': '\uFEFFa\r\nb\r\n',
      'odd:3': 'hello\n',
      'sub/': null,
    })
    await session.fs.symlink('odd:3', '/workspace/link.txt')
    const shown = await session.text('read', { path })
    // The tag of the long file is checked elsewhere; here the shape is.
    expect(shown.replace(/hundred\.txt#[0-9A-F]{4}/, 'hundred.txt#8C87')).toBe(text)
  })
})

describe('what lies beyond the end is said, and is no error', () => {
  it.each([
    ['ten.txt:11', 'Line 11 is beyond the end of the file (10 lines in all). Use ten.txt:10 to read the last line.'],
    ['ten.txt:20-30', 'Line 20 is beyond the end of the file (10 lines in all). Use ten.txt:10 to read the last line.'],
    ['empty.txt:7', 'Line 7 is beyond the end of the file (0 lines in all). The file is empty.'],
  ])('%s', async (path, text) => {
    const session = await openToolSession({ 'ten.txt': ten, 'empty.txt': '' })
    expect(await session.text('read', { path })).toBe(text)
  })
})

describe('what is refused', () => {
  const rows: readonly (readonly [path: string, code: string, says: string])[] = [
    ['missing.txt', 'ENOENT', 'find'],
    ['ten.txt:0', 'selector-invalid', 'line 0'],
    ['ten.txt:5-3', 'selector-invalid', ':3-5'],
    ['../outside.txt', 'path-outside-root', '/workspace'],
    ['/etc/passwd', 'path-outside-root', '/workspace'],
    ['escape/passwd', 'path-outside-root', '/workspace'],
    ['loop', 'path-symlink-loop', '40'],
    ['a\0b', 'path-invalid', 'null byte'],
    ['', 'path-invalid', 'empty'],
    ['file:///workspace/ten.txt', 'path-scheme-unsupported', 'file://'],
    ['https://10.0.0.1/', 'url-refused', 'private'],
    ['artifact://7', 'artifact-unknown', 'artifact://7'],
    ['null.bin', 'binary-file', 'null byte'],
    ['latin1.txt', 'binary-file', 'UTF-8'],
    ['ten.txt/x', 'ENOENT', 'ten.txt/x'],
  ]
  it.each(rows)('%j is %s', async (path, code, says) => {
    const session = await openToolSession({
      'ten.txt': ten,
      'null.bin': new Uint8Array([65, 0, 66]),
      'latin1.txt': new Uint8Array([0xe9, 10]),
    })
    await session.fs.symlink('/etc', '/workspace/escape')
    await session.fs.symlink('loop', '/workspace/loop')
    const failure = await session.failure('read', { path })
    expect(failure).toMatchObject({ code, text: expect.stringContaining(says) })
    expect(failure.text.startsWith(`${code}: `)).toBe(true)
  })
})

describe('limits', () => {
  it('shows the first 3000 lines and says how to go on', async () => {
    const session = await openToolSession({ 'b.txt': Array.from({ length: 3001 }, (_, index) => `l${index + 1}`).join('\n') })
    const text = await session.text('read', { path: 'b.txt' })
    expect(text.split('\n').slice(-3)).toEqual([
      '3000:l3000',
      '',
      '[Showing lines 1-3000 of 3001. Continue with path selector :3001.]',
    ])
    expect(await session.text('read', { path: 'b.txt:3001' })).toMatch(/\n3001:l3001$/)
  })

  it('shows whole lines within 50 KiB', async () => {
    const session = await openToolSession({ 'b.txt': Array.from({ length: 800 }, () => 'é'.repeat(60)).join('\n') })
    const text = await session.text('read', { path: 'b.txt' })
    expect(text.split('\n').slice(-3)).toEqual([
      `423:${'é'.repeat(60)}`,
      '',
      '[Showing lines 1-423 of 800 (50.0KB limit). Continue with path selector :424.]',
    ])
  })

  it('refuses a selection that is too large, and authorises nothing by it', async () => {
    const session = await openToolSession({ 'b.txt': 'y\n'.repeat(60_000) })
    const result = await session.call('read', { path: 'b.txt' })
    expect(result).toMatchObject({
      isError: true,
      details: { oversizedRead: { blocked: true, chars: 60_000, totalFileLines: 60_000 } },
    })
    expect((await session.failure('edit', { input: '[b.txt#0000]\ndelete 1' })).code).toBe('edit-tag-unknown')
  })

  it.each([
    [60_000, 10],
    [10, 60_000],
    [49_990, 10],
    [51_100, 10],
    [30_000, 30_000],
  ])('a short line between lines of %i and %i characters is shown', async (above, below) => {
    const text = `first\n${'a'.repeat(above)}\n${'short '.repeat(40)}\n${'b'.repeat(below)}\nlast\n`
    const session = await openToolSession({ 'b.txt': text })
    const shown = await session.text('read', { path: 'b.txt:3-3' })
    expect(shown.split('\n')[1]).toBe(`3:${'short '.repeat(40)}`)
    const edit = { input: `[b.txt#${tagIn(shown)}]\nreplace 3..3:\n+changed` }
    expect((await session.call('edit', edit)).isError).toBe(false)
  })

  it.each([
    ['UTF-16LE', Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0, 0x0a, 0, 0xe9, 0, 0x0a, 0)],
    ['UTF-16BE', Uint8Array.of(0xfe, 0xff, 0, 0x68, 0, 0x69, 0, 0x0a, 0, 0xe9, 0, 0x0a)],
  ])('%s with a byte order mark is shown, and not edited', async (_name, bytes) => {
    const session = await openToolSession({ 'u.txt': bytes })
    expect(await session.text('read', { path: 'u.txt' })).toMatch(
      /^1:hi\n2:é\n\n\[u\.txt is UTF-16, shown as UTF-8; .*write\.\]$/,
    )
    expect(await session.text('read', { path: 'u.txt:2-2:raw' })).toMatch(/^é\n/)
    expect((await session.failure('edit', { input: '[u.txt#0000]\ndelete 1..1' })).code).toBe('binary-file')
    expect(await session.fs.readFile('/workspace/u.txt')).toEqual(bytes)
  })

  it('says how to look at one enormous line', async () => {
    const session = await openToolSession({ 'b.txt': 'é'.repeat(40_000) })
    expect(await session.text('read', { path: 'b.txt' })).toBe(
      "[Line 1 is 78.1KB, above the 50.0KB limit. Use bash: sed -n '1p' 'b.txt' | head -c 20000, then sed -n '1p' 'b.txt' | head -c 40000 | tail -c 20000 (and so on, up to byte 80000).]",
    )
  })
})

describe('a directory', () => {
  const hour = 3_600_000
  const now = 1_700_000_000_000

  async function tree(
    files: Readonly<Record<string, string>>,
    agesMs: Readonly<Record<string, number>> = {},
    path = '.',
  ): Promise<string> {
    const session = await openToolSession(files, { clock: () => now })
    for (const [name, age] of Object.entries(agesMs)) await session.fs.utimes(`/workspace/${name}`, now - age)
    return session.text('read', { path })
  }

  it('is a tree of depth two, newest first', async () => {
    const text = await tree(
      {
        'new.txt': 'abc',
        'old.txt': 'abc',
        'sub/a.txt': 'ab',
        'sub/deep/x.txt': '',
        '.git/config': '',
        'node_modules/p/i.js': '',
      },
      { 'new.txt': 3 * hour, 'old.txt': 40 * 24 * hour, 'sub/a.txt': 60_000, 'sub/deep': hour, sub: 4 * hour },
    )
    expect(text).toBe(
      [
        '.',
        '  - new.txt  3B        3h',
        '  - sub/',
        '    - a.txt  2B        1m',
        '    - deep/',
        '  - old.txt  3B        1mo',
      ].join('\n'),
    )
  })

  it('shows eleven and the oldest of a full child directory', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `many/f${String(index).padStart(2, '0')}`)
    const text = await tree(
      Object.fromEntries(names.map(name => [name, ''])),
      Object.fromEntries(names.map((name, index) => [name, index * hour])),
    )
    expect(text.split('\n').map(line => /- (\S+( \d+ more)?)/.exec(line)?.[1])).toEqual([
      undefined,
      'many/',
      ...names.slice(0, 11).map(name => name.slice(5)),
      '… 8 more',
      'f19',
    ])
  })

  it('says so when it is empty, and where it ends', async () => {
    expect(await tree({}, {}, '.')).toBe('.\n(empty directory)')
    expect(await tree({ 'a.txt': '' }, {}, '.:99')).toBe(
      'Line 99 is beyond the end of the directory (2 lines in all). Use .:2 to read the last line.',
    )
  })

  it('shows a link as a link and does not follow it out', async () => {
    const session = await openToolSession({ 'a.txt': '' })
    await session.fs.symlink('/', '/workspace/out')
    expect(await session.text('read', { path: '.' })).toContain('- out -> /')
    expect((await session.failure('read', { path: 'out' })).code).toBe('path-outside-root')
  })
})
