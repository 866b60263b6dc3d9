// Why a document cannot be shown.

/** `unsupported`: there is no reader for it, or for a feature that it needs. */
export type TroubleKind = 'damaged' | 'encrypted' | 'too-large' | 'too-slow' | 'unsupported'

/** A document that cannot be read, and why. The message says what is wrong with it. */
export class DocumentTrouble extends Error {
  readonly kind: TroubleKind

  constructor(kind: TroubleKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
