// `fs/read_text_file` and `fs/write_text_file`: whole text files below the workspace's root.

import type { Actor } from '../../core/actor.ts'
import { AnchorageError } from '../../core/errors.ts'
import { dirname, parsePath } from '../../core/path.ts'
import { leadsInside } from '../../workspace/leads-inside.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export interface TextFiles {
  /** `line` is 1-based. */
  read(path: string, line: number | undefined, limit: number | undefined): Promise<{ content: string }>
  /** Creates the directories above a new file. */
  write(path: string, content: string): Promise<void>
}

export function openTextFiles(
  workspace: Workspace,
  actor: Actor,
  unsavedText: ((path: string) => Promise<string | undefined> | string | undefined) | undefined,
): TextFiles {
  const { fs } = workspace.as(actor)

  const contained = async (path: string): Promise<string> => {
    if (!path.startsWith('/')) throw refused(path, `it is not absolute, such as ${workspace.root}/${path}`)
    if (!(await leadsInside(fs, workspace.root, path))) throw refused(path, `it is outside ${workspace.root}`)
    return parsePath(path)
  }

  return {
    async read(path, line, limit) {
      const target = await contained(path)
      const unsaved = await unsavedText?.(target)
      const content = unsaved ?? decoded(path, await fs.readFile(target))
      return { content: line === undefined && limit === undefined ? content : linesOf(content, line ?? 1, limit ?? Infinity) }
    },
    async write(path, content) {
      const target = await contained(path)
      await fs.mkdir(dirname(parsePath(target)), { recursive: true })
      await fs.writeFile(target, content)
    },
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused(path, 'it is not UTF-8 text')
  }
}

function refused(path: string, why: string): AnchorageError {
  return new AnchorageError('acp-path', `${path} is refused: ${why}. Next: name a text file below the root of the workspace.`)
}

/** Lines keep their newlines. */
function linesOf(content: string, first: number, count: number): string {
  const lines = content.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const start = Math.max(0, first - 1)
  return lines.slice(start, start + count).join('')
}
