// Where a foreign filesystem behind our port (a memfs volume, a directory of the machine) differs from the contract.

import type { Deviation } from '../contract.ts'

export const hostDeviations: readonly Deviation[] = [
  {
    case: 'batch.sees-no-changes-of-others',
    why: 'there are no snapshots: what the batch has not looked at yet may change, and a commit that depends on it is refused',
  },
]
