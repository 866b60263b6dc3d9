// Where memfs, behind our port, still differs from the contract.

export const memfsDeviations: readonly { readonly case: string; readonly why: string }[] = [
  {
    case: 'batch.sees-no-changes-of-others',
    why: 'a volume has no snapshots: what the batch has not looked at yet may change, and a commit that depends on it is refused',
  },
]
