// Runs the behaviour cases, which are outside the repository because several implementations share them. Cases that cannot pass yet are
// declared here with a reason, and strictly: an undeclared failure fails the run, and so does an unnecessary declaration.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run-command.mjs'

const script = join(root, '../shared/cases/run.mjs')

/** [system, which ids, why they fail] */
const expected = [
  [
    'atomic',
    /^search-trailing-whitespace-trimmed$/,
    'rows keep trailing blanks, because read shows them too and an edit must match them',
  ],
  ['agsh', /^agsh-edit-crlf$/, 'a text of several lines matches in the line endings of the file, so nothing has to be refused'],
]

/** Returns { passed, failed, output, note? }; an expected failure is neither. */
export async function behaviourCases() {
  if (!existsSync(script)) return { passed: 0, failed: 0, output: '', note: 'skipped: ../shared/cases/run.mjs is not there' }
  const { output } = await run(process.execPath, [script])
  const [, passed] = /(\d+) passed, \d+ failed\s*$/.exec(output) ?? []
  if (passed === undefined) return { passed: 0, failed: 1, output }
  const failures = output.split('\n').filter(line => line.startsWith('FAIL '))
  const unused = new Set(expected)
  const problems = failures.filter(line => {
    const known = expected.find(([system, ids]) => line.startsWith(`FAIL ${system} `) && idPattern(ids).test(line))
    unused.delete(known)
    return known === undefined
  })
  problems.push(...[...unused].map(([system, ids, why]) => `declared without need: ${system} ${ids} (${why})`))
  return {
    passed: Number(passed),
    failed: problems.length,
    output: problems.join('\n'),
    note: `${failures.length - problems.length} expected failures, declared in .ci/cases.mjs`,
  }
}

/** The ID is between the system's name and a colon. */
function idPattern(ids) {
  return new RegExp(`^FAIL \\S+ ${ids.source.replace(/^\^/, '').replace(/\$$/, ':')}`)
}
