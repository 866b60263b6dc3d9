// All users write through the same filesystem, and watchers want to know who made a change. So each user gets a view of the backend with a
// name, and the name is reported with each change, through mounts, guards and other tabs. A name that identifies an actor is written as
// JSON; the filesystem port itself does not interpret it.

import type { Attribution } from '../core/actor.ts'
import { defined } from '../core/record.ts'
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
  return JSON.stringify({ actor: { kind: actor.kind, name: actor.name }, session, turn, callId, through })
}

/** The last result of {@link partsOf}. The changes of one call have one origin and come together. */
let last: { readonly whole: string; readonly parts: Pick<Change, 'by' | 'origin'> } | undefined

/** A change as reported to a watcher: `by` is read from its origin, which keeps the tab and whether a command made the change. */
export function attributed(change: Change): Change {
  const { origin, ...rest } = change
  if (origin === undefined) return change
  if (last?.whole !== origin) last = { whole: origin, parts: partsOf(origin) }
  return Object.assign(rest, last.parts)
}

function partsOf(origin: string): Pick<Change, 'by' | 'origin'> {
  const start = origin.indexOf('{"actor":')
  if (start < 0) return { origin }
  // `originOf` wrote it, here or in another tab of the same release.
  const { through, ...by } = JSON.parse(origin.slice(start)) as Attribution & { readonly through?: string }
  const names = [origin.slice(0, start).replace(/\/$/, ''), through === 'command' ? shellOrigin : '']
  return { by, ...defined({ origin: names.filter(Boolean).join('/') || undefined }) }
}
