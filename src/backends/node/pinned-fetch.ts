// Fetches over a connection to an address that was looked at. A name is resolved once, every address that it has must be public, and the
// connection goes to one of them: a name that means something else a moment later leads nowhere. Node's modules are asked for when they
// are needed and never imported: the file is reached from the workspace, which is bundled for pages too.

import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'

export interface PinnedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface PinnedResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
}

/** `isPublic` judges an address in its usual notation. Rejects with an `Error` whose message is the end of a sentence. */
export async function pinnedFetch(
  url: string,
  { headers, signal }: PinnedRequest,
  isPublic: (address: string) => boolean,
): Promise<PinnedResponse> {
  const target = new URL(url)
  const { http, https } = nodeModules()
  const { request: send } = target.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const request = send(
      target,
      // Nothing is unpacked here, so nothing packed is asked for.
      { headers: { ...headers, 'accept-encoding': 'identity' }, signal, lookup: publicLookup(isPublic), agent: false },
      response => resolve(responseOf(response)),
    )
    request.on('error', reject)
    request.end()
  })
}

function publicLookup(isPublic: (address: string) => boolean): LookupFunction {
  const { dns, net } = nodeModules()
  return (hostname, options, callback) => {
    dns.lookup(hostname, { all: true, verbatim: true }, (error, addresses) => {
      const found = error === null ? addresses : []
      const [first] = found
      const closed = found.find(({ address }) => net.isIP(address) === 0 || !isPublic(address))
      if (error !== null || first === undefined) callback(error ?? new Error(`${hostname} has no address`), '', 0)
      else if (closed !== undefined)
        callback(new Error(`${hostname} leads to ${closed.address}, a private, local or reserved address`), '', 0)
      else if (options.all === true) callback(null, [first])
      else callback(null, first.address, first.family)
    })
  }
}

function responseOf(response: IncomingMessage): PinnedResponse {
  return {
    status: response.statusCode ?? 0,
    headers: {
      get(name) {
        const value = response.headers[name.toLowerCase()]
        return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
      },
    },
    body: nodeModules().stream.Readable.toWeb(response) as ReadableStream<Uint8Array>,
  }
}

function nodeModules() {
  return {
    dns: process.getBuiltinModule('node:dns'),
    http: process.getBuiltinModule('node:http'),
    https: process.getBuiltinModule('node:https'),
    net: process.getBuiltinModule('node:net'),
    stream: process.getBuiltinModule('node:stream'),
  }
}
