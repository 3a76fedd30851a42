import { compressedNumeric } from '@tillbridge/wire/emv/compressed-numeric.js';
import { tlv } from '@tillbridge/wire/emv/tlv.js';
import {
  type ApplicationProfile,
  type CardRiskRules,
  hexTlv,
  type RecordFile,
  textTlv,
} from './core/application-profile.js';
import { type TrackInput, track2Equivalent } from './track-data.js';

/** What distinguishes one card's chip application from another of the same brand. */
export interface ChipPersonalisation extends TrackInput {
  readonly psn: string;
  /** Tag 9F24, 29 characters. */
  readonly paymentAccountReference: string;
  /** Rules of tag 8E behind the two amounts, hex. */
  readonly cvmRules: string;
  /** Issuer action codes, hex. */
  readonly iacDefault: string;
  readonly iacDenial: string;
  readonly iacOnline: string;
  readonly risk: CardRiskRules;
}

/** The development issuer's own objects: Germany, euro; valid everywhere for everything since 2024; the terminal's velocity limits. */
const ISSUER = {
  country: hexTlv('5F28', '0276'),
  currency: hexTlv('9F42', '0978'),
  usageControl: hexTlv('9F07', 'FFC0'),
  effectiveDate: hexTlv('5F25', '240101'),
  lowerOfflineLimit: hexTlv('9F14', 'C8'),
  upperOfflineLimit: hexTlv('9F23', 'FA'),
} as const;

/** Last day of the month `YYMM`, as tag 5F24 has it. */
function expirationDate(expiry: string): string {
  const year = 2000 + Number(expiry.slice(0, 2));
  const lastDay = new Date(Date.UTC(year, Number(expiry.slice(2)), 0)).getUTCDate();
  return `${expiry}${String(lastDay).padStart(2, '0')}`;
}

function contactFiles(card: ChipPersonalisation, lists: ApplicationLists, version: string): RecordFile[] {
  return [
    { sfi: 1, records: [[tlv('57', track2Equivalent(card)), textTlv('5F20', card.cardholderName)]] },
    {
      sfi: 2,
      records: [
        [
          tlv('5A', compressedNumeric(card.pan)),
          hexTlv('5F34', card.psn),
          hexTlv('5F24', expirationDate(card.expiry)),
          ISSUER.effectiveDate,
          ISSUER.country,
          ISSUER.usageControl,
          hexTlv('9F08', version),
          ISSUER.currency,
          hexTlv('5F30', `0${card.serviceCode}`),
          textTlv('9F24', card.paymentAccountReference),
        ],
        [
          hexTlv('8C', lists.cdol1),
          hexTlv('8D', lists.cdol2),
          hexTlv('8E', `0000000000000000${card.cvmRules}`),
          hexTlv('9F0D', card.iacDefault),
          hexTlv('9F0E', card.iacDenial),
          hexTlv('9F0F', card.iacOnline),
          ISSUER.lowerOfflineLimit,
          ISSUER.upperOfflineLimit,
        ],
      ],
    },
  ];
}

interface ApplicationLists {
  readonly cdol1: string;
  readonly cdol2: string;
}

/** 9F02 9F03 9F1A 95 5F2A 9A 9C 9F37: what every cryptogram covers. */
const COMMON_OBJECTS = '9F02069F03069F1A0295055F2A029A039C019F3704';
/** The same, behind the response code. */
const VISA_LISTS: ApplicationLists = { cdol1: COMMON_OBJECTS, cdol2: `8A02${COMMON_OBJECTS}` };
/** M/Chip adds terminal type, DAC, ICC dynamic number and CVM results; the second list begins with tag 91. */
const MCHIP_LISTS: ApplicationLists = {
  cdol1: `${COMMON_OBJECTS}9F35019F45029F4C089F3403`,
  cdol2: '910A8A0295059F37049F4C08',
};

/** The common part of every application. */
function application(card: ChipPersonalisation, aid: string, label: string) {
  const { pan, psn, risk } = card;
  return { aid, label, priority: 1, pan, psn, risk, cdol1: '', cdol2: '', tapObjects: [] } as const;
}

function visa(card: ChipPersonalisation) {
  return { ...application(card, 'A0000000031010', 'VISA CREDIT'), cryptogramVersion: 'visaCvn18' } as const;
}

/** Visa by contacts: answers in format 1, checks the issuer by EXTERNAL AUTHENTICATE (AIP byte 1 bit 3). */
export function visaContact(card: ChipPersonalisation): ApplicationProfile {
  return {
    ...visa(card),
    mode: 'contact',
    gpoFormat: 1,
    pdol: '9F1A025F2A02',
    ...VISA_LISTS,
    aip: '1C00',
    files: contactFiles(card, VISA_LISTS, '0096'),
  };
}

/** Visa by field (qVSDC): the PDOL requests everything the cryptogram covers, behind the reader's qualifiers. */
export function visaTap(card: ChipPersonalisation): ApplicationProfile {
  const record = [
    hexTlv('5F24', expirationDate(card.expiry)),
    ISSUER.country,
    ISSUER.usageControl,
    textTlv('9F24', card.paymentAccountReference),
  ];
  return {
    ...visa(card),
    mode: 'tap',
    gpoFormat: 2,
    pdol: `9F6604${COMMON_OBJECTS}`,
    aip: '2000',
    files: [{ sfi: 1, records: [record] }],
    tapObjects: [
      tlv('57', track2Equivalent(card)),
      hexTlv('5F34', card.psn),
      textTlv('5F20', card.cardholderName),
      hexTlv('9F6E', '20700000'),
    ],
  };
}

/** Visa by field for readers without qVSDC: the magstripe's data in a record, AIP without an EMV mode. */
export function visaTapMagstripe(card: ChipPersonalisation): ApplicationProfile {
  return {
    ...visa(card),
    mode: 'tap-magstripe',
    gpoFormat: 1,
    pdol: '9F6604',
    aip: '0080',
    files: [{ sfi: 1, records: [[tlv('57', track2Equivalent(card)), textTlv('5F20', card.cardholderName)]] }],
  };
}

function mchip(card: ChipPersonalisation, aid: string, label: string): ApplicationProfile {
  return {
    ...application(card, aid, label),
    mode: 'contact',
    cryptogramVersion: 'mchipCvn20',
    gpoFormat: 2,
    pdol: '',
    ...MCHIP_LISTS,
    aip: '1800',
    files: contactFiles(card, MCHIP_LISTS, '0002'),
  };
}

/** Mastercard by contacts: answers in format 2, takes tag 91 in the second GENERATE AC. */
export function mastercardContact(card: ChipPersonalisation, label = 'MASTERCARD'): ApplicationProfile {
  return mchip(card, 'A0000000041010', label);
}

/** Mastercard by field (M/Chip): records and a cryptogram as by contacts; the card leaves with its first cryptogram. */
export function mastercardTap(card: ChipPersonalisation): ApplicationProfile {
  return { ...mastercardContact(card), mode: 'tap-generate-ac' };
}

/** Maestro by contacts: as Mastercard. */
export function maestroContact(card: ChipPersonalisation): ApplicationProfile {
  return mchip(card, 'A0000000043060', 'MAESTRO');
}
