import type { DriverFailure, EntryMode, StartRequest } from '@tillbridge/agent/drivers/core/driver.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import type { IssuerAnswer } from './issuer-host.js';
import type { Ability } from './maker.js';
import type { CardholderScript } from './scripted-cardholder.js';

/** How reading the card must end. */
export type ExpectedStart =
  | {
      readonly kind: 'online-required';
      readonly entryMode: EntryMode;
      readonly pan: string;
      /** A PIN block comes with it, and is the card's. */
      readonly pin?: boolean;
    }
  | { readonly kind: 'approved-offline' | 'declined-offline'; readonly entryMode: EntryMode }
  | { readonly kind: 'cancelled'; readonly by: 'cardholder' | 'timeout' }
  | { readonly kind: 'failed'; readonly failure: readonly DriverFailure[] };

/** One sale: what people do, what the host answers, and how it must end. */
export interface ContractCase {
  readonly name: string;
  readonly needs?: readonly Ability[];
  readonly script: CardholderScript;
  readonly request?: Partial<StartRequest>;
  readonly floorLimitMinor?: number;
  /** How often a PIN is requested; never when absent. */
  readonly pinEntries?: number;
  readonly start: ExpectedStart;
  readonly answer?: IssuerAnswer;
  /** How long the issuer takes; at once when absent. */
  readonly answerAfterMs?: number;
  /** The terminal must send its request more than once: what its frames call it. */
  readonly repeats?: string;
  readonly end?: 'approved' | 'declined' | 'failed';
  /** The card is pulled out during the authorization. */
  readonly leavesEarly?: boolean;
  /** The card's authorization response code at the end (tag 8A). */
  readonly arc?: string;
  /** Script results must come with the end (tag 9F5B). */
  readonly scriptResults?: boolean;
}

const { visaCredit, visaContactless, visaTapMagstripe, magstripeOnly, chipBroken, mastercardDebit } =
  TEST_CARDS;
const { maestroOffline, mastercardContactless, mastercardDeclined, visaBadArpc, visaPhone } = TEST_CARDS;

const chip = (card: string): CardholderScript => ({ cards: [{ card }] });
const online = (pan: string, entryMode: EntryMode = 'ICC') =>
  ({ kind: 'online-required', entryMode, pan }) as const;
const FLOOR_ABOVE = 5_000;
const FLOOR_BELOW = 1_000;
/** Service code of a magstripe without a chip that wants a PIN (ISO/IEC 7813). */
const PIN_WANTED = '106';
/** From this amount on a tap wants its holder verified. */
const ABOVE_TAP_LIMIT = { amount: { minor: 6_000, currency: 'EUR' } } as const;

/** Every sale that every maker must carry out, where its device can. */
export const CASES: readonly ContractCase[] = [
  {
    name: 'chip, approved online',
    script: chip('visa-credit-online'),
    start: online(visaCredit.pan),
    answer: 'approve',
    end: 'approved',
    arc: '00',
  },
  {
    name: 'chip, declined online',
    script: chip('mastercard-declined'),
    start: online(mastercardDeclined.pan),
    answer: 'decline',
    end: 'declined',
    arc: '05',
  },
  {
    name: 'chip, referred',
    script: chip('visa-credit-online'),
    start: online(visaCredit.pan),
    answer: 'refer',
    end: 'declined',
  },
  {
    name: 'chip, refund',
    script: chip('visa-credit-online'),
    request: { kind: 'refund' },
    start: online(visaCredit.pan),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'chip, with cash back',
    script: chip('visa-credit-online'),
    request: { cashBackMinor: 500 },
    start: online(visaCredit.pan),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'chip with online PIN',
    needs: ['online-pin'],
    script: chip('mastercard-debit-pin'),
    pinEntries: 1,
    start: { ...online(mastercardDebit.pan), pin: true },
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'chip with online PIN, bypassed',
    needs: ['online-pin'],
    script: { ...chip('mastercard-debit-pin'), pins: ['bypass'] },
    pinEntries: 1,
    start: { ...online(mastercardDebit.pan), pin: false },
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'chip with offline PIN, approved offline by the card',
    needs: ['floor-limit'],
    script: chip('maestro-offline-approved'),
    floorLimitMinor: FLOOR_ABOVE,
    pinEntries: 1,
    start: { kind: 'approved-offline', entryMode: 'ICC' },
  },
  {
    name: 'chip with offline PIN, online above the floor limit',
    script: chip('maestro-offline-approved'),
    floorLimitMinor: FLOOR_BELOW,
    pinEntries: 1,
    start: online(maestroOffline.pan),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'chip with offline PIN, wrong once',
    script: { ...chip('maestro-offline-approved'), pins: ['wrong', 'right'] },
    pinEntries: 2,
    start: online(maestroOffline.pan),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'chip, PIN entry cancelled by the cardholder',
    script: { ...chip('maestro-offline-approved'), pins: ['cancel'] },
    pinEntries: 1,
    start: { kind: 'cancelled', by: 'cardholder' },
  },
  {
    name: 'chip, card removed during the PIN entry',
    script: { ...chip('maestro-offline-approved'), pins: ['remove'] },
    pinEntries: 1,
    start: { kind: 'failed', failure: ['card-removed', 'card-error'] },
  },
  {
    name: 'chip, declined offline by the card',
    script: chip('visa-offline-declined'),
    start: { kind: 'declined-offline', entryMode: 'ICC' },
  },
  {
    name: 'chip, expired',
    script: chip('visa-expired'),
    start: { kind: 'declined-offline', entryMode: 'ICC' },
  },
  {
    name: 'chip, application blocked',
    script: chip('visa-blocked'),
    start: { kind: 'failed', failure: ['card-blocked', 'application-not-supported', 'card-error'] },
  },
  {
    name: 'chip, unable to go online, the card approves',
    needs: ['offline-fallback'],
    script: chip('visa-credit-online'),
    start: online(visaCredit.pan),
    answer: 'unable',
    end: 'approved',
    arc: 'Y3',
  },
  {
    name: 'chip, unable to go online, the card declines',
    needs: ['offline-fallback'],
    script: chip('mastercard-declined'),
    start: online(mastercardDeclined.pan),
    answer: 'unable',
    end: 'declined',
    arc: 'Z3',
  },
  {
    name: 'chip, wrong ARPC',
    script: chip('visa-bad-arpc'),
    start: online(visaBadArpc.pan),
    answer: 'approve-wrong-arpc',
    end: 'declined',
  },
  {
    name: 'chip, card removed during the authorization',
    script: chip('visa-credit-online'),
    start: online(visaCredit.pan),
    answer: 'approve',
    leavesEarly: true,
    end: 'failed',
  },
  {
    name: 'chip, issuer script that the card refuses',
    script: chip('visa-credit-online'),
    start: online(visaCredit.pan),
    answer: 'approve-with-script',
    end: 'approved',
    scriptResults: true,
  },
  {
    name: 'chip, request sent again before the answer comes',
    needs: ['repeats-request'],
    script: chip('visa-credit-online'),
    start: online(visaCredit.pan),
    answer: 'approve',
    answerAfterMs: 1_500,
    repeats: 'requestData',
    end: 'approved',
    arc: '00',
  },
  {
    name: 'tap in EMV mode',
    needs: ['tap'],
    script: chip('visa-contactless'),
    start: online(visaContactless.pan, 'NFC_ICC'),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'tap with online PIN above the limit',
    needs: ['tap', 'online-pin'],
    script: chip('visa-contactless'),
    request: ABOVE_TAP_LIMIT,
    pinEntries: 1,
    start: { ...online(visaContactless.pan, 'NFC_ICC'), pin: true },
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'tap of a phone above the limit, which knows its holder',
    needs: ['tap'],
    script: chip('visa-phone'),
    request: ABOVE_TAP_LIMIT,
    start: { ...online(visaPhone.pan, 'NFC_ICC'), pin: false },
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'tap of a Mastercard in EMV mode',
    needs: ['tap'],
    script: chip('mastercard-contactless'),
    start: online(mastercardContactless.pan, 'NFC_ICC'),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'tap of a Mastercard with online PIN above the limit',
    needs: ['tap', 'online-pin'],
    script: chip('mastercard-contactless'),
    request: ABOVE_TAP_LIMIT,
    pinEntries: 1,
    start: { ...online(mastercardContactless.pan, 'NFC_ICC'), pin: true },
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'tap in magstripe mode',
    needs: ['tap-magstripe'],
    script: chip('visa-tap-magstripe'),
    start: online(visaTapMagstripe.pan, 'NFC_MAGSTRIPE'),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'two cards tapped, then one',
    needs: ['two-cards'],
    script: { cards: [{ card: 'visa-contactless', second: true }, { card: 'visa-contactless' }] },
    start: online(visaContactless.pan, 'NFC_ICC'),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'swipe',
    script: chip('magstripe-only'),
    start: online(magstripeOnly.pan, 'MAGSTRIPE'),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'swipe with online PIN',
    needs: ['magstripe-pin'],
    script: { cards: [{ card: 'mastercard-debit-pin', how: 'swipe', serviceCode: PIN_WANTED }] },
    pinEntries: 1,
    start: { ...online(mastercardDebit.pan, 'MAGSTRIPE'), pin: true },
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'swipe as fallback after a mute chip',
    script: {
      cards: [
        { card: 'chip-broken-fallback', how: 'insert' },
        { card: 'chip-broken-fallback', how: 'swipe' },
      ],
    },
    start: online(chipBroken.pan, 'MAGSTRIPE_AS_FALLBACK'),
    answer: 'decline',
    end: 'declined',
  },
  {
    name: 'keyed in',
    needs: ['manual'],
    script: { cards: [{ card: 'visa-credit-online', how: 'manual' }] },
    start: online(visaCredit.pan, 'MANUAL'),
    answer: 'approve',
    end: 'approved',
  },
  {
    name: 'no card in time',
    script: {},
    request: { cardTimeoutMs: 3_000 },
    start: { kind: 'cancelled', by: 'timeout' },
  },
  {
    name: 'cancelled by the cardholder before a card is given',
    script: { cancelsAtCard: true },
    start: { kind: 'cancelled', by: 'cardholder' },
  },
];
