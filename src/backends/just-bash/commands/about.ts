// `--version` and `--help` of every command, as its only argument. Without them some commands would take the option for an operand
// or an abbreviation, such as `sort --version` for `--version-sort`.

import type { ShellCommandContext, ShellCommandDefinition } from '../../../shell/commands.ts'

/** Commands that print their own usage. */
const withOwnHelp: ReadonlySet<string> = new Set(['awk', 'date', 'egrep', 'fgrep', 'gawk', 'grep', 'jq', 'rgrep', 'sed'])
/** Scripts read the number of this version. */
const withOwnVersion: ReadonlySet<string> = new Set(['jq'])

export function versionText(name: string): string {
  return `${name} (Anchorage)\nA command of Anchorage's shell. Its options and output follow the program of this name in Debian 12, mostly GNU's.\n`
}

/** The command, which answers `--version` and `--help` too. */
export function withAbout(command: ShellCommandDefinition): ShellCommandDefinition {
  const { name, help = '' } = command
  return {
    ...command,
    run: async (context: ShellCommandContext): Promise<number> => {
      const [option] = context.args
      const isVersion = option === '--version' && !withOwnVersion.has(name)
      if (context.args.length !== 1 || !(isVersion || (option === '--help' && !withOwnHelp.has(name))))
        return command.run(context)
      await context.stdout.write(
        isVersion
          ? versionText(name)
          : `Usage: ${name} [OPTION]... [ARGUMENT]...\n${help}\nThe options are those of the program of this name in Debian 12. One that is not available here is refused by name.\n`,
      )
      return 0
    },
  }
}
