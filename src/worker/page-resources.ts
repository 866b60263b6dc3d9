// The host's functions across the wire: its router, its fetch, and git's credentials and fetch. Loaded only if a page has one of them.

import { joinBytes } from '../core/bytes.ts'
import { defaultMaxBytes, type GitCredentials, type GitFetch, type GitHostOptions } from '../git/network/options.ts'
import type { FetchedResponse, HostFetch, ResourceRouter } from '../resources/host.ts'
import { answerAsked, Asked } from './asked.ts'
import { reportFault } from './callback.ts'
import { asRecord } from './checks.ts'
import type { Connection } from './connection.ts'
import type { HostedOptions } from './hosted.ts'
import { routerMethods, type PageResources } from './options.ts'
import type { PageMethod, RouterMethod } from './wire.ts'

/** The signal of a `fetch` is not among the arguments. */
interface Question {
  readonly method: PageMethod
  readonly args: readonly unknown[]
}

/** The page's answer: a value, or the message of the error. */
export type ResourceAnswer = { readonly value: unknown } | { readonly failed: string }

interface SentResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array<ArrayBuffer> | undefined
  readonly redirected: boolean
  readonly url: string | undefined
}

/** One byte more than the worker accepts, so that the worker detects longer bodies. */
const maxSentBytes = 10 * 1024 * 1024 + 1

/** The worker's side. */
export class SentQuestions extends Asked<Question, ResourceAnswer> {
  constructor() {
    super('question')
  }

  /** Functions in the place of those of the page. */
  options(answers: readonly PageMethod[], git: GitHostOptions | undefined): Pick<HostedOptions, 'router' | 'fetch' | 'git'> {
    const has = (method: PageMethod): boolean => answers.includes(method)
    return {
      ...(routerMethods.some(has) && { router: this.#router(answers) }),
      ...(has('fetch') && { fetch: this.#fetch }),
      ...(git !== undefined && {
        git: {
          ...git,
          ...(has('gitCredentials') && {
            // Git checks what the host gave.
            credentials: async (url: string) => (await this.#ask('gitCredentials', [url])) as GitCredentials | undefined,
          }),
          ...(has('gitFetch') && { fetch: this.#gitFetch }),
        },
      }),
    }
  }

  #router(methods: readonly PageMethod[]): ResourceRouter {
    const has = (method: RouterMethod): boolean => methods.includes(method)
    return {
      ...(has('read') && { read: async (url: string) => asContent(await this.#ask('read', [url])) }),
      ...(has('write') && {
        write: async (url: string, content: string) => (await this.#ask('write', [url, content])) !== false,
      }),
      ...(has('resolve') && { resolve: async (url: string) => asTextOrNothing(await this.#ask('resolve', [url])) }),
      ...(has('list') && { list: async (url: string) => asTexts(await this.#ask('list', [url])) }),
    }
  }

  readonly #fetch: HostFetch = async (url, { signal, ...init }) => asResponse(await this.#ask('fetch', [url, init], signal))

  readonly #gitFetch: GitFetch = async (url, { signal, ...init }) => asResponse(await this.#ask('gitFetch', [url, init], signal))

  async #ask(method: PageMethod, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted()
    const answer = await this.ask({ method, args }, signal)
    if (answer === undefined) throw signal?.reason
    if ('failed' in answer) throw new Error(answer.failed)
    return answer.value
  }
}

/** The page's side: passes the worker's questions to the host's functions. */
export async function answerQuestions(connection: Connection, resources: PageResources): Promise<void> {
  const answer = async ({ method, args }: Question, signal: AbortSignal): Promise<ResourceAnswer> => {
    try {
      return { value: await answerOf(resources, method, args, signal) }
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
  await answerAsked(connection, 'question', answer, async (id, given) => {
    try {
      await connection.request('answerResource', [id, given])
    } catch (error) {
      if (connection.ended !== undefined) return
      // A router may return a value that cannot be sent.
      await connection
        .request('answerResource', [id, { failed: `the answer cannot be sent: ${String(error)}` }])
        .catch(reportFault)
    }
  })
}

/** The worker is ours and from the same release, so the arguments are trusted. */
async function answerOf(
  { router, fetch, git }: PageResources,
  method: PageMethod,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  const [url, second] = args
  if (typeof url !== 'string') throw new Error('the address must be text; check the call')
  switch (method) {
    case 'fetch':
      return await sentResponse(await fetch?.(url, { ...(second as Parameters<HostFetch>[1]), signal }), maxSentBytes)
    case 'gitFetch': {
      const maxBytes = git?.maxBytes ?? defaultMaxBytes
      return await sentResponse(await git?.fetch?.(url, { ...(second as Parameters<GitFetch>[1]), signal }), maxBytes + 1)
    }
    case 'gitCredentials':
      return await git?.credentials?.(url)
    case 'read':
      return await router?.read?.(url)
    case 'write':
      return await router?.write?.(url, String(second))
    case 'resolve':
      return await router?.resolve?.(url)
    case 'list':
      return await router?.list?.(url)
  }
}

async function sentResponse(response: FetchedResponse | undefined, maxBytes: number): Promise<SentResponse> {
  if (response === undefined) throw new Error('the host has no fetch; pass one to connectWorkspace')
  const { status, headers, body, redirected = false, url } = response
  const names = ['content-type', 'content-length', 'location']
  const sent = names.flatMap(name => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const isRedirect = status >= 300 && status < 400 && headers.get('location') !== null
  if (isRedirect) await body?.cancel().catch(() => {})
  return { status, headers: sent, body: isRedirect || body === null ? undefined : await capped(body, maxBytes), redirected, url }
}

async function capped(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  while (size < maxBytes) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value)
    size += value.length
  }
  // If the server cannot be told to stop, it may continue to send, which has no effect here.
  if (size >= maxBytes) await reader.cancel().catch(() => {})
  return joinBytes(pieces, size).subarray(0, maxBytes)
}

function asResponse(value: unknown): FetchedResponse {
  const { status, headers, body, redirected, url } = asRecord(value, 'a response') as unknown as SentResponse
  const response: FetchedResponse = {
    status,
    headers: new Headers(headers.map(([name, text]): [string, string] => [name, text])),
    body: body === undefined ? null : new Blob([body]).stream(),
    redirected,
  }
  return url === undefined ? response : { ...response, url }
}

function asContent(value: unknown): string | Uint8Array | undefined {
  if (value === undefined || typeof value === 'string' || value instanceof Uint8Array) return value
  throw new Error('the router must return text or bytes; check its function read')
}

function asTextOrNothing(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new Error('the router must return a path or undefined; check its function resolve')
}

function asTexts(value: unknown): readonly string[] | undefined {
  if (value === undefined || (Array.isArray(value) && value.every(each => typeof each === 'string'))) return value
  throw new Error('the router must return a list of addresses; check its function list')
}
