// The options of a store, checked on the page and again in the worker, where they arrive as plain data.

import type { OptionNames } from '../../core/argument.ts'
import { AnchorageError, wrongArgument } from '../../core/errors.ts'
import type { VfsError } from '../../vfs/error.ts'
import type { OnDamage } from './log/mount.ts'
import type { Durability } from './maintenance.ts'
import type { MirrorReport } from './mirror/mirror.ts'
import { type MirrorSettings, parseMirror } from './mirror/settings.ts'
import { isStoreName } from './store-name.ts'
import { type Persistence, type StorageKind, storageKinds } from './store-place.ts'

/** Options of `opfs`. */
export interface OpfsOptions {
  /** The name of the store: letters, digits, '.', '_' and '-'. Stores of one origin are separate from each other. */
  readonly name: string
  /** Default `group`. */
  readonly durability?: Durability | undefined
  /**
   * Default `refuse`: opening a damaged store fails with a list of what is lost (`details.losses`), and the store is not changed. `cut`
   * continues with everything undamaged and reports the losses to `onProblem`; reading missing content fails with EIO.
   */
  readonly onDamage?: OnDamage | undefined
  /**
   * Where a new store may keep its files: in the first of these places that the browser has. Default: OPFS, IndexedDB, memory. Files in
   * memory are lost with the page: leave `memory` out if an error is better.
   */
  readonly storage?: readonly StorageKind[] | undefined
  /**
   * Default `share`: every tab may open the store. The first tab has the files, and the others work through it. When it ends, one of them
   * takes over. `exclusive`: a second tab is refused with EBUSY.
   */
  readonly tabs?: 'share' | 'exclusive' | undefined
  /** Keeps real files of the files that match these globs. Default none. */
  readonly mirror?: (Pick<MirrorSettings, 'globs'> & Partial<MirrorSettings>) | undefined
}

type Complete<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> }

/** The options with all defaults filled in. */
export interface StoreSettings extends Complete<Omit<OpfsOptions, 'mirror'>> {
  readonly mirror?: MirrorSettings
}

/** Options of `openOpfs`. */
export interface OpenOpfsOptions extends OpfsOptions {
  /**
   * Receives problems of maintenance work that is tried again later, such as a checkpoint on a full disk. When the store is opened,
   * receives unfinished work after a crash, repairs and losses. Default: a warning on the console.
   */
  readonly onProblem?: (problem: VfsError) => void
  /**
   * Receives where the files are, once the store is open, and again when this tab takes over from another one. Files that are in memory
   * only also cause a warning on the console and a text in `caps().notice`, which also reaches a page.
   */
  readonly onPersistence?: (persistence: Persistence) => void
  /** Receives what a pass of the mirror wrote, removed and failed to write. */
  readonly onMirror?: (report: MirrorReport) => void
}

export const optionNames: OptionNames<OpfsOptions> = { name: 1, durability: 1, onDamage: 1, storage: 1, tabs: 1, mirror: 1 }

/** Checks the options in an object, such as a recipe from a page. Throws `AnchorageError` `opfs-options`. */
export function parseOptions(options: Readonly<Record<string, unknown>>): StoreSettings {
  if (Object(options) !== options) throw wrongArgument('opfs: argument 1 must be an object of options.')
  const { name, durability = 'group', onDamage = 'refuse', storage = storageKinds, tabs = 'share', mirror } = options
  if (!isStoreName(name)) {
    throw new AnchorageError(
      'opfs-options',
      `The name of a store must be 1 to 64 letters, digits, '.', '_' or '-', not ${JSON.stringify(String(name))}. Next: give another name.`,
    )
  }
  if (Array.isArray(storage) && storage.length === 0) {
    throw new AnchorageError(
      'opfs-options',
      `storage must not be empty. Next: give at least one of ${storageKinds.join(', ')}, or leave it out.`,
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
    `${option} must be one of ${values.join(', ')}, not ${JSON.stringify(value)}. Next: correct it.`,
  )
}
