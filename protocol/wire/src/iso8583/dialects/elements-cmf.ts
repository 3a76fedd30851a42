import { bitmapped, datasets, element, groups, openPositions, type PartRow, positions } from './part-rows.js';
import type { ElementTable, Representation } from './representation.js';

/** How the common message format writes: digits as BCD with the right nibble filled, lengths as BCD. */
export const CMF_REPRESENTATION: Representation = {
  text: 'ascii',
  numeric: 'bcd',
  filler: { fixed: 'right', variable: 'right' },
  length: 'bcd',
  variableBinary: 'binary',
};

const inBytes = (rows: readonly PartRow[]) => positions(rows, CMF_REPRESENTATION);

const amountParts = (digits: number): readonly PartRow[] => [
  ['currency', 'currency', 'n3'],
  ['minor', 'digits of the minor unit', 'n1'],
  ['amount', 'amount', `n${digits}`],
];
const AMOUNT = { parts: positions(amountParts(12)) };

const CARD_ACCEPTOR = bitmapped(
  {
    2: ['name', 'ans..50'],
    3: ['street', 'ans..99'],
    4: ['city', 'ans..50'],
    5: ['state, province or region', 'ans3'],
    6: ['postcode', 'ans10'],
    7: ['country', 'ans3'],
    8: ['phone', 'ans16'],
    9: ['phone of customer service', 'ans16'],
    10: ['additional contact', 'ans..30'],
    11: ['address in the internet', 'ans..255'],
    12: ['e-mail', 'ans..99'],
  },
  CMF_REPRESENTATION,
);

const ELECTRONIC_COMMERCE = datasets(
  {
    '73': [
      'authentication data',
      {
        5: ['transaction of 3D Secure 1', 'b16'],
        6: ['authentication value', 'b20', { mask: 'secret' }],
        7: ['authentication code', 'ans..50', { mask: 'secret' }],
        8: ['message version', 'ans..8'],
        9: ['message category', 'an2'],
        18: ['transaction of the directory server', 'ans..36'],
        20: ['status', 'a1'],
      },
    ],
    '74': [
      'additional data',
      {
        2: ['initiating party', 'an1'],
        6: ['high risk', 'an1'],
        8: ['deferred delivery', 'an1'],
        9: ['outage of authentication', 'an1'],
      },
    ],
  },
  CMF_REPRESENTATION,
);

const VERIFICATION = datasets(
  {
    '71': [
      'verification request',
      {
        2: ['card verification value', 'n4', { mask: 'secret' }],
        3: ['billing street', 'ans40', { mask: 'secret' }],
        4: ['billing postcode', 'ans10', { mask: 'secret' }],
        5: ['billing address, compressed', 'ans16', { mask: 'secret' }],
        6: ['type of identification', 'n1'],
        7: ['reference of identification', 'ans..30', { mask: 'secret' }],
      },
    ],
    '72': [
      'verification response',
      {
        2: ['address verification result', 'an1'],
        3: ['card verification result, card not present', 'an2'],
        4: ['card verification result, card present', 'an2'],
        5: ['validation of card data', 'an2'],
      },
    ],
  },
  CMF_REPRESENTATION,
);

const PROCESSING_CODE = positions([
  ['type', 'transaction type', 'an2'],
  ['from', 'account type, from', 'an2'],
  ['to', 'account type, to', 'an2'],
]);
const TRANSACTION_LIFE_CYCLE = inBytes([
  ['support', 'support indicator', 'an1'],
  ['trace', 'trace identifier', 'an15'],
  ['sequence', 'sequence number', 'n2'],
  ['token', 'authentication token', 'n4'],
]);
const POINT_OF_SERVICE_DATA_CODE = inBytes([
  ['reading', 'how the card was read', 'b4'],
  ['verification', 'how the cardholder was verified', 'b4'],
  ['environment', 'environment', 'b4'],
  ['security', 'security', 'b4'],
]);
const AMOUNTS_ORIGINAL = inBytes([
  ['transaction', 'amount, transaction', 'n16'],
  ['reconciliation', 'amount, reconciliation', 'n16'],
]);
const AMOUNTS_ADDITIONAL = groups(6, [
  ['account', 'account type', 'n2'],
  ['type', 'amount type', 'n2'],
  ['currency', 'currency', 'n3'],
  ['minor', 'digits of the minor unit', 'n1'],
  ['amount', 'amount', 'x+n12'],
]);
const ORIGINAL_DATA_ELEMENTS = openPositions([
  ['mti', 'message type', 'n4'],
  ['stan', 'system trace audit number', 'n12'],
  ['local', 'date and time, local transaction', 'n14'],
  ['acquirer', 'acquiring institution', 'n11'],
]);

/** Data elements of the jPOS Common Message Format, which follows ISO 8583:2003. */
export const ELEMENTS_CMF: ElementTable = {
  2: ['primary account number', 'n..19', { mask: 'pan' }],
  3: element('processing code', 'an6', PROCESSING_CODE),
  4: ['amount, transaction', 'n16', AMOUNT],
  5: ['amount, reconciliation', 'n16', AMOUNT],
  6: ['amount, cardholder billing', 'n16', AMOUNT],
  7: ['transmission date and time', 'n10'],
  8: ['amount, cardholder billing fee', 'n12', { parts: positions(amountParts(8)) }],
  9: ['conversion rate, reconciliation', 'n8'],
  10: ['conversion rate, cardholder billing', 'n8'],
  11: ['system trace audit number', 'n12'],
  12: ['date and time, local transaction', 'n14'],
  13: ['date, effective', 'n6'],
  14: ['date, expiration', 'n4'],
  15: ['date, settlement', 'n8'],
  16: ['date, conversion', 'n4'],
  17: ['date, capture', 'n4'],
  18: ['message error indicator', 'ans..140'],
  19: ['country of the acquiring institution', 'n3'],
  20: ['country of the primary account number', 'n3'],
  21: element('transaction life cycle', 'b19', TRANSACTION_LIFE_CYCLE),
  22: element('point of service data code', 'b16', POINT_OF_SERVICE_DATA_CODE),
  23: ['card sequence number', 'n3'],
  24: ['function code', 'n3'],
  25: ['message reason code', 'n4'],
  26: ['merchant category code', 'n4'],
  27: ['point of service capability', 'b27'],
  28: ['date, reconciliation', 'n8'],
  29: ['reconciliation indicator', 'n3'],
  30: element('amounts, original', 'b16', AMOUNTS_ORIGINAL),
  31: ['acquirer reference number', 'n23'],
  32: ['acquiring institution', 'n..11'],
  33: ['forwarding institution', 'n..11'],
  34: ['electronic commerce data', 'b..9999', { parts: ELECTRONIC_COMMERCE }],
  35: ['track 2 data', 'ans..37', { mask: 'track' }],
  36: ['track 3 data', 'ans..104', { mask: 'track' }],
  37: ['retrieval reference number', 'an12'],
  38: ['approval code', 'an6'],
  39: ['result code', 'n4'],
  40: ['service code', 'n3'],
  41: ['card acceptor terminal', 'ans16'],
  42: ['card acceptor', 'ans..35'],
  43: ['card acceptor name and location', 'b..9999', { parts: CARD_ACCEPTOR }],
  44: ['additional response data', 'b..9999'],
  45: ['track 1 data', 'ans..76', { mask: 'track' }],
  46: ['amounts, fees', 'ans..216'],
  47: ['additional data, national', 'ans..999'],
  48: ['additional data, private', 'ans..999'],
  49: ['verification data', 'b..9999', { parts: VERIFICATION }],
  ...reserved(50, 51),
  52: ['PIN data', 'b8', { mask: 'secret' }],
  53: ['security related control information', 'b..48', { mask: 'secret' }],
  54: element('amounts, additional', 'ans..126', AMOUNTS_ADDITIONAL),
  55: ['integrated circuit card data', 'b..9999', { parts: { kind: 'ber-tlv' } }],
  56: element('original data elements', 'n..41', ORIGINAL_DATA_ELEMENTS),
  57: ['authorization life cycle code', 'n3'],
  58: ['authorizing agent institution', 'n..11'],
  59: ['transport data', 'ans..999'],
  60: ['reserved, national', 'ans..999'],
  61: ['reserved, national', 'ans..999'],
  62: ['reserved, private', 'ans..999'],
  63: ['display message', 'ans..999'],
  64: ['message authentication code', 'b4'],
  65: ['reserved, ISO', 'b8'],
  66: ['amounts, original fees', 'ans..216'],
  67: ['extended payment data', 'n2'],
  68: ['batch message control', 'ans9'],
  69: ['batch control data', 'ans40'],
  70: ['file transfer description', 'n18'],
  ...reserved(71, 71),
  72: ['data record', 'b..999'],
  73: ['date, action', 'n8'],
  74: ['reconciliation data, primary', 'b78', { parts: inBytes(reconciliationRows()) }],
  75: ['reconciliation data, secondary', 'n90'],
  ...reserved(76, 92),
  93: ['destination institution', 'n..11'],
  94: ['originator institution', 'n..11'],
  95: ['card issuer reference data', 'ans..99'],
  96: ['key management data', 'b..999', { mask: 'secret' }],
  97: ['amount, net reconciliation', 'n21'],
  98: ['payee', 'ans25'],
  99: ['settlement institution', 'ans..11'],
  100: ['receiving institution', 'n..11'],
  101: ['file name', 'ans..99'],
  102: ['account identification 1', 'ans..28', { mask: 'pan' }],
  103: ['account identification 2', 'ans..28', { mask: 'pan' }],
  104: ['transaction specific data', 'b..9999', { mask: 'secret' }],
  ...reserved(105, 108),
  109: ['reconciliation fee amounts, credit', 'ans..144'],
  110: ['reconciliation fee amounts, debit', 'ans..144'],
  ...reserved(111, 122),
  123: ['reserved, private', 'ans..999'],
  124: ['key serial number of the authentication code', 'b..9999'],
  ...reserved(125, 127),
  128: ['message authentication code', 'b4'],
};

/** Amount and number of credits, then of debits: as they are, charged back, reversed. */
function reconciliationRows(): readonly PartRow[] {
  return ['credits', 'debits'].flatMap((side) =>
    ['', 'chargeback', 'reversal'].flatMap((kind): PartRow[] => {
      const key = kind === '' ? side : `${side}.${kind}`;
      const name = kind === '' ? side : `${side}, ${kind}`;
      return [
        [`${key}.amount`, `${name} amount`, 'n16'],
        [`${key}.number`, `${name} number`, 'n10'],
      ];
    }),
  );
}

function reserved(from: number, to: number): ElementTable {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return Object.fromEntries(numbers.map((number) => [number, ['reserved', 'b..9999'] as const]));
}
