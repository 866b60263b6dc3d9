// What an edit does if the file changed since it was seen: an option of the toolsets whose documents refuse it.

import type { GenericSchema } from 'valibot'
import { picklist } from 'valibot'

/** `refuse`: nothing is changed. `merge`: the edit is made where its lines provably are now, or refused. */
export type Drift = 'refuse' | 'merge'

export const driftSchema: GenericSchema<Drift> = picklist(['refuse', 'merge'])

/** For the model: the edit was made, and it has not seen all of the file. `from` and `to` are 1-based lines. */
export function mergedNote(display: string, { from, to }: { readonly from: number; readonly to: number }): string {
  const moved = from === to ? '' : ` Line ${from} is line ${to} now.`
  return `${display} changed since you saw it. The lines of this edit did not, so it was made where they are now, and every other change was kept.${moved}`
}

export function alreadyNote(display: string): string {
  return `${display} changed since you saw it, and already holds this change.`
}
