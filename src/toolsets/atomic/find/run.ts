// Finds paths by glob. All matches are found before any is dropped, so that "newest first" holds for the whole tree.

import { ToolError, unreachable } from '../../../core/errors.ts'
import { joinPath, type VfsPath } from '../../../core/path.ts'
import type { ToolUpdate } from '../../../core/tool.ts'
import { mayNameResource } from '../../../resources/kinds.ts'
import { compileGlob } from '../../../search/glob.ts'
import { namesFiles, type Target } from '../../../search/targets.ts'
import { type FileSource, openFileSource } from '../../../session/file-source.ts'
import { listFiles, type ListOutcome } from '../../../session/list-files.ts'
import { newestFirst } from '../../../session/newest-first.ts'
import { listedPaths } from '../listed-paths.ts'
import { exclusionOf, invalidGlob, resolveSearchTargets } from '../../../session/search-targets.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import type { EntryKind } from '../../../vfs/backend.ts'
import { maxTimeoutMs, minTimeoutMs } from './limits.ts'
import { renderPathTree } from './path-tree.ts'

export interface FindArguments {
  readonly paths: readonly string[]
  readonly hidden?: boolean | undefined
  readonly gitignore?: boolean | undefined
  readonly limit?: number | undefined
  readonly timeout?: number | undefined
}

interface FoundPath {
  readonly path: VfsPath
  /** Relative to the target if there is only one, otherwise to the root. */
  readonly shown: string
  readonly display: string
  readonly kind: EntryKind
  /** The call named this path, it did not match a glob. */
  readonly isExact: boolean
}

export async function runFind(args: FindArguments, call: ToolCall): Promise<ToolOutcome> {
  const { session, signal } = call
  if (args.paths.length === 0) {
    throw new ToolError('invalid-arguments', 'find needs at least one path or glob in "paths".', {
      nextStep: 'For everything, use {"paths": ["."]}.',
    })
  }
  if (args.paths.some(path => path.trim() === '')) {
    throw new ToolError('invalid-arguments', 'An entry of "paths" is blank.', {
      nextStep: 'Leave it out; for everything, use ".".',
    })
  }
  const limit = Math.floor(clamp(args.limit ?? session.limits.findMaxResults, 1, session.limits.findMaxResults))
  const timeoutMs = clamp((args.timeout ?? session.limits.findTimeoutMs / 1000) * 1000, minTimeoutMs, maxTimeoutMs)
  const deadlineMs = session.clock() + timeoutMs
  const { members, rest, scope } = await findMembers(args.paths, call, deadlineMs)
  const resolved = await resolveSearchTargets(session, rest)
  const { targets, missing } = resolved
  const isExcluded = await exclusionOf(session, resolved)
  if (targets.length === 0 && scope.length === 0) {
    throw new ToolError('ENOENT', `No such file or directory: ${listedPaths(missing)}.`, {
      nextStep: 'Check the spelling, or search from the root with a glob such as **/name*.',
      details: { missingPaths: missing },
    })
  }
  const source = await openFileSource(session.vfs)
  try {
    const found = new Map<VfsPath, FoundPath>()
    const unreadable = new Set<string>()
    let outcome: ListOutcome = { kind: 'complete' }
    for (const target of targets) {
      const ended = await collect({
        target,
        isOnly: targets.length === 1,
        isExcluded,
        source,
        args,
        call,
        deadlineMs,
        found,
        unreadable,
      })
      if (ended.kind !== 'complete') outcome = ended
      call.onUpdate(progress(found))
      signal.throwIfAborted()
    }
    const ignored = new Map<VfsPath, FoundPath>()
    if (found.size === 0 && outcome.kind === 'complete' && (args.gitignore ?? true)) {
      for (const target of targets) {
        await collect({
          target,
          isOnly: true,
          isExcluded,
          source,
          args: { ...args, gitignore: false },
          call,
          deadlineMs,
          found: ignored,
          unreadable,
        })
      }
    }
    return render([...(await ranked(source, [...found.values()], signal)), ...members], {
      ignoredCount: ignored.size,
      scope: [...targets.map(target => target.text), ...scope],
      limit,
      timeoutMs,
      outcome,
      missing,
      unreadable: [...unreadable],
    })
  } finally {
    await source.dispose()
  }
}

interface FoundMembers {
  readonly members: readonly FoundPath[]
  /** Entries that name files. */
  readonly rest: readonly string[]
  /** Entries that name other resources. */
  readonly scope: readonly string[]
}

/** Members of archives and resources at addresses. A member has no real path, so duplicates cannot arise. */
async function findMembers(paths: readonly string[], { session, signal }: ToolCall, deadlineMs: number): Promise<FoundMembers> {
  if (!paths.some(path => mayNameResource(session.kinds, path))) return { members: [], rest: paths, scope: [] }
  const { openEntries } = await import('../../../session/open-entries.ts')
  const { resources, rest } = await openEntries(session, paths, signal)
  const members: FoundPath[] = []
  for (const { resource, matches, source } of resources) {
    const path = source?.stored?.path ?? session.root
    const add = (display: string, isDirectory: boolean): number =>
      members.push({ path, shown: display, display, kind: isDirectory ? 'directory' : 'file', isExact: false })
    if (resource.members === undefined) add(resource.display, false)
    else {
      for await (const member of resource.members()) {
        signal.throwIfAborted()
        if (session.clock() > deadlineMs) break
        if (matches(member.name)) add(member.display, member.isDirectory)
      }
    }
  }
  return { members, rest, scope: resources.map(({ text }) => text) }
}

interface Collection {
  readonly target: Target
  readonly isOnly: boolean
  /** Left out by a glob with `!`. */
  readonly isExcluded: ((path: VfsPath) => boolean) | undefined
  readonly source: FileSource
  readonly args: FindArguments
  readonly call: ToolCall
  readonly deadlineMs: number
  readonly found: Map<VfsPath, FoundPath>
  /** Directories that the filesystem refuses to list. */
  readonly unreadable: Set<string>
}

async function collect({
  target,
  isOnly,
  isExcluded,
  source,
  args,
  call,
  deadlineMs,
  found,
  unreadable,
}: Collection): Promise<ListOutcome> {
  const { session, signal } = call
  const base = await session.paths.resolve(target.base)
  const add = (entry: FoundPath): void => {
    if (!found.has(entry.path) && isExcluded?.(entry.path) !== true) found.set(entry.path, entry)
  }
  if (base.stat === undefined) return { kind: 'complete' }
  if (base.stat.kind !== 'directory') {
    add({ path: base.path, shown: base.display, display: base.display, kind: base.stat.kind, isExact: true })
    return { kind: 'complete' }
  }
  const glob = compileGlob(target.glob ?? '**/*')
  if (glob.kind === 'error') throw invalidGlob(target.text, glob.message)
  return listFiles(
    {
      vfs: source,
      root: session.root,
      base: base.path,
      hidden: args.hidden ?? true,
      gitignore: args.gitignore ?? true,
      includeNodeModules: target.text.includes('node_modules'),
      overrides: namesFiles(target) ? glob.matches : undefined,
      signal,
      clock: session.clock,
      deadlineMs,
      maxEntries: session.limits.walkMaxEntries,
      onUnreadable: relative => void unreadable.add(joined(base.display, relative)),
      ...(isExcluded === undefined ? {} : { skipDirectory: fromRoot => isExcluded(joinPath(session.root, fromRoot)) }),
    },
    entry => {
      if (!glob.matches(entry.relative)) return true
      const display = joined(base.display, entry.relative)
      add({
        path: entry.path,
        shown: isOnly ? entry.relative : display,
        display,
        kind: entry.kind,
        isExact: false,
      })
      return true
    },
  )
}

function joined(base: string, relative: string): string {
  return base === '.' || relative === '' ? relative || base : `${base}/${relative}`
}

/** Named paths first, then the newest. */
async function ranked(source: FileSource, found: readonly FoundPath[], signal: AbortSignal): Promise<readonly FoundPath[]> {
  const byName = found.toSorted((a, b) => (a.shown < b.shown ? -1 : a.shown > b.shown ? 1 : 0))
  const newest = await newestFirst(byName, source, signal)
  return newest.toSorted((a, b) => Number(b.isExact) - Number(a.isExact))
}

interface FindEnd {
  readonly scope: readonly string[]
  readonly limit: number
  readonly timeoutMs: number
  readonly outcome: ListOutcome
  readonly missing: readonly string[]
  readonly unreadable: readonly string[]
  /** If nothing was found: the matches without ignore files. */
  readonly ignoredCount: number
}

function render(found: readonly FoundPath[], end: FindEnd): ToolOutcome {
  const kept = found.slice(0, end.limit)
  const isLimited = found.length > kept.length
  const notes = [
    ...(isLimited
      ? [`${end.limit} of ${found.length} results shown, the newest. Refine the pattern or path to narrow them`]
      : []),
    ...(end.ignoredCount > 0 ? [`Ignore files leave out ${end.ignoredCount} that match; gitignore: false finds them`] : []),
    ...endNotes(end, kept.length),
    ...(end.missing.length > 0 ? [`Skipped missing paths: ${listedPaths(end.missing)}`] : []),
    ...(end.unreadable.length > 0 ? [`Not listed, because the filesystem cannot read it: ${listedPaths(end.unreadable)}`] : []),
  ]
  const tree =
    kept.length === 0
      ? 'No files found matching the pattern.'
      : renderPathTree(kept.map(entry => ({ path: entry.display, isDirectory: entry.kind === 'directory' })))
  return {
    content: textContent(notes.length === 0 ? tree : `${tree}\n\n[${notes.join('. ')}.]`),
    details: {
      scopePath: end.scope.join(', '),
      fileCount: kept.length,
      files: kept.map(entry => withSlash(entry.shown, entry.kind)),
      paths: kept.map(entry => withSlash(entry.display, entry.kind)),
      truncated: isLimited || end.outcome.kind !== 'complete',
      ...(isLimited ? { resultLimitReached: end.limit, meta: { limits: { resultLimit: end.limit } } } : {}),
      ...(end.outcome.kind === 'timed-out' ? { timedOut: true } : {}),
      ...(end.missing.length > 0 ? { missingPaths: end.missing } : {}),
    },
  }
}

function endNotes({ outcome, timeoutMs }: FindEnd, count: number): readonly string[] {
  switch (outcome.kind) {
    case 'timed-out':
      return [`Stopped after ${timeoutMs / 1000} s with ${count} results so far. Raise "timeout" or narrow the pattern`]
    case 'too-many-entries':
      return [`Stopped after looking at ${outcome.limit} entries. Search a subdirectory`]
    case 'complete':
    case 'stopped':
      return []
    default:
      return unreachable(outcome)
  }
}

function progress(found: ReadonlyMap<VfsPath, FoundPath>): ToolUpdate {
  const files = [...found.values()].map(entry => withSlash(entry.shown, entry.kind))
  return { content: textContent(files.join('\n')), details: { files, fileCount: files.length, truncated: false } }
}

function withSlash(path: string, kind: EntryKind): string {
  return kind === 'directory' ? `${path}/` : path
}

function clamp(value: number, min: number, max: number): number {
  return Number.isFinite(value) ? Math.min(max, Math.max(min, Math.floor(value * 1000) / 1000)) : max
}
