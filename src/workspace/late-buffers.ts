// The open editors of a workspace. Most workspaces have none, so the code is loaded with the first one.

import type { WorkspaceBuffers } from '../buffers/buffer.ts'
import type { ToolResult } from '../core/tool.ts'
import type { ShellAccess } from '../session/workspace-scope.ts'
import type { Shell } from '../shell/shell.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import type { BufferAccess } from './buffer-access.ts'

export class LateBuffers {
  readonly api: WorkspaceBuffers
  #access: BufferAccess | undefined

  /** `check` throws when the workspace can open no file any more. */
  constructor(load: () => Promise<BufferAccess>, check: () => void = () => {}) {
    let loading: Promise<BufferAccess> | undefined
    const open = async (): Promise<WorkspaceBuffers> => {
      check()
      this.#access = await (loading ??= load())
      return this.#access.api
    }
    this.api = {
      open: async (path, options) => (await open()).open(path, options),
      connect: async (path, options, listener) => (await open()).connect(path, options, listener),
      list: async () => (await this.#access?.api.list()) ?? [],
      saveAll: async () => this.#access?.api.saveAll(),
    }
  }

  /** `backend` as the tools of one call see it. */
  view(backend: VfsBackend, origin: string): VfsBackend {
    return this.#access?.view(backend, origin) ?? backend
  }

  annotate(result: ToolResult): ToolResult {
    return this.#access?.annotate(result) ?? result
  }

  shellAccess(access: ShellAccess): ShellAccess {
    if (access.kind === 'none') return access
    return {
      ...access,
      open: async () => {
        const shell = await access.open()
        const openSession = shell.openSession?.bind(shell)
        return {
          ...(this.#access?.shell(shell) ?? commandsOf(shell)),
          // An editor may be opened after the session.
          ...(openSession && {
            openSession: (id, options) => openSession(id, { ...options, before: () => this.#access?.beforeLine() }),
          }),
        }
      },
    }
  }

  /** Throws `ToolError` `unsaved-files` if a command must not run. */
  async beforeCommand(origin: string): Promise<void> {
    await this.#access?.beforeCommand(origin)
  }

  close(): void {
    this.#access?.close()
  }
}

/** The methods of a host's shell may be on its prototype, so they cannot be spread. */
function commandsOf(shell: Shell): Shell {
  return {
    capabilities: shell.capabilities,
    start: (command, options) => shell.start(command, options),
    dispose: () => shell.dispose(),
  }
}
