import { type Outcome, type StatusAnswer, StatusState } from '@tillbridge/wire/bridge/messages.js';

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
 * Requests the status of parked messages: an operator of the gateway may have retried them while this agent was away.
 * One request at a time, so that live requests of sales keep their credits. A round that fails is begun anew by the next `begin`.
 */
export class ParkedInquiry {
  readonly #ports: ParkedInquiryPorts;
  #toAsk: readonly string[] = [];
  #current: string | undefined;

  constructor(ports: ParkedInquiryPorts) {
    this.#ports = ports;
  }

  /** Requests the status of everything that is parked. */
  begin(): void {
    this.#toAsk = this.#ports.parked();
    this.#askNext();
  }

  /** Takes an answer to a status request; true when it was about a parked message. */
  onStatus({ messageId, state, outcome }: StatusAnswer): boolean {
    const isParked = this.#ports.parked().includes(messageId);
    if (isParked && state === StatusState.ANSWERED && outcome) {
      this.#ports.acknowledged(messageId, outcome).catch((error: unknown) => this.#ports.onFault(error));
    }
    if (messageId === this.#current) this.#askNext();
    return isParked;
  }

  #askNext(): void {
    const [next, ...rest] = this.#toAsk;
    this.#toAsk = rest;
    this.#current = next !== undefined && this.#ports.ask(next) ? next : undefined;
  }
}
