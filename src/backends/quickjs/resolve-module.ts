// Finds the file of a module, as Node does: relative paths, packages in `node_modules`, and the modules that are built in.

import { isRecord } from '../../core/record.ts'
import { resolveFrom } from '../../shell/files.ts'

export interface ModuleFiles {
  /** Returns `undefined` if there is nothing. Follows symbolic links. */
  kindOf(path: string): 'file' | 'directory' | undefined
  readText(path: string): string
}

/** By how the module is asked for: Node adds no extension to what is imported. */
export type ModuleRequest = 'import' | 'require'

export class ModuleNotFound extends Error {
  readonly code = 'MODULE_NOT_FOUND'
}

/** Returns an absolute path. Throws a `ModuleNotFound`. */
export function resolveModule(files: ModuleFiles, specifier: string, from: string, request: ModuleRequest): string {
  const directory = from.slice(0, from.lastIndexOf('/')) || '/'
  const text = specifier.startsWith('file://') ? decodeURIComponent(specifier.slice('file://'.length)) : specifier
  const missing = new ModuleNotFound(`Cannot find module '${specifier}' imported from ${from}`)
  if (/^\.{0,2}\//.test(text) || text === '.' || text === '..') {
    const path = resolveFrom(directory, text)
    const found = request === 'require' ? fileOrDirectory(files, path) : exactFile(files, path)
    if (found === undefined) throw missing
    return found
  }
  const [, name = '', below = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(text) ?? []
  for (let at = directory; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const root = `${at === '/' ? '' : at}/node_modules/${name}`
    if (files.kindOf(root) === 'directory') {
      const found = inPackage(files, root, below, request)
      if (found !== undefined) return found
    }
    if (at === '' || at === '/') throw missing
  }
}

/** Whether the nearest package.json says that its files are ECMAScript modules. */
export function isInModulePackage(files: ModuleFiles, path: string): boolean {
  for (let at = path.slice(0, path.lastIndexOf('/')); ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (files.kindOf(`${at}/package.json`) === 'file') return manifestOf(files, at)['type'] === 'module'
    if (at === '') return false
  }
}

function exactFile(files: ModuleFiles, path: string): string | undefined {
  return files.kindOf(path) === 'file' ? path : undefined
}

export function fileOrDirectory(files: ModuleFiles, path: string): string | undefined {
  return withExtension(files, path) ?? inDirectory(files, path)
}

function withExtension(files: ModuleFiles, path: string): string | undefined {
  return ['', '.js', '.json', '.cjs', '.mjs'].map(extension => path + extension).find(name => files.kindOf(name) === 'file')
}

function inDirectory(files: ModuleFiles, path: string): string | undefined {
  if (files.kindOf(path) !== 'directory') return undefined
  const { main } = manifestOf(files, path)
  const entry = typeof main === 'string' ? resolveFrom(path, main) : undefined
  const found = entry === undefined ? undefined : (withExtension(files, entry) ?? withExtension(files, `${entry}/index`))
  return found ?? withExtension(files, `${path}/index`)
}

function inPackage(files: ModuleFiles, root: string, below: string, request: ModuleRequest): string | undefined {
  const { exports } = manifestOf(files, root)
  if (exports === undefined || exports === null) return fileOrDirectory(files, root + below)
  const isTable = isRecord(exports) && Object.keys(exports).some(key => key.startsWith('.'))
  const target = targetOf(isTable ? exports[`.${below}`] : below === '' ? exports : undefined, request)
  return target === undefined ? undefined : exactFile(files, resolveFrom(root, target))
}

/** The first condition that holds. */
function targetOf(entry: unknown, request: ModuleRequest): string | undefined {
  if (typeof entry === 'string') return entry
  if (Array.isArray(entry)) return targetOf(entry[0], request)
  if (!isRecord(entry)) return undefined
  const [, chosen] = Object.entries(entry).find(([condition]) => [request, 'node', 'default'].includes(condition)) ?? []
  return targetOf(chosen, request)
}

function manifestOf(files: ModuleFiles, directory: string): Readonly<Record<string, unknown>> {
  const path = `${directory}/package.json`
  if (files.kindOf(path) !== 'file') return {}
  try {
    const manifest: unknown = JSON.parse(files.readText(path))
    return isRecord(manifest) ? manifest : {}
  } catch (error) {
    throw new ModuleNotFound(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
