// Our toolsets keep the contract, and a toolset that breaks one rule fails that rule.

import { describe, expect, it } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { callAdapted } from '../../core/adapted-call.ts'
import type { ToolDefinition, Toolset } from '../../core/tool.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { toolsets, type ToolsetName } from '../../workspace/toolsets.ts'
import type { Deviation } from '../contract.ts'
import { type OpenToolset, toolsetContractRows } from './index.ts'

const opened =
  (name: ToolsetName, change: (tools: Toolset) => Toolset = tools => tools): OpenToolset =>
  async files => {
    const workspace = await createWorkspace({ fs: memory(files) })
    return { workspace, tools: change(await workspace.toolset(name)) }
  }

const deviations: Partial<Record<ToolsetName, readonly Deviation[]>> = {
  rye: [{ case: 'examples.read-only-tools-change-no-file', why: 'its read keeps the IDs of lines in .ai/cache' }],
}

describe.each(toolsets.map(({ name }) => name))('%s', name => {
  for (const { name: rule, run } of toolsetContractRows(opened(name), { deviations: deviations[name] ?? [] })) it(rule, run)
})

const withFirst =
  (change: Partial<ToolDefinition>) =>
  (tools: Toolset): Toolset => ({
    ...tools,
    tools: tools.tools.map((tool, index) => (index === 0 ? { ...tool, ...change } : tool)),
  })

const broken: readonly { readonly rule: string; readonly why: string; readonly change: (tools: Toolset) => Toolset }[] = [
  { rule: 'names.valid-and-unique', why: 'a name with a dash', change: withFirst({ name: 'read-file' }) },
  {
    rule: 'names.valid-and-unique',
    why: 'the same name twice',
    change: tools => ({ ...tools, tools: [...tools.tools, ...tools.tools] }),
  },
  { rule: 'definitions.plain-data', why: 'no description', change: withFirst({ description: ' ' }) },
  {
    rule: 'definitions.plain-data',
    why: 'a required argument that is not described',
    change: withFirst({ inputSchema: { type: 'object', required: ['path'] } }),
  },
  {
    rule: 'definitions.plain-data',
    why: 'a function in a schema',
    change: withFirst({ inputSchema: { type: 'object', check: () => true } }),
  },
  { rule: 'examples.hold', why: 'no example', change: withFirst({ examples: [] }) },
  {
    rule: 'examples.hold',
    why: 'an example with another text',
    change: withFirst({ examples: [{ title: 'Read', files: {}, arguments: { path: '.' }, expect: { text: 'no such text' } }] }),
  },
  {
    rule: 'examples.read-only-tools-change-no-file',
    why: 'a writing tool with readOnlyHint',
    change: tools => ({
      ...tools,
      tools: tools.tools.map(tool => ({ ...tool, annotations: { ...tool.annotations, readOnlyHint: true } })),
    }),
  },
  {
    rule: 'preview.changes-no-file',
    why: 'a preview that makes the call',
    change: tools => ({
      ...tools,
      preview: async (name, args) => {
        await tools.call(name, args)
        return { kind: 'unavailable', reason: 'it was made' }
      },
    }),
  },
  {
    rule: 'arguments.wrong-ones-are-told-and-not-thrown',
    why: 'a tool that throws',
    change: tools => ({
      ...tools,
      call: async (name, args, context) => {
        const result = await tools.call(name, args, context)
        if (result.isError) throw new Error('no')
        return result
      },
    }),
  },
  {
    rule: 'arguments.wrong-ones-are-told-and-not-thrown',
    why: 'an error without its flag',
    change: tools => ({
      ...tools,
      call: async (name, args, context) => ({ ...(await tools.call(name, args, context)), isError: false }),
    }),
  },
  {
    rule: 'call.gives-back-its-id',
    why: 'a call that drops its context',
    change: tools => ({ ...tools, call: (name, args) => tools.call(name, args) }),
  },
  {
    rule: 'abort.rejects-with-its-reason-and-changes-no-file',
    why: 'a call that drops its signal',
    change: tools => ({
      ...tools,
      call: (name, args, context) => callAdapted(tools, name, args, { callId: context?.callId }, {}),
    }),
  },
  {
    rule: 'abort.rejects-with-its-reason-and-changes-no-file',
    why: 'an abort that is an answer',
    change: tools => ({
      ...tools,
      call: async (name, args, context) =>
        context?.signal?.aborted === true ? { isError: true, content: [], details: {} } : await tools.call(name, args, context),
    }),
  },
  {
    rule: 'state.plain-data',
    why: 'a date in the state',
    change: tools => ({
      ...tools,
      state: async () => ({ ...(await tools.state()), own: { mine: new Date(0) } }),
    }),
  },
  {
    rule: 'close.twice-and-then-no-call',
    why: 'calls after close',
    change: tools => ({ ...tools, close: async () => {} }),
  },
]

it.each(broken)('$rule fails for $why', async ({ rule, change }) => {
  const row = toolsetContractRows(opened('atomic', change)).find(({ name }) => name === rule)
  await expect(row?.run()).rejects.toBeInstanceOf(Error)
})
