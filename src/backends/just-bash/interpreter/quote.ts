// Values written so that a shell reads them back: as `${x@Q}`, `printf %q`, `declare -p` and `set` do.

/** `$'…'` where it holds what no other quotes show, else single quotes. */
export function quoteValue(text: string): string {
  return needsAnsi(text) ? ansiQuoted(text) : `'${text.replaceAll("'", `'\\''`)}'`
}

/** As `printf %q`: backslashes, `''` for nothing, and `$'…'` where it must be. */
export function quoteWord(text: string): string {
  if (text === '') return "''"
  if (needsAnsi(text)) return ansiQuoted(text)
  return text.replace(/[ !"$&'()*,;<>?[\\\]^`{|}]|^#|(?<=^|[=:])~/g, '\\$&')
}

/** A key as `declare -p` shows it between brackets. */
export function quoteKey(key: string): string {
  return needsAnsi(key) || /[ '"\\|&;()<>!{}*[\]?^$`]|^[@#]$|^#|(?:^|[=:])~/.test(key) ? quoteDeclared(key) : key
}

/** As `declare -p`: double quotes. */
export function quoteDeclared(text: string): string {
  return needsAnsi(text) ? ansiQuoted(text) : `"${text.replace(/[$`"\\]/g, '\\$&')}"`
}

/** As in the traces of `set -x`: quotes only where they are needed. */
export function quoteTraced(text: string): string {
  if (text === '') return "''"
  if (/[\s'"\\|&;()<>!{}*[\]?^$`]|^#|(?:^|[=:])~/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  return needsAnsi(text) ? ansiQuoted(text) : text
}

function needsAnsi(text: string): boolean {
  return /[\x00-\x1f\x7f\udc80-\udcff]/.test(text) && (!text.isWellFormed() || /[\x00-\x1f\x7f]/.test(text))
}

const names: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\E',
  "'": "\\'",
  '\\': '\\\\',
}

function ansiQuoted(text: string): string {
  const escaped = Array.from(text, character => {
    const code = character.codePointAt(0) ?? 0
    const known = names[character]
    if (known !== undefined) return known
    if (code < 0x20 || code === 0x7f) return `\\${code.toString(8).padStart(3, '0')}`
    return code >= 0xdc80 && code <= 0xdcff ? `\\${(code - 0xdc00).toString(8)}` : character
  })
  return `$'${escaped.join('')}'`
}
