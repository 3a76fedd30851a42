import { userInfo } from 'node:os';
import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Command } from 'commander';
import { Argument } from 'commander';
import { type CommandActionName, commandView } from '../../../core/bridge/commands/agent-command.js';
import { findCommand, requestCommand } from '../../../core/bridge/commands/request-command.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../../kernel/commands/command.js';
import type { AgentCommandRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';

/** How the end of a command is waited for, in milliseconds. */
const WAIT_LIMITS = { lookMs: 50, maxMs: 10_000 } as const;

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
    .argument('[reference]', 'the till’s reference of the sale, with cancel-sale')
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
          printJson(commandView(options.wait ? await ended(store, row, clock) : row));
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

/** The command with its result; as it is where none came in time. */
async function ended(
  store: Pick<Store, 'get'>,
  row: AgentCommandRow,
  { setTimer }: Clock,
): Promise<AgentCommandRow> {
  let latest = row;
  for (
    let waitedMs = 0;
    latest.state === 'waiting' && waitedMs < WAIT_LIMITS.maxMs;
    waitedMs += WAIT_LIMITS.lookMs
  ) {
    await new Promise<void>((resolve) => setTimer(WAIT_LIMITS.lookMs, resolve));
    latest = (await store.get('agentCommands', [row.id])) ?? latest;
  }
  return latest;
}
