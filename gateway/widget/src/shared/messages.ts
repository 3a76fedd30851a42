import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { Language } from '../texts/texts.js';

/** What a frame of the gateway holds: one field of the card, or what speaks with the gateway. */
export type SecureField = 'card.number' | 'card.cvv';

/** A parameter of the API. */
export type Parameter = readonly [name: string, value: string];

/** What a frame holds: a field of the card, or the token of a wallet. */
export type FrameValue = readonly [name: SecureField | `${WalletName}.paymentToken`, value: string];

/** How a secure field looks and reads; a change is sent again. */
export interface FieldLook {
  readonly label: string;
  readonly placeholder: string;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly colorScheme: 'light' | 'dark';
  /** CSS properties by their names. */
  readonly style: Readonly<Record<string, string>>;
  readonly placeholderColor: string;
}

/** What the page of the shop sends a frame of a field. */
export type ToField =
  | {
      readonly type: 'open';
      readonly checkoutId: string;
      readonly field: SecureField;
      readonly look: FieldLook;
      /** Brands that the shop takes, in the order in which they are preferred. */
      readonly brands: readonly string[];
      readonly isMasked: boolean;
      readonly isGrouped: boolean;
    }
  | { readonly type: 'look'; readonly look: FieldLook }
  /** Length of the code of the brand that is chosen. */
  | { readonly type: 'length'; readonly length: number }
  /** What is wrong with it, for screen readers; empty when nothing is. */
  | { readonly type: 'invalid'; readonly error: string }
  | { readonly type: 'focus' }
  | { readonly type: 'clear' };

/** What a frame of a field sends the page of the shop: never what was typed, but for the first six digits of a number. */
export type FromField =
  | { readonly type: 'ready' }
  | {
      readonly type: 'state';
      readonly isEmpty: boolean;
      readonly isValid: boolean;
      /** The first six digits, once there are so many; of a card number alone. */
      readonly bin?: string;
      /** Brands that the number may be of, the likeliest first. */
      readonly brands: readonly string[];
    }
  | { readonly type: 'focus' | 'blur' | 'enter' };

/** What the page of the shop sends the frame that speaks with the gateway. */
export type ToSession =
  | {
      readonly type: 'open';
      readonly checkoutId: string;
      /** As the shop sets it; absent where it is no text. */
      readonly locale?: string;
    }
  | {
      readonly type: 'submit';
      readonly request: number;
      readonly resource: 'payment' | 'registration';
      readonly parameters: readonly Parameter[];
      /** Places of the frames of its fields among the frames of the page. */
      readonly fields: readonly number[];
    };

/** What that frame answers. */
export type FromSession =
  | { readonly type: 'ready' }
  | { readonly type: 'opened'; readonly answer: Answer; readonly language: Language }
  | { readonly type: 'submitted'; readonly request: number; readonly answer: Answer };

/** An answer of the gateway without what was sent. `status` is 0 when none came. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the page of the shop sends the frame of a challenge. */
export type ToChallenge = { readonly type: 'open'; readonly url: string; readonly title: string };

/** Its messages: it waits for the redirect; the shopper came back, with the URL of the outcome for the shop. */
export type FromChallenge =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded' }
  | { readonly type: 'returned'; readonly url: string };

/** What the page of the shop sends the frame of a wallet. */
export type ToWallet = {
  readonly type: 'open';
  readonly checkoutId: string;
  readonly wallet: WalletName;
  /** The wallet's sheet. */
  readonly url: string;
  readonly title: string;
  /** Who is paid. */
  readonly label: string;
};

/** What it sends: it waits for the sheet; the shopper has agreed, or not. The token stays with it. */
export type FromWallet = { readonly type: 'ready' | 'authorized' | 'cancelled' };

/** Between frames of the gateway: the value of a field is requested and sent. */
export type BetweenFrames =
  | { readonly type: 'value?'; readonly checkoutId: string; readonly request: number }
  | {
      readonly type: 'value';
      readonly field: FrameValue[0];
      readonly value: string;
      readonly request: number;
    };

/** What the page sends that is shown at the end of a challenge inside a frame. */
export type ReturnMessage = { readonly type: 'tillbridge-returned'; readonly url: string };
