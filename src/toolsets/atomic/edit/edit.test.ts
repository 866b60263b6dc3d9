import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf, type ToolSession } from '../../../testing/tool-session.ts'

const five = 'one\ntwo\nthree\nfour\nfive\n'

/** Reads `path`, then edits it with the tag that came back. */
async function editAfterRead(session: ToolSession, path: string, operations: string): ReturnType<ToolSession['call']> {
  const tag = tagIn(await session.text('read', { path }))
  return session.call('edit', { input: `[${path}#${tag}]\n${operations}` })
}

describe('bytes outside the edited lines stay as they are', () => {
  const rows: readonly (readonly [name: string, before: string, operations: string, after: string])[] = [
    ['LF', 'a\nb\n', 'replace 2..2:\n+B', 'a\nB\n'],
    ['no final newline', 'a\nb', 'replace 2..2:\n+B', 'a\nB'],
    ['CRLF', 'a\r\nb\r\n', 'replace 1..1:\n+A\n+A2', 'A\r\nA2\r\nb\r\n'],
    ['mixed endings', 'a\r\nb\nc\r\n', 'replace 2..2:\n+B', 'a\r\nB\nc\r\n'],
    ['a byte-order mark', '\uFEFFa\nb', 'replace 1..1:\n+A', '\uFEFFA\nb'],
    ['tabs and trailing blanks elsewhere', '\ta  \nb\n', 'replace 2..2:\n+B', '\ta  \nB\n'],
    ['dollar signs in the new text', 'a\n', "replace 1..1:\n+$& $1 $$ $'", "$& $1 $$ $'\n"],
    ['everything deleted', 'a\nb\n', 'delete 1..2', ''],
    ['an empty file', '', 'insert head:\n+a', 'a'],
  ]
  it.each(rows)('%s', async (_name, before, operations, after) => {
    const session = await openToolSession({ f: before })
    expect((await editAfterRead(session, 'f', operations)).isError).toBe(false)
    expect(await session.file('f')).toBe(after)
  })
})

it('answers with the fresh header and the changed lines, numbered as they are now', async () => {
  const session = await openToolSession({ 'f.txt': five })
  const result = await editAfterRead(session, 'f.txt', 'replace 2..3:\n+A\n+B\n+C')
  expect(textOf(result)).toBe('[f.txt#CCB1]\n 1 one\n-2 two\n-3 three\n+2 A\n+3 B\n+4 C\n 5 four\n 6 five')
  expect(result.details).toMatchObject({ firstChangedLine: 2, files: ['f.txt'], patch: expect.stringContaining('+++ b/f.txt') })
})

it('cuts a very long diff in the text, never in the details', async () => {
  const session = await openToolSession({ f: Array.from({ length: 300 }, (_, index) => `l${index}\n`).join('') })
  const result = await editAfterRead(session, 'f', `replace 1..300:\n${'+x\n'.repeat(300)}`)
  expect(textOf(result)).toContain('[480 more diff rows. Read f to see the rest.]')
  expect(String(result.details['diff']).split('\n')).toHaveLength(600)
})

describe('who may edit', () => {
  it('refuses a file that changed since, with its tag now and the lines around the anchors', async () => {
    const session = await openToolSession({ 'f.txt': five })
    const tag = tagIn(await session.text('read', { path: 'f.txt' }))
    await session.fs.writeFile('/workspace/f.txt', 'zero\none\ntwo\nthree\nFour\nfive\n')
    const failure = await session.failure('edit', { input: `[f.txt#${tag}]\nreplace 5..5:\n+FIVE` })
    expect(failure.code).toBe('edit-tag-stale')
    expect(failure.text).toMatch(/the file is now #[0-9A-F]{4}/)
    expect(failure.text).toContain('`replace 5..5:` touches line 5 as you saw them, and these or their neighbours changed')
    expect(failure.text).toContain(' 4:three\n 5:Four\n*6:five')
    expect(failure.text).toContain('Read f.txt again')
  })

  it('does not take the tag of its own refusal: showing a tag is not showing a file', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const tag = /now #([0-9A-F]{4})/.exec((await session.failure('edit', { input: '[f#0000]\ndelete 1' })).text)?.[1]
    expect((await session.failure('edit', { input: `[f#${tag}]\ndelete 1` })).code).toBe('edit-tag-unknown')
    expect(await session.file('f')).toBe('a\n')
  })

  it('does not take a tag of another session', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const other = await session.workspace.toolset('atomic')
    const tag = tagIn(textOf(await other.call('read', { path: 'f' })))
    expect((await session.failure('edit', { input: `[f#${tag}]\ndelete 1` })).code).toBe('edit-tag-unknown')
  })

  it('does not take a tag that fits by accident', async () => {
    const session = await openToolSession({ f: 'collision-389\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', 'collision-445\n')
    expect((await session.failure('edit', { input: `[f#${tag}]\nreplace 1..1:\n+x` })).code).toBe('edit-tag-ambiguous')
    expect(await session.file('f')).toBe('collision-445\n')
  })

  it('says so when the file vanished between read and edit, and does not bring it back', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.rm('/workspace/f')
    expect((await session.failure('edit', { input: `[f#${tag}]\nreplace 1..1:\n+x` })).code).toBe('ENOENT')
    expect(await session.fs.exists('/workspace/f')).toBe(false)
  })

  it('takes a tag from search, from a raw read and from write', async () => {
    const session = await openToolSession({ f: 'needle\n' })
    const tag = tagIn(await session.text('search', { pattern: 'needle' }))
    await session.text('edit', { input: `[f#${tag}]\nreplace 1..1:\n+thread` })
    expect(await session.file('f')).toBe('thread\n')
  })
})

describe('many sections', () => {
  it('are written together', async () => {
    const session = await openToolSession({ a: 'a\n', 'd/b': 'b\n' })
    const [a, b] = [tagIn(await session.text('read', { path: 'a' })), tagIn(await session.text('read', { path: 'd/b' }))]
    const batches: number[] = []
    const stop = await session.fs.watch('/', batch => batches.push(batch.changes.length))
    const text = await session.text('edit', { input: `[a#${a}]\nreplace 1..1:\n+A\n[d/b#${b}]\nreplace 1..1:\n+B` })
    expect(text.match(/^\[.+#[0-9A-F]{4}\]$/gm)).toHaveLength(2)
    expect([await session.file('a'), await session.file('d/b')]).toEqual(['A\n', 'B\n'])
    await Promise.resolve()
    expect(batches).toEqual([2])
    stop()
  })

  const rows: readonly (readonly [name: string, second: string, code: string])[] = [
    ['one is stale', '[b#0000]\nreplace 1..1:\n+B', 'edit-tag-unknown'],
    ['one is missing', '[c#0000]\nreplace 1..1:\n+B', 'ENOENT'],
    ['one is a link to the other', '[link#{a}]\nreplace 1..1:\n+B', 'edit-duplicate-target'],
    ['one names a line that is not there', '[b#{b}]\nreplace 9..9:\n+B', 'edit-line-out-of-range'],
    ['one changes nothing', '[b#{b}]\nreplace 1..1:\n+b', 'edit-section-no-op'],
    ['one cannot be read as a script', '[b#{b}]\nreplace 1..1:', 'edit-empty-body'],
    ['one leads outside', '[../b#{b}]\nreplace 1..1:\n+B', 'path-outside-root'],
  ]
  it.each(rows)('write nothing when %s', async (_name, second, code) => {
    const session = await openToolSession({ a: 'a\n', b: 'b\n' })
    await session.fs.symlink('a', '/workspace/link')
    const tags = { a: tagIn(await session.text('read', { path: 'a' })), b: tagIn(await session.text('read', { path: 'b' })) }
    const input = `[a#${tags.a}]\nreplace 1..1:\n+A\n${second.replace('{a}', tags.a).replace('{b}', tags.b)}`
    expect((await session.failure('edit', { input })).code).toBe(code)
    expect([await session.file('a'), await session.file('b')]).toEqual(['a\n', 'b\n'])
  })

  it('write nothing when a file changes between the plan and the commit', async () => {
    const session = await openToolSession({ a: 'a\n', b: 'b\n' })
    const [a, b] = [tagIn(await session.text('read', { path: 'a' })), tagIn(await session.text('read', { path: 'b' }))]
    const racing = openRace(session)
    const result = await session.call('edit', { input: `[a#${a}]\nreplace 1..1:\n+A\n[b#${b}]\nreplace 1..1:\n+B` })
    racing.stop()
    expect(result).toMatchObject({ isError: true, details: { error: { code: 'file-changed', path: 'b' } } })
    expect([await session.file('a'), await session.file('b')]).toEqual(['a\n', 'person\n'])
  })
})

/** A person saves `b` at the very moment when the tool asks for its commit. */
function openRace(session: ToolSession): { readonly stop: () => void } {
  const batch = session.fs.batch.bind(session.fs)
  const raced: ToolSession['fs']['batch'] = async (work, options) => {
    await session.fs.writeFile('/workspace/b', 'person\n')
    return batch(work, options)
  }
  Object.assign(session.fs, { batch: raced })
  return { stop: () => Object.assign(session.fs, { batch }) }
}

describe('an edit that changes nothing', () => {
  it('writes nothing, and is stopped the third time', async () => {
    const session = await openToolSession({ f: 'a\nb\n' })
    const rev = (await session.fs.stat('/workspace/f')).rev
    const input = `[f#${tagIn(await session.text('read', { path: 'f' }))}]\nreplace 1..1:\n+a`
    expect(await session.text('edit', { input })).toContain('Nothing was written')
    expect(await session.text('edit', { input })).toContain('2 times')
    expect((await session.failure('edit', { input })).code).toBe('edit-repeated-no-op')
    expect((await session.fs.stat('/workspace/f')).rev).toBe(rev)
  })
})

describe('who may edit what changed', () => {
  it('inserts at the head and the tail, which are where they were, and says so', async () => {
    const session = await openToolSession({ f: 'a\nb\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', 'completely\ndifferent\n')
    expect(await session.text('edit', { input: `[f#${tag}]\ninsert head:\n+x\ninsert tail:\n+z` })).toContain(
      `Warning: f changed since you saw it as #${tag}.`,
    )
    expect(await session.file('f')).toBe('x\ncompletely\ndifferent\nz\n')
  })

  it('does not even then with a tag that was never given', async () => {
    const session = await openToolSession({ f: 'a\n' })
    expect((await session.failure('edit', { input: '[f#0000]\ninsert tail:\n+z' })).code).toBe('edit-tag-unknown')
    expect(await session.file('f')).toBe('a\n')
  })

  it('says that what it saw is no longer in memory', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\nd\n', g: 'x'.repeat(200) }, { limits: { snapshotMaxBytes: 100 } })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    for (const index of [1, 2, 3, 4, 5, 6]) await session.text('write', { path: 'h', content: `${index}`.repeat(10) })
    await session.fs.writeFile('/workspace/f', 'a\nb\nc\nd\ne\n')
    const failure = await session.failure('edit', { input: `[f#${tag}]\nreplace 1..1:\n+A` })
    expect(failure).toMatchObject({ code: 'edit-tag-stale', text: expect.stringContaining('dropped from memory') })
  })
})

describe('an edit of a file that somebody else changed', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\n'
  const rows: readonly (readonly [name: string, live: string, operations: string, after: string | undefined, says: string])[] = [
    ['above', `x\n${before}`, 'replace 4..4:\n+D', `x\n${before.replace('d', 'D')}`, 'Line 4 is line 5 now.'],
    ['below', `${before}x\n`, 'replace 4..4:\n+D', `${before.replace('d', 'D')}x\n`, 'every other change was kept'],
    ['two lines away', before.replace('f', 'F'), 'replace 4..4:\n+D', before.replace('f', 'F').replace('d', 'D'), 'kept'],
    ['in the neighbour', before.replace('e', 'E'), 'replace 4..4:\n+D', undefined, 'edit-tag-stale'],
    ['in the line itself', before.replace('d', 'dd'), 'replace 4..4:\n+D', undefined, 'edit-tag-stale'],
    [
      'to what the edit says',
      before.replace('d', 'D'),
      'replace 4..4:\n+D',
      before.replace('d', 'D'),
      'already holds this change',
    ],
    [
      'in its line endings',
      before.replaceAll('\n', '\r\n'),
      'replace 4..4:\n+D',
      before.replace('d', 'D').replaceAll('\n', '\r\n'),
      '#',
    ],
    [
      'in trailing blanks elsewhere',
      before.replace('a', 'a  '),
      'replace 4..4:\n+D',
      before.replace('a', 'a  ').replace('d', 'D'),
      'kept',
    ],
    ['by a copy of the block', before + before, 'replace 4..4:\n+D', undefined, 'edit-tag-stale'],
  ]
  it.each(rows)('%s', async (_name, live, operations, after, says) => {
    const session = await openToolSession({ f: before })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', live)
    const result = await session.call('edit', { input: `[f#${tag}]\n${operations}` })
    expect([result.isError, await session.file('f')]).toEqual([after === undefined, after ?? live])
    expect(textOf(result)).toContain(says)
  })

  it('whose change is there already is told so, and the rest of the call is written', async () => {
    const session = await openToolSession({ f: before, g: before })
    const [f, g] = [tagIn(await session.text('read', { path: 'f' })), tagIn(await session.text('read', { path: 'g' }))]
    await session.fs.writeFile('/workspace/f', before.replace('d', 'D'))
    const input = `[f#${f}]\nreplace 4..4:\n+D\n[g#${g}]\nreplace 4..4:\n+D`
    const result = await session.call('edit', { input })
    expect(textOf(result)).toContain('f changed since you saw it, and already holds this change.')
    expect(result.details).toMatchObject({ files: ['g'], alreadyApplied: ['f'] })
    expect(await session.file('g')).toBe(before.replace('d', 'D'))
  })

  it('gives a tag that the next edit can use', async () => {
    const session = await openToolSession({ f: before })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.fs.writeFile('/workspace/f', `x\n${before}`)
    const next = tagIn(await session.text('edit', { input: `[f#${tag}]\nreplace 4..4:\n+D` }))
    await session.text('edit', { input: `[f#${next}]\nreplace 1..1:\n+X` })
    expect(await session.file('f')).toBe(`X\n${before.replace('d', 'D')}`)
  })
})

describe('blocks', () => {
  const source = 'function f() {\n  return 1\n}\nf()\n'
  const rows: readonly (readonly [path: string, operation: string, after: string, says: string])[] = [
    [
      'a.ts',
      'replace block 1:\n+const f = () => 1',
      'const f = () => 1\nf()\n',
      'replace block 1 → resolved lines 1-3 (3 lines)',
    ],
    ['a.ts', 'delete block 4', 'function f() {\n  return 1\n}\n', 'delete block 4 → resolved lines 4-4 (1 line)'],
    [
      'a.ts',
      'insert after block 1:\n+g()',
      `${source.slice(0, -4)}g()\nf()\n`,
      'resolved lines 1-3 (3 lines); body lands after line 3',
    ],
    ['a.unknown', 'delete block 1', 'f()\n', 'delete block 1 → resolved lines 1-3 (3 lines)'],
  ]
  it.each(rows)('%s: %s', async (path, operation, after, says) => {
    const session = await openToolSession({ [path]: source })
    expect(textOf(await editAfterRead(session, path, operation))).toContain(says)
    expect(await session.file(path)).toBe(after)
  })

  it('are refused where none begins', async () => {
    const session = await openToolSession({ 'a.ts': source })
    const result = await editAfterRead(session, 'a.ts', 'delete block 3')
    expect(result.details).toMatchObject({ error: { code: 'edit-block-unresolved' } })
  })

  it('are found in what the model saw when the file changed since', async () => {
    const session = await openToolSession({ 'a.ts': source })
    const tag = tagIn(await session.text('read', { path: 'a.ts' }))
    await session.fs.writeFile('/workspace/a.ts', `// new\n${source}`)
    await session.text('edit', { input: `[a.ts#${tag}]\ndelete block 1` })
    expect(await session.file('a.ts')).toBe('// new\nf()\n')
  })

  it('are the host’s to say', async () => {
    const asked: string[] = []
    const blocks = (path: string) => {
      asked.push(path)
      return path.endsWith('.x') ? (_document: unknown, start: number) => ({ start, end: start + 1 }) : undefined
    }
    const session = await openToolSession({ 'a.x': 'a\nb\nc\n', 'a.ts': source }, { toolset: { edit: { blocks } } })
    await editAfterRead(session, 'a.x', 'delete block 1')
    await editAfterRead(session, 'a.ts', 'delete block 1')
    expect([await session.file('a.x'), await session.file('a.ts')]).toEqual(['c\n', 'f()\n'])
    expect(asked).toEqual(['/workspace/a.x', '/workspace/a.ts'])
  })
})

describe('repairs', () => {
  const source = 'foo(() => {\n  a();\n});\nend();\n'
  const slipped = 'replace 2..2:\n+  b();\n+});'

  it('put a doubled closing line right, and say so', async () => {
    const session = await openToolSession({ 'f.js': source })
    expect(textOf(await editAfterRead(session, 'f.js', slipped))).toContain('Warning: ')
    expect(await session.file('f.js')).toBe(source.replace('a()', 'b()'))
  })

  it('can be switched off', async () => {
    const session = await openToolSession({ 'f.js': source }, { toolset: { edit: { repairs: false } } })
    await editAfterRead(session, 'f.js', slipped)
    expect(await session.file('f.js')).toBe('foo(() => {\n  b();\n});\n});\nend();\n')
  })

  it.each([
    ['repairs', { repairs: 'no' }],
    ['blocks', { blocks: {} }],
  ])('%s of another type is refused', async (_name, edit) => {
    const options: unknown = { toolset: { edit } }
    await expect(openToolSession({}, options as Parameters<typeof openToolSession>[1])).rejects.toMatchObject({
      code: 'toolset-options',
    })
  })
})

it('names the operations that change nothing beside others that do', async () => {
  const session = await openToolSession({ f: 'a\nb\nc\n' })
  const text = textOf(await editAfterRead(session, 'f', 'replace 1..1:\n+a\nreplace 3..3:\n+C'))
  expect(text).toContain('Warning: Line 2 of the script: `replace 1..1:` changes nothing')
  expect(await session.file('f')).toBe('a\nb\nC\n')
})

it('warns that a generated file was changed by hand', async () => {
  const session = await openToolSession({ 'gen.ts': '// @generated by x\na\n', 'prose.md': 'This is auto-generated.\na\n' })
  expect(textOf(await editAfterRead(session, 'gen.ts', 'replace 2..2:\n+b'))).toContain('Warning: gen.ts says on line 1')
  expect(textOf(await editAfterRead(session, 'prose.md', 'replace 2..2:\n+b'))).not.toContain('Warning')
})

describe('edits sent at once with one tag', () => {
  /** Sends all operations side by side; each as one call. */
  async function sendAtOnce(
    session: ToolSession,
    operations: readonly string[],
  ): Promise<readonly Awaited<ReturnType<ToolSession['call']>>[]> {
    const tag = tagIn(await session.text('read', { path: 'f' }))
    return Promise.all(operations.map(operation => session.call('edit', { input: `[f#${tag}]\n${operation}` })))
  }

  const rows: readonly (readonly [name: string, operations: readonly string[], after: string, errors: readonly unknown[]])[] = [
    ['different lines', ['replace 1..1:\n+A', 'replace 4..4:\n+D'], 'A b c D e ', [undefined, undefined]],
    ['neighbouring lines', ['replace 2..2:\n+B\n+B2', 'delete 3'], 'a B B2 d e ', [undefined, undefined]],
    ['one place, in the order sent', ['insert after 2:\n+x', 'insert after 2:\n+y'], 'a b x y c d e ', [undefined, undefined]],
    ['head and tail', ['insert tail:\n+z', 'insert head:\n+0', 'delete 3'], '0 a b d e z ', [undefined, undefined, undefined]],
    [
      'the same line',
      ['replace 2..2:\n+B', 'replace 2..2:\n+C'],
      'a b c d e ',
      ['edit-parallel-overlap', 'edit-parallel-overlap'],
    ],
    [
      'overlapping ranges, and one that would fit',
      ['replace 1..3:\n+X', 'delete 3..4', 'replace 5..5:\n+E'],
      'a b c d e ',
      ['edit-parallel-overlap', 'edit-parallel-overlap', 'edit-parallel-overlap'],
    ],
    [
      'an anchor that goes away',
      ['delete 2..3', 'insert after 3:\n+x'],
      'a b c d e ',
      ['edit-parallel-overlap', 'edit-parallel-overlap'],
    ],
    [
      'one that cannot be applied alone',
      ['replace 1..1:\n+A', 'replace 9..9:\n+I'],
      'A b c d e ',
      [undefined, 'edit-line-out-of-range'],
    ],
    ['one that changes nothing', ['replace 1..1:\n+a', 'replace 2..2:\n+B'], 'a B c d e ', [undefined, undefined]],
    ['one that is no script', ['replace 1..1:', 'replace 2..2:\n+B'], 'a B c d e ', ['edit-empty-body', undefined]],
  ]
  it.each(rows)('%s', async (_name, operations, after, errors) => {
    const session = await openToolSession({ f: 'a\nb\nc\nd\ne\n' })
    const results = await sendAtOnce(session, operations)
    expect(results.map(({ details }) => (details['error'] as { code?: unknown } | undefined)?.code)).toEqual(errors)
    expect(await session.file('f')).toBe(after.replaceAll(' ', '\n'))
  })

  it('each gets the final tag and its own lines, numbered as they are now', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    const [first, second] = await sendAtOnce(session, ['insert head:\n+0', 'replace 3..3:\n+C'])
    const tag = tagIn(await session.text('read', { path: 'f' }))
    const note = 'Applied together with another edit that was sent at once; shown is this one.'
    expect(first && textOf(first)).toBe(`${note}\n[f#${tag}]\n+1 0\n 2 a\n 3 b\n 4 C`)
    expect(second && textOf(second)).toBe(`${note}\n[f#${tag}]\n 1 0\n 2 a\n 3 b\n-4 c\n+4 C`)
    expect(first?.details).toMatchObject({ parallelCalls: 2, files: ['f'] })
  })

  it('become one change of the filesystem', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    const batches: number[] = []
    const stop = await session.fs.watch('/', batch => batches.push(batch.changes.length))
    await sendAtOnce(session, ['replace 1..1:\n+A', 'replace 3..3:\n+C'])
    await Promise.resolve()
    expect(batches).toEqual([1])
    stop()
  })

  it('merge under several names of one file, which never wait for each other', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    await session.fs.symlink('f', '/workspace/link')
    const tag = tagIn(await session.text('read', { path: 'f' }))
    const results = await Promise.all([
      session.call('edit', { input: `[f#${tag}]\nreplace 1..1:\n+A` }),
      session.call('edit', { input: `[link#${tag}]\nreplace 3..3:\n+C` }),
    ])
    expect(results.map(({ isError }) => isError)).toEqual([false, false])
    expect(await session.file('f')).toBe('A\nb\nC\n')
  })

  it('go on without the one that is aborted', async () => {
    const session = await openToolSession({ f: 'a\nb\nc\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    const controller = new AbortController()
    const aborted = session.call('edit', { input: `[f#${tag}]\nreplace 1..1:\n+A` }, { signal: controller.signal })
    const stays = session.call('edit', { input: `[f#${tag}]\nreplace 3..3:\n+C` })
    controller.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    expect((await stays).isError).toBe(false)
    expect(await session.file('f')).toBe('a\nb\nC\n')
  })

  it('of many files are written together or not at all', async () => {
    const session = await openToolSession({ a: 'a\nb\n', b: 'a\nb\n' })
    const header = async (path: string): Promise<string> => `[${path}#${tagIn(await session.text('read', { path }))}]`
    const [a, b] = [await header('a'), await header('b')]
    const results = await Promise.all([
      session.call('edit', { input: `${a}\nreplace 1..1:\n+A\n${b}\nreplace 1..1:\n+A` }),
      session.call('edit', { input: `${b}\nreplace 2..2:\n+B\n${a}\nreplace 1..1:\n+X` }),
    ])
    expect(results.map(({ isError }) => isError)).toEqual([true, true])
    expect([await session.file('a'), await session.file('b')]).toEqual(['a\nb\n', 'a\nb\n'])
  })
})
