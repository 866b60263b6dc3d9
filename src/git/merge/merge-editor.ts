// Whether git would let a person edit the message of a merge.

import type { GitCall } from '../call.ts'
import { acceptsUnedited } from '../commands/message.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import { boolOf, type Config } from '../store/config.ts'

/** `merge -e`, or `GIT_MERGE_AUTOEDIT` where no message is given: whether an editor would have to run. */
export function mergeNeedsEditor(call: GitCall, config: Config, options: Options): boolean {
  const isGiven = options.given.some(({ key }) => key === 'edit')
  const setting = call.environment.env['GIT_MERGE_AUTOEDIT']
  const hasMessage = ['message', 'file'].some(key => options.has(key))
  const isUsual = setting === undefined || hasMessage ? false : boolOf(setting)
  if (!isGiven && isUsual === undefined) throw fatal(`Bad value '${setting ?? ''}' in environment 'GIT_MERGE_AUTOEDIT'`)
  return (isGiven ? options.has('edit') : isUsual === true) && !acceptsUnedited(call, config)
}
