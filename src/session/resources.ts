// The registry of resources: which resource an address names, and what a write to it changes. Only this module calls the resource
// kinds, whose interface is in `resources/kind.ts`.

import { ToolError } from '../core/errors.ts'
import { isUtf8 } from '../core/byte-lines.ts'
import { SizedLru } from '../core/lru.ts'
import { formatSize } from '../core/size.ts'
import { decodeUtf8 } from '../core/text.ts'
import {
  claimedBytes,
  type Resource,
  type ResourceAddress,
  type ResourceContext,
  type ResourceOpener,
  type ResourceSource,
} from '../resources/kind.ts'
import { selectorCandidates, type PathSelector } from '../text/hashline/selector.ts'
import { missingFile } from './load-text.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { kindOfName, placesIn, type ResourcePlace } from './resource-places.ts'
import type { Session } from './session.ts'
import type { TextCache } from './text-cache.ts'

/** A resource that can be shown, after aliases have been resolved. */
export type ShownResource = Exclude<Resource, { readonly kind: 'content' | 'path' }> | LargeText

/** Text that is too large to become a string. */
export type LargeText = Omit<Extract<Resource, { readonly kind: 'content' }>, 'kind' | 'source'> & {
  readonly kind: 'large-text'
  /** Encoded as UTF-8. */
  readonly bytes: Uint8Array
}

const stringMaxBytes = 8 * 1024 * 1024

export interface OpenedResource {
  readonly kind: 'resource'
  /** The name of the kind. */
  readonly name: string
  readonly resource: ShownResource
  readonly selector: PathSelector
  /** The file of the workspace that contains it. */
  readonly source: ResourceSource | undefined
}

export type Opened =
  /** A plain file or directory. `isPlain` means that it is shown without a tag, because it must not be edited under this name. */
  | { readonly kind: 'file'; readonly file: ResolvedPath; readonly selector: PathSelector; readonly isPlain: boolean }
  | OpenedResource

/** The limit for nested content, such as an image in an archive in an archive. */
const maxDepth = 4

/** Opens the resource at an address. Throws `ToolError` `ENOENT` if it does not exist, and the errors of resolving and opening. */
export async function openAddress(session: Session, input: string, signal: AbortSignal): Promise<Opened> {
  const context = resourceContext(session, signal)
  let missing: (() => Promise<ToolError>) | undefined
  let failure: ToolError | undefined
  for (const candidate of selectorCandidates(input)) {
    const { problem, ...selector } = candidate
    const places = placesIn(session.kinds, selector.path)
    const file = await exactFile(session, selector.path).catch((error: unknown) => {
      // An address, such as a long query, may be an invalid path.
      if (places.length === 0 || !(error instanceof ToolError)) throw error
      failure = error
    })
    if (file?.stat !== undefined) {
      if (problem !== undefined) throw problem
      return openFile(session, context, file, selector)
    }
    for (const place of places) {
      signal.throwIfAborted()
      const found = await openPlace(session, context, place, selector)
      if (found.kind === 'missing') missing = found.error
      else if (problem !== undefined) throw problem
      else return found
    }
    if (places.length === 0 && missing === undefined) missing = () => Promise.resolve(missingFile(file?.display ?? selector.path))
  }
  if (missing !== undefined) throw await missing()
  throw failure ?? missingFile(input)
}

/** The text through which a file is edited. `undefined` if the file is edited directly. */
export async function openProjection(
  session: Session,
  file: ResolvedPath,
  signal: AbortSignal,
): Promise<Extract<Resource, { kind: 'projection' }> | undefined> {
  if (file.stat?.kind !== 'file') return undefined
  const view = await viewOf(session, resourceContext(session, signal), sourceOf(session, file), maxDepth)
  return view?.resource.kind === 'projection' ? view.resource : undefined
}

/** The kind of a binary file can be recognized by its content. */
export async function openByContent(
  session: Session,
  file: ResolvedPath,
  signal: AbortSignal,
): Promise<OpenedResource | undefined> {
  const source = sourceOf(session, file)
  const view = await viewOf(session, resourceContext(session, signal), source, 0)
  return view === undefined ? undefined : { ...view, kind: 'resource', selector: parsedWhole(file.display), source }
}

function parsedWhole(path: string): PathSelector {
  return { path, ranges: [], raw: false, conflicts: false }
}

async function exactFile(session: Session, path: string): Promise<ResolvedPath | undefined> {
  // Models copy the "@" of a mention along with the path.
  for (const each of path.startsWith('@') ? [path, path.slice(1)] : [path]) {
    const file = await session.paths.resolve(each)
    if (file.stat !== undefined || each === path.replace(/^@/, '')) return file
  }
  return undefined
}

async function openFile(
  session: Session,
  context: ResourceContext,
  file: ResolvedPath,
  selector: PathSelector,
  isPlain = false,
): Promise<Opened> {
  const plain: Opened = { kind: 'file', file, selector, isPlain }
  if (file.stat?.kind !== 'file') return plain
  const source = sourceOf(session, file)
  const kind = kindOfName(session.kinds, file.display)
  if (kind === undefined || (selector.raw && (await kind.load()).isPlainWhenRaw === true)) return plain
  const view = await viewOf(session, context, source, 0)
  return view === undefined ? plain : { ...view, kind: 'resource', selector, source }
}

type OpenedPlace = Opened | { readonly kind: 'missing'; readonly error: () => Promise<ToolError> }

async function openPlace(
  session: Session,
  context: ResourceContext,
  place: ResourcePlace,
  selector: PathSelector,
): Promise<OpenedPlace> {
  const { kind, file, inner } = place
  const source = file === undefined ? undefined : await context.resolve(file)
  if (file !== undefined && source === undefined) return { kind: 'missing', error: () => Promise.resolve(missingFile(file)) }
  const address: ResourceAddress = { text: selector.path, source, inner }
  const opener = await kind.load()
  const resource = await opener.open(address, context)
  if (resource === undefined)
    return { kind: 'missing', error: async () => (await opener.missing?.(address, context)) ?? missingFile(selector.path) }
  if (resource.kind === 'path') {
    const named = await session.paths.resolve(resource.path)
    if (named.stat === undefined) return { kind: 'missing', error: () => Promise.resolve(missingFile(named.display)) }
    return openFile(session, context, named, selector, resource.isPlain)
  }
  const shown = await followContent(session, context, kind.name, resource, 1)
  return { ...shown, kind: 'resource', selector, source }
}

interface View {
  readonly name: string
  readonly resource: ShownResource
}

/** Determines how a file is shown, from its name and its first bytes. */
async function viewOf(
  session: Session,
  context: ResourceContext,
  source: ResourceSource,
  depth: number,
): Promise<View | undefined> {
  const named = kindOfName(session.kinds, source.display)
  const kinds = [
    ...(named === undefined ? [] : [named]),
    ...session.kinds.filter(kind => kind !== named && kind.isKnownByContent),
  ]
  let head: Uint8Array | undefined
  for (const kind of kinds) {
    const opener: ResourceOpener = await kind.load()
    if (opener.claims !== undefined) {
      head ??= await source.read({ start: 0, end: Math.min(claimedBytes, source.sizeBytes) })
      if (!opener.claims(head, source)) continue
    } else if (kind !== named) continue
    const resource = await opener.open({ text: source.display, source, inner: '' }, context)
    if (resource !== undefined && resource.kind !== 'path') return followContent(session, context, kind.name, resource, depth + 1)
  }
  return undefined
}

async function followContent(
  session: Session,
  context: ResourceContext,
  name: string,
  resource: Exclude<Resource, { readonly kind: 'path' }>,
  depth: number,
): Promise<View> {
  if (resource.kind !== 'content') return { name, resource }
  const { source } = resource
  const view = depth < maxDepth ? await viewOf(session, context, source, depth) : undefined
  if (view !== undefined) {
    const notes = [...(resource.notes ?? []), ...(view.resource.notes ?? [])]
    return { name, resource: { ...view.resource, notes, details: { ...view.resource.details, ...resource.details } } }
  }
  const { source: _source, kind: _kind, ...shape } = resource
  const text = await textOf(source, context)
  return {
    name,
    resource: typeof text === 'string' ? { ...shape, kind: 'text', text } : { ...shape, kind: 'large-text', bytes: text },
  }
}

/** Throws `ToolError`: `file-too-large`, `binary-file`. */
async function textOf(source: ResourceSource, { limits }: ResourceContext): Promise<string | Uint8Array> {
  const { display, sizeBytes } = source
  if (sizeBytes > limits.textMaxBytes) {
    throw new ToolError(
      'file-too-large',
      `${display} is ${formatSize(sizeBytes)}; text up to ${formatSize(limits.textMaxBytes)} can be opened.`,
      { nextStep: 'Unpack it with bash and look at a part of it.', details: { path: display, sizeBytes } },
    )
  }
  const bytes = await source.read()
  if (bytes.length > stringMaxBytes && isUtf8(bytes)) return bytes
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'text') return decoded.text
  const why = decoded.reason === 'null-byte' ? 'it contains a null byte' : 'it is not valid UTF-8'
  throw new ToolError(
    'binary-file',
    `${display} is not text: ${why} at byte ${decoded.offset}. It is ${formatSize(sizeBytes)}.`,
    {
      nextStep: 'Unpack it with bash to look at its bytes.',
      details: { path: display, sizeBytes, reason: decoded.reason, offset: decoded.offset },
    },
  )
}

/** Returns the bytes of an existing file. */
export function sourceOf(session: Session, { path, display, stat }: ResolvedPath): ResourceSource {
  const { vfs } = session
  const { sync } = vfs
  return {
    display,
    sizeBytes: stat?.sizeBytes ?? 0,
    read: range => vfs.readFile(path, range),
    readSync: sync === undefined ? undefined : range => sync.read(path, range),
    stored: { path, rev: stat?.rev ?? 0, mode: stat?.mode },
  }
}

/** Keyed by an object that lasts as long as the session, because each call has a new session object. */
const caches = new WeakMap<TextCache, SizedLru<string, unknown>>()

export function resourceContext(session: Session, signal: AbortSignal): ResourceContext {
  const { vfs, root, limits, clock, host, outputs, texts } = session
  let cache = caches.get(texts)
  if (cache === undefined) {
    cache = new SizedLru(limits.snapshotMaxBytes)
    caches.set(texts, cache)
  }
  return {
    files: vfs,
    root,
    limits,
    clock,
    signal,
    host,
    cache,
    keep: (title, text) => outputs.save(title, text),
    async resolve(path) {
      const file = await session.paths.resolve(path)
      return file.stat?.kind === 'file' ? sourceOf(session, file) : undefined
    },
    async resolveDirectory(path) {
      const directory = await session.paths.resolve(path)
      return directory.stat?.kind === 'directory' ? directory.path : undefined
    },
  }
}
