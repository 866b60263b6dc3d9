// Converts the answers of a live run to quirks of the stand-in. If an answer is inconclusive, the built-in table applies, which is based on
// reports and on the client's code, and is unverified. See docs/webcontainer.md, "Testing without the service".

import type { Observations } from './observe.ts'
import { isOnByDefault, quirkTable, type QuirkId } from './quirk-table.ts'

export interface LearnedQuirk {
  readonly quirk: QuirkId
  readonly isThere: boolean
  /** The name of the question. */
  readonly question: string
  readonly answer: string
}

type Rule = readonly [quirk: QuirkId, question: string, isThere: (answer: string) => boolean | undefined]

const rules: readonly Rule[] = [
  ['crlf', 'process.line-ends', answer => (answer.includes('a\\r\\nb') ? true : answer.includes('a\\nb') ? false : undefined)],
  // A complete character is inconclusive: it may not have been divided.
  ['split-characters', 'process.split-character', answer => (answer.includes('\ufffd') ? true : undefined)],
  ['late-chunks', 'process.output-after-exit', claim('it ends later', 'it has ended')],
  ['no-symlink-in-dirent', 'symlink.in-listing', claim('neither', 'file')],
  [
    'restricted-shell',
    'shell.function',
    answer => (answer.startsWith('exit 0,') && answer.includes('called') ? false : /^exit \d/.test(answer) ? true : undefined),
  ],
  [
    'rename-refuses-existing',
    'rename.over-a-file',
    answer => (answer.startsWith('no failure; two holds 1') ? false : answer.includes('EEXIST') ? true : undefined),
  ],
]

function claim(yes: string, no: string): Rule[2] {
  return answer => (answer === yes ? true : answer === no ? false : undefined)
}

export function learnedQuirks(answers: Observations): readonly LearnedQuirk[] {
  return rules.flatMap(([quirk, question, isThere]) => {
    const answer = answers[question]
    const found = answer === undefined ? undefined : isThere(answer)
    return answer === undefined || found === undefined ? [] : [{ quirk, isThere: found, question, answer }]
  })
}

/** A line for each quirk for which the built-in table differs from a live run. */
export function tableDisagreements(answers: Observations): readonly string[] {
  return learnedQuirks(answers)
    .filter(({ quirk, isThere }) => isThere !== isOnByDefault(quirk))
    .map(
      ({ quirk, isThere, question, answer }) =>
        `${quirk} (${quirkTable[quirk].what}): the table has it ${onOff(!isThere)}, and it is ${onOff(isThere)}: ${question} answered ${JSON.stringify(answer)}`,
    )
}

/** How much of the stand-in a live run has confirmed, for the names of tests that depend on it. */
export function evidence(answers: Observations | undefined): string {
  const count = Object.keys(quirkTable).length
  if (answers === undefined) return `all ${count} quirks unverified: no live run`
  return `${learnedQuirks(answers).length} of ${count} quirks as a live run found them, the others unverified`
}

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')
