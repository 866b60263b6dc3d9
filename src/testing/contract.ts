// A contract is a list of cases: data that any test runner, page or worker can go through. A backend that cannot do something says
// so in its capabilities; one that does something differently declares it, and the declaration is itself tested.

/** One rule of a contract, as data: what it needs and what it does. */
export interface ContractCase<Context, Capability extends string = string> {
  /** Unique, dotted, and the rule it proves: 'rename.directory-into-itself'. */
  readonly id: string
  /** Left out, visibly, where one of these is missing. */
  readonly needs?: readonly Capability[]
  /** Throws when the rule does not hold. */
  run(context: Context): Promise<void>
}

/** A case that is known to fail, and why that is how it is. */
export interface Deviation {
  readonly case: string
  readonly why: string
}

/** An implementation that a contract is run over. */
export interface ContractSubject<Context, Capability extends string> {
  /** A fresh one for each case, and how to be rid of it. */
  open(): Promise<{ readonly context: Context; close(): Promise<void> }>
  can(capability: Capability): boolean
  readonly deviations?: readonly Deviation[]
}

/** One line for a test runner. A skipped row has the reason in its name. */
export interface ContractRow {
  readonly name: string
  readonly isSkipped: boolean
  readonly run: () => Promise<void>
}

/**
 * The rows of `cases` for one subject. A deviation turns its case around: it must fail, so that an excuse that no longer holds is
 * found. Throws for a deviation or an id that makes no sense.
 */
export function runContract<Context, Capability extends string>(
  cases: readonly ContractCase<Context, Capability>[],
  subject: ContractSubject<Context, Capability>,
): readonly ContractRow[] {
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
