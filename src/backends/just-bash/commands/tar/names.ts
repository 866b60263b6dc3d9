// Selects the members of an archive and normalizes their names. A member is never extracted outside the target directory.

/** Normalizes a name: removes a leading `/`, `.` components and trailing slashes. */
export function plainName(name: string): string {
  return name
    .split('/')
    .filter(part => part !== '' && part !== '.')
    .join('/')
}

export function climbs(name: string): boolean {
  return name.split('/').includes('..')
}

export function stripped(name: string, count: number): string {
  return plainName(name).split('/').slice(count).join('/')
}

/** Each name selects that member and everything below it, or is a pattern. Without names, everything is selected. */
export function chooser(names: readonly string[]): (name: string) => boolean {
  if (names.length === 0) return () => true
  const tests = names.map(matcher)
  return name => tests.some(test => test(plainName(name)))
}

/** A pattern matches a whole path, or a suffix of it that begins after a `/`, and everything below. */
export function excluder(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map(matcher)
  return name => {
    const parts = plainName(name).split('/')
    return tests.some(test => parts.some((_, start) => test(parts.slice(start).join('/'))))
  }
}

function matcher(pattern: string): (name: string) => boolean {
  const plain = plainName(pattern)
  if (!/[*?[]/.test(plain)) return name => plain === '' || name === plain || name.startsWith(`${plain}/`)
  const parts = plain.split('/').map(partMatcher)
  return name => {
    const names = name.split('/')
    return names.length >= parts.length && parts.every((test, index) => test(names[index] ?? ''))
  }
}

/**
 * Compiles a pattern with `*`, `?` and bracket expressions. It backtracks only to the last star, so matching time is never
 * exponential.
 */
export function partMatcher(pattern: string): (name: string) => boolean {
  const tokens = pattern.match(/\*+|\?|\[[!^]?\]?[^\]]*\]|\\?[^]/g) ?? []
  return name => {
    let token = 0
    let at = 0
    let star = -1
    let starAt = 0
    while (at < name.length) {
      const current = tokens[token]
      if (current?.startsWith('*') === true) {
        star = token++
        starAt = at
      } else if (current !== undefined && matchesOne(current, name.charAt(at))) {
        token += 1
        at += 1
      } else if (star === -1) return false
      else {
        token = star + 1
        at = starAt += 1
      }
    }
    while (tokens[token]?.startsWith('*') === true) token += 1
    return token === tokens.length
  }
}

function matchesOne(token: string, character: string): boolean {
  if (token === '?') return true
  if (token.length < 3 || !token.startsWith('[')) return token.replace(/^\\(?=.)/, '') === character
  const isNegated = /^\[[!^]/.test(token)
  const members = token.slice(isNegated ? 2 : 1, -1)
  let isMember = false
  for (let index = 0; index < members.length; index++) {
    if (members[index + 1] === '-' && index + 2 < members.length) {
      isMember ||= character >= members.charAt(index) && character <= members.charAt(index + 2)
      index += 2
    } else isMember ||= members[index] === character
  }
  return isMember !== isNegated
}
