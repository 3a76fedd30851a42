import type { StreamPosition } from '@tillbridge/wire/bridge/messages.js';

/** A stream that continues after messages the gateway has not received. */
export interface AdoptedStream {
  readonly terminalId: string;
  /** The sequence that the gateway would have handled next. */
  readonly expected: number;
  /** The lowest sequence that the agent still has to send. */
  readonly offered: number;
}

/**
 * The next sequence of each stream: the stored one, or beyond it the lowest that the agent still has to send. The agent's queue decides
 * what is not acknowledged. A message that the agent parked itself, or that a restored database has forgotten, is never sent again;
 * waiting for it would block the stream for ever (P4). Nothing is doubled: repeats have the same message id.
 */
export function resumeStreams(
  stored: readonly StreamPosition[],
  offered: readonly StreamPosition[],
): { readonly positions: readonly StreamPosition[]; readonly adopted: readonly AdoptedStream[] } {
  const positions = new Map(stored.map(({ terminalId, nextSequence }) => [terminalId, nextSequence]));
  const adopted: AdoptedStream[] = [];
  for (const { terminalId, nextSequence } of offered) {
    const expected = positions.get(terminalId) ?? 1;
    positions.set(terminalId, Math.max(nextSequence, expected));
    if (nextSequence > expected) adopted.push({ terminalId, expected, offered: nextSequence });
  }
  return {
    positions: [...positions].map(([terminalId, nextSequence]) => ({ terminalId, nextSequence })),
    adopted,
  };
}
