// What the design names and is not built yet is refused, so that nobody believes in a guard that is not there.

import { AnchorageError } from '../core/errors.ts'

/** Of `createWorkspace` and `connectWorkspace`. `fetch` is taken and means nothing yet: no tool fetches, and each URL is refused by name. */
export const missingWorkspaceOptions: readonly string[] = ['ids', 'router']

/** Throws `workspace-options` for the first of `missing` that is there. */
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
