// Refuses repositories in formats that are not built in.

import { words } from '../core/words.ts'
import { Config } from './store/config.ts'
import { fatal } from './errors.ts'

const supportedExtensions = new Set(
  words(`
  noop noop-v1 worktreeconfig preciousobjects partialclone objectformat refstorage
`),
)

export function checkFormat(config: Config): void {
  const version = config.number('core.repositoryformatversion') ?? 0
  if (version > 1) throw fatal(`Expected git repo version <= 1, found ${version}`)
  const extensions = config.entries.filter(({ name, scope }) => scope === 'local' && name.startsWith('extensions.'))
  const unknown = extensions.map(({ name }) => name.slice('extensions.'.length)).filter(name => !supportedExtensions.has(name))
  if (version === 1 && unknown.length > 0) {
    throw fatal(
      `unknown repository extension${unknown.length > 1 ? 's' : ''} found:\n${unknown.map(name => `\t${name}`).join('\n')}`,
    )
  }
  const format = config.get('extensions.objectformat')
  if (format !== undefined && format !== 'sha1') throw fatal(`object format '${format}' is not built into this git; only sha1 is`)
  const storage = config.get('extensions.refstorage')
  if (storage !== undefined && storage !== 'files')
    throw fatal(`ref storage format '${storage}' is not built into this git; only files is`)
}
