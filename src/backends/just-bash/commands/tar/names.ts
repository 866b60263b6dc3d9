// Which members of an archive are meant, and where they may go. A member is never unpacked above the directory, whatever it is called.

/** A name as it is kept: no `/` in front, no `./`, no `/` at its end. */
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

/** A name stands for itself and all below it, or is a pattern. No names: everything. */
export function chooser(names: readonly string[]): (name: string) => boolean {
  if (names.length === 0) return () => true
  const tests = names.map(matcher)
  return name => tests.some(test => test(plainName(name)))
}

/** A pattern matches a whole path, or the end of one that begins behind a `/`, and with it all below. */
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

/** `*`, `?` and classes within one name. It goes back to the last star only, so no pattern takes long. */
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
