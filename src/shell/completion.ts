// The completions at the cursor of a command line: commands, variables or paths. Pure except for listing a directory.

import { resolveFrom, type FileEntry } from './files.ts'
import type { ShellCompletion } from './session.ts'

export interface CompletionSource {
  /** Builtins, functions, aliases and programs. */
  readonly commands: () => readonly string[]
  readonly variables: () => readonly string[]
  readonly home: string
  /** Rejects for a path that is not a directory. */
  readonly list: (directory: string) => Promise<readonly FileEntry[]>
}

const maxWords = 1_000

/** The word at the end of a text, as the shell parses it. */
interface OpenWord {
  readonly start: number
  /** The word without quotes. */
  readonly text: string
  readonly quote: '"' | "'" | ''
  readonly isCommand: boolean
  /** The command of which the word is an argument. */
  readonly command: string
}

export async function completeLine(
  line: string,
  cursor: number,
  cwd: string,
  source: CompletionSource,
): Promise<ShellCompletion> {
  const word = openWord(line.slice(0, cursor))
  const variable = /(^|[^\\])\$\{?(\w*)$/.exec(line.slice(word.start, cursor))
  if (variable !== null && word.quote !== "'") {
    const start = cursor - (variable[2] ?? '').length
    return completion(
      start,
      source.variables().filter(name => name.startsWith(variable[2] ?? '')),
    )
  }
  const isPath = word.text.includes('/') || word.text.startsWith('~')
  if (word.isCommand && !isPath && word.quote === '') {
    const names = [...new Set(source.commands())].filter(name => name.startsWith(word.text))
    if (names.length > 0 || word.text === '') return completion(word.start, names.sort(), ' ')
  }
  return completion(word.start, await paths(word, cwd, source))
}

async function paths(
  { text, quote, command }: OpenWord,
  cwd: string,
  { home, list }: CompletionSource,
): Promise<readonly string[]> {
  const slash = text.lastIndexOf('/') + 1
  const [shown, name] = [text.slice(0, slash), text.slice(slash)]
  const isHome = quote === '' && shown.startsWith('~/')
  const directory = isHome ? `${home}/${shown.slice(2)}` : shown
  const entries = await list(resolveFrom(cwd, directory === '' ? '.' : directory)).catch(() => [])
  const onlyDirectories = command === 'cd' || command === 'pushd' || command === 'rmdir'
  return entries
    .filter(entry => entry.name.startsWith(name) && (name.startsWith('.') || !entry.name.startsWith('.')))
    .filter(({ kind }) => !onlyDirectories || kind !== 'file')
    .map(entry => {
      const path = quoted(`${isHome ? shown.slice(2) : shown}${entry.name}`, quote)
      const whole = isHome ? `~/${path}` : path
      return entry.kind === 'directory' ? `${quote}${whole}/` : `${quote}${whole}${quote} `
    })
    .sort()
}

function completion(start: number, words: readonly string[], end = ''): ShellCompletion {
  return { start, words: words.slice(0, maxWords).map(word => `${word}${end}`), isCut: words.length > maxWords }
}

/** Escapes characters that are special to the shell with a backslash. */
function quoted(text: string, quote: OpenWord['quote']): string {
  if (quote === "'") return text.replaceAll("'", `'\\''`)
  if (quote === '"') return text.replace(/["$`\\]/g, String.raw`\$&`)
  return text.replace(/[^\w@%+=:,./\-\u0080-\uffff]/g, String.raw`\$&`)
}

const separators = new Set([';', '|', '&', '(', '\n', '`', '{'])
const keywords = new Set('if then else elif do while until time ! sudo exec command builtin'.split(' '))

function openWord(text: string): OpenWord {
  let start = 0
  let word = ''
  let quote: OpenWord['quote'] = ''
  let isCommand = true
  let command = ''
  let hasWord = false
  const endWord = (next: number): void => {
    if (hasWord && isCommand && !/^\w+=/.test(word)) {
      isCommand = keywords.has(word)
      if (!isCommand) command = word
    }
    word = ''
    hasWord = false
    start = next
  }
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"') word += text.charAt(++at)
      else word += character
    } else if (character === '\\') {
      word += text.charAt(++at)
      hasWord = true
    } else if (character === '"' || character === "'") {
      quote = character
      hasWord = true
    } else if (character === ' ' || character === '\t') endWord(at + 1)
    else if (separators.has(character) && !(character === '{' && hasWord)) {
      endWord(at + 1)
      isCommand = true
      command = ''
    } else if (character === '<' || character === '>') {
      endWord(at + 1)
      isCommand = false
    } else {
      word += character
      hasWord = true
    }
  }
  return { start, text: word, quote, isCommand, command }
}
