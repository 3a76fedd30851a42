import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { forgedChip } from './cards.js';

/** Random hex digits. */
export const randomHex = (digits: number): string => randomBytes(digits).toString('hex').slice(0, digits);

const payment = () => randomHex(32);
/** Between two that there are: devices are listed in the order of their serials. */
const serial = (owned: string) => String(Number(owned) + 1);
/** Of another device of the key set. */
const ksn = (owned: string) => `${owned.slice(0, 8)}9${randomHex(5)}${owned.slice(14)}`.toUpperCase();
const message = () => `m-${randomHex(32)}`;

/**
 * Every kind of id by which a tenant could reach for what is another's, and how to make one of the same form that does not exist.
 * A new kind is a line here, one of the owner's in owner.ts, and its place in rest-cases.ts or bridge-cases.ts.
 */
const UNKNOWN = {
  merchant: payment,
  channel: payment,
  legacyChannel: payment,
  authorizedPayment: payment,
  capturedPayment: payment,
  declinedPayment: payment,
  pendingPayment: payment,
  followUp: payment,
  authentication: payment,
  registration: payment,
  paymentLink: payment,
  checkout: () => `${randomHex(32).toUpperCase()}-test`,
  schedule: payment,
  token: payment,
  // Alerts are listed in the order of their ids: the next one stands at the same place.
  alert: (owned: string) => owned.slice(0, -1) + (owned.endsWith('0') ? '1' : '0'),
  merchantTransactionId: () => `order-${randomHex(16)}`,
  idempotencyKey: () => `key-${randomHex(16)}`,
  agent: () => `store-${randomHex(8)}`,
  bootId: () => `boot-${randomHex(16)}`,
  agentCommand: () => randomUUID(),
  approvedMessage: message,
  declinedMessage: message,
  parkedMessage: message,
  tombstonedMessage: message,
  tillReference: () => `sale-${randomHex(16)}`,
  terminal: () => `9${randomInt(100, 999)}`,
  device: serial,
  spareDevice: serial,
  webhook: payment,
  user: payment,
  settlement: payment,
  file: (owned: string) => randomHex(32) + owned.slice(32),
  usedKsn: ksn,
  freshKsn: ksn,
  pinKsn: ksn,
  cardCounter: () => forgedChip(randomInt(0x8000, 0xf000)),
  enrolmentCode: () => randomHex(10),
} satisfies Record<string, (owned: string) => string>;

/** One kind of id. */
export type IdKind = keyof typeof UNKNOWN;

/** What one tenant has, one of each kind. */
export type OwnedIds = Readonly<Record<IdKind, string>>;

/** An id of the form of the owned one that does not exist. */
export function unknownLike(kind: IdKind, owned: string): string {
  return UNKNOWN[kind](owned);
}

export const ENTITIES = ['merchant', 'channel', 'legacyChannel'] as const;
export const PAYMENTS = [
  'authorizedPayment',
  'capturedPayment',
  'declinedPayment',
  'pendingPayment',
  'followUp',
] as const;
export const MESSAGES = ['approvedMessage', 'declinedMessage', 'parkedMessage', 'tombstonedMessage'] as const;
export const DEVICES = ['device', 'spareDevice'] as const;
export const KSNS = ['usedKsn', 'freshKsn', 'pinKsn'] as const;
