// Opens a WebContainer in the page: it works nowhere else, and a page can have only one. The client waits forever if the service cannot be
// reached, so the time-out is here.

import type { BootOptions, WebContainer } from '@webcontainer/api'
import { checkOptions } from '../core/argument.ts'
import { AnchorageError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import { inTime } from './in-time.ts'
import type { ContainerHost } from './webcontainer-host.ts'

export type { ContainerHost } from './webcontainer-host.ts'

/** Options of `openContainer`. */
export interface OpenContainerOptions {
  /** A container that the page booted already. Without it, one is booted here. */
  readonly container?: WebContainer | undefined
  /** How the page is isolated; the first boot of a page decides. */
  readonly coep?: BootOptions['coep'] | undefined
  readonly workdirName?: string | undefined
  /** Default 30,000. After a boot that takes longer, the page must be reloaded before another attempt. */
  readonly bootTimeoutMs?: number | undefined
  /** Called when a boot has failed and is tried once more. */
  readonly onRetry?: ((reason: string) => void) | undefined
  /** How long the container may be silent before it is probed, and how long the probe may take. Default 30,000. */
  readonly silenceMs?: number | undefined
  /** Loads the client; default `import('@webcontainer/api')`. */
  readonly loadClient?: (() => Promise<{ readonly WebContainer: Pick<typeof WebContainer, 'boot'> }>) | undefined
}

let opened: Promise<ContainerHost> | undefined

/**
 * Opens a container that workspaces of this page can use: `webcontainer(container)` is its filesystem, `webcontainerShell(container)` its
 * shell. It runs until `teardown`.
 *
 * Rejects with an `AnchorageError`: `container-open` (a page has one at a time), `container-timeout` (the service could not be reached
 * in time: offline, blocked, or the page is not isolated), `container-boot` (it failed twice).
 */
export function openContainer(options: OpenContainerOptions = {}): Promise<ContainerHost> {
  checkOptions('openContainer', options, {
    container: 1,
    coep: 1,
    workdirName: 1,
    bootTimeoutMs: 1,
    onRetry: 1,
    silenceMs: 1,
    loadClient: 1,
  })
  if (opened !== undefined) {
    return Promise.reject(
      new AnchorageError(
        'container-open',
        'This page already has a WebContainer, and a page can have only one. Next: use that one, or tear it down.',
      ),
    )
  }
  const opening = open(options, () => {
    if (opened === opening) opened = undefined
  })
  opened = opening
  opening.catch(error => {
    // After a time-out the client still waits for the first boot, and every later boot would wait for that one.
    const canTryAgain = !(error instanceof AnchorageError) || error.code !== 'container-timeout'
    if (canTryAgain && opened === opening) opened = undefined
  })
  return opening
}

async function open(options: OpenContainerOptions, onGone: () => void): Promise<ContainerHost> {
  const container = options.container ?? (await boot(options))
  const { ContainerHost: Host } = await import('./webcontainer-host.ts')
  const frame = containerFrame()
  const { silenceMs } = options
  return new Host(container, {
    onGone,
    ...defined({ isThere: frame && (() => frame.isConnected), silenceMs }),
  })
}

async function boot(options: OpenContainerOptions): Promise<WebContainer> {
  const { loadClient = () => import('@webcontainer/api'), coep, workdirName } = options
  const { WebContainer: Client } = await loadClient()
  const bootOptions: BootOptions = defined({ coep, workdirName })
  const timeoutMs = options.bootTimeoutMs ?? 30_000
  const once = (): Promise<WebContainer> =>
    inTime(Client.boot(bootOptions), timeoutMs, () => {
      throw timeoutError(timeoutMs)
    })
  try {
    return await once()
  } catch (error) {
    if (error instanceof AnchorageError) throw error
    const reason = messageOf(error)
    options.onRetry?.(reason)
    try {
      return await once()
    } catch (second) {
      if (second instanceof AnchorageError) throw second
      throw new AnchorageError(
        'container-boot',
        `The WebContainer could not be booted: ${reason}; the second attempt failed too: ${messageOf(second)}. Next: reload the page, or use another shell.`,
        { details: { reasons: [reason, messageOf(second)] }, cause: second },
      )
    }
  }
}

function timeoutError(timeoutMs: number): AnchorageError {
  const isolated = globalThis.crossOriginIsolated === false ? ' This page is not cross-origin isolated, which is required.' : ''
  return new AnchorageError(
    'container-timeout',
    `The WebContainer did not boot within ${timeoutMs / 1000} seconds.${isolated} Next: check the connection and what blocks frames of other sites, then reload the page.`,
    { details: { timeoutMs } },
  )
}

/** The client's frame, which the client does not expose. Its removal is the only loss that can be detected at once. */
function containerFrame(): { readonly isConnected: boolean } | undefined {
  if (typeof document === 'undefined' || typeof document.querySelectorAll !== 'function') return undefined
  return [...document.querySelectorAll('iframe')].findLast(frame => new URL(frame.src, location.href).pathname === '/headless')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
