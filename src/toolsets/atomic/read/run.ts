// Finds what a path names, then calls the matching reader: an exact file name first, so that a file called `a:3` can be read.

import { ToolError } from '../../../core/errors.ts'
import { documentOf } from '../../../core/text.ts'
import { isConflictAddress, parseConflictAddress } from '../../../resources/conflict/address.ts'
import { mayNameResource } from '../../../resources/kinds.ts'
import { loadText, missingFile } from '../../../session/load-text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { parseSelector, selectorCandidates, type PathSelector } from '../../../text/hashline/selector.ts'
import { readDetails, refusedMark, renderSelection } from './render-selection.ts'

export async function runRead(args: { path: string }, call: ToolCall): Promise<ToolOutcome> {
  const { session, signal } = call
  if (isStoredOutput(args.path, session)) return (await import('./stored-output.ts')).readStoredOutput(session, args.path)
  if (isConflictAddress(args.path)) return readConflictAddress(args.path, session, signal)
  if (mayNameResource(session.kinds, args.path)) return (await import('./resource.ts')).readAddress(args.path, call)
  const { file, selector } = await findTarget(session, args.path)
  return readFile(file, selector, call)
}

/** A number is an output of this session; other names are the host's. */
function isStoredOutput(path: string, { host }: Session): boolean {
  return path.startsWith('artifact://') && (host.router === undefined || /^artifact:\/\/\d/.test(path))
}

/** Strings of all lines of a larger file need too much memory. */
const largeFileBytes = 16 * 1024 * 1024

/** A plain file or a directory. `isPlain`: without a tag, because it is not edited under this name. */
export async function readFile(
  file: ResolvedPath,
  selector: PathSelector,
  call: ToolCall,
  isPlain = false,
): Promise<ToolOutcome> {
  const { session, signal } = call
  signal.throwIfAborted()
  if (selector.conflicts) {
    if (file.stat?.kind === 'directory') throw conflictsOfDirectory(file.display)
    return (await import('./conflicts.ts')).readFileConflicts(session, file, selector)
  }
  const meta = { source: file.stat?.kind === 'directory' ? 'directory' : 'file', sourcePath: file.path }
  if (file.stat?.kind === 'directory') {
    const { directoryTree } = await import('./directory-tree.ts')
    const tree = await directoryTree(session, file, signal)
    const shown = await renderSelection({
      document: documentOf(tree.text),
      selector,
      limits: session.limits,
      display: file.display,
      noun: 'directory',
      form: 'plain',
    })
    return {
      content: textContent(shown.text),
      details: { isDirectory: true, resolvedPath: file.path, ...readDetails({ ...meta, ...tree.meta }, shown) },
    }
  }
  if ((file.stat?.sizeBytes ?? 0) >= largeFileBytes) {
    const outcome = await (await import('./large-text.ts')).readLargeFile(file, selector, call, isPlain)
    if (outcome !== undefined) return outcome
  }
  const loaded = await loadText(session, file).catch(async (error: unknown) => {
    if (!(error instanceof ToolError) || error.code !== 'binary-file') throw error
    const { readByContent } = await import('./resource.ts')
    return { outcome: await readByContent(file, selector, error, call) }
  })
  if ('outcome' in loaded) return loaded.outcome
  const { document, normalized, tag } = loaded
  const shown = await renderSelection({
    document,
    selector,
    limits: session.limits,
    display: file.display,
    noun: 'file',
    form: selector.raw ? 'raw' : isPlain ? 'plain' : 'numbered',
    // Recorded only if lines of the file are shown: a refused read authorises no edit.
    ...(isPlain ? {} : { tag: rows => session.snapshots.record(file.path, file.display, normalized, { tag, rows }) }),
  })
  return { ...refusedMark(shown), content: textContent(shown.text), details: readDetails(meta, shown) }
}

function conflictsOfDirectory(display: string): ToolError {
  return new ToolError('EISDIR', `${display} is a directory; :conflicts selects lines of a file.`, {
    nextStep: 'List all conflicts of the workspace with read: conflict://*',
    details: { path: display },
  })
}

async function readConflictAddress(input: string, session: Session, signal: AbortSignal): Promise<ToolOutcome> {
  const selector = parseSelector(input)
  const address = parseConflictAddress(selector.path)
  return (await import('./conflicts.ts')).readConflict(session, address, selector, signal)
}

async function findTarget(session: Session, input: string): Promise<{ file: ResolvedPath; selector: PathSelector }> {
  const candidates = selectorCandidates(input)
  let last: ResolvedPath | undefined
  for (const selector of candidates) {
    // Models copy the "@" of an @-mention along with the path.
    for (const path of selector.path.startsWith('@') ? [selector.path, selector.path.slice(1)] : [selector.path]) {
      const file = await session.paths.resolve(path)
      last = file
      if (file.stat === undefined) continue
      if (selector.problem !== undefined) throw selector.problem
      return { file, selector }
    }
  }
  throw missingFile(last?.display ?? input)
}
