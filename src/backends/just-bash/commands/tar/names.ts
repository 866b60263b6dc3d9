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
  return plainName(
    name
      .split(/\/+/)
      .filter(part => part !== '')
      .slice(count)
      .join('/'),
  )
}

/** A name that selects members: literally, or with `--wildcards` as a pattern. */
export interface WantedName {
  readonly name: string
  readonly isPattern: boolean
  /** Where `-C` before it leads. */
  readonly directory: string
}

/** Each name selects that member and everything below it. Without names, everything is selected. */
export function chooser(names: readonly WantedName[]): (name: string) => boolean {
  if (names.length === 0) return () => true
  const tests = names.map(({ name, isPattern }) => (isPattern ? patternMatcher(name) : literalMatcher(name)))
  return name => tests.some(test => test(plainName(name)))
}

/** A pattern matches a whole path, or a suffix of it that begins after a `/`, and everything below. */
export function excluder(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map(patternMatcher)
  return name => {
    const parts = plainName(name).split('/')
    return tests.some(test => parts.some((_, start) => test(parts.slice(start).join('/'))))
  }
}

/** Whether a name has characters that a pattern gives a meaning. */
export function looksLikePattern(name: string): boolean {
  return /[*?[]/.test(name)
}

function literalMatcher(given: string): (name: string) => boolean {
  const plain = plainName(given)
  return name => plain === '' || name === plain || name.startsWith(`${plain}/`)
}

/** As in GNU tar, `*` and `?` also match a `/`. */
function patternMatcher(pattern: string): (name: string) => boolean {
  if (!looksLikePattern(pattern)) return literalMatcher(pattern)
  const test = partMatcher(plainName(pattern))
  return name => {
    for (let end = name.indexOf('/'); end !== -1; end = name.indexOf('/', end + 1)) if (test(name.slice(0, end))) return true
    return test(name)
  }
}

/** Compiles a pattern with `*`, `?` and bracket expressions. It backtracks only to the last star, so matching time is never exponential. */
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
