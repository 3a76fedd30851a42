import { backoffMs } from '@tillbridge/platform/backoff.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import { PortOpenError } from './port-open-error.js';

/** Wait before the first try to reopen a port; each further wait is twice as long. */
export const FIRST_RETRY_MS = 250;
/** Longest wait between two tries: a terminal that is plugged in again is found within this time. */
export const MAX_RETRY_MS = 5_000;
/** An open that takes longer counts as failed. */
export const OPEN_TIMEOUT_MS = 10_000;
/** A port that stayed open this long was good: the next wait begins at the first again. */
export const STABLE_AFTER_MS = 10_000;

/** Why a port is not open: it was and is no more (`lost`), or why it could not be opened. */
export type PortFault = PortOpenError['reason'] | 'lost';

/** What the supervisor knows of its port. */
export type PortState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly pipe: BytePipe }
  /** `reason`: why it is not open, for a person; `fault`: the same as a code. */
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      readonly fault: PortFault;
      readonly retryMs: number;
    }
  | { readonly kind: 'closed' };

/** Keeps one configured port open for as long as it is supervised. */
export interface PortSupervisor {
  readonly state: PortState;
  /** Calls `listener` on every change. Returns the function that ends the subscription. */
  onState(listener: (state: PortState) => void): () => void;
  /** Closes the open pipe, to open it anew: for a line that is open but dead. */
  reopen(reason: string): void;
  /** Ends the supervision and the pipe. */
  close(): Promise<void>;
}

/** What a supervisor needs. */
interface SupervisorDeps {
  /** Opens the port once; its rejection's message is shown to a person. */
  readonly open: () => Promise<BytePipe>;
  readonly clock: Clock;
}

class Supervisor implements PortSupervisor {
  state: PortState = { kind: 'opening' };
  private readonly deps: SupervisorDeps;
  private readonly listeners = new Listeners<[state: PortState]>();
  private failures = 0;
  private attempt = 0;
  private openedAtMs = 0;
  private timer: Timer | undefined;

  constructor(deps: SupervisorDeps) {
    this.deps = deps;
    this.tryOpen();
  }

  onState(listener: (state: PortState) => void): () => void {
    return this.listeners.add(listener);
  }

  reopen(reason: string): void {
    if (this.state.kind !== 'open') return;
    const { pipe } = this.state;
    this.lost(pipe, reason);
    void pipe.close();
  }

  async close(): Promise<void> {
    if (this.state.kind === 'closed') return;
    const former = this.state;
    this.attempt += 1;
    this.timer?.cancel();
    this.become({ kind: 'closed' });
    this.listeners.clear();
    if (former.kind === 'open') await former.pipe.close();
  }

  private tryOpen(): void {
    this.attempt += 1;
    const { attempt } = this;
    this.become({ kind: 'opening' });
    this.timer = this.deps.clock.setTimer(OPEN_TIMEOUT_MS, () => {
      if (attempt === this.attempt)
        this.failed(`opening took longer than ${OPEN_TIMEOUT_MS / 1000} s`, 'other');
    });
    this.deps.open().then(
      (pipe) => this.opened(attempt, pipe),
      (error: unknown) => {
        if (attempt === this.attempt) this.failed(messageOf(error), faultOf(error));
      },
    );
  }

  private opened(attempt: number, pipe: BytePipe): void {
    if (attempt !== this.attempt) {
      void pipe.close();
      return;
    }
    this.timer?.cancel();
    this.openedAtMs = this.deps.clock.monotonicMs();
    pipe.onClose((reason) => this.lost(pipe, reason));
    this.become({ kind: 'open', pipe });
  }

  private lost(pipe: BytePipe, reason: string): void {
    if (this.state.kind !== 'open' || this.state.pipe !== pipe) return;
    if (this.deps.clock.monotonicMs() - this.openedAtMs >= STABLE_AFTER_MS) this.failures = 0;
    this.failed(reason, 'lost');
  }

  private failed(reason: string, fault: PortFault): void {
    this.attempt += 1;
    this.failures += 1;
    this.timer?.cancel();
    const retryMs = backoffMs(this.failures, FIRST_RETRY_MS, MAX_RETRY_MS);
    this.timer = this.deps.clock.setTimer(retryMs, () => this.tryOpen());
    this.become({ kind: 'waiting', reason, fault, retryMs });
  }

  private become(state: PortState): void {
    this.state = state;
    this.listeners.tell(state);
  }
}

/** Starts to keep a port open; the first try begins at once. */
export function supervisePort(deps: SupervisorDeps): PortSupervisor {
  return new Supervisor(deps);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function faultOf(error: unknown): PortFault {
  return error instanceof PortOpenError ? error.reason : 'other';
}
