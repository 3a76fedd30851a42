import {
  Disposition,
  type Outcome,
  type StatusAnswer,
  StatusState,
} from '@tillbridge/wire/bridge/messages.js';
import type { StreamEnvelope } from '../journal/forward-queue.js';
import type { LiveEnvelope } from '../uplink/uplink.js';

/** An authorization or offline record at the acquirer. */
interface LedgerEntry {
  readonly messageId: string;
  readonly reference: string;
  readonly kind: 'authorization' | 'offline';
  readonly minor: number;
  readonly approved: boolean;
  reversed: boolean;
  /** Of a preauthorization: what was captured, and whether more may be. */
  captured: number;
  closed: boolean;
  released: boolean;
}

/** Answer of the issuer: all, a part, no, or a call first. */
type IssuerWord = 'all' | 'half' | 'no' | 'call';

const NEW_ENTRY = {
  kind: 'authorization',
  reversed: false,
  captured: 0,
  closed: false,
  released: false,
} as const;

/** The approval code that the issuer has never given. */
export const UNKNOWN_CODE = '000000';

/** Bytes of tag 91 that the ledger's issuer answers with. */
const ISSUER_DATA = Buffer.from('910A1122334455667788AA00', 'hex');

/** The far end of the bridge: dedupes by id, keeps tombstones, remembers every authorization it ever recorded. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>();
  /** Offline records as they first came. */
  readonly records: Extract<StreamEnvelope, { readonly kind: 'offlineRecord' }>[] = [];
  readonly tombstones = new Set<string>();
  readonly seen: Map<string, Outcome> = new Map();
  /** Sequences of stream messages in the order of their first arrival, by terminal. */
  readonly streams = new Map<string, number[]>();
  readonly captured: string[] = [];
  /** Answers other than approved and declined, where a test needs them. */
  word: ((reference: string) => IssuerWord) | undefined;
  /** Whether the issuer approves the next request. */
  approves: (reference: string) => boolean = () => true;
  /** Whether the gateway takes captures. */
  takesCaptures = true;
  parks: (envelope: StreamEnvelope) => boolean = () => false;

  authorize(envelope: LiveEnvelope): Outcome | undefined {
    if (envelope.kind !== 'authorizationRequest') return undefined;
    const { id, body } = envelope;
    const known = this.seen.get(id);
    if (known) return known;
    if (this.tombstones.has(id)) return outcome(Disposition.REFUSED);
    const word = this.word?.(body.reference) ?? (this.approves(body.reference) ? 'all' : 'no');
    const requested = body.amount ?? { minor: 0, currency: '' };
    const part = word === 'half' && body.partialAllowed;
    const minor = part ? Math.floor(requested.minor / 2) : requested.minor;
    const approved = word === 'all' || part;
    this.entries.set(id, { ...NEW_ENTRY, messageId: id, reference: body.reference, minor, approved });
    const answer = outcome(approved ? Disposition.APPROVED : Disposition.DECLINED, id);
    const amount = { ...requested, minor };
    if (part) return this.#remember(id, { ...answer, amount, responseCode: '10' });
    return this.#remember(id, word === 'call' ? { ...answer, responseCode: '01' } : answer);
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
    if (this.tombstones.has(envelope.id)) return this.#remember(envelope.id, outcome(Disposition.REFUSED));
    return this.#remember(envelope.id, this.#registry(envelope));
  }

  /** Approved and not reversed, by till reference. */
  standing(reference: string): LedgerEntry[] {
    const all = [...this.entries.values()];
    return all.filter((entry) => entry.reference === reference && entry.approved && !entry.reversed);
  }

  #registry(envelope: StreamEnvelope): Outcome {
    switch (envelope.kind) {
      case 'reversal':
        return this.#reverse(envelope.body);
      case 'cancelIfUnseen':
        return this.#cancelIfUnseen(envelope.body.originalMessageId);
      case 'capture':
        return this.#capture(envelope);
      case 'voiceAuthorization': {
        const { id, body } = envelope;
        const approved = body.approvalCode !== UNKNOWN_CODE;
        const { reference } = body;
        const minor = body.amount?.minor ?? 0;
        this.entries.set(id, { ...NEW_ENTRY, messageId: id, reference, minor, approved });
        return outcome(approved ? Disposition.APPROVED : Disposition.DECLINED, id);
      }
      case 'offlineRecord': {
        const { id, body } = envelope;
        this.records.push(envelope);
        // Never seen before, or it had its answer already.
        if (body.expired) return outcome(Disposition.REFUSED);
        const approved = this.approves(body.reference);
        const { reference } = body;
        const minor = body.amount?.minor ?? 0;
        this.entries.set(id, { ...NEW_ENTRY, kind: 'offline', messageId: id, reference, minor, approved });
        return outcome(approved ? Disposition.APPROVED : Disposition.DECLINED, id);
      }
    }
  }

  /** A preauthorization with captures keeps what was captured; where all of it was, there is nothing to reverse. */
  #reverse({
    originalMessageId,
    amount,
  }: Extract<StreamEnvelope, { readonly kind: 'reversal' }>['body']): Outcome {
    const entry = this.entries.get(originalMessageId);
    if (!entry) this.tombstones.add(originalMessageId);
    if (!entry?.approved || entry.reversed) return outcome(Disposition.NOTHING_TO_REVERSE);
    if (entry.captured >= entry.minor) return outcome(Disposition.REFUSED);
    entry.reversed = entry.captured === 0;
    entry.released = true;
    const minor = entry.minor - entry.captured;
    return { ...outcome(Disposition.REVERSED), amount: { minor, currency: amount?.currency ?? '' } };
  }

  /** What was answered keeps its answer; what never came never will. */
  #cancelIfUnseen(originalMessageId: string): Outcome {
    const known = this.seen.get(originalMessageId);
    if (known) return known;
    this.tombstones.add(originalMessageId);
    return outcome(Disposition.NOTHING_TO_REVERSE);
  }

  #capture({ id, body }: Extract<StreamEnvelope, { readonly kind: 'capture' }>): Outcome {
    const entry = this.entries.get(body.originalMessageId);
    const minor = body.amount?.minor ?? 0;
    const open = this.takesCaptures && entry?.approved && !entry.reversed && !entry.released && !entry.closed;
    if (!entry || !open || entry.captured + minor > entry.minor) return outcome(Disposition.REFUSED);
    entry.captured += minor;
    entry.closed = body.final;
    this.captured.push(body.originalMessageId);
    return outcome(Disposition.APPROVED, id);
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
