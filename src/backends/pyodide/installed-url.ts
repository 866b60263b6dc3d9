// Where the package `pyodide` is installed.

interface NodeModule {
  readonly createRequire: (from: string) => { readonly resolve: (specifier: string) => string }
}

interface NodeUrl {
  readonly pathToFileURL: (path: string) => { readonly href: string }
}

/** Returns `undefined` if it is not installed, and in a page, where the host must say it. */
export function installedUrl(): string | undefined {
  const { process } = globalThis as {
    process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown }
  }
  if (process?.versions?.node === undefined || process.getBuiltinModule === undefined) return undefined
  const { createRequire } = process.getBuiltinModule('node:module') as NodeModule
  const { pathToFileURL } = process.getBuiltinModule('node:url') as NodeUrl
  try {
    return new URL('./', pathToFileURL(createRequire(import.meta.url).resolve('pyodide/package.json')).href).href
  } catch {
    return undefined
  }
}
