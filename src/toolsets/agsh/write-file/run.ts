import { ToolError } from '../../../core/errors.ts'
import { utf8SizeBytes } from '../../../core/size.ts'
import { replaceText } from '../../../session/change-file.ts'
import { lstatIfThere } from '../../../session/if-there.ts'
import { joinPath, pathProblem } from '../../../core/path.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { agshWords } from '../open.ts'
import { redirected } from '../scratchpad/redirect.ts'
import type { AgshState } from '../state.ts'

interface WriteArguments {
  readonly path: string
  readonly content: string
  readonly scratchpad?: string | undefined
}

export function runWriteFile(args: WriteArguments, call: ToolCall, state: AgshState): Promise<ToolOutcome> {
  return redirected(state.scratchpad, call.session.limits, 'write_file', args.scratchpad, () => writeFile(args, call, state))
}

async function writeFile({ path, content }: WriteArguments, call: ToolCall, state: AgshState): Promise<ToolOutcome> {
  await refuseSymlink(call.session, path)
  return replaceText(
    call,
    path,
    { words: agshWords, freshness: (file, text) => state.ledger.check(file.path, file.stat?.rev, text) },
    ({ file }) => ({
      after: content,
      report(written, { notes }) {
        // The model knows the content that it wrote.
        state.ledger.note(file.path, written?.rev ?? 0, content)
        const allLines = content.split('\n')
        state.shown.show(file.path, allLines, 0, allLines.length)
        const sizeBytes = utf8SizeBytes(content)
        return {
          content: textContent([`Successfully wrote ${sizeBytes} bytes to '${file.display}'`, ...notes].join('\n')),
          details: { path: file.display, sizeBytes, created: file.stat === undefined },
        }
      },
    }),
  )
}

/** Writing through a link would replace a file other than the named one. */
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
