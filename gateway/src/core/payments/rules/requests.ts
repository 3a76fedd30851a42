import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import type { FollowUp, NEW_TYPES } from '@tillbridge/wire/payment/lifecycle.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { Echo } from '../../../kernel/api/echo.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { PaymentRow, ScheduleRunRow } from '../../../kernel/store/rows.js';
import type { AcquirerInstrument } from '../../acquirers/acquirer.js';
import type { AcquirerAuthentication } from '../../acquirers/authentication.js';
import type { StandingInstruction } from '../../acquirers/standing-instruction.js';
import type { NewAgreement } from '../instruments/agreements.js';
import type { ProofUse } from '../instruments/proof-use.js';
import type { RiskPolicy } from './assess-risk.js';

/** paymentType codes that need no earlier payment (docs/payments.md). */
export type PaymentType = (typeof NEW_TYPES)[number];

/** What may follow an earlier payment: the paymentType codes, and a PA under one of two industry practices. */
export type FollowUpType = FollowUp;

/** Where a request comes from. */
export type Origin = RestOrigin | BridgeOrigin;

/** A merchant over REST. */
export interface RestOrigin {
  readonly kind: 'rest';
  /** The entity the token was allowed to act for. */
  readonly entityId: string;
  /** Id given out for the payment before, so that a request that is sent again finds it; absent: a fresh one. */
  readonly paymentId?: string;
  /** The run of a schedule that it is: committed with what is first committed of it, so that it is made once. */
  readonly run?: ScheduleRunRow;
}

/** An agent's message. */
export interface BridgeOrigin {
  readonly kind: 'bridge';
  readonly agentId: string;
  /** Envelope id: the key of the inbox. */
  readonly messageId: string;
  readonly terminalId: string;
  /** Position in the terminal's stream; 0 outside streams. A commit with an answer moves the stored position past it. */
  readonly sequence: number;
  /** Epoch of its session; refused when the agent has a newer session. */
  readonly epoch: number;
  /** When the agent proved itself for that session, by the gateway's clock. */
  readonly provenAtMs: number;
  /** The entity the agent belongs to. */
  readonly entityId: string;
  /** Keyed hash of the content (message-content.ts); the service adds it. */
  readonly contentHash?: string;
}

/** Card data typed in or sent by a merchant. Memory only. */
export interface CardData {
  readonly number: string;
  /** 01 to 12. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly cvv?: string;
  readonly holder?: string;
  /** `DPAN`: a network token that stands for the card. */
  readonly numberType?: 'PAN' | 'DPAN';
}

/** Stored payment details that a payment is made with. Memory only. */
export interface RegistrationUse {
  readonly id: string;
  readonly cvv?: string;
  /** Stands in for this payment where none is stored (docs/card-on-file.md, overrideHolder). */
  readonly holder?: string;
  /** Of a direct debit, where the stored account has no mandate. */
  readonly debit?: {
    readonly mandate: { readonly id: string; readonly signedOn: string };
    readonly dueDate: string;
  };
}

/** A digital wallet (docs/wallets.md): its token as it came, or what the merchant deciphered of it in addition to the card. Memory only. */
export type WalletData =
  | { readonly name: WalletName; readonly token: string }
  | { readonly name: WalletName; readonly source: 'web' | 'app'; readonly proof: WalletProof };

/** What proves that the wallet authenticated the cardholder. */
export interface WalletProof {
  /** Base64. */
  readonly cryptogram: string;
  /** Two digits. */
  readonly eci?: string;
}

/** Enciphered data of a terminal and the key serial number it stands under. */
export interface Enciphered {
  readonly data: Uint8Array;
  readonly ksn: Uint8Array;
}

/** The pos.* parameters, hex as bytes. */
export interface PosData {
  readonly terminalId: string;
  /** MANUAL, MAGSTRIPE, MAGSTRIPE_AS_FALLBACK, ICC, NFC_ICC or NFC_MAGSTRIPE. */
  readonly entryMode: string;
  readonly deviceType?: string;
  readonly deviceId?: string;
  readonly panSequenceNumber?: string;
  readonly transactionSequenceNumber?: string;
  /** BER-TLV of the card. */
  readonly iccData?: Uint8Array;
  /** `YYMM` that came outside the account data, for devices that encipher the card number alone. */
  readonly expiry?: string;
  /** What was sent as enciphered data is none: no hex, or without its KSN. */
  readonly isUnreadable?: true;
  /** Account data. */
  readonly sred?: Enciphered;
  /** Online PIN. */
  readonly pin?: Enciphered;
}

/** A sale that was decided without the gateway. */
export interface OfflineDecision {
  /** `card-approved`: the card gave a TC. `deferred`: an ARQC and no TC, on the merchant's risk. */
  readonly kind: 'card-approved' | 'deferred';
  readonly decidedAtMs: number;
  /** Age by the agent's own clocks when it sent the record; absent: not sent. Not part of the message's content. */
  readonly ageMs?: number;
  /** A person wants the record tried again: its age is no question any more. */
  readonly ageAccepted?: true;
  /** Too old to authorize: refused, unless the message was answered before. Not part of the message's content. */
  readonly expired?: boolean;
}

/** The issuer referred a request to a call, and gave an approval code on the phone. */
export interface VoiceApproval {
  /** Two to six letters or digits (ISO 8583 field 38). */
  readonly approvalCode: string;
  /** The message of the same agent that was referred. */
  readonly originalMessageId: string;
}

/**
 * A payment that stands on its own. `card`, `storedCard`, `wallet`, `registration`, `pos.sred`, `pos.iccData` or `instrument` carries the
 * account data.
 */
export interface PaymentRequest {
  readonly origin: Origin;
  readonly type: PaymentType;
  readonly amount: Money;
  /** Parts of the amount of a till's sale: what the cardholder gives to staff, and what the till hands out in cash. */
  readonly tip?: Money;
  readonly cashBack?: Money;
  /** Bridge: the till's reference, unique per agent for ever. REST: merchantTransactionId. */
  readonly reference?: string;
  /** paymentBrand; detected from the card number when absent. */
  readonly brand?: string;
  readonly card?: CardData;
  /** The card of a registration, or of an earlier payment of the same entity: a row of the vault. */
  readonly storedCard?: string;
  readonly wallet?: WalletData;
  readonly pos?: PosData;
  readonly registration?: RegistrationUse;
  /** Any other means of payment. */
  readonly instrument?: Exclude<AcquirerInstrument, { readonly kind: 'card' }>;
  readonly offline?: OfflineDecision;
  /** The card is that of an earlier request which the issuer answered with a referral. */
  readonly voice?: VoiceApproval;
  /** An approval for less than the amount is welcome. */
  readonly partialAllowed?: boolean;
  /** EXTERNAL: to the acquirer that a route of its entity names. Absent: INTERNAL; of a terminal as the entity is set up. */
  readonly testMode?: 'INTERNAL' | 'EXTERNAL';
  /** A payment whose risk is assessed, and how once the issuer has answered. */
  readonly risk?: RiskPolicy;
  /** What the risk rules and the screening look at in addition to card and amount. Memory only. */
  readonly riskData?: RiskData;
  /** A card on file. */
  readonly standing?: StandingInstruction;
  /** What an approval makes an agreement of. */
  readonly agreement?: NewAgreement;
  /** Keep the payment details for later payments (`createRegistration`). */
  readonly createRegistration?: true;
  /** An earlier payment of the same merchant that this one is linked to (`referenceUuid`). */
  readonly referencedId?: string;
  /** Most partial captures of a PA. */
  readonly numberOfCaptures?: number;
  /** What the billing address and the issuer's answers to it are checked with (avsResponse). */
  readonly billing?: BillingAddress;
  /** Where 3D Secure is processed: the parameters that the authentication of the cardholder is made of. */
  readonly threeDSecure?: Readonly<Record<string, string>>;
  /** The authentication, and exemptions from it, for the issuer. */
  readonly authentication?: AcquirerAuthentication;
  /** The proof that it brings along of an authentication: no other payment may use it. */
  readonly proof?: ProofUse;
  /** Gift-card payments that pay for the rest of the order (cart.payments). */
  readonly cart?: readonly string[];
  /** Further parameters of the merchant that the acquirer receives, by the names of the parameters. Memory only. */
  readonly details?: Readonly<Record<string, string>>;
  /** The merchant's promotion code. */
  readonly promotionCode?: string;
  /** Where the shopper goes after a payment that had to wait. */
  readonly shopperResultUrl?: string;
  /** The checkout that it is a payment of, whose latest post alone may begin one. */
  readonly checkoutId?: string;
  readonly verdict?: ForcedVerdict;
  /** Test: how long the simulator keeps the outcome to itself, in milliseconds. */
  readonly silentMs?: number;
  /** Insensitive structures of the request that answers repeat ("other structures"). */
  readonly echo?: Echo;
}

/** The shopper as the risk check knows them. No data of a mandate is among it. */
export interface RiskData {
  readonly email?: string;
  readonly ip?: string;
  /** Two letters. */
  readonly billingCountry?: string;
  readonly shippingCountry?: string;
  /** `risk.*` (docs/risk.md) without its prefix, for the screening. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The billing address that the cardholder gave. */
export interface BillingAddress {
  readonly street?: string;
  readonly postcode?: string;
}

/**
 * A result that is known before the acquirer's authorization: `refused` for what the request's values mean, or because a test requests it;
 * `approved` for the code that an approval shall carry in a test.
 */
export interface ForcedVerdict {
  readonly kind: 'refused' | 'approved';
  readonly resultCode: string;
  /** Which field is refused and why, for the merchant; nothing of its content. */
  readonly detail?: string;
}

/** The payment of a follow-up. */
type FollowUpTarget =
  | { readonly by: 'payment'; readonly paymentId: string }
  /** The message of the same agent that made it. */
  | { readonly by: 'message'; readonly messageId: string };

/** A request on an earlier payment. */
export interface FollowUpRequest {
  readonly origin: Origin;
  readonly type: FollowUpType;
  readonly target: FollowUpTarget;
  /** Needed for all but RV; for RV what is left is reversed, and an amount given must equal it. */
  readonly amount?: Money;
  /** No further capture (`sequence=FINAL`). */
  readonly final?: boolean;
  /** Most partial captures of a reauthorization. */
  readonly numberOfCaptures?: number;
  /** paymentBrand; refused where the payment has another. */
  readonly brand?: string;
  readonly reference?: string;
  /** Why a till reverses; kept with the payment. */
  readonly reason?: string;
  /** With RV by message id: reverses nothing. A message that never arrived is refused from now on; one that was answered gives its answer. */
  readonly cancelIfUnseen?: true;
  readonly testMode?: 'INTERNAL' | 'EXTERNAL';
  readonly verdict?: ForcedVerdict;
  /** Test: how long the simulator keeps the outcome to itself, in milliseconds. */
  readonly silentMs?: number;
  readonly echo?: Echo;
}

/** How a request ended; the words of bridge.proto `Outcome.Disposition`. */
export type Disposition =
  | 'approved'
  | 'declined'
  | 'reversed'
  | 'nothing-to-reverse'
  | 'refused'
  /** The payment waits; of a merchant's alone, never of a till's. */
  | 'pending';

/** The result of a request; enough for REST and for bridge.proto `Outcome`. */
export interface PaymentResult {
  readonly disposition: Disposition;
  /** Result code of the API. */
  readonly resultCode: string;
  readonly description: string;
  /** Absent where no payment was recorded (a refused message). */
  readonly paymentId?: string;
  readonly amount?: Money;
  readonly approvalCode?: string;
  /** Tag 8A for the card. */
  readonly responseCode?: string;
  /** BER-TLV for the card: 91, 71, 72. */
  readonly iccDataResponse?: Uint8Array;
  readonly brand?: string;
  /** What the cardholder can spend, and cash that the till hands out, where the issuer reports it. */
  readonly availableBalance?: Money;
  readonly cashBack?: Money;
  /** Of a request over REST that an acquirer has answered: the payment as it was just committed, which the answer shows. */
  readonly payment?: PaymentRow;
}

/** Status of a message. */
export type MessageStatus =
  | { readonly state: 'not-seen' | 'in-progress' | 'tombstoned' }
  | { readonly state: 'answered'; readonly result: PaymentResult };

/** The agent has a newer session: nothing of this one is written any more. */
export class StaleSessionError extends NamedError {}

/** The run of a schedule was made before, or another node owns its schedule by now: nothing was written. */
export class RunClaimedError extends NamedError {}

/** The store's policy does not allow the message: it is parked, and a person decides. The text names the limit. */
export class OutsidePolicyError extends NamedError {}

/** Something that all messages need is unavailable, such as the security module: the message itself may be in order. */
export class OutageError extends TryLaterError {}
