import { fromHex } from '@tillbridge/wire/bytes.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import {
  decodeAccountData,
  encodePanBlock,
  encodeTrackBlock,
} from '@tillbridge/wire/terminals/newland/account-data.js';
import {
  decodeCallback,
  decodeCallbackAnswer,
  encodeCallbackAnswer,
} from '@tillbridge/wire/terminals/newland/callbacks.js';
import { decodeCoded, decodeDisplay, encodeDisplay } from '@tillbridge/wire/terminals/newland/commands.js';
import { decodeDialog, decodeDialogAnswer } from '@tillbridge/wire/terminals/newland/dialog.js';
import {
  CANCEL_CARD_WAIT,
  encodeFrame,
  INITIAL_FRAME_STATE,
  MAX_FRAME_BYTES,
  parseFrames,
} from '@tillbridge/wire/terminals/newland/frame.js';
import {
  decodeGetData,
  decodeGetTlvList,
  decodeKernelData,
} from '@tillbridge/wire/terminals/newland/kernel-data.js';
import { decodeEncipheredPan } from '@tillbridge/wire/terminals/newland/masked-pan.js';
import { decodeMessage } from '@tillbridge/wire/terminals/newland/messages.js';
import {
  decodeComplete,
  decodeCompleteAnswer,
  decodePerform,
  decodePerformAnswer,
} from '@tillbridge/wire/terminals/newland/perform.js';
import { decodePinEntry, decodePinEntryAnswer } from '@tillbridge/wire/terminals/newland/pin-entry.js';
import { type FuzzTarget, PropertyError } from './target.js';
import { sameHoweverCut } from './targets-terminals.js';

const GET_KSN = fromHex('02000433342F01032E');
const PERFORM = fromHex('060000003C000E9F02060000000012341F81260101');
const PERFORM_ANSWER = fromHex('0100FFFFFE0A00000000049F390105');
const TRACK_2 = '4200000000000000=31122010000000';

function frames(pieces: readonly Uint8Array[]): readonly unknown[] {
  let state = INITIAL_FRAME_STATE;
  return pieces.flatMap((piece) => {
    const parsed = parseFrames(state, piece);
    state = parsed.state;
    if (state.rest.length >= MAX_FRAME_BYTES) throw new PropertyError('the parser keeps more than one frame');
    return [...parsed.events];
  });
}

const refusals = [TerminalFormatError];

/** Readers of the Newland pin pad protocol, as the driver and the simulated device use them. */
export const NEWLAND_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'newland/frames',
    corpus: [
      GET_KSN,
      Buffer.concat([fromHex('0615'), GET_KSN, CANCEL_CARD_WAIT, GET_KSN]),
      encodeFrame(Buffer.alloc(600, 2)),
    ],
    run: (input) => sameHoweverCut(input, frames),
  },
  {
    name: 'newland/message',
    corpus: [fromHex('34 2F 01'.replaceAll(' ', '')), Buffer.from('35/00\xff\xff\x98\x76', 'latin1')],
    refusals,
    run: (input) => decodeCoded(decodeMessage(input).body),
  },
  { name: 'newland/perform', corpus: [PERFORM], refusals, run: decodePerform },
  { name: 'newland/perform-answer', corpus: [PERFORM_ANSWER], refusals, run: decodePerformAnswer },
  {
    name: 'newland/complete',
    corpus: [fromHex('0100048A023030'), fromHex('0400000000')],
    refusals,
    run: (input) => [decodeCompleteAnswer(input), decodeComplete(input)],
  },
  {
    name: 'newland/callback',
    corpus: [fromHex('0100000107'), fromHex('0200'), fromHex('0A010007A0000000031010')],
    refusals,
    run: decodeCallback,
  },
  {
    name: 'newland/callback-answer',
    corpus: [encodeCallbackAnswer({ result: -502, objects: [] }), fromHex('FF00000000000000051F8138013C')],
    refusals,
    run: decodeCallbackAnswer,
  },
  { name: 'newland/get-data', corpus: [fromHex('81000000020040')], refusals, run: decodeGetData },
  {
    name: 'newland/get-tlv-list',
    corpus: [fromHex('00030400010006829F261F8155')],
    refusals,
    run: decodeGetTlvList,
  },
  {
    name: 'newland/kernel-data',
    corpus: [fromHex('000010002001'), fromHex('0000029F26')],
    refusals,
    run: (input) => [decodeKernelData(input, 0), decodeEncipheredPan(input)],
  },
  {
    name: 'newland/account-data',
    corpus: [encodeTrackBlock(TRACK_2), encodePanBlock('4200000000000000')],
    refusals,
    run: decodeAccountData,
  },
  { name: 'newland/dialog', corpus: [fromHex('0000010500020404003C')], refusals, run: decodeDialog },
  {
    name: 'newland/pin-entry',
    corpus: [Buffer.from('\x01\x01\x004200000000000018\x1c\0\0\x0c\0\x1e\0PIN\x1c\x1c\x1c\x1c', 'latin1')],
    refusals,
    run: decodePinEntry,
  },
  {
    name: 'newland/pin-entry-answer',
    corpus: [fromHex('00080123456789ABCDEF')],
    refusals,
    run: decodePinEntryAnswer,
  },
  {
    name: 'newland/dialog-answer',
    corpus: [fromHex('0009DF0500000433313132')],
    refusals,
    run: decodeDialogAnswer,
  },
  { name: 'newland/display', corpus: [encodeDisplay(['PAY', '12.34'])], refusals, run: decodeDisplay },
];
