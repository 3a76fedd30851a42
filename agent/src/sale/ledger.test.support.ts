import {
  Disposition,
  type Outcome,
  type StatusAnswer,
  StatusState,
} from '@tillbridge/protocol/bridge/messages.js';
import type { StreamEnvelope } from '../journal/forward-queue.js';
import type { LiveEnvelope } from '../uplink/uplink.js';

/** An authorization or offline record at the acquirer. */
export interface LedgerEntry {
  readonly messageId: string;
  readonly reference: string;
  readonly kind: 'authorization' | 'offline';
  readonly minor: number;
  readonly approved: boolean;
  reversed: boolean;
}

/** Bytes of tag 91 that the ledger's issuer answers with. */
const ISSUER_DATA = Buffer.from('910A1122334455667788AA00', 'hex');

/** The far end of the bridge: dedupes by id, keeps tombstones, remembers every authorization it ever booked. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>();
  readonly tombstones = new Set<string>();
  readonly seen: Map<string, Outcome> = new Map();
  /** Sequences of stream messages in the order of their first arrival, by terminal. */
  readonly streams = new Map<string, number[]>();
  readonly captured: string[] = [];
  /** What the issuer says to the next request. */
  approves: (reference: string) => boolean = () => true;
  parks: (envelope: StreamEnvelope) => boolean = () => false;

  authorize(envelope: LiveEnvelope): Outcome | undefined {
    if (envelope.kind !== 'authorizationRequest') return undefined;
    const { id, body } = envelope;
    const known = this.seen.get(id);
    if (known) return known;
    if (this.tombstones.has(id)) return outcome(Disposition.REFUSED);
    const approved = this.approves(body.reference);
    const { reference } = body;
    const minor = body.amount?.minor ?? 0;
    this.entries.set(id, {
      messageId: id,
      reference,
      kind: 'authorization',
      minor,
      approved,
      reversed: false,
    });
    return this.#remember(id, outcome(approved ? Disposition.APPROVED : Disposition.DECLINED, id));
  }

  status(messageId: string): StatusAnswer {
    const known = this.seen.get(messageId);
    if (known) return { messageId, state: StatusState.ANSWERED, outcome: known };
    const state = this.tombstones.has(messageId) ? StatusState.TOMBSTONED : StatusState.NOT_SEEN;
    return { messageId, state };
  }

  take(envelope: StreamEnvelope): Outcome {
    const known = this.seen.get(envelope.id);
    if (known) return known;
    const { terminalId, sequence } = envelope;
    this.streams.set(terminalId, [...(this.streams.get(terminalId) ?? []), sequence]);
    return this.#remember(envelope.id, this.#book(envelope));
  }

  /** Approved and not undone, by till reference. */
  standing(reference: string): LedgerEntry[] {
    const all = [...this.entries.values()];
    return all.filter((entry) => entry.reference === reference && entry.approved && !entry.reversed);
  }

  #book(envelope: StreamEnvelope): Outcome {
    switch (envelope.kind) {
      case 'reversal': {
        const { originalMessageId } = envelope.body;
        const entry = this.entries.get(originalMessageId);
        if (!entry) this.tombstones.add(originalMessageId);
        if (!entry?.approved || entry.reversed) return outcome(Disposition.NOTHING_TO_REVERSE);
        entry.reversed = true;
        return outcome(Disposition.REVERSED);
      }
      case 'capture':
        this.captured.push(envelope.body.originalMessageId);
        return outcome(Disposition.APPROVED, envelope.id);
      case 'offlineRecord': {
        const { id, body } = envelope;
        const approved = this.approves(body.reference);
        const { reference } = body;
        const minor = body.amount?.minor ?? 0;
        this.entries.set(id, { messageId: id, reference, kind: 'offline', minor, approved, reversed: false });
        return outcome(approved ? Disposition.APPROVED : Disposition.DECLINED, id);
      }
    }
  }

  #remember(id: string, answer: Outcome): Outcome {
    this.seen.set(id, answer);
    return answer;
  }
}

/** What the gateway answers, by its disposition. */
export function outcome(disposition: Disposition, id = ''): Outcome {
  const approved = disposition === Disposition.APPROVED;
  return {
    disposition,
    paymentId: id.replaceAll('-', ''),
    resultCode: approved ? '000.000.000' : '800.100.152',
    description: '',
    approvalCode: approved ? '123456' : '',
    responseCode: approved ? '00' : '05',
    iccDataResponse: ISSUER_DATA,
    brand: 'VISA',
  };
}
