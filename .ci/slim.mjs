// What users do not need of the built files: comments and spaces in code (the types have the docs), and types that no entry point reaches.
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { transform } from 'esbuild'
import typescript from 'typescript'
import { entryPoints } from './entries.mjs'

/** Names stay, so that stack traces can be read. Returns a note. */
export async function slim(dist) {
  const files = (await readdir(dist, { recursive: true })).map(file => join(dist, file))
  let [before, after] = [0, 0]
  for (const file of files.filter(each => each.endsWith('.js'))) {
    const text = await readFile(file, 'utf8')
    const { code } = await transform(text, {
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'inline',
      charset: 'utf8',
    })
    before += text.length
    after += code.length
    await writeFile(file, code)
  }
  const kept = reachableTypes(dist)
  const unused = files.filter(file => file.endsWith('.d.ts') && !kept.has(file))
  for (const file of unused) await rm(file)
  return `${Math.round(before / 1000)} to ${Math.round(after / 1000)} kB of code, ${unused.length} files of types left out`
}

/** The types of the entry points, and all that they import. */
function reachableTypes(dist) {
  const kept = new Set()
  const open = entryPoints(dist).map(([, { types }]) => types.replace('./dist', dist))
  for (const file of open) {
    if (kept.has(file) || !existsSync(file)) continue
    kept.add(file)
    const { importedFiles, referencedFiles } = typescript.preProcessFile(readFileSync(file, 'utf8'), true, true)
    for (const { fileName } of [...importedFiles, ...referencedFiles]) {
      if (!fileName.startsWith('.')) continue
      open.push(resolve(dirname(file), fileName.replace(/\.ts$/, '.js')).replace(/\.js$/, '.d.ts'))
    }
  }
  return kept
}
