// The filesystem contract as one list.

import { checkArguments } from '../../core/argument.ts'
import { checkMember } from '../../core/errors.ts'
import { batchCases } from './batch.ts'
import { linkCases } from './link.ts'
import { listCases } from './list.ts'
import { lookupCases } from './lookup.ts'
import { mkdirCases } from './mkdir.ts'
import { pathCases } from './paths.ts'
import { readCases } from './read.ts'
import { realpathCases } from './realpath.ts'
import { removeCases } from './remove.ts'
import { renameMatrixCases } from './rename-matrix.ts'
import { renameCases } from './rename.ts'
import { setattrCases } from './setattr.ts'
import { snapshotCases } from './snapshot.ts'
import { readlinkCases, symlinkCases } from './symlink.ts'
import { followCases } from './symlinks.ts'
import { watchCases } from './watch.ts'
import { writeCases } from './write.ts'
import { hasCapability, type VfsCase } from './context.ts'
import { type ContractRow, type Deviation, runContract } from '../contract.ts'
import type { VfsBackend } from '../../vfs/backend.ts'

/** All rules of the filesystem contract. */
export const vfsContract: readonly VfsCase[] = [
  ...lookupCases,
  ...listCases,
  ...readCases,
  ...writeCases,
  ...mkdirCases,
  ...removeCases,
  ...renameCases,
  ...renameMatrixCases,
  ...linkCases,
  ...symlinkCases,
  ...readlinkCases,
  ...realpathCases,
  ...setattrCases,
  ...pathCases,
  ...followCases,
  ...batchCases,
  ...watchCases,
  ...snapshotCases,
]

/**
 * The contract for one backend, as rows for any test runner. `open` returns an empty filesystem, which each row closes.
 *
 * ```ts
 * for (const row of vfsContractRows(() => memory())) test.skipIf(row.isSkipped)(row.name, row.run)
 * ```
 */
export function vfsContractRows(
  open: () => VfsBackend,
  options: { readonly deviations?: readonly Deviation[]; readonly cases?: readonly VfsCase[] } = {},
): readonly ContractRow[] {
  checkArguments('vfsContractRows', [open, options], ['function', ['deviations', 'cases']])
  const probe = open()
  checkMember('vfsContractRows', probe, 'caps', 'a function that opens a filesystem')
  const { caps } = probe
  void probe.close()
  return runContract(options.cases ?? vfsContract, {
    ...(options.deviations === undefined ? {} : { deviations: options.deviations }),
    can: capability => hasCapability(caps, capability),
    async open() {
      const context = open()
      return { context, close: () => context.close() }
    },
  })
}
