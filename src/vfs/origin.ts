// All users write through the same filesystem, and watchers want to know who made a change. So each user gets a view of the backend with a
// name, and the name is reported with each change, through mounts, guards and other tabs. A name that identifies an actor is written as
// JSON; the filesystem port itself does not interpret it.

import type { Attribution } from '../core/actor.ts'
import { defined, isRecord } from '../core/record.ts'
import type { Change } from './backend.ts'

/** The origin of a command's changes, in any shell. */
export const shellOrigin = 'shell'

interface Acting<B> {
  readonly as?: (origin: string) => B
}

/** `backend` for the user `origin`. Returns `backend` itself without an origin, or if it does not support origins. */
export function actingAs<B extends Acting<B>>(backend: B, origin: string | undefined): B {
  return origin === undefined ? backend : (backend.as?.(origin) ?? backend)
}

/** The origin of a change in the tab `tabName`, as reported in another tab. */
export function originInTab(tabName: string, origin: string | undefined): string {
  return origin === undefined ? tabName : `${tabName}/${origin}`
}

/** The origin for `attribution`, or for a command that it runs. */
export function originOf({ actor, session, turn, callId }: Attribution, through?: 'command'): string {
  const fields = defined({ actor: defined({ kind: actor.kind, name: actor.name }), session, turn, callId })
  return JSON.stringify({ ...fields, ...defined({ through }) })
}

/** A change as reported to a watcher: `by` is read from its origin, which keeps the tab and whether a command made the change. */
export function attributed(change: Change): Change {
  const start = change.origin?.indexOf('{"actor":') ?? -1
  if (change.origin === undefined || start === -1) return change
  const parsed: unknown = JSON.parse(change.origin.slice(start))
  if (!isRecord(parsed)) return change
  const { through, ...by } = parsed
  const names = [change.origin.slice(0, start).replace(/\/$/, ''), through === 'command' ? shellOrigin : '']
  const { origin: _origin, ...rest } = change
  // `originOf` wrote it, here or in another tab of the same release.
  return { ...rest, by: by as unknown as Attribution, ...defined({ origin: names.filter(Boolean).join('/') || undefined }) }
}
