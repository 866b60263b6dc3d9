// One content from the server or the browser's cache, checked against the manifest before anybody sees it.

import { VfsError } from '../../vfs/error.ts'
import { sha256Of } from './sha256.ts'
import { StallLimit } from './stall.ts'

/** As the platform has it. */
export type HttpFetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>

export interface Wanted {
  readonly path: string
  readonly url: string
  readonly sizeBytes: number
  readonly sha256: string
}

export interface DownloadOptions {
  readonly fetch: HttpFetch
  /** `undefined`: nothing is kept between visits. */
  readonly cacheName: string | undefined
  /** A download that brings no byte for so long is ended. */
  readonly stallMs: number
}

/** Before the second and the third try. */
const pausesMs = [200, 1000]

/** Throws `VfsError` EIO: what went wrong, and what to do. */
export async function download(wanted: Wanted, options: DownloadOptions): Promise<Uint8Array> {
  const cache = await openCache(options.cacheName)
  const kept = await cache?.match(wanted.url)
  if (kept !== undefined) {
    const bytes = new Uint8Array(await kept.arrayBuffer())
    // An older version of the file, or one that was damaged: the server has the right one.
    if ((await mismatch(bytes, wanted)) === undefined) return bytes
  }
  const bytes = await fetchTried(wanted, options)
  const fault = await mismatch(bytes, wanted)
  if (fault !== undefined) throw failed(wanted, `${wanted.url} ${fault}; make the manifest again, or publish the file again`)
  await cache?.put(wanted.url, new Response(new Uint8Array(bytes))).catch(() => {
    // The browser has no room left. The content is there all the same, and will be loaded again next time.
  })
  return bytes
}

async function openCache(name: string | undefined): Promise<Cache | undefined> {
  // Pages without HTTPS and Node have none.
  if (name === undefined || typeof caches === 'undefined') return undefined
  return await caches.open(name).catch(() => undefined)
}

async function mismatch(bytes: Uint8Array, { sizeBytes, sha256 }: Wanted): Promise<string | undefined> {
  if (bytes.length !== sizeBytes) return `has ${bytes.length} bytes, and the manifest says ${sizeBytes}`
  return (await sha256Of(bytes)) === sha256 ? undefined : 'differs from the manifest'
}

async function fetchTried(wanted: Wanted, options: DownloadOptions): Promise<Uint8Array> {
  for (const pauseMs of pausesMs) {
    const outcome = await fetchOnce(wanted, options)
    if (outcome instanceof Uint8Array) return outcome
    if (!outcome.isPassing) throw outcome.failure
    await new Promise(resolve => {
      setTimeout(resolve, pauseMs)
    })
  }
  const last = await fetchOnce(wanted, options)
  if (last instanceof Uint8Array) return last
  throw last.failure
}

interface Refused {
  /** Whether another try may help. */
  readonly isPassing: boolean
  readonly failure: VfsError
}

async function fetchOnce(wanted: Wanted, { fetch, stallMs }: DownloadOptions): Promise<Uint8Array | Refused> {
  const limit = new StallLimit(stallMs)
  try {
    const response = await fetch(wanted.url, { signal: limit.signal })
    if (!response.ok) {
      const { status } = response
      await response.body?.cancel()
      const failure = failed(wanted, `${wanted.url} answered ${status}; check that the server offers the file`)
      return { isPassing: status === 429 || status >= 500, failure }
    }
    // A body that is longer than the manifest says is not read to its end, because it may have none.
    return await limit.bodyOf(response, totalBytes => {
      if (totalBytes > wanted.sizeBytes)
        throw failed(wanted, `${wanted.url} is longer than the manifest says; make the manifest again`)
    })
  } catch (error) {
    if (error instanceof VfsError) throw error
    const hint = `${wanted.url} could not be loaded: ${limit.reasonOf(error)}; check the connection and read the file again`
    return { isPassing: true, failure: failed(wanted, hint, error) }
  } finally {
    limit.end()
  }
}

function failed(wanted: Wanted, hint: string, cause?: unknown): VfsError {
  return new VfsError('EIO', 'read', { path: wanted.path, hint, cause })
}
