import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { AgentLog } from '../log/log.js';
import {
  INITIAL_SENDER,
  isStalled,
  mayGoLive,
  type SenderEffect,
  type SenderEvent,
  type SenderState,
  senderStep,
} from './stream-sender.js';

/** Times of the queues' shell, by name. */
const SEND_QUEUE_LIMITS = {
  /** After a read of the forward queue failed, it is tried again this much later. */
  queueRetryMs: 2_000,
} as const;

/** Whether a message was handed to the socket; when not, no byte of it ever will be. */
export interface HandOver {
  readonly done: boolean;
  /** Why the message can never be sent, as it is. */
  readonly fault?: string;
}

/** What the queues work with. */
interface SendQueueDeps {
  readonly queue: ForwardQueue;
  readonly clock: Clock;
  readonly log: AgentLog;
  /** Hands a message to the socket; `taken` follows only after it was. */
  readonly write: (envelope: Envelope, taken: () => void) => HandOver;
}

/** Carries out what the stream sender decides: reads the queue, writes to the socket, records acknowledgements. */
export class SendQueues {
  private readonly deps: SendQueueDeps;
  private readonly endWork: () => void;
  private readonly retries = new Set<Timer>();
  private state: SenderState = INITIAL_SENDER;

  constructor(deps: SendQueueDeps) {
    this.deps = deps;
    this.endWork = deps.queue.onWork((terminalId) => this.feed({ kind: 'work', terminalId }));
  }

  /** A live message may go out now. */
  mayGoLive(): boolean {
    return mayGoLive(this.state, this.deps.clock.monotonicMs());
  }

  /** The gateway has left a stream message unacknowledged for too long. */
  isStalled(): boolean {
    return isStalled(this.state, this.deps.clock.monotonicMs());
  }

  /** A live message was handed over; it holds a credit until `liveAnswered`. */
  liveSent(messageId: string): void {
    this.feed({ kind: 'live-sent', messageId, atMs: this.deps.clock.monotonicMs() });
  }

  liveAnswered(messageId: string): void {
    this.feed({ kind: 'live-answered', messageId });
  }

  sessionUp(liveCredits: number, backlogCredits: number): void {
    this.feed({ kind: 'session-up', liveCredits, backlogCredits, terminals: this.deps.queue.terminals() });
  }

  sessionDown(): void {
    this.feed({ kind: 'session-down' });
  }

  /** Lets every terminal's stream look for work. */
  nudge(): void {
    for (const terminalId of this.deps.queue.terminals()) this.feed({ kind: 'work', terminalId });
  }

  /**
   * The gateway has acknowledged or parked a message and `recorded` journals that. The credit comes back only when the journal has
   * it: the agent sends the message again where the write failed, and the gateway answers again.
   */
  statusReceived(messageId: string, recorded: Promise<void>): void {
    recorded.then(
      () => this.feed({ kind: 'recorded', messageId }),
      (error: unknown) => this.deps.log.warn({ messageId, err: error }, 'acknowledgement not journaled'),
    );
  }

  /** Ends every timer and subscription. */
  close(): void {
    this.endWork();
    for (const timer of this.retries) timer.cancel();
    this.retries.clear();
  }

  private feed(event: SenderEvent): void {
    const { state, effects } = senderStep(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect.kind === 'pull') void this.pull(effect);
      else this.send(effect);
    }
  }

  private async pull(effect: Extract<SenderEffect, { kind: 'pull' }>): Promise<void> {
    const { session, terminalId, afterSequence } = effect;
    try {
      const envelope = await this.deps.queue.next(terminalId, afterSequence);
      const atMs = this.deps.clock.monotonicMs();
      this.feed({ kind: 'pulled', session, terminalId, envelope, atMs });
    } catch (error) {
      this.deps.log.warn({ terminalId, err: error }, 'forward queue not readable');
      this.retryLater(terminalId);
      this.feed({ kind: 'pull-failed', session });
    }
  }

  private retryLater(terminalId: string): void {
    const timer = this.deps.clock.setTimer(SEND_QUEUE_LIMITS.queueRetryMs, () => {
      this.retries.delete(timer);
      this.feed({ kind: 'work', terminalId });
    });
    this.retries.add(timer);
  }

  private send({ session, envelope }: Extract<SenderEffect, { kind: 'send' }>): void {
    const written = (): void => this.feed({ kind: 'written', session });
    const { done, fault } = this.deps.write(envelope, written);
    if (done) return;
    // It would hold up its terminal for ever: parked, a person sees it (P4). Anything else stays in flight, so that the
    // stall of the session brings it back.
    if (fault !== undefined) {
      const reason = { code: 'unsendable', text: `breaks a rule of the bridge: ${fault}` };
      this.statusReceived(envelope.id, this.deps.queue.parked(envelope.id, reason));
    }
    written();
  }
}
