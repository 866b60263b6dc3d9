// Commands and tools write through the same filesystem, and whoever watches wants to know which it was. A backend is given to commands
// under a name; the name goes with each change, through mounts, guards and other tabs, to the watcher.

/** What a command did, of whatever shell. */
export const shellOrigin = 'shell'

interface ActingBackend<B> {
  readonly as?: (origin: string) => B
}

/** `backend` for someone called `origin`; itself for nobody, and where it cannot tell its users apart. */
export function actingAs<B extends ActingBackend<B>>(backend: B, origin: string | undefined): B {
  return origin === undefined ? backend : (backend.as?.(origin) ?? backend)
}

/** How what `origin` did in the tab `tabName` is told in another tab. */
export function originInTab(tabName: string, origin: string | undefined): string {
  return origin === undefined ? tabName : `${tabName}/${origin}`
}
