// A file name can contain line feeds. Printed unchanged, its second line could look like another row of a result, or like a header.

/** Returns `path` on one line: as a JSON string if it contains control characters or line separators, and otherwise unchanged. */
export function printablePath(path: string): string {
  if (!controlPattern.test(path)) return path
  return JSON.stringify(path).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, escaped)
}

// oxlint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns the path that {@link printablePath} shows as `shown`, or `undefined` if `shown` is not in that form. */
export function parsePrintablePath(shown: string): string | undefined {
  if (!shown.startsWith('"') || !shown.includes('\\')) return undefined
  try {
    const path: unknown = JSON.parse(shown)
    return typeof path === 'string' && printablePath(path) === shown ? path : undefined
  } catch {
    // The quotes contain another text.
    return undefined
  }
}
