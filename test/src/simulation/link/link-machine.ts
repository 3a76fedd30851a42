import { type OpenLink, openLink } from '@tillbridge/gateway/core/acquirers/open/open-links.js';
import { NodeLease } from '@tillbridge/gateway/kernel/nodes/node-lease.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { repeat } from '@tillbridge/gateway/kernel/workers/repeat.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { SimProcess } from '../kernel/sim-process.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { LinkMutation } from '../mutations/link-mutations.js';
import { redirected } from '../mutations/redirected.js';
import type { LateApprovalCheck } from './late-approval-check.js';
import { LINK } from './link-config.js';
import { type LinkHost, WRONG_CODE } from './link-host.js';
import type { LinkKeys } from './link-keys.js';
import type { NumberCheck } from './number-check.js';
import type { ReversalCheck } from './reversal-check.js';
import { watchedLine } from './watched-line.js';

const RESTART_MS = { min: 500, max: 15_000 } as const;
/** How often the link requests new keys from its host. */
const NEW_KEYS_MS = 4 * 60_000;
/** How often totals that are due are looked for. */
const TOTALS_INTERVAL_MS = 30_000;

/** What the machine of a link is made of. */
interface LinkMachineDeps extends TracedDeps {
  readonly name: string;
  readonly host: LinkHost;
  /** The gateway's database, another machine's: it outlives each process. */
  readonly database: MemoryStore;
  /** Another gateway uses the database too. */
  readonly isShared: boolean;
  /** Exchanges the zone keys with the host. */
  readonly requestsKeys: boolean;
  readonly keys: LinkKeys;
  readonly numbers: NumberCheck;
  readonly lateApprovals: LateApprovalCheck;
  readonly reversals: ReversalCheck;
  readonly mutation: LinkMutation;
  readonly breach: (text: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** A process of a gateway with a link to an acquirer's host, as a gateway opens it. */
export class LinkMachine {
  readonly #deps: LinkMachineDeps;
  #process: SimProcess | undefined;
  #link: OpenLink | undefined;

  constructor(deps: LinkMachineDeps) {
    this.#deps = deps;
  }

  /** The acquirer behind the link, while its process is up. */
  get acquirer(): OpenLink['acquirer'] | undefined {
    return this.#process?.alive ? this.#link?.acquirer : undefined;
  }

  /** Starts the link on what the database holds. */
  boot(): void {
    const { name, clock, random, trace, onFault } = this.#deps;
    const process = new SimProcess(name, clock, { offsetMs: 0 }, trace);
    this.#process = process;
    this.#link = undefined;
    trace.add(name, 'starts');
    process.onDeath(() => clock.setTimer(random.whole(RESTART_MS.min, RESTART_MS.max), () => this.boot()));
    this.#open(process).catch(onFault);
  }

  /** Ends without a word at one of its next effects. */
  crash(after: number): void {
    if (this.acquirer) this.#process?.dieAfter(after, 'kill');
  }

  /** Nothing ends it any more. */
  endFaults(): void {
    this.#process?.dieAfter(Number.POSITIVE_INFINITY, 'kill');
  }

  async #open(process: SimProcess): Promise<void> {
    const { name, random, trace, host, database, isShared, mutation, breach, onFault } = this.#deps;
    const { numbers, lateApprovals, reversals } = this.#deps;
    const { clock } = process;
    const node = isShared
      ? await NodeLease.begin({
          ...{ store: database, clock, random, isSingleNode: false },
          onFault: (what, error) => trace.add(name, `${what}: ${String(error)}`),
        })
      : undefined;
    const keys = mutation.keys?.(this.#deps.keys) ?? this.#deps.keys;
    const message = mutation.message?.();
    const bad = (reason: string): void => {
      trace.add(name, `refuses a message: ${reason}`);
      if (reason === WRONG_CODE) breach('the link refuses what its host has sent');
    };
    const mac = (covered: Uint8Array): Uint8Array => keys.mac(covered);
    const saw = (each: ExchangeMessage, way: 'up' | 'down'): void => {
      trace.add(name, `${way === 'up' ? 'sends' : 'receives'} ${textOf(each)}`);
      if (way === 'up') {
        numbers.saw(each);
        reversals.sent(each).catch(onFault);
      } else lateApprovals.received(each, process).catch(onFault);
    };
    const link = await openLink(
      LINK,
      {
        store: ofProcess(process, mutation.store?.(database) ?? database),
        ...(node && { node }),
        clock,
        security: {
          generateMac: async ({ data }) => mac(data),
          verifyMac: async ({ data, mac: code }) => keys.isMacRight(data, code),
          replaceZoneKey: keys.replaceZoneKey.bind(keys),
        },
        mode: 'test',
        observerOf: () => ({
          bad,
          lateApproval: (reference) => trace.add(name, `late approval of ${reference}`),
          detailsLeftOut: () => undefined,
          withoutCard: () => undefined,
          notWritten: () => undefined,
          fault: onFault,
        }),
      },
      [async () => watchedLine(await host.connect(), { process, message, mac, saw })],
    );
    this.#link = link;
    repeat({
      clock,
      intervalMs: TOTALS_INTERVAL_MS,
      work: () => link.compareTotals(),
      onFault,
    });
    if (this.#deps.requestsKeys) this.#requestKeys(link, process);
  }

  #requestKeys(link: OpenLink, process: SimProcess): void {
    const { name, trace, onFault } = this.#deps;
    process.clock.setTimer(NEW_KEYS_MS, () => {
      link
        .exchangeKeys()
        .then((isDone) => trace.add(name, isDone ? 'has new keys' : 'has no new keys'))
        .catch(onFault);
      this.#requestKeys(link, process);
    });
  }
}

/** What a message is, and whether it approves. */
function textOf({
  kind,
  network,
  isAdvice,
  isRepeat,
  terminalId,
  stan,
  responseCode,
}: ExchangeMessage): string {
  const type = [network ?? kind, isAdvice && 'advice', isRepeat && 'again', terminalId, stan, responseCode];
  return type.filter(Boolean).join(' ');
}

/** A store that a process uses: the process may end before each call, and before it gets the result. */
function ofProcess(process: SimProcess, store: Store): Store {
  const called =
    <Arguments extends readonly unknown[], T>(work: (...args: Arguments) => Promise<T>) =>
    (...args: Arguments): Promise<T> =>
      process.call('link store', () => work(...args));
  return redirected(store, {
    commit: called(store.commit.bind(store)),
    get: called(store.get.bind(store)),
    find: called(store.find.bind(store)),
    findRange: called(store.findRange.bind(store)),
    findAfter: called(store.findAfter.bind(store)),
  });
}
