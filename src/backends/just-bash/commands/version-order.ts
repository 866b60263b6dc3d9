// The order of `sort -V` and `ls -v`: runs of digits compare as numbers, letters sort before other characters, `~` sorts first,
// and file name extensions are compared last.

export function compareVersions(one: string, other: string): number {
  const places = [placeOf(one), placeOf(other)] as const
  if (places[0] !== places[1] || places[0] < 3) return places[0] - places[1]
  const [left, right] = [withoutEndings(one), withoutEndings(other)]
  return compareRuns(left, right) || compareRuns(one, other)
}

/** The empty name, `.`, `..` and hidden names sort first, in this order. */
function placeOf(name: string): number {
  return name === '' ? 0 : name === '.' ? 1 : name === '..' ? 2 : name.startsWith('.') ? 3 : 4
}

function withoutEndings(name: string): string {
  return name.charAt(0) + name.slice(1).replace(/(?:\.[A-Za-z~][A-Za-z\d~]*)+$/, '')
}

function compareRuns(one: string, other: string): number {
  const runsOf = (text: string): string[] => text.split(/(\d+)/)
  const [left, right] = [runsOf(one), runsOf(other)]
  // Even indexes hold text, odd indexes hold digits.
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [first = '', second = ''] = [left[index], right[index]]
    const result = index % 2 === 0 ? compareTexts(first, second) : compareNumbers(first, second)
    if (result !== 0) return result
  }
  return 0
}

function compareTexts(one: string, other: string): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const result = rankAt(one, at) - rankAt(other, at)
    if (result !== 0) return result
  }
  return 0
}

/** The end of the text sorts after `~` and before all other characters. */
function rankAt(text: string, at: number): number {
  const character = text.charAt(at)
  if (character === '') return -1
  if (character === '~') return -2
  return text.charCodeAt(at) + (/[A-Za-z]/.test(character) ? 0 : 0x10000)
}

/** Compares numbers of any length. */
function compareNumbers(one: string, other: string): number {
  const [left, right] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')]
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0)
}
