// The demo works on the sources of this project. At build time they become one JSON asset beside the page; while
// developing, each request gets them anew.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The name of the asset, relative to the page. */
export const projectAsset = 'project.json'

/** What the asset holds: relative path → text, or the bytes of a sample. */
export type PackedProject = Readonly<Record<string, string | { readonly base64: string }>>

const maxBytes = 5_000_000
// Larger files are test data and are left out.
const maxFileBytes = 150_000
const root = fileURLToPath(new URL('..', import.meta.url))
const topFiles = ['README.md', 'package.json', 'tsconfig.json']
const textName = /\.(ts|json|md|txt|css|html)$/
/** Files of other kinds, for those who try what a path can name. */
const samples = join(root, 'demo/samples')

/** Serves and emits the project's own sources as `project.json`. */
export function packProject(): Plugin {
  return {
    name: 'anchorage-pack-project',
    configureServer(server) {
      server.middlewares.use(`/${projectAsset}`, (_request, response, next) => {
        pack().then(source => {
          response.setHeader('Content-Type', 'application/json')
          response.end(source)
        }, next)
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: projectAsset, source: await pack() })
    },
  }
}

async function pack(): Promise<string> {
  const files: Record<string, PackedProject[string]> = {}
  for (const path of await textFiles()) {
    const text = await textOrUndefined(join(root, path))
    if (text !== undefined) files[path] = text
  }
  for (const name of await readdir(samples)) files[`samples/${name}`] = contentOf(await readFile(join(samples, name)))
  const json = JSON.stringify(files satisfies PackedProject)
  const sizeBytes = Buffer.byteLength(json)
  if (sizeBytes > maxBytes)
    throw new Error(`The packed project has ${sizeBytes} bytes, more than the ${maxBytes} a page should fetch: pack less.`)
  return json
}

function contentOf(bytes: Buffer): PackedProject[string] {
  return textIn(bytes) ?? { base64: bytes.toString('base64') }
}

/** Most of the sources, and of the tests only those beside which the session writes one. Large rooms and fixtures stay out. */
async function textFiles(): Promise<string[]> {
  const top = await readdir(root)
  const below = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  const sources = below
    .filter(entry => entry.isFile() && textName.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .filter(
      path =>
        !/^src\/(backends\/just-bash\/(?:commands|regex)|codec|git|resources|testing)\//.test(path) &&
        (!path.endsWith('.test.ts') || path.startsWith('src/core/')),
    )
  return [...topFiles.filter(name => top.includes(name)), ...sources].sort()
}

/** Leaves out files that are too large, and fixtures that are not text. */
async function textOrUndefined(file: string): Promise<string | undefined> {
  const bytes = await readFile(file)
  return bytes.length > maxFileBytes ? undefined : textIn(bytes)
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
