import { WALLET_NAMES } from '@tillbridge/protocol/payment/wallet-names.js';
import {
  flag,
  idOf,
  integer,
  json,
  oneOf,
  optional,
  type Table,
  table,
  text,
} from '@tillbridge/protocol/platform/sqlite/table.js';
import { DEVICE_TYPES } from '../security/keys/device-types.js';
import { WAIT_KINDS } from './wait-kinds.js';

/** 1 when inserted, one more with every update. */
const version = integer();
/** Milliseconds since 1970. */
const createdAtMs = integer();

/**
 * The tables, each declared once: row types (rows.ts), SQL and both engines follow from it. A change needs a migration (schema.ts).
 * Times are milliseconds since 1970.
 */
export const TABLES = {
  /** A merchant or one of its channels. */
  entities: table('entities', {
    key: ['id'],
    indexes: { parent: ['parentId'], kind: ['kind'] },
    columns: {
      /** 32 lowercase hex. */
      id: text(),
      kind: oneOf('merchant', 'channel'),
      /** The merchant of a channel. */
      parentId: optional(idOf('entities')),
      name: text(),
      /** `legacy` takes what clients of older integrations send beside the specification. */
      compatibility: oneOf('specification', 'legacy'),
      createdAtMs,
      version,
    },
  }),

  /** How a merchant's payments are routed to its channels; absent where they are not. */
  routing: table('routing', {
    key: ['merchantId'],
    columns: {
      merchantId: idOf('entities'),
      /** Array of rules in the order they are tried (payments/routing-rules.ts). */
      rules: json(),
      version,
    },
  }),

  /** Whether an entity's cardholders are authenticated on payments with a card that they typed in; absent: they are not. */
  threeDSecureSettings: table('threeDSecureSettings', {
    key: ['entityId'],
    columns: { entityId: idOf('entities'), active: flag(), version },
  }),

  /** What the stores of a merchant or channel may do; absent where nothing is limited but by the compiled maxima. */
  storePolicies: table('storePolicies', {
    key: ['entityId'],
    columns: {
      entityId: idOf('entities'),
      /** Object (`StorePolicy`). Its version is the highest of the database when it was set. */
      policy: json(),
      updatedAtMs: integer(),
      version,
    },
  }),

  /** A fact about the database as a whole. */
  settings: table('settings', {
    key: ['name'],
    columns: {
      /** `mode`: test or live, whichever took it first. `store-policies`: the highest version of a store policy. */
      name: text<'mode' | 'store-policies'>(),
      value: text(),
      version,
    },
  }),

  /** An access token, known by its keyed hash alone. */
  tokens: table('tokens', {
    key: ['id'],
    unique: { hash: ['hash'] },
    indexes: { entity: ['entityId'] },
    columns: {
      id: text(),
      /** HMAC-SHA-256 of the token under the home's token key, hex. */
      hash: text(),
      /** The token itself, sealed, hex. */
      sealed: optional(text()),
      entityId: idOf('entities'),
      /** The merchant of the entity, which never changes: all of its tokens share one rate. */
      merchantId: idOf('entities'),
      label: text(),
      /** Array of rights. */
      rights: json(),
      createdAtMs,
      lastUsedAtMs: optional(integer()),
      revokedAtMs: optional(integer()),
      version,
    },
  }),

  /** What was done with tokens, keys and devices, and by whom. Rows are never deleted. */
  audit: table('audit', {
    key: ['id'],
    isWide: true,
    columns: {
      /** 32 lowercase hex that sort by time. */
      id: text(),
      /** User of the operating system; over REST `token ` and the id of the access token. */
      actor: text(),
      /** The command, such as `token create`. */
      action: text(),
      /** Id of the token, key or device. */
      subject: text(),
      /** `begun`: the work has not ended, or the process ended before it. */
      outcome: oneOf('begun', 'done', 'failed'),
      /** Object, nothing secret. */
      detail: json(),
      createdAtMs,
      version,
    },
  }),

  /** A store's agent. */
  agents: table('agents', {
    key: ['id'],
    indexes: { entity: ['entityId'], state: ['state'] },
    columns: {
      id: text(),
      entityId: idOf('entities'),
      /** `revoked`: no key of it is taken until it is replaced. */
      state: oneOf('active', 'revoked'),
      /** Ed25519 public key, SPKI PEM. */
      publicKey: text(),
      /** The key that takes its place with its first proof. Until then both are taken. */
      nextPublicKey: optional(text()),
      /** The key before this one: its use is an alert. */
      formerPublicKey: optional(text()),
      /** Array of terminal ids. */
      terminals: json(),
      /** Highest generation ever proven; lower ones are fenced. */
      generation: integer(),
      /** The one higher generation that an operator allows, and until when. */
      allowedGeneration: optional(integer()),
      allowedUntilMs: optional(integer()),
      /** Grows with every session. */
      epoch: integer(),
      createdAtMs,
      version,
    },
  }),

  /** A one-time code by which an agent becomes known: the public half of the key that the code stands for. */
  enrolmentCodes: table('enrolmentCodes', {
    key: ['id'],
    indexes: { agent: ['agentId'], age: ['createdAtMs'] },
    columns: {
      /** 10 hex digits, part of the code. */
      id: text(),
      /** Ed25519 public key, SPKI PEM. The code cannot be had from it. */
      publicKey: text(),
      purpose: oneOf('new-agent', 'new-key', 'replacement'),
      agentId: text(),
      entityId: idOf('entities'),
      /** Array of terminal ids. */
      terminals: json(),
      /** The generation that the agent's journal begins or goes on with. */
      generation: integer('> 0'),
      /** Requests that named this code and were not by it. */
      failures: integer(),
      expiresAtMs: integer(),
      /** The agent's key that it was used for, SPKI PEM; null while it was not. */
      usedFor: optional(text()),
      createdAtMs,
      version,
    },
  }),

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
      createdAtMs,
      version,
    },
  }),

  /** A payment: PA, DB, CD, RB and RC carry the amounts; CP, RF and RV have a row of their own and point to what they follow. */
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
      type: oneOf('PA', 'DB', 'CD', 'CP', 'RF', 'RV', 'RB', 'RC', 'CB'),
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

  /** The stored answer to an agent's message. */
  inbox: table('inbox', {
    key: ['agentId', 'messageId'],
    isWide: true,
    columns: {
      agentId: idOf('agents'),
      messageId: text(),
      /** The result; bytes as hex. */
      result: json(),
      /** Keyed hash of what the message said, hex: tells a repeat from an id used twice. */
      contentHash: optional(text()),
      createdAtMs,
      version,
    },
  }),

  /** A message id that was reversed before it arrived: refused for ever. */
  tombstones: table('tombstones', {
    key: ['agentId', 'messageId'],
    indexes: { age: ['createdAtMs'] },
    columns: { agentId: idOf('agents'), messageId: text(), createdAtMs, version },
  }),

  /** How far a terminal's stream was taken. */
  streams: table('streams', {
    key: ['agentId', 'terminalId'],
    indexes: { agent: ['agentId'] },
    columns: { agentId: idOf('agents'), terminalId: text(), nextSequence: integer('> 0'), version },
  }),

  /** What a terminal's offline records came to that waited together (payments/decide/offline-window.ts). */
  offlineWindows: table('offlineWindows', {
    key: ['agentId', 'terminalId'],
    columns: {
      agentId: idOf('agents'),
      terminalId: text(),
      /** When the first of them arrived. */
      sinceMs: integer(),
      /** Object: count, and sums in minor units by currency, of all and of the deferred ones. */
      taken: json(),
      version,
    },
  }),

  /** The head of an agent's journal that the gateway keeps: what the agent may forget, and this may not. */
  journalHeads: table('journalHeads', {
    key: ['agentId'],
    columns: {
      agentId: idOf('agents'),
      /** The generation of the journal; a later one begins anew. */
      generation: integer(),
      /** The last row that was told. */
      lastRow: integer('>= 0'),
      /** Its hash in the chain, hex. */
      hash: text(),
      /** A head that contradicted this one came in this generation; it stays until a person begins the next. */
      alarm: optional(oneOf('behind', 'forked')),
      /** The row of the head that contradicted first. */
      alarmRow: optional(integer()),
      alarmAtMs: optional(integer()),
      updatedAtMs: integer(),
      version,
    },
  }),

  /** A message that will never be accepted; a person has to look at it. */
  parked: table('parked', {
    key: ['agentId', 'messageId'],
    isWide: true,
    indexes: {
      agent: ['agentId'],
      state: ['state'],
      sale: ['agentId', 'reference'],
      keyId: ['keyId'],
    },
    columns: {
      agentId: idOf('agents'),
      messageId: text(),
      terminalId: text(),
      /** Body of the bridge that it is, such as `offlineRecord`. */
      kind: text(),
      /** Its place in the terminal's stream, and the till reference of its sale; null where it cannot be read. */
      sequence: optional(integer()),
      reference: optional(text()),
      reasonCode: text(),
      reason: text(),
      /** `retry`: a person wants another try. `settled`: that try was answered. `dropped`: a person has dealt with it otherwise. */
      state: oneOf('waiting', 'retry', 'settled', 'dropped'),
      /** What the person said, or what the retry came to. */
      note: optional(text()),
      /** The message as it came, sealed, hex, and the data key that seals it; null once nobody needs it any more. */
      message: optional(text()),
      keyId: optional(idOf('dataKeys')),
      createdAtMs,
      version,
    },
  }),

  /** A card's application transaction counter, used once by one sale: the same again elsewhere is a replay. */
  usedAtcs: table('usedAtcs', {
    key: ['card', 'counter'],
    indexes: { age: ['createdAtMs'] },
    columns: {
      /** Keyed fingerprint of card number and sequence number, hex. */
      card: text(),
      /** 0 to 65535 (tag 9F36). */
      counter: integer(),
      /** Whose it is: JSON of agent or entity and the till's reference, or of the payment alone. */
      sale: text(),
      /** The sale's payment that used it last. */
      paymentId: text(),
      createdAtMs,
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

  /** The risk rules of a merchant or channel; absent where the standard ones count. */
  riskRules: table('riskRules', {
    key: ['entityId'],
    columns: {
      entityId: idOf('entities'),
      /** Object (`RiskRules`); card numbers as keyed fingerprints. */
      rules: json(),
      updatedAtMs: integer(),
      version,
    },
  }),

  /** A payment that was tried with a card, e-mail or IP address, for rules that count them. */
  riskAttempts: table('riskAttempts', {
    key: ['subject', 'paymentId'],
    indexes: { subject: ['subject'], age: ['createdAtMs'] },
    columns: {
      /** Keyed fingerprint of merchant, kind and value, hex. */
      subject: text(),
      /** Sorts by time. */
      paymentId: text(),
      createdAtMs,
      version,
    },
  }),

  /** What a person said about a payment that waits for a review. */
  reviewDecisions: table('reviewDecisions', {
    key: ['paymentId'],
    isWide: true,
    indexes: { state: ['state'] },
    columns: {
      paymentId: text(),
      entityId: idOf('entities'),
      decision: oneOf('released', 'refused'),
      /** `made`: the payment has yet to go on, or to end. */
      state: oneOf('made', 'carried-out'),
      /** User of the operating system; over REST `token ` and the id of the access token. */
      actor: text(),
      note: text(),
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

  /** A wallet's token that was used, once, by one payment. */
  usedWalletTokens: table('usedWalletTokens', {
    key: ['wallet', 'token'],
    indexes: { expiry: ['expiresAtMs'] },
    columns: {
      wallet: oneOf(...WALLET_NAMES),
      /** Keyed fingerprint of the token's own id, hex. */
      token: text(),
      paymentId: text(),
      /** From then on the token is refused as expired. */
      expiresAtMs: integer(),
      createdAtMs,
      version,
    },
  }),

  /** A merchant's key pair that a wallet enciphers tokens for (security/wallets). */
  walletKeys: table('walletKeys', {
    key: ['id'],
    isWide: true,
    indexes: { entity: ['entityId', 'wallet'], keyId: ['keyId'] },
    columns: {
      id: text(),
      /** Merchant or channel; a channel without keys of its own uses those of its merchant. */
      entityId: idOf('entities'),
      wallet: oneOf(...WALLET_NAMES),
      /** The merchant as the wallet knows it; the same for all keys of an entity and wallet. */
      merchantIdentifier: text(),
      /** SPKI PEM. */
      publicKey: text(),
      /** The data key that seals the private key. */
      keyId: idOf('dataKeys'),
      /** PKCS#8, sealed, hex. */
      sealed: text(),
      /** Rotated: it opens tokens until then. Null while it is in place. */
      endsAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** What the signatures of a wallet's tokens lead to. */
  walletRoots: table('walletRoots', {
    key: ['wallet', 'id'],
    isWide: true,
    indexes: { wallet: ['wallet'] },
    columns: {
      wallet: oneOf(...WALLET_NAMES),
      /** SHA-256 of the root, hex. */
      id: text(),
      /** Certificate of walletA, public key (SPKI) of the others: DER, base64. */
      root: text(),
      label: text(),
      createdAtMs,
      version,
    },
  }),

  /** A card terminal that account data and PINs are taken from (security/devices). */
  devices: table('devices', {
    key: ['serial'],
    unique: { account: ['accountKsn'], pin: ['pinKsn'] },
    indexes: { entity: ['entityId'], terminal: ['agentId', 'terminalId'] },
    columns: {
      /** The maker's serial, letters and digits. */
      serial: text(),
      deviceType: oneOf(...DEVICE_TYPES),
      /** Initial KSN of the key of its account data: key set and device with the counter zero, uppercase hex. Its KSNs are all that begin so. */
      accountKsn: text(),
      /** The same of its PIN key, where that is a key of its own; null where a PIN comes under the KSN of the account data. */
      pinKsn: optional(text()),
      /** The merchant or channel whose device it is. */
      entityId: idOf('entities'),
      /** The agent it is connected to; null for a device whose merchant sends over REST. */
      agentId: optional(idOf('agents')),
      /** `pos.terminalId` that it stands for. */
      terminalId: optional(text()),
      state: oneOf('inStock', 'active', 'suspended', 'tampered', 'decommissioned'),
      /** Since when it is in this state. */
      stateSinceMs: integer(),
      /** Highest counter of account data that was used. */
      highestCounter: integer('>= 0'),
      /** Every use of a counter up to this one has been forgotten: none of them is taken any more. */
      forgottenCounter: integer('>= 0'),
      createdAtMs,
      version,
    },
  }),

  /** A key serial number that was used, once, by one sale. */
  usedKsns: table('usedKsns', {
    key: ['ksn'],
    indexes: { age: ['createdAtMs'] },
    columns: {
      /** The whole KSN, uppercase hex. */
      ksn: text(),
      /** The device. */
      serial: text(),
      /** Counter of an account data KSN; null for that of a PIN key. */
      counter: optional(integer()),
      /** Whose it is: JSON of the agent and the till's reference, or of the payment alone. */
      sale: text(),
      /** Keyed fingerprint of what was enciphered under it, hex: the same KSN never stands with other data. */
      data: text(),
      /** The sale's payment that used it last. */
      paymentId: text(),
      createdAtMs,
      version,
    },
  }),

  /** Account data that could not be taken, counted for a device and for an entity; at the limit nothing more is taken. */
  accountFailures: table('accountFailures', {
    key: ['kind', 'subject'],
    indexes: { age: ['sinceMs'] },
    columns: {
      kind: oneOf('device', 'entity'),
      /** Serial of the device, or id of the entity. */
      subject: text(),
      failures: integer('> 0'),
      /** When the first of them was. */
      sinceMs: integer(),
      version,
    },
  }),

  /** A person's word on a difference that the invariant check found and that cannot be mended. */
  explanations: table('explanations', {
    key: ['kind', 'subject'],
    columns: {
      /** Kind of the difference. */
      kind: text(),
      /** What it is about. */
      subject: text(),
      note: text(),
      createdAtMs,
      version,
    },
  }),

  /** What a person must look at (alerts/alert-table.ts): one row for each code and subject. */
  alerts: table('alerts', {
    key: ['id'],
    isWide: true,
    indexes: {
      code: ['code', 'state'],
      state: ['state'],
      entity: ['entityId', 'state'],
      ended: ['endedAtMs'],
    },
    columns: {
      /** 32 lowercase hex, made of code and subject. */
      id: text(),
      code: text(),
      /** What it is about, such as an agent or a message. */
      subject: text(),
      /** Whose store it concerns; null where the operator alone is told. */
      entityId: optional(idOf('entities')),
      severity: oneOf('critical', 'warning'),
      /** Nothing sensitive. */
      detail: text(),
      /** What a person does about it. */
      action: text(),
      /** `acknowledged`: a person deals with it. `cleared`: the cause is gone. */
      state: oneOf('open', 'acknowledged', 'cleared'),
      /** When it was raised, for the first time since it last ended. */
      sinceMs: integer(),
      acknowledgedAtMs: optional(integer()),
      /** What the person said. */
      note: optional(text()),
      /** Null while it stands: raising it again then changes nothing. */
      endedAtMs: optional(integer()),
      version,
    },
  }),

  /** Something to tell the merchant, as it was when it happened: webhooks and the console read these. */
  events: table('events', {
    key: ['id'],
    isWide: true,
    indexes: { entity: ['entityId'], payment: ['paymentId'], expiry: ['expiresAtMs'] },
    columns: {
      /** 32 lowercase hex that sort by time. */
      id: text(),
      entityId: idOf('entities'),
      kind: text(),
      paymentId: optional(text()),
      /** Of a payment its answer (spec 2.10) and what notifications add to it (spec 6). Nothing sensitive. */
      payload: json(),
      /** When it is forgotten; null: never. */
      expiresAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** Where a merchant's or channel's events are delivered to (gateway/src/webhooks). */
  webhookEndpoints: table('webhookEndpoints', {
    key: ['id'],
    isWide: true,
    indexes: { entity: ['entityId'], state: ['state'] },
    columns: {
      /** 32 lowercase hex. */
      id: text(),
      entityId: idOf('entities'),
      /** Null: its deliveries are fetched by `listen`. */
      url: optional(text()),
      /** Array of types: PAYMENT, REGISTRATION, SCHEDULE, RISK. */
      types: json(),
      /** `reduced`: without the customer, addresses and the cardholder's name. */
      scope: oneOf('all', 'reduced'),
      /** Raw hex, or JSON around it. */
      format: oneOf('hex', 'json'),
      /** `inactive` until a test delivery succeeds. Deliveries of a paused one wait; a removed one gets no more. */
      state: oneOf('inactive', 'active', 'paused', 'removed'),
      /** Array of keys: id, sealed key, and since when it is used. */
      keys: json(),
      /** Why it is paused. */
      note: optional(text()),
      testedAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** The last number that a delivery of an endpoint got: counted in the commits, without gaps. */
  deliveryCounters: table('deliveryCounters', {
    key: ['endpointId'],
    columns: { endpointId: idOf('webhookEndpoints'), lastSequence: integer('>= 0'), version },
  }),

  /** An event that is, or was, delivered to an endpoint. */
  deliveries: table('deliveries', {
    key: ['endpointId', 'sequence'],
    isWide: true,
    indexes: {
      due: ['endpointId', 'dueAtMs'],
      time: ['endpointId', 'createdAtMs'],
      event: ['endpointId', 'eventId'],
      age: ['createdAtMs'],
    },
    columns: {
      endpointId: idOf('webhookEndpoints'),
      sequence: integer('> 0'),
      eventId: text(),
      state: oneOf('waiting', 'delivered', 'givenUp'),
      /** When it is tried next; while it is claimed, when the lease ends. Null: no more. */
      dueAtMs: optional(integer()),
      /** Who has claimed it. */
      leasedBy: optional(text()),
      /** Claims since work on it last came to an end. */
      claims: integer('>= 0'),
      /** Array: time, HTTP status or fault, and duration of each try. */
      attempts: json(),
      /** When it was queued, the last time. */
      sinceMs: integer(),
      createdAtMs,
      version,
    },
  }),

  /** A key of the database, itself wrapped under a key-encryption key. One that seals rows is deleted once no row names it. */
  dataKeys: table('dataKeys', {
    key: ['id'],
    unique: { active: ['active'] },
    columns: {
      /** Made of the key; tells nothing of it. */
      id: text(),
      /** Number of the key-encryption key. */
      kek: text(),
      /** AES Key Wrap, hex. */
      wrapped: text(),
      /** What it is for: it seals rows, or makes keyed hashes, of card numbers among others, and stays as long as the database. */
      use: text<'rows' | 'fingerprints'>(),
      /** 1: seals what is new. Null: retired, it opens what it sealed until that is sealed anew; or it seals nothing. */
      active: optional(flag()),
      createdAtMs,
      version,
    },
  }),

  /** Card data: number, expiry date and holder, sealed. Never a track, a card verification value or a PIN block. */
  vault: table('vault', {
    key: ['id'],
    isWide: true,
    indexes: { keyId: ['keyId'], due: ['dueAtMs'] },
    columns: {
      id: text(),
      entityId: idOf('entities'),
      /** The intent that it was made for, in the same commit. */
      intentId: text(),
      /** The data key that seals it. */
      keyId: idOf('dataKeys'),
      /** Hex of the sealed blob. */
      sealed: text(),
      /** When the rule of retention looks at it next. */
      dueAtMs: integer(),
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
      createdAtMs,
      version,
    },
  }),
};

/** Name of a table. */
export type TableName = keyof typeof TABLES;

/** Name of the primary key where an index is named. */
export const PRIMARY = 'primary';

/** The table of a name, whatever its columns. */
export function shapeOf(name: TableName): Table {
  return TABLES[name];
}

/**
 * Columns of a named index.
 * @throws RangeError when the table has no such index: a caller's mistake
 */
export function indexColumns(table: TableName, index: string): readonly string[] {
  const { key, unique, indexes } = shapeOf(table);
  const columns = index === PRIMARY ? key : (unique[index] ?? indexes[index]);
  if (!columns) throw new RangeError(`table ${table} has no index ${index}`);
  return columns;
}

/**
 * The columns of an index before its last one, and the last one.
 * @param before how many columns a caller has values for
 * @throws RangeError when the table has no such index, or not as many columns: a caller's mistake
 */
export function rangeColumns(
  table: TableName,
  index: string,
  before: number,
): { readonly first: readonly string[]; readonly last: string } {
  const columns = indexColumns(table, index);
  const last = columns.at(-1);
  if (last === undefined || columns.length !== before + 1)
    throw new RangeError(`index ${index} of table ${table} has not ${before} columns before its last one`);
  return { first: columns.slice(0, -1), last };
}

/** Names of the unique indexes of a table, the primary key among them. */
export function uniqueIndexes(table: TableName): readonly string[] {
  return [PRIMARY, ...Object.keys(shapeOf(table).unique)];
}
