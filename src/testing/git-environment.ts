// The variables with which tests run real git: no settings of the machine, fixed people and dates.

/** Without people and dates: what every call of real git needs. */
export function plainGitEnvironment(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
}

/** `time` in seconds since the epoch. */
export function gitDates(time: number): Record<string, string> {
  return { GIT_AUTHOR_DATE: `${time} +0000`, GIT_COMMITTER_DATE: `${time} +0000` }
}

/** For a repository whose configuration names nobody. */
export function gitEnvironment(home: string, time: number): Record<string, string> {
  return {
    ...plainGitEnvironment(home),
    ...gitDates(time),
    GIT_AUTHOR_NAME: 'A U Thor',
    GIT_AUTHOR_EMAIL: 'author@example.com',
    GIT_COMMITTER_NAME: 'C O Mitter',
    GIT_COMMITTER_EMAIL: 'committer@example.com',
    LC_ALL: 'C.UTF-8',
  }
}
