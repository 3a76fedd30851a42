import { present } from '@tillbridge/wire/present.js';
import type { Command } from 'commander';
import { addCommand, type ConfigOption, printFrom } from '../../kernel/commands/command.js';
import { drop, listParked, wantAgain } from './inbox.js';

interface AgentOption extends ConfigOption {
  readonly agent?: string;
}

const AGENT = ['--agent <id>', 'its agent, where two agents have the same id'] as const;

/** `inbox list | retry | drop`. */
export function addInboxCommands(inbox: Command): void {
  addCommand(inbox, 'list', 'List the parked messages with their reasons.')
    .option('--all', 'resolved and dropped messages too')
    .action((options: ConfigOption & { all?: boolean }) =>
      printFrom(options, ({ store }) => listParked(store, options.all === true)),
    );
  addCommand(inbox, 'retry <messageId>', 'Have a message processed again by the gateway on this home.')
    .option(...AGENT)
    .action((messageId: string, options: AgentOption) =>
      printFrom(options, ({ store }) => wantAgain(store, { messageId, ...agentOf(options) })),
    );
  addCommand(inbox, 'drop <messageId>', 'Drop a message that was resolved otherwise. Its content is deleted.')
    .requiredOption('--note <text>', 'how it was resolved')
    .option(...AGENT)
    .action((messageId: string, options: AgentOption & { note: string }) =>
      printFrom(options, ({ store }) => drop(store, { messageId, ...agentOf(options) }, options.note)),
    );
}

function agentOf({ agent }: AgentOption): { readonly agentId?: string } {
  return present({ agentId: agent });
}
