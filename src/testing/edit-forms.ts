// The same changes of the same sources in the edit form of each toolset, as a model would write them: it reads what it needs, and then
// names lines by tags, by IDs or by their text.

import type { ToolResult } from '../core/tool.ts'
import type { ToolsetName, ToolsetOptions } from '../workspace/toolsets.ts'
import { mutatedLines, sourceText, withLines, type LineMutation, type SourceText } from './line-mutations.ts'
import type { Random } from './random.ts'
import { lineIdsOf, tagIn, textOf, type ToolSession } from './tool-session.ts'
import { uniqueEdit } from './text-edits.ts'

export interface EditForm {
  readonly toolset: ToolsetName
  /** Reads `path`, which contains `source`, and prepares the calls for `mutations` of it, which are in the order of the text. */
  readonly prepare: (
    session: ToolSession,
    path: string,
    source: SourceText,
    mutations: readonly LineMutation[],
    random: Random,
  ) => Promise<readonly (readonly [tool: string, args: object])[]>
}

export const editForms: readonly EditForm[] = [
  {
    toolset: 'atomic',
    async prepare(session, path, _source, mutations, random) {
      const tag = tagIn(await session.text('read', { path: `${path}:1+1` }))
      const operations = shuffled(random, mutations).map(mutation => atomicOperation(mutation))
      return [['edit', { input: `[${path}#${tag}]\n${operations.join('\n')}` }]]
    },
  },
  {
    toolset: 'rye',
    async prepare(session, path, source, mutations) {
      const ids = await lineIdsOf(session, path)
      const changes = mutations.map(mutation => ryeChange(mutation, source, ids)).toReversed()
      return [['edit_lines', { file_path: path, changes }]]
    },
  },
  {
    toolset: 'ecs',
    async prepare(session, path, _source, mutations, random) {
      const tags: string[] = []
      for (let offset: unknown = 1; offset !== undefined;) {
        const page = await session.call('read_file', { path, offset })
        tags.push(
          ...textOf(page)
            .split('\n')
            .flatMap(row => /^\d+#[0-9a-f]{4}(?=\|)/.exec(row)?.[0] ?? []),
        )
        offset = page.details['nextOffset']
      }
      const edits = mutations.map(mutation => ecsEdit(random, mutation, tags)).toReversed()
      return [['edit_file', { file_path: path, edits_json: random.chance(0.5) ? edits : JSON.stringify(edits) }]]
    },
  },
  {
    toolset: 'ah',
    async prepare(session, path, source, mutations) {
      await session.call('read', { path })
      return textEdits(source, mutations).map(({ oldText, newText }) => [
        'edit',
        { path, old_string: oldText, new_string: newText },
      ])
    },
  },
  {
    toolset: 'agsh',
    async prepare(session, path, source, mutations) {
      await session.text('read_file', { path, limit: 1 })
      return textEdits(source, mutations).map(({ oldText, newText }) => [
        'edit_file',
        { path, old_string: oldText, new_string: newText },
      ])
    },
  },
]

const merging: ToolsetOptions = { edit: { drift: 'merge' } }

/** The forms of toolsets that merge only if the host asks for it. They have to read what they name. */
export const mergingForms: readonly (EditForm & { readonly options: ToolsetOptions })[] = editForms.flatMap(form => {
  if (form.toolset === 'rye') return [{ ...form, options: merging }]
  if (form.toolset !== 'agsh') return []
  return [
    {
      ...form,
      options: merging,
      async prepare(session, path, source, mutations, random) {
        const calls = await form.prepare(session, path, source, mutations, random)
        await session.call('read_file', { path, limit: 1_000_000 })
        return calls
      },
    },
  ]
})

/** Makes the calls one after the other, up to the first that fails. */
export async function makeEdits(
  session: ToolSession,
  calls: Awaited<ReturnType<EditForm['prepare']>>,
): Promise<ToolResult | undefined> {
  let result: ToolResult | undefined
  for (const [tool, args] of calls) {
    result = await session.call(tool, args)
    if (result.isError) break
  }
  return result
}

function atomicOperation({ kind, start, end, rows }: LineMutation): string {
  const body = rows.map(row => `+${row}`).join('\n')
  const [first, last] = [start + 1, end]
  switch (kind) {
    case 'replace':
      return `replace ${first}..${last}:\n${body}`
    case 'delete':
      return `delete ${first}..${last}`
    case 'insert-before':
      return `insert before ${first}:\n${body}`
    case 'insert-after':
      return `insert after ${first}:\n${body}`
  }
}

function ryeChange({ kind, start, end, rows }: LineMutation, { lines }: SourceText, ids: readonly string[]): object {
  const own = lines[start] ?? ''
  const all = kind === 'insert-before' ? [...rows, own] : kind === 'insert-after' ? [own, ...rows] : rows
  const newContent = all.map(row => `${row}\n`).join('')
  return end - start === 1
    ? { line_id: ids[start], new_content: newContent }
    : { start_line_id: ids[start], end_line_id: ids[end - 1], new_content: newContent }
}

function ecsEdit(random: Random, { kind, start, end, rows }: LineMutation, tags: readonly string[]): object {
  const pos = tags[start]
  if (kind === 'insert-before') return { op: 'prepend', pos, lines: rows }
  if (kind === 'insert-after') return { op: 'append', pos, lines: rows }
  // Digits of tags are accepted in either case.
  const last = random.chance(0.5) ? tags[end - 1]?.toUpperCase() : tags[end - 1]
  return end - start === 1 && kind === 'replace' && random.chance(0.5)
    ? { op: 'replace', pos, lines: rows }
    : { op: 'replace', pos, end: last, lines: rows }
}

/** From the end of the file, so that each edit names an existing text. Edits without effect are left out. */
function textEdits(source: SourceText, mutations: readonly LineMutation[]): readonly { oldText: string; newText: string }[] {
  let now = source
  return mutations.toReversed().flatMap(mutation => {
    const after = withLines(
      now,
      mutatedLines(now.lines, [mutation], row => row),
    )
    const edit = uniqueEdit(sourceText(now), sourceText(after))
    if (edit === undefined) return []
    now = after
    return [edit]
  })
}

/** In any order, because all operations of a script name the original lines. */
function shuffled<T>(random: Random, values: readonly T[]): readonly T[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(random.below(rest.length), 1))
}
