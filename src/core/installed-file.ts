// Where Node finds a file of a package that the host has installed.

interface NodeModule {
  readonly createRequire: (from: string) => { readonly resolve: (specifier: string) => string }
}

interface NodeUrl {
  readonly pathToFileURL: (path: string) => { readonly href: string }
}

/** The URL of `specifier` for the module `from`; `undefined` outside of Node. Throws if the package is not installed. */
export function installedFile(specifier: string, from: string): string | undefined {
  const { process } = globalThis as {
    process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown }
  }
  if (process?.versions?.node === undefined || process.getBuiltinModule === undefined) return undefined
  const { createRequire } = process.getBuiltinModule('node:module') as NodeModule
  const { pathToFileURL } = process.getBuiltinModule('node:url') as NodeUrl
  return pathToFileURL(createRequire(from).resolve(specifier)).href
}
