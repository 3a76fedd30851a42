import type { StreamPosition } from '@tillbridge/protocol/bridge/messages.js';

/** A stream that goes on behind messages the gateway has not seen. */
export interface AdoptedStream {
  readonly terminalId: string;
  /** What the gateway would have handled next. */
  readonly expected: number;
  /** The lowest that the agent still has to send. */
  readonly offered: number;
}

/**
 * Where each stream goes on: what is stored, or beyond it the lowest number that the agent still has to send. Its queue is the truth of
 * what is not acknowledged: what it parked by itself, or what a database put back from an older copy has forgotten, never comes again,
 * and waiting for it would hold up everything behind it for ever (P4). Nothing is doubled: ids tell repeats.
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
