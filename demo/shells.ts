// The shells that can run commands. A WebContainer comes from a service on the network and needs a
// page that is cross-origin isolated; where it cannot be used, the reason is kept here.

import { openContainer, type ContainerHost } from 'anchorage/client'
import { messageOf } from './format.ts'

export type ShellName = 'just-bash' | 'webcontainer'

/** How long the service may take to answer, in milliseconds. It reports no error when it cannot be reached. */
const bootTimeoutMs = 20_000

/** The only container of the page, opened on first use. */
export class PageShells {
  #container: ContainerHost | undefined
  #problem: string | undefined

  /** Why a WebContainer cannot be used now; `undefined` when it can be tried. */
  get containerProblem(): string | undefined {
    if (this.#container !== undefined) return undefined
    if (this.#problem !== undefined) return this.#problem
    if (!globalThis.crossOriginIsolated) return 'Needs a page that is cross-origin isolated, which this one is not.'
    if (!navigator.onLine) return 'Needs a connection to the internet: this browser is offline.'
    return undefined
  }

  /** Rejects with the problem, and `containerProblem` keeps it: a boot that hangs cannot be tried twice in one page. */
  async container(): Promise<ContainerHost> {
    if (this.#container !== undefined) return this.#container
    try {
      this.#container = await openContainer({ bootTimeoutMs })
      return this.#container
    } catch (error) {
      this.#problem = messageOf(error)
      throw error
    }
  }

  /** Tears the container down when the page no longer uses it. */
  close(): void {
    this.#container?.teardown()
    this.#container = undefined
  }
}
