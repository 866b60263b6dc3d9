// The configuration that is in force: files of the system, the user and the repository, the environment, and `-c`.

import type { GitEnvironment } from './repository.ts'
import type { RepositoryPlace } from './discover.ts'
import { type ConfigEntry, readConfigFile } from './store/config.ts'
import { decodeText } from '../shell/byte-text.ts'

/** All configuration files, weakest first; without a place only those of the system and the user. */
export async function readAllConfig(
  environment: GitEnvironment,
  place: RepositoryPlace | undefined,
): Promise<readonly ConfigEntry[]> {
  const { files, env, settings } = environment
  const home = env['HOME']
  const head = place === undefined ? undefined : await files.read(`${place.gitDir}/HEAD`)
  const branch = head === undefined ? undefined : /^ref: refs\/heads\/(.*)$/m.exec(decodeText(head))?.[1]
  const where = { home, gitDir: place?.gitDir, branch }
  const entries: ConfigEntry[] = []
  if (env['GIT_CONFIG_NOSYSTEM'] === undefined) {
    for (const entry of await readConfigFile(files, env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig', 'system', where))
      entries.push(entry)
  }
  for (const file of globalConfigFiles(env))
    for (const entry of await readConfigFile(files, file, 'global', where)) entries.push(entry)
  if (place !== undefined) {
    for (const entry of await readConfigFile(files, `${place.commonDir}/config`, 'local', where)) entries.push(entry)
    if (entries.some(({ name, value }) => name === 'extensions.worktreeconfig' && value !== 'false')) {
      for (const entry of await readConfigFile(files, `${place.gitDir}/config.worktree`, 'worktree', where)) entries.push(entry)
    }
  }
  return [...entries, ...environmentSettings(env), ...settings]
}

/** Weakest first. */
export function globalConfigFiles(env: GitEnvironment['env']): readonly string[] {
  const own = env['GIT_CONFIG_GLOBAL']
  if (own !== undefined) return own === '' ? [] : [own]
  const home = env['HOME']
  const xdg = env['XDG_CONFIG_HOME'] || (home === undefined ? undefined : `${home}/.config`)
  return [...(xdg === undefined ? [] : [`${xdg}/git/config`]), ...(home === undefined ? [] : [`${home}/.gitconfig`])]
}

function environmentSettings(env: GitEnvironment['env']): readonly ConfigEntry[] {
  const count = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  const entries: ConfigEntry[] = []
  for (let index = 0; index < Math.min(count, 1000); index++) {
    const name = env[`GIT_CONFIG_KEY_${index}`]
    if (name !== undefined) entries.push(commandSetting(name, env[`GIT_CONFIG_VALUE_${index}`]))
  }
  return entries
}

/** A setting that is not in a file. */
export function commandSetting(name: string, value: string | undefined): ConfigEntry {
  const first = name.indexOf('.')
  const last = name.lastIndexOf('.')
  const canonical = name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase()
  return {
    name: first === last ? name.toLowerCase() : canonical,
    value,
    scope: 'command',
    file: '',
    firstLine: 0,
    endLine: 0,
    sharesLine: false,
  }
}
