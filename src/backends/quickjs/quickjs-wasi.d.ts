// The part of the optional package `quickjs-wasi` that this folder uses, so that the repository compiles where it is not installed.

declare module 'quickjs-wasi' {
  export interface JSValueHandle {
    readonly isNumber: boolean
    readonly isArrayBuffer: boolean
    readonly identity: number
    toString(): string
    toNumber(): number
    toArrayBuffer(): ArrayBuffer
    getProp(name: string): JSValueHandle
    setProp(name: string, value: JSValueHandle): void
    dup(): JSValueHandle
    dispose(): void
  }

  export interface QuickJSOptions {
    readonly wasm: ArrayBuffer | ArrayBufferView | { readonly compiled: unknown }
    readonly memoryLimit?: number
    readonly maxStackSize?: number
    readonly interruptHandler?: () => boolean
    readonly onUnhandledRejection?: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => void
    readonly moduleLoader?: {
      readonly normalize?: (from: string, specifier: string) => string
      readonly load: (name: string) => string
    }
  }

  export class QuickJS {
    static create(options: QuickJSOptions): Promise<QuickJS>
    readonly undefined: JSValueHandle
    readonly true: JSValueHandle
    readonly false: JSValueHandle
    evalCode(code: string, filename?: string, flags?: number): JSValueHandle
    compile(code: string, filename?: string): Uint8Array
    executePendingJobs(): number
    newString(text: string): JSValueHandle
    newObject(): JSValueHandle
    newArrayBuffer(data: ArrayBuffer | Uint8Array): JSValueHandle
    newError(error: string | Error): JSValueHandle
    newFunction(name: string, body: (...args: JSValueHandle[]) => JSValueHandle): JSValueHandle
    callFunction(called: JSValueHandle, self: JSValueHandle, ...args: JSValueHandle[]): JSValueHandle
    dispose(): void
  }
}
