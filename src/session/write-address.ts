// Writes to an address. The resource kind makes a plan, which is committed like every other write, under the lock of the file.

import { ToolError } from '../core/errors.ts'
import type { ResourceAddress, ResourceContext, ResourceOpener, ResourceSource } from '../resources/kind.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { commitWrites } from './commit.ts'
import type { WriteReview } from './policy/approve.ts'
import { resourceContext, sourceOf } from './resources.ts'
import { placesIn, type ResourcePlace } from './resource-places.ts'
import type { ToolCall, ToolOutcome } from './tool.ts'

export type WrittenAddress =
  /** The address is the path of a file, possibly under another name. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'done'; readonly summary: string; readonly details: ToolOutcome['details'] }

/** Throws `ToolError` without having written anything. A file of exactly this name takes precedence. */
export async function writeAddress(call: ToolCall, path: string, content: string): Promise<WrittenAddress> {
  const { session, signal } = call
  const places = placesIn(session.kinds, path)
  if (places.length === 0) return { kind: 'file', path }
  const isPrefixed = places.some(({ file }) => file === undefined)
  if (!isPrefixed && (await session.paths.resolve(path)).stat !== undefined) return { kind: 'file', path }
  const context = resourceContext(session, signal)
  const place = await placeToWrite(places, context)
  if (place === undefined) return { kind: 'file', path }
  const opener = await place.kind.load()
  if (place.file === undefined)
    return finish(call, opener, { text: path, source: undefined, inner: place.inner }, content, context)
  const { file } = place
  const target = await session.paths.resolve(file)
  return session.locks.hold([target.path], signal, async () => {
    // The file may have changed while this call waited for the lock, and the path must still lead to the same file.
    const present = await session.paths.resolve(file)
    if (present.path !== target.path) {
      throw new ToolError('file-changed', `${file} now leads to a different file. Nothing was written.`, {
        nextStep: 'Read it again and repeat the change.',
        details: { path: file },
      })
    }
    if (present.stat !== undefined && present.stat.kind !== 'file') {
      throw new ToolError('EISDIR', `${present.display} is a directory. Nothing was written.`, {
        nextStep: 'Name a file inside it.',
        details: { path: present.display },
      })
    }
    const source: ResourceSource = sourceOf(session, present)
    return finish(call, opener, { text: path, source, inner: place.inner }, content, context)
  })
}

/** The existing file with the longest path, or otherwise the first one in the text. */
async function placeToWrite(places: readonly ResourcePlace[], context: ResourceContext): Promise<ResourcePlace | undefined> {
  for (const place of places) {
    if (place.file === undefined || (await context.resolve(place.file)) !== undefined) return place
  }
  return places.at(-1)
}

async function finish(
  { session, signal }: ToolCall,
  opener: ResourceOpener,
  address: ResourceAddress,
  content: string,
  context: ResourceContext,
): Promise<WrittenAddress> {
  if (opener.plan === undefined) {
    throw new ToolError('resource-read-only', `${address.text} is read-only. Nothing was written.`, {
      nextStep: 'Write to a file of the workspace.',
      details: { path: address.text },
    })
  }
  const plan = await opener.plan(address, content, context)
  if (plan.kind === 'path') return { kind: 'file', path: plan.path }
  if (plan.kind === 'files') await commitWrites(session.vfs, plan.writes, signal)
  else {
    const path = session.root
    const inside = { display: address.text, before: undefined, after: content }
    // Resources elsewhere need an approval like files.
    const reviewed: Vfs & WriteReview = session.vfs
    await reviewed.reviewWrites?.([{ path, display: address.text, bytes: new TextEncoder().encode(content), baseRev: 0, inside }])
    signal.throwIfAborted()
    await plan.write()
  }
  return { kind: 'done', summary: plan.summary, details: plan.details ?? {} }
}
