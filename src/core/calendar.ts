// The English names of months and weekdays, as commands print and read them.

export const monthNames: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')
export const weekdayNames: readonly string[] = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The abbreviations of three letters, which most dates use. */
export function abbreviated(names: readonly string[], index: number): string {
  return names[index]?.slice(0, 3) ?? ''
}
