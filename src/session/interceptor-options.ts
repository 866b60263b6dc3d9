// What a host may ask of a bash tool's interceptor. Declared beside the toolset options, because every toolset with a shell takes it.

/** A host's own rule: a regular expression (JavaScript) over the whole command. */
export interface InterceptorRule {
  readonly pattern: string
  /** The tool, by its own name, that should be used instead; the rule counts only when the model has it. */
  readonly tool: string
  readonly message?: string
}

export interface BashInterceptorOptions {
  readonly enabled: boolean
  /** Tried before the built-in ones. */
  readonly rules?: readonly InterceptorRule[]
}
