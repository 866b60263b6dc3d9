// What sed is to do beyond what just-bash's own can do is marked in its output, by characters that nobody writes: where case changes, and that
// it ended with a code. Here the marks are carried out.

// In a private plane.
const first = 0x10f7a0
const letters = 'ULEul'
const quit = String.fromCodePoint(first + 16)

/** One character for each of sed's letters. */
export function caseMark(letter: string): string {
  return String.fromCodePoint(first + letters.indexOf(letter))
}

export const caseMarks: { readonly E: string } = { E: caseMark('E') }

export function quitMark(code: number): string {
  return `${quit}${code}`
}

export interface Unmarked {
  readonly text: string
  /** What sed ended with by `q` or `Q`. */
  readonly exitCode: number | undefined
}

export function withoutMarks(marked: string): Unmarked {
  const found = new RegExp(`${quit}(\\d+)\n`, 'u').exec(marked)
  const text = found === null ? marked : marked.replace(found[0], '')
  return { text: inCase(text), exitCode: found === null ? undefined : Number(found[1]) }
}

function inCase(text: string): string {
  let [always, once] = ['', '']
  let output = ''
  for (const character of text) {
    const letter = letters.charAt((character.codePointAt(0) ?? 0) - first)
    if (letter === 'u' || letter === 'l') once = letter
    else if (letter !== '') [always, once] = [letter === 'E' ? '' : letter, letter === 'E' ? '' : once]
    else {
      output += changed(character, once || always)
      once = ''
    }
  }
  return output
}

function changed(character: string, how: string): string {
  if (how === '') return character
  return how === 'U' || how === 'u' ? character.toUpperCase() : character.toLowerCase()
}
