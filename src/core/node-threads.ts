// The threads of Node, and whether workers can be started at all. The description of a tool needs it, so this module is small.

/**
 * Node's module without an import, which bundlers for pages would try to resolve. Also works in Deno and Bun, where their Web
 * Workers take precedence.
 */
export function nodeThreads(): NodeThreads | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
  return process?.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined
}

export interface NodeThreads {
  readonly parentPort: NodePort | null
  readonly Worker: new (
    script: URL,
    options?: { readonly name?: string; readonly resourceLimits?: { readonly maxOldGenerationSizeMb: number } },
  ) => NodeWorker
}

export interface NodeWorker extends NodePort {
  on(event: 'message', listener: (message: unknown) => void): void
  on(event: 'error', listener: (error: unknown) => void): void
  on(event: 'exit', listener: (code: number) => void): void
  terminate(): Promise<number>
  /** An idle worker must not keep the program from ending. */
  unref(): void
  ref(): void
}

export interface NodePort {
  postMessage(message: unknown, transfer: readonly unknown[]): void
  on(event: 'message', listener: (message: unknown) => void): void
}

/** Whether this platform can start Web Workers or threads. Starting one can still fail. */
export function hasWorkers(): boolean {
  return (globalThis as { Worker?: unknown }).Worker !== undefined || nodeThreads() !== undefined
}
