// A workspace with files and one toolset, for tests that call tools as a host does.

import { justBash } from '../backends/just-bash/index.ts'
import { memory } from '../backends/memory/index.ts'
import type { CallContext, ToolResult, Toolset } from '../core/tool.ts'
import { parsePath, type VfsPath } from '../core/path.ts'
import type { VfsBackend, VfsSync } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { ToolsetName, ToolsetOptions } from '../workspace/toolsets.ts'
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts'

export interface ToolSession {
  readonly workspace: Workspace
  readonly fs: Vfs
  readonly tools: Toolset
  readonly between: Between
  call(name: string, args: unknown, context?: CallContext): Promise<ToolResult>
  /** The text of the result; throws if it is an error. */
  text(name: string, args: unknown): Promise<string>
  /** The text of the result; throws if it is not an error. */
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
  const { name: toolsetName = 'atomic', toolset: toolsetOptions, shell = 'none', ...workspaceOptions } = options
  const between: Between = {}
  const workspace = await createWorkspace({
    ...workspaceOptions,
    shell: shell === 'just-bash' ? testShell() : shell,
    fs: interruptible(memory(files), between),
  })
  const tools = await workspace.toolset(toolsetName, toolsetOptions)
  const call = (name: string, args: unknown, context?: CallContext): Promise<ToolResult> => tools.call(name, args, context)
  return {
    workspace,
    fs: workspace.fs,
    between,
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

/**
 * The default shell. In the quick run on Node its scripts run on this thread, because a worker for each session takes 75 ms of processor
 * time. Tests of workers pass `justBash()`.
 */
export function testShell(): NonNullable<WorkspaceOptions['shell']> {
  const isQuick = typeof Worker === 'undefined' && process.env['ANCHORAGE_DEEP'] === undefined
  return isQuick ? justBash({ worker: 'none' }) : 'just-bash'
}

/** The result object of a call that succeeded. */
export async function objectOf(session: ToolSession, name: string, args: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { isError, structuredContent, ...result } = await session.call(name, args)
  if (isError || structuredContent === undefined) throw new Error(`${name} gave no object: ${textOf({ isError, ...result })}`)
  return structuredContent
}

/** The line IDs that rye's `read` prints for a whole file, page by page. */
export async function lineIdsOf(session: ToolSession, path: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let offset: unknown = 1; offset !== undefined;) {
    const page = await objectOf(session, 'read', { file_path: path, offset })
    if (page['output'] !== '')
      ids.push(
        ...String(page['output'])
          .split('\n')
          .map(row => row.slice(5, 11)),
      )
    offset = page['next_offset']
  }
  return ids
}

/** Removes the file between the lookup and the read. */
export function vanishWhenRead(session: ToolSession, path: string): void {
  session.between.read = (sync, asked) => {
    if (asked === path) sync.remove(asked, 'file')
  }
}

/** Another writer changes the file when a commit is about to begin. */
export function writeBeforeCommit(session: ToolSession, path: string, text: string): void {
  session.between.batch = async backend => {
    await backend.write(parsePath(path), new TextEncoder().encode(text))
  }
}

/** Runs just before an operation of the filesystem, whichever code calls it. */
interface Between {
  read?: ((sync: VfsSync, path: VfsPath) => void) | undefined
  batch?: (backend: VfsBackend) => Promise<void>
}

function interruptible(backend: VfsBackend, between: Between): VfsBackend {
  const { sync, batch, as } = backend
  if (sync === undefined || batch === undefined || as === undefined) throw new Error('memory has all of these')
  return {
    ...backend,
    sync: {
      ...sync,
      read(path, range) {
        between.read?.(sync, path)
        return sync.read(path, range)
      },
    },
    async batch(work, options) {
      await between.batch?.(backend)
      return batch.call(backend, work, options) as ReturnType<typeof work>
    },
    as: origin => interruptible(as.call(backend, origin), between),
  }
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
