// Finds files by glob.

import { ToolError } from '../../../core/errors.ts'
import { printablePath } from '../../../core/printable.ts'
import { compileGlob } from '../../../search/glob.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { maxResults, searchTimeoutMs } from '../limits.ts'
import { listProject } from '../list-project.ts'
import { resolveSearchPath } from '../paths.ts'
import { ryeResult } from '../result.ts'

export interface GlobArguments {
  readonly pattern: string
  readonly path?: string | undefined
  readonly offset?: number | undefined
}

export async function runGlob(args: GlobArguments, call: ToolCall): Promise<ToolOutcome> {
  const { session } = call
  const base = await resolveSearchPath(session, args.path)
  const glob = compile(args.pattern)
  const options = {
    matches: (file: { readonly relative: string }) => glob.matches(file.relative),
    followsLinks: true,
    deadlineMs: session.clock() + searchTimeoutMs,
  }
  const listed = await listProject(base, options, call)
  const found = base.stat.kind === 'directory' ? listed.files : []
  const skipped = args.offset ?? 0
  const files = found.slice(skipped, skipped + maxResults).map(file => file.shown)
  const isCut = found.length > skipped + files.length
  return ryeResult({
    output: files.map(printablePath).join('\n'),
    fields: { files, count: files.length, truncated: isCut || listed.isIncomplete },
    notes: [
      ...(isCut ? [`${files.length} of ${found.length} files. For the next: offset ${skipped + files.length}`] : []),
      ...(base.stat.kind === 'directory' ? [] : [`${base.display} is a file; glob looks below directories`]),
      ...listed.notes,
    ],
    emptyText: 'No files match.',
    details: { files, fileCount: found.length },
  })
}

function compile(pattern: string): { readonly matches: (path: string) => boolean } {
  if (pattern === '') throw invalid('The pattern is empty', 'For every file, use *.')
  if (pattern.includes('\0')) throw invalid('The pattern contains a null byte', 'Leave it out: no file name contains one.')
  if (pattern.startsWith('/'))
    throw invalid('Non-relative patterns are unsupported', 'Leave out the leading slash and give the directory in "path".')
  const glob = compileGlob(pattern.startsWith('**/') ? pattern : `**/${pattern}`)
  if (glob.kind === 'error') throw invalid(`${JSON.stringify(pattern)} is not a valid glob: ${glob.message}`, 'Correct it.')
  return glob
}

function invalid(message: string, nextStep: string): ToolError {
  return new ToolError('invalid-glob', message, { nextStep })
}
