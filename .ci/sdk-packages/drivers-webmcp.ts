// WebMCP has no SDK: the browser is the other side. Its part is played as the explainer of WebMCP has it.

import { registerWebMcp, type WebMcpTool } from 'anchorage/adapters/webmcp'
import { play, toldOf } from './drivers-mcp.ts'
import type { Driver } from './scenarios.ts'

export const webMcp: Driver = {
  name: 'WebMCP (stand-in)',
  glue: ["import { registerWebMcp } from 'anchorage/adapters/webmcp'", 'await registerWebMcp(document, tools)'],
  hasProgress: false,
  showsImages: true,
  flagsErrors: true,
  abort: 'rejects',
  hasCallIds: false,
  hasStructuredContent: true,
  async run(run) {
    const offered = new Map<string, WebMcpTool>()
    const modelContext = { registerTool: (tool: WebMcpTool) => offered.set(tool.name, tool) }
    if (!(await registerWebMcp({ modelContext }, run.tools, { signal: run.signal, ...run.options })))
      throw new Error('The tools were not registered.')
    return await play(run, async ({ name, args }) => {
      const tool = offered.get(name)
      if (tool === undefined) throw new Error(`${name} is not offered`)
      // What crosses to the agent is data.
      return toldOf(structuredClone(await tool.execute(structuredClone(args))))
    })
  },
}
