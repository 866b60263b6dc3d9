// What an edit does if the file changed since it was seen: an option of the toolsets whose documents refuse it.

import type { GenericSchema } from 'valibot'
import { picklist } from 'valibot'

/** `refuse`: nothing is changed. `merge`: the edit is made where its lines provably are now, or refused. */
export type Drift = 'refuse' | 'merge'

export const driftSchema: GenericSchema<Drift> = picklist(['refuse', 'merge'])
