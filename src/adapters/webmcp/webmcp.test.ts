import { registerWebMcp, type WebMcpTool } from 'anchorage/adapters/webmcp'
import { describe, expect, it } from 'vitest'
import { openToolSession } from '../../testing/tool-session.ts'

/** Like WebMCP's explainer: a tool exists until its signal aborts. */
class ModelContextStandIn {
  readonly tools = new Map<string, WebMcpTool>()

  registerTool(tool: WebMcpTool, { signal }: { readonly signal?: AbortSignal } = {}): void {
    if (this.tools.has(tool.name)) throw new Error(`${tool.name} is there already`)
    this.tools.set(tool.name, tool)
    signal?.addEventListener('abort', () => this.tools.delete(tool.name))
  }
}

describe('WebMCP', () => {
  it('offers every tool, answers calls, and takes the tools back', async () => {
    const { tools } = await openToolSession({ 'a.txt': 'hello\n' })
    const document = { modelContext: new ModelContextStandIn() }
    const controller = new AbortController()
    expect(await registerWebMcp(document, tools, { signal: controller.signal })).toBe(true)
    expect([...document.modelContext.tools.keys()]).toEqual(tools.tools.map(({ name }) => name))
    const read = document.modelContext.tools.get('read')
    expect(read?.annotations).toMatchObject({ readOnlyHint: true, untrustedContentHint: true })
    expect(await read?.execute({ path: 'a.txt' })).toMatchObject({
      isError: false,
      content: [{ text: expect.stringContaining('hello') }],
    })
    expect(await read?.execute({ path: 'b.txt' })).toMatchObject({ isError: true })
    controller.abort()
    expect(document.modelContext.tools.size).toBe(0)
  })

  it('offers none of the tools where the page has one of them already', async () => {
    const { tools } = await openToolSession({})
    const modelContext = new ModelContextStandIn()
    const own = { name: 'edit', execute: () => Promise.resolve({}) } as unknown as WebMcpTool
    modelContext.registerTool(own)
    await expect(registerWebMcp({ modelContext }, tools)).rejects.toThrow('edit is there already')
    expect([...modelContext.tools.values()]).toEqual([own])
  })

  it.each([[undefined], [{}], [{ modelContext: null }], [{ modelContext: {} }]])('does nothing in %o', async document => {
    const { tools } = await openToolSession({})
    expect(await registerWebMcp(document, tools)).toBe(false)
  })
})
