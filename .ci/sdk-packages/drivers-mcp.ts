// MCP's SDKs, 2.x and 1.x: server and client in one process, over Anchorage's transports.

import { linkedTransports, messagePortTransport, registerTools } from 'anchorage/adapters/mcp'
import { Client } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer } from '@modelcontextprotocol/server'
import type { Driver, Run, ScriptedCall, Told } from './scenarios.ts'

const identity = { name: 'test', version: '1.0.0' }

interface Answer {
  readonly isError?: boolean | undefined
  readonly content?: unknown
  readonly structuredContent?: unknown
}

export function toldOf({ isError = false, content, structuredContent: structured }: Answer): Told {
  const blocks = content as readonly { readonly type: string; readonly text?: string }[]
  return {
    isError,
    text: blocks.map(({ text = '' }) => text).join('\n'),
    images: blocks.filter(({ type }) => type === 'image').length,
    structured,
  }
}

/** Plays the model: calls of one turn go out at once. */
export async function play({ script }: Run, ask: (call: ScriptedCall) => Promise<Told>): Promise<readonly Told[]> {
  const told: Told[] = []
  for (;;) {
    const calls = script(told)
    if (calls.length === 0) return told
    told.push(...(await Promise.all(calls.map(call => ask(call)))))
  }
}

export const mcp2: Driver = {
  name: 'MCP 2 (MessagePort)',
  glue: ["import { registerTools } from 'anchorage/adapters/mcp'", 'registerTools(server, tools)'],
  hasProgress: true,
  showsImages: true,
  flagsErrors: true,
  abort: 'rejects',
  hasCallIds: true,
  hasStructuredContent: true,
  async run(run) {
    const server = new McpServer(identity)
    registerTools(server, run.tools, run.options)
    const client = new Client(identity)
    const { port1, port2 } = new MessageChannel()
    await Promise.all([server.connect(messagePortTransport(port1)), client.connect(messagePortTransport(port2))])
    try {
      const { tools } = await client.listTools()
      for (const { name, description, inputSchema, annotations } of run.tools.tools) {
        const listed = tools.find(tool => tool.name === name)
        if (JSON.stringify(listed?.annotations) !== JSON.stringify(annotations)) throw new Error(`${name}: other annotations`)
        if (listed?.description !== description) throw new Error(`${name}: another description`)
        const { $schema: _dialect, ...schema } = listed.inputSchema
        if (JSON.stringify(sorted(schema)) !== JSON.stringify(sorted(inputSchema))) throw new Error(`${name}: another schema`)
      }
      return await play(run, async ({ name, args }) => {
        const options = {
          signal: run.signal,
          onprogress: ({ message = '' }: { message?: string | undefined }) => run.onProgress(message),
        }
        return toldOf(await client.callTool({ name, arguments: args }, options))
      })
    } finally {
      await client.close()
    }
  },
}

export const mcp1: Driver = {
  ...mcp2,
  name: 'MCP 1 (linked)',
  async run(run) {
    const server = new McpServer1(identity)
    registerTools(server, run.tools, run.options)
    const client = new Client1(identity)
    const [forServer, forClient] = linkedTransports()
    await Promise.all([server.connect(forServer), client.connect(forClient)])
    try {
      const { tools } = await client.listTools()
      for (const { name, inputSchema } of run.tools.tools) {
        const listed = tools.find(tool => tool.name === name)
        if (listed === undefined) throw new Error(`${name} is not listed`)
        const { $schema: _dialect, ...schema } = listed.inputSchema
        if (JSON.stringify(sorted(schema)) !== JSON.stringify(sorted(inputSchema))) throw new Error(`${name}: another schema`)
      }
      return await play(run, async ({ name, args }) => {
        const options = {
          signal: run.signal,
          onprogress: ({ message = '' }: { message?: string | undefined }) => run.onProgress(message),
        }
        return toldOf((await client.callTool({ name, arguments: args }, undefined, options)) as Answer)
      })
    } finally {
      await client.close()
    }
  },
}

/** The same whatever the order of its keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => sorted(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
