import { receiptText } from '@tillbridge/agent/sale/receipts/receipt-lines.js';
import { instantOf } from '@tillbridge/agent/till/store-time.js';
import { UpdateError } from '@tillbridge/agent/update/base/update-error.js';
import { TarReader } from '@tillbridge/agent/update/slots/read-tar.js';
import { judgeRelease } from '@tillbridge/agent/update/trust/judge-release.js';
import {
  INSTALLED,
  RELEASE,
  NOW_MS as RELEASE_NOW_MS,
  releaseFile,
  rootOf,
  sealedRoot,
  TRUST,
} from '@tillbridge/agent/update/trust/release.test.support.js';
import { findCardData } from '@tillbridge/wire/mask/card-data-scan.js';
import { localText } from '@tillbridge/wire/text/local-time.js';
import { fuzzTargets, PropertyError } from './target.js';

const utf8 = (input: Uint8Array): string => Buffer.from(input).toString('utf8');
const bytes = (...texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text));
const COLUMNS = 32;
const NOW_MS = Date.UTC(2026, 10, 23);
const ZONE = 'America/Santiago';

/** What the agent reads of tills and prints of cards. */
export const AGENT_TARGETS = fuzzTargets([], {
  'agent/card-data-scan': {
    corpus: bytes(
      '4200 0000 0000 0000 12.34',
      '5A084200000000000000',
      '%B4200000000000000^',
      '1 2 3 4 5 6 7 8',
    ),
    run: (input) => {
      const text = utf8(input);
      const lines = text.split('\n');
      for (const { line, column } of findCardData(text))
        if (column > (lines[line - 1]?.length ?? 0)) throw new PropertyError('a place outside the text');
    },
  },
  'agent/store-time': {
    corpus: bytes('2026-11-23', '2026-11-23T10:00', '2026-11-23T10:00:00Z', 'today', '2026-09-06T00:30:00'),
    run: (input) => {
      const atMs = instantOf(utf8(input), ZONE, NOW_MS);
      if (atMs === undefined) return;
      const again = instantOf(localText(atMs, ZONE).replace(' ', 'T'), ZONE, NOW_MS);
      // A doubled hour is read as its first.
      if (again === undefined || Math.abs(again - atMs) > 2 * 3_600_000)
        throw new PropertyError('a time is read back as another');
    },
  },
  'agent/receipt-lines': {
    corpus: bytes(
      'VISA CREDIT',
      'a word of more than thirty-two characters: Donaudampfschifffahrtsgesellschaft',
      '\u001b@',
    ),
    run: (input) => {
      const text = utf8(input);
      const groups = [
        [
          { key: 'store', kind: 'center', text },
          { key: 'card', kind: 'pair', name: text, value: text },
          { key: 'notice', kind: 'paragraph', text },
        ],
      ] as const;
      for (const line of receiptText({ language: 'en', groups }, COLUMNS).split('\n'))
        if ([...line].length > COLUMNS || /\p{C}/u.test(line))
          throw new PropertyError(`a line of ${line.length}`);
    },
  },
});

const NEXT_ROOT = rootOf({ version: 2, root: [4, 5], release: [12] });
const RELEASES = [
  releaseFile(),
  releaseFile({}, { signers: [12], roots: [sealedRoot(NEXT_ROOT, [1, 2, 4, 5])] }),
];
const SIGNED = JSON.stringify(RELEASE);
const BLOCK = 512;

/** A member of a tar archive as POSIX has it. */
function member(name: string, type: string, content = ''): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000755\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / BLOCK) * BLOCK);
  body.write(content);
  return Buffer.concat([header, body]);
}

const ARCHIVE = Buffer.concat([
  member('p/', '5'),
  member('p/a', '0', 'text of a file'),
  member('x', 'x', '16 path=p/long\n'),
  member('p/short', '0'),
  Buffer.alloc(2 * BLOCK),
]);

/** What an agent reads of a release before it believes anything. */
export const UPDATE_TARGETS = [
  ...fuzzTargets([], {
    'update/release': {
      corpus: RELEASES,
      run: (input) => {
        const verdict = judgeRelease(input, TRUST, INSTALLED, RELEASE_NOW_MS);
        if (verdict.accepted && JSON.stringify(verdict.release) !== SIGNED)
          throw new PropertyError('a release was accepted without signatures');
        if (verdict.accepted && ![1, 2].includes(verdict.trust.root.version))
          throw new PropertyError('a root document was followed without signatures');
        if (!verdict.accepted && verdict.reason === '') throw new PropertyError('a refusal without a reason');
      },
    },
  }),
  ...fuzzTargets([UpdateError], {
    'update/tar': {
      corpus: [ARCHIVE],
      run: (input) => {
        let left = 0;
        const reader = new TarReader({
          begin: ({ path, kind, bytes }) => {
            if (left !== 0) throw new PropertyError('a file was not handed on as a whole');
            left = kind === 'file' ? bytes : 0;
            if (path.split('/').some((part) => ['', '.', '..'].includes(part)))
              throw new PropertyError('a path leads out');
          },
          piece: (bytes) => {
            left -= bytes.length;
            if (left < 0) throw new PropertyError('a file has more bytes than it said');
          },
        });
        const half = input.length >> 1;
        reader.push(input.subarray(0, half));
        reader.push(input.subarray(half));
        reader.end();
      },
    },
  }),
];
