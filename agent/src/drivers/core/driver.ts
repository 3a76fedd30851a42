import type { Money } from '@tillbridge/wire/payment/money.js';
import type { DRIVER_FAILURES } from '../../errors/error-table.js';

/** How the card data came in (REST parameter `pos.entryMode`). */
export type EntryMode =
  | 'MANUAL'
  | 'MAGSTRIPE'
  | 'MAGSTRIPE_AS_FALLBACK'
  | 'ICC'
  | 'NFC_ICC'
  | 'NFC_MAGSTRIPE';

/** Identity of a terminal. */
export interface TerminalIdentity {
  readonly maker: string;
  readonly model: string;
  readonly firmware: string;
  /** The maker's serial, alphanumeric; the registry maps it to the numeric `pos.deviceId`. */
  readonly serial: string;
}

/** What a sale requires of the terminal. */
export interface StartRequest {
  readonly kind: 'sale' | 'refund' | 'preauthorization';
  readonly amount: Money;
  /** Of it, what the till hands out in cash, in minor units (tag 9F03); absent: nothing. */
  readonly cashBackMinor?: number;
  /** Till's local date and time, `YYMMDD` and `HHMMSS` (tags 9A, 9F21). */
  readonly date: string;
  readonly time: string;
  /** Tag 9F41. */
  readonly transactionSequenceNumber: number;
  /** Terminal risk management: floor limit and random selection (EMV Book 3 §10.6). Floor limit 0 forces online. */
  readonly risk: TerminalRisk;
  /** How long the terminal may wait for a card. */
  readonly cardTimeoutMs: number;
}

/** Inputs of terminal risk management, amounts in minor units of the sale's currency. */
export interface TerminalRisk {
  readonly floorLimitMinor: number;
  readonly randomSelectionThresholdMinor: number;
  readonly randomSelectionTargetPercent: number;
  readonly randomSelectionMaxPercent: number;
}

/** Enciphered data and the key serial number it is enciphered under, as the terminal gave them. */
export interface Enciphered {
  readonly data: Uint8Array;
  readonly ksn: Uint8Array;
}

/** What the agent may know of a card: never the PAN, the track or the PIN (ARCHITECTURE.md, "The life of a card-present sale", 2). */
export interface CardFacts {
  readonly entryMode: EntryMode;
  readonly bin?: string;
  readonly last4Digits?: string;
  /** `YYMM`. */
  readonly expiry?: string;
  readonly panSequenceNumber?: string;
  /** Payment account reference, tag 9F24. */
  readonly paymentAccountReference?: string;
  readonly aid?: string;
  readonly label?: string;
}

/** Everything an online request or an offline record carries about the card. */
export interface CardData {
  readonly facts: CardFacts;
  /** BER-TLV for `pos.iccDataRequest`; empty for magstripe. Never contains 57, 5A or 5F20. */
  readonly iccData: Uint8Array;
  readonly sred?: Enciphered;
  readonly pin?: Enciphered;
  /** `sred` holds a PIN block, or may: all of it is kept no longer than a PIN block. */
  readonly pinInside?: boolean;
}

/** Why a terminal could not finish. */
export type DriverFailure = keyof typeof DRIVER_FAILURES;

/** How reading the card ended. */
export type StartOutcome =
  | { readonly kind: 'online-required'; readonly card: CardData }
  | { readonly kind: 'approved-offline'; readonly card: CardData }
  | { readonly kind: 'declined-offline'; readonly card: CardData }
  | { readonly kind: 'cancelled'; readonly by: 'cardholder' | 'till' | 'timeout' }
  | { readonly kind: 'failed'; readonly failure: DriverFailure; readonly detail: string };

/** The answer for the card (REST parameter `pos.iccDataResponse`), or that there is none. */
export type OnlineResult =
  | { readonly kind: 'approved' | 'declined'; readonly responseCode: string; readonly issuerData: Uint8Array }
  | { readonly kind: 'unable-to-go-online' };

/** How the card ended: TC or AAC, with the final EMV data (9F26, 9F27, 9F36, 9F10, 95, 9B, 8A, script results). */
export type CompleteOutcome =
  | { readonly kind: 'approved'; readonly iccData: Uint8Array }
  | { readonly kind: 'declined'; readonly iccData: Uint8Array }
  | { readonly kind: 'failed'; readonly failure: DriverFailure; readonly detail: string };

/** Steps a cashier may see while a command runs. */
export type DriverProgress =
  | { readonly step: 'waiting-for-card' | 'reading-card' | 'pin-entry' | 'remove-card' }
  | { readonly step: 'message'; readonly text: string };

/** Condition of a DUKPT key. */
export type KeyCondition = 'loaded' | 'missing' | 'exhausted' | 'unknown';

/** Condition of a terminal, as far as its maker's protocol reports it. */
export interface TerminalCondition {
  readonly kind: 'condition';
  readonly identity: TerminalIdentity;
  readonly keys: { readonly data: KeyCondition; readonly pin: KeyCondition };
  /** The device detected tampering and erased its keys; absent where the maker does not report it. */
  readonly tampered?: boolean;
  readonly batteryPercent?: number;
  /** The device's own clock, `YYYY-MM-DDTHH:MM:SS`, in the zone it was set to. */
  readonly localTime?: string;
}

/** Digits that a till may request. The terminal's own texts ask for them: a text of the till could ask the cardholder for a PIN. */
export const DIGITS_PROMPTS = ['phone', 'postcode', 'installments'] as const;
type DigitsPrompt = (typeof DIGITS_PROMPTS)[number];

/** A question to the person in front of a terminal. */
export type Question = { readonly timeoutMs: number } & (
  | { readonly kind: 'confirm'; readonly text: string }
  | { readonly kind: 'choose'; readonly text: string; readonly options: readonly string[] }
  | {
      readonly kind: 'digits';
      readonly prompt: DigitsPrompt;
      readonly minDigits: number;
      readonly maxDigits: number;
    }
);

/** What that person has answered; options are counted from zero. */
export type PersonAnswer =
  | { readonly kind: 'confirm'; readonly confirmed: boolean }
  | { readonly kind: 'choose'; readonly option: number }
  | { readonly kind: 'digits'; readonly digits: string };

/** Commands outside a sale, where the maker's protocol has them. */
export type DeviceWork =
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'print'; readonly lines: readonly string[] }
  | { readonly kind: 'display'; readonly text: string }
  | { readonly kind: 'reset' }
  /** Reads a card and requests nothing from it: no cryptogram, no PIN. */
  | { readonly kind: 'read-card'; readonly request: StartRequest };

/** How that ended; `unavailable` where the maker's protocol does not have it. */
export type DeviceOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'card'; readonly facts: CardFacts }
  | { readonly kind: 'answered'; readonly answer: PersonAnswer }
  | Extract<StartOutcome, { readonly kind: 'cancelled' }>
  | Extract<CompleteOutcome, { readonly kind: 'failed' }>;

/** State of the line to a terminal. */
export type DriverState = 'disconnected' | 'connecting' | 'ready' | 'busy';

/**
 * The conversation with one terminal. One command at a time; `cancel` may overtake.
 * No method rejects for anything a terminal, card or line can do: those are outcomes.
 */
export interface TerminalDriver {
  readonly state: DriverState;
  /** The last known identity; undefined until the terminal has answered once. */
  readonly identity: TerminalIdentity | undefined;
  /** Runs the card up to the first cryptogram, PIN included. */
  start(request: StartRequest, progress: (step: DriverProgress) => void): Promise<StartOutcome>;
  /** Gives the card the issuer's answer, or that the issuer was not reached; requests the second cryptogram. */
  complete(result: OnlineResult, progress: (step: DriverProgress) => void): Promise<CompleteOutcome>;
  /** Stops the running command; it ends as cancelled by the till. Does nothing while idle. */
  cancel(): Promise<void>;
  /** Prompts to remove the card, shows `text` and returns the terminal to idle. */
  finish(text: string): Promise<void>;
  /** Reads the condition of the terminal; `failed` when it is busy, silent or gone. */
  status(): Promise<TerminalCondition | Extract<CompleteOutcome, { kind: 'failed' }>>;
  /** Does what is no sale, while none runs; a driver without it has nothing of that. */
  device?(work: DeviceWork): Promise<DeviceOutcome>;
  /** Calls `listener` on every change of `state`. Returns the function that ends the subscription. */
  onState(listener: (state: DriverState) => void): () => void;
  /** Ends the driver and frees its port. */
  close(): Promise<void>;
}
