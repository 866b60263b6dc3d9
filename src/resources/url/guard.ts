// Whether a web address may be fetched: asked of what was given, and again of every redirect.

import { ToolError } from '../../core/errors.ts'
import type { UrlRules } from '../host.ts'
import { isPublicAddress, parseIpv4 } from './addresses.ts'

/** Names that lead into the own network or to the metadata of a cloud, with all below them. */
const closedNames: readonly string[] = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'home.arpa',
  'metadata',
  'metadata.goog',
  'instance-data',
  'kubernetes',
]

/** What was given as a URL. Throws `ToolError` `url-invalid` or `url-refused`. */
export function checkUrl(given: string, rules: UrlRules): URL {
  const url = parseUrl(given)
  const problem = urlProblem(url, rules)
  if (problem === undefined) return url
  throw new ToolError('url-refused', `${given} is not fetched: ${problem}.`, {
    nextStep: 'Use a public address, or ask the user for the content.',
    details: { url: given },
  })
}

/** Repairs what models write: a missing scheme, one slash. */
function parseUrl(given: string): URL {
  const text = given.startsWith('www.') ? `https://${given}` : given.replace(/^(https?):\/(?!\/)/i, '$1://')
  if (URL.canParse(text)) return new URL(text)
  throw new ToolError('url-invalid', `${JSON.stringify(given)} is not a web address.`, {
    nextStep: 'Write it as https://host/path.',
    details: { url: given },
  })
}

/** Why it may not be fetched, as the end of a sentence. */
export function urlProblem(url: URL, { allow, deny = [] }: UrlRules): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${url.protocol} is not http or https`
  if (url.username !== '' || url.password !== '') return 'it brings a user name or password'
  // The parser has made every notation of an IPv4 address into the usual one.
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

/** `example.com` fits itself, `*.example.com` what is below it. */
function fits(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase().replace(/\.+$/, '')
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted
}
