/** The completion settings of one command, as given to `complete`. */
export interface CompletionSpec {
  readonly options: Set<string>
  readonly actions: Set<string>
  /** Options with an argument, such as `-F`, by letter. */
  readonly values: Map<string, string>
}
