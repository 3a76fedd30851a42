import { Iso8583Acquirer } from '@tillbridge/gateway/acquirers/iso8583/iso8583-acquirer.js';
import { takeZoneKey } from '@tillbridge/gateway/acquirers/iso8583/keys/key-exchange.js';
import { HostLink } from '@tillbridge/gateway/acquirers/iso8583/link/host-link.js';
import type { LinkJournal, NumberSource } from '@tillbridge/gateway/acquirers/iso8583/link/link-parts.js';
import { MemoryLinkJournal } from '@tillbridge/gateway/acquirers/iso8583/testing/memory-link-journal.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import { SimProcess } from '../kernel/sim-process.js';
import type { Trace } from '../kernel/trace.js';
import type { LinkMutation } from '../mutations/link-mutations.js';
import { redirected } from '../mutations/redirected.js';
import { LINK_DIALECT, type LinkHost, WRONG_CODE } from './link-host.js';
import { LinkKeys } from './link-keys.js';
import { NumberCheck } from './number-check.js';
import { watchedLine } from './watched-line.js';

const ANSWER_TIMEOUT_MS = 20_000;
const CONNECTIONS = 2;
const ECHO_AFTER_MS = 60_000;
const RESTART_MS = { min: 500, max: 15_000 } as const;
/** How often the link asks its host for new keys. */
const NEW_KEYS_MS = 4 * 60_000;

/** What the machine of a link is made of. */
export interface LinkMachineParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly host: LinkHost;
  readonly mutation: LinkMutation;
  readonly breach: (text: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** A process with a link to an acquirer's host. Its journal, its numbers and its keys outlive it. */
export class LinkMachine {
  readonly journal = new MemoryLinkJournal();
  readonly #parts: LinkMachineParts;
  readonly #numbers: NumberSource;
  readonly #check: NumberCheck;
  readonly #keys: LinkKeys;
  #process: SimProcess | undefined;
  #acquirer: Iso8583Acquirer | undefined;

  constructor(parts: LinkMachineParts) {
    const { mutation } = parts;
    this.#parts = parts;
    this.#check = new NumberCheck(parts.breach);
    this.#keys = new LinkKeys(parts.clock);
    const numbers = numbersOf(parts.clock);
    this.#numbers = mutation.numbers?.(numbers) ?? numbers;
  }

  /** The acquirer behind the link, while its process is up. */
  get acquirer(): Iso8583Acquirer | undefined {
    return this.#process?.alive ? this.#acquirer : undefined;
  }

  /** Starts the link on what its journal holds. */
  boot(): void {
    const { clock, random, trace, host, mutation, onFault, breach } = this.#parts;
    const process = new SimProcess('link', clock, { offsetMs: 0 }, trace);
    this.#process = process;
    trace.add('link', 'starts');
    process.onDeath(() => clock.setTimer(random.whole(RESTART_MS.min, RESTART_MS.max), () => this.boot()));
    const keys = mutation.keys?.(this.#keys) ?? this.#keys;
    const message = mutation.message?.();
    const mac = (covered: Uint8Array): Uint8Array => keys.mac(covered);
    const saw = (bytes: Uint8Array): void => this.#check.saw(bytes, clock.nowMs());
    const journal = ofProcess(process, mutation.journal?.(this.journal) ?? this.journal);
    const bad = (reason: string): void => {
      trace.add('link', `refuses a message: ${reason}`);
      if (reason === WRONG_CODE) breach('the link refuses what its host has said');
    };
    const security = { replaceZoneKey: keys.replaceZoneKey.bind(keys) };
    const opened = new HostLink({
      dialect: LINK_DIALECT,
      hosts: [async () => watchedLine(await host.connect(), { process, message, mac, saw })],
      journal,
      numbers: this.#numbers,
      seal: {
        mac: async (covered) => mac(covered),
        verify: async (covered, code) => keys.isMacRight(covered, code),
      },
      takeKey: (brought) => takeZoneKey({ acquirer: 'EXTERNAL', security, refused: bad }, brought),
      connections: CONNECTIONS,
      echoAfterMs: ECHO_AFTER_MS,
      clock: process.clock,
      observer: {
        bad,
        lateApproval: (reference) => trace.add('link', `late approval of ${reference}`),
        detailsLeftOut: () => undefined,
        notWritten: () => undefined,
        fault: onFault,
      },
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    });
    const link = mutation.link?.(opened) ?? opened;
    const following = (reference: string) =>
      process.call('link journal', () => this.journal.following(reference));
    this.#acquirer = new Iso8583Acquirer({ name: 'EXTERNAL', link, journal: { following }, mode: 'test' });
    link.start().catch(onFault);
    this.#askForKeys(link, process);
  }

  /** Ends without a word at one of its next effects. */
  crash(after: number): void {
    if (this.acquirer) this.#process?.dieAfter(after, 'kill');
  }

  #askForKeys(link: HostLink, process: SimProcess): void {
    const { trace, onFault } = this.#parts;
    process.clock.setTimer(NEW_KEYS_MS, () => {
      link
        .exchangeKeys()
        .then((isDone) => trace.add('link', isDone ? 'has new keys' : 'has no new keys'))
        .catch(onFault);
      this.#askForKeys(link, process);
    });
  }
}

/** Numbers that no other message has, whatever process sends it. */
function numbersOf(clock: Clock): NumberSource {
  let count = 0;
  return {
    async next() {
      count += 1;
      const at = new Date(clock.nowMs()).toISOString().replace(/\D/g, '').slice(0, 14);
      return { stan: String(count % 1_000_000).padStart(6, '0'), at, sequence: count };
    },
  };
}

function ofProcess(process: SimProcess, journal: LinkJournal): LinkJournal {
  const called =
    <Arguments extends readonly unknown[], T>(work: (...args: Arguments) => Promise<T>) =>
    (...args: Arguments): Promise<T> =>
      process.call('link journal', () => work(...args));
  return redirected(journal, {
    begin: called(journal.begin.bind(journal)),
    change: called(journal.change.bind(journal)),
    find: called(journal.find.bind(journal)),
    findMessage: called(journal.findMessage.bind(journal)),
    open: called(journal.open.bind(journal)),
  });
}
