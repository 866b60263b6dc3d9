// A name may have line feeds in it. Shown as it is, its second line could pass for another row of a result, or for a header.

/** `path` on one line: as a JSON string if it has control characters or line separators, else as it is. */
export function printablePath(path: string): string {
  if (!controlPattern.test(path)) return path
  return JSON.stringify(path).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, escaped)
}

// oxlint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The path that {@link printablePath} shows as `shown`; `undefined` if it is not shown so. */
export function parsePrintablePath(shown: string): string | undefined {
  if (!shown.startsWith('"') || !shown.includes('\\')) return undefined
  try {
    const path: unknown = JSON.parse(shown)
    return typeof path === 'string' && printablePath(path) === shown ? path : undefined
  } catch {
    // Quotes around another text.
    return undefined
  }
}
