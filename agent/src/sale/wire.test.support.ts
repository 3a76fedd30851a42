import type { Outcome, StatusAnswer } from '@tillbridge/wire/bridge/messages.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { LiveEnvelope, Uplink, UplinkState } from '../uplink/uplink.js';
import type { Ledger } from './ledger.test.support.js';

/** What the network does to live messages. */
interface FaultRates {
  dropRequest(): boolean;
  dropAnswer(): boolean;
  /** One way, milliseconds. */
  delayMs(): number;
}

export const NO_FAULTS: FaultRates = { dropRequest: () => false, dropAnswer: () => false, delayMs: () => 10 };

/** The uplink of one boot: a wire to the ledger with faultRates on it. */
export class Wire implements Uplink {
  state: UplinkState = 'down';
  faultRates: FaultRates = NO_FAULTS;
  readonly sent: LiveEnvelope[] = [];
  nudges = 0;
  /** How far the gateway's clock is ahead of the agent's, milliseconds. */
  skewMs = 0;
  readonly #ledger: Ledger;
  readonly #clock: VirtualClock;
  readonly #onSend: (envelope: LiveEnvelope) => void;
  readonly #answers = new Listeners<[messageId: string, outcome: Outcome]>();
  readonly #statuses = new Listeners<[answer: StatusAnswer]>();
  readonly #states = new Listeners<[state: UplinkState]>();
  readonly #times = new Listeners<[timeMs: number]>();
  #queue: ForwardQueue | undefined;
  #dead = false;
  #pumping = new Set<string>();

  constructor(ledger: Ledger, clock: VirtualClock, onSend: (envelope: LiveEnvelope) => void) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#onSend = onSend;
  }

  sendLive(envelope: LiveEnvelope): boolean {
    if (this.state !== 'up' || this.#dead) return false;
    this.sent.push(envelope);
    this.#onSend(envelope);
    if (this.faultRates.dropRequest()) return true;
    this.#clock.setTimer(this.faultRates.delayMs(), () => this.#deliver(envelope));
    return true;
  }

  nudge(): void {
    this.nudges += 1;
  }

  onAnswer(listener: (messageId: string, outcome: Outcome) => void): () => void {
    return this.#answers.add(listener);
  }

  onStatus(listener: (answer: StatusAnswer) => void): () => void {
    return this.#statuses.add(listener);
  }

  onState(listener: (state: UplinkState) => void): () => void {
    return this.#states.add(listener);
  }

  onGatewayTime(listener: (timeMs: number) => void): () => void {
    return this.#times.add(listener);
  }

  set(state: UplinkState): void {
    if (this.state === state || this.#dead) return;
    this.state = state;
    this.#states.tell(state);
    if (state !== 'up') return;
    this.#times.tell(this.#clock.nowMs() + this.skewMs);
    for (const terminalId of this.#queue?.terminals() ?? []) void this.#pump(terminalId);
  }

  /** Pulls the stream messages, one at a time per terminal, as an uplink does. */
  pull(queue: ForwardQueue): void {
    this.#queue = queue;
    queue.onWork((terminalId) => void this.#pump(terminalId));
  }

  /** Ends the process: it sends nothing more. */
  kill(): void {
    this.#dead = true;
  }

  #deliver(envelope: LiveEnvelope): void {
    const answer = envelope.kind === 'statusRequest' ? undefined : this.#ledger.authorize(envelope);
    if (this.faultRates.dropAnswer()) return;
    this.#clock.setTimer(this.faultRates.delayMs(), () => {
      if (this.#dead || this.state !== 'up') return;
      if (answer) this.#answers.tell(envelope.id, answer);
      if (envelope.kind !== 'statusRequest') return;
      this.#statuses.tell(this.#ledger.status(envelope.body.messageId));
    });
  }

  async #pump(terminalId: string): Promise<void> {
    if (this.#pumping.has(terminalId)) return;
    this.#pumping.add(terminalId);
    // As an uplink does: an acknowledged message is not sent again before the next pull.
    let after = 0;
    try {
      while (this.#queue && this.state === 'up' && !this.#dead) {
        const envelope = await this.#queue.next(terminalId, after);
        if (!envelope || this.#dead) break;
        after = envelope.sequence;
        if (this.#ledger.parks(envelope)) {
          await this.#queue.parked(envelope.id, { code: 'unknown-card', text: 'this card is unknown' });
          continue;
        }
        const taken = this.#ledger.take(envelope);
        if (this.faultRates.dropAnswer()) break;
        await this.#queue.acknowledged(envelope.id, taken);
      }
    } catch {
      // The journal is away: a later ring or link brings the message again.
    } finally {
      this.#pumping.delete(terminalId);
    }
  }
}
