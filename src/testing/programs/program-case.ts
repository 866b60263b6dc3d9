// A program for a command that runs programs, such as `js`, with what the real program does with it.

export interface ProgramCase {
  readonly args: readonly string[]
  readonly input?: string
  readonly stdout: string
  /** Default 0. */
  readonly code?: number
  /** What standard error contains. The real program may have other words. */
  readonly complaint?: string
}

/** What the real program does and the command does not. */
export type ProgramRefusal = Required<Pick<ProgramCase, 'args' | 'code' | 'complaint'>>

/** path → content */
export type ProgramFiles = Readonly<Record<string, string>>
