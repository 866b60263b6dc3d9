// The real client in Node. It needs a few members of a window and a document for its iframe. The stand-in's server replaces what the iframe
// would have loaded.

import { existsSync, readFileSync } from 'node:fs'
import type { BootOptions, WebContainer } from '@webcontainer/api'
import { serveHeadless } from './headless.ts'
import { readObservations, type Observations } from './observe.ts'
import type { QuirkSettings } from './quirks.ts'
import { deferred } from '../../core/deferred.ts'

const origin = 'http://stand-in.test'
// By its URL, so that a query makes it a new module: the client keeps its connection as long as its module.
const clientUrl = new URL('../../../node_modules/@webcontainer/api/dist/index.js', import.meta.url).href
let twins = 0

/** The part of the client's class that is needed here. */
export interface TwinClient {
  boot(options?: BootOptions): Promise<WebContainer>
}

/** A client that is connected to a separate stand-in. Each call loads the client again, as a page does. */
export async function nodeTwin(settings: QuirkSettings = {}): Promise<TwinClient> {
  const { WebContainer: Client } = (await import(
    /* @vite-ignore */ `${clientUrl}?twin=${++twins}`
  )) as typeof import('@webcontainer/api')
  const page = pageFor({ observed: recordedObservations(), ...settings })
  return {
    // Only one of several twins boots at a time, because each looks for its page in the same place.
    async boot(options) {
      const before = booting
      const done = deferred<void>()
      booting = done.promise
      await before
      Object.assign(globalThis, page)
      try {
        return await Client.boot(options)
      } finally {
        done.resolve()
      }
    },
  }
}

const observationsFile = new URL('../../../e2e/observations/webcontainer.json', import.meta.url)

/** The findings of the last live run, if there was one. */
export function recordedObservations(): Observations | undefined {
  return readObservations(existsSync(observationsFile) ? readFileSync(observationsFile, 'utf8') : '')
}

let booting: Promise<void> = Promise.resolve()

function pageFor(settings: QuirkSettings): Readonly<Record<string, unknown>> {
  const listeners = new Set<(event: unknown) => void>()
  return {
    WEBCONTAINER_API_IFRAME_URL: origin,
    window: {
      crossOriginIsolated: true,
      location: { host: 'stand-in.test', href: origin },
      addEventListener: (_type: string, listener: (event: unknown) => void) => listeners.add(listener),
    },
    document: {
      createElement: () => ({ style: {}, setAttribute: () => {}, src: '' }),
      body: {
        insertBefore: () => {
          const { port1, port2 } = new MessageChannel()
          serveHeadless(port1, settings)
          for (const listener of listeners) listener({ origin, data: { type: 'init' }, ports: [port2] })
        },
      },
    },
  }
}
