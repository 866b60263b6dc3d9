// Brackets are the one structural feature that most languages share. Counting them needs no grammar, only an approximate recognition of
// strings and comments. A caller must first check that the brackets of the original text balance.

export interface BracketSyntax {
  /** What starts a comment that ends at the end of the line. */
  readonly lineComments: readonly string[]
  /** The brackets to count, in pairs. */
  readonly brackets: string
}

const commonSyntax: BracketSyntax = { lineComments: ['//'], brackets: '()[]{}' }

export interface BracketReader {
  /** Reads one line, without its line ending. */
  readonly take: (line: string) => void
  /** Inside a comment or a template that continues on the next line. */
  readonly isInsideText: () => boolean
}

/**
 * Calls `visit` for each bracket outside strings and comments. `"` and `'` end with their line; template strings and block comments
 * continue.
 */
function createBracketReader(syntax: BracketSyntax, visit: (bracket: string) => void): BracketReader {
  let openText: '`' | '*/' | undefined

  function take(line: string): void {
    let index = 0
    while (index < line.length) {
      const character = line.charAt(index)
      if (openText !== undefined) {
        const end = endOfText(line, index, openText)
        if (end === -1) return
        openText = undefined
        index = end
      } else if (syntax.lineComments.some(mark => line.startsWith(mark, index))) {
        return
      } else if (line.startsWith('/*', index)) {
        openText = '*/'
        index += 2
      } else if (character === '`') {
        openText = '`'
        index++
      } else if (character === '"' || character === "'") {
        const end = endOfText(line, index + 1, character)
        if (end === -1) return
        index = end
      } else {
        if (character === '\\') index++
        else if (syntax.brackets.includes(character)) visit(character)
        index++
      }
    }
  }

  return { take, isInsideText: () => openText !== undefined }
}

/** The index after the end mark, -1 if the line contains none. A backslash escapes the next character, except in a comment. */
function endOfText(line: string, from: number, mark: '`' | '*/' | '"' | "'"): number {
  for (let index = from; index < line.length; index++) {
    if (line.charAt(index) === '\\' && mark !== '*/') index++
    else if (line.startsWith(mark, index)) return index + mark.length
  }
  return -1
}

export interface BracketStack {
  readonly take: (line: string) => void
  /** The number of opening brackets that are not closed yet. */
  readonly depth: () => number
  /** A closing bracket had no matching opening one. */
  readonly isBroken: () => boolean
  readonly isInsideText: () => boolean
}

export function createBracketStack(syntax: BracketSyntax): BracketStack {
  const expected: string[] = []
  let isBroken = false
  const reader = createBracketReader(syntax, bracket => {
    const at = syntax.brackets.indexOf(bracket)
    if (at % 2 === 0) expected.push(syntax.brackets.charAt(at + 1))
    else if (expected.at(-1) === bracket) expected.pop()
    else isBroken = true
  })
  return { ...reader, depth: () => expected.length, isBroken: () => isBroken }
}

/** Whether every bracket has a partner, and no comment or template is left open. */
export function isBalanced(lines: readonly string[]): boolean {
  const stack = createBracketStack(commonSyntax)
  for (const line of lines) {
    stack.take(line)
    if (stack.isBroken()) return false
  }
  return stack.depth() === 0 && !stack.isInsideText()
}

/** How many more brackets of each kind open than close in these lines, in the order of the common syntax's pairs. */
export function netBrackets(lines: readonly string[]): readonly number[] {
  const { brackets } = commonSyntax
  const net = Array.from<number>({ length: brackets.length / 2 }).fill(0)
  const reader = createBracketReader(commonSyntax, bracket => {
    const at = brackets.indexOf(bracket)
    const kind = Math.floor(at / 2)
    net[kind] = (net[kind] ?? 0) + (at % 2 === 0 ? 1 : -1)
  })
  for (const line of lines) reader.take(line)
  return net
}

/** A line with only closing brackets: `}`, `});`, `],`. */
export function isPureCloser(line: string): boolean {
  return /^\s*[)\]}]+[;,]?\s*$/.test(line)
}

/** The blanks at the start of a line. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}
