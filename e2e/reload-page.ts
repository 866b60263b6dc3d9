// What the page of e2e/reload.spec.ts can do: talk to a toolset in a worker, and keep its state where it outlives the page.

import { connectWorkspace } from 'anchorage/client'
import { opfs } from 'anchorage/fs/opfs'

type Workspace = Awaited<ReturnType<typeof connectWorkspace>>
type Toolset = Awaited<ReturnType<Workspace['toolset']>>
type ToolsetName = Parameters<Workspace['toolset']>[0]

let workspace: Workspace | undefined
let tools: Toolset | undefined

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('open comes first')
  return value
}

const conversation = {
  /** Goes on with what was kept, where there is something. */
  async open(name: ToolsetName, outputs: 'auto' | 'memory'): Promise<void> {
    workspace = await connectWorkspace(new Worker('/worker.js', { type: 'module' }), { fs: opfs({ name: 'reload' }), outputs })
    const kept = localStorage.getItem('state')
    tools = await workspace.toolset(name, kept === null ? {} : { state: JSON.parse(kept) })
  },
  async call(name: string, args: object): Promise<string> {
    const { content } = await opened(tools).call(name, args)
    return content.map(block => (block.type === 'text' ? block.text : block.mimeType)).join('\n')
  },
  /** As a person does, past the tools. */
  async write(path: string, text: string): Promise<void> {
    await opened(workspace).fs.writeFile(path, text)
  },
  read: (path: string): Promise<string> => opened(workspace).fs.readText(path),
  async keep(): Promise<void> {
    localStorage.setItem('state', JSON.stringify(await opened(tools).state()))
  },
  forget: (): Promise<void> => opened(tools).close({ forget: true }),
  async databases(): Promise<readonly string[]> {
    return (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith('anchorage-outputs-') === true ? [name] : []))
  },
}

export type Conversation = typeof conversation

Object.assign(globalThis, { conversation })
