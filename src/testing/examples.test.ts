// The examples in the definitions are correct: each is run, and every tool of every toolset has one.

import { describe, expect, it } from 'vitest'

import { openToolSession, textOf, type ToolSession } from './tool-session.ts'
import { strangeDetails } from './detail-fields.ts'
import type { ToolExample } from '../core/tool.ts'
import { toolsets, type ToolsetName } from '../workspace/toolsets.ts'

const names = toolsets.map(({ name }) => name)
const open = (
  name: ToolsetName,
  files: ToolExample['files'],
  rename: Readonly<Record<string, string>> = {},
): Promise<ToolSession> => openToolSession(files, { name, shell: 'just-bash', toolset: { rename } })

async function run(
  session: ToolSession,
  { tool, original: exampleTool = tool }: { readonly tool: string; readonly original?: string },
  { after = [], arguments: args, expect: expected }: ToolExample,
): Promise<void> {
  for (const call of after) await session.text(call.tool, call.arguments)
  const result = await session.call(tool, args)
  expect(strangeDetails(exampleTool, result.details)).toEqual([])
  const error: unknown = result.details['error']
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  // A command that failed by itself is an error without one of our codes.
  const found = code ?? (result.isError ? 'command-failed' : undefined)
  expect({ code: found, text: textOf(result) }).toEqual({ code: expected.error, text: expect.stringContaining(expected.text) })
  for (const [path, content] of Object.entries(expected.files ?? {})) expect(await session.file(path)).toBe(content)
}

const examples = await Promise.all(
  names.map(async name => {
    const { tools } = (await open(name, {})).tools
    return tools.map(tool => ({ name, tool: tool.name, examples: tool.examples ?? [] }))
  }),
)

describe.each(examples.flat())('$name $tool', ({ name, tool, examples: own }) => {
  it('has an example', () => expect(own.length).toBeGreaterThan(0))

  it.each(own)('$title', async example => run(await open(name, example.files), { tool }, example))

  it('has examples that hold under other names', async () => {
    const { tools } = (await open(name, {})).tools
    const rename = Object.fromEntries(tools.map(each => [each.name, `my_${each.name}`]))
    const renamed = (await open(name, {}, rename)).tools.tools.find(each => each.name === `my_${tool}`)
    expect(renamed?.examples).toHaveLength(own.length)
    for (const example of renamed?.examples ?? []) {
      await run(await open(name, example.files, rename), { tool: `my_${tool}`, original: tool }, example)
    }
  })
})

it.each(names)('%s: tools can be left out, and what needs them is not shown', async name => {
  const [first] = (await open(name, {})).tools.tools
  if (first === undefined) throw new Error('no tool')
  const session = await openToolSession({}, { name, toolset: { only: [first.name] } })
  expect(session.tools.tools.map(tool => tool.name)).toEqual([first.name])
  const others = (session.tools.tools[0]?.examples ?? []).flatMap(({ after = [] }) => after.map(call => call.tool))
  expect(new Set(others).size).toBeLessThanOrEqual(1)
  expect((await session.failure('nothing', {})).code).toBe('unknown-tool')
})
