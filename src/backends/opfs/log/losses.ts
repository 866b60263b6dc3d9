// What cannot be read from a store any more, for the caller that decides whether to continue without it.

export type Loss =
  /** Bytes of the log that cannot be read. The changes after `transaction` that they held are lost. */
  | {
      readonly what: 'changes'
      readonly segment: number
      readonly startOffset: number
      readonly endOffset: number
      readonly transaction: number
    }
  /** A change whose record is undamaged, but which does not apply to what is left. */
  | { readonly what: 'change'; readonly path: string }
  /** A file whose content is missing or damaged. Reading the damaged part fails with EIO. */
  | { readonly what: 'content'; readonly path: string; readonly lengthBytes: number }
  /** Both checkpoints. The tree is rebuilt from the records that are left. */
  | { readonly what: 'checkpoints' }
  /** A file of the store whose header cannot be read. */
  | { readonly what: 'file'; readonly lengthBytes: number }

export function describeLoss(loss: Loss): string {
  switch (loss.what) {
    case 'changes':
      return `changes after transaction ${loss.transaction}: bytes ${loss.startOffset} to ${loss.endOffset} of segment ${loss.segment} cannot be read`
    case 'change':
      return `a change of ${loss.path}, which no longer applies`
    case 'content':
      return `the content of ${loss.path} (${loss.lengthBytes} bytes)`
    case 'checkpoints':
      return 'both checkpoints: the files are rebuilt from the records that are left'
    case 'file':
      return `a file of the store with ${loss.lengthBytes} bytes, whose header cannot be read`
  }
}

const shownLosses = 5

export function describeLosses(losses: readonly Loss[]): string {
  const more = losses.length > shownLosses ? `; and ${losses.length - shownLosses} more` : ''
  return losses.slice(0, shownLosses).map(describeLoss).join('; ') + more
}
