// glob, grep and ls.

import { describe, expect, it } from 'vitest'

import { objectOf, textOf } from '../../testing/tool-session.ts'
import { type Files, idsOf, openRye } from '../../testing/rye-session.ts'

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
    expect(await objectOf(await openRye(tree), 'glob', args)).toMatchObject({
      files,
      output: files.join('\n'),
      count: files.length,
    })
  })

  it('glob sorts everything before it shows the first hundred, and goes on', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `f${String(119 - index).padStart(3, '0')}`)
    const session = await openRye(Object.fromEntries([...names.map(name => [`z/${name}`, '']), ['a', '']]))
    const first = await objectOf(session, 'glob', { pattern: '*' })
    expect(first).toMatchObject({ count: 100, truncated: true, notes: [expect.stringContaining('offset 100')] })
    expect((first['files'] as string[]).slice(0, 3)).toEqual(['a', 'z/f000', 'z/f001'])
    const rest = await objectOf(session, 'glob', { pattern: '*', offset: 100 })
    expect(rest).toMatchObject({ count: 21, truncated: false })
    expect(await objectOf(session, 'glob', { pattern: 'z/f0*' })).toMatchObject({ count: 100, truncated: false })
  })

  it('glob takes a link to a file for a file, but none that leads out or nowhere', async () => {
    const session = await openRye({ ...tree, '/etc/passwd': 'x' })
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
    expect(await objectOf(await openRye(tree), 'grep', args)).toMatchObject({
      output: rows.join('\n'),
      count: rows.length,
      truncated: false,
    })
  })

  it('grep names lines only while the file is what was read', async () => {
    const session = await openRye(tree)
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
    const answer = await objectOf(await openRye({ a: 'useState(0)\nb\nc\n' }), 'grep', args)
    expect(answer).toMatchObject({ count: 0, notes: [expect.stringContaining(note)] })
  })

  it.each([
    [{ ignore_case: true }, 1],
    [{ '-i': 'true' }, 1],
    [{ case_sensitive: false }, 1],
    [{ caseSensitive: true }, 0],
    [{ i: false }, 0],
  ])('reads %j as part of the pattern', async (args, count) => {
    const result = await (await openRye({ a: 'Needle\n' })).call('grep', { regex: 'needle', ...args })
    expect(result.structuredContent).toMatchObject({ count })
    expect(textOf(result)).not.toContain('unknown')
  })

  it('grep goes on after a hundred, and says what it left out', async () => {
    const session = await openRye(
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
    const session = await openRye({ a: `${'x'.repeat(5000)} needle ${'y'.repeat(5000)}\n` })
    const { matches } = await objectOf(session, 'grep', { pattern: 'needle' })
    expect(matches).toEqual([expect.objectContaining({ content: expect.stringMatching(/^…x{900,1000} needle y{900,1000}…$/) })])
  })

  it('grep says first that the only file is too large', async () => {
    const session = await openRye({ large: 'x'.repeat(7000) }, { limits: { searchMaxFileBytes: 6000 } })
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
    expect((await objectOf(await openRye(tree), 'ls', args))['output']).toBe(output)
  })

  it('sorts by code point, as Python does', async () => {
    const session = await openRye({ '\uFF5Ex.md': '', '😀x.md': '' })
    expect((await objectOf(session, 'glob', { pattern: '*.md' }))['files']).toEqual(['\uFF5Ex.md', '😀x.md'])
  })
})
