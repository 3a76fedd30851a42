import type {
  ExchangeMessage,
  ExchangeTexts,
} from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';

/** Values that no journal may hold: card data, secrets, and what is of use to the host alone. */
const NEVER_STORED = [
  'pan',
  'expiry',
  'track2',
  'cvv',
  'pinBlock',
  'iccData',
  'billingStreet',
  'billingPostcode',
  'authenticationValue',
  'keyBlock',
  'zoneKey',
] as const satisfies readonly (keyof ExchangeTexts)[];

/** A message without card data. */
export type StoredMessage = Omit<ExchangeMessage, (typeof NEVER_STORED)[number]>;

/**
 * Where an exchange with the host stands.
 * `sent`: journaled, and its bytes may have left. `answered`: the host has decided. `reversing`: its outcome is unknown or no longer wanted, and a
 * reversal is sent until the host acknowledges it. `reversed`: it has.
 */
export type ExchangeState = 'sent' | 'answered' | 'reversing' | 'reversed';

/** The reversal of an exchange. */
export interface ReversalProgress {
  /** Number and time of the reversal itself: each repeat has the same. */
  readonly stan: string;
  readonly at: string;
  /** Times that it was sent. */
  readonly attempts: number;
  /** When it is sent next. */
  readonly nextAtMs: number;
}

/** What the link journals of an exchange: without card data. */
export interface ExchangeRecord {
  /** Our acquirer reference. */
  readonly reference: string;
  readonly request: StoredMessage;
  readonly state: ExchangeState;
  readonly answer?: StoredMessage;
  readonly reversal?: ReversalProgress;
  /** Approvals that came after their reversal. */
  readonly lateApprovals: number;
}

/** A message without what no journal may hold. */
export function stored(message: ExchangeMessage): StoredMessage {
  const copy: { -readonly [Name in keyof ExchangeMessage]?: ExchangeMessage[Name] } = { ...message };
  for (const name of NEVER_STORED) delete copy[name];
  return copy as StoredMessage;
}

/** Whether an answer approves. */
export function isApproval({ responseCode }: Pick<StoredMessage, 'responseCode'>): boolean {
  return responseCode === '00' || responseCode === '10';
}
