import type { TableName } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change, Range, Store } from '@tillbridge/gateway/kernel/store/store.js';
import type {
  ReplaceZoneKeyRequest,
  SecurityModule,
} from '@tillbridge/gateway/security/module/security-module.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
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

/** What becomes of a message between a link and its line; undefined: nothing is sent, or received. */
type OnTheLine = (message: ExchangeMessage, way: 'up' | 'down') => ExchangeMessage | undefined;

/** Deliberate bugs of the link to an acquirer's host, each put in once per process. */
export interface LinkMutation {
  readonly store?: (store: Store) => Store;
  readonly keys?: (keys: ZoneKeys) => ZoneKeys;
  readonly message?: () => OnTheLine;
  /** Gateways on one database, which then every simulation of a link has. */
  readonly nodes?: 2;
}

type MessageNumber = Pick<ExchangeMessage, 'stan' | 'at'>;

/** Sends messages under other numbers, and maps their answers back. */
class OtherNumbers {
  readonly #own = new Map<string, MessageNumber>();

  as(message: ExchangeMessage, { stan, at }: MessageNumber): ExchangeMessage {
    this.#own.set(`${stan}/${at}`, { stan: message.stan, at: message.at });
    return { ...message, stan, at };
  }

  back(message: ExchangeMessage): ExchangeMessage {
    return { ...message, ...this.#own.get(`${message.stan}/${message.at}`) };
  }
}

/** A request that is sent for the first time. */
function isNewRequest({ kind, isRepeat, isResponse }: ExchangeMessage, way: 'up' | 'down'): boolean {
  return way === 'up' && !isRepeat && !isResponse && (kind === 'financial' || kind === 'authorization');
}

/** Every fourth request has the number of the one before. */
function reusesNumbers(): OnTheLine {
  const others = new OtherNumbers();
  let count = 0;
  let last: MessageNumber | undefined;
  return (message, way) => {
    if (way === 'down') return others.back(message);
    if (!isNewRequest(message, way)) return message;
    count += 1;
    if (last && count % 4 === 0) return others.as(message, last);
    last = message;
    return message;
  };
}

/** Every fourth request has the retrieval reference number of the one before. */
function reusesReferences(): OnTheLine {
  let count = 0;
  let last: string | undefined;
  return (message, way) => {
    const { rrn } = message;
    if (!isNewRequest(message, way) || rrn === undefined) return message;
    count += 1;
    if (last !== undefined && count % 4 === 0) return { ...message, rrn: last };
    last = rrn;
    return message;
  };
}

/** No other node learns which numbers a node has taken. */
function keepsNumbersToItself(store: Store): Store {
  return withoutChanges(store, (change) => 'table' in change && change.table === 'linkNumbers');
}

/** A repeat of a reversal is sent without the flag of a repeat. */
function forgetsRepeatFlag(): OnTheLine {
  return (message, way) =>
    way === 'up' && message.kind === 'reversal' ? { ...message, isRepeat: false } : message;
}

/** A reversal is sent once, whether the host acknowledges it or not. */
function reversesOnce(): OnTheLine {
  return (message, way) =>
    way === 'up' && message.kind === 'reversal' && message.isRepeat ? undefined : message;
}

const nameOf = ({ terminalId = '', stan, at }: MessageNumber & Pick<ExchangeMessage, 'terminalId'>): string =>
  `${terminalId}/${stan}/${at}`;

/** What a reversal reverses. */
function originalOf({ terminalId, original }: ExchangeMessage): string {
  return original ? nameOf({ ...original, ...(terminalId !== undefined && { terminalId }) }) : '';
}

/** A reversal names what was requested, whatever the host has approved. */
function reversesWhatWasRequested(): OnTheLine {
  const requested = new Map<string, ExchangeMessage['amount']>();
  return (message, way) => {
    if (way === 'down' || message.isResponse) return message;
    if (message.kind !== 'reversal') requested.set(nameOf(message), message.amount);
    const amount = message.kind === 'reversal' ? requested.get(originalOf(message)) : undefined;
    return amount ? { ...message, amount } : message;
  };
}

/** A reversal of a part approval leaves half of it. */
function reversesHalf(): OnTheLine {
  return (message, way) => {
    const { kind, amount, remaining } = message;
    if (way === 'down' || kind !== 'reversal' || !amount || remaining) return message;
    return { ...message, remaining: { ...amount, minor: Math.floor(amount.minor / 2) } };
  };
}

/** Names of requests whose reversals were acknowledged, as messages go by. */
class ReversedRequests {
  readonly #reversals = new Map<string, string>();
  readonly #reversed = new Set<string>();

  passes(message: ExchangeMessage, way: 'up' | 'down'): void {
    if (message.kind !== 'reversal') return;
    if (way === 'up') this.#reversals.set(nameOf(message), originalOf(message));
    else this.#reversed.add(this.#reversals.get(nameOf(message)) ?? '');
  }

  /** Whether it is the answer to a request that was reversed before. */
  isLate(message: ExchangeMessage, way: 'up' | 'down'): boolean {
    return way === 'down' && message.kind !== 'reversal' && this.#reversed.has(nameOf(message));
  }
}

/** An approval that comes after its reversal was acknowledged is ignored: nothing reverses it again. */
function ignoresLateApprovals(): OnTheLine {
  const requests = new ReversedRequests();
  return (message, way) => {
    requests.passes(message, way);
    return requests.isLate(message, way) ? undefined : message;
  };
}

/** What a late approval would be reversed by is not sent. */
function sendsNoSecondReversal(): OnTheLine {
  const requests = new ReversedRequests();
  const late = new Set<string>();
  return (message, way) => {
    requests.passes(message, way);
    if (requests.isLate(message, way)) late.add(nameOf(message));
    return way === 'up' && message.kind === 'reversal' && late.has(originalOf(message)) ? undefined : message;
  };
}

/** An approval that comes after its reversal counts as the answer. */
function takesLateApprovals(store: Store): Store {
  return redirected(store, {
    commit: (changes: readonly Change[]) =>
      store.commit(
        changes.map((change) => {
          if (change.op !== 'update' || change.table !== 'linkExchanges') return change;
          const { row } = change;
          if (row.lateApprovals === 0) return change;
          const answer = { ...JSON.parse(row.request ?? '{}'), isResponse: true, responseCode: '00' };
          return { ...change, row: { ...row, state: 'answered', answer: JSON.stringify(answer) } };
        }),
      ),
  });
}

/** An advice that had no answer is sent as another one. */
function sendsAsNew(): OnTheLine {
  const others = new OtherNumbers();
  let count = 0;
  return (message, way) => {
    if (way === 'down') return others.back(message);
    if (!message.isAdvice || !message.isRepeat || message.kind === 'reversal') return message;
    count += 1;
    return others.as({ ...message, isRepeat: false }, { stan: String(900_000 + count), at: message.at });
  };
}

/** Totals leave out what was reversed. */
function totalsWithoutReversals(store: Store): Store {
  return redirected(store, {
    find: async (...[table, index, ...rest]: Parameters<Store['find']>) =>
      table === 'linkExchanges' && index === 'reversed' ? [] : store.find(table, index, ...rest),
  });
}

/** The settlement day that a process received first is that of all it receives. */
function forgetsCutOver(): OnTheLine {
  let first: string | undefined;
  return (message, way) => {
    const { kind, settlementDate } = message;
    if (way === 'up' || kind === 'network' || kind === 'reconciliation' || settlementDate === undefined)
      return message;
    first ??= settlementDate;
    return { ...message, settlementDate: first };
  };
}

/** No totals are ever compared. */
function comparesNoTotals(store: Store): Store {
  return withoutChanges(store, (change) => 'table' in change && change.table === 'linkTotals');
}

/** The search for requests without an answer that the host may have carried out is left out. */
function forgetsUnansweredRequests(store: Store): Store {
  return redirected(store, {
    findRange: async <T extends TableName>(table: T, index: string, range: Range<T>) =>
      index === 'sequence' ? [] : store.findRange(table, index, range),
  });
}

function withoutChanges(store: Store, isForgotten: (change: Change) => boolean): Store {
  return redirected(store, {
    commit: (changes: readonly Change[]) => store.commit(changes.filter((change) => !isForgotten(change))),
  });
}

/** A key that was replaced is given up at once, though messages under it are on their way. */
function keepsNoOldKey(keys: ZoneKeys): ZoneKeys {
  return redirected(keys, {
    replaceZoneKey: (request: ReplaceZoneKeyRequest) => keys.replaceZoneKey({ ...request, keepOldMs: 0 }),
  });
}

/** A new key is used, and is forgotten with the process. */
function forgetsNewKeys(keys: ZoneKeys): ZoneKeys {
  return keys.copy();
}

/** Deliberate bugs of a link, by what is done wrong. */
export const LINK_MUTATIONS = {
  'an approval that comes after its reversal stands': { message: ignoresLateApprovals },
  'an approval that comes after its reversal is believed': {
    store: takesLateApprovals,
    message: sendsNoSecondReversal,
  },
  'what a host carried out after its reversal stands where its answer was lost': {
    store: forgetsUnansweredRequests,
  },
  'a trace number names two messages': { message: reusesNumbers },
  'a retrieval reference number names two payments': { message: reusesReferences },
  'two gateways take the same numbers for their messages': { nodes: 2, store: keepsNumbersToItself },
  'a reversal that is sent again lacks the flag of a repeat': { message: forgetsRepeatFlag },
  'a reversal without an answer is not sent again': { message: reversesOnce },
  'an advice that is repeated is sent as another one': { message: sendsAsNew },
  'the reversal of a part approval names what was requested': { message: reversesWhatWasRequested },
  'a reversal leaves half of what was approved': { message: reversesHalf },
  'totals of a settlement day leave reversals out': { store: totalsWithoutReversals },
  'a settlement day goes on after its end': { message: forgetsCutOver },
  'totals of a settlement day are never compared': { store: comparesNoTotals },
  'a zone key that was replaced is given up at once': { keys: keepsNoOldKey },
  'a new zone key is forgotten with its process': { keys: forgetsNewKeys },
} as const satisfies Readonly<Record<string, LinkMutation>>;

/** Name of a mutation of a link. */
export type LinkMutationName = keyof typeof LINK_MUTATIONS;
