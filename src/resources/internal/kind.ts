// Addresses with a special scheme. The host's router is called first; without one, `local://` is a file of the workspace and
// `skill://` a file of a skill.

import { ToolError } from '../../core/errors.ts'
import { decodeUtf8 } from '../../core/text.ts'
import type { Resource, ResourceAddress, ResourceContext, ResourceMember, WritePlan } from '../kind.ts'
import { asHostFailure, builtInPath, routedPath, schemeOf } from './paths.ts'

export async function open({ inner: url }: ResourceAddress, context: ResourceContext): Promise<Resource | undefined> {
  const { router } = context.host
  const content = await asHostFailure(url, async () => router?.read?.(url))
  if (content !== undefined) return contentResource(url, content, context)
  const routed = await routedPath(url, context)
  if (routed !== undefined) return { kind: 'path', display: url, path: routed, isPlain: false }
  const path = await builtInPath(url, context)
  if (path !== undefined) return { kind: 'path', display: url, path, isPlain: schemeOf(url) === 'skill' }
  const listed = await asHostFailure(url, async () => router?.list?.(url))
  // An empty list may only mean that a router found nothing, so it is a directory only for the root of the scheme.
  if (listed === undefined || (listed.length === 0 && !url.endsWith('://'))) return undefined
  return {
    kind: 'entries',
    display: url,
    names: listed.slice(0, 500),
    total: listed.length,
    members: () => listedMembers(listed, url, context),
  }
}

function contentResource(url: string, content: string | Uint8Array, context: ResourceContext): Resource {
  const shape = { display: url, details: { meta: { source: schemeOf(url), sourcePath: url } } }
  const members = context.host.router?.list === undefined ? undefined : () => contentMembers(url, content, context)
  if (typeof content === 'string') return { ...shape, kind: 'text', text: content, ...(members === undefined ? {} : { members }) }
  const source = {
    display: url,
    sizeBytes: content.length,
    read: (range?: { readonly start: number; readonly end: number }) =>
      Promise.resolve(content.slice(range?.start ?? 0, range?.end ?? content.length)),
  }
  return { ...shape, kind: 'content', source, ...(members === undefined ? {} : { members }) }
}

/** What is below an address, and without that the address itself. */
async function* contentMembers(
  url: string,
  content: string | Uint8Array,
  context: ResourceContext,
): AsyncGenerator<ResourceMember, void> {
  const listed = await asHostFailure(url, async () => context.host.router?.list?.(url))
  if (listed !== undefined && listed.length > 0) yield* listedMembers(listed, url, context)
  else yield { display: url, name: url, isDirectory: false, text: () => Promise.resolve(asText(content)) }
}

async function* listedMembers(
  listed: readonly string[],
  url: string,
  { host, signal }: ResourceContext,
): AsyncGenerator<ResourceMember, void> {
  for (const each of listed) {
    signal.throwIfAborted()
    const name = each.startsWith(url) ? each.slice(url.length).replace(/^\//, '') : each
    yield {
      display: each,
      name,
      isDirectory: each.endsWith('/'),
      text: async () => {
        const content = await asHostFailure(each, async () => host.router?.read?.(each))
        return content === undefined ? undefined : asText(content)
      },
    }
  }
}

function asText(content: string | Uint8Array): string | undefined {
  if (typeof content === 'string') return content
  const decoded = decodeUtf8(content)
  return decoded.kind === 'text' ? decoded.text : undefined
}

export async function missing({ inner: url }: ResourceAddress, { host }: ResourceContext): Promise<ToolError> {
  const scheme = schemeOf(url)
  const isBuiltIn = scheme === 'local' || scheme === 'skill'
  const isKnown = isBuiltIn || host.router !== undefined
  const why = isKnown ? 'names nothing' : `is an address of ${scheme}://, which this workspace does not open`
  return new ToolError(isKnown ? 'ENOENT' : 'path-scheme-unsupported', `${url} ${why}.`, {
    nextStep:
      scheme === 'skill'
        ? 'List .agents/skills with read to see which skills there are.'
        : 'Check the address, or use a path inside the workspace.',
    details: { path: url },
  })
}

export async function plan({ inner: url }: ResourceAddress, content: string, context: ResourceContext): Promise<WritePlan> {
  const { router } = context.host
  const routed = await routedPath(url, context)
  if (routed !== undefined) return { kind: 'path', path: routed }
  if (schemeOf(url) === 'local') {
    const path = await builtInPath(url, context)
    if (path !== undefined) return { kind: 'path', path }
  }
  if (router?.write !== undefined) {
    const write = async (): Promise<void> => {
      const taken = await asHostFailure(url, async () => router.write?.(url, content))
      if (taken === false) throw unwritable(url)
    }
    const sizeBytes = new TextEncoder().encode(content).length
    return {
      kind: 'elsewhere',
      write,
      summary: `Wrote ${url} (${sizeBytes} ${sizeBytes === 1 ? 'byte' : 'bytes'}).`,
      details: { sizeBytes, meta: { source: schemeOf(url), sourcePath: url } },
    }
  }
  throw unwritable(url)
}

function unwritable(url: string): ToolError {
  return new ToolError('resource-read-only', `${url} cannot be written here. Nothing was written.`, {
    nextStep:
      schemeOf(url) === 'skill' ? 'Write the file itself, by its path in .agents/skills.' : 'Write to a file of the workspace.',
    details: { path: url },
  })
}
