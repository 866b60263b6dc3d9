// The options of a store, checked on the page and again in the worker, where they come as plain data.

import { AnchorageError } from '../../core/errors.ts'
import type { VfsError } from '../../vfs/error.ts'
import type { OnDamage } from './log/mount.ts'
import type { Durability } from './maintenance.ts'

const namePattern = /^[\w.-]{1,64}$/

export interface OpfsOptions {
  /** Which store: letters, digits, '.', '_' and '-'. Stores of one origin are apart from each other. */
  readonly name: string
  /** Default `group`. */
  readonly durability?: Durability
  /** Default `refuse`: a damaged store is an error, and stays as it is. `cut` goes back to the last state before the damage. */
  readonly onDamage?: OnDamage
}

export interface OpenOpfsOptions extends OpfsOptions {
  /** Hears of upkeep that could not be done and is tried again, such as a checkpoint on a full disk. Default: nobody. */
  readonly onProblem?: (problem: VfsError) => void
}

/** The options that an object holds, such as a recipe that came from a page. Throws `AnchorageError` `opfs-options`. */
export function parseOptions(options: Readonly<Record<string, unknown>>): Required<OpfsOptions> {
  const { name, durability = 'group', onDamage = 'refuse' } = options
  if (typeof name !== 'string' || !namePattern.test(name) || /^\.*$/.test(name)) {
    throw new AnchorageError(
      'opfs-options',
      `A store's name has 1 to 64 letters, digits, '.', '_' or '-', not ${JSON.stringify(name)}. Next: give another name.`,
    )
  }
  return {
    name,
    durability: oneOf(['op', 'group', 'lazy'], durability, 'durability'),
    onDamage: oneOf(['refuse', 'cut'], onDamage, 'onDamage'),
  }
}

function oneOf<T extends string>(values: readonly T[], value: unknown, option: string): T {
  const found = values.find(known => known === value)
  if (found !== undefined) return found
  throw new AnchorageError(
    'opfs-options',
    `${option} is one of ${values.join(', ')}, not ${JSON.stringify(value)}. Next: correct it.`,
  )
}
