// The options of a toolset's functions. The rules are loaded only for a wrong one: the check itself runs before the first read.

import type { OptionNames } from './argument.ts'
import type { CallContext, CloseOptions } from './tool.ts'

const names: {
  readonly call: OptionNames<CallContext>
  readonly preview: OptionNames<Pick<CallContext, 'signal'>>
  readonly close: OptionNames<CloseOptions>
} = { call: { signal: 1, onUpdate: 1, callId: 1, turn: 1 }, preview: { signal: 1 }, close: { forget: 1 } }

/** Rejects with `wrong-argument` for anything but an object of known options, such as a signal that is not in an object. */
export async function checkCallOptions(method: keyof typeof names, given: object | undefined): Promise<void> {
  const known: Readonly<Record<string, 1>> = names[method]
  let isUsual = given === undefined || Object(given) === given
  // The members of a signal are inherited.
  for (const name in given) isUsual &&= Object.hasOwn(known, name)
  if (!isUsual) (await import('./argument.ts')).checkOptions(`toolset.${method}`, given, known)
}
