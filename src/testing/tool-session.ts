// A workspace with files and one toolset, for tests that call tools as a host does.

import { memory } from '../backends/memory/index.ts'
import type { CallContext, ToolResult, Toolset } from '../core/tool.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName, ToolsetOptions } from '../workspace/toolsets.ts'
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts'

export interface ToolSession {
  readonly workspace: Workspace
  readonly fs: Vfs
  readonly tools: Toolset
  call(name: string, args: unknown, context?: CallContext): Promise<ToolResult>
  /** The text of the result; throws when it is an error. */
  text(name: string, args: unknown): Promise<string>
  /** The text of the result; throws when it is not an error. */
  failure(name: string, args: unknown): Promise<{ readonly text: string; readonly code: unknown }>
  /** The file's bytes as UTF-8, relative to the root. */
  file(path: string): Promise<string>
}

export interface ToolSessionOptions extends Partial<Omit<WorkspaceOptions, 'fs'>> {
  /** Default `atomic`. */
  readonly name?: ToolsetName
  readonly toolset?: ToolsetOptions
}

export async function openToolSession(
  files: Readonly<Record<string, string | Uint8Array | null>>,
  options: ToolSessionOptions = {},
): Promise<ToolSession> {
  const { name: toolsetName = 'atomic', toolset: toolsetOptions, ...workspaceOptions } = options
  const workspace = await createWorkspace({ shell: 'none', ...workspaceOptions, fs: memory(files) })
  const tools = await workspace.toolset(toolsetName, toolsetOptions)
  const call = (name: string, args: unknown, context?: CallContext): Promise<ToolResult> => tools.call(name, args, context)
  return {
    workspace,
    fs: workspace.fs,
    tools,
    call,
    async text(name, args) {
      const result = await call(name, args)
      if (result.isError) throw new Error(`${name} failed: ${textOf(result)}`)
      return textOf(result)
    },
    async failure(name, args) {
      const result = await call(name, args)
      if (!result.isError) throw new Error(`${name} did not fail: ${textOf(result)}`)
      const error = result.details['error']
      return {
        text: textOf(result),
        code: typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined,
      }
    },
    async file(path) {
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await workspace.fs.readFile(`${workspace.root}/${path}`))
    },
  }
}

/** The result object of a call that succeeded. */
export async function objectOf(session: ToolSession, name: string, args: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { isError, structuredContent, ...result } = await session.call(name, args)
  if (isError || structuredContent === undefined) throw new Error(`${name} gave no object: ${textOf({ isError, ...result })}`)
  return structuredContent
}

/** The file is gone between the look at it and the reading of it. For filesystems that have the fast path. */
export function vanishWhenRead(session: ToolSession, path: string): void {
  const { sync } = session.fs
  if (sync === undefined) throw new Error('this filesystem has no fast path')
  const read = sync.read.bind(sync)
  Object.assign(sync, {
    read: (asked: Parameters<typeof read>[0], range?: Parameters<typeof read>[1]) => {
      if (asked === path) sync.remove(asked, 'file')
      return read(asked, range)
    },
  })
}

export function textOf(result: ToolResult): string {
  return result.content.map(block => (block.type === 'text' ? block.text : `[image ${block.mimeType}]`)).join('\n')
}

/** The tag in the first `[path#TAG]` line of a text. */
export function tagIn(text: string): string {
  const tag = /^\[[^\]\n]+#([0-9A-F]{4})\]$/m.exec(text)?.[1]
  if (tag === undefined) throw new Error(`no tag in: ${text}`)
  return tag
}
