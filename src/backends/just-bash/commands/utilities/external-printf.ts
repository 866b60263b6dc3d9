// The program `printf`, which `env printf` and `xargs printf` run, as arguments of the builtin: it quotes in another way, heeds `\c` in a
// format, and knows neither `-v` nor the formats of bash alone.

import { showNames } from '../fs/ls-quoting.ts'

const directive = /\\[^]|%%|%([-+ #0']*)(\*|\d+)?(?:\.(\*|\d*))?(?:[hlLjzt]*)(\(|[^])?/g

/** Returns an error message for what the program does not know. */
export function builtinArguments(given: readonly string[]): readonly string[] | string {
  const [format, ...values] = given[0] === '--' ? given.slice(1) : given
  if (format === undefined) return 'missing operand'
  /** The conversion that takes each value; `*` for a width. */
  const takers: string[] = []
  let written = ''
  let isCut = false
  for (let at = 0; at < format.length && !isCut;) {
    directive.lastIndex = at
    const found = directive.exec(format)
    written += format.slice(at, found?.index)
    if (found === null) break
    const [all, flags = '', width, precision, conversion] = found
    at = directive.lastIndex
    isCut = all === '\\c'
    if (isCut) break
    if (all.startsWith('%') && all !== '%%') {
      const isBare = flags === '' && width === undefined && precision === undefined
      if (!/^[bqsdiouxXaAeEfFgGc]$/.test(conversion ?? '') || (/^[bq]$/.test(conversion ?? '') && !isBare))
        return `${all}: invalid conversion specification`
      if (width === '*') takers.push('*')
      if (precision === '*') takers.push('*')
      takers.push(conversion ?? '')
    }
    written += conversion === 'q' ? '%s' : all
  }
  const show = showNames({ options: [], operands: [] }, 'shell-escape')
  if (typeof show === 'string') return show
  const used = isCut ? values.slice(0, takers.length) : [...values]
  // A value that is missing is empty, and %q shows it.
  if (takers.includes('q')) while (used.length === 0 || used.length % takers.length !== 0) used.push('')
  return ['--', written, ...used.map((value, index) => (takers[index % takers.length] === 'q' ? show(value) : value))]
}
