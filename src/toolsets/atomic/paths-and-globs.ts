// Other tools take a directory and a glob as two arguments, so models send `path` and `glob` here, too. Together they mean the files in
// that directory that match the glob.

import type { CombinedArguments } from '../../core/coerce.ts'

const directoryNames = ['paths', 'path'] as const

/** `globNames`: arguments that contain a glob if another one contains the directory. */
export function joinPathsAndGlobs(
  input: Readonly<Record<string, unknown>>,
  globNames: readonly string[],
): CombinedArguments | undefined {
  const directoryName = directoryNames.find(name => listOf(input[name]).length > 0)
  const globName = globNames.find(name => listOf(input[name]).length > 0)
  if (directoryName === undefined || globName === undefined) return undefined
  const directories = listOf(input[directoryName])
  const paths = listOf(input[globName]).flatMap(glob => directories.map(directory => joined(directory, glob)))
  const { [directoryName]: _directory, [globName]: _glob, ...others } = input
  // A glob that only excludes needs a directory to exclude from.
  const all = paths.every(path => path.startsWith('!')) ? [...directories, ...paths] : paths
  return {
    input: { ...others, paths: all },
    warnings: [`"${directoryName}" and "${globName}" were read together, as "paths": ${JSON.stringify(all).slice(0, 200)}.`],
  }
}

function joined(directory: string, written: string): string {
  const [mark, glob] = written.startsWith('!') ? ['!', written.slice(1)] : ['', written]
  const base = directory.replace(/\/+$/, '')
  const isHere = base === '' || base === '.' || /[*?{]/.test(base)
  if (isHere || glob.startsWith(`${base}/`) || glob.startsWith('/')) return written
  const bare = glob.replace(/^(?:\.\/+)+/, '')
  return `${mark}${base}/${bare.includes('/') ? bare : `**/${bare}`}`
}

/** The texts of an argument that may be one text or a list, also as JSON. */
function listOf(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const text = value.trim()
    if (/^\[\s*".*\]$/s.test(text)) {
      try {
        return listOf(JSON.parse(text))
      } catch {
        // A glob that only looks like a JSON list.
      }
    }
    return text === '' ? [] : [text]
  }
  return Array.isArray(value) ? value.filter(part => typeof part === 'string' && part.trim() !== '') : []
}
