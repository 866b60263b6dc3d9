// Options that are planned and not implemented are refused, so that no host relies on a guard that does not exist.

import { AnchorageError } from '../core/errors.ts'

/** The planned options of `createWorkspace` and `connectWorkspace`. */
export const missingWorkspaceOptions: readonly string[] = ['ids']

/** Throws `workspace-options` for the first of `missing` that is present. */
export function refuseMissing(where: string, options: object, missing: readonly string[]): void {
  for (const name of missing) {
    if (Reflect.get(options, name) !== undefined) {
      throw new AnchorageError(
        'workspace-options',
        `${where} does not have "${name}" yet, so it would have no effect. Leave it out.`,
      )
    }
  }
}
