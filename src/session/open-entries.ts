// Resolves entries of `paths` in find and search that are not files: an archive, a member, a glob inside an archive, an address.

import { ToolError } from '../core/errors.ts'
import { mayNameResource } from '../resources/kinds.ts'
import { compileGlob } from '../search/glob.ts'
import { isGlob } from '../search/is-glob.ts'
import { splitTarget } from '../search/targets.ts'
import { placesIn } from './resource-places.ts'
import { openAddress, type OpenedResource } from './resources.ts'
import type { Session } from './session.ts'

export interface OpenedEntry extends OpenedResource {
  readonly text: string
  /** Whether a member with this name is included. */
  readonly matches: (name: string) => boolean
}

export interface OpenedEntries {
  readonly resources: readonly OpenedEntry[]
  /** The entries that name files, unchanged. */
  readonly rest: readonly string[]
}

const everything = (): boolean => true

/** Throws `ToolError` if the only entry does not exist. */
export async function openEntries(session: Session, entries: readonly string[], signal: AbortSignal): Promise<OpenedEntries> {
  const resources: OpenedEntry[] = []
  const rest: string[] = []
  for (const entry of entries.map(unquoted)) {
    const opened = await openEntry(session, entry, signal)
    if (opened instanceof ToolError) {
      const parts = entry
        .split(/[,;]/)
        .map(unquoted)
        .filter(part => part !== '')
      const named =
        parts.length < 2
          ? []
          : await Promise.all(parts.map(async part => ({ part, opened: await openEntry(session, part, signal) })))
      if (named.some(each => isOpened(each.opened))) {
        for (const { part, opened: one } of named) {
          if (isOpened(one)) resources.push(one)
          else rest.push(typeof one === 'string' ? one : part)
        }
      } else if (entries.length === 1 && parts.length < 2) throw opened
      else rest.push(entry)
    } else if (opened === undefined) rest.push(entry)
    else if (typeof opened === 'string') rest.push(opened)
    else resources.push(opened)
  }
  return { resources, rest }
}

type Entry = OpenedEntry | ToolError | string | undefined

function isOpened(opened: Entry): opened is OpenedEntry {
  return opened !== undefined && typeof opened !== 'string' && !(opened instanceof ToolError)
}

/**
 * Returns `undefined` for an entry that names files, a path for the address of a file such as `local://a.txt:5-9`, and an error
 * for an address that does not exist.
 */
async function openEntry(session: Session, text: string, signal: AbortSignal): Promise<Entry> {
  if (!mayNameResource(session.kinds, text)) return undefined
  try {
    const opened = await openAddress(session, text, signal)
    if (opened.kind === 'file' && /^[a-z]+:\/\//.test(text)) return opened.file.display + text.slice(opened.selector.path.length)
    // An image has no text to search, and is listed as a file.
    if (opened.kind === 'file' || opened.resource.kind === 'image') return undefined
    return { ...opened, text, matches: everything }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return (await openGlob(session, text, signal)) ?? (placesIn(session.kinds, text).length > 0 ? error : undefined)
  }
}

/** `b.zip:src/*.ts`. A glob without '/' matches at any depth. */
async function openGlob(session: Session, text: string, signal: AbortSignal): Promise<OpenedEntry | undefined> {
  for (const { file, inner } of placesIn(session.kinds, text)) {
    if (file === undefined || !isGlob(inner) || isGlob(file)) continue
    const { base, glob = '**/*' } = splitTarget(inner)
    const compiled = compileGlob(glob)
    if (compiled.kind === 'error') {
      throw new ToolError('invalid-glob', `${JSON.stringify(text)} is not a valid glob: ${compiled.message}`, {
        nextStep: 'Correct it. Globs may contain *, ?, **, {a,b} and [abc].',
      })
    }
    const opened = await openAddress(session, `${file}:${base === '.' ? '' : base}`, signal)
    if (opened.kind === 'resource') return { ...opened, text, matches: name => compiled.matches(name) }
  }
  return undefined
}

function unquoted(text: string): string {
  const trimmed = text.trim()
  return /^(["'`]).+\1$/s.test(trimmed) ? trimmed.slice(1, -1) : trimmed
}
