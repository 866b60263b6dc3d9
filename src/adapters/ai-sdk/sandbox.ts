// A workspace as the AI SDK's sandbox: every tool and harness of the SDK that takes an `experimental_sandbox` then works on its files.

import { checkWorkspace } from '../../core/adapted-call.ts'
import { checkOptions } from '../../core/argument.ts'
import { AnchorageError } from '../../core/errors.ts'
import type { Actor } from '../../core/actor.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { openCommands, type SandboxCommands } from '../../workspace/sandbox-commands.ts'

export type { SandboxCommandOptions, SandboxCommands, SandboxProcess } from '../../workspace/sandbox-commands.ts'

/** A path, absolute or relative to the workspace's root. */
export interface SandboxPathOptions {
  readonly path: string
  readonly abortSignal?: AbortSignal | undefined
}

/** Options of `sandbox`. */
export interface SandboxOptions {
  /** The text that the SDK adds to an agent's instructions. Default: the root, and a description of the shell. */
  readonly description?: string | undefined
  /** Who changes files through it; default an agent. */
  readonly actor?: Actor | undefined
}

/** What the AI SDK calls `Experimental_SandboxSession`. */
export interface AiSdkSandbox {
  readonly description: string
  readFile(options: SandboxPathOptions): Promise<ReadableStream<Uint8Array> | null>
  readBinaryFile(options: SandboxPathOptions): Promise<Uint8Array | null>
  readTextFile(
    options: SandboxPathOptions & { readonly encoding?: string; readonly startLine?: number; readonly endLine?: number },
  ): Promise<string | null>
  writeFile(options: SandboxPathOptions & { readonly content: ReadableStream<Uint8Array> }): Promise<void>
  writeBinaryFile(options: SandboxPathOptions & { readonly content: Uint8Array }): Promise<void>
  writeTextFile(options: SandboxPathOptions & { readonly content: string; readonly encoding?: string }): Promise<void>
  stat(options: SandboxPathOptions): Promise<{ type: 'file' | 'directory' | 'other'; size: number } | null>
  listDirectory(options: SandboxPathOptions): Promise<{ name: string; type: 'file' | 'directory' | 'symlink' | 'other' }[] | null>
  deleteFile(options: SandboxPathOptions): Promise<boolean>
  readonly run: SandboxCommands['run']
  readonly spawn: SandboxCommands['spawn']
}

/**
 * The workspace as `Experimental_SandboxSession`, for `generateText({ experimental_sandbox })`.
 *
 * Commands go through the `bash` tool, so the workspace's policy applies to them. Files are the host's own
 * `workspace.as(actor).fs`, to which no policy applies: pass a sandbox only to code that may access all files. A running process
 * of `spawn` has both streams in `stdout`, in the order they were written, and no standard input. Missing files are `null`; every
 * other failure rejects.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { sandbox } from 'anchorage/adapters/ai-sdk'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\n' }) })
 * const { stdout } = await sandbox(workspace).run({ command: 'cat a.txt' })
 * console.log(stdout)
 */
export function sandbox(workspace: Workspace, options: SandboxOptions = {}): AiSdkSandbox {
  checkWorkspace('sandbox', workspace)
  checkOptions('sandbox', options, { description: 1, actor: 1 })
  const { description, actor = { kind: 'agent' } } = options
  const { fs } = workspace.as(actor)
  const commands = openCommands(workspace, actor)
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${workspace.root.replace(/\/$/, '')}/${path}`)

  const readBytes = async ({ path, abortSignal }: SandboxPathOptions): Promise<Uint8Array | null> => {
    abortSignal?.throwIfAborted()
    return await nullWhenMissing(() => fs.readFile(absolute(path)))
  }
  const write = async (path: string, content: Uint8Array | string): Promise<void> => {
    const target = absolute(path)
    await fs.mkdir(target.slice(0, target.lastIndexOf('/')) || '/', { recursive: true })
    await fs.writeFile(target, content)
  }
  return {
    description:
      description ??
      `Files and a shell in ${workspace.root}. Relative paths start there; every command starts there, and only files last from one to the next.`,
    async readFile(options) {
      const bytes = await readBytes(options)
      return bytes === null ? null : streamOf(bytes)
    },
    readBinaryFile: readBytes,
    async readTextFile({ encoding = 'utf-8', startLine, endLine, ...options }) {
      const bytes = await readBytes(options)
      if (bytes === null) return null
      const text = new TextDecoder(encoding).decode(bytes)
      return startLine === undefined && endLine === undefined ? text : linesOf(text, startLine ?? 1, endLine ?? Infinity)
    },
    async writeFile({ path, content, abortSignal }) {
      const bytes = new Uint8Array(await new Response(content).arrayBuffer())
      abortSignal?.throwIfAborted()
      await write(path, bytes)
    },
    async writeBinaryFile({ path, content, abortSignal }) {
      abortSignal?.throwIfAborted()
      await write(path, content)
    },
    async writeTextFile({ path, content, encoding = 'utf-8', abortSignal }) {
      abortSignal?.throwIfAborted()
      if (!/^utf-?8$/i.test(encoding)) {
        throw new AnchorageError(
          'sandbox-encoding',
          `Text is written as UTF-8, not as ${encoding}. Next: encode it and use writeBinaryFile.`,
        )
      }
      await write(path, content)
    },
    async stat({ path, abortSignal }) {
      abortSignal?.throwIfAborted()
      const found = await nullWhenMissing(() => fs.stat(absolute(path)))
      return found === null ? null : { type: found.kind === 'symlink' ? 'other' : found.kind, size: found.sizeBytes }
    },
    async listDirectory({ path, abortSignal }) {
      abortSignal?.throwIfAborted()
      const entries = await nullWhenMissing(() => fs.readdir(absolute(path)))
      return entries?.map(({ name, kind }) => ({ name, type: kind })) ?? null
    },
    async deleteFile({ path, abortSignal }) {
      abortSignal?.throwIfAborted()
      return (await nullWhenMissing(() => fs.rm(absolute(path)))) === null ? false : true
    },
    run: commands.run,
    spawn: commands.spawn,
  }
}

async function nullWhenMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isVfsError(error, 'ENOENT')) return null
    throw error
  }
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
}

/** Line numbers are 1-based and inclusive; lines keep their newlines. */
function linesOf(text: string, firstLine: number, lastLine: number): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  return lines.slice(Math.max(0, firstLine - 1), lastLine).join('')
}
