import type { ExchangeRecord } from '@tillbridge/gateway/acquirers/iso8583/decide/exchange-record.js';
import type { LinkJournal, NumberSource } from '@tillbridge/gateway/acquirers/iso8583/link/link-parts.js';
import type { MemoryLinkJournal } from '@tillbridge/gateway/acquirers/iso8583/testing/memory-link-journal.js';
import type { ExchangeMessage } from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import { redirected } from './redirected.js';

/** Deliberate bugs of the link to an acquirer's host. */
export interface LinkMutation {
  readonly numbers?: (numbers: NumberSource) => NumberSource;
  readonly journal?: (journal: MemoryLinkJournal) => LinkJournal;
  /** What becomes of a message between the link and its line; undefined: nothing is sent, or heard. */
  readonly message?: () => (message: ExchangeMessage, way: 'up' | 'down') => ExchangeMessage | undefined;
}

/** Every fourth number is that of the message before. */
export function reusesNumbers(numbers: NumberSource): NumberSource {
  let count = 0;
  let last: Awaited<ReturnType<NumberSource['next']>> | undefined;
  return {
    async next() {
      count += 1;
      if (last && count % 4 === 0) return last;
      last = await numbers.next();
      return last;
    },
  };
}

/** A journal that takes a number twice. */
export function takesNumbersTwice(journal: MemoryLinkJournal): LinkJournal {
  return redirected(journal, {
    begin: async (record: ExchangeRecord) => {
      journal.records.set(record.reference, record);
    },
  });
}

/** A repeat of a reversal does not say that it is one. */
export function forgetsRepeatFlag() {
  return (message: ExchangeMessage, way: 'up' | 'down'): ExchangeMessage =>
    way === 'up' && message.kind === 'reversal' ? { ...message, isRepeat: false } : message;
}

/** An approval that comes after its reversal was acknowledged is not heard: nothing reverses it again. */
export function ignoresLateApprovals() {
  const reversals = new Map<string, string>();
  const reversed = new Set<string>();
  const nameOf = ({
    terminalId = '',
    stan,
    at,
  }: Pick<ExchangeMessage, 'terminalId' | 'stan' | 'at'>): string => `${terminalId}/${stan}/${at}`;
  return (message: ExchangeMessage, way: 'up' | 'down'): ExchangeMessage | undefined => {
    const { kind, original, terminalId } = message;
    const own = nameOf(message);
    if (kind === 'reversal' && way === 'up' && original)
      reversals.set(own, nameOf({ ...original, ...(terminalId !== undefined && { terminalId }) }));
    if (kind === 'reversal' && way === 'down') reversed.add(reversals.get(own) ?? '');
    return kind !== 'reversal' && way === 'down' && reversed.has(own) ? undefined : message;
  };
}
