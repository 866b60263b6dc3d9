import { ToolError } from '../../../core/errors.ts'
import { lstatIfThere } from '../../../session/if-there.ts'
import { joinPath, pathProblem } from '../../../core/path.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { writeWhole } from '../../../session/write-whole.ts'
import { redirected } from '../scratchpad/redirect.ts'
import type { AgshState } from '../state.ts'

interface WriteArguments {
  readonly path: string
  readonly content: string
  readonly scratchpad?: string | undefined
}

export function runWriteFile(args: WriteArguments, call: ToolCall, state: AgshState): Promise<ToolOutcome> {
  return redirected(state.scratchpad, 'write_file', args.scratchpad, () => writeFile(args, call, state))
}

async function writeFile(
  { path, content }: WriteArguments,
  { session, signal }: ToolCall,
  state: AgshState,
): Promise<ToolOutcome> {
  await refuseSymlink(session, path)
  const { file, bytes, stat } = await writeWhole(session, path, content, signal)
  // Whoever wrote it knows what it holds.
  state.ledger.note(file.path, stat?.rev ?? 0, content)
  return {
    content: textContent(`Successfully wrote ${bytes.length} bytes to '${file.display}'`),
    details: { path: file.display, sizeBytes: bytes.length, created: file.stat === undefined },
  }
}

/** Writing through a link would replace another file than the one that was named. */
async function refuseSymlink(session: Session, path: string): Promise<void> {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  if (name === '' || name === '.' || name === '..' || pathProblem(path) !== undefined) return
  const parent = await session.paths.resolve(slash === -1 ? '.' : path.slice(0, slash + 1))
  if ((await lstatIfThere(session.vfs, joinPath(parent.path, name)))?.kind !== 'symlink') return
  throw new ToolError('symlink', `failed to write '${path}': it is a symbolic link. Nothing was written.`, {
    nextStep: 'Name the file that it points at.',
    details: { path },
  })
}
