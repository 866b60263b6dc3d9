// The resources that a workspace opens beside its files: the host's router, and the network.

import { AnchorageError } from '../core/errors.ts'
import type { HostFetch, ResourceHost, UrlRules } from '../resources/host.ts'
import { isNode } from './platform.ts'
import type { WorkspaceOptions } from './workspace.ts'

/** Throws `AnchorageError` `workspace-options`. */
export function resourceHost({ router, fetch, urls = {}, policy, startWorker }: WorkspaceOptions): ResourceHost {
  if (router !== undefined && (typeof router !== 'object' || router === null))
    throw wrong('router must be an object with read, write, resolve or list')
  if (fetch !== undefined && typeof fetch !== 'function') throw wrong('fetch must be a function')
  for (const [name, hosts] of Object.entries(urls)) {
    if (name !== 'allow' && name !== 'deny') throw wrong(`urls has no "${name}"; it has allow and deny`)
    if (hosts !== undefined && !(Array.isArray(hosts) && hosts.every(host => typeof host === 'string')))
      throw wrong(`urls.${name} must be a list of host names`)
  }
  const isOff = policy?.level === 'none'
  return { router, fetch: isOff ? undefined : (fetch ?? platformFetch(urls)), urls, skillRoots: [], startWorker }
}

function wrong(what: string): AnchorageError {
  return new AnchorageError('workspace-options', `${what}. Next: correct it, or leave it out.`)
}

function platformFetch({ allow }: UrlRules): HostFetch | undefined {
  if (isNode()) {
    return async (url, init) => {
      const { pinnedFetch } = await import('../backends/node/pinned-fetch.ts')
      const { isPublicAddress } = await import('../resources/url/addresses.ts')
      // A host that is explicitly allowed may be in the private network.
      return pinnedFetch(url, init, allow === undefined ? isPublicAddress : () => true)
    }
  }
  if (typeof globalThis.fetch !== 'function') return undefined
  return async (url, { method, headers, signal }) => {
    // A page cannot set its user agent, and a non-safelisted header would cause a preflight request.
    const plain = { method, headers: { accept: headers['accept'] ?? '*/*' }, signal, credentials: 'omit' } as const
    const response = await globalThis.fetch(url, { ...plain, redirect: 'manual' })
    // A page cannot see the target of a redirect, so the platform follows it, and the final address is checked afterwards.
    return response.type === 'opaqueredirect' ? globalThis.fetch(url, { ...plain, redirect: 'follow' }) : response
  }
}
