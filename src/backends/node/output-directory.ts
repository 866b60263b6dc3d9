// Outputs of sessions in a directory for temporary files, for those that memory has no room for. Node's modules are asked for when they are
// needed and never imported: the file is reached from the workspace, which is bundled for pages too.

import { AnchorageError } from '../../core/errors.ts'
import type { OutputStorage } from '../../core/output-storage.ts'

const prefix = 'anchorage-outputs-'

/**
 * Opens a place for one session, readable for its user only. What processes that are gone left behind is cleared away. Rejects with
 * `AnchorageError` `outputs-unavailable`.
 */
export async function openOutputDirectory(parent?: string): Promise<OutputStorage> {
  try {
    const [files, os, path] = nodeModules()
    const base = parent ?? os.tmpdir()
    await removeLeftovers(base)
    // mkdtemp gives mode 700 and a name that nobody can guess.
    const directory = await files.mkdtemp(path.join(base, `${prefix}${process.pid}-`))
    const fileOf = (outputId: number, chunkIndex: number): string => path.join(directory, `${outputId}-${chunkIndex}`)
    return {
      put: (outputId, chunkIndex, bytes) => files.writeFile(fileOf(outputId, chunkIndex), bytes, { mode: 0o600 }),
      get: async (outputId, chunkIndex) => {
        try {
          return await files.readFile(fileOf(outputId, chunkIndex))
        } catch (error) {
          // A cleaner of temporary files may have been here.
          if (codeOf(error) === 'ENOENT') return undefined
          throw error
        }
      },
      remove: async (outputId, chunkCount) => {
        for (let index = 0; index < chunkCount; index++) await files.rm(fileOf(outputId, index), { force: true })
      },
      close: () => files.rm(directory, { recursive: true, force: true }),
    }
  } catch (cause) {
    throw new AnchorageError('outputs-unavailable', 'No directory could be made for long outputs.', { cause })
  }
}

async function removeLeftovers(base: string): Promise<void> {
  const [files, , path] = nodeModules()
  for (const name of await files.readdir(base)) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : []
    if (pid !== undefined && !isAlive(Number(pid))) await files.rm(path.join(base, name), { recursive: true, force: true })
  }
}

/** In doubt it is: its files then wait for another time. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

type NodeModules = readonly [
  files: typeof import('node:fs/promises'),
  os: typeof import('node:os'),
  path: typeof import('node:path'),
]

function nodeModules(): NodeModules {
  return [
    process.getBuiltinModule('node:fs/promises'),
    process.getBuiltinModule('node:os'),
    process.getBuiltinModule('node:path'),
  ]
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
