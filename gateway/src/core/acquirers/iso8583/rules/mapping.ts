import type {
  ExchangeEntryMode,
  ExchangeMessage,
} from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { AcquirerMoneyRequest } from '../../acquirer.js';
import { DECLINE_CODES } from '../../response-codes.js';

/** What the gateway requests, and the type of message to the host for it. */
export const OPERATIONS = {
  /** 0100: reserves money. */
  authorization: { kind: 'authorization', isAdvice: false, transaction: 'purchase', follows: false },
  /** 0120: the card, or the issuer on the phone, has approved it. */
  'authorization advice': { kind: 'authorization', isAdvice: true, transaction: 'purchase', follows: false },
  /** 0100: reserves more money for an authorization, which it names. */
  increment: { kind: 'authorization', isAdvice: false, transaction: 'purchase', follows: true },
  /** 0200: takes money. */
  sale: { kind: 'financial', isAdvice: false, transaction: 'purchase', follows: false },
  /** 0220: the card, or the issuer on the phone, has approved it. */
  'sale advice': { kind: 'financial', isAdvice: true, transaction: 'purchase', follows: false },
  /** 0220: the completion of an authorization. */
  capture: { kind: 'financial', isAdvice: true, transaction: 'purchase', follows: true },
  /** 0220: gives money of a sale or capture back. */
  refund: { kind: 'financial', isAdvice: true, transaction: 'refund', follows: true },
  /** 0200: gives money without an earlier sale. */
  credit: { kind: 'financial', isAdvice: false, transaction: 'credit', follows: false },
} as const satisfies Readonly<
  Record<string, Pick<ExchangeMessage, 'kind' | 'isAdvice' | 'transaction'> & { readonly follows: boolean }>
>;

/** Why an advice or a reversal is sent (field 25 of `cmf`): its reason codes. */
export const REASONS = {
  terminal: '1004',
  card: '1005',
  standIn: '1007',
  cancelled: '4000',
  completedInPart: '4004',
  answeredTooLate: '4006',
  unanswered: '4021',
} as const;

/** The name of an operation. */
export type Operation = keyof typeof OPERATIONS;

/** The operation of a request; undefined for what is sent to no host: money that came in another way. */
export function operationOf({ kind, captureNow, approvalCode }: AcquirerMoneyRequest): Operation | undefined {
  if (kind === 'receipt') return undefined;
  if (kind !== 'authorization' && kind !== 'advice') return kind;
  const requested = captureNow ? 'sale' : 'authorization';
  return kind === 'advice' || approvalCode !== undefined ? `${requested} advice` : requested;
}

/** `pos.entryMode` and its value in a message. */
export const ENTRY_MODES: Readonly<Record<string, ExchangeEntryMode>> = {
  MANUAL: 'keyed',
  MAGSTRIPE: 'magstripe',
  MAGSTRIPE_AS_FALLBACK: 'fallback',
  ICC: 'chip',
  NFC_ICC: 'contactless-chip',
  NFC_MAGSTRIPE: 'contactless-magstripe',
};

/** Result codes of approvals: of a processor's test system, and of live payments. */
export const APPROVAL_CODES = { test: '000.100.112', live: '000.000.000' } as const;

/** Result code of what the gateway approved by itself: at the merchant's own risk, and listed for staff who review approvals. */
export const STAND_IN_CODE = '000.400.060';

/** Result and response code of a request without an answer, which was reversed. */
export const REVERSED = { resultCode: '900.100.301', responseCode: '91' } as const;
/** Refusal of a request that this acquirer cannot carry out. */
export const NOT_SUPPORTED = { resultCode: '600.200.201', responseCode: '57' } as const;
/** Of a request that does not fit into a message of the dialect. */
export const NOT_WRITABLE = { resultCode: '800.100.156', responseCode: '30' } as const;
/** Of a follow-up whose original the link does not know. */
export const UNKNOWN_ORIGINAL = { resultCode: DECLINE_CODES['25'], responseCode: '25' } as const;
/** Of other content under a reference that was used. */
export const OTHER_CONTENT = { resultCode: DECLINE_CODES['94'], responseCode: '94' } as const;
