// The reference of all tools is plain HTML, made when the demo is built or served: it needs no script to be read, and cannot differ from
// the package that it describes.

import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

interface ReferenceScript {
  readonly references: () => Promise<readonly unknown[]>
  readonly toHtml: (found: readonly unknown[]) => Promise<string>
}

const script = fileURLToPath(new URL('../.ci/reference.mjs', import.meta.url))
const place = '<!-- reference -->'

/** Fills `reference.html`. */
export function referencePage(): Plugin {
  return {
    name: 'anchorage-reference-page',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        if (!filename.endsWith('/reference.html')) return html
        if (!html.includes(place)) throw new Error(`reference.html has no ${place}`)
        // By its path: the script reads the built package, which the bundled configuration could not name.
        const { references, toHtml } = (await import(script)) as ReferenceScript
        const body = await toHtml(await references())
        return html.replace(place, () => body)
      },
    },
  }
}
