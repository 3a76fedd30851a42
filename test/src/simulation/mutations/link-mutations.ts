import type { ExchangeRecord } from '@tillbridge/gateway/acquirers/iso8583/decide/exchange-record.js';
import type { HostLink, LinkRequest } from '@tillbridge/gateway/acquirers/iso8583/link/host-link.js';
import type { LinkJournal, NumberSource } from '@tillbridge/gateway/acquirers/iso8583/link/link-parts.js';
import type { MemoryLinkJournal } from '@tillbridge/gateway/acquirers/iso8583/testing/memory-link-journal.js';
import type {
  ReplaceZoneKeyRequest,
  SecurityModule,
} from '@tillbridge/gateway/security/module/security-module.js';
import type { ExchangeMessage } from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import { redirected } from './redirected.js';

/** The zone keys of a link, as a process of it has them. */
export interface ZoneKeys extends Pick<SecurityModule, 'replaceZoneKey'> {
  /** The authentication code of a message, whole. */
  mac(covered: Uint8Array): Uint8Array;
  /** Whether a code is right, under the key in use or one before it that is still accepted. */
  isMacRight(covered: Uint8Array, code: Uint8Array): boolean;
  /** Others, which begin as these. */
  copy(): ZoneKeys;
}

/** Deliberate bugs of the link to an acquirer's host. */
export interface LinkMutation {
  readonly numbers?: (numbers: NumberSource) => NumberSource;
  readonly journal?: (journal: MemoryLinkJournal) => LinkJournal;
  readonly link?: (link: HostLink) => HostLink;
  readonly keys?: (keys: ZoneKeys) => ZoneKeys;
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

/** An advice that had no answer is told as another one. */
export function tellsAnew(link: HostLink): HostLink {
  let count = 0;
  return redirected(link, {
    repeat: ({ reference, purpose }: ExchangeRecord, request: LinkRequest) => {
      count += 1;
      return link.ask(`${reference} ${count}`, request, purpose);
    },
  });
}

/** A key that was replaced is given up at once, though messages under it are on their way. */
export function keepsNoOldKey(keys: ZoneKeys): ZoneKeys {
  return redirected(keys, {
    replaceZoneKey: (request: ReplaceZoneKeyRequest) => keys.replaceZoneKey({ ...request, keepOldMs: 0 }),
  });
}

/** A new key is used, and is forgotten with the process. */
export function forgetsNewKeys(keys: ZoneKeys): ZoneKeys {
  return keys.copy();
}
