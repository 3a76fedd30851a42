import type { AcquirerRecord, PlacedEntry, RecordEntry } from '../../core/acquirers/acquirer.js';
import { BEGINNING, NO_CARD } from '../../core/payments/rules/drafts.js';
import type { IntentRow, PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** An entry of the generated ledger; its amounts change as those that follow it are recorded. */
export type Entry = { -readonly [Name in keyof RecordEntry]: RecordEntry[Name] } & {
  readonly entityId: string;
  /** The entry with the card; itself where it is one. */
  readonly root: Entry | undefined;
  readonly original: Entry | undefined;
  /** The gateway has its payment: until then it has no outcome there. */
  hasPayment: boolean;
};

type Kind = RecordEntry['kind'];

/** A request that comes to the ledger. */
export interface Wanted {
  readonly kind: Kind;
  readonly entityId: string;
  readonly currency: string;
  readonly minor: number;
  readonly atMs: number;
  readonly captureNow?: boolean;
  readonly original?: Entry | undefined;
  readonly declined?: boolean;
}

/** What an acquirer owes for an entry by itself: its kind alone gives the direction. */
const DIRECTIONS: Readonly<Partial<Record<Kind, 1 | -1>>> = {
  capture: 1,
  advice: 1,
  receipt: 1,
  'chargeback-reversal': 1,
  refund: -1,
  credit: -1,
  chargeback: -1,
};

/** Which way an entry moves money to the merchant: 1, -1, or 0 where it moves none. A reversal moves against its original. */
export function directionOf(entry: Entry): 1 | 0 | -1 {
  if (entry.kind === 'reversal') {
    const original = entry.original ? directionOf(entry.original) : 0;
    return original === 1 ? -1 : original === -1 ? 1 : 0;
  }
  if (entry.kind === 'authorization') return entry.captureNow ? 1 : 0;
  return DIRECTIONS[entry.kind] ?? 0;
}

/** A ledger of an acquirer that a test writes: it refuses what cannot be, as acquirers do, and shares no rule with the gateway. */
export class GeneratedLedger implements AcquirerRecord {
  readonly entries: Entry[] = [];
  /** Runs when a page has been read. */
  onPage: () => Promise<void> = async () => undefined;
  #count = 0;

  async entriesAfter(position: number, limit: number): Promise<readonly PlacedEntry[]> {
    const page = this.entries.slice(position, position + limit).map((entry, at) => {
      return { position: position + at + 1, entry: shown(entry) };
    });
    await this.onPage();
    return page;
  }

  async entry(acquirerReference: string): Promise<RecordEntry | undefined> {
    const found = this.entries.find((each) => each.acquirerReference === acquirerReference);
    return found && shown(found);
  }

  /** Records a request; undefined where the ledger refuses it without a trace. */
  record(wanted: Wanted): Entry | undefined {
    const { kind, original, declined = false } = wanted;
    const minor = declined ? wanted.minor : amountOf(wanted);
    if (minor === undefined) return undefined;
    this.#count += 1;
    const movesNothing = kind === 'reversal' && minor === 0;
    const root = original && (original.root ?? original);
    const takes = kind === 'advice' || kind === 'receipt' || wanted.captureNow === true;
    const entry: Entry = {
      acquirerReference: this.#count.toString(16).padStart(32, '0'),
      originalReference: original?.acquirerReference ?? null,
      messageId: null,
      kind,
      approved: !declined,
      isPending: false,
      captureNow: wanted.captureNow ?? false,
      currency: movesNothing ? 'XXX' : wanted.currency,
      amountMinor: minor,
      capturedMinor: takes && !declined ? minor : 0,
      refundedMinor: 0,
      chargedBackMinor: 0,
      reversedMinor: 0,
      reason: null,
      atMs: wanted.atMs,
      entityId: wanted.entityId,
      root: kind === 'receipt' ? undefined : root,
      original,
      hasPayment: false,
    };
    this.entries.push(entry);
    if (!declined) carryOut(entry);
    return entry;
  }

  /** What the acquirer owes a merchant account in a currency, in minor units: the movements added up. */
  owed(entityId: string, currency: string): number {
    return this.entries
      .filter((each) => each.approved && each.entityId === entityId && each.currency === currency)
      .reduce((sum, each) => sum + directionOf(each) * each.amountMinor, 0);
  }
}

function shown({ entityId: _, root: __, original: ___, hasPayment: ____, ...entry }: Entry): RecordEntry {
  return { ...entry };
}

/** How much moves; undefined where nothing may. */
function amountOf({ kind, minor, original }: Wanted): number | undefined {
  if (!original) return minor;
  const root = original.root ?? original;
  const left = root.capturedMinor - root.refundedMinor - root.chargedBackMinor;
  switch (kind) {
    case 'capture': {
      const isHold = original.kind === 'authorization' && !original.captureNow && original.approved;
      return within(
        minor,
        isHold ? original.amountMinor - original.capturedMinor - original.reversedMinor : 0,
      );
    }
    case 'refund':
      return original.approved ? within(minor, left) : undefined;
    case 'increment': {
      const isFree = original.capturedMinor === 0 && original.reversedMinor === 0;
      return directionOf(original) === 0 && original.kind === 'authorization' && isFree ? minor : undefined;
    }
    case 'chargeback':
      return original === root && original.approved ? within(minor, left) : undefined;
    case 'chargeback-reversal':
      return original.kind === 'chargeback' && original.reversedMinor === 0
        ? original.amountMinor
        : undefined;
    case 'reversal':
      return original.kind === 'increment' || original.kind === 'reversal' || original.kind === 'chargeback'
        ? undefined
        : reversible(original);
    default:
      return original === root && original.approved && directionOf(original) >= 0 ? minor : undefined;
  }
}

const within = (minor: number, left: number): number | undefined =>
  left <= 0 ? undefined : Math.min(minor, left);

/** A declined one is reversed for nothing. */
function reversible(original: Entry): number | undefined {
  if (!original.approved) return 0;
  const root = original.root ?? original;
  const left = original.amountMinor - original.reversedMinor;
  if (original.chargedBackMinor > 0 || original.kind === 'chargeback-reversal') return undefined;
  const isRoot = original === root;
  const used = directionOf(original) === 0 ? original.capturedMinor : original.refundedMinor;
  const ofCapture = root.capturedMinor - root.refundedMinor - root.chargedBackMinor;
  const most = isRoot ? left - used : original.kind === 'capture' ? Math.min(left, ofCapture) : left;
  return most > 0 ? most : undefined;
}

/** What an approved entry changes of those before it. */
function carryOut(entry: Entry): void {
  const { kind, original, root, amountMinor } = entry;
  if (!original || !root) return;
  if (kind === 'capture') root.capturedMinor += amountMinor;
  if (kind === 'increment') root.amountMinor += amountMinor;
  if (kind === 'refund') root.refundedMinor += amountMinor;
  if (kind === 'chargeback') root.chargedBackMinor += amountMinor;
  if (kind === 'chargeback-reversal') {
    root.chargedBackMinor -= amountMinor;
    original.reversedMinor = original.amountMinor;
  }
  if (kind !== 'reversal' || amountMinor === 0) return;
  original.reversedMinor += amountMinor;
  if (original.kind === 'refund') root.refundedMinor -= amountMinor;
  else if (original.kind === 'capture' || directionOf(original) === 1) root.capturedMinor -= amountMinor;
}

/** Has the gateway know of an entry: its request. A chargeback comes without one. */
export async function insertIntent(store: Pick<Store, 'commit'>, entry: Entry): Promise<void> {
  if (entry.kind.startsWith('chargeback')) return;
  const detail = JSON.stringify({ draft: { currency: (entry.root ?? entry).currency } });
  const row: IntentRow = {
    ...{ id: entry.acquirerReference, paymentId: paymentIdOf(entry), entityId: entry.entityId },
    ...{ agentId: null, messageId: null, state: 'done', kind: entry.kind, reference: null },
    ...{ rootId: entry.root ? paymentIdOf(entry.root) : null, detail, owner: null },
    ...{ createdAtMs: entry.atMs, version: 1 },
  };
  await store.commit([{ op: 'insert', table: 'intents', row }]);
}

/** Has the gateway have its payment. */
export async function insertPayment(store: Pick<Store, 'commit'>, entry: Entry): Promise<void> {
  if (entry.hasPayment) return;
  entry.hasPayment = true;
  const { root } = entry;
  const row: PaymentRow = {
    ...BEGINNING,
    ...NO_CARD,
    ...{ id: paymentIdOf(entry), entityId: entry.entityId, shortId: '1', type: root ? 'RF' : 'DB' },
    ...{ state: entry.approved ? 'completed' : 'declined', referencedId: null },
    ...{ rootId: root ? paymentIdOf(root) : null, amountMinor: entry.amountMinor, currency: entry.currency },
    ...{ captureReference: null, maxCaptures: null, method: 'CC', vaultId: null, terminalId: null },
    ...{ acquirer: 'INTERNAL', acquirerReference: entry.acquirerReference, agentId: null, messageId: null },
    ...{ reference: null, offline: null, echo: '{}', createdAtMs: entry.atMs, version: 1 },
  };
  await store.commit([{ op: 'insert', table: 'payments', row }]);
}

function paymentIdOf({ acquirerReference }: Entry): string {
  return `f${acquirerReference.slice(1)}`;
}
