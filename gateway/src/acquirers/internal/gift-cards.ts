import { createHmac, type KeyObject } from 'node:crypto';
import { findTestGiftCard, type TestGiftCard } from '@tillbridge/protocol/payment/test-gift-cards.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { AcquirerGiftCard, AcquirerMoneyRequest } from '../acquirer.js';
import type { IssuerVerdict } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';
import { newApprovalCode } from './new-approval-code.js';
import { APPROVED } from './response-codes.js';

/** Wrong PINs of a gift card in this time before all PINs are refused. */
export const GIFT_CARD_PINS = { tries: 3, windowMs: 10 * 60_000 } as const;

const WRONG_PIN = '55';

/** What {@link decideGiftCard} decides on. */
export interface GiftCardFacts {
  readonly request: Pick<AcquirerMoneyRequest, 'kind' | 'amount'>;
  readonly card: AcquirerGiftCard;
  /** Everything that was recorded of it so far. */
  readonly rows: readonly LedgerRow[];
  readonly nowMs: number;
}

/** What the simulated issuer of gift cards says, with the balance where PIN and currency are right. Pure. */
export function decideGiftCard({ request, card, rows, nowMs }: GiftCardFacts): IssuerVerdict {
  const { kind, amount } = request;
  const known = findTestGiftCard(card.number);
  if (!known) return { responseCode: '14' };
  if (known.behaviour.kind === 'decline') return { responseCode: known.behaviour.responseCode };
  if (kind !== 'credit') {
    if (wrongPins(rows, nowMs) >= GIFT_CARD_PINS.tries) return { responseCode: '75' };
    if (card.pin !== known.pin) return { responseCode: WRONG_PIN };
  }
  if (amount.currency !== known.currency) return { responseCode: '57' };
  const balanceMinor = balanceOf(known, rows);
  if (kind === 'credit') return { responseCode: APPROVED, balanceMinor: balanceMinor + amount.minor };
  return amount.minor > balanceMinor
    ? { responseCode: '51', balanceMinor }
    : { responseCode: APPROVED, balanceMinor: balanceMinor - amount.minor };
}

function wrongPins(rows: readonly LedgerRow[], nowMs: number): number {
  return rows.filter(
    ({ responseCode, atMs }) => responseCode === WRONG_PIN && nowMs - atMs < GIFT_CARD_PINS.windowMs,
  ).length;
}

/** What is left on a card: what was on it, less what was taken or is held, and with what was loaded. */
function balanceOf({ openingMinor }: TestGiftCard, rows: readonly LedgerRow[]): number {
  const left = rows
    .filter(({ approved }) => approved === 1)
    .reduce((sum, row) => sum + (row.kind === 'credit' ? 1 : -1) * standing(row), openingMinor);
  return Math.max(0, left);
}

function standing({ amountMinor, reversedMinor, refundedMinor, chargedBackMinor }: LedgerRow): number {
  return amountMinor - reversedMinor - refundedMinor - chargedBackMinor;
}

/** What {@link GiftCards} works with. */
export interface GiftCardParts {
  readonly rowsOf: (giftCard: string) => Promise<readonly LedgerRow[]>;
  readonly hashKey: KeyObject;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** The simulated issuer of gift cards: of two payments with one card the second sees what the first has left. */
export class GiftCards {
  readonly #parts: GiftCardParts;
  /** The last payment of each card that has one under way. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(parts: GiftCardParts) {
    this.#parts = parts;
  }

  /** Keyed hash of a card's number, hex. */
  hashOf({ number }: AcquirerGiftCard): string {
    return createHmac('sha256', this.#parts.hashKey).update('gift card\0').update(number).digest('hex');
  }

  /** Runs work on a card once what was begun with it before has ended. */
  async inTurn<T>(card: AcquirerGiftCard, work: () => Promise<T>): Promise<T> {
    const hash = this.hashOf(card);
    const before = this.#last.get(hash) ?? Promise.resolve();
    const running = before.catch(() => undefined).then(work);
    this.#last.set(hash, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(hash) === running) this.#last.delete(hash);
    }
  }

  /** What the issuer says to a payment; to be asked and recorded {@link inTurn}. */
  async decide(request: AcquirerMoneyRequest, card: AcquirerGiftCard): Promise<IssuerVerdict> {
    const { rowsOf, clock, random } = this.#parts;
    const rows = await rowsOf(this.hashOf(card));
    const verdict = decideGiftCard({ request, card, rows, nowMs: clock.nowMs() });
    return verdict.responseCode === APPROVED
      ? { ...verdict, approvalCode: newApprovalCode(random) }
      : verdict;
  }
}
