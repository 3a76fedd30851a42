import type { BridgeOrigin, Origin, PaymentDesk, PaymentResult } from '@tillbridge/gateway/payments/desk.js';
import type { Witness } from './witness.js';

/** How far one terminal's stream was taken. */
interface Progress {
  sequence: number;
  readonly done: Set<string>;
}

/** Stands between bridge and desk and looks at the order in which messages of streams are carried out (P4). */
export class DeskWitness {
  readonly #witness: Witness;
  /** Agents whose identity two machines have: their streams begin more than once. */
  readonly #cloned: ReadonlySet<string>;
  readonly #streams = new Map<string, Progress>();

  constructor(witness: Witness, cloned: ReadonlySet<string>) {
    this.#witness = witness;
    this.#cloned = cloned;
  }

  /** The desk as the bridge sees it. */
  watch(desk: PaymentDesk): PaymentDesk {
    const seen = async (origin: Origin, work: Promise<PaymentResult>): Promise<PaymentResult> => {
      const result = await work;
      if (origin.kind === 'bridge' && origin.sequence > 0) this.#carriedOut(origin);
      return result;
    };
    return {
      authorize: (request) => seen(request.origin, desk.authorize(request)),
      followUp: (request) => seen(request.origin, desk.followUp(request)),
      status: (agentId, messageId) => desk.status(agentId, messageId),
      find: (paymentId, entityId) => desk.find(paymentId, entityId),
    };
  }

  #carriedOut({ agentId, terminalId, sequence, messageId }: BridgeOrigin): void {
    if (this.#cloned.has(agentId)) return;
    const key = `${agentId}/${terminalId}`;
    const progress = this.#streams.get(key) ?? { sequence: 0, done: new Set<string>() };
    this.#streams.set(key, progress);
    if (progress.done.has(messageId)) return;
    if (sequence <= progress.sequence)
      this.#witness.breach('P4', `stream ${key}: ${sequence} was carried out behind ${progress.sequence}`);
    progress.sequence = Math.max(progress.sequence, sequence);
    progress.done.add(messageId);
  }
}
