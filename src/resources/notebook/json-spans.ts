// Where the values of a JSON text lie, so that one of them can be replaced and every other byte stays. The text was parsed before, so
// nothing here looks for mistakes.

export interface Span {
  readonly start: number
  readonly end: number
}

export interface ObjectMember extends Span {
  readonly key: string
}

/** The values of the object that begins at `at`, by key; the last of two with one key, as parsing has it. */
export function membersOf(text: string, at: number): ReadonlyMap<string, ObjectMember> {
  const members = new Map<string, ObjectMember>()
  let position = afterBlanks(text, at + 1)
  while (text[position] === '"') {
    const keyEnd = endOfString(text, position)
    const key = String(JSON.parse(text.slice(position, keyEnd)))
    const start = afterBlanks(text, afterBlanks(text, keyEnd) + 1)
    const end = endOfValue(text, start)
    members.set(key, { key, start, end })
    position = afterBlanks(text, end)
    if (text[position] === ',') position = afterBlanks(text, position + 1)
  }
  return members
}

/** The elements of the array that begins at `at`. */
export function elementsOf(text: string, at: number): readonly Span[] {
  const elements: Span[] = []
  let position = afterBlanks(text, at + 1)
  while (position < text.length && text[position] !== ']') {
    const end = endOfValue(text, position)
    elements.push({ start: position, end })
    position = afterBlanks(text, end)
    if (text[position] === ',') position = afterBlanks(text, position + 1)
  }
  return elements
}

export function afterBlanks(text: string, at: number): number {
  let position = at
  while (' \t\r\n'.includes(text[position] ?? 'x')) position++
  return position
}

function endOfString(text: string, at: number): number {
  let position = at + 1
  while (position < text.length && text[position] !== '"') position += text[position] === '\\' ? 2 : 1
  return position + 1
}

function endOfValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return endOfString(text, at)
  if (first !== '{' && first !== '[') {
    let position = at
    while (position < text.length && !',]} \t\r\n'.includes(text[position] ?? '')) position++
    return position
  }
  let depth = 0
  let position = at
  while (position < text.length) {
    const character = text[position]
    if (character === '"') {
      position = endOfString(text, position)
      continue
    }
    if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return position + 1
    position++
  }
  return position
}
