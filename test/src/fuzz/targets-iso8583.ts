import { isDeepStrictEqual } from 'node:util';
import { describeMessage, dialectsOf } from '@tillbridge/wire/iso8583/describe/describe.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { DIALECTS, type Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { packExchange, unpackExchange } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import type { MessageSpec } from '@tillbridge/wire/iso8583/field-spec.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { type Iso8583Message, packMessage, unpackMessage } from '@tillbridge/wire/iso8583/message.js';
import { framed, MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import { packParts, unpackParts } from '@tillbridge/wire/iso8583/parts/parts.js';
import { type VectorInputs, vectorInputs } from './corpus.js';
import { type FuzzTarget, PropertyError } from './target.js';

function vectorTarget(inputs: VectorInputs, index: number): FuzzTarget {
  const spec: MessageSpec = {
    mtiEncoding: inputs.mtiEncoding as MessageSpec['mtiEncoding'],
    bitmapEncoding: inputs.bitmapEncoding as MessageSpec['bitmapEncoding'],
    fields: inputs.fieldSpec as MessageSpec['fields'],
  };
  const message: Iso8583Message = {
    mti: String(inputs.mti),
    fields: inputs.fields as Iso8583Message['fields'],
  };
  return {
    name: `iso8583/message-${index + 1}`,
    corpus: [packMessage(spec, message)],
    refusals: [Iso8583Error],
    run: (input) => unpackMessage(spec, input),
  };
}

const CARD_NUMBER = '4761739001010010';
const SALES: Readonly<Record<Dialect['version'], Iso8583Message['fields']>> = {
  '0': {
    2: CARD_NUMBER,
    4: '000000001234',
    11: '000001',
    35: `${CARD_NUMBER}=3112201`,
    48: '400020570003123',
    54: '0002978C000000000100',
    55: '9F270180',
    90: '020000000711230722000000001234500000000000',
  },
  '1': {},
  '2': {
    2: CARD_NUMBER,
    4: '9782000000001234',
    30: `9782000000000500${'0'.repeat(16)}`,
    34: '730009808040003031026162',
    43: '42000000000000000453686F70323736',
    49: '71000440000123',
    56: '21000000000000072026112307220012345',
  },
};

/** What a host sent, in a shipped dialect: message, parts and description. */
function dialectTarget(dialect: Dialect): FuzzTarget {
  return {
    name: `iso8583/${dialect.name}`,
    corpus: [packMessage(dialect, { mti: `${dialect.version}200`, fields: SALES[dialect.version] })],
    refusals: [Iso8583Error],
    run: (input) => {
      describeMessage(dialect, input);
      dialectsOf(input);
      const message = unpackMessage(dialect, input);
      if (!isDeepStrictEqual(unpackMessage(dialect, packMessage(dialect, message)), message))
        throw new PropertyError('packing what was unpacked gives another message');
      for (const [number, value] of Object.entries(message.fields))
        assertParts(dialect, Number(number), value);
    },
  };
}

function assertParts(dialect: Dialect, field: number, value: string): void {
  const spec = dialect.fields[field];
  if (spec?.parts === undefined || spec.parts.kind === 'ber-tlv') return;
  const parts = unpackParts({ field, spec }, value);
  if (!isDeepStrictEqual(unpackParts({ field, spec }, packParts({ field, spec }, parts)), parts))
    throw new PropertyError(`packing the parts of field ${field} gives others`);
}

/** What stands in a message for those who exchange it. */
function exchangeTarget(dialect: Dialect): FuzzTarget {
  const sale = {
    kind: 'financial',
    isAdvice: false,
    isResponse: false,
    isRepeat: false,
    stan: '000042',
    at: '20261123072200',
    transaction: 'purchase',
    entryMode: 'chip',
    amount: { minor: 1234, currency: 'EUR' },
    remaining: { minor: 34, currency: 'EUR' },
    original: { type: { kind: 'financial', isAdvice: false }, stan: '000041', at: '20261123072100' },
    acceptor: { name: 'Shop', city: 'Berlin', country: 'DE' },
    cvv: '123',
    eci: '05',
  } as const;
  const some = { number: 2, minor: 1234 };
  const totals = {
    ...({ kind: 'reconciliation', isAdvice: false, isResponse: false, isRepeat: false } as const),
    ...{ stan: '000043', at: '20261123072200', merchantId: 'M1', settlementDate: '20261123' },
    totals: { debits: some, credits: some, debitReversals: some, creditReversals: some },
    net: { minor: -1234, currency: 'EUR' },
  };
  return {
    name: `iso8583/exchange-${dialect.name}`,
    corpus: [sale, totals, { ...totals, isResponse: true, responseCode: '95' }].map((message) =>
      packExchange(dialect, message, true),
    ),
    refusals: [Iso8583Error],
    run: (input) => {
      const { amount, net, totals: read } = unpackExchange(dialect, input, NOW_MS);
      const sums = [amount?.minor, net?.minor, read?.debits.minor, read?.creditReversals.minor];
      if (!sums.every((sum = 0) => Number.isSafeInteger(sum)))
        throw new PropertyError('an amount was read that no number counts exactly');
    },
  };
}

const NOW_MS = Date.UTC(2026, 10, 23);

/** A line's bytes in pieces: the same messages as at once, however they are cut. */
const FRAMES_TARGET: FuzzTarget = {
  name: 'iso8583/frames',
  corpus: [
    Buffer.concat([framed(Buffer.from('first')), framed(Buffer.alloc(0)), framed(Buffer.alloc(40, 2))]),
  ],
  refusals: [Iso8583Error],
  run: (input) => {
    const pieces = new MessageFrames(MAX_FRAME_BYTES);
    const cut = [...input].flatMap((byte) => pieces.push(Buffer.of(byte)));
    if (!isDeepStrictEqual(cut, [...new MessageFrames(MAX_FRAME_BYTES).push(input)]))
      throw new PropertyError('other messages come of the same bytes in pieces');
  },
};
const MAX_FRAME_BYTES = 4_096;

/** Messages of acquirers. */
export const ISO8583_TARGETS: readonly FuzzTarget[] = [
  FRAMES_TARGET,
  ...vectorInputs('iso8583')
    .filter(({ op }) => op === 'packUnpack')
    .map(vectorTarget),
  ...DIALECT_NAMES.map((name) => dialectTarget(DIALECTS[name])),
  ...DIALECT_NAMES.map((name) => exchangeTarget(DIALECTS[name])),
];
