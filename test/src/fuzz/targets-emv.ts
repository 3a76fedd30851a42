import { isDeepStrictEqual } from 'node:util';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { parseCvmList } from '@tillbridge/wire/emv/cvm.js';
import { readCvmResults } from '@tillbridge/wire/emv/cvm-results.js';
import { describeTlv, describeTlvPartly, formatDescription } from '@tillbridge/wire/emv/describe.js';
import { buildDol, dolLength, parseDol } from '@tillbridge/wire/emv/dol.js';
import { iadNames, readIad } from '@tillbridge/wire/emv/iad.js';
import { decodeTlv, encodeTlv, TlvError } from '@tillbridge/wire/emv/tlv.js';
import { readValue } from '@tillbridge/wire/emv/value-readers.js';
import { vectorTexts } from './corpus.js';
import { fuzzTargets, PropertyError } from './target.js';

const TLV_CORPUS = vectorTexts('bertlv', 'hex')
  .filter((hex) => /^(?:[0-9A-F]{2})+$/i.test(hex))
  .map(fromHex);
const DOLS = ['9F02069F03069F1A0295055F2A029A039C019F3704', '9F37049F4C08', '5F2A028A02E010'].map(fromHex);
const IADS = [
  '06010A03A00000',
  '0114A0000322000000000000000000000000',
  '1501850440B100000000B00000000000000000000000',
  `0FA501A03800000000000000000000000F${'01'.repeat(15)}`,
].map(fromHex);
/** Tags whose values are decoded into words. */
const WORDY_TAGS = [
  '95',
  '9B',
  '9F33',
  '9F40',
  '82',
  '8E',
  '9F34',
  '9F27',
  '9F10',
  '9F07',
  '9F66',
  '9F6C',
  '5F2A',
  '9A',
];

/** Readers of what cards and kernels send. */
export const EMV_TARGETS = fuzzTargets([TlvError], {
  'emv/tlv': {
    corpus: TLV_CORPUS,
    run: (input) => {
      const nodes = decodeTlv(input, { padding: 'strict' });
      if (!isDeepStrictEqual(decodeTlv(encodeTlv(nodes), { padding: 'strict' }), nodes))
        throw new PropertyError('encoding what was decoded gives other data objects');
    },
  },
  'emv/describe': {
    corpus: TLV_CORPUS,
    run: (input) => formatDescription(describeTlv(input)),
  },
  'emv/describe-partly': {
    corpus: TLV_CORPUS,
    refusals: [],
    run: (input) => formatDescription(describeTlvPartly(input).nodes),
  },
  'emv/dol': {
    corpus: DOLS,
    run: (input) => {
      const entries = parseDol(input);
      const filled = buildDol(entries, () => fromHex('0123456789'));
      if (filled.length !== dolLength(entries))
        throw new PropertyError('the list is filled to another length');
    },
  },
  'emv/values': {
    corpus: [...IADS, fromHex('0000000000000000420141035E031F00'), fromHex('8000048000')],
    refusals: [],
    run: (input) => {
      for (const tag of WORDY_TAGS) readValue(tag, input);
      readIad(input);
      iadNames(input);
      parseCvmList(input);
      readCvmResults(input);
    },
  },
});
