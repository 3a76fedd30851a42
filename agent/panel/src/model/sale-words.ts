import type { Tone } from '@tillbridge/panel-kit/components/badge.js';
import type { Sale } from '../api/answers.js';
import type { TextKey } from '../texts/en.js';
import { saleFault } from '../texts/faults.js';
import { money, t } from '../texts/texts.js';

/** What cashier and customer read of a sale. */
interface SaleWords {
  readonly tone: Tone;
  /** One or two words of its state. */
  readonly state: string;
  /** The answer in one sentence. */
  readonly answer: string;
  /** What to say to the customer. */
  readonly say: string;
  /** What staff does about a fault. */
  readonly todo?: string;
}

/** What a sale is called. */
export function typeText(type: Sale['type']): string {
  return t(type);
}

/** The approved amount where it is less than the requested one, else the requested amount. */
export function saleAmount({ approvedAmount, amount, currency }: Sale): string {
  return money(approvedAmount ?? amount, currency);
}

/** Whether the sale has its true end, or waits for staff. */
export function hasEnded({ state }: Sale): boolean {
  return state === 'done' || state === 'parked';
}

/** Whether nothing is decided yet, so that the sale can be cancelled. */
export function isCancellable({ state }: Sale): boolean {
  return (
    state === 'accepted' || state === 'reading-card' || state === 'authorizing' || state === 'completing'
  );
}

/** Whether the agent's text has more than the answer. */
export function saysMore({ cashierText }: Sale): boolean {
  return cashierText !== 'Approved.';
}

/** The words of a sale as it now stands. `terminal`: what its terminal is called. */
export function saleWords(
  sale: Sale,
  terminal: string = t('terminalNamed', { id: sale.terminalId }),
): SaleWords {
  const fault = saleFault(sale);
  const words = plainWords(sale);
  if (sale.state === 'parked') return { ...words, todo: t('doParked') };
  if (!fault && isCashDue(sale)) {
    const cash = money(sale.cashBack ?? '', sale.currency);
    return { ...words, todo: t('handOutCash', { amount: cash }) };
  }
  if (!fault) return words;
  const [todo, tell] = fault;
  return { ...words, todo: t(todo, { terminal }), say: `${words.say} ${t(tell)}` };
}

/** Approved with cash back, which the till hands out. */
function isCashDue({ state, outcome, cashBack }: Sale): boolean {
  return state === 'done' && outcome === 'approved' && cashBack !== undefined;
}

function plainWords(sale: Sale): SaleWords {
  if (sale.state === 'parked') return wordsOf(sale, 'warn', 'parked');
  if (sale.state === 'unknown') return wordsOf(sale, 'warn', 'unknown');
  if (sale.state === 'reversing') return wordsOf(sale, 'warn', 'reversing');
  if (sale.state !== 'done') return wordsOf(sale, 'info', 'running');
  if (sale.lateDecline) return late(sale);
  switch (sale.outcome) {
    case 'approved':
      return approved(sale);
    case 'declined':
      return isReferral(sale) ? wordsOf(sale, 'warn', 'referral') : ended(sale, 'bad', 'declined');
    case 'cancelled':
      return ended(sale, 'neutral', 'cancelled');
    case 'reversed':
      return {
        ...wordsOf(sale, 'neutral', 'reversed'),
        ...(sale.type === 'refund' && { answer: t('reversedRefundAnswer', { amount: saleAmount(sale) }) }),
      };
    case 'expired':
      return ended(sale, 'bad', 'failed', 'expired');
    default:
      return ended(sale, 'bad', 'failed');
  }
}

/** Ways in which a sale stands, each with its state, answer and words for the customer. */
type Way = {
  [K in TextKey]: `${K}Answer` extends TextKey ? (`${K}Say` extends TextKey ? K : never) : never;
}[TextKey];

function wordsOf(sale: Sale, tone: Tone, way: Way): SaleWords {
  const values = {
    amount: saleAmount(sale),
    requested: money(sale.amount, sale.currency),
    type: typeText(sale.type),
  };
  return { tone, state: t(way), answer: t(`${way}Answer`, values), say: t(`${way}Say`, values) };
}

function approved(sale: Sale): SaleWords {
  if (sale.type === 'refund') return wordsOf(sale, 'good', 'refunded');
  if (sale.approvedAmount !== undefined && sale.approvedAmount !== sale.amount)
    return wordsOf(sale, 'warn', 'partApproved');
  if (sale.mode === 'offline-deferred') return wordsOf(sale, 'warn', 'takenOffline');
  const words = wordsOf(sale, 'good', 'approved');
  if (sale.mode !== 'offline-card') return words;
  const answer = t('approvedOfflineAnswer', { amount: saleAmount(sale) });
  return { ...words, state: t('approvedOffline'), answer };
}

/** The issuer wants to be called: a code of it may still approve. */
export function isReferral({ resultCode, outcome, state }: Sale): boolean {
  return state === 'done' && outcome === 'declined' && resultCode === '800.100.200';
}

/** An end at which no money moved. */
function ended(
  { type }: Sale,
  tone: Tone,
  way: 'declined' | 'cancelled' | 'failed',
  name: TextKey = way,
): SaleWords {
  const state = t(name);
  return type === 'refund'
    ? { tone, state, answer: t('nothingGivenBack', { state }), say: t(`${way}RefundSay`) }
    : { tone, state, answer: t('nothingCharged', { state }), say: t(`${way}Say`) };
}

function late(sale: Sale): SaleWords {
  const expired = sale.lateDecline?.reason === 'expired-offline';
  return {
    tone: 'bad',
    state: t(expired ? 'expired' : 'declinedLater'),
    answer: t(expired ? 'expiredAnswer' : 'declinedLaterAnswer', { amount: saleAmount(sale) }),
    say: t('lateSay'),
  };
}
