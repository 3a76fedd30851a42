import type { Use } from '../../../security/use-limits/decide-use.js';

/** How many pairs of expiry and card verification value one card may be tried with (the configuration sets it). */
export interface CardTryLimits {
  /** At one merchant, with all of its channels. */
  readonly pairsAtMerchant: number;
  /** At all merchants. */
  readonly pairsOfCard: number;
  /** The time in which they are counted, in milliseconds. */
  readonly pairWindowMs: number;
}

/** The limits unless configured: far above what a cardholder types wrong. */
export const DEFAULT_CARD_TRY_LIMITS: CardTryLimits = {
  pairsAtMerchant: 10,
  pairsOfCard: 20,
  pairWindowMs: 24 * 3_600_000,
};

/** Most that a limit may be set to: the pairs of a card stand in one row. */
export const MAX_CARD_PAIRS = 500;

/** Entries that are kept of a card, the latest ones: one that is paid with at more merchants in a day is no cardholder's. */
const MAX_ENTRIES = 2 * MAX_CARD_PAIRS;

/** A card that is tried. */
export interface CardTry {
  /** Short keyed hash of the merchant. */
  readonly merchant: string;
  /** Short keyed hash of expiry and card verification value. */
  readonly pair: string;
}

/** What becomes of a try. */
interface CardTryVerdict {
  readonly refused: boolean;
  /** What is kept of the card; undefined where it stays as it is. */
  readonly uses?: readonly Use[];
}

/** Stands in the place of a pair: a try that was refused for the limit. */
const REFUSED = '';

/**
 * Decides on a try of a card by the pairs that it was tried with lately. A pair that was used before is a payment like any other one: a
 * cardholder who pays a hundred times uses one. A new pair beyond the limit is refused; who goes on finds no pair taken any more, once as many
 * were refused as the limit is. Pure.
 */
export function decideCardTry(
  before: readonly Use[],
  { merchant, pair }: CardTry,
  nowMs: number,
  { pairsAtMerchant, pairsOfCard, pairWindowMs }: CardTryLimits,
): CardTryVerdict {
  const recent = before.filter(([, atMs]) => Math.abs(nowMs - atMs) < pairWindowMs);
  const tries = recent.map(([what]) => tryOf(what));
  const here = tries.filter((each) => each.merchant === merchant);
  const counts = (some: readonly CardTry[]) => {
    const pairs = new Set(some.map((each) => each.pair));
    pairs.delete(REFUSED);
    return { pairs: pairs.size, refused: some.filter((each) => each.pair === REFUSED).length };
  };
  const [own, all] = [counts(here), counts(tries)];
  const isLocked = own.refused >= pairsAtMerchant || all.refused >= pairsOfCard;
  if (isLocked) return { refused: true };
  if (here.some((each) => each.pair === pair)) return { refused: false };
  const isKnown = tries.some((each) => each.pair === pair);
  const isBeyond = own.pairs >= pairsAtMerchant || (!isKnown && all.pairs >= pairsOfCard);
  const use: Use = [nameOf(merchant, isBeyond ? REFUSED : pair), nowMs];
  return { refused: isBeyond, uses: [...recent, use].slice(-MAX_ENTRIES) };
}

function nameOf(merchant: string, pair: string): string {
  return `${merchant} ${pair}`;
}

function tryOf(what: string): CardTry {
  const [merchant = '', pair = REFUSED] = what.split(' ');
  return { merchant, pair };
}
