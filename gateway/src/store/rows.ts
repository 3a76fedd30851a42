/**
 * Rows of the gateway's store. Every row carries `version`: 1 when inserted, one more with every update.
 * Times are milliseconds since 1970; structured columns hold JSON text; an optional value is null, never absent.
 */
interface Versioned {
  readonly version: number;
}

/** A merchant or one of its channels. */
export interface EntityRow extends Versioned {
  /** 32 lowercase hex. */
  readonly id: string;
  readonly kind: 'merchant' | 'channel';
  /** The merchant of a channel. */
  readonly parentId: string | null;
  readonly name: string;
  /** `legacy` takes what clients of older integrations send beside the specification. */
  readonly compatibility: 'specification' | 'legacy';
  readonly createdAtMs: number;
}

/** How a merchant's payments are dispatched to its channels; absent where they are not. */
export interface DispatchingRow extends Versioned {
  readonly merchantId: string;
  /** JSON array of rules in the order they are tried (payments/dispatch-rules.ts). */
  readonly rules: string;
}

/** A fact about the database as a whole. */
export interface SettingRow extends Versioned {
  /** `mode`: test or live, whichever took it first. */
  readonly name: 'mode';
  readonly value: string;
}

/** An access token, known by its keyed hash alone. */
export interface TokenRow extends Versioned {
  readonly id: string;
  /** HMAC-SHA-256 of the token under the home's token key, hex. */
  readonly hash: string;
  /** The token itself, sealed, hex; null where an older build made it. */
  readonly sealed: string | null;
  readonly entityId: string;
  readonly label: string;
  /** JSON array of rights. */
  readonly rights: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** A store's agent. */
export interface AgentRow extends Versioned {
  readonly id: string;
  readonly entityId: string;
  /** Ed25519 public key, SPKI PEM. */
  readonly publicKey: string;
  /** JSON array of terminal ids. */
  readonly terminals: string;
  /** Highest generation ever proven; lower ones are fenced. */
  readonly generation: number;
  /** Grows with every session. */
  readonly epoch: number;
  readonly createdAtMs: number;
}

/** Our word that a request may be on its way to the acquirer; committed before it is. */
export interface IntentRow extends Versioned {
  /** The acquirer reference: 32 lowercase hex. */
  readonly id: string;
  /** Id of the payment that the outcome becomes. */
  readonly paymentId: string;
  readonly entityId: string;
  readonly agentId: string | null;
  /** Unique with `agentId`. */
  readonly messageId: string | null;
  readonly state: 'open' | 'done';
  /** Acquirer request kind. */
  readonly kind: string;
  /** The payment whose amounts a follow-up changes; null for PA, DB and CD. */
  readonly rootId: string | null;
  /** JSON: what is needed to finish after a crash, nothing sensitive. */
  readonly detail: string;
  readonly createdAtMs: number;
}

/** A payment: PA, DB, CD, RB and RC carry the amounts; CP, RF and RV have a row of their own and point to what they follow. */
export interface PaymentRow extends Versioned {
  /** 32 lowercase hex. */
  readonly id: string;
  readonly entityId: string;
  readonly type: 'PA' | 'DB' | 'CD' | 'CP' | 'RF' | 'RV' | 'RB' | 'RC';
  /** `pending` is never stored: it stands for an intent whose outcome is not known yet. */
  readonly state: 'pending' | 'authorized' | 'captured' | 'credited' | 'completed' | 'declined' | 'reversed';
  /** The payment named in the follow-up request. */
  readonly referencedId: string | null;
  /** The PA, DB or CD at the root of a follow-up. */
  readonly rootId: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly reversedMinor: number;
  readonly captureCount: number;
  readonly maxCaptures: number | null;
  /** 1 after `sequence=FINAL`. */
  readonly capturesClosed: 0 | 1;
  /** The intent of the follow-up that is running on this payment. */
  readonly lockedBy: string | null;
  readonly resultCode: string;
  readonly description: string;
  readonly approvalCode: string | null;
  readonly responseCode: string | null;
  /** Hex of the BER-TLV for the card. */
  readonly iccDataResponse: string | null;
  /** JSON object: what the acquirer said beside its codes, such as `avsResponse`. */
  readonly answer: string;
  readonly brand: string | null;
  /** Six digits. */
  readonly bin: string | null;
  readonly last4Digits: string | null;
  readonly holder: string | null;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  readonly vaultId: string | null;
  readonly acquirer: string;
  readonly acquirerReference: string | null;
  /** Reference of the capture that a PA.CP brings along; such a payment has the type PA. */
  readonly captureReference: string | null;
  readonly agentId: string | null;
  readonly messageId: string | null;
  readonly terminalId: string | null;
  /** merchantTransactionId or the till's reference. */
  readonly reference: string | null;
  readonly offline: 'card-approved' | 'deferred' | null;
  /** JSON object: parameters that answers repeat. */
  readonly echo: string;
  readonly createdAtMs: number;
}

/** Which sale holds a till reference: at most one that is approved or may become so (P2). */
export interface ClaimRow extends Versioned {
  readonly agentId: string;
  readonly reference: string;
  /** Payment that holds the reference. */
  readonly paymentId: string;
  /** 1 once that payment is declined or reversed. */
  readonly released: 0 | 1;
}

/** The stored answer to an agent's message. */
export interface InboxRow extends Versioned {
  readonly agentId: string;
  readonly messageId: string;
  /** JSON of the result; bytes as hex. */
  readonly result: string;
  /** Keyed hash of what the message said, hex: tells a repeat from an id used twice. Null where an older build answered. */
  readonly contentHash: string | null;
  readonly createdAtMs: number;
}

/** A message id that was reversed before it arrived: refused for ever. */
export interface TombstoneRow extends Versioned {
  readonly agentId: string;
  readonly messageId: string;
  readonly createdAtMs: number;
}

/** How far a terminal's stream was taken. */
export interface StreamRow extends Versioned {
  readonly agentId: string;
  readonly terminalId: string;
  readonly nextSequence: number;
}

/** A message that will never be accepted; a person has to look at it. */
export interface ParkedRow extends Versioned {
  readonly agentId: string;
  readonly messageId: string;
  readonly terminalId: string;
  /** Body of the bridge that it is, such as `offlineRecord`. */
  readonly kind: string;
  /** Its place in the terminal's stream, and the till reference of its sale; null where an older build parked it, or where it cannot be read. */
  readonly sequence: number | null;
  readonly reference: string | null;
  readonly reasonCode: string;
  readonly reason: string;
  /** `retry`: a person wants another try. `settled`: that try was answered. `dropped`: a person has dealt with it otherwise. */
  readonly state: 'waiting' | 'retry' | 'settled' | 'dropped';
  /** What the person said, or what the retry came to. */
  readonly note: string | null;
  /** The message as it came, sealed, hex; null once nobody needs it any more, and where an older build parked it. */
  readonly message: string | null;
  readonly createdAtMs: number;
}

/** A card's application transaction counter, used once by one sale: the same again elsewhere is a replay. */
export interface CardUseRow extends Versioned {
  /** Keyed fingerprint of card number and sequence number, hex. */
  readonly card: string;
  /** 0 to 65535 (tag 9F36). */
  readonly counter: number;
  /** Whose it is: JSON of agent or entity and the till's reference, or of the payment alone. */
  readonly sale: string;
  /** The sale's payment that used it last. */
  readonly paymentId: string;
  readonly createdAtMs: number;
}

/** A person's word on a difference that the invariant check found and that cannot be mended. */
export interface ExplanationRow extends Versioned {
  /** Kind of the difference. */
  readonly kind: string;
  /** What it is about. */
  readonly subject: string;
  readonly note: string;
  readonly createdAtMs: number;
}

/** Something to tell the merchant: webhooks and the console read these. */
export interface EventRow extends Versioned {
  readonly id: string;
  readonly entityId: string;
  readonly kind: string;
  readonly paymentId: string | null;
  /** JSON, nothing sensitive. */
  readonly payload: string;
  readonly createdAtMs: number;
}

/** Enciphered card data. All texts but the id are hex. */
export interface VaultRow extends Versioned {
  readonly id: string;
  /** Name of the key it is enciphered under. */
  readonly keyId: string;
  readonly nonce: string;
  readonly ciphertext: string;
  readonly tag: string;
  readonly createdAtMs: number;
}

/** What a merchant's `Idempotency-Key` stands for. */
export interface IdempotencyRow extends Versioned {
  readonly entityId: string;
  readonly idempotencyKey: string;
  /** Keyed hash of the request, hex. */
  readonly fingerprint: string;
  /** Id that the request's payment has or will have. */
  readonly paymentId: string;
  /** HTTP status of the answer; null while there is no final one. */
  readonly httpStatus: number | null;
  /** JSON of the answer, nothing sensitive; null while there is no final one. */
  readonly answer: string | null;
  readonly createdAtMs: number;
}

/** The head of an agent's journal that the gateway keeps: what the agent may forget, and this may not. */
export interface JournalHeadRow extends Versioned {
  readonly agentId: string;
  /** The generation of the journal; a later one begins anew. */
  readonly generation: number;
  /** The last row that was told. */
  readonly lastRow: number;
  /** Its hash in the chain, hex. */
  readonly hash: string;
  /** A head that contradicted this one came in this generation; it stays until a person begins the next. */
  readonly alarm: 'behind' | 'forked' | null;
  /** The row of the head that contradicted first. */
  readonly alarmRow: number | null;
  readonly alarmAtMs: number | null;
  readonly updatedAtMs: number;
}

/** Every table by name. */
export interface Rows {
  readonly entities: EntityRow;
  readonly dispatching: DispatchingRow;
  readonly settings: SettingRow;
  readonly tokens: TokenRow;
  readonly agents: AgentRow;
  readonly intents: IntentRow;
  readonly payments: PaymentRow;
  readonly claims: ClaimRow;
  readonly inbox: InboxRow;
  readonly tombstones: TombstoneRow;
  readonly streams: StreamRow;
  readonly parked: ParkedRow;
  readonly journalHeads: JournalHeadRow;
  readonly cardUses: CardUseRow;
  readonly explanations: ExplanationRow;
  readonly events: EventRow;
  readonly vault: VaultRow;
  readonly idempotency: IdempotencyRow;
}

/** Name of a table. */
export type TableName = keyof Rows;
