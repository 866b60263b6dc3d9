// The modes of `chmod`, octal and symbolic.

/** Applies the change that `text` describes to `mode`; `undefined` if `text` is invalid. Without `u`, `g`, `o` or `a`, `umask` applies. */
export function changeMode(text: string, mode: number, isDirectory: boolean, umask: number): number | undefined {
  // For a directory, up to four octal digits keep the setuid and setgid bits; five digits set them.
  if (/^[0-7]{1,5}$/.test(text)) return (Number.parseInt(text, 8) & 0o7777) | (isDirectory && text.length < 5 ? mode & 0o6000 : 0)
  let result = mode
  for (const clause of text.split(',')) {
    const [, sign, digits = ''] = /^([-+=])([0-7]{1,4})$/.exec(clause) ?? []
    if (sign !== undefined) {
      const bits = Number.parseInt(digits, 8)
      result = sign === '+' ? result | bits : sign === '-' ? result & ~bits : bits
      continue
    }
    const match = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/.exec(clause)
    if (match === null) return undefined
    const [, who = '', actions = ''] = match
    for (const [, operator = '', letters = ''] of actions.matchAll(/([-+=])([rwxXst]*[ugo]?|[ugo])/g)) {
      const bits = bitsOf(letters, result, isDirectory)
      const mask = maskOf(who, umask)
      const special =
        (letters.includes('s')
          ? (who === '' || /[ua]/.test(who) ? 0o4000 : 0) | (who === '' || /[ga]/.test(who) ? 0o2000 : 0)
          : 0) | (letters.includes('t') ? 0o1000 : 0)
      if (operator === '+') result |= (bits & mask) | special
      else if (operator === '-') result &= ~((bits & mask) | special)
      else result = (result & ~(classMask(who) | (isDirectory ? 0 : specialMask(who)))) | (bits & mask) | special
    }
  }
  return result & 0o7777
}

function bitsOf(letters: string, mode: number, isDirectory: boolean): number {
  let bits = 0
  if (letters.includes('r')) bits |= 0o444
  if (letters.includes('w')) bits |= 0o222
  if (letters.includes('x') || (letters.includes('X') && (isDirectory || (mode & 0o111) !== 0))) bits |= 0o111
  const copied = letters.includes('u')
    ? (mode >> 6) & 7
    : letters.includes('g')
      ? (mode >> 3) & 7
      : letters.includes('o')
        ? mode & 7
        : 0
  return bits | (copied << 6) | (copied << 3) | copied
}

function classMask(who: string): number {
  if (who === '' || who.includes('a')) return 0o777
  return (who.includes('u') ? 0o700 : 0) | (who.includes('g') ? 0o070 : 0) | (who.includes('o') ? 0o007 : 0)
}

/** The special bits that `=` clears on a file. */
function specialMask(who: string): number {
  if (who === '' || who.includes('a')) return 0o7000
  return (who.includes('u') ? 0o4000 : 0) | (who.includes('g') ? 0o2000 : 0) | (who.includes('o') ? 0o1000 : 0)
}

function maskOf(who: string, umask: number): number {
  return who === '' ? 0o777 & ~umask : classMask(who)
}
