// Tests with the browser's own WebMCP, which is experimental in both browsers, and with tools in a real worker.

import { registerWebMcp } from 'anchorage/adapters/webmcp'
import { afterEach, expect, test } from 'vitest'
import { memory } from '../../backends/memory/index.ts'
import { connectWorkspace } from '../../worker/client.ts'
import type { Toolset } from '../../core/tool.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { patient } from '../../testing/patient.ts'

interface Offered {
  readonly name: string
}

/** The functions of a page's own agent; Chromium has `executeTool`, and Firefox `invokeTool`. */
interface BrowserContext {
  getTools(): Promise<readonly Offered[]>
  registerTool(tool: object, options?: object): Promise<unknown> | undefined
  executeTool?(tool: Offered, input: object, options?: { readonly signal: AbortSignal }): Promise<string>
  invokeTool?(name: string, input: object): Promise<unknown>
}

const isFirefox = navigator.userAgent.includes('Gecko/')
/** Tests run in a frame. Firefox has WebMCP only in the top window. */
const page = (isFirefox ? window.top : window)?.document ?? document
const context = Reflect.get(isFirefox ? (page.defaultView?.navigator ?? {}) : page, 'modelContext') as BrowserContext

const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=='
const files = { 'a.txt': 'hello\n', 'picture.png': Uint8Array.from(atob(pngBase64), character => character.charCodeAt(0)) }

const offers: { readonly controller: AbortController; readonly workspace: Workspace }[] = []

const start = (): Worker => new Worker(new URL('../../worker/entry.ts', import.meta.url), { type: 'module' })

async function offer(toolset: 'atomic' | 'agsh' = 'atomic'): Promise<(typeof offers)[number] & { readonly tools: Toolset }> {
  const workspace = await connectWorkspace(start, { ...patient, fs: memory(files) })
  const opened = { controller: new AbortController(), workspace, tools: await workspace.toolset(toolset) }
  offers.push(opened)
  expect(await registerWebMcp(page, opened.tools, { signal: opened.controller.signal })).toBe(true)
  return opened
}

const names = async (): Promise<readonly string[]> => (await context.getTools()).map(({ name }) => name).toSorted()

async function ask(name: string, input: object, signal?: AbortSignal): Promise<unknown> {
  const tool = (await context.getTools()).find(each => each.name === name)
  if (tool === undefined) throw new Error(`${name} is not offered`)
  if (context.executeTool === undefined) return await context.invokeTool?.(name, input)
  const text = await (signal === undefined ? context.executeTool(tool, input) : context.executeTool(tool, input, { signal }))
  return JSON.parse(text)
}

afterEach(async () => {
  for (const { controller, workspace } of offers.splice(0)) {
    controller.abort()
    await workspace.dispose()
  }
})

test('an agent of the browser reads, edits and runs, and is told of errors', async () => {
  const { tools, workspace } = await offer()
  expect(await names()).toEqual(tools.tools.map(({ name }) => name).toSorted())
  const read = await ask('read', { path: 'a.txt' })
  const [header] = /\[a\.txt#[0-9A-F]{4}\]/.exec(JSON.stringify(read)) ?? []
  expect(await ask('edit', { input: `${header}\nreplace 1..1:\n+HELLO` })).toMatchObject({ isError: false })
  expect(await workspace.fs.readText('/workspace/a.txt')).toBe('HELLO\n')
  expect(await ask('bash', { command: 'cat a.txt' })).toMatchObject({ content: [{ text: 'HELLO\n' }] })
  expect(await ask('read', { path: 'missing.txt' })).toMatchObject({ isError: true })
  // Invalid arguments are reported by the toolset, because the browser does not check them.
  expect(JSON.stringify(await ask('read', {}))).toContain('invalid-arguments')
})

test('a frame that may not use it offers nothing', async () => {
  const workspace = await connectWorkspace(start, { ...patient, fs: memory(files) })
  const controller = new AbortController()
  expect(await registerWebMcp(document, await workspace.toolset('atomic'), { signal: controller.signal })).toBe(!isFirefox)
  controller.abort()
  await expect.poll(names).toEqual([])
  await workspace.dispose()
})

test('an image', async () => {
  await offer('agsh')
  expect(JSON.stringify(await ask('read_file', { path: 'picture.png' }))).toContain('"mimeType":"image/png"')
})

test('a command ends when its call is cancelled, or when the tools are taken back', async () => {
  const { controller, workspace } = await offer()
  const cancelling = new AbortController()
  const stuck = ask('bash', { command: 'echo begun > begun; while :; do :; done' }, cancelling.signal).then(
    () => 'answered',
    () => 'rejected',
  )
  await expect.poll(() => workspace.fs.exists('/workspace/begun')).toBe(true)
  // Firefox has no way to cancel one call.
  if (isFirefox) controller.abort()
  else cancelling.abort()
  expect(await stuck).toBe('rejected')
  // The command itself must end, not only the wait for it.
  await workspace.idle()
  controller.abort()
  await expect.poll(names).toEqual([])
})

test('no tool is offered beside one of the same name', async () => {
  const own = { name: 'write', description: 'ours', inputSchema: { type: 'object' }, execute: () => Promise.resolve('ours') }
  const taken = new AbortController()
  await context.registerTool(own, { signal: taken.signal })
  const workspace = await connectWorkspace(
    () => new Worker(new URL('../../worker/entry.ts', import.meta.url), { type: 'module' }),
    { ...patient, fs: memory(files) },
  )
  const offering = registerWebMcp(page, await workspace.toolset('atomic'))
  // In Firefox, the later tool replaces the first one.
  if (isFirefox) expect(await offering).toBe(true)
  else {
    await expect(offering).rejects.toThrow(/duplicate/i)
    await expect.poll(names).toEqual(['write'])
  }
  taken.abort()
  await workspace.dispose()
})
