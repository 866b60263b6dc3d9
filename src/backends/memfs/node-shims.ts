// What memfs imports from Node and a private volume never uses, or uses in one place. Only its bundle is built with these.

/** Streams over files; nobody gets one from a volume that is behind our port. */
export class Readable {}
export class Writable {}

/** Only to ask whether a path is one. */
export const URL: unknown = Reflect.get(globalThis, 'URL')

/** memfs asks where and as whom it runs: at the root, and as the owner of everything. */
export const process: { readonly platform: string; readonly env: object; cwd(): string; emitWarning(): void } = {
  platform: 'linux',
  env: {},
  cwd: () => '/',
  emitWarning: () => {},
}
