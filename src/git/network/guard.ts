// Which addresses git may reach. Checks the normalised address, and each redirect again.

import { fatal, type GitFailure } from '../errors.ts'
import type { GitNetworkOptions } from './options.ts'

/** The normalised address. Rejects an address that the host did not allow, before anything is sent. */
export function checkedAddress(text: string, options: GitNetworkOptions | undefined): string {
  if (options === undefined) {
    throw fatal(
      `unable to access '${withoutUser(text)}': the network is off. The host turns it on with the option git: { remotes: [...] }.`,
    )
  }
  const ssh = /^(?:ssh:\/\/)?(?:[^@/]+@)?([^/:]+)[:/](.+)$/.exec(text)
  if (!/^https?:\/\//i.test(text)) {
    const [, host, path] = ssh ?? []
    const other = host === undefined || path === undefined || text.startsWith('/') ? '' : ` Try https://${host}/${path}`
    throw fatal(`unable to access '${withoutUser(text)}': only https addresses are built into this git.${other}`)
  }
  if (!URL.canParse(text)) throw fatal(`unable to access '${withoutUser(text)}': this is no address`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    throw fatal(
      `unable to access '${withoutUser(text)}': an address must not hold a name or a password; the host gives credentials`,
    )
  }
  url.hash = ''
  const allowing = options.remotes.filter(pattern => matches(pattern, url.href))
  if (allowing.length === 0) throw refused(url, 'it is not among the remotes that the host allows')
  const isNamed = allowing.some(pattern => originOf(pattern) === url.origin)
  if (url.protocol !== 'https:' && !isNamed) throw refused(url, 'only https is allowed')
  if (isPrivateHost(url.hostname) && !isNamed)
    throw refused(url, 'addresses of this machine and of private networks are not allowed')
  return url.href
}

function refused(url: URL, reason: string): GitFailure {
  return fatal(`unable to access '${url.href}': ${reason}`)
}

/** The address without secrets, for messages. */
export function withoutUser(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')
}

/** `undefined` for a pattern with several hosts. */
function originOf(pattern: string): string | undefined {
  const [origin] = /^https?:\/\/[^/*]+(?=\/|$)/i.exec(pattern) ?? []
  return origin === undefined || !URL.canParse(origin) ? undefined : new URL(origin).origin
}

function matches(pattern: string, address: string): boolean {
  const source = pattern
    .split('*')
    .map(part => part.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`))
    .join('.*')
  return new RegExp(`^${source}$`).test(address)
}

function isPrivateHost(host: string): boolean {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return true
  return (
    host === 'localhost' || !host.includes('.') || /\.(?:localhost|local|internal|lan|home|corp)$/.test(host.replace(/\.$/, ''))
  )
}
