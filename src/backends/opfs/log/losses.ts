// What of a store cannot be read any more, for whoever decides whether to go on without it.

export type Loss =
  /** Bytes of the log that cannot be read, and with them changes after `transaction`. */
  | {
      readonly what: 'changes'
      readonly segment: number
      readonly startOffset: number
      readonly endOffset: number
      readonly transaction: number
    }
  /** A change whose record is whole, but that does not fit what is left. */
  | { readonly what: 'change'; readonly path: string }
  /** A file whose content is missing, or damaged in part. Reading that part fails with EIO. */
  | { readonly what: 'content'; readonly path: string; readonly lengthBytes: number }
  /** Both checkpoints: what they held is put together again from the records that are left. */
  | { readonly what: 'checkpoints' }
  /** A file of the store whose beginning cannot be read. */
  | { readonly what: 'file'; readonly lengthBytes: number }

export function describeLoss(loss: Loss): string {
  switch (loss.what) {
    case 'changes':
      return `changes after transaction ${loss.transaction}: bytes ${loss.startOffset} to ${loss.endOffset} of segment ${loss.segment} cannot be read`
    case 'change':
      return `a change of ${loss.path}, which does not fit what is left`
    case 'content':
      return `the content of ${loss.path} (${loss.lengthBytes} bytes)`
    case 'checkpoints':
      return 'both checkpoints: the files are put together again from the records that are left'
    case 'file':
      return `a file of the store with ${loss.lengthBytes} bytes, whose beginning cannot be read`
  }
}

const shownLosses = 5

export function describeLosses(losses: readonly Loss[]): string {
  const more = losses.length > shownLosses ? `; and ${losses.length - shownLosses} more` : ''
  return losses.slice(0, shownLosses).map(describeLoss).join('; ') + more
}
