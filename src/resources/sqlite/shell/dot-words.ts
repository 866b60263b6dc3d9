// The words of a command with a dot.

export function isOn(word: string): boolean {
  return ['on', 'yes', 'true', '1'].includes(word.toLowerCase())
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\', '"': '"' }

/** The words of a command: with escapes in double quotes, literal in single quotes. */
export function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g), ([, single, double, plain]) => {
    if (single !== undefined) return single
    return (double ?? plain ?? '').replace(/\\(.)/g, (all, letter: string) => escapes[letter] ?? all)
  })
}
