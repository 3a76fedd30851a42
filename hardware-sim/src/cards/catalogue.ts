import { TEST_CARDS, type TestCard } from '@tillbridge/wire/payment/test-cards.js';
import {
  type ChipPersonalisation,
  maestroContact,
  mastercardContact,
  mastercardTap,
  visaContact,
  visaTap,
  visaTapMagstripe,
} from './chip-templates.js';
import type { ApplicationProfile, CardRiskRules } from './core/application-profile.js';
import type { CardState } from './core/card-state.js';

import { withOda } from './oda/personalise-oda.js';

/** How a cardholder gives a card to a terminal; `manual`: what is printed on it is keyed in. */
export const PRESENT_MODES = ['insert', 'tap', 'swipe', 'manual'] as const;
export type PresentMode = (typeof PRESENT_MODES)[number];

/** One card of the simulator, as printed and personalised. */
export interface CardDefinition {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly description: string;
  readonly account: TestCard;
  /** `YYMM`. */
  readonly expiry: string;
  readonly serviceCode: string;
  readonly cardholderName: string;
  readonly psn: string;
  /** Entered by the simulated cardholder; compared by the chip where it verifies offline. */
  readonly pin?: string;
  readonly contact?: ApplicationProfile;
  readonly contactless?: ApplicationProfile;
  /** The contacts are worn out: the chip stays mute. */
  readonly muteChip?: boolean;
  readonly magstripe: boolean;
  readonly personalised?: Partial<CardState>;
  /** How it is given by default. */
  readonly usual: PresentMode;
}

const EXPIRY = '3112';
/** Chip present, international; PIN where feasible. */
const CHIP_SERVICE_CODE = '201';
const MAGSTRIPE_SERVICE_CODE = '101';

/** Rules of tag 8E: code with bit 7 for "apply next", condition. */
const CVM_RULES = {
  noCvm: '1F00',
  onlinePin: '42031E031F03',
  offlinePin: '410342035E031F03',
} as const;

/** Goes online on a request for a TC; accepts the terminal's "unable to go online". */
const ONLINE_PREFERRED: CardRiskRules = {
  offlineRequest: 'go-online',
  unableToGoOnline: 'accept',
  consecutiveOfflineLimit: 240,
};
const ONLINE_ONLY: CardRiskRules = { ...ONLINE_PREFERRED, unableToGoOnline: 'decline' };
const OFFLINE_CAPABLE: CardRiskRules = { ...ONLINE_PREFERRED, offlineRequest: 'accept' };

/**
 * Issuer action codes. None names "offline data authentication was not performed" as a reason to go online or to
 * decline: most of these cards carry no certificates.
 */
const IAC = {
  iacDefault: '7040000800',
  iacDenial: '0000000000',
  iacOnline: '7040009800',
} as const;

/** The same for cards with their own signature: failed DDA and CDA go online, or are declined without a connection. */
const ODA_IAC = { iacDefault: '7C40000800', iacOnline: '7C40009800' } as const;

interface Row
  extends Omit<
    CardDefinition,
    'contact' | 'contactless' | 'expiry' | 'serviceCode' | 'cardholderName' | 'psn' | 'magstripe' | 'usual'
  > {
  /** Default: true. */
  readonly magstripe?: boolean;
  /** Default: `insert`. */
  readonly usual?: PresentMode;
  readonly expiry?: string;
  readonly serviceCode?: string;
  readonly cvmRules?: string;
  readonly risk?: CardRiskRules;
  readonly iac?: Partial<typeof IAC> | Partial<Record<keyof typeof IAC, string>>;
  readonly chip?: (card: ChipPersonalisation) => ApplicationProfile;
  readonly tap?: (card: ChipPersonalisation) => ApplicationProfile;
}

const visaPhone = (card: ChipPersonalisation) => ({ ...visaTap(card), deviceVerifies: true });

const ROWS: readonly Row[] = [
  {
    name: 'visa-credit-online',
    description:
      'Chip; always goes online, and the issuer approves; accepts offline (Y3) when the issuer cannot be reached',
    account: TEST_CARDS.visaCredit,
    chip: visaContact,
    tap: visaTap,
    pin: '4315',
  },
  {
    name: 'mastercard-debit-pin',
    description: 'Chip with online PIN; declines when the issuer cannot be reached',
    account: TEST_CARDS.mastercardDebit,
    chip: (card) => mastercardContact(card, 'DEBIT MASTERCARD'),
    pin: '246813579024',
    cvmRules: CVM_RULES.onlinePin,
    risk: ONLINE_ONLY,
    iac: { iacDefault: '7040040800' },
  },
  {
    name: 'visa-contactless',
    description: 'Tap in EMV mode; online PIN above the reader’s CVM limit',
    account: TEST_CARDS.visaContactless,
    chip: visaContact,
    tap: visaTap,
    pin: '1357',
    usual: 'tap',
  },
  {
    name: 'visa-tap-magstripe',
    description: 'Tap in magstripe mode: track data and no cryptogram',
    account: TEST_CARDS.visaTapMagstripe,
    tap: visaTapMagstripe,
    usual: 'tap',
  },
  {
    name: 'mastercard-contactless',
    description:
      'Tap in EMV mode whose cryptogram comes on GENERATE AC (M/Chip); online PIN above the reader’s CVM limit',
    account: TEST_CARDS.mastercardContactless,
    chip: mastercardContact,
    tap: mastercardTap,
    pin: '2468',
    usual: 'tap',
  },
  {
    name: 'maestro-offline-approved',
    description:
      'Chip with offline PIN; approves offline (Y1) below the floor limit, or Y3 when the issuer cannot be reached',
    account: TEST_CARDS.maestroOffline,
    chip: maestroContact,
    pin: '7531',
    cvmRules: CVM_RULES.offlinePin,
    risk: OFFLINE_CAPABLE,
  },
  {
    name: 'visa-offline-declined',
    description: 'Chip; its issuer wants no transaction without offline data authentication: AAC (Z1)',
    account: TEST_CARDS.visaOfflineDeclined,
    chip: visaContact,
    iac: { iacDenial: '8010000000' },
  },
  {
    name: 'mastercard-declined',
    description: 'Chip; the issuer declines for insufficient funds (51)',
    account: TEST_CARDS.mastercardDeclined,
    chip: mastercardContact,
    risk: ONLINE_ONLY,
  },
  {
    name: 'visa-bad-arpc',
    description: 'Chip; the issuer approves with a wrong ARPC, so that the card ends in AAC',
    account: TEST_CARDS.visaBadArpc,
    chip: visaContact,
  },
  {
    name: 'maestro-declined-later',
    description:
      'Chip with offline PIN; approves offline (Y1, Y3), and its issuer declines (51) when it receives the record',
    account: TEST_CARDS.maestroDeclinedLater,
    chip: maestroContact,
    pin: '8642',
    cvmRules: CVM_RULES.offlinePin,
    risk: OFFLINE_CAPABLE,
  },
  {
    name: 'visa-phone',
    description:
      'A phone: tap in EMV mode, its cardholder verified by the phone itself, so that no PIN is requested at any amount',
    account: TEST_CARDS.visaPhone,
    tap: visaPhone,
    magstripe: false,
    usual: 'tap',
  },
  {
    name: 'visa-tap-declined',
    description:
      'Tap in EMV mode; the issuer declines for insufficient funds (51), so a deferred tap is declined later',
    account: TEST_CARDS.visaTapDeclined,
    chip: visaContact,
    tap: visaTap,
    pin: '1357',
    usual: 'tap',
  },
  {
    name: 'visa-partial',
    description:
      'Chip; the issuer approves half of the amount (10) where the till takes a part, else declines (51)',
    account: TEST_CARDS.visaPartial,
    chip: visaContact,
    risk: ONLINE_ONLY,
  },
  {
    name: 'visa-referral',
    description: 'Chip; the issuer wants a call first (01) and takes any approval code but 000000',
    account: TEST_CARDS.visaReferral,
    chip: visaContact,
    risk: ONLINE_ONLY,
  },
  {
    name: 'visa-online-only',
    description:
      'Chip without a PIN; the issuer approves, and the card declines when the issuer cannot be reached',
    account: TEST_CARDS.visaOnlineOnly,
    chip: visaContact,
    risk: ONLINE_ONLY,
  },
  {
    name: 'visa-sda',
    description: 'Chip with signed static data (SDA); approves offline (Y1) below the floor limit',
    account: TEST_CARDS.visaSda,
    chip: (card) => withOda(visaContact(card), 'sda'),
    risk: OFFLINE_CAPABLE,
  },
  {
    name: 'visa-dda',
    description: 'Chip that signs a challenge (DDA); approves offline (Y1) below the floor limit',
    account: TEST_CARDS.visaDda,
    chip: (card) => withOda(visaContact(card), 'dda'),
    risk: OFFLINE_CAPABLE,
    iac: ODA_IAC,
  },
  {
    name: 'mastercard-cda',
    description: 'Chip that signs its cryptograms (CDA); approves offline (Y1) below the floor limit',
    account: TEST_CARDS.mastercardCda,
    chip: (card) => withOda(mastercardContact(card), 'cda'),
    risk: OFFLINE_CAPABLE,
    iac: ODA_IAC,
  },
  {
    name: 'visa-dda-forged',
    description: 'Chip whose data were changed after they were signed: DDA fails, so it goes online',
    account: TEST_CARDS.visaForged,
    chip: (card) => withOda(visaContact(card), 'dda', 'static-data'),
    risk: OFFLINE_CAPABLE,
    iac: ODA_IAC,
  },
  {
    name: 'visa-unlisted',
    description: 'Chip with online PIN; its number is in no list of test cards, for a gateway in live mode',
    account: { pan: '4539578763621486', brand: 'VISA', behaviour: { kind: 'approve' } },
    chip: visaContact,
    tap: visaTap,
    pin: '2580',
    cvmRules: CVM_RULES.onlinePin,
  },
  {
    name: 'magstripe-only',
    description: 'Magstripe without a chip',
    account: TEST_CARDS.magstripeOnly,
    serviceCode: MAGSTRIPE_SERVICE_CODE,
    usual: 'swipe',
  },
  {
    name: 'chip-broken-fallback',
    description: 'The chip does not answer; the magstripe works as fallback',
    account: TEST_CARDS.chipBroken,
    muteChip: true,
  },
  {
    name: 'visa-expired',
    description: 'Chip that expired in January 2024: AAC (Z1)',
    account: TEST_CARDS.visaExpired,
    expiry: '2401',
    chip: visaContact,
    iac: { iacDenial: '0040000000' },
  },
  {
    name: 'visa-blocked',
    description: 'Chip whose application the issuer blocked: SELECT answers 6283',
    account: TEST_CARDS.visaBlocked,
    chip: visaContact,
    personalised: { applicationBlocked: true },
  },
];

/** 29 characters, the first four the BIN controller's (tag 9F24); derived from the row, never from the PAN. */
function paymentAccountReference(name: string): string {
  return `TLBR${name.toUpperCase().replaceAll('-', '')}`.padEnd(29, '0').slice(0, 29);
}

function define(row: Row): CardDefinition {
  const { chip, tap, cvmRules = CVM_RULES.noCvm, risk = ONLINE_PREFERRED, iac, ...rest } = row;
  const { expiry = EXPIRY, serviceCode = CHIP_SERVICE_CODE, magstripe = true, usual = 'insert' } = row;
  const common = { expiry, serviceCode, cardholderName: 'TILL/TESSA', psn: '01' };
  const personalisation: ChipPersonalisation = {
    ...common,
    ...IAC,
    ...iac,
    pan: row.account.pan,
    ...(row.pin !== undefined && { pin: row.pin }),
    paymentAccountReference: paymentAccountReference(row.name),
    cvmRules,
    risk,
  };
  return {
    ...rest,
    ...common,
    magstripe,
    usual,
    ...(chip && { contact: chip(personalisation) }),
    ...(tap && { contactless: tap(personalisation) }),
  };
}

/** Names of the cards. */
export const CARD_NAMES: readonly string[] = ROWS.map(({ name }) => name);

let made: readonly CardDefinition[] | undefined;

/** Every card of the simulator; made at the first call, under the keys that the process has then. */
export function cardCatalogue(): readonly CardDefinition[] {
  made ??= ROWS.map(define);
  return made;
}

/** The card of that name; undefined when there is none. */
export function findCard(name: string): CardDefinition | undefined {
  return cardCatalogue().find((card) => card.name === name);
}
