// The options of a toolset's functions. The rules are loaded only for a wrong one: the check itself runs before the first read.

import { isSignal } from './abort.ts'

const names = { call: 'signal onUpdate callId turn', preview: 'signal', close: 'forget' } as const

interface CallOptions {
  readonly signal?: unknown
  readonly onUpdate?: unknown
  readonly forget?: unknown
}

/** Rejects with `wrong-argument` for anything but an object of known options, such as a signal that is not in an object. */
export async function checkCallOptions(method: keyof typeof names, given: CallOptions | undefined): Promise<void> {
  const known = names[method].split(' ')
  let isUsual =
    given === undefined ||
    (Object(given) === given && isSignal(given.signal) && typeof (given.onUpdate ?? isSignal) === 'function')
  // The members of a signal are inherited.
  for (const name in given) isUsual &&= known.includes(name)
  if (!isUsual) (await import('./argument.ts')).checkNames(`toolset.${method}`, 'options', given, known)
}
