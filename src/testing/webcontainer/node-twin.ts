// The real client in Node: it needs a window to listen at and a document to put its iframe into, and of both only a few members. The
// stand-in's server takes the place of what the iframe would have loaded.

import { existsSync, readFileSync } from 'node:fs'
import type { BootOptions, WebContainer } from '@webcontainer/api'
import { serveHeadless } from './headless.ts'
import { readObservations, type Observations } from './observe.ts'
import type { QuirkSettings } from './quirks.ts'

const origin = 'http://stand-in.test'
// By its place, so that a query makes it another module: the client keeps its connection for as long as its module lives.
const clientUrl = new URL('../../../node_modules/@webcontainer/api/dist/index.js', import.meta.url).href
let twins = 0

/** The client's class, as far as it is needed here. */
export interface TwinClient {
  boot(options?: BootOptions): Promise<WebContainer>
}

/** A client that is connected to a stand-in of its own. Each call loads the client anew, as a page does. */
export async function nodeTwin(settings: QuirkSettings = {}): Promise<TwinClient> {
  const { WebContainer: Client } = (await import(
    /* @vite-ignore */ `${clientUrl}?twin=${++twins}`
  )) as typeof import('@webcontainer/api')
  const page = pageFor({ observed: recordedObservations(), ...settings })
  return {
    // Of several twins only one boots at a time, because each looks for its page in the same place.
    async boot(options) {
      const before = booting
      let done: () => void = () => {}
      booting = new Promise<void>(resolve => {
        done = resolve
      })
      await before
      Object.assign(globalThis, page)
      try {
        return await Client.boot(options)
      } finally {
        done()
      }
    },
  }
}

const observationsFile = new URL('../../../e2e/observations/webcontainer.json', import.meta.url)

/** What the last live run found, if there was one. */
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
