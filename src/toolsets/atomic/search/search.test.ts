import { describe, expect, it } from 'vitest'

import { openToolSession, textOf } from '../../../testing/tool-session.ts'

const files = {
  'a.txt': 'alpha\nneedle one\nbeta\ngamma\ndelta\nepsilon\n',
  'sub/b.txt': 'x\nNeedle two\n',
  'sub/deep/c.txt': 'needle three',
}

describe('rows', () => {
  const rows: readonly (readonly [name: string, args: Record<string, unknown>, text: string])[] = [
    [
      'matches starred, one line of context before and three after, a banner for each directory',
      { pattern: 'needle', i: true },
      '[a.txt#FC47]\n 1:alpha\n*2:needle one\n 3:beta\n 4:gamma\n 5:delta\n# sub/\n[sub/b.txt#B9AB]\n 1:x\n*2:Needle two\n# sub/deep/\n[sub/deep/c.txt#D3A5]\n*1:needle three',
    ],
    [
      'case: false ignores case too',
      { pattern: 'NEEDLE T', case: false, paths: 'sub/b.txt' },
      '[sub/b.txt#B9AB]\n 1:x\n*2:Needle two',
    ],
    [
      'only matches inside the chosen lines count',
      { pattern: 'a$', paths: 'a.txt:3-4' },
      '[a.txt#FC47]\n 2:needle one\n*3:beta\n*4:gamma\n 5:delta\n 6:epsilon',
    ],
    [
      'a bare line number is that one line',
      { pattern: 'a$', paths: 'a.txt:3' },
      '[a.txt#FC47]\n 2:needle one\n*3:beta\n 4:gamma\n 5:delta\n 6:epsilon',
    ],
    ['a list of lines, the last one open', { pattern: 'e', paths: 'a.txt:1,6-' }, '[a.txt#FC47]\n 5:delta\n*6:epsilon'],
    ['nothing', { pattern: 'nowhere' }, 'No matches found.'],
    ['a glob', { pattern: 'needle', paths: 'sub/**/*.txt' }, '# sub/deep/\n[sub/deep/c.txt#D3A5]\n*1:needle three'],
  ]
  it.each(rows)('%s', async (_name, args, text) => {
    const session = await openToolSession(files)
    expect((await session.text('search', args)).replace(/c\.txt#[0-9A-F]{4}/, 'c.txt#D3A5')).toBe(text)
  })

  it('context is the host’s to choose', async () => {
    const session = await openToolSession(files, { toolset: { search: { contextBefore: 0, contextAfter: 1 } } })
    expect(await session.text('search', { pattern: 'needle one' })).toBe('[a.txt#FC47]\n*2:needle one\n 3:beta')
  })
})

describe('the order of files is the host’s to choose', () => {
  const rows: readonly (readonly [rank: 'path' | 'recent' | undefined, order: readonly string[]])[] = [
    [undefined, ['a.txt', 'b.txt', 'c.txt', 'd/e.txt']],
    ['path', ['a.txt', 'b.txt', 'c.txt', 'd/e.txt']],
    ['recent', ['d/e.txt', 'b.txt', 'a.txt', 'c.txt']],
  ]
  it.each(rows)('%s', async (rank, order) => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'd/e.txt']
    const session = await openToolSession(Object.fromEntries(names.map(name => [name, 'needle\n'])), {
      toolset: rank === undefined ? {} : { search: { rank } },
    })
    for (const [name, time] of [
      ['a.txt', 2],
      ['b.txt', 3],
      ['c.txt', 2],
      ['d/e.txt', 4],
    ] as const) {
      await session.fs.utimes(`/workspace/${name}`, time * 1e11)
    }
    expect((await session.call('search', { pattern: 'needle' })).details['files']).toEqual(order)
  })

  it('pages go through that order', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `f${String(index).padStart(2, '0')}.txt`)
    const session = await openToolSession(Object.fromEntries(names.map(name => [name, 'needle\n'])), {
      toolset: { search: { rank: 'recent' } },
    })
    for (const [index, name] of names.entries()) await session.fs.utimes(`/workspace/${name}`, (index + 1) * 1e10)
    const pages = await Promise.all([0, 20].map(skip => session.call('search', { pattern: 'needle', skip })))
    expect(pages.flatMap(page => page.details['files'])).toEqual(names.toReversed())
  })
})

describe('pages and cuts say so', () => {
  it('pages by matching files', async () => {
    const session = await openToolSession(
      Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`f${String(index).padStart(2, '0')}.txt`, 'needle\n'])),
    )
    const seen: string[] = []
    for (let skip = 0; ; skip += 20) {
      const result = await session.call('search', { pattern: 'needle', skip })
      seen.push(...(result.details['files'] as readonly string[]))
      if (result.details['fileLimitReached'] === undefined) break
      expect(textOf(result)).toContain(`[20 matching files shown. Use skip=${skip + 20} to view more.]`)
    }
    expect(seen).toHaveLength(45)
    expect(new Set(seen).size).toBe(45)
    expect(await session.text('search', { pattern: 'needle', skip: 45 })).toBe('No more results (skip=45).')
  })

  it('shows 20 matches of a file among many and 200 of one alone', async () => {
    const session = await openToolSession({ 'many.txt': 'needle\n'.repeat(300), 'other.txt': 'needle\n' })
    const among = await session.call('search', { pattern: 'needle' })
    expect(among.details).toMatchObject({ fileMatches: { 'many.txt': 20, 'other.txt': 1 } })
    expect(textOf(among)).toContain('[More matches than shown in many.txt.')
    expect((await session.call('search', { pattern: 'needle', paths: 'many.txt' })).details['matchCount']).toBe(200)
  })

  it('ends a page at its byte limit, and the next page goes on from there', async () => {
    const long = `needle ${'x'.repeat(400)}\n`.repeat(20)
    const session = await openToolSession(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}.txt`, long])))
    const first = await session.call('search', { pattern: 'needle' })
    const shown = Number(first.details['fileCount'])
    expect(shown).toBeLessThan(12)
    const second = await session.call('search', { pattern: 'needle', skip: shown })
    expect(Number(second.details['fileCount'])).toBe(12 - shown)
  })

  it('cuts long lines at 512 characters, never through one', async () => {
    const session = await openToolSession({ 'long.txt': `needle ${'x'.repeat(504)}😀${'y'.repeat(600)}\n` })
    const result = await session.call('search', { pattern: 'needle' })
    const row = textOf(result).split('\n')[1] ?? ''
    expect(row).toBe(`*1:needle ${'x'.repeat(504)}…`)
    expect(result.details['linesTruncated']).toBe(true)
    expect(textOf(result)).toContain('[Lines longer than 512 characters were cut')
  })

  it('names files that are too large to search', async () => {
    const session = await openToolSession({ 'big.txt': 'x'.repeat(5 * 1024 * 1024), 'a.txt': 'needle\n' })
    const result = await session.call('search', { pattern: 'needle' })
    expect(textOf(result)).toContain('[Not searched, larger than the limit of 4.0MB: big.txt]')
  })
})

describe('what is searched', () => {
  it('passes over binary files, ignored files, .git and node_modules', async () => {
    const session = await openToolSession({
      'bin.dat': new Uint8Array([110, 101, 101, 100, 108, 101, 0]),
      '.gitignore': 'ignored.txt\n',
      'ignored.txt': 'needle\n',
      '.git/x': 'needle\n',
      'node_modules/p/i.js': 'needle\n',
      '.env': 'needle\n',
    })
    const found = async (args: Record<string, unknown>): Promise<unknown> =>
      (await session.call('search', { pattern: 'needle', ...args })).details['files']
    expect(await found({})).toEqual(['.env'])
    expect(await found({ gitignore: false })).toEqual(['.env', 'ignored.txt', 'node_modules/p/i.js'])
    expect(await found({ paths: 'ignored.txt' })).toEqual(['ignored.txt'])
    expect(await found({ paths: 'node_modules' })).toEqual(['node_modules/p/i.js'])
    expect(await session.text('search', { pattern: 'needle', paths: 'bin.dat' })).toBe(
      'bin.dat was not searched: it is binary. Search it with rg -a in the shell.',
    )
  })

  it('finds in a file that is not valid UTF-8, and gives it no tag', async () => {
    const session = await openToolSession({ 'latin1.txt': new Uint8Array([...new TextEncoder().encode('needle '), 0xe9, 10]) })
    const text = await session.text('search', { pattern: 'needle' })
    expect(text).toContain('latin1.txt: 1 matching lines, not shown')
    expect(text).not.toMatch(/#[0-9A-F]{4}\]/)
  })

  it('shows a file once although two targets hold it', async () => {
    const session = await openToolSession(files)
    expect((await session.call('search', { pattern: 'needle', paths: ['sub', 'sub/deep/c.txt'] })).details['files']).toEqual([
      'sub/deep/c.txt',
    ])
  })
})

describe('what is refused', () => {
  const rows: readonly (readonly [args: Record<string, unknown>, code: string])[] = [
    [{}, 'invalid-arguments'],
    [{ pattern: '  ' }, 'invalid-arguments'],
    [{ pattern: 'x', skip: -1 }, 'invalid-arguments'],
    [{ pattern: '[a' }, 'invalid-pattern'],
    [{ pattern: '(?=a)' }, 'invalid-pattern'],
    [{ pattern: '(a)\\1' }, 'invalid-pattern'],
    [{ pattern: 'x', paths: 'nope' }, 'ENOENT'],
    [{ pattern: 'x', paths: '[' }, 'invalid-glob'],
    [{ pattern: 'x', paths: ['a.txt', '![a'] }, 'invalid-glob'],
    [{ pattern: 'x', paths: '../up' }, 'path-outside-root'],
    [{ pattern: 'x', paths: 'sub:1-2' }, 'selector-unsupported'],
    [{ pattern: 'x', paths: 'a.txt:0' }, 'selector-invalid'],
  ]
  it.each(rows)('%j is %s', async (args, code) => {
    expect((await (await openToolSession(files)).failure('search', args)).code).toBe(code)
  })
})

it('a pattern made to stall does not', async () => {
  const session = await openToolSession({ 'a.txt': `${'a'.repeat(50_000)}!\n` })
  expect(await session.text('search', { pattern: '^(a+)+$' })).toBe('No matches found.')
})

describe('what a search says besides its rows', () => {
  const ask = async (tree: Readonly<Record<string, string | Uint8Array>>, args: Record<string, unknown>): Promise<string> =>
    (await openToolSession(tree)).text('search', args)

  it.each<
    [what: string, tree: Readonly<Record<string, string | Uint8Array>>, args: Record<string, unknown>, said: string | RegExp]
  >([
    ['a match across lines', { 'a.ts': 'foo(\n  needle)\n' }, { pattern: 'foo\\([\\s\\S]*?needle' }, /\*1:foo\(\n\*2:  needle\)/],
    ['and with (?s)', { 'a.ts': 'foo(\n  needle)\n' }, { pattern: '(?s)foo\\(.*?\\)' }, /\*1:foo\(\n\*2:  needle\)/],
    [
      'a pattern that could cross lines and found nothing',
      { 'a.ts': 'foo(\n  needle)\n' },
      { pattern: 'foo\\(\\s*needle' },
      /matched line by line\. To match across lines/,
    ],
    [
      'a pattern that was meant as text',
      { 'a.ts': 'useState(0)\n' },
      { pattern: 'useState(0)' },
      /matches as plain text: escape .*useState\\\\\(0\\\\\)/,
    ],
    ['a price', { 'a.ts': 'it is $5.00\n' }, { pattern: '$5.00' }, /matches as plain text/],
    [
      'slashes and flags',
      { 'a.ts': 'getuser\n' },
      { pattern: '/getUser/i' },
      /Slashes and flags around a pattern .*"getUser" matches/,
    ],
    ['nothing of that where nothing is there', { 'a.ts': 'x\n' }, { pattern: 'useState(0)' }, /^No matches found\.$/],
    [
      'a glob that fits no file',
      { 'a.ts': 'x\n' },
      { pattern: 'x', paths: '*.nope' },
      'No matches found.\n\n[No file fits *.nope.]',
    ],
    [
      'a glob whose files are ignored',
      { '.gitignore': '*.log\n', 'a.log': 'x\n' },
      { pattern: 'x', paths: '**/*.log' },
      /1 file fits \*\*\/\*\.log, and ignore files leave it out\. Use gitignore: false/,
    ],
    [
      'a glob that names its files overrides ignore files, as -g does, but not for what an ignored directory holds',
      { '.gitignore': '*.log\n/out/\n', 'a.log': 'x\n', 'out/b.log': 'x\n', 'src/c.log': 'x\n' },
      { pattern: 'x', paths: '*.log' },
      /^\[a\.log#[0-9A-F]{4}\]\n\*1:x\n# src\/\n\[src\/c\.log#[0-9A-F]{4}\]\n\*1:x$/,
    ],
    [
      'also with a path beside the glob',
      { '.gitignore': '*.log\n', 'a.log': 'x\n', 'src/c.log': 'x\n', 'src/d.ts': 'x\n' },
      { pattern: 'x', path: 'src', glob: '*.log' },
      /^# src\/\n\[src\/c\.log#[0-9A-F]{4}\]\n\*1:x\nNote/,
    ],
    [
      'but none that names no file',
      { '.gitignore': '*.log\n', 'src/a.log': 'x\n', 'src/b.ts': 'x\n' },
      { pattern: 'x', paths: 'src/*' },
      /^# src\/\n\[src\/b\.ts#[0-9A-F]{4}\]\n\*1:x$/,
    ],
    ['an ignored .env', { '.gitignore': '.env\n', '.env': 'x\n', 'a.ts': 'x\n' }, { pattern: 'x', paths: '.env*' }, /^\[\.env#/],
    [
      'a directory and a glob',
      { 'src/a.ts': 'x\n', 'src/a.js': 'x\n', 'b.ts': 'x\n' },
      { pattern: 'x', path: 'src', glob: '*.ts' },
      /^# src\/\n\[src\/a\.ts#[0-9A-F]{4}\]\n\*1:x\nNote: "path" and "glob" were read together/,
    ],
    [
      'a glob with !',
      { 'a.ts': 'x\n', 'a.test.ts': 'x\n' },
      { pattern: 'x', paths: ['*.ts', '!**/*.test.ts'] },
      /^\[a\.ts#[0-9A-F]{4}\]\n\*1:x$/,
    ],
    [
      'nothing but a glob with !',
      { 'a.ts': 'x\n', 'lib/a.ts': 'x\n' },
      { pattern: 'x', paths: '!lib' },
      /^\[a\.ts#[0-9A-F]{4}\]\n\*1:x$/,
    ],
    [
      'a list of paths in JSON',
      { 'src/a.ts': 'x\n', 'docs/b.md': 'x\n', 'c.ts': 'x\n' },
      { pattern: 'x', paths: '["src","docs"]' },
      /^# src\/\n\[src\/a\.ts#[0-9A-F]{4}\]\n\*1:x\n# docs\/\n\[docs\/b\.md#[0-9A-F]{4}\]\n\*1:x$/,
    ],
    [
      'a directory with a comma',
      { 'a,b/c.ts': 'x\n' },
      { pattern: 'x', paths: 'a,b/*.ts' },
      /^# a,b\/\n\[a,b\/c\.ts#[0-9A-F]{4}\]\n\*1:x$/,
    ],
    ['the alias -i', { 'a.ts': 'X\n' }, { pattern: 'x', '-i': true }, /\*1:X/],
    ['the alias caseInsensitive', { 'a.ts': 'X\n' }, { pattern: 'x', caseInsensitive: true }, /\*1:X/],
    [
      'the alias case_sensitive',
      { 'a.ts': 'X\nx\n' },
      { pattern: 'x', case_sensitive: true },
      /^\[a\.ts#[0-9A-F]{4}\]\n 1:X\n\*2:x\nNote/,
    ],
    ['the alias case_sensitive, false', { 'a.ts': 'X\n' }, { pattern: 'x', case_sensitive: false }, /\*1:X/],
    [
      'the alias include',
      { 'a.ts': 'x\n', 'b.js': 'x\n' },
      { pattern: 'x', include: '*.ts' },
      /^\[a\.ts#[0-9A-F]{4}\]\n\*1:x\nNote/,
    ],
    ['the alias glob', { 'a.ts': 'x\n', 'b.js': 'x\n' }, { pattern: 'x', glob: '*.ts' }, /^\[a\.ts#[0-9A-F]{4}\]\n\*1:x\nNote/],
    ['blanks at the end of a row stay', { 'a.ts': 'x  \n' }, { pattern: 'x' }, /\*1:x  $/],
    [
      'UTF-16 with a byte order mark',
      { 'a.txt': Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0, 0x0a, 0) },
      { pattern: 'hi' },
      '# a.txt: UTF-16, shown as UTF-8\n*1:hi',
    ],
    [
      'rules of a repository end where another begins',
      { '.gitignore': 'x.ts\n', 'sub/.git/HEAD': '', 'sub/x.ts': 'x\n' },
      { pattern: 'x', paths: 'sub' },
      /\*1:x/,
    ],
    ['info/exclude', { '.git/info/exclude': 'x.ts\n', 'x.ts': 'x\n' }, { pattern: 'x' }, /^No matches found\.$/],
  ])('%s', async (_what, tree, args, said) => {
    const text = await ask(tree, args)
    if (typeof said === 'string') expect(text).toBe(said)
    else expect(text).toMatch(said)
  })

  it('centres a row on a match beyond column 512', async () => {
    const text = await ask({ 'a.txt': `${'a'.repeat(2000)} needle ${'b'.repeat(2000)}\n` }, { pattern: 'needle' })
    expect(text).toMatch(/^\[a\.txt#[0-9A-F]{4}\]\n\*1:…a+ needle b+…\n/)
  })

  it('says how to go on in a file with more matches than are shown', async () => {
    const text = await ask({ 'a.txt': 'x\n'.repeat(300) }, { pattern: 'x', paths: 'a.txt' })
    expect(text).toContain('Go on with paths: "a.txt:201-".')
  })

  it('says first that a named file is too large', async () => {
    const session = await openToolSession({ 'a.txt': 'x'.repeat(5_000_000) })
    expect(await session.text('search', { pattern: 'x', paths: 'a.txt' })).toMatch(
      /^a\.txt was not searched: it has .* and the limit is/,
    )
  })
})
