// The numbers of list items: digits, letters and Roman numerals.

/** A number as lists write it. @param format the name that Word or OpenDocument has for the form; unknown ones are decimal */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'decimalZero':
      return String(value).padStart(2, '0')
    case 'a':
    case 'lowerLetter':
      return letters(value)
    case 'A':
    case 'upperLetter':
      return letters(value).toUpperCase()
    case 'i':
    case 'lowerRoman':
      return roman(value)
    case 'I':
    case 'upperRoman':
      return roman(value).toUpperCase()
    default:
      return String(value)
  }
}

/** As Word counts: z is followed by aa and bb. */
function letters(value: number): string {
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(20, Math.ceil(value / 26)))
}

function roman(value: number): string {
  const steps = [
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const
  let rest = Math.min(value, 10_000)
  let text = ''
  for (const [step, sign] of steps) {
    text += sign.repeat(Math.floor(rest / step))
    rest %= step
  }
  return text
}
