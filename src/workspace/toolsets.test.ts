// Everything that lists toolsets is derived from their manifests. A toolset that exists only in this test shows that one manifest and one
// line in the list are enough.

import { existsSync, readdirSync } from 'node:fs'

import { object, optional, picklist, string } from 'valibot'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { busyTimeMs } from '../core/busy-time.ts'
import { argumentSchema } from '../core/schema.ts'
import { defineTool, textContent } from '../session/tool.ts'
import type { ToolsetManifest } from '../session/toolset-manifest.ts'
import { openToolSession, textOf } from '../testing/tool-session.ts'
import { toolsets, type ToolsetName } from './toolsets.ts'

const toolsetsFolder = new URL('../toolsets/', import.meta.url)

it('each folder has one manifest, and each manifest is in the list', () => {
  const folders = readdirSync(toolsetsFolder).filter(name => existsSync(new URL(`${name}/manifest.ts`, toolsetsFolder)))
  expect(readdirSync(toolsetsFolder)).toEqual(folders)
  expect(toolsets.map(({ name }) => name)).toEqual(folders)
  expect(folders.filter(name => !existsSync(new URL(`${name}/index.ts`, toolsetsFolder)))).toEqual([])
})

describe.each(toolsets)('$name', ({ name, summary, tools, options }) => {
  it('is described by its manifest', async () => {
    const session = await openToolSession({}, { name, shell: 'just-bash' })
    expect(session.tools.tools.map(tool => tool.name)).toEqual(tools)
    expect(summary).toMatch(/^[A-Z].*\.$/)
    for (const { about } of Object.values(options)) expect(about).toMatch(/^[A-Z].*\.$/)
  })

  it('refuses an option that it does not have', async () => {
    const toolset = { unheardOf: true }
    await expect(openToolSession({}, { name, toolset })).rejects.toMatchObject({
      code: 'toolset-options',
      message: expect.stringContaining(`Unknown option "unheardOf" of the toolset ${name}. Options: overwrite, only,`),
    })
  })

  it.each([[{ only: 'read' }], [{ rename: ['read'] }], [{ limits: 3 }]])('refuses %j', async toolset => {
    const opened = openToolSession({}, { name, toolset: toolset as object })
    await expect(opened).rejects.toMatchObject({ code: 'toolset-options' })
  })
})

const customTool = JSON.stringify({ name: 'slow', description: 'Slow.', execute: 'slow.sh', timeout: 900_000 })
const busyRows: readonly [ToolsetName, tool: string, args: object, expectedMs: number][] = [
  ['atomic', 'read', { path: 'a' }, 30_000],
  ['atomic', 'bash', {}, 300_000],
  ['atomic', 'bash', { timeout: 600 }, 600_000],
  ['atomic', 'bash', { timeout: '90' }, 90_000],
  ['atomic', 'bash', { timeout: 1e9 }, 3_600_000],
  ['atomic', 'find', { timeout: 60 }, 60_000],
  ['ah', 'bash', {}, 120_000],
  ['ah', 'bash', { timeout: 600 }, 30_000],
  ['ah', 'bash', { timeout: 600_000 }, 600_000],
  ['ah', 'slow', {}, 900_000],
  ['ah', 'slow', { timeout: 5 }, 900_000],
  ['ecs', 'bash', {}, 30_000],
  ['ecs', 'bash', { timeout: 600 }, 600_000],
  ['rye', 'grep', {}, 30_000],
  ['agsh', 'edit_file', {}, 30_000],
]

it.each(busyRows)('%s %s %j may keep its thread for %i ms', async (name, tool, args, expectedMs) => {
  const files = { 'tools/slow.json': customTool, 'tools/slow.sh': 'sleep 1\n' }
  const { tools } = await openToolSession(files, { name, shell: 'just-bash' })
  const found = tools.tools.find(each => each.name === tool)
  expect(found && busyTimeMs(found.busy, args)).toBe(expectedMs)
})

it.each([
  ['atomic', 'bash', { bashTimeoutMs: 20_000, bashMaxTimeoutMs: 90_000 }, 'Seconds, 1 to 90 (default 20)'],
  ['atomic', 'find', { findTimeoutMs: 2_000 }, 'Seconds, 0.5 to 60 (default 2)'],
  ['atomic', 'find', { findMaxResults: 7 }, 'Most results, 1 to 7 (default)'],
] as const)('%s %s quotes the limits in force: %j', async (name, tool, limits, told) => {
  const { tools } = await openToolSession({}, { name, toolset: { limits } })
  expect(JSON.stringify(tools.tools.find(each => each.name === tool)?.inputSchema)).toContain(told)
})

const toy: ToolsetManifest<'toy', { readonly greeting?: 'Hello' | 'Good day' }> = {
  name: 'toy',
  summary: 'Greets.',
  tools: ['greet'],
  resources: [],
  options: { greeting: { about: 'The first word.', schema: picklist(['Hello', 'Good day']) } },
  load: async () => ({
    createTools: (_session, { greeting = 'Hello' }) => ({
      tools: [
        defineTool({
          name: 'greet',
          describe: () => 'Greet someone.',
          input: argumentSchema(object({ name: optional(string()) })),
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
          executionMode: 'parallel',
          run: async ({ name = 'you' }) => ({ content: textContent(`${greeting}, ${name}`), details: {} }),
        }),
      ],
      examples: { greet: [{ title: 'Greet', files: {}, arguments: {}, expect: { text: 'Hello, you' } }] },
    }),
  }),
}

describe('a new toolset', () => {
  beforeEach(() => {
    vi.resetModules()
    vi.doMock(import('./toolset-manifests.ts'), async original => ({ ...(await original()), toy }))
    return () => vi.doUnmock('./toolset-manifests.ts')
  })

  it('is listed, opened, described and checked like the others', async () => {
    const { openToolSession: open } = await import('../testing/tool-session.ts')
    const { toolsets: all } = await import('./toolsets.ts')
    expect(all.map(each => String(each.name))).toContain('toy')
    const name = 'toy' as ToolsetName
    const session = await open({}, { name, toolset: { greeting: 'Good day', rename: { greet: 'hi' } } as object })
    expect(session.tools.tools).toMatchObject([{ name: 'hi', description: 'Greet someone.', examples: [{ title: 'Greet' }] }])
    expect(textOf(await session.call('hi', { name: 'Ada' }))).toBe('Good day, Ada')
    await expect(open({}, { name, toolset: { greeting: 'Hey' } as object })).rejects.toMatchObject({ code: 'toolset-options' })
  })
})
