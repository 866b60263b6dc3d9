// Somebody else changes a file between the read and the edit, in every way and at every distance. Lines have numbers here that
// only this test can see, so it knows which one the model meant wherever it is now, also among copies. Either that line is changed and every other byte is what the
// other one wrote, or nothing is written.

import { describe, expect, it } from 'vitest'

import { isDeep } from './depth.ts'
import type { ToolsetName, ToolsetOptions } from '../workspace/toolsets.ts'
import { openToolSession, tagIn, type ToolSession } from './tool-session.ts'

interface Line {
  readonly text: string
  /** Of the original; missing for a line that the other one made. */
  readonly number?: number
}

const copy = ({ text }: Line): Line => ({ text })

const lineCount = 31
const target = 16
const original: readonly Line[] = Array.from({ length: lineCount }, (_, index) => ({
  text: `  statement(${index + 1})`,
  number: index + 1,
}))

/** What the other one does at `index`, some lines away from the edited one. */
type Drift = (lines: readonly Line[], index: number) => readonly Line[]

const drifts: readonly (readonly [name: string, drift: Drift, ending?: string])[] = [
  ['insert', (lines, index) => lines.toSpliced(index, 0, { text: '  other()' })],
  ['delete', (lines, index) => lines.toSpliced(index, 1)],
  ['change', (lines, index) => lines.toSpliced(index, 1, { text: '  other()' })],
  ['move to the top', (lines, index) => [...lines.slice(index, index + 2), ...lines.toSpliced(index, 2)]],
  ['move to the end', (lines, index) => [...lines.toSpliced(index, 2), ...lines.slice(index, index + 2)]],
  ['duplicate above', (lines, index) => lines.toSpliced(index, 0, ...lines.slice(index, index + 3).map(copy))],
  ['duplicate at the end', (lines, index) => [...lines, ...lines.slice(index, index + 3).map(copy)]],
  [
    're-indent',
    (lines, index) => lines.map((each, at) => (Math.abs(at - index) <= 1 ? { ...each, text: `  ${each.text}` } : each)),
  ],
  ['trailing blanks', (lines, index) => lines.map((each, at) => (at === index ? { ...each, text: `${each.text}  ` } : each))],
  ['line endings', lines => lines, '\r\n'],
]

type Operation = 'replace' | 'delete' | 'insert after'

const operations: readonly (readonly [name: Operation, edit: (lines: readonly Line[], at: number) => readonly Line[]])[] = [
  ['replace', (lines, at) => lines.toSpliced(at, 1, { text: '  mine()' })],
  ['delete', (lines, at) => lines.toSpliced(at, 1)],
  ['insert after', (lines, at) => lines.toSpliced(at + 1, 0, { text: '  mine()' })],
]

interface Way {
  readonly toolset: ToolsetName
  readonly options?: ToolsetOptions
  readonly read: (path: string) => readonly [tool: string, args: object]
  readonly edit: (path: string, operation: Operation, shown: string) => readonly [tool: string, args: object]
}

const own = `  statement(${target})\n`

/** The toolsets that merge an edit with what others changed; two of them where the host asks for it. */
const ways: readonly Way[] = [
  {
    toolset: 'atomic',
    read: path => ['read', { path }],
    edit(path, operation, shown) {
      const row = '\n+  mine()'
      const script = {
        replace: `replace ${target}..${target}:${row}`,
        delete: `delete ${target}`,
        'insert after': `insert after ${target}:${row}`,
      }
      return ['edit', { input: `[${path}#${tagIn(shown)}]\n${script[operation]}` }]
    },
  },
  {
    toolset: 'rye',
    options: { edit: { drift: 'merge' } },
    read: path => ['read', { file_path: path }],
    edit(path, operation, shown) {
      const id = /\[LID:(\w{6})\]   statement\(16\)$/m.exec(shown)?.[1]
      const content = { replace: '  mine()\n', delete: '', 'insert after': `${own}  mine()\n` }
      return ['edit_lines', { file_path: path, changes: [{ line_id: id, new_content: content[operation] }] }]
    },
  },
  {
    toolset: 'agsh',
    options: { edit: { drift: 'merge' } },
    read: path => ['read_file', { path }],
    edit(path, operation) {
      const content = { replace: '  mine()\n', delete: '', 'insert after': `${own}  mine()\n` }
      return ['edit_file', { path, old_string: own, new_string: content[operation] }]
    },
  },
]

const distances = isDeep ? Array.from({ length: lineCount }, (_, index) => index - (target - 1)) : [-15, -2, -1, 0, 1, 2, 9]

describe.each(ways)('$toolset', ({ toolset, options, read, edit: editCall }) => {
  const open = (): Promise<ToolSession> =>
    openToolSession({}, { name: toolset, ...(options === undefined ? {} : { toolset: options }) })

  it('0 silently wrong at any distance', async () => {
    const session = await open()
    const table: { drift: string; recovered: number; refused: number; alreadyThere: number }[] = []
    for (const [name, drift, ending = '\n'] of drifts) {
      const counts = { recovered: 0, refused: 0, alreadyThere: 0, wrong: [] as string[] }
      for (const [at, distance] of distances.entries()) {
        for (const [operation, edit] of isDeep ? operations : operations.slice(at % 3, (at % 3) + 1)) {
          const path = `${name}${distance}${operation}`.replaceAll(' ', '')
          await session.fs.writeFile(`/workspace/${path}`, original.map(({ text }) => `${text}\n`).join(''))
          const shown = await session.text(...read(path))
          const live = drift(original, target - 1 + distance)
          const bytes = (lines: readonly Line[]): string => lines.map(({ text }) => text + ending).join('')
          await session.fs.writeFile(`/workspace/${path}`, bytes(live))
          const { isError, details } = await session.call(...editCall(path, operation, shown))
          const after = await session.file(path)
          const place = live.findIndex(({ number }) => number === target)
          const edited = place === -1 ? undefined : bytes(edit(live, place))
          const isThere = 'alreadyApplied' in details && bytes(live) === bytes(edit(original, target - 1))
          if (isError) counts.refused++
          else if (isThere) counts.alreadyThere++
          else counts.recovered++
          if (after !== (isError || isThere ? bytes(live) : edited)) counts.wrong.push(`${path}: ${JSON.stringify(after)}`)
          await session.fs.rm(`/workspace/${path}`)
        }
      }
      expect(counts.wrong, name).toEqual([])
      const { recovered, refused, alreadyThere } = counts
      table.push({ drift: name, recovered, refused, alreadyThere })
    }
    console.table(table)
    // Else the rule above could be kept by refusing everything.
    expect(table.filter(({ recovered, refused }) => recovered < refused / 10)).toEqual([])
  })
})
