// Replacements for Node modules that memfs imports and a private volume never or hardly uses. Only the bundle of memfs contains them.

/** Streams over files; a volume behind our port never creates one. */
export class Readable {}
export class Writable {}

/** Only used to check whether a path is a URL. */
export const URL: unknown = Reflect.get(globalThis, 'URL')

/** memfs asks for the working directory and the user: the root, and the owner of everything. */
export const process: { readonly platform: string; readonly env: object; cwd(): string; emitWarning(): void } = {
  platform: 'linux',
  env: {},
  cwd: () => '/',
  emitWarning: () => {},
}
