// Entries of `paths` in find and search that name something else than files: an archive, a member, a glob inside of one, an address.

import { ToolError } from '../core/errors.ts'
import { mayNameResource } from '../resources/kinds.ts'
import { compileGlob, isGlob } from '../search/glob.ts'
import { splitTarget } from '../search/targets.ts'
import { placesIn } from './resource-places.ts'
import { openAddress, type OpenedResource } from './resources.ts'
import type { Session } from './session.ts'

export interface OpenedEntry extends OpenedResource {
  readonly text: string
  /** Whether a member is meant, by its name. */
  readonly matches: (name: string) => boolean
}

export interface OpenedEntries {
  readonly resources: readonly OpenedEntry[]
  /** What names files, as it was given. */
  readonly rest: readonly string[]
}

const everything = (): boolean => true

/** Throws `ToolError` for a lone entry that names something that is not there. */
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
          else rest.push(part)
        }
      } else if (entries.length === 1 && parts.length < 2) throw opened
      else rest.push(entry)
    } else if (opened === undefined) rest.push(entry)
    else resources.push(opened)
  }
  return { resources, rest }
}

function isOpened(opened: OpenedEntry | ToolError | undefined): opened is OpenedEntry {
  return opened !== undefined && !(opened instanceof ToolError)
}

/** `undefined` for what names files; an error for an address that names nothing. */
async function openEntry(session: Session, text: string, signal: AbortSignal): Promise<OpenedEntry | ToolError | undefined> {
  if (!mayNameResource(session.kinds, text)) return undefined
  try {
    const opened = await openAddress(session, text, signal)
    // A picture has nothing to search, and listing it is listing the file.
    if (opened.kind === 'file' || opened.resource.kind === 'image') return undefined
    return { ...opened, text, matches: everything }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return (await openGlob(session, text, signal)) ?? (placesIn(session.kinds, text).length > 0 ? error : undefined)
  }
}

/** `b.zip:src/*.ts`. A glob without '/' fits at any depth. */
async function openGlob(session: Session, text: string, signal: AbortSignal): Promise<OpenedEntry | undefined> {
  for (const { file, inner } of placesIn(session.kinds, text)) {
    if (file === undefined || !isGlob(inner) || isGlob(file)) continue
    const { base, glob = '**/*' } = splitTarget(inner)
    const compiled = compileGlob(glob)
    if (compiled.kind === 'error') {
      throw new ToolError('invalid-glob', `${JSON.stringify(text)} is not a valid glob: ${compiled.message}`, {
        nextStep: 'Correct it; * ? ** {a,b} and [abc] are understood.',
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
