import type { Command } from 'commander';

/** Subcommands of a command that has no work of its own. */
export interface CommandGroup {
  readonly name: string;
  /** Absent where the group is of another part of the gateway. */
  readonly description?: string;
  readonly add: (group: Command) => void;
}

/** Adds the groups to the program; those of one name become one command. */
export function addGroups(program: Command, groups: readonly CommandGroup[]): void {
  for (const { name, description, add } of groups) {
    const known = program.commands.find((command) => command.name() === name);
    const group = known ?? program.command(name);
    if (description !== undefined) group.description(description);
    add(group);
  }
}
