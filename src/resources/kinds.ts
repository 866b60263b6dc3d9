// All kinds of resources. A new one is a folder with a `kind.ts` and a row here; a toolset opens those that its manifest
// lists. The columns are described in `kind.ts`.

import type { ResourceKind } from './kind.ts'

export const resourceKinds: readonly ResourceKind[] = [
  {
    name: 'archive',
    extensions: 'zip jar tar tgz tar.gz gz xz txz zst tzst bz2 tbz2'.split(' '),
    load: () => import('./archive/kind.ts'),
  },
  {
    name: 'image',
    extensions: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'tif', 'tiff', 'ico', 'hdr', 'exr', 'qoi', 'dds', 'tga', 'ff'],
    isKnownByContent: true,
    load: () => import('./image/kind.ts'),
  },
  { name: 'notebook', extensions: ['ipynb'], load: () => import('./notebook/kind.ts') },
  { name: 'internal', prefixes: ['://'], load: () => import('./internal/kind.ts') },
  { name: 'url', prefixes: ['https:/', 'http:/', 'www.'], load: () => import('./url/kind.ts') },
  {
    name: 'sqlite',
    extensions: ['sqlite', 'sqlite3', 'db', 'db3'],
    load: () => import('./sqlite/kind.ts'),
  },
  {
    name: 'document',
    extensions: 'pdf docx docm dotx xlsx xlsm xltx pptx pptm ppsx epub odt ods odp rtf doc dot xls xlt ppt pps'.split(' '),
    load: () => import('./document/kind.ts'),
  },
]

/** Whether an address may belong to one of `kinds`, from its text alone. May be true too often, never false wrongly. */
export function mayNameResource(kinds: readonly ResourceKind[], text: string): boolean {
  const lower = text.toLowerCase()
  return kinds.some(
    ({ extensions = [], prefixes = [] }) =>
      prefixes.some(prefix => lower.startsWith(prefix) || (prefix === '://' && lower.includes(prefix))) ||
      extensions.some(extension => lower.includes(`.${extension}`)),
  )
}
