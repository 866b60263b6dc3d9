// A notebook through the tools: it is read as its cells and edited by the tag of that text; everything else of it stays byte for byte.

import { describe, expect, it } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { openToolSession, tagIn, type ToolSession } from '../../testing/tool-session.ts'

const notebook = {
  cells: [
    { cell_type: 'markdown', metadata: { keep: [1, 2] }, source: ['# Title\n', 'text'], attachments: { 'a.png': { x: 1 } } },
    {
      cell_type: 'code',
      execution_count: 7,
      id: 'abc',
      metadata: { tags: ['t'] },
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['hi\n'] }],
      source: ['x = 1\n', 'print(x)'],
    },
    { cell_type: 'raw', metadata: {}, source: 'one string', own: { deep: [null, 1.5e3] } },
  ],
  metadata: { kernelspec: { name: 'py' }, unknown: '\u0000é😀' },
  nbformat: 4,
  nbformat_minor: 5,
  custom: { k: 1 },
}
const lines = [
  '# %% [markdown] cell:0',
  '# Title',
  'text',
  '# %% [code] cell:1',
  'x = 1',
  'print(x)',
  '# %% [raw] cell:2',
  'one string',
]

const forms: readonly (readonly [name: string, form: (value: unknown) => string])[] = [
  ['one line', value => JSON.stringify(value)],
  ['one blank', value => `${JSON.stringify(value, null, 1)}\n`],
  ['tabs', value => JSON.stringify(value, null, '\t')],
  ['CRLF', value => `${JSON.stringify(value, null, 2)}\n`.replaceAll('\n', '\r\n')],
  ['a byte order mark', value => `\uFEFF${JSON.stringify(value, null, 1)}\n`],
  ['escapes', value => JSON.stringify(value, null, 1).replaceAll('é', '\\u00e9')],
]

const stored = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''))

async function editCells(session: ToolSession, operations: string): Promise<string> {
  const tag = tagIn(await session.text('read', { path: 'n.ipynb' }))
  return session.text('edit', { input: `[n.ipynb#${tag}]\n${operations}` })
}

describe.each(forms)('a notebook written with %s', (_name, form) => {
  const before = form(notebook)

  it('is shown as its cells', async () => {
    const session = await openToolSession({ 'n.ipynb': before })
    const shown = await session.text('read', { path: 'n.ipynb' })
    expect(shown.split('\n').slice(1, 1 + lines.length)).toEqual(lines.map((line, index) => `${index + 1}:${line}`))
    expect(shown).toContain('cell:1 hi')
    expect(await session.text('read', { path: 'n.ipynb:cell:1' })).toContain('x = 1\nprint(x)')
  })

  it('keeps every byte but those of the source that is edited', async () => {
    const session = await openToolSession({ 'n.ipynb': before })
    await editCells(session, 'replace 5..5:\n+x = 2')
    const after = await session.file('n.ipynb')
    expect(after).toBe(before.replace('x = 1', 'x = 2'))
  })

  it('gets a cell, loses one, and keeps the fields of the others', async () => {
    const session = await openToolSession({ 'n.ipynb': before })
    await editCells(session, 'delete 1..3\ninsert tail:\n+# %% [code]\n+new()\n+# %% [markdown]')
    const { cells, ...rest } = notebook
    const after = await session.file('n.ipynb')
    const made = { execution_count: null, metadata: {}, outputs: [] }
    expect(stored(after)).toEqual({
      ...rest,
      cells: [
        ...cells.slice(1),
        { cell_type: 'code', ...made, id: expect.stringMatching(/^[0-9a-f]{8}$/), source: ['new()'] },
        { cell_type: 'markdown', metadata: {}, id: expect.any(String), source: [] },
      ],
    })
    expect([after.startsWith('\uFEFF'), /[^\r]\n/.test(after)]).toEqual([before.startsWith('\uFEFF'), /[^\r]\n/.test(before)])
    expect((await session.text('read', { path: 'n.ipynb' })).split('\n')[1]).toBe('1:# %% [code] cell:0')
  })

  it('changes the type of a cell and keeps its own fields', async () => {
    const session = await openToolSession({ 'n.ipynb': before })
    await editCells(session, 'replace 4..4:\n+# %% [markdown] cell:1')
    const { outputs: _outputs, execution_count: _count, ...code } = notebook.cells[1] ?? {}
    expect(stored(await session.file('n.ipynb'))).toEqual({
      ...notebook,
      cells: notebook.cells.with(1, { ...code, cell_type: 'markdown' } as never),
    })
  })
})

describe('outputs', () => {
  const withOutputs = (outputs: unknown): string =>
    JSON.stringify({ cells: [{ cell_type: 'code', source: 'x', outputs, metadata: {} }], nbformat: 4, nbformat_minor: 4 })
  const rows: readonly (readonly [what: string, outputs: unknown, says: RegExp])[] = [
    ['a long text', [{ output_type: 'stream', text: 'y'.repeat(5000) }], /^cell:0 y{200}… \(5000 characters\)\]$/m],
    ['an error', [{ output_type: 'error', ename: 'KeyError', evalue: "'a'", traceback: ['z'] }], /cell:0 error KeyError: 'a'/],
    ['a picture', [{ output_type: 'display_data', data: { 'image/png': 'AAAA' } }], /cell:0 image\/png\]$/m],
    ['two', [{ text: ['a\n', 'b'] }, { data: { 'text/plain': ['c'], 'text/html': '<b>' } }], /cell:0 a ⏎ b \| c\]$/m],
    ['damaged ones', [null, 3, {}, { data: 'x' }, { text: null }], /cell:0/],
  ]
  it.each(rows)('%s', async (_what, outputs, says) => {
    const session = await openToolSession({ 'n.ipynb': withOutputs(outputs) })
    const shown = await session.text('read', { path: 'n.ipynb' })
    expect(shown).toMatch(says)
    expect(shown.length).toBeLessThan(1_000)
  })

  it('are none where there are none', async () => {
    const session = await openToolSession({ 'n.ipynb': withOutputs([]) })
    expect(await session.text('read', { path: 'n.ipynb' })).not.toContain('Outputs')
  })
})

describe('markers', () => {
  it.each(['# %% [code]', '# %% [markdown] cell:0', '# %%% [raw]', '# %%%% [code] cell:7'])(
    '%s in a source is text, there and back',
    async row => {
      const cells = [{ cell_type: 'code', metadata: {}, outputs: [], source: [`${row}\n`, 'a'] }]
      const session = await openToolSession({ 'n.ipynb': JSON.stringify({ cells, nbformat: 4, nbformat_minor: 4 }) })
      expect(await session.text('read', { path: 'n.ipynb' })).toContain(`2:${row.replace('%%', '%%%')}\n3:a`)
      await editCells(session, 'replace 3..3:\n+b')
      expect(stored(await session.file('n.ipynb'))).toMatchObject({ cells: [{ source: [`${row}\n`, 'b'] }] })
    },
  )

  const refused: readonly (readonly [what: string, operations: string])[] = [
    ['a first row that is none', 'insert head:\n+text'],
    ['the first one removed', 'delete 1'],
    ['one removed, and its rows kept', 'delete 4'],
  ]
  it.each(refused)('%s is refused', async (_what, operations) => {
    const before = JSON.stringify(notebook)
    const session = await openToolSession({ 'n.ipynb': before })
    const tag = tagIn(await session.text('read', { path: 'n.ipynb' }))
    expect((await session.failure('edit', { input: `[n.ipynb#${tag}]\n${operations}` })).code).toBe('notebook-marker')
    expect(await session.file('n.ipynb')).toBe(before)
  })
})

describe('what is no notebook', () => {
  it.each([
    '{"cells": 1}',
    '[]',
    '{"cells": [{"cell_type": "other", "source": ""}]}',
    '{"cells": [{"cell_type": "code", "source": 1}]}',
  ])('%s is a plain file', async text => {
    const session = await openToolSession({ 'n.ipynb': text })
    expect(await session.text('read', { path: 'n.ipynb' })).toContain(`1:${text}`)
  })

  it('is said of broken JSON, and :raw shows it', async () => {
    const session = await openToolSession({ 'n.ipynb': '{"cells": [' })
    expect((await session.failure('read', { path: 'n.ipynb' })).code).toBe('notebook-invalid')
    expect(await session.text('read', { path: 'n.ipynb:raw' })).toContain('{"cells": [')
  })
})

/** Sources with everything that JSON escapes, markers, and with and without a last line feed. */
function randomNotebook(random: Random): { readonly cells: readonly Record<string, unknown>[]; readonly own: string } {
  const piece = (): string => random.pick(['a', '"', '\\', '\t', '# %% [code]', ' é😀', '', '{', '}', '[', ']', ','])
  const cells = Array.from({ length: 1 + random.below(4) }, () => {
    const source = Array.from({ length: 1 + random.below(4) }, () => `${piece()}${piece()}`).join('\n')
    return {
      metadata: { [piece()]: piece() },
      cell_type: random.pick(['code', 'markdown', 'raw']),
      source: random.chance(0.5) ? source : source === '' ? [] : source.split(/(?<=\n)/),
      outputs: [],
    }
  })
  return { cells, own: piece() }
}

const sourceOf = (cell: Record<string, unknown> | undefined): string =>
  Array.isArray(cell?.['source']) ? cell['source'].join('') : String(cell?.['source'])

it('one row is changed in notebooks of every form, and nothing else', async () => {
  await forSeeds(seeds({ quick: 40, deep: 1_500 }), async (_random, seed) => {
    const random = createRandom(seed)
    const value = randomNotebook(random)
    const [, form] = random.pick(forms)
    const session = await openToolSession({ 'n.ipynb': form(value) }, { shell: 'none' })
    const at = random.below(value.cells.length)
    const rows = sourceOf(value.cells[at]).split('\n')
    const row = random.below(rows.length)
    if (sourceOf(value.cells[at]) === '') return
    // The marker of each cell before it, and its rows; an empty source has none.
    const above = value.cells
      .slice(0, at)
      .reduce((sum, cell) => sum + 1 + (sourceOf(cell) === '' ? 0 : sourceOf(cell).split('\n').length), 0)
    const line = above + 2 + row
    await editCells(session, `replace ${line}..${line}:\n+changed`)
    const after = stored(await session.file('n.ipynb'))
    const wanted = rows.with(row, 'changed').join('\n')
    expect({ seed, own: (after as typeof value).own, sources: (after as typeof value).cells.map(sourceOf) }).toEqual({
      seed,
      own: value.own,
      sources: value.cells.map((cell, index) => (index === at ? wanted : sourceOf(cell))),
    })
    expect((after as typeof value).cells.map(({ source: _source, ...rest }) => rest)).toEqual(
      value.cells.map(({ source: _source, ...rest }) => rest),
    )
  })
})
