import { outcomeOf, type ResultGroup, resultGroup } from './result-classes.js';
import type { ResultCode } from './result-codes.js';

/** What a result code means for a shop: may it deliver, must it wait, did it fail, may it send the request again? */
export type ResultMeaning = 'paid' | 'pending' | 'refused' | 'try again' | 'charged back';

interface MeaningRow {
  readonly meaning: ResultMeaning;
  /** What the shop does now. */
  readonly action: string;
}

const PAID: MeaningRow = { meaning: 'paid', action: 'Deliver.' };
const OTHER_MEANS: MeaningRow = {
  meaning: 'refused',
  action: 'Offer another card or another payment method. Do not send the same details again.',
};
const MEND_REQUEST: MeaningRow = {
  meaning: 'refused',
  action:
    'Mend the parameter that `result.parameterErrors` or the description names, then send a new request.',
};
const MEND_REFERENCE: MeaningRow = {
  meaning: 'refused',
  action:
    'Look the referenced payment or registration up. Its state, amount or type does not allow the request.',
};
const MEND_CONFIGURATION: MeaningRow = {
  meaning: 'refused',
  action:
    'Ask the operator of the gateway: the channel, the route or a right is not configured for the request.',
};
const LOOK_THEN_REPEAT: MeaningRow = {
  meaning: 'try again',
  action:
    'Query the payment by `merchantTransactionId` first. Where there is none, send the request again with the same `Idempotency-Key`.',
};

/** Every group of the published classification (gateway/docs/result-codes.md), with what it means for a shop. */
export const MEANING_BY_GROUP: Readonly<Record<ResultGroup, MeaningRow>> = {
  success: PAID,
  'success-review': {
    meaning: 'paid',
    action: 'The money is reserved or collected. Review the order before you deliver.',
  },
  'pending-short': {
    meaning: 'pending',
    action:
      'Do not deliver. Wait for the webhook, or look the status up; the end comes within about half an hour.',
  },
  'pending-long': {
    meaning: 'pending',
    action: 'Do not deliver. Wait for the webhook; the end may take days.',
  },
  'rejected-3ds-intercard-risk': OTHER_MEANS,
  'rejected-bank': OTHER_MEANS,
  'rejected-communication': LOOK_THEN_REPEAT,
  'rejected-system': LOOK_THEN_REPEAT,
  'rejected-asynchronous': {
    meaning: 'refused',
    action: 'The shopper cancelled or did not finish. Offer the payment methods again.',
  },
  'soft-decline': {
    meaning: 'try again',
    action: 'Send the payment again with 3D Secure: the issuer wants the cardholder authenticated.',
  },
  'rejected-external-risk': OTHER_MEANS,
  'rejected-address': OTHER_MEANS,
  'rejected-3ds': OTHER_MEANS,
  'rejected-block-list': OTHER_MEANS,
  'rejected-risk-validation': OTHER_MEANS,
  'rejected-configuration': MEND_CONFIGURATION,
  'rejected-registration': MEND_REFERENCE,
  'rejected-job': MEND_REQUEST,
  'rejected-reference': MEND_REFERENCE,
  'rejected-scheme-advice': {
    meaning: 'refused',
    action: 'Do not send the card again before the time in the description; the card scheme charges for it.',
  },
  'rejected-format': MEND_REQUEST,
  'rejected-address-validation': MEND_REQUEST,
  'rejected-contact-validation': MEND_REQUEST,
  'rejected-account-validation': MEND_REQUEST,
  'rejected-amount-validation': MEND_REQUEST,
  'rejected-risk-management': MEND_REQUEST,
  chargeback: {
    meaning: 'charged back',
    action: 'The money was taken back. Refund and reversal are no longer possible for that amount.',
  },
};

/** Codes whose meaning is not that of their group. */
export const MEANING_BY_CODE: ReadonlyMap<string, MeaningRow> = new Map<ResultCode, MeaningRow>([
  [
    '000.100.105',
    { meaning: 'paid', action: 'The re-presentment was accepted: the money is back with the merchant.' },
  ],
  ...(['000.100.211', '000.100.212'] as const).map((code): readonly [ResultCode, MeaningRow] => [
    code,
    {
      meaning: 'paid',
      action:
        'The final amount differs. This gateway does not answer it: the patterns read it as a chargeback.',
    },
  ]),
  [
    '000.200.100',
    { meaning: 'pending', action: 'The checkout exists. Show the payment form; nothing is paid yet.' },
  ],
  [
    '000.400.030',
    {
      meaning: 'refused',
      action: 'Do not deliver. A part stands at the acquirer: reverse it by hand, or let the operator do so.',
    },
  ],
  [
    '800.100.176',
    { meaning: 'try again', action: 'Send the payment again later: the account is not available now.' },
  ],
  [
    '800.120.100',
    {
      meaning: 'try again',
      action: 'Send the request again after the seconds of `Retry-After`. Nothing was carried out.',
    },
  ],
  [
    '800.600.100',
    {
      meaning: 'pending',
      action: 'The same request runs already. Look its status up; do not send it under another key.',
    },
  ],
  [
    '900.100.301',
    {
      meaning: 'try again',
      action: 'The payment was reversed after a timeout. Send it as a new payment.',
    },
  ],
  [
    '900.100.310',
    {
      meaning: 'try again',
      action: 'The request never left. Send it again; tell the operator if it happens twice.',
    },
  ],
]);

/**
 * What a result code means for a shop, and what the shop does now (gateway/docs/result-codes.md). For a refund, a capture or a reversal `paid`
 * means that it was carried out. A code outside the catalogue is read by the published patterns, like those of a client.
 */
export function resultMeaning(code: string): MeaningRow {
  const own = MEANING_BY_CODE.get(code);
  if (own) return own;
  const group = resultGroup(code);
  if (group) return MEANING_BY_GROUP[group];
  return outcomeOf(code) === 'approved' ? PAID : OTHER_MEANS;
}
