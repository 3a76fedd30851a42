import { backoffMs } from '@tillbridge/platform/backoff.js';
import type { Bodies, StreamPosition } from '@tillbridge/wire/bridge/messages.js';
import {
  type BacklogEffect,
  type BacklogEvent,
  type BacklogState,
  backlogStep,
  initialBacklog,
  type StreamItem,
} from './backlog-machine.js';
import type { BridgeLog } from './bridge-log.js';
import type { BridgeLimits } from './limits/bridge-limits.js';
import type { MessageHandler, StreamResult } from './message-handler.js';
import type { NamedTimers } from './named-timers.js';
import type { OpenSession, SessionEvent } from './session-machine.js';

/** What the executor takes from its session. */
interface StreamExecutorDeps {
  readonly session: OpenSession;
  /** Next sequence of each stream. */
  readonly positions: readonly StreamPosition[];
  readonly handler: MessageHandler;
  readonly limits: BridgeLimits;
  readonly log: BridgeLog;
  readonly timers: NamedTimers;
  /** Keeps the session alive until the work is done. */
  readonly run: (work: Promise<void>) => void;
  readonly say: <K extends 'acknowledgement' | 'parked'>(kind: K, body: Bodies[K]) => void;
  readonly feed: (event: SessionEvent) => void;
}

/** A session's backlog executor: carries out the effects of the backlog machine. */
export class StreamExecutor {
  readonly #deps: StreamExecutorDeps;
  #state: BacklogState;
  readonly #tries = new Map<string, { readonly failures: number; readonly waits: number }>();
  #ended = false;

  constructor(deps: StreamExecutorDeps) {
    this.#deps = deps;
    this.#state = initialBacklog(deps.positions);
  }

  /** Takes a message of a stream. */
  take(envelope: StreamItem): void {
    this.#step({ kind: 'arrived', envelope });
  }

  /** To be called when a live message begins: fewer streams run. */
  liveBegan(): void {
    this.#step({ kind: 'live-began' });
  }

  /** To be called when a live message has ended. */
  liveEnded(): void {
    this.#step({ kind: 'live-ended' });
  }

  /** Begins nothing more: the session has ended. */
  end(): void {
    this.#ended = true;
  }

  #step(event: BacklogEvent): void {
    const { state, effects } = backlogStep(this.#state, event, this.#deps.limits);
    this.#state = state;
    for (const effect of effects) {
      if (this.#ended) return;
      if (effect.kind === 'handle') this.#deps.run(this.#handle(effect.envelope));
      else if (effect.kind === 'gap') this.#waitForMissing(effect);
      else if (effect.kind === 'gap-closed') this.#deps.timers.cancel(`gap ${effect.terminalId}`);
      else this.#deps.feed({ kind: 'violation', reason: effect.reason });
    }
  }

  #waitForMissing({ terminalId, expected, got }: Extract<BacklogEffect, { kind: 'gap' }>): void {
    const { timers, limits, log, session, feed } = this.#deps;
    timers.set(`gap ${terminalId}`, limits.gapTimeoutMs, () => {
      log.error({ agentId: session.agentId, terminalId, expected, got }, 'hole in a stream');
      const reason = `stream ${terminalId}: message ${expected} is missing, ${got} came`;
      feed({ kind: 'violation', reason });
    });
  }

  async #handle(envelope: StreamItem): Promise<void> {
    const { handler, limits, session } = this.#deps;
    const failures = this.#tries.get(envelope.id)?.failures ?? 0;
    const lastTry = failures + 1 >= limits.handlingAttempts;
    const result = await handler.stream(envelope, session, lastTry);
    if (result.kind === 'later') this.#postpone(envelope, result.failed);
    else this.#finish(envelope, result);
  }

  #postpone({ id, terminalId }: StreamItem, failed: boolean): void {
    if (this.#ended) return;
    const { limits, timers } = this.#deps;
    const { failures, waits } = this.#tries.get(id) ?? { failures: 0, waits: 0 };
    this.#tries.set(id, { failures: failures + (failed ? 1 : 0), waits: waits + 1 });
    const delayMs = backoffMs(waits + 1, limits.retryMinMs, limits.retryMaxMs);
    timers.set(`retry ${terminalId}`, delayMs, () => this.#step({ kind: 'resumed', terminalId }));
    this.#step({ kind: 'postponed', terminalId });
  }

  #finish({ id, terminalId }: StreamItem, result: Exclude<StreamResult, { kind: 'later' }>): void {
    const { say, feed } = this.#deps;
    this.#tries.delete(id);
    if (result.kind === 'stale') feed({ kind: 'superseded' });
    else if (result.kind === 'acknowledgement')
      say('acknowledgement', { messageId: id, outcome: result.outcome });
    else say('parked', { messageId: id, reasonCode: result.reasonCode, reason: result.reason });
    this.#step({ kind: 'finished', terminalId });
  }
}
