import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { AgentCommandRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';

/** How the end of a command is waited for, in milliseconds. */
const WAIT_LIMITS = { lookMs: 50, maxMs: 10_000 } as const;

/** The command with its result; as it is where none came in time. @throws StoreUnavailableError */
export async function awaitCommand(
  store: Pick<Store, 'get'>,
  row: AgentCommandRow,
  { setTimer }: Pick<Clock, 'setTimer'>,
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
