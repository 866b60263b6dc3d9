// A contract is a list of cases as data, for any test runner, page or worker. If a backend does not support something, its capabilities say
// so; if it differs, it declares the deviation, and the declaration itself is tested.

import { checkArguments } from '../core/argument.ts'
import { checkMember } from '../core/errors.ts'

/** One rule of a contract, as data: its requirements and its test. */
export interface ContractCase<Context, Capability extends string = string> {
  /** Unique, with dots, and the name of the rule: 'rename.directory-into-itself'. */
  readonly id: string
  /** Skipped visibly if one of these is missing. */
  readonly needs?: readonly Capability[]
  /** Throws if the rule does not hold. */
  run(context: Context): Promise<void>
}

/** A case that is known to fail, and the reason. */
export interface Deviation {
  readonly case: string
  readonly why: string
}

/** An implementation that a contract is run over. */
export interface ContractSubject<Context, Capability extends string> {
  /** Opens a fresh one for each case, and returns a function that closes it. */
  open(): Promise<{ readonly context: Context; close(): Promise<void> }>
  can(capability: Capability): boolean
  readonly deviations?: readonly Deviation[]
}

/** One row for a test runner. The name of a skipped row contains the reason. */
export interface ContractRow {
  readonly name: string
  readonly isSkipped: boolean
  readonly run: () => Promise<void>
}

/**
 * The rows of `cases` for one subject. A deviation inverts its case: it must fail, so that an outdated deviation is found. Throws for an
 * invalid deviation or ID.
 */
export function runContract<Context, Capability extends string>(
  cases: readonly ContractCase<Context, Capability>[],
  subject: ContractSubject<Context, Capability>,
): readonly ContractRow[] {
  checkArguments('runContract', [cases], ['list'])
  checkMember('runContract', subject, 'open', 'an implementation to test')
  const ids = new Set<string>()
  for (const { id } of cases) {
    if (ids.has(id)) throw new Error(`two cases have the id ${id}`)
    ids.add(id)
  }
  const deviations = new Map(subject.deviations?.map(deviation => [deviation.case, deviation.why]))
  for (const id of deviations.keys()) if (!ids.has(id)) throw new Error(`a deviation names the case ${id}, which does not exist`)

  return cases.map(contractCase => {
    const missing = contractCase.needs?.find(capability => !subject.can(capability))
    const why = deviations.get(contractCase.id)
    if (missing !== undefined) return { name: `${contractCase.id} (it has no ${missing})`, isSkipped: true, run: async () => {} }
    const run = (): Promise<void> => runCase(contractCase, subject)
    if (why === undefined) return { name: contractCase.id, isSkipped: false, run }
    return { name: `${contractCase.id} (differs: ${why})`, isSkipped: false, run: () => mustFail(contractCase.id, run) }
  })
}

async function runCase<Context, Capability extends string>(
  contractCase: ContractCase<Context, Capability>,
  subject: ContractSubject<Context, Capability>,
): Promise<void> {
  const opened = await subject.open()
  try {
    await contractCase.run(opened.context)
  } finally {
    await opened.close()
  }
}

async function mustFail(id: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch {
    return
  }
  throw new Error(`${id} is declared to differ, but it holds: take the deviation out`)
}
