// Whether a web address may be fetched: checked for the given address, and again for every redirect.

import { words } from '../../core/words.ts'
import { ToolError } from '../../core/errors.ts'
import type { UrlRules } from '../host.ts'
import { isPublicAddress, parseIpv4 } from './addresses.ts'

/** Names of the local network or of a cloud's metadata, including all names below them. */
const closedNames: readonly string[] = words(`
  localhost localdomain local internal intranet lan home.arpa metadata metadata.goog instance-data kubernetes
`)

/** Parses a given text as a URL. Throws `ToolError` `url-invalid` or `url-refused`. */
export function checkUrl(given: string, rules: UrlRules): URL {
  const url = parseUrl(given)
  const problem = urlProblem(url, rules)
  if (problem === undefined) return url
  throw new ToolError('url-refused', `${given} is not fetched: ${problem}.`, {
    nextStep: 'Use a public address, or ask the user for the content.',
    details: { url: given },
  })
}

/** Repairs mistakes that models make: a missing scheme, a single slash. */
function parseUrl(given: string): URL {
  const text = given.startsWith('www.') ? `https://${given}` : given.replace(/^(https?):\/(?!\/)/i, '$1://')
  if (URL.canParse(text)) return new URL(text)
  throw new ToolError('url-invalid', `${JSON.stringify(given)} is not a web address.`, {
    nextStep: 'Write it as https://host/path.',
    details: { url: given },
  })
}

/** The reason for a refusal, as the end of a sentence. */
export function urlProblem(url: URL, { allow, deny = [] }: UrlRules): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${url.protocol} is not http or https`
  if (url.username !== '' || url.password !== '') return 'it brings a user name or password'
  // The parser has converted every notation of an IPv4 address to the usual one.
  const host = url.hostname.toLowerCase().replace(/\.+$/, '')
  if (deny.some(pattern => fits(host, pattern))) return 'the host of this workspace denies it'
  if (allow !== undefined)
    return allow.some(pattern => fits(host, pattern)) ? undefined : 'the host of this workspace does not allow it'
  return hostProblem(host)
}

function hostProblem(host: string): string | undefined {
  if (host === '') return 'it names no host'
  const closed = 'it is a private, local or reserved address'
  if (host.startsWith('[')) return isPublicAddress(host.slice(1, -1)) ? undefined : closed
  if (parseIpv4(host) !== undefined) return isPublicAddress(host) ? undefined : closed
  return closedNames.some(name => host === name || host.endsWith(`.${name}`)) ? closed : undefined
}

/** `example.com` matches itself, `*.example.com` all names below it. */
function fits(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase().replace(/\.+$/, '')
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted
}
