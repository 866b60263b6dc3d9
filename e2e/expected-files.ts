// What the scripted session must leave behind, computed from the sources by other means than the session's own.

/** The limits as the session leaves them: two numbers by the agent, one line by the person. Throws if there is nothing to change. */
export function expectedLimits(source: string): string {
  const record = source.indexOf('export const defaultLimits')
  const changes: readonly (readonly [string, string])[] = [
    ['readMaxLines', '5000'],
    ['bashMaxLines', '5000'],
    ['bashMaxBytes', '256 * 1024'],
  ]
  let text = source
  for (const [name, value] of changes) {
    const start = text.indexOf(` ${name}: `, record)
    const end = text.indexOf(',\n', start)
    if (record === -1 || start === -1 || end === -1) throw new Error(`The limits no longer set ${name} on a line of its own.`)
    text = `${text.slice(0, start)} ${name}: ${value}${text.slice(end)}`
  }
  return text
}
