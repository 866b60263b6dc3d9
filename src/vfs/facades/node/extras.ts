// The functions of `node:fs` that are composed of others: temporary directories that remove themselves, and files as blobs.

import { systemErrorCode } from '../../../core/errors.ts'
import type { Steps } from '../../steps.ts'
import { invalidType, optionsOf } from './arguments.ts'
import { type NodePath, pathText } from './paths.ts'
import type { PathVerbs } from './path-verbs.ts'
import type { NodeSystem } from './system.ts'

/** A temporary directory. `remove`, or the end of a `using` block, removes it with everything in it. */
export interface TemporaryDirectory<Removed> {
  readonly path: string | Uint8Array
  readonly remove: () => Removed
}

/** `removeAs` runs the steps that remove the directory, at once or by promise. */
export function* temporaryDirectory<Removed>(
  { workingDirectory }: NodeSystem,
  verbs: PathVerbs,
  prefix: NodePath,
  options: unknown,
  symbolName: 'dispose' | 'asyncDispose',
  removeAs: (steps: Steps<void>) => Removed,
): Steps<TemporaryDirectory<Removed>> {
  const path = yield* verbs.mkdtemp(prefix, options)
  const text = typeof path === 'string' ? path : new TextDecoder().decode(path)
  const absolute = text.startsWith('/') ? text : `${workingDirectory}/${text}`
  const remove = (): Removed => removeAs(verbs.rm(absolute, { recursive: true, force: true }))
  const made = { path, remove }
  // Not in the types: a consumer's compiler may not know the symbol, and a platform may not have it.
  const symbol = (Symbol as { readonly dispose?: symbol; readonly asyncDispose?: symbol })[symbolName]
  if (symbol !== undefined) Object.defineProperty(made, symbol, { value: remove })
  return made
}

/** The content as it is now: a later change of the file does not change the blob. */
export function fileAsBlob(verbs: PathVerbs, path: NodePath, given: unknown): Steps<Blob> {
  const type = optionsOf<{ type: string }>(given, false).type || ''
  if (typeof type !== 'string') throw invalidType('options.type', 'of type string', type)
  pathText(path)
  return blobOf(verbs.readFile(path), type)
}

function* blobOf(reading: ReturnType<PathVerbs['readFile']>, type: string): Steps<Blob> {
  let bytes: string | Uint8Array
  try {
    bytes = yield* reading
  } catch (error) {
    // Node reports nothing else.
    if (systemErrorCode(error)?.startsWith('ERR_') !== false) throw error
    throw Object.assign(new TypeError('Unable to open file as blob', { cause: error }), { code: 'ERR_INVALID_ARG_VALUE' })
  }
  return new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type })
}
