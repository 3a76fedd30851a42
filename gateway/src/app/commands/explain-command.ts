import { userInfo } from 'node:os';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { Command } from 'commander';
import { awaitCommand } from '../../core/bridge/commands/await-command.js';
import { AgentCommandError, requestCommand } from '../../core/bridge/commands/request-command.js';
import { readStory, type StorySources, salesOf } from '../../core/payments/story/sources.js';
import { storyOf } from '../../core/payments/story/story.js';
import { storyLines, storyView } from '../../core/payments/story/story-view.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { Store } from '../../kernel/store/store.js';

interface ExplainOptions extends ConfigOption {
  readonly json?: boolean;
  readonly fetch: boolean;
}

/** `explain`. */
export function addExplainCommand(program: Command): void {
  addCommand(
    program,
    'explain <payment>',
    'Show what happened to a payment: its money, what can still be done and why not, and every cause in its order.',
  )
    .option('--json', 'print it as JSON')
    .option('--no-fetch', 'do not ask the store’s agent for its journal: show what the gateway has')
    .action(explain);
}

async function explain(paymentId: string, { readConfig, json, fetch }: ExplainOptions): Promise<void> {
  const view = await withHomeStore(readConfig(), async (store) => {
    const before = await readStory(store, paymentId);
    const isNew = before !== undefined && fetch && (await fetchReports(store, before));
    const sources = isNew ? await readStory(store, paymentId) : before;
    const story = sources && storyOf(sources, clock.nowMs());
    if (!story) throw new OperatorError(`there is no payment ${paymentId}: name the id that its answer has`);
    return storyView(story, true);
  });
  process.stdout.write(json ? `${JSON.stringify(view, undefined, 2)}\n` : `${storyLines(view).join('\n')}\n`);
}

/** Requests what the agents have journaled of the sales; true where one of them answered. */
async function fetchReports(store: Store, { payments, intents }: StorySources): Promise<boolean> {
  const actor = userInfo().username;
  const ended = salesOf([...payments, ...intents]).map(async ([agentId, reference]) => {
    const command = { action: 'status', reference } as const;
    const row = await requestCommand({ store, clock, random, actor }, agentId, command);
    return (await awaitCommand(store, row, clock)).state === 'done';
  });
  const results = await Promise.allSettled(ended);
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof AgentCommandError)) throw result.reason;
  return results.some((result) => result.status === 'fulfilled');
}
