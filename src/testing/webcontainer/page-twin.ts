// A container in a real page: by default the stand-in's, with `WEBCONTAINER=live` the service's, through the same client and driver.

import type { ContainerHost } from '../../worker/webcontainer-host.ts'
import { openContainer, type OpenContainerOptions } from '../../worker/webcontainer.ts'
import { observationsPath, readObservations, type Observations } from './observe.ts'
import { keepSettings } from './page-settings.ts'
import type { QuirkSettings } from './quirks.ts'

export interface PageTwin {
  readonly mode: 'standin' | 'live'
  readonly host: () => Promise<ContainerHost>
  /** Why a live container was requested but is not available here. */
  readonly unavailable: string | undefined
  /** The findings of the last live run, which configure the stand-in. */
  readonly observed: Observations | undefined
}

const service = 'https://stackblitz.com/headless'

export async function openPageTwin(settings: QuirkSettings, options: OpenContainerOptions = {}): Promise<PageTwin> {
  const mode = await (await fetch('/webcontainer-mode')).text()
  const observed = readObservations(await (await fetch(observationsPath)).text())
  const host = once(() => openContainer(options))
  if (mode === 'live') return { mode, host, unavailable: await unreachable(), observed }
  useStandIn({ observed, ...settings })
  return { mode: 'standin', host, unavailable: undefined, observed }
}

/** Makes the client use the stand-in. Once per page, because the client checks only once. */
export function useStandIn(settings: QuirkSettings): void {
  Reflect.set(globalThis, 'WEBCONTAINER_API_IFRAME_URL', location.origin)
  keepSettings(globalThis, settings)
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

async function unreachable(): Promise<string | undefined> {
  try {
    await fetch(service, { mode: 'no-cors', signal: AbortSignal.timeout(10_000) })
    return undefined
  } catch (error) {
    return `WEBCONTAINER=live, but ${service} cannot be reached: ${error instanceof Error ? error.message : String(error)}`
  }
}
