// The option for edits of a file that has changed since it was seen, for toolsets that refuse such edits by default.

import type { GenericSchema } from 'valibot'
import { picklist } from 'valibot'

/** `refuse`: nothing is changed. `merge`: the edit is applied where its lines are now if that is certain, and refused otherwise. */
export type Drift = 'refuse' | 'merge'

export const driftSchema: GenericSchema<Drift> = picklist(['refuse', 'merge'])
