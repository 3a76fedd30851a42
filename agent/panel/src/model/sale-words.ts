import type { Tone } from '@tillbridge/protocol/panel/components/badge.js';
import { amountText } from '@tillbridge/protocol/panel/format.js';
import type { Sale } from '../api/answers.js';

/** How a sale is told to the cashier and to the customer. */
export interface SaleWords {
  readonly tone: Tone;
  /** One or two words of its state. */
  readonly state: string;
  /** The answer in one sentence. */
  readonly answer: string;
  /** What to say to the customer. */
  readonly say: string;
}

const NOUNS: Readonly<Record<Sale['type'], string>> = {
  sale: 'Sale',
  refund: 'Refund',
  preauthorization: 'Preauthorization',
};

/** What a sale is called. */
export function typeText(type: Sale['type']): string {
  return NOUNS[type];
}

/** The amount that counts: what was approved, where that is less than what was asked for. */
export function saleAmount({ approvedAmount, amount, currency }: Sale): string {
  return amountText(approvedAmount ?? amount, currency);
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

/** The words of a sale as it now stands. */
export function saleWords(sale: Sale): SaleWords {
  if (sale.state === 'parked') return parked(sale);
  if (sale.state === 'unknown') return unknown(sale);
  if (sale.state === 'reversing')
    return {
      tone: 'warn',
      state: 'Reversing',
      answer: 'Not approved. It is being reversed.',
      say: 'This payment does not count. Nothing will stay charged.',
    };
  if (sale.state !== 'done') return running(sale);
  if (sale.lateDecline) return late(sale);
  switch (sale.outcome) {
    case 'approved':
      return approved(sale);
    case 'declined':
      return declined(sale);
    case 'cancelled':
      return ended('neutral', 'Cancelled', sale, 'cancelled');
    case 'reversed':
      return {
        tone: 'neutral',
        state: 'Reversed',
        answer: `Reversed: ${saleAmount(sale)} ${sale.type === 'refund' ? 'is not given back' : 'is not charged'}.`,
        say: 'The payment was taken back. It will not stay on your statement.',
      };
    default:
      return ended('bad', sale.outcome === 'expired' ? 'Expired' : 'Failed', sale, 'not completed');
  }
}

function running(sale: Sale): SaleWords {
  return {
    tone: 'info',
    state: 'Running',
    answer: `${typeText(sale.type)} of ${saleAmount(sale)} is running.`,
    say: 'Please follow the terminal.',
  };
}

function approved(sale: Sale): SaleWords {
  const amount = saleAmount(sale);
  if (sale.type === 'refund')
    return {
      tone: 'good',
      state: 'Refunded',
      answer: `Approved: ${amount} is given back.`,
      say: `You get ${amount} back on your card, within a few days.`,
    };
  if (sale.approvedAmount !== undefined && sale.approvedAmount !== sale.amount)
    return {
      tone: 'warn',
      state: 'Part approved',
      answer: `Only ${amount} of ${amountText(sale.amount, sale.currency)} is approved.`,
      say: 'Your card paid a part. How would you like to pay the rest?',
    };
  if (sale.mode === 'offline-deferred')
    return {
      tone: 'warn',
      state: 'Taken offline',
      answer: `Taken offline: ${amount}, not authorized yet.`,
      say: 'Thank you. The payment is completed as soon as we are connected again.',
    };
  const offline = sale.mode === 'offline-card';
  return {
    tone: 'good',
    state: offline ? 'Approved offline' : 'Approved',
    answer: offline ? `Approved offline by the card: ${amount}.` : `Approved: ${amount}.`,
    say: 'Thank you, the payment went through. Would you like the receipt?',
  };
}

/** The issuer wants to be called: a code of it may still approve. */
export function isReferral({ resultCode, outcome, state }: Sale): boolean {
  return state === 'done' && outcome === 'declined' && resultCode === '800.100.200';
}

function declined(sale: Sale): SaleWords {
  if (isReferral(sale))
    return {
      tone: 'warn',
      state: 'Call the issuer',
      answer: 'Not approved: the issuer of the card wants a call.',
      say: 'Your bank wants to speak to us first. Or would you like to use another card?',
    };
  return ended('bad', 'Declined', sale, 'declined');
}

function ended(tone: Tone, state: string, { type }: Sale, how: string): SaleWords {
  if (type === 'refund')
    return {
      tone,
      state,
      answer: `${state}. Nothing was given back.`,
      say: `The refund was ${how}. Let us try it again.`,
    };
  const again =
    how === 'cancelled' ? 'Nothing was charged.' : 'Nothing was charged. Would you like to try another card?';
  return { tone, state, answer: `${state}. Nothing was charged.`, say: `The payment was ${how}. ${again}` };
}

function unknown(sale: Sale): SaleWords {
  return {
    tone: 'warn',
    state: 'Not known yet',
    answer: `Not known yet whether ${saleAmount(sale)} is approved. Do not hand over goods.`,
    say: 'We are waiting for the answer of your bank. Please wait a moment.',
  };
}

function parked(sale: Sale): SaleWords {
  return {
    tone: 'warn',
    state: 'Needs staff',
    answer: `Staff must find out how this ${typeText(sale.type).toLowerCase()} ended.`,
    say: 'We do not know yet whether your card was charged. Please leave us your number, we will call you.',
  };
}

function late(sale: Sale): SaleWords {
  const expired = sale.lateDecline?.reason === 'expired-offline';
  return {
    tone: 'bad',
    state: expired ? 'Expired' : 'Declined later',
    answer: `${expired ? 'Expired' : 'Declined later'}: ${saleAmount(sale)} was not received.`,
    say: 'Your bank did not honour the payment that we took offline. Please pay it in another way.',
  };
}
