// What users do not need of the built files: comments, spaces and the names of local variables in code (the types have the docs), and code
// and types that no entry point reaches.
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { transform } from 'esbuild'
import typescript from 'typescript'
import { entryPoints, reachableCode } from './entries.mjs'
import { withUndefined } from './optional-types.mjs'

/** Returns a note. */
export async function slim(dist) {
  const files = (await readdir(dist, { recursive: true })).map(file => join(dist, file))
  const [code, types] = [await builtCode(dist), reachableTypes(dist)]
  const unused = files.filter(file => (file.endsWith('.js') && !code.has(file)) || (file.endsWith('.d.ts') && !types.has(file)))
  for (const file of unused) await rm(file)
  let [before, after] = [0, 0]
  const shorten = async file => {
    const text = await readFile(file, 'utf8')
    const short = await shortened(file, text)
    before += text.length
    after += short.length
    await writeFile(file, short)
  }
  await Promise.all([...code].map(shorten))
  await Promise.all([...types].map(async file => writeFile(file, withUndefined(file, await readFile(file, 'utf8')))))
  return `${Math.round(before / 1000)} to ${Math.round(after / 1000)} kB of code, ${unused.length} files left out`
}

async function builtCode(dist) {
  return new Set([...(await reachableCode(dist))].map(file => join(dist, file)))
}

/** The names at the top of a file stay, so that stack traces can be read; those within functions do not. */
async function shortened(file, text) {
  const options = { minifyWhitespace: true, minifySyntax: true, legalComments: 'inline', charset: 'utf8' }
  // The bundles of libraries have short names already.
  const { body, imports, exported } = file.endsWith('/engine.js') ? {} : withoutModule(file, text)
  // What uses import.meta is a module, whatever is taken out of it.
  if (body === undefined || /\bimport\.meta\b/.test(body)) return (await transform(text, options)).code
  // esbuild renames nothing at the top of what is no module, because other scripts may use it.
  const script = await transform(`'use strict'\n${body}`, { ...options, minifyIdentifiers: true })
  const exporting = exported.length > 0 ? `export{${exported.join(',')}}` : ''
  return (await transform(`${imports.join('\n')}\n${script.code}\n${exporting}`, options)).code
}

/** A file's text without its imports and exports, and those. */
function withoutModule(file, text) {
  const { statements } = typescript.createSourceFile(file, text, typescript.ScriptTarget.ESNext, true)
  const imports = []
  const exported = []
  const cuts = []
  for (const statement of statements) {
    const [start, end] = [statement.getStart(), statement.end]
    const exporting = statement.modifiers?.find(({ kind }) => kind === typescript.SyntaxKind.ExportKeyword)
    if (typescript.isImportDeclaration(statement) || typescript.isExportDeclaration(statement)) {
      imports.push(text.slice(start, end))
      cuts.push([start, end])
    } else if (exporting !== undefined) {
      const names = (statement.declarationList?.declarations ?? [statement]).map(({ name }) => name)
      if (!names.every(name => name !== undefined && typescript.isIdentifier(name))) return {}
      exported.push(...names.map(({ text: name }) => name))
      cuts.push([start, exporting.end])
    }
  }
  const body = cuts.reduceRight((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text)
  return { body, imports, exported }
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
