// The options of a store, checked on the page and again in the worker, where they come as plain data.

import { AnchorageError } from '../../core/errors.ts'
import type { VfsError } from '../../vfs/error.ts'
import type { OnDamage } from './log/mount.ts'
import type { Durability } from './maintenance.ts'
import type { MirrorReport } from './mirror/mirror.ts'
import { type MirrorSettings, parseMirror } from './mirror/settings.ts'
import { isStoreName } from './store-name.ts'
import { type Persistence, type StorageKind, storageKinds } from './store-place.ts'

/** Options of `opfs`. */
export interface OpfsOptions {
  /** Which store: letters, digits, '.', '_' and '-'. Stores of one origin are apart from each other. */
  readonly name: string
  /** Default `group`. */
  readonly durability?: Durability | undefined
  /**
   * Default `refuse`: opening a damaged store is an error with a list of what is lost (`details.losses`), and the store stays as it is.
   * `cut` goes on with everything that is whole, and tells `onProblem` what is lost; contents that are missing fail with EIO.
   */
  readonly onDamage?: OnDamage | undefined
  /**
   * Where its files may be kept, if they are not anywhere yet: the first of OPFS, IndexedDB and memory that is named here and that the
   * browser has. Default all three. Files in memory go with the page: leave `memory` out where an error is better.
   */
  readonly storage?: readonly StorageKind[] | undefined
  /**
   * Default `share`: every tab may open it. The first has the files, the others work on them through it, and when it goes one of them
   * takes over. `exclusive`: a second tab is refused with EBUSY.
   */
  readonly tabs?: 'share' | 'exclusive' | undefined
  /** Keeps real files of what these globs name, behind the store. Default none. */
  readonly mirror?: (Pick<MirrorSettings, 'globs'> & Partial<MirrorSettings>) | undefined
}

type Complete<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> }

/** Options with everything that has a default. */
export interface StoreSettings extends Complete<Omit<OpfsOptions, 'mirror'>> {
  readonly mirror?: MirrorSettings
}

/** Options of `openOpfs`. */
export interface OpenOpfsOptions extends OpfsOptions {
  /**
   * Hears of upkeep that could not be done and is tried again, such as a checkpoint on a full disk, and when the store is opened what a
   * crash left unfinished, what was mended and what is lost. Default: a warning on the console.
   */
  readonly onProblem?: (problem: VfsError) => void
  /**
   * Hears where the files are, once the store is open, and again when this tab takes them over from another one. Files that are in memory only are told on the console as well, and stand in
   * `caps().notice`, which also reaches a page.
   */
  readonly onPersistence?: (persistence: Persistence) => void
  /** Hears what a pass of the mirror wrote, removed and could not. */
  readonly onMirror?: (report: MirrorReport) => void
}

/** The options that an object holds, such as a recipe that came from a page. Throws `AnchorageError` `opfs-options`. */
export function parseOptions(options: Readonly<Record<string, unknown>>): StoreSettings {
  const { name, durability = 'group', onDamage = 'refuse', storage = storageKinds, tabs = 'share', mirror } = options
  if (!isStoreName(name)) {
    throw new AnchorageError(
      'opfs-options',
      `A store's name has 1 to 64 letters, digits, '.', '_' or '-', not ${JSON.stringify(name)}. Next: give another name.`,
    )
  }
  if (Array.isArray(storage) && storage.length === 0) {
    throw new AnchorageError(
      'opfs-options',
      `storage names no place. Next: name one of ${storageKinds.join(', ')}, or leave it out.`,
    )
  }
  return {
    name,
    durability: oneOf(['op', 'group', 'lazy'], durability, 'durability'),
    onDamage: oneOf(['refuse', 'cut'], onDamage, 'onDamage'),
    storage: (Array.isArray(storage) ? storage : [storage]).map(kind => oneOf(storageKinds, kind, 'storage')),
    ...(mirror === undefined ? {} : { mirror: parseMirror(mirror, name) }),
    tabs: oneOf(['share', 'exclusive'], tabs, 'tabs'),
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
