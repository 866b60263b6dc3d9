// Which literal to look for first. What is rare in sources rules out most of them, and the longest is not the rarest: `function` is
// on every page. Only a guess is needed, because whatever is looked for first, the answer is the same.

/** Common words of sources, in all languages together. What consists of them is on every page. */
const commonWords = new Set(
  (
    'abstract and any as async await boolean break case catch class const continue def default delete do else end enum export ' +
    'extends false final finally fn for from func function get if impl implements import in include instanceof int interface is ' +
    'keyof len let match mod module mut namespace new nil not null number object of or package private promise protected pub ' +
    'public readonly ref require return self set static string struct super switch symbol then this throw true try type typeof ' +
    'undefined unknown use value var void while with yield error name key index data length'
  ).split(' '),
)

/** How often bytes are there in sources, in ten thousandths; those that are not named are rarer. Measured on npm packages (2026). */
const frequencies: Readonly<Record<string, number>> = {
  ' ': 1500,
  e: 740, t: 610, r: 480, n: 450, o: 450, a: 400, i: 400, s: 400, c: 270, p: 260, l: 260, d: 230, u: 200, m: 190, f: 150, y: 130,
  h: 120, g: 110, b: 90, v: 70, x: 60, k: 55, w: 50, '\n': 290, '.': 170, ',': 130, '(': 110, ')': 110, ';': 100, ':': 100,
  '"': 120, "'": 110, '/': 130, '*': 100, '-': 80, _: 80, '=': 90, '{': 50, '}': 50, '\t': 150, '0': 80, '1': 80, '2': 60,
} // prettier-ignore

const rareFrequency = 20

function frequencyOf(character: string): number {
  return frequencies[character] ?? (character >= 'A' && character <= 'Z' ? 30 : rareFrequency)
}

/** The more, the fewer places hold `text`; about the bits of information in it. */
export function rarityOf(text: string, isFolded: boolean): number {
  let bits = 0
  for (const part of text.split(/(?<![A-Za-z])(?=[A-Za-z])|(?<=[A-Za-z])(?![A-Za-z])/)) {
    const isCommon = commonWords.has(part.toLowerCase())
    let partBits = 0
    for (const character of part) {
      const frequency = frequencyOf(character) + (isFolded ? frequencyOf(character.toUpperCase()) : 0)
      // A character says less where others say which it must be.
      partBits += 0.8 * Math.log2(10_000 / frequency)
    }
    bits += isCommon ? Math.min(partBits, 9) : partBits
  }
  return bits
}

/** How far a search for literals may skip on the average, when it may skip `skipOf` a byte. */
export function meanSkip(skipOf: (byte: number) => number): number {
  let skips = 0
  let all = 0
  for (let byte = 0; byte < 128; byte++) {
    const frequency = frequencyOf(String.fromCharCode(byte))
    all += frequency
    skips += frequency * skipOf(byte)
  }
  return skips / all
}
