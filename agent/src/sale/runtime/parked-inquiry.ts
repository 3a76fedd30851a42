import { type Outcome, type StatusAnswer, StatusState } from '@tillbridge/protocol/bridge/messages.js';

/** What an inquiry works with. */
interface ParkedInquiryPorts {
  /** Ids of the messages that are parked now. */
  parked(): readonly string[];
  /** Requests the status of a message from the gateway; false while the link is down. */
  ask(messageId: string): boolean;
  /** The gateway has acknowledged a parked message after all. */
  acknowledged(messageId: string, outcome: Outcome): Promise<void>;
  onFault(error: unknown): void;
}

/**
 * Finds out what became of parked messages: a person at the gateway may have had them tried again while this agent was away.
 * One is asked about at a time, so that live requests of sales keep their credits. A round that comes to nothing is begun anew by the next `begin`.
 */
export class ParkedInquiry {
  readonly #ports: ParkedInquiryPorts;
  #toAsk: readonly string[] = [];
  #asked: string | undefined;

  constructor(ports: ParkedInquiryPorts) {
    this.#ports = ports;
  }

  /** Asks about everything that is parked. */
  begin(): void {
    this.#toAsk = this.#ports.parked();
    this.#askNext();
  }

  /** An answer to a status request; true when it was about a parked message. */
  heard({ messageId, state, outcome }: StatusAnswer): boolean {
    const isParked = this.#ports.parked().includes(messageId);
    if (isParked && state === StatusState.ANSWERED && outcome) {
      this.#ports.acknowledged(messageId, outcome).catch((error: unknown) => this.#ports.onFault(error));
    }
    if (messageId === this.#asked) this.#askNext();
    return isParked;
  }

  #askNext(): void {
    const [next, ...rest] = this.#toAsk;
    this.#toAsk = rest;
    this.#asked = next !== undefined && this.#ports.ask(next) ? next : undefined;
  }
}
