// Everyone writes through the same filesystem, and whoever watches wants to know who it was. A backend is given to each of them under a
// name; the name goes with each change, through mounts, guards and other tabs, to the watcher. A name that tells an actor is written as
// JSON; the filesystem port itself does not look into it.

import type { Attribution } from '../core/actor.ts'
import { defined, isRecord } from '../core/record.ts'
import type { Change } from './backend.ts'

/** What a command did, of whatever shell. */
export const shellOrigin = 'shell'

interface Acting<B> {
  readonly as?: (origin: string) => B
}

/** `backend` for someone called `origin`; itself for nobody, and where it cannot tell its users apart. */
export function actingAs<B extends Acting<B>>(backend: B, origin: string | undefined): B {
  return origin === undefined ? backend : (backend.as?.(origin) ?? backend)
}

/** How what `origin` did in the tab `tabName` is told in another tab. */
export function originInTab(tabName: string, origin: string | undefined): string {
  return origin === undefined ? tabName : `${tabName}/${origin}`
}

/** The name that `attribution` acts under, by itself or with a command that it runs. */
export function originOf({ actor, session, turn, callId }: Attribution, through?: 'command'): string {
  const fields = defined({ actor: defined({ kind: actor.kind, name: actor.name }), session, turn, callId })
  return JSON.stringify({ ...fields, ...defined({ through }) })
}

/** A change as a watcher is told of it: `by` is read from its origin, which keeps the tab and whether a command did it. */
export function attributed(change: Change): Change {
  const start = change.origin?.indexOf('{"actor":') ?? -1
  if (change.origin === undefined || start === -1) return change
  const parsed: unknown = JSON.parse(change.origin.slice(start))
  if (!isRecord(parsed)) return change
  const { through, ...by } = parsed
  const names = [change.origin.slice(0, start).replace(/\/$/, ''), through === 'command' ? shellOrigin : '']
  const { origin: _origin, ...rest } = change
  // Written by `originOf`, here or in another tab of the same release.
  return { ...rest, by: by as unknown as Attribution, ...defined({ origin: names.filter(Boolean).join('/') || undefined }) }
}
