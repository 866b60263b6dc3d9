// The names that are programs, whatever functions and builtins have the same name.

export const childShells: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'rbash'])

/** Builtins that also exist as programs, so that commands which run without a shell (`xargs echo`) find them. */
export const programBuiltins: ReadonlySet<string> = new Set(['echo', 'printf', 'test', '[', 'true', 'false', 'pwd', 'kill'])

/** Whether `name` is a program of a shell with these `commands`. */
export function isProgramName(name: string, commands: ReadonlyMap<string, unknown>): boolean {
  return commands.has(name) || childShells.has(name) || programBuiltins.has(name)
}

export function programNames(commands: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...commands.keys(), ...childShells, ...programBuiltins])].sort()
}
