// Which files a call of rg searches, and what it calls them.

import { parsePath, type VfsPath } from '../../core/path.ts'
import { compileGlob } from '../../search/glob.ts'
import { listFiles } from '../../session/list-files.ts'
import type { FileSource } from '../../session/file-source.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { RgGlob, RgOptions } from './options.ts'

export interface RgFile {
  readonly path: VfsPath
  /** As a part of the output. */
  readonly shown: string
  /** It was named, not found in a directory. */
  readonly isNamed: boolean
}

export interface RgFiles {
  readonly files: readonly RgFile[]
  /** What could not be searched, as sentences. */
  readonly problems: readonly string[]
  /** More than one file could be meant. */
  readonly isMany: boolean
}

export interface ListContext {
  readonly vfs: Vfs
  readonly source: FileSource
  readonly root: VfsPath
  readonly cwd: VfsPath
  readonly maxEntries: number
  readonly signal: AbortSignal
}

export async function listRgFiles(options: RgOptions, context: ListContext): Promise<RgFiles> {
  const accepts = fileFilter(options)
  if (typeof accepts === 'string') return { files: [], problems: [accepts], isMany: false }
  const files = new Map<string, RgFile>()
  const problems: string[] = []
  let isMany = options.paths.length > 1
  for (const asked of options.paths.length === 0 ? [undefined] : options.paths) {
    const path = asked === undefined ? context.cwd : parsePath(await resolved(context.vfs, asked, context.cwd))
    const kind = await kindOf(context.vfs, path)
    if (kind === undefined) {
      problems.push(`${asked}: No such file or directory`)
      continue
    }
    if (kind !== 'directory') {
      files.set(path, { path, shown: asked ?? path, isNamed: true })
      continue
    }
    isMany = true
    const base = parsePath(await context.vfs.realpath(path))
    const prefix = asked === undefined ? '' : `${asked.replace(/\/+$/, '')}/`
    const outcome = await listFiles(
      {
        vfs: context.source,
        // Rules come from the workspace's own files; for a directory outside it, from that directory.
        root: base === context.root || base.startsWith(`${context.root}/`) ? context.root : base,
        base,
        hidden: options.hidden,
        gitignore: options.ignoreFiles,
        includeNodeModules: true,
        signal: context.signal,
        clock: () => 0,
        deadlineMs: 1,
        maxEntries: context.maxEntries,
      },
      ({ kind: entryKind, path: found, relative }) => {
        const depth = relative.split('/').length
        if (entryKind === 'file' && depth <= options.maxDepth && accepts(relative)) {
          files.set(found, { path: found, shown: `${prefix}${relative}`, isNamed: false })
        }
        return true
      },
    )
    if (outcome.kind === 'too-many-entries')
      problems.push(`${asked ?? '.'}: stopped after ${outcome.limit} entries; name a directory below it`)
  }
  return { files: [...files.values()], problems, isMany }
}

/** `..` behind a link means where the link leads, so the part before it is asked. */
async function resolved(vfs: Vfs, asked: string, cwd: VfsPath): Promise<string> {
  const path = asked.startsWith('/') ? asked : `${cwd}/${asked}`
  try {
    return await vfs.realpath(path)
  } catch (error) {
    if (isVfsError(error)) return path
    throw error
  }
}

async function kindOf(vfs: Vfs, path: VfsPath): Promise<string | undefined> {
  try {
    return (await vfs.stat(path)).kind
  } catch (error) {
    if (isVfsError(error)) return undefined
    throw error
  }
}

/** Gives what is wrong with a glob as a sentence. */
function fileFilter({ globs, types, notTypes }: RgOptions): ((relative: string) => boolean) | string {
  const rules: { readonly isExcluded: boolean; readonly matches: (path: string) => boolean }[] = []
  for (const glob of globs) {
    const rule = compileRule(glob)
    if (typeof rule === 'string') return rule
    rules.push(rule)
  }
  const wanted = nameTest(types)
  const unwanted = nameTest(notTypes)
  const hasIncluding = rules.some(rule => !rule.isExcluded)
  return relative => {
    if (wanted !== undefined && !wanted(relative)) return false
    if (unwanted?.(relative) === true) return false
    // The last rule that matches decides, as in an ignore file.
    const last = rules.findLast(rule => rule.matches(relative))
    return last === undefined ? !hasIncluding : !last.isExcluded
  }
}

function compileRule({ glob, ignoreCase }: RgGlob): { isExcluded: boolean; matches: (path: string) => boolean } | string {
  const isExcluded = glob.startsWith('!')
  const body = glob.slice(isExcluded ? 1 : 0)
  const isAnchored = body.replace(/\/+$/, '').includes('/')
  const plain = body.replace(/^\/+/, '').replace(/\/+$/, '')
  const compiled = compileGlob(fold(isAnchored ? plain : `**/${plain}`, ignoreCase))
  if (compiled.kind === 'error') return `error parsing glob '${glob}': ${compiled.message}`
  return {
    isExcluded,
    matches: path => {
      const folded = fold(path, ignoreCase)
      // A directory stands for all below it.
      const ends = [...folded.matchAll(/\//g)].map(match => match.index)
      return compiled.matches(folded) || ends.some(end => compiled.matches(folded.slice(0, end)))
    },
  }
}

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text
}

function nameTest(patterns: readonly string[]): ((relative: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined
  const tests = patterns.map(pattern => compileGlob(pattern)).flatMap(glob => (glob.kind === 'glob' ? [glob.matches] : []))
  return relative => {
    const name = relative.slice(relative.lastIndexOf('/') + 1)
    return tests.some(matches => matches(name))
  }
}
