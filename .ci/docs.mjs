// npm run docs: the API reference as HTML in dist-demo/api, beside the demo that links to it. Fails if a public name has no description.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Application } from 'typedoc'
import { root } from './run-command.mjs'

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entryPoints = Object.values(exports)
  // Finished files of what is documented by itself.
  .filter(target => !target.default?.startsWith('./dist/worker-files/'))
  .filter(target => target.default)
  .map(target => join(root, target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')))

/** Writes the reference, or with `{ check: true }` only looks for names without a description. Returns whether there are no problems. */
export async function buildReference({ out = join(root, 'dist-demo/api'), check = false } = {}) {
  const application = await Application.bootstrap({
    name: 'Anchorage',
    entryPoints,
    tsconfig: join(root, 'src/tsconfig.build.json'),
    readme: join(root, 'README.md'),
    projectDocuments: [join(root, 'docs/**/*.md')],
    // typedoc's compiler is TypeScript 6, which requires more annotations than the one that builds the package.
    compilerOptions: { isolatedDeclarations: false },
    basePath: join(root, 'src'),
    skipErrorChecking: true,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: false, unusedMergeModuleWith: true },
    treatValidationWarningsAsErrors: true,
    logLevel: 'Warn',
  })
  const project = await application.convert()
  if (!project || application.logger.hasErrors()) return false
  application.validate(project)
  for (const name of undescribed(project)) application.logger.warn(`${name} has no description.`)
  if (!check) await application.generateDocs(project, out)
  return !application.logger.hasErrors() && !application.logger.hasWarnings()
}

/** The exported names without a description. The description of a function belongs to its signature. */
function undescribed(project) {
  return project.children.flatMap(entry =>
    (entry.children ?? [])
      .filter(({ comment, signatures = [] }) => !comment && !signatures.some(signature => signature.comment))
      .filter(child => child.kindString !== 'Reference' && child.variant !== 'reference')
      .map(child => `${entry.name}: ${child.name}`),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const check = process.argv.includes('--check')
  if (!(await buildReference({ check }))) process.exitCode = 1
  else console.log(check ? 'Every public name has a description.' : 'Written to dist-demo/api/index.html.')
}
