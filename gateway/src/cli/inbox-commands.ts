import type { Command } from 'commander';
import { loadConfig } from '../config/config.js';
import { openHomeStore } from '../home/open-store.js';
import type { Store } from '../store/store.js';
import { drop, listParked, type ParkedName, wantAgain } from './inbox.js';
import { configOption } from './token-commands.js';

interface ConfigOption {
  readonly config?: string;
}

interface AgentOption extends ConfigOption {
  readonly agent?: string;
}

/** `inbox list | retry | drop`. */
export function addInboxCommands(program: Command): void {
  const inbox = program
    .command('inbox')
    .description('Messages of agents that the gateway could not take: look, try again, put aside.');
  inbox
    .command('list')
    .description('List the parked messages with their reasons.')
    .option('--all', 'those that are settled or dropped, too')
    .addOption(configOption())
    .action((options: ConfigOption & { all?: boolean }) =>
      withStore(options, (store) => listParked(store, options.all === true)),
    );
  inbox
    .command('retry <messageId>')
    .description('Have a message tried again by the gateway that runs on this home.')
    .option('--agent <id>', 'its agent, where two agents have the same id')
    .addOption(configOption())
    .action((messageId: string, options: AgentOption) =>
      withStore(options, (store) => wantAgain(store, nameOf(messageId, options))),
    );
  inbox
    .command('drop <messageId>')
    .description('Put a message aside: a person has dealt with it. What was kept of it goes.')
    .requiredOption('--note <text>', 'what was done about it')
    .option('--agent <id>', 'its agent, where two agents have the same id')
    .addOption(configOption())
    .action((messageId: string, options: AgentOption & { note: string }) =>
      withStore(options, (store) => drop(store, nameOf(messageId, options), options.note)),
    );
}

function nameOf(messageId: string, { agent }: AgentOption): ParkedName {
  return { messageId, ...(agent !== undefined && { agentId: agent }) };
}

async function withStore(options: ConfigOption, work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await openHomeStore(loadConfig(options.config, process.env));
  try {
    process.stdout.write(`${JSON.stringify(await work(store), undefined, 2)}\n`);
  } finally {
    await store.close();
  }
}
