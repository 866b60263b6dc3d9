/** The words of a text, for long lists of names. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** The numbers of names, written `EPERM 1, ENOENT 2`. */
export function numberTable(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(',').map(row => {
      const [name = '', number] = row.trim().split(' ')
      return [name, Number(number)]
    }),
  )
}
