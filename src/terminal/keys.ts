// What a terminal sends for keys, as names. Source: xterm's "PC-Style Function Keys" and ECMA-48; pastes come bracketed (mode 2004).

export type TerminalInput =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The pasted text, with its line breaks. */
  | { readonly kind: 'paste'; readonly text: string }

const sequences: Readonly<Record<string, string>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[3~': 'delete',
  '[1;5C': 'word-right',
  '[1;5D': 'word-left',
  '[1;3C': 'word-right',
  '[1;3D': 'word-left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  f: 'word-right',
  b: 'word-left',
}

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const sequencePattern = /^\x1b(\[[0-9;?]*[ -/]*[@-~]|O[A-Z]|[a-z])?/
// oxlint-disable-next-line no-control-regex -- as above
const textPattern = /^[^\x00-\x1f\x7f]+/

/** Splits one piece of input into keys. Sequences without a name here are left out. */
export function readInput(data: string): TerminalInput[] {
  const inputs: TerminalInput[] = []
  let rest = data
  while (rest !== '') {
    if (rest.startsWith(pasteStart)) {
      const end = rest.indexOf(pasteEnd)
      const text = rest.slice(pasteStart.length, end === -1 ? undefined : end)
      inputs.push({ kind: 'paste', text })
      rest = end === -1 ? '' : rest.slice(end + pasteEnd.length)
      continue
    }
    const text = textPattern.exec(rest)?.[0]
    if (text !== undefined) {
      inputs.push({ kind: 'text', text })
      rest = rest.slice(text.length)
      continue
    }
    const sequence = sequencePattern.exec(rest)
    if (sequence !== null) {
      const key = sequences[sequence[1] ?? '']
      if (key !== undefined) inputs.push({ kind: 'key', key })
      rest = rest.slice(sequence[0].length)
      continue
    }
    inputs.push({ kind: 'key', key: controlKey(rest.charCodeAt(0)) })
    rest = rest.slice(1)
  }
  return inputs
}

function controlKey(code: number): string {
  if (code === 0x0d || code === 0x0a) return 'enter'
  if (code === 0x09) return 'tab'
  if (code === 0x7f || code === 0x08) return 'backspace'
  return `ctrl-${String.fromCharCode(code + 0x60)}`
}
