import { fromHex } from '@tillbridge/wire/bytes.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { decodeAccountData, padPkcs7 } from '@tillbridge/wire/terminals/verifone/account-data.js';
import {
  encodeTypeA,
  INITIAL_FRAME_A,
  MAX_BLOCK_BYTES,
  parseTypeA,
} from '@tillbridge/wire/terminals/verifone/frame-a.js';
import { encodeTypeB, MAX_RESPONSE_BYTES } from '@tillbridge/wire/terminals/verifone/frame-b.js';
import { newLink, stepLink } from '@tillbridge/wire/terminals/verifone/link.js';
import {
  decodeCommand,
  decodeContainer,
  decodeMessage,
} from '@tillbridge/wire/terminals/verifone/messages.js';
import { readObfuscatedPan, readObfuscatedTrack2 } from '@tillbridge/wire/terminals/verifone/obfuscated.js';
import { fuzzTargets, PropertyError } from './target.js';
import { sameHoweverCut } from './targets-terminals.js';

const GET_PIN_A = fromHex('0241000422010000037B25');
const ANSWER_A = fromHex('024100149000478265CA63733B39FFFF9876541114A0007903865A');
const ANSWER = fromHex('90E2F0119F270180DF420400000801DF1A0442FFFF75');
const ONLINE = fromHex('39120000F01DDF5001018A023030DF520A911122334455667788998906000000000000');

/** Bytes of one frame without its data. */
const AROUND_BYTES = 7;

function linkEffects(type: 'A' | 'B', pieces: readonly Uint8Array[]): readonly unknown[] {
  let state = newLink(type, MAX_RESPONSE_BYTES);
  return pieces.flatMap((bytes) => {
    const step = stepLink(state, { kind: 'bytes', bytes });
    state = step.state;
    return [...step.effects];
  });
}

/** Readers of SDI, as the driver and the simulated device use them. */
export const VERIFONE_TARGETS = fuzzTargets([], {
  'verifone/type-a': {
    corpus: [GET_PIN_A, ANSWER_A, Buffer.concat([fromHex('0615'), ...encodeTypeA(Buffer.alloc(5_000, 2))])],
    run: (input) => {
      const { rest } = parseTypeA(INITIAL_FRAME_A, input).state;
      if (rest.length >= MAX_BLOCK_BYTES + AROUND_BYTES)
        throw new PropertyError('the parser keeps more than one frame');
      sameHoweverCut(input, (pieces) => linkEffects('A', pieces));
    },
  },
  'verifone/type-b': {
    corpus: [encodeTypeB(ANSWER), Buffer.concat([encodeTypeB(ANSWER), encodeTypeB(ONLINE)])],
    run: (input) => sameHoweverCut(input, (pieces) => linkEffects('B', pieces)),
  },
  'verifone/command': {
    corpus: [ONLINE, fromHex('23010078F00FDFA108010FDFA1090101DFA0170101')],
    refusals: [TerminalFormatError],
    run: (input) => decodeContainer(decodeCommand(input).data),
  },
  'verifone/message': {
    corpus: [ANSWER, fromHex('9101F00BBF0808DF790100DF410101'), fromHex('6500')],
    refusals: [TerminalFormatError],
    run: (input) => decodeContainer(decodeMessage(input).data),
  },
  'verifone/obfuscated': {
    corpus: [
      fromHex('457199FFFFFF7304DFFFF201FFFFFFFFFFFFFF'),
      Buffer.from('457199XXXXXX7304=XXXX201XXXX'),
      fromHex('476173FFFFFFFFFF'),
    ],
    run: (input) => [readObfuscatedPan(input), readObfuscatedTrack2(input)],
  },
  'verifone/account-data': {
    corpus: [padPkcs7(fromHex('5A08420000000000007557114200000000000075D31121011234565F2403311231'), 8)],
    refusals: [TerminalFormatError],
    run: decodeAccountData,
  },
});
