// Who commits: the author and the committer by the environment and the configuration.

import { fatal, GitFailure } from './errors.ts'
import { localZone } from './revs/local-zone.ts'
import type { GitEnvironment } from './repository.ts'
import type { Config } from './store/config.ts'
import type { Person } from './store/object-format.ts'

/** `isStrict`: rejects if no identity is configured; otherwise a default is used, as for the logs of references. */
export async function identityOf(
  role: 'author' | 'committer',
  environment: Pick<GitEnvironment, 'env' | 'clock' | 'author'>,
  config: Config,
  isStrict: boolean,
): Promise<Person> {
  const { env, clock, author } = environment
  const upper = role.toUpperCase()
  const name = env[`GIT_${upper}_NAME`] || config.get(`${role}.name`) || config.get('user.name') || author?.name
  const email =
    env[`GIT_${upper}_EMAIL`] || config.get(`${role}.email`) || config.get('user.email') || env['EMAIL'] || author?.email
  if ((name === undefined || email === undefined) && isStrict) throw identityUnknown(role, name === undefined)
  const date = env[`GIT_${upper}_DATE`]
  const now = Math.floor(clock() / 1000)
  const parsed =
    date === undefined || date === ''
      ? { time: now, zone: localZone(env['TZ'], now) }
      : (await import('./revs/read-date.ts')).parseGitDate(date, now)
  if (parsed === undefined) throw fatal(`invalid date format: ${date ?? ''}`)
  return { name: cleaned(name ?? 'unknown'), email: cleaned(email ?? 'unknown'), ...parsed }
}

function cleaned(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[<>\n]/g, '').replaceAll(/^[\x00-\x20.,:;<>"\\']+|[\x00-\x20.,:;<>"\\']+$/g, '')
}

function identityUnknown(role: string, isName: boolean): GitFailure {
  const title = role === 'author' ? 'Author' : 'Committer'
  const reason = isName ? 'empty ident name (for <>) not allowed' : 'unable to auto-detect email address'
  return new GitFailure(
    `${title} identity unknown\n\n*** Please tell me who you are.\n\nRun\n\n  git config --global user.email "you@example.com"\n` +
      `  git config --global user.name "Your Name"\n\nto set your account's default identity.\n` +
      `Omit --global to set the identity only in this repository.\n\nfatal: ${reason}`,
    128,
  )
}
