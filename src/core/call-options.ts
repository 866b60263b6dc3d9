// The options of a toolset's functions. The rules are loaded only for a wrong one: the check itself runs before the first read.

const names = { call: 'signal onUpdate callId turn', preview: 'signal', close: 'forget' } as const

/** Rejects with `wrong-argument` for anything but an object of known options, such as a signal that is not in an object. */
export async function checkCallOptions(method: keyof typeof names, given: object | undefined): Promise<void> {
  const known = names[method].split(' ')
  let isUsual = given === undefined || Object(given) === given
  // The members of a signal are inherited.
  for (const name in given) isUsual &&= known.includes(name)
  if (!isUsual) (await import('./argument.ts')).checkNames(`toolset.${method}`, 'options', given, known)
}
