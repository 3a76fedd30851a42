import { receiptText } from '@tillbridge/agent/sale/receipts/receipt-lines.js';
import { instantOf } from '@tillbridge/agent/till/store-time.js';
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
