import { build } from 'esbuild'
import { root } from '../run-command.mjs'

/** One script for a page or a worker. Its imports are those of a file in this folder. */
export async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { resolveDir: `${root}.ci/bench`, contents },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    tsconfigRaw: '{}',
    logLevel: 'error',
  })
  return outputFiles[0].contents
}
