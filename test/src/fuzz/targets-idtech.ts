import { fromHex } from '@tillbridge/wire/bytes.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { decodeAccountData } from '@tillbridge/wire/terminals/idtech/account-data.js';
import { decodeAidList, decodeApplicationData } from '@tillbridge/wire/terminals/idtech/application-data.js';
import {
  encodeFrame,
  INITIAL_FRAME_STATE,
  MAX_FRAME_BYTES,
  parseFrames,
} from '@tillbridge/wire/terminals/idtech/frame.js';
import {
  encodeReports,
  INITIAL_REPORT_STATE,
  REPORT_BYTES,
  takeReport,
} from '@tillbridge/wire/terminals/idtech/hid-report.js';
import { decodeKeyState } from '@tillbridge/wire/terminals/idtech/key-state.js';
import { decodeKeyedRequest, encodeKeyedRequest } from '@tillbridge/wire/terminals/idtech/keyed-entry.js';
import {
  decodeMagstripeData,
  encodeMagstripeData,
} from '@tillbridge/wire/terminals/idtech/magstripe-data.js';
import {
  maskMagstripeTrack2,
  readMasked57,
  readMaskedMagstripe,
} from '@tillbridge/wire/terminals/idtech/masking.js';
import { decodePinAnswer, encodePinAnswer } from '@tillbridge/wire/terminals/idtech/pin-entry.js';
import {
  decodeObjectEvent,
  decodeScreenText,
  encodeAddLabel,
  encodeObjectEvent,
} from '@tillbridge/wire/terminals/idtech/screen.js';
import { decodeTransactionAnswer } from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import {
  decodeActivate,
  decodeApplyHostResponse,
  decodeAuthenticate,
} from '@tillbridge/wire/terminals/idtech/transaction-commands.js';
import { fuzzTargets, PropertyError } from './target.js';
import { sameHoweverCut } from './targets-terminals.js';

const PING = fromHex('5669564F74656368320018010000B3CD');
const PONG = fromHex('5669564F74656368320018000000FA83');
const ACTIVATE = fromHex('1E9C01009F02060000000001009F0306000000000000DFEF370107DFEF3C03010060');
const ANSWER = fromHex(
  'C0DFEE25020010DFEE120AFFFF987A3210E00001575AA1084200CCCC0000007557C10800112233445566779F390105',
);
const KSN = fromHex('FFFF987A3210E00001');
const MAGSTRIPE = encodeMagstripeData(
  {
    source: 'magstripe',
    masked: [undefined, maskMagstripeTrack2('4200000000000075=3112201'), undefined],
    encrypted: [undefined, Buffer.alloc(32), undefined],
    cipher: 'tdes',
    serial: '0123456789',
    ksn: Buffer.concat([KSN, Buffer.of(1)]),
  },
  [0, 27, 0],
);

const KEYED = encodeMagstripeData(
  {
    source: 'keyed',
    masked: [undefined, maskMagstripeTrack2('4200000000000075=3112'), undefined],
    encrypted: [undefined, Buffer.alloc(24), undefined],
    cipher: 'tdes',
    ksn: Buffer.concat([KSN, Buffer.of(1)]),
  },
  [0, 24, 0],
);

function frames(pieces: readonly Uint8Array[]): readonly unknown[] {
  let state = INITIAL_FRAME_STATE;
  return pieces.flatMap((piece) => {
    const parsed = parseFrames('device', state, piece);
    state = parsed.state;
    if (state.rest.length > MAX_FRAME_BYTES) throw new PropertyError('more is kept than the longest frame');
    return parsed.events;
  });
}

/** Reports one behind the other; what is kept of a frame stays bounded. */
function takeReports(input: Uint8Array): void {
  let state = INITIAL_REPORT_STATE;
  for (let at = 0; at < input.length; at += REPORT_BYTES) {
    state = takeReport(state, input.subarray(at, at + REPORT_BYTES)).state;
    if ((state.parts?.length ?? 0) > MAX_FRAME_BYTES) throw new PropertyError('a frame grows without end');
  }
}

/** A body of the enhanced encrypted format with the length and check sums that belong around it. */
function enclosed(body: Uint8Array): Buffer {
  const [lrc, sum] = [body.reduce((all, byte) => all ^ byte, 0), body.reduce((all, byte) => all + byte, 0)];
  return Buffer.concat([
    Buffer.of(0x02, body.length & 0xff, body.length >>> 8),
    body,
    Buffer.of(lrc, sum & 0xff, 0x03),
  ]);
}

/** Readers of what ID TECH's NEO 2 readers send, and of what their simulated terminal receives. */
export const IDTECH_TARGETS = fuzzTargets([TerminalFormatError], {
  'idtech/frames': {
    corpus: [
      PONG,
      Buffer.concat([PONG, Buffer.of(0x56, 0xff), PONG]),
      encodeFrame('device', { command: 0x60, second: 0, data: ANSWER }),
      PING,
    ],
    refusals: [],
    run: (input) => sameHoweverCut(input, frames),
  },
  'idtech/reports': {
    corpus: [Buffer.concat(encodeReports(PONG)), Buffer.concat(encodeReports(Buffer.alloc(200, 7)))],
    refusals: [],
    run: takeReports,
  },
  'idtech/answer': {
    corpus: [ANSWER, fromHex('EADFEE25023012')],
    run: (input) => {
      for (const { value } of decodeTransactionAnswer(input).objects) readMasked57(value);
    },
  },
  'idtech/activate': {
    corpus: [ACTIVATE],
    run: decodeActivate,
  },
  'idtech/authenticate': {
    corpus: [fromHex('000078'), fromHex('010078DFEE1A029F26')],
    run: decodeAuthenticate,
  },
  'idtech/host-response': {
    corpus: [fromHex('018A023030910A11223344556677883030'), fromHex('00')],
    run: decodeApplyHostResponse,
  },
  'idtech/magstripe': {
    corpus: [MAGSTRIPE, KEYED],
    run: (input) => readMaskedMagstripe(decodeMagstripeData(input).masked[1] ?? ''),
  },
  'idtech/magstripe-body': {
    corpus: [MAGSTRIPE.subarray(3, -3), KEYED.subarray(3, -3)],
    run: (input) => readMaskedMagstripe(decodeMagstripeData(enclosed(input)).masked[1] ?? ''),
  },
  'idtech/keyed-request': {
    corpus: [fromHex('003C2500'), fromHex('00780500')],
    run: (input) => {
      const request = decodeKeyedRequest(input);
      if (!encodeKeyedRequest(request).equals(input))
        throw new PropertyError('what is read is not written again');
    },
  },
  'idtech/object-event': {
    corpus: [encodeObjectEvent({ component: 7, number: 1 }), fromHex('000001005449004C4C00')],
    run: decodeObjectEvent,
  },
  'idtech/pin': {
    corpus: [encodePinAnswer({ kind: 'pin', ksn: Buffer.alloc(10), block: Buffer.alloc(8) }), Buffer.of(2)],
    run: decodePinAnswer,
  },
  'idtech/key-state': {
    corpus: [fromHex('010AFFFFFF020019D1C00003')],
    run: decodeKeyState,
  },
  'idtech/screen': {
    corpus: [encodeAddLabel('A', 'B', 'HELLO')],
    run: (input) => decodeScreenText('add', input),
  },
  'idtech/application': {
    corpus: [fromHex('0700A000000003101002009F1B0400003A98DF180100')],
    run: decodeApplicationData,
  },
  'idtech/aid-list': {
    corpus: [fromHex('02000700A00000000310100700A0000000041010')],
    run: decodeAidList,
  },
  'idtech/account-data': {
    corpus: [
      fromHex('57114200000000000075D3112201123456789F0000000000'),
      Buffer.from(';4200000000000075=3112201123456789?8\0\0\0\0'),
      Buffer.from(';4200000000000075=3112?4'),
      fromHex('5A084200000000000075'),
    ],
    run: decodeAccountData,
  },
});
