// edit_lines and write.

import { describe, expect, it } from 'vitest'

import { objectOf, type ToolSession } from '../../testing/tool-session.ts'
import { idsOf, openRye } from '../../testing/rye-session.ts'

describe('edit_lines', () => {
  /** Letters name the lines as they were read. */
  async function edit(
    text: string,
    changes: (ids: readonly string[]) => readonly unknown[],
  ): Promise<{ session: ToolSession; answer: unknown }> {
    const session = await openRye({ f: text })
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
    const session = await openRye({ f: 'a\n' })
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
    const session = await openRye({ f: 'a\nb\n' })
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
    const session = await openRye({ f: 'a\n}\nb\n}\nc\n' })
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
    const session = await openRye({ f: 'a\nb\nc\nd\n' })
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
    const session = await openRye({ f: 'a\nb\n' })
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
    const session = await openRye(before === undefined ? {} : { 'd/f': before })
    expect(await objectOf(session, 'write', { file_path: './d/f', content })).toMatchObject({ success: true, ...answer })
    expect(await session.file('d/f')).toBe(content)
  })

  it('a diff that is too long is cut at a line and can be read whole', async () => {
    const before = Array.from({ length: 400 }, (_, index) => `${index} ${'x'.repeat(300)}\n`)
    const session = await openRye({ f: before.join('') })
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
    const session = await openRye({ f: 'a\nb\n' })
    const [a] = await idsOf(session, 'f')
    const answer = await objectOf(session, 'write', { file_path: 'g', content: `[LID:${a}] a\n[LID:ffffff] x\n` })
    expect(await session.file('g')).toBe('a\n[LID:ffffff] x\n')
    expect(answer['notes']).toHaveLength(2)
    await session.text('write', { file_path: 'f', content: 'new\n' })
    expect((await session.failure('edit_lines', { file_path: 'f', changes: [] })).code).toBe('no-line-ids')
  })
})
