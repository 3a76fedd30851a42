import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { STORED_TYPES } from '@tillbridge/wire/payment/lifecycle.js';
import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import { claimed, sealedForNow, shownCard, stamp, version } from './columns.js';
import { WAIT_KINDS } from './wait-kinds.js';

/** Payments from intent to answer. */
export const PAYMENTS_TABLES = tables({
  /** Our word that a request may be on its way to the acquirer; committed before it is. */
  intents: shape(
    {
      /** The acquirer reference: 32 lowercase hex. */
      id: column.text(),
      /** Id of the payment that the outcome becomes. */
      paymentId: column.text(),
      entityId: column.idOf('entities'),
      agentId: column.optional(column.idOf('agents')),
      /** Unique with `agentId`. */
      messageId: column.optional(column.text()),
      /** `waiting`: for another party, until the deadline of its row in `waits`. */
      state: column.oneOf('open', 'waiting', 'done'),
      /** Acquirer request kind. */
      kind: column.text(),
      /** The payment's: merchantTransactionId or the till's reference. */
      reference: column.optional(column.text()),
      /** The payment whose amounts a follow-up changes; null for PA, DB and CD. */
      rootId: column.optional(column.idOf('payments')),
      /** What is needed to finish after a crash, nothing sensitive; once it is done what is left of it (payments/rules/intent-detail.ts). */
      detail: column.json(),
      /** The node that works on it; null while it waits for another party, and once it is done. Only the lease of the node makes it so. */
      owner: column.optional(column.text()),
      ...stamp,
    },
    {
      isWide: true,
      unique: { message: ['agentId', 'messageId'] },
      indexes: {
        state: ['state'],
        payment: ['paymentId'],
        reference: ['entityId', 'reference', 'state'],
        root: ['rootId'],
      },
    },
  ),

  /** A payment: PA, DB, CD, RB and RC carry the amounts; CP, RF, RV, CB and CR have a row of their own and point to what they follow. */
  payments: shape(
    {
      /** 32 lowercase hex. */
      id: column.text(),
      entityId: column.idOf('entities'),
      /** A number for people, made of the id. */
      shortId: column.text(),
      type: column.oneOf(...STORED_TYPES),
      /** `pending` is never stored: it stands for an intent whose outcome is not known yet. */
      state: column.oneOf<
        'pending' | 'authorized' | 'captured' | 'credited' | 'completed' | 'declined' | 'reversed'
      >('authorized', 'captured', 'credited', 'completed', 'declined', 'reversed'),
      /** The payment named in the follow-up request. */
      referencedId: column.optional(column.idOf('payments')),
      /** The PA, DB or CD at the root of a follow-up. */
      rootId: column.optional(column.idOf('payments')),
      amountMinor: column.integer('>= 0'),
      currency: column.text(),
      authorizedMinor: column.integer('>= 0'),
      capturedMinor: column.integer('BETWEEN 0 AND authorizedMinor'),
      refundedMinor: column.integer('BETWEEN 0 AND capturedMinor'),
      /** Taken back by chargebacks that stand. */
      chargedBackMinor: column.integer('BETWEEN 0 AND capturedMinor'),
      reversedMinor: column.integer('BETWEEN 0 AND authorizedMinor'),
      captureCount: column.integer(),
      maxCaptures: column.optional(column.integer()),
      /** 1 after `sequence=FINAL`. */
      capturesClosed: column.flag(),
      /** The intent of the follow-up that is running on this payment. */
      lockedBy: column.optional(column.idOf('intents')),
      resultCode: column.text(),
      description: column.text(),
      /** The data for the card are hex of BER-TLV. */
      ...column.optionalTexts('approvalCode', 'responseCode', 'iccDataResponse'),
      /** Object: the acquirer's answer in addition to its codes, such as `avsResponse`. */
      answer: column.json(),
      ...shownCard,
      /** `DPAN`: a network token stands for the card. Null where it was not stated. */
      /** `paymentMethod`; of a follow-up that of what it follows. */
      method: column.oneOf('CC', 'DD', 'OT', 'CT', 'VA'),
      numberType: column.optional(column.oneOf('PAN', 'DPAN')),
      /** The digital wallet that the card came out of. */
      wallet: column.optional(column.oneOf(...WALLET_NAMES)),
      vaultId: column.optional(column.idOf('vault')),
      acquirer: column.text(),
      acquirerReference: column.optional(column.text()),
      /** Reference of the capture that a PA.CP brings along; such a payment has the type PA. */
      captureReference: column.optional(column.text()),
      agentId: column.optional(column.idOf('agents')),
      messageId: column.optional(column.text()),
      terminalId: column.optional(column.text()),
      /** merchantTransactionId or the till's reference. */
      reference: column.optional(column.text()),
      offline: column.optional(column.oneOf('card-approved', 'deferred')),
      /** Object: parameters that answers repeat. */
      echo: column.json(),
      ...stamp,
    },
    {
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
    },
  ),

  /** Which sale holds a till reference: at most one that is approved or may become so (P2). */
  claims: shape(
    {
      agentId: column.idOf('agents'),
      reference: column.text(),
      /** Payment that holds the reference. */
      paymentId: column.text(),
      /** 1 once that payment is declined or reversed. */
      released: column.flag(),
      version,
    },
    { key: ['agentId', 'reference'] },
  ),

  /** A decision on a payment in addition to that of the acquirer, in their order; written in the payment's commit. */
  decisions: shape(
    {
      paymentId: column.text(),
      position: column.integer('>= 0'),
      entityId: column.idOf('entities'),
      /** What it was about, such as `risk`. */
      step: column.text(),
      /** Who took it. */
      by: column.text(),
      /** The code is a result code. Nothing sensitive. */
      ...column.optionalTexts('rule', 'code', 'detail'),
      atMs: column.integer(),
      version,
    },
    { key: ['paymentId', 'position'], indexes: { payment: ['paymentId'] } },
  ),

  /** What a seller of a marketplace has of a payment; the sellers of a payment never have more than it (docs/payments.md). */
  sellerParts: shape(
    {
      paymentId: column.text(),
      sellerId: column.text(),
      entityId: column.idOf('entities'),
      /** paymentType of the payment: a refund takes from the seller. */
      type: column.text(),
      amountMinor: column.integer('>= 0'),
      currency: column.text(),
      ...stamp,
    },
    { key: ['paymentId', 'sellerId'], indexes: { payment: ['paymentId'], seller: ['entityId', 'sellerId'] } },
  ),

  /** An agreement on a card on file, under each reference that later payments name it by (docs/card-on-file.md). */
  agreements: shape(
    {
      merchantId: column.idOf('entities'),
      /** The network's id of the first payment, or the id of the agreement. */
      reference: column.text(),
      /** `held`: for the card of a first payment under way, which may be declined. `made`: a first payment was approved. */
      state: column.oneOf('held', 'made'),
      /** Keyed fingerprint of the card, hex. */
      card: column.text(),
      numberType: column.optional(column.oneOf('PAN', 'DPAN')),
      type: column.optional(column.oneOf('UNSCHEDULED', 'INSTALLMENT', 'RECURRING')),
      /** yyyy-MM-dd. */
      expiry: column.optional(column.text()),
      /** The latest first payment, or the registration that a migration made. */
      paymentId: column.text(),
      ...stamp,
    },
    { key: ['merchantId', 'reference'] },
  ),

  /** A payment that waits for its shopper, or for a person, or may: where it goes on, and where its shopper goes after. */
  waits: shape(
    {
      /** Id that the payment has or will have. */
      paymentId: column.text(),
      entityId: column.idOf('entities'),
      intentId: column.idOf('intents'),
      /** Of the latest wait. */
      kind: column.oneOf(...WAIT_KINDS),
      /** As the merchant sent it. */
      shopperResultUrl: column.optional(column.text()),
      /** The checkout that it is a payment of. */
      checkoutId: column.optional(column.text()),
      /** Where our own page sends the shopper (`AcquirerRedirect`); null while it does not. */
      redirect: column.optional(column.json()),
      /** Hex of what a later step needs (payments/decide/continuation.ts), sealed; null as soon as none does. */
      ...sealedForNow,
      /** Until when it waits; null while it does not. */
      untilMs: column.optional(column.integer()),
      /** The work on its deadline; null while it does not wait. */
      ...claimed,
      /** When the payment got its outcome. */
      endedAtMs: column.optional(column.integer()),
      ...stamp,
    },
    {
      key: ['paymentId'],
      isWide: true,
      indexes: {
        intent: ['intentId'],
        keyId: ['keyId'],
        due: ['kind', 'dueAtMs'],
        until: ['kind', 'untilMs'],
        ended: ['endedAtMs'],
        owner: ['entityId', 'kind', 'untilMs'],
      },
    },
  ),

  /** What the payer of a bank transfer states as its purpose: which payment the money is for. */
  transferReferences: shape(
    {
      /** A creditor reference of ISO 11649. */
      reference: column.text(),
      entityId: column.idOf('entities'),
      /** Id that the payment has or will have. */
      paymentId: column.text(),
      ...stamp,
    },
    { key: ['reference'], indexes: { age: ['createdAtMs'] } },
  ),

  /** Money that a merchant has received for a payment that waited for its transfer (docs/waiting-payments.md). */
  transferReceipts: shape(
    {
      /** Id of the RC. */
      id: column.text(),
      entityId: column.idOf('entities'),
      /** Id that the payment has or will have. */
      paymentId: column.text(),
      amountMinor: column.integer('> 0'),
      currency: column.text(),
      ...stamp,
    },
    { indexes: { payment: ['paymentId'], age: ['createdAtMs'] } },
  ),

  /** An authentication of a cardholder that goes on later, of a payment or on its own, and one on its own that has ended. */
  authentications: shape(
    {
      /** Id of the payment; of an authentication on its own 32 lowercase hex. */
      id: column.text(),
      /** `threeDSServerTransID`, a UUID. */
      transId: column.text(),
      entityId: column.idOf('entities'),
      kind: column.oneOf('payment', 'stand-alone'),
      state: column.oneOf('open', 'done'),
      /** How the method call ended; null while it has not. */
      compInd: column.optional(column.oneOf('Y', 'N')),
      /** Result code as answers show it. */
      resultCode: column.text(),
      /** Object: what answers show, and the ids of both servers. */
      answer: column.json(),
      shopperResultUrl: column.optional(column.text()),
      /** Of one on its own: keyed hash of the authentication value that it was answered with. */
      proof: column.optional(column.text()),
      /** Hex of what a later step needs, sealed: the result of a payment's authentication; all of one on its own. */
      ...sealedForNow,
      ...stamp,
    },
    {
      isWide: true,
      unique: { transaction: ['transId'] },
      indexes: { entity: ['entityId'], keyId: ['keyId'], proof: ['proof'], age: ['createdAtMs'] },
    },
  ),

  /** The proof of an authentication that a payment has brought along: for one authorization of its merchant. */
  usedProofs: shape(
    {
      merchantId: column.idOf('entities'),
      /** Keyed fingerprint of the authentication value, hex. */
      proof: column.text(),
      paymentId: column.text(),
      ...stamp,
    },
    { key: ['merchantId', 'proof'], indexes: { age: ['createdAtMs'] } },
  ),

  /** What a merchant's `Idempotency-Key` stands for. */
  idempotency: shape(
    {
      entityId: column.idOf('entities'),
      idempotencyKey: column.text(),
      /** Keyed hash of the request, hex. */
      fingerprint: column.text(),
      /** Id that the request's payment has or will have. */
      paymentId: column.text(),
      /** HTTP status of the answer; null while there is no final one. */
      httpStatus: column.optional(column.integer()),
      /** The answer, nothing sensitive; null while there is no final one. */
      answer: column.optional(column.json()),
      /** The node that works on the request; null while none does. */
      owner: column.optional(column.text()),
      ...stamp,
    },
    { key: ['entityId', 'idempotencyKey'], isWide: true, indexes: { age: ['createdAtMs'] } },
  ),
});
