// A container in a real page: the stand-in's by default, with `WEBCONTAINER=live` the service's.

import type { ContainerHost } from '../../worker/webcontainer-host.ts'
import { openContainer, type OpenContainerOptions } from '../../worker/webcontainer.ts'
import { keepSettings } from './page-settings.ts'
import type { QuirkSettings } from './quirks.ts'

/** Points the client at the stand-in. Once for a page: the client looks once. */
export function useStandIn(settings: QuirkSettings): void {
  Reflect.set(globalThis, 'WEBCONTAINER_API_IFRAME_URL', location.origin)
  keepSettings(globalThis, settings)
}

export function openPageTwin(settings: QuirkSettings, options: OpenContainerOptions = {}): Promise<ContainerHost> {
  useStandIn(settings)
  return openContainer(options)
}
