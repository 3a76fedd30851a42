import type { TraceEvent } from '@tillbridge/wire/terminals/trace/trace.js';

/** One step of a replay: bytes that the host must send, or that the device sends. */
export type ReplayStep =
  | { readonly kind: 'expect'; readonly bytes: Buffer }
  /** `afterMs` behind the step before. */
  | { readonly kind: 'send'; readonly bytes: Buffer; readonly afterMs: number };

/** A pause this long ends the host's message; later bytes are another step. */
export const HOST_PAUSE_MS = 200;

/**
 * The device's side of a recording. Pieces of the host that follow each other at once are one step; where a line was closed and
 * opened again the replay goes on, as if it had stayed.
 */
export function replayPlan(events: readonly TraceEvent[]): readonly ReplayStep[] {
  const steps: ReplayStep[] = [];
  let lastMs = 0;
  for (const event of events) {
    const afterMs = Math.max(0, event.atMs - lastMs);
    lastMs = event.atMs;
    if (event.kind !== 'bytes' || event.bytes.length === 0) continue;
    const before = steps.at(-1);
    if (event.from === 'device') steps.push({ kind: 'send', bytes: event.bytes, afterMs });
    else if (before?.kind === 'expect' && afterMs < HOST_PAUSE_MS) {
      steps[steps.length - 1] = { kind: 'expect', bytes: Buffer.concat([before.bytes, event.bytes]) };
    } else steps.push({ kind: 'expect', bytes: event.bytes });
  }
  return steps;
}

/** How a replay went. */
export interface ReplayResult {
  /** Steps of the host that came, and those of them that were other bytes than recorded. */
  readonly hostSteps: number;
  readonly different: number;
  /** False: the host stopped before the recording ended. */
  readonly complete: boolean;
}
