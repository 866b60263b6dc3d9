// The same conversation twice, with the same other writers: once without a break, and once with a reload after every step. Both give the
// same results and leave the same files.

import { describe, expect, it } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { ToolResult, Toolset } from '../core/tool.ts'
import { seeds } from '../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../testing/random.ts'
import { textOf } from '../testing/tool-session.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'
import type { Workspace } from '../workspace/workspace.ts'

type Call = readonly [tool: string, args: object]

interface Conversation {
  readonly read: (path: string, random: Random) => Call
  /** An edit of a line or two that an earlier read has shown, however long ago. */
  readonly edit: (path: string, shown: string, random: Random) => Call
  readonly others?: readonly ((random: Random) => Call)[]
}

/** A random line of a text that matches, or one that does not exist. */
function pickMatch(shown: string, pattern: RegExp, random: Random, otherwise: string): string {
  const found = [...shown.matchAll(pattern)].map(match => match[1] ?? match[0])
  return found.length === 0 ? otherwise : random.pick(found)
}

const conversations: Readonly<Record<ToolsetName, Conversation>> = {
  atomic: {
    read: (path, random) => ['read', { path: random.chance(0.3) ? `${path}:2-4` : path }],
    edit(path, shown, random) {
      const line = 1 + random.below(6)
      const operation = random.pick([`replace ${line}..${line}:`, `insert after ${line}:`, `replace ${line}..${line + 1}:`])
      return [
        'edit',
        { input: `[${path}#${/#([0-9A-F]{4})\]/.exec(shown)?.[1] ?? '0000'}]\n${operation}\n+new${random.below(9)}` },
      ]
    },
    // A copied header and line numbers are removed, as long as the text behind the tag is known.
    others: [random => ['write', { path: 'copy', content: `[f#${random.pick(['0000', 'ABCD'])}]\n1:one\n` }]],
  },
  ah: {
    read: path => ['read', { path }],
    edit: (path, shown, random) => [
      'edit',
      {
        path,
        old_string: `${random.pick(['', '\n'])}${pickMatch(shown, /\t(.+)/g, random, 'none')}${random.pick(['', '\n'])}`,
        new_string: `\nnew${random.below(9)}`,
      },
    ],
  },
  agsh: {
    read: (path, random) => ['read_file', { path, ...(random.chance(0.2) ? { scratchpad: 'kept' } : {}) }],
    edit: (path, shown, random) => [
      'edit_file',
      { path, old_string: pickMatch(shown, /^\S.*$/gm, random, 'none'), new_string: `new${random.below(9)}` },
    ],
    others: [
      random => ['scratchpad_write', { name: `n${random.below(3)}`, content: `note ${random.below(100)}` }],
      random => ['scratchpad_read', { name: random.pick(['n0', 'n1', 'n2', 'kept']) }],
      random => ['scratchpad_delete', { name: `n${random.below(3)}` }],
    ],
  },
  ecs: {
    read: (path, random) => ['read_file', { path, ...(random.chance(0.3) ? { offset: 2, limit: 2 } : {}) }],
    edit: (path, shown, random) => [
      'edit_file',
      {
        file_path: path,
        edits_json: [
          { op: random.pick(['replace', 'append']), pos: pickMatch(shown, /^(\d+#\w{4})\|/gm, random, '1#0000'), lines: ['new'] },
        ],
      },
    ],
  },
  rye: {
    read: (path, random) => ['read', { file_path: path, ...(random.chance(0.3) ? { offset: 2, limit: 2 } : {}) }],
    edit(path, shown, random) {
      const id = (): string => pickMatch(shown, /LID:(\w{6})/g, random, '000000')
      const range = random.chance(0.3) ? { start_line_id: id(), end_line_id: id() } : { line_id: id() }
      return ['edit_lines', { file_path: path, changes: [{ ...range, new_content: `new${random.below(9)}\n` }] }]
    },
  },
}

const paths = ['f', 'g']
const first = 'one\ntwo\nthree\ntwo\n\nfour\n'

/** A change of a file by another writer. */
function changed(text: string, random: Random): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  switch (random.below(4)) {
    case 0:
      lines.splice(at, 0, random.pick(['two', 'between', '']))
      break
    case 1:
      lines.splice(at, 1)
      break
    case 2:
      lines[at] = `${lines[at]}!`
      break
    default:
      return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n')
  }
  return lines.join('\n')
}

interface World {
  readonly workspace: Workspace
  tools: Toolset
}

async function openWorld(name: ToolsetName): Promise<World> {
  const fs = memory({ f: first, g: `${first}${first}` })
  const workspace = await createWorkspace({ fs, shell: 'none', clock: () => 0 })
  return { workspace, tools: await workspace.toolset(name) }
}

async function reload(world: World, name: ToolsetName): Promise<void> {
  const state = JSON.parse(JSON.stringify(await world.tools.state())) as Awaited<ReturnType<Toolset['state']>>
  await world.tools.close()
  world.tools = await world.workspace.toolset(name, { state })
}

const saidBy = (result: ToolResult): readonly [isError: boolean, text: string] => [result.isError, textOf(result)]

describe.each(Object.entries(conversations) as [ToolsetName, Conversation][])('%s', (name, { read, edit, others = [] }) => {
  it('says and does the same when it is reloaded after every step', async () => {
    const counts = { merged: 0, refused: 0 }
    await forSeeds(seeds({ quick: 4, deep: 60 }), async random => {
      const unbroken = await openWorld(name)
      const broken = await openWorld(name)
      const shown: { path: string; text: string }[] = []
      for (let step = 0; step < 25; step++) {
        const path = random.pick(paths)
        const draw = random.below(10)
        if (draw < 3) {
          const text = changed(await unbroken.workspace.fs.readText(`/workspace/${path}`), random)
          const isRead = random.chance(0.5)
          for (const world of [unbroken, broken]) {
            await world.workspace.fs.writeFile(`/workspace/${path}`, text)
            // Another session reads it: in rye, this transfers the line IDs to the new text.
            if (isRead) await (await world.workspace.toolset(name)).call(...read(path, createRandom(step)))
          }
          continue
        }
        const seen = shown.length > 0 ? random.pick(shown) : undefined
        const isEdit = draw >= 6 && seen !== undefined
        const call = isEdit
          ? edit(seen.path, seen.text, random)
          : draw === 5 && others.length > 0
            ? random.pick(others)(random)
            : read(path, random)
        const [expected, actual] = [await unbroken.tools.call(...call), await broken.tools.call(...call)]
        expect({ call, said: saidBy(actual) }).toEqual({ call, said: saidBy(expected) })
        for (const file of paths) {
          const at = `/workspace/${file}`
          expect(await broken.workspace.fs.readText(at)).toBe(await unbroken.workspace.fs.readText(at))
        }
        if (isEdit) counts[expected.isError ? 'refused' : 'merged'] += 1
        if (!isEdit && !expected.isError) shown.push({ path, text: textOf(expected) })
        await reload(broken, name)
      }
    })
    // A test in which every edit is refused would prove nothing.
    expect(Math.min(counts.merged, counts.refused)).toBeGreaterThan(5)
  })
})
