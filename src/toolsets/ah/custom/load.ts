// Finds custom tools when a toolset opens. Files of the workspace are untrusted: each is read within limits, nothing of it is run here, and
// an invalid file only adds a warning.

import { ToolError } from '../../../core/errors.ts'
import { joinPath, parsePath } from '../../../core/path.ts'
import { decodeUtf8 } from '../../../core/text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { AnyTool } from '../../../session/tool.ts'
import { readDefinition } from './definition-file.ts'
import { customTool } from './tool.ts'

/** Relative to the root. A tool of a later directory replaces the tool of the same name in an earlier one. */
const directories = ['tools', '.ah/tools']
const maxFiles = 200
const maxFileBytes = 256 * 1024

export interface CustomTools {
  readonly tools: ReadonlyMap<string, AnyTool>
  readonly warnings: readonly string[]
}

export async function loadCustomTools(session: Session, builtIn: readonly string[]): Promise<CustomTools> {
  const tools = new Map<string, AnyTool>()
  const warnings: string[] = []
  for (const directory of directories) {
    for (const display of await definitionFiles(session, directory, warnings)) {
      const loaded = await loadOne(session, display)
      if (loaded.kind === 'skipped') {
        warnings.push(`${display} was skipped: ${loaded.reason}.`)
        continue
      }
      warnings.push(...loaded.warnings.map(warning => `${display}: ${warning}.`))
      if (builtIn.includes(loaded.tool.name)) {
        // A rule that allows a built-in tool must not allow a script of the workspace.
        if (session.policy.rules.rules.length > 0) {
          warnings.push(`${display} was skipped: where the policy has rules, no custom tool may be named like a built-in one.`)
          continue
        }
        warnings.push(`${display} replaces the built-in tool ${loaded.tool.name}.`)
      }
      tools.set(loaded.tool.name, loaded.tool)
    }
  }
  return { tools, warnings }
}

async function definitionFiles(session: Session, directory: string, warnings: string[]): Promise<readonly string[]> {
  const found = await resolved(session, directory)
  if (found?.stat?.kind !== 'directory') return []
  const names = (await session.vfs.readdir(found.path)).filter(({ name, kind }) => name.endsWith('.json') && kind !== 'directory')
  if (names.length > maxFiles) warnings.push(`${directory} holds ${names.length} definitions; the first ${maxFiles} were loaded.`)
  return names.slice(0, maxFiles).map(({ name }) => `${directory}/${name}`)
}

type Loaded =
  | { readonly kind: 'tool'; readonly tool: AnyTool; readonly warnings: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string }

async function loadOne(session: Session, display: string): Promise<Loaded> {
  const file = await resolved(session, display)
  if (file?.stat?.kind !== 'file') return skipped('it is not a file inside the workspace')
  if (file.stat.sizeBytes > maxFileBytes) return skipped(`it is larger than ${maxFileBytes} bytes`)
  const decoded = decodeUtf8(await session.vfs.readFile(file.path))
  if (decoded.kind === 'binary') return skipped('it is not text')
  const read = readDefinition(decoded.text)
  if (read.kind === 'invalid') return skipped(read.reason)
  const { execute } = read.definition
  const directory = parsePath(display.slice(0, display.lastIndexOf('/')), session.root)
  const script = await resolved(session, execute.startsWith('/') ? execute : joinPath(directory, execute))
  if (script?.stat?.kind !== 'file') return skipped(`its script ${JSON.stringify(execute)} is not a file inside the workspace`)
  return { kind: 'tool', tool: customTool(read.definition, script.path), warnings: read.warnings }
}

function skipped(reason: string): Loaded {
  return { kind: 'skipped', reason }
}

/** `undefined` for a path that does not exist or is not allowed. */
async function resolved(session: Session, path: string): Promise<ResolvedPath | undefined> {
  try {
    return await session.paths.resolve(path)
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}
