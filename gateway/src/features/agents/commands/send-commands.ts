import { userInfo } from 'node:os';
import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { Command } from 'commander';
import { Argument } from 'commander';
import { type CommandActionName, commandView } from '../../../core/bridge/commands/agent-command.js';
import { awaitCommand } from '../../../core/bridge/commands/await-command.js';
import { findCommand, requestCommand } from '../../../core/bridge/commands/request-command.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../../kernel/commands/command.js';

interface SendOptions extends ConfigOption {
  readonly wait: boolean;
}

/** `agents command | command-result`. */
export function addAgentCommandCommands(agents: Command): void {
  addCommand(
    agents,
    'command <agent>',
    'Send a command to an agent: ping; flush its queue; report the status of the store; or cancel a running sale.',
  )
    .addArgument(
      new Argument('<action>', 'what it shall do').choices(['ping', 'flush', 'status', 'cancel-sale']),
    )
    .argument(
      '[reference]',
      'the till’s reference of a sale: cancel-sale needs one, status reports that sale, too',
    )
    .option('--no-wait', 'print the command at once: it is valid for an hour')
    .action(
      (agentId: string, action: CommandActionName, reference: string | undefined, options: SendOptions) =>
        withHomeStore(options.readConfig(), async (store) => {
          const requested = { action, ...(reference !== undefined && { reference }) };
          const row = await requestCommand(
            { store, clock, random, actor: userInfo().username },
            agentId,
            requested,
          );
          printJson(commandView(options.wait ? await awaitCommand(store, row, clock) : row));
        }),
    );
  addCommand(
    agents,
    'command-result <agent> <command>',
    'Show a command and what the agent answered.',
  ).action((agentId: string, id: string, options: ConfigOption) =>
    withHomeStore(options.readConfig(), async (store) =>
      printJson(commandView(await findCommand({ store }, agentId, id))),
    ),
  );
}
