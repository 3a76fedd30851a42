import { approves } from '@tillbridge/gateway/acquirers/iso8583/decide/exchange-record.js';
import type { LinkRequest } from '@tillbridge/gateway/acquirers/iso8583/link/host-link.js';
import { NotSentError, OutcomeUnknownError } from '@tillbridge/gateway/acquirers/iso8583/link/link-parts.js';
import { TEST_CARDS } from '@tillbridge/protocol/payment/test-cards.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { Trace } from '../kernel/trace.js';
import type { LinkMutation } from '../mutations/link-mutations.js';
import { LinkHost } from './link-host.js';
import { LinkMachine } from './link-machine.js';

const PAUSE_MS = { min: 5_000, max: 60_000 } as const;
const SALES = 40;
const CARDS = [TEST_CARDS.visaCredit, TEST_CARDS.mastercardDebit, TEST_CARDS.visaBlocked] as const;
const AMOUNT_MINOR = { min: 100, max: 50_000 } as const;
const SHARES = { reversal: 0.15, hostCrash: 0.04, linkCrash: 0.08, authorization: 0.3 } as const;
const MOST_EFFECTS = 12;

/** What the merchant of a link is run with. */
export interface LinkMerchantParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly mutation: LinkMutation;
  readonly breach: (text: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** A merchant whose payments go to an acquirer's host over ISO 8583, while host and link end, and answers are lost, late and twice. */
export class LinkMerchant {
  readonly #parts: LinkMerchantParts;
  readonly #host: LinkHost;
  readonly #machine: LinkMachine;
  /** References that were told as approved, and are wanted. */
  readonly #approved = new Set<string>();
  #sales = 0;
  #ended = false;

  constructor(parts: LinkMerchantParts) {
    const { clock, random, trace, mutation, breach, onFault } = parts;
    this.#parts = parts;
    this.#host = new LinkHost({ clock, random: random.branch('host'), trace, onFault });
    this.#machine = new LinkMachine({
      ...{ clock, trace, mutation, breach, onFault },
      random: random.branch('link'),
      host: this.#host,
    });
  }

  /** Sells until the end. */
  begin(): void {
    this.#machine.boot();
    this.#next();
  }

  end(): void {
    this.#ended = true;
    this.#host.endFaults();
  }

  /** Whether every exchange has come to its end. */
  get isQuiet(): boolean {
    const isOpen = [...this.#machine.journal.records.values()].some(
      ({ state }) => state === 'sent' || state === 'reversing',
    );
    return !isOpen && this.#machine.link !== undefined;
  }

  /** Compares what the link believes with what the host has taken, when all is quiet. */
  async check(): Promise<void> {
    const { breach } = this.#parts;
    const transactions = await this.#host.store.transactions();
    const standing = transactions.filter(({ amountMinor, reversedMinor }) => amountMinor > reversedMinor);
    const taken = new Set(standing.map(({ message }) => message));
    const records = [...this.#machine.journal.records.values()];
    const believed = records.filter(
      ({ state, answer }) => state === 'answered' && answer && approves(answer),
    );
    const names = new Map(
      believed.map(({ reference, request }) => [
        `${request?.terminalId}/${request?.stan}/${request?.at}`,
        reference,
      ]),
    );
    for (const name of taken)
      if (!names.has(name)) breach(`the host has taken ${name}, and the link believes nothing of it`);
    for (const [name, reference] of names)
      if (!taken.has(name)) breach(`the link believes in ${reference}, and the host has not taken it`);
    const known = new Set(names.values());
    for (const reference of this.#approved)
      if (!known.has(reference)) breach(`${reference} was told as approved, and is nowhere`);
  }

  #next(): void {
    const { clock, random } = this.#parts;
    clock.setTimer(random.whole(PAUSE_MS.min, PAUSE_MS.max), () => {
      if (this.#ended || this.#sales >= SALES) return;
      this.#happen();
      void this.#sell();
      this.#next();
    });
  }

  #happen(): void {
    const { random } = this.#parts;
    this.#host.strike();
    if (random.chance(SHARES.hostCrash)) this.#host.crash();
    if (random.chance(SHARES.linkCrash)) this.#machine.crash(random.whole(1, MOST_EFFECTS));
  }

  async #sell(): Promise<void> {
    const { random, trace, onFault } = this.#parts;
    const { link } = this.#machine;
    if (!link) return;
    this.#sales += 1;
    const reference = `sale-${this.#sales}`;
    const request: LinkRequest = {
      kind: random.chance(SHARES.authorization) ? 'authorization' : 'financial',
      isAdvice: false,
      transaction: 'purchase',
      amount: { minor: random.whole(AMOUNT_MINOR.min, AMOUNT_MINOR.max), currency: 'EUR' },
      entryMode: 'keyed',
      pan: random.pick(CARDS).pan,
      expiry: '3112',
      terminalId: `T${random.whole(1, 3)}`,
      merchantId: 'M1',
    };
    const isTakenBack = random.chance(SHARES.reversal);
    try {
      const answer = await link.ask(reference, request);
      trace.add('link', `${reference} ${answer.responseCode}`);
      if (!approves(answer)) return;
      this.#approved.add(reference);
      if (!isTakenBack || !this.#machine.link) return;
      // From here on nobody counts on it, whether the wish arrives or not.
      this.#approved.delete(reference);
      await this.#machine.link.reverse(reference, { reference: `reversal-${this.#sales}` });
    } catch (error) {
      const isExpected = error instanceof NotSentError || error instanceof OutcomeUnknownError;
      if (isExpected) trace.add('link', `${reference} ${error.name}`);
      else onFault(error);
    }
  }
}
