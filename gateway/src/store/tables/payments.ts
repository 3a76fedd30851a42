import { WALLET_NAMES } from '@tillbridge/protocol/payment/wallet-names.js';
import {
  flag,
  idOf,
  integer,
  json,
  oneOf,
  optional,
  table,
  text,
} from '@tillbridge/protocol/platform/sqlite/table.js';
import { createdAtMs, version } from './columns.js';
import { WAIT_KINDS } from './wait-kinds.js';

/** Payments from intent to answer. */
export const PAYMENTS_TABLES = {
  /** Our word that a request may be on its way to the acquirer; committed before it is. */
  intents: table('intents', {
    key: ['id'],
    isWide: true,
    unique: { message: ['agentId', 'messageId'] },
    indexes: {
      state: ['state'],
      payment: ['paymentId'],
      reference: ['entityId', 'reference', 'state'],
      root: ['rootId'],
    },
    columns: {
      /** The acquirer reference: 32 lowercase hex. */
      id: text(),
      /** Id of the payment that the outcome becomes. */
      paymentId: text(),
      entityId: idOf('entities'),
      agentId: optional(idOf('agents')),
      /** Unique with `agentId`. */
      messageId: optional(text()),
      /** `waiting`: for somebody else, until the deadline of its row in `waits`. */
      state: oneOf('open', 'waiting', 'done'),
      /** Acquirer request kind. */
      kind: text(),
      /** The payment's: merchantTransactionId or the till's reference. */
      reference: optional(text()),
      /** The payment whose amounts a follow-up changes; null for PA, DB and CD. */
      rootId: optional(idOf('payments')),
      /** What is needed to finish after a crash, nothing sensitive. */
      detail: json(),
      /** The node that works on it, or did last; null while it waits for somebody else. Only the lease of the node makes it so. */
      owner: optional(text()),
      createdAtMs,
      version,
    },
  }),

  /** A payment: PA, DB, CD, RB and RC carry the amounts; CP, RF, RV, CB and CR have a row of their own and point to what they follow. */
  payments: table('payments', {
    key: ['id'],
    isWide: true,
    unique: { message: ['agentId', 'messageId'] },
    indexes: {
      root: ['rootId'],
      referenced: ['referencedId'],
      time: ['entityId', 'createdAtMs'],
      reference: ['entityId', 'reference'],
      vault: ['vaultId'],
      locked: ['lockedBy'],
    },
    columns: {
      /** 32 lowercase hex. */
      id: text(),
      entityId: idOf('entities'),
      /** A number for people, made of the id. */
      shortId: text(),
      type: oneOf('PA', 'DB', 'CD', 'CP', 'RF', 'RV', 'RB', 'RC', 'CB', 'CR'),
      /** `pending` is never stored: it stands for an intent whose outcome is not known yet. */
      state: oneOf<
        'pending' | 'authorized' | 'captured' | 'credited' | 'completed' | 'declined' | 'reversed'
      >('authorized', 'captured', 'credited', 'completed', 'declined', 'reversed'),
      /** The payment named in the follow-up request. */
      referencedId: optional(idOf('payments')),
      /** The PA, DB or CD at the root of a follow-up. */
      rootId: optional(idOf('payments')),
      amountMinor: integer('>= 0'),
      currency: text(),
      authorizedMinor: integer('>= 0'),
      capturedMinor: integer('BETWEEN 0 AND authorizedMinor'),
      refundedMinor: integer('BETWEEN 0 AND capturedMinor'),
      /** Taken back by chargebacks that stand. */
      chargedBackMinor: integer('BETWEEN 0 AND capturedMinor'),
      reversedMinor: integer('BETWEEN 0 AND authorizedMinor'),
      captureCount: integer(),
      maxCaptures: optional(integer()),
      /** 1 after `sequence=FINAL`. */
      capturesClosed: flag(),
      /** The intent of the follow-up that is running on this payment. */
      lockedBy: optional(idOf('intents')),
      resultCode: text(),
      description: text(),
      approvalCode: optional(text()),
      responseCode: optional(text()),
      /** Hex of the BER-TLV for the card. */
      iccDataResponse: optional(text()),
      /** Object: what the acquirer said beside its codes, such as `avsResponse`. */
      answer: json(),
      brand: optional(text()),
      /** Six digits. */
      bin: optional(text()),
      last4Digits: optional(text()),
      holder: optional(text()),
      expiryMonth: optional(text()),
      expiryYear: optional(text()),
      /** `DPAN`: a network token stands for the card. Null where nobody said. */
      /** `paymentMethod` (spec 2.9); of a follow-up that of what it follows. */
      method: oneOf('CC', 'DD', 'OT', 'CT', 'VA'),
      numberType: optional(oneOf('PAN', 'DPAN')),
      /** The digital wallet that the card came out of. */
      wallet: optional(oneOf(...WALLET_NAMES)),
      vaultId: optional(idOf('vault')),
      acquirer: text(),
      acquirerReference: optional(text()),
      /** Reference of the capture that a PA.CP brings along; such a payment has the type PA. */
      captureReference: optional(text()),
      agentId: optional(idOf('agents')),
      messageId: optional(text()),
      terminalId: optional(text()),
      /** merchantTransactionId or the till's reference. */
      reference: optional(text()),
      offline: optional(oneOf('card-approved', 'deferred')),
      /** Object: parameters that answers repeat. */
      echo: json(),
      createdAtMs,
      version,
    },
  }),

  /** Which sale holds a till reference: at most one that is approved or may become so (P2). */
  claims: table('claims', {
    key: ['agentId', 'reference'],
    columns: {
      agentId: idOf('agents'),
      reference: text(),
      /** Payment that holds the reference. */
      paymentId: text(),
      /** 1 once that payment is declined or reversed. */
      released: flag(),
      version,
    },
  }),

  /** A decision on a payment beside that of the acquirer, in their order; written in the payment's commit. */
  decisions: table('decisions', {
    key: ['paymentId', 'position'],
    indexes: { payment: ['paymentId'] },
    columns: {
      paymentId: text(),
      position: integer('>= 0'),
      entityId: idOf('entities'),
      /** What it was about, such as `risk`. */
      step: text(),
      /** Who took it. */
      by: text(),
      rule: optional(text()),
      /** Result code. */
      code: optional(text()),
      /** Nothing sensitive. */
      detail: optional(text()),
      atMs: integer(),
      version,
    },
  }),

  /** What a seller of a marketplace has of a payment; the sellers of a payment never have more than it (spec 2.6). */
  sellerParts: table('sellerParts', {
    key: ['paymentId', 'sellerId'],
    indexes: { payment: ['paymentId'], seller: ['entityId', 'sellerId'] },
    columns: {
      paymentId: text(),
      sellerId: text(),
      entityId: idOf('entities'),
      /** paymentType of the payment: a refund takes from the seller. */
      type: text(),
      amountMinor: integer('>= 0'),
      currency: text(),
      createdAtMs,
      version,
    },
  }),

  /** An agreement on a card on file, under each reference that later payments name it by (spec 2.7). */
  agreements: table('agreements', {
    key: ['merchantId', 'reference'],
    columns: {
      merchantId: idOf('entities'),
      /** The network's id of the first payment, or the id of the agreement. */
      reference: text(),
      /** Keyed fingerprint of the card, hex. */
      card: text(),
      numberType: optional(oneOf('PAN', 'DPAN')),
      type: optional(oneOf('UNSCHEDULED', 'INSTALLMENT', 'RECURRING')),
      /** yyyy-MM-dd. */
      expiry: optional(text()),
      /** The first payment. */
      paymentId: text(),
      createdAtMs,
      version,
    },
  }),

  /** A payment that waits for its shopper, or for a person, or may: where it goes on, and where its shopper goes after. */
  waits: table('waits', {
    key: ['paymentId'],
    isWide: true,
    indexes: {
      intent: ['intentId'],
      keyId: ['keyId'],
      due: ['dueAtMs'],
      ended: ['endedAtMs'],
      kind: ['kind', 'dueAtMs'],
      owner: ['entityId', 'kind', 'dueAtMs'],
    },
    columns: {
      /** Id that the payment has or will have. */
      paymentId: text(),
      entityId: idOf('entities'),
      intentId: idOf('intents'),
      /** Of the latest wait. */
      kind: oneOf(...WAIT_KINDS),
      /** As the merchant sent it. */
      shopperResultUrl: optional(text()),
      /** The checkout that it is a payment of. */
      checkoutId: optional(text()),
      /** Where our own page sends the shopper (`AcquirerRedirect`); null while it does not. */
      redirect: optional(json()),
      /** Hex of what a later step needs (payments/decide/continuation.ts), sealed; null as soon as none does. */
      sealed: optional(text()),
      /** The data key that seals it. */
      keyId: optional(idOf('dataKeys')),
      /** Until when it waits; null while it does not. */
      dueAtMs: optional(integer()),
      /** When the payment got its outcome. */
      endedAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** An authentication of a cardholder that goes on later, of a payment or on its own, and one on its own that has ended. */
  authentications: table('authentications', {
    key: ['id'],
    isWide: true,
    unique: { transaction: ['transId'] },
    indexes: { entity: ['entityId'], keyId: ['keyId'], age: ['createdAtMs'] },
    columns: {
      /** Id of the payment; of an authentication on its own 32 lowercase hex. */
      id: text(),
      /** `threeDSServerTransID`, a UUID. */
      transId: text(),
      entityId: idOf('entities'),
      kind: oneOf('payment', 'stand-alone'),
      state: oneOf('open', 'done'),
      /** How the method call ended; null while it has not. */
      compInd: optional(oneOf('Y', 'N')),
      /** Result code as answers show it. */
      resultCode: text(),
      /** Object: what answers show, and the ids of both servers. */
      answer: json(),
      shopperResultUrl: optional(text()),
      /** Hex of what a later step needs, sealed: the result of a payment's authentication; all of one on its own. */
      sealed: optional(text()),
      /** The data key that seals it. */
      keyId: optional(idOf('dataKeys')),
      createdAtMs,
      version,
    },
  }),

  /** What a merchant's `Idempotency-Key` stands for. */
  idempotency: table('idempotency', {
    key: ['entityId', 'idempotencyKey'],
    isWide: true,
    indexes: { age: ['createdAtMs'] },
    columns: {
      entityId: idOf('entities'),
      idempotencyKey: text(),
      /** Keyed hash of the request, hex. */
      fingerprint: text(),
      /** Id that the request's payment has or will have. */
      paymentId: text(),
      /** HTTP status of the answer; null while there is no final one. */
      httpStatus: optional(integer()),
      /** The answer, nothing sensitive; null while there is no final one. */
      answer: optional(json()),
      /** The node that works on the request; null while none does. */
      owner: optional(text()),
      createdAtMs,
      version,
    },
  }),
};
