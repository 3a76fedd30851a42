import { fromHex } from '@tillbridge/wire/bytes.js';
import { tlv } from '@tillbridge/wire/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import {
  encodeClearData,
  keyedInTrack2,
  magstripeObject,
  magstripeTrack2Text,
  pinObject,
  readClearData,
  readKeyedInTrack2,
  readMagstripeTrack2,
} from '@tillbridge/wire/terminals/magtek/account-data.js';
import { aesUsageOf, ENCRYPTION_TYPES } from '@tillbridge/wire/terminals/magtek/encryption-type.js';
import { type FrameEvent, MAX_MESSAGE_BYTES } from '@tillbridge/wire/terminals/magtek/framing.js';
import {
  encodeReports,
  INITIAL_REPORT_STATE,
  parseReport,
  REPORT_BYTES,
} from '@tillbridge/wire/terminals/magtek/hid-packets.js';
import { readMaskedTrack } from '@tillbridge/wire/terminals/magtek/masked-track.js';
import { decodeMessage } from '@tillbridge/wire/terminals/magtek/message.js';
import { readOutcome, readUpdate } from '@tillbridge/wire/terminals/magtek/notifications.js';
import { decodeProperties } from '@tillbridge/wire/terminals/magtek/properties.js';
import { decodeResume } from '@tillbridge/wire/terminals/magtek/resume-transaction.js';
import { encodeSlip, INITIAL_SLIP_STATE, parseSlip } from '@tillbridge/wire/terminals/magtek/slip.js';
import { decodeStart } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import { statusOf } from '@tillbridge/wire/terminals/magtek/statuses.js';
import {
  decodeTransactionObject,
  encipheredPart,
  encodeAuthenticated,
  encodeEnciphered,
  encodeTransactionObject,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import { fuzzTargets, PropertyError } from './target.js';
import { sameHoweverCut } from './targets-terminals.js';

const KSN = fromHex('FFFF9879543210E00001');
const START = fromHex(
  'AA00810401001001843D100182013CA30981010182010183010184020003' +
    '86279C01009F02060000000001009F03060000000000005F2A0208405F3601029F150200009F530100',
);
const START_MANUAL = fromHex(
  'AA008104010610018442100182013CA30E810100820100830100840300000184020003' +
    '86279C01009F02060000000001009F03060000000000005F2A0208405F3601029F150200009F530100AC0483020023',
);
const RESUME = fromHex(
  'AA00810401001004842110048101008201788417FF7414DFDF2508992690E116120710FA0670048A023030',
);
const PROPERTY = fromHex('AA0081048255D10182040000000084820010D1018501018704020701018903C10100');
/** Where the parameters of the examples begin. */
const START_PARAMETERS = 12;

const objectUnder = (macType: number, encryptionType: number) =>
  encodeTransactionObject(
    encodeAuthenticated({
      macKsn: KSN,
      macType,
      serial: Buffer.from('B613783'),
      generic: [
        tlv('70', [
          tlv('DFDF53', Buffer.of(0)),
          tlv('9F27', Buffer.of(0x80)),
          encodeEnciphered({
            data: Buffer.alloc(48, 5),
            ksn: KSN,
            encryptionType,
            paddingBytes: 3,
          }),
        ]),
      ],
    }),
    Buffer.alloc(8, 9),
  );
const PIN = pinObject({ ksn: KSN, block: Buffer.alloc(8, 3), format: 0 }, ENCRYPTION_TYPES.tdesPin);
const MAGSTRIPE = magstripeObject({ ksn: KSN, data: Buffer.alloc(40, 1), type: ENCRYPTION_TYPES.tdesData });
const CHIP = [tlv('5A', fromHex('4200000000000000')), tlv('57', fromHex('4200000000000000D31122010000000F'))];

/** Whole reports out of any bytes. */
function reportsOf(input: Uint8Array): Buffer[] {
  const reports: Buffer[] = [];
  for (let at = 0; at < input.length; at += REPORT_BYTES)
    reports.push(Buffer.concat([input.subarray(at, at + REPORT_BYTES)], REPORT_BYTES));
  return reports;
}

function requireBounded(events: readonly FrameEvent[]): void {
  for (const event of events) {
    if (event.kind === 'message' && event.bytes.length > MAX_MESSAGE_BYTES)
      throw new PropertyError('a message is longer than the limit');
  }
}

function slipMessages(pieces: readonly Uint8Array[]): readonly unknown[] {
  let state = INITIAL_SLIP_STATE;
  return pieces.flatMap((piece) => {
    const parsed = parseSlip(state, piece, 'to-host');
    state = parsed.state;
    requireBounded(parsed.events);
    if (state.rest.length > piece.length + 2 * (MAX_MESSAGE_BYTES + REPORT_BYTES))
      throw new PropertyError('the parser keeps more than one frame');
    return parsed.events;
  });
}

/** Readers of MMS, as the driver, the simulated device and the gateway use them. */
export const MAGTEK_TARGETS = fuzzTargets([TerminalFormatError], {
  'magtek/reports': {
    corpus: [Buffer.concat(encodeReports(START)), Buffer.concat(encodeReports(Buffer.alloc(500, 7)))],
    refusals: [],
    run: (input) => {
      let state = INITIAL_REPORT_STATE;
      for (const report of reportsOf(input)) {
        const parsed = parseReport(state, report);
        state = parsed.state;
        requireBounded(parsed.events);
        if ((state.assembly?.length ?? 0) > MAX_MESSAGE_BYTES)
          throw new PropertyError('the parser keeps more than one message');
      }
    },
  },
  'magtek/slip': {
    corpus: [
      encodeSlip('to-host', START),
      Buffer.concat([encodeSlip('to-host', fromHex('C0DB')), fromHex('C0')]),
    ],
    refusals: [],
    run: (input) => sameHoweverCut(input, slipMessages),
  },
  'magtek/message': {
    corpus: [
      START,
      RESUME,
      PROPERTY,
      fromHex('AA0081048300010582' + '0420000000'),
      fromHex('AA0081048300180382' + '0401050000'),
    ],
    run: (input) => {
      const message = decodeMessage(input);
      if (message.kind === 'response') statusOf(message.status);
      if (message.kind === 'notification') {
        readUpdate(message.detail);
        readOutcome(message.detail);
      }
    },
  },
  'magtek/start': {
    corpus: [START.subarray(START_PARAMETERS), START_MANUAL.subarray(START_PARAMETERS)],
    run: decodeStart,
  },
  'magtek/resume': {
    corpus: [RESUME.subarray(START_PARAMETERS)],
    run: decodeResume,
  },
  'magtek/property': {
    corpus: [
      fromHex('8501018704020701018903C10100'),
      fromHex('81072B06010401F609850102890AE208E106E104E102C100'),
    ],
    run: decodeProperties,
  },
  'magtek/transaction-object': {
    corpus: [
      objectUnder(ENCRYPTION_TYPES.tdesMac, ENCRYPTION_TYPES.tdesData),
      objectUnder(ENCRYPTION_TYPES.aes128Mac, ENCRYPTION_TYPES.aes128Data),
    ],
    run: (input) => {
      const object = decodeTransactionObject(input);
      aesUsageOf(object.macType);
      aesUsageOf(encipheredPart(object).encryptionType);
    },
  },
  'magtek/clear-data': {
    corpus: [encodeClearData([...CHIP, PIN]), encodeClearData([MAGSTRIPE])],
    run: readClearData,
  },
  'magtek/tracks': {
    corpus: [
      magstripeTrack2Text('4200000000000000=31122010000000'),
      Buffer.from(';420000******0000=**************?'),
    ],
    run: (input) => {
      readMaskedTrack(Buffer.from(input).toString('latin1'));
      readMagstripeTrack2(input);
    },
  },
  'magtek/keyed-in-track': {
    corpus: [
      magstripeTrack2Text(keyedInTrack2({ pan: '4200000000000000', expiry: '3112', code: '123' })),
      magstripeTrack2Text(keyedInTrack2({ pan: '4200000000000000', expiry: '3112' })),
    ],
    run: readKeyedInTrack2,
  },
});
