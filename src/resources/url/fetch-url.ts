// Fetches one answer of a server, with limits of time and size, and checks each redirect.

import { ToolError } from '../../core/errors.ts'
import { joinBytes } from '../../core/bytes.ts'
import { formatSize } from '../../core/size.ts'
import type { FetchedResponse } from '../host.ts'
import type { ResourceContext } from '../kind.ts'
import { checkUrl, urlProblem } from './guard.ts'

export interface Answer {
  readonly url: URL
  readonly status: number
  /** Lower case, without parameters. */
  readonly type: string
  readonly charset: string | undefined
  readonly bytes: Uint8Array
}

const maxRedirects = 5
const maxBodyBytes = 10 * 1024 * 1024
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Throws `ToolError`: `url-refused`, `url-failed`, `url-too-large`, `url-timeout`. */
export async function fetchUrl(given: string, accept: string, timeoutMs: number, context: ResourceContext): Promise<Answer> {
  const { host, signal } = context
  const { fetch } = host
  if (fetch === undefined) {
    throw new ToolError('url-unavailable', `${given} is not fetched: this workspace has no access to the network.`, {
      nextStep: 'Ask the user for the content.',
      details: { url: given },
    })
  }
  const timeout = AbortSignal.timeout(timeoutMs)
  const ended = AbortSignal.any([signal, timeout])
  try {
    let url = checkUrl(given, host.urls)
    for (let count = 0; count <= maxRedirects; count++) {
      const headers = { accept, 'user-agent': 'anchorage (+https://www.npmjs.com/package/anchorage)' }
      const response = await fetch(url.href, { method: 'GET', headers, redirect: 'manual', signal: ended })
      const location = redirects.has(response.status) ? response.headers.get('location') : null
      if (location === null) return await answerOf(response, landedAt(response, url, context), ended)
      await response.body?.cancel().catch(() => {})
      const next = URL.canParse(location, url) ? new URL(location, url).href : location
      url = checkUrl(next, host.urls)
    }
    throw failed(given, `it leads through more than ${maxRedirects} redirects`, 'Use the address that it leads to.')
  } catch (error) {
    if (error instanceof ToolError) throw error
    signal.throwIfAborted()
    if (timeout.aborted)
      throw failed(given, `there was no answer within ${timeoutMs / 1000} s`, 'Try again later, or another address.')
    const why = error instanceof Error ? `${error.message}${causeOf(error)}` : String(error)
    throw failed(
      given,
      why,
      'Check the address. A web page may only read what servers allow it to (CORS): then the host of this workspace can pass `fetch` to createWorkspace, such as one that asks a proxy.',
    )
  }
}

/** If the platform followed redirects, only the final address can be checked. */
function landedAt(response: FetchedResponse, asked: URL, { host }: ResourceContext): URL {
  if (response.redirected !== true || response.url === undefined || !URL.canParse(response.url)) return asked
  const landed = new URL(response.url)
  const problem = urlProblem(landed, host.urls)
  if (problem === undefined) return landed
  throw new ToolError('url-refused', `${asked.href} leads to ${landed.href}, which is not fetched: ${problem}.`, {
    nextStep: 'Use a public address, or ask the user for the content.',
    details: { url: asked.href },
  })
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? ` (${cause.message})` : ''
}

function failed(url: string, why: string, nextStep: string): ToolError {
  return new ToolError('url-failed', `${url} could not be fetched: ${why}.`, { nextStep, details: { url } })
}

async function answerOf(response: FetchedResponse, url: URL, signal: AbortSignal): Promise<Answer> {
  const contentType = response.headers.get('content-type') ?? ''
  const declared = Number(response.headers.get('content-length') ?? 0)
  if (declared > maxBodyBytes) {
    await response.body?.cancel().catch(() => {})
    throw tooLarge(url, declared)
  }
  const [type = '', ...parameters] = contentType.split(';').map(part => part.trim())
  const charset = parameters.map(each => /^charset="?([^"]+)"?$/i.exec(each)?.[1]).find(each => each !== undefined)
  return { url, status: response.status, type: type.toLowerCase(), charset, bytes: await bodyOf(response, url, signal) }
}

async function bodyOf({ body }: FetchedResponse, url: URL, signal: AbortSignal): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) return joinBytes(pieces, length)
      length += value.length
      if (length > maxBodyBytes) throw tooLarge(url, undefined)
      pieces.push(value)
    }
  } catch (error) {
    // The server may continue to send if it could not be told to stop; that has no effect.
    await reader.cancel(error).catch(() => {})
    throw error
  }
}

function tooLarge(url: URL, sizeBytes: number | undefined): ToolError {
  const size = sizeBytes === undefined ? `more than ${formatSize(maxBodyBytes)}` : formatSize(sizeBytes)
  return new ToolError('url-too-large', `${url.href} is ${size}; at most ${formatSize(maxBodyBytes)} is read.`, {
    nextStep: 'Look for a smaller page, or for the address of a part.',
    details: { url: url.href },
  })
}
