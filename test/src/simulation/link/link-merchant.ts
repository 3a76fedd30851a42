import {
  type AcquirerAnswer,
  type AcquirerMoneyRequest,
  type AcquirerRequest,
  AcquirerUnreachableError,
} from '@tillbridge/gateway/acquirers/acquirer.js';
import { recordEntry } from '@tillbridge/gateway/acquirers/iso8583/decide/record-entry.js';
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
const SHARES = {
  reversal: 0.15,
  hostCrash: 0.04,
  linkCrash: 0.08,
  authorization: 0.3,
  approvedByPhone: 0.15,
  terminal: 0.5,
  followUp: 0.4,
  givenUp: 0.3,
} as const;
const MOST_EFFECTS = 12;
/** How long nobody waits for an answer any more: a process that was killed gives none. */
const PATIENCE_MS = 45_000;
/** How long after that the same is told again. */
const AGAIN_MS = { min: 1_000, max: 20_000 } as const;
const MERCHANT = {
  merchantId: 'M1',
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Corner shop',
  city: 'Berlin',
  country: 'DE',
} as const;

/** What the merchant of a link is run with. */
export interface LinkMerchantParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly mutation: LinkMutation;
  readonly breach: (text: string) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * A merchant whose payments go to an acquirer's host over ISO 8583, while host and link end, answers are lost, late and twice, and keys are
 * exchanged. Sales and authorizations are asked for; approvals by phone, captures, refunds and reversals are told until they are answered.
 */
export class LinkMerchant {
  readonly #parts: LinkMerchantParts;
  readonly #host: LinkHost;
  readonly #machine: LinkMachine;
  /** References that were told as approved, and are wanted. */
  readonly #approved = new Set<string>();
  #requests = 0;
  #sales = 0;
  /** Sales that somebody still works on. */
  #underWay = 0;
  #ended = false;

  constructor(parts: LinkMerchantParts) {
    const { clock, random, trace, mutation, breach, onFault } = parts;
    this.#parts = parts;
    this.#host = new LinkHost({ clock, random: random.branch('host'), trace, breach, onFault });
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
    return !isOpen && this.#underWay === 0 && this.#machine.acquirer !== undefined;
  }

  /** Compares what the link believes with what the host has taken, when all is quiet. */
  async check(): Promise<void> {
    const { breach } = this.#parts;
    const taken = new Map(
      (await this.#host.store.transactions()).map(({ message, amountMinor, reversedMinor }) => [
        message,
        amountMinor - reversedMinor,
      ]),
    );
    const believed = new Set<string>();
    for (const record of this.#machine.journal.records.values()) {
      const { reference, request } = record;
      if (!request) continue;
      const entry = recordEntry(record, []);
      const minor = entry?.approved ? entry.amountMinor - entry.reversedMinor : 0;
      const name = `${request.terminalId}/${request.stan}/${request.at}`;
      const theirs = taken.get(name) ?? 0;
      if (minor !== theirs) breach(`the link believes in ${minor} of ${reference}, the host in ${theirs}`);
      if (minor > 0) believed.add(reference);
      taken.delete(name);
    }
    for (const [name, minor] of taken)
      if (minor > 0) breach(`the host has taken ${name}, and the link knows nothing of it`);
    for (const reference of this.#approved)
      if (!believed.has(reference)) breach(`${reference} was told as approved, and is nowhere`);
  }

  #next(): void {
    const { clock, random, onFault } = this.#parts;
    clock.setTimer(random.whole(PAUSE_MS.min, PAUSE_MS.max), () => {
      if (this.#ended || this.#sales >= SALES) return;
      this.#happen();
      this.#sales += 1;
      this.#underWay += 1;
      this.#sell()
        .catch(onFault)
        .finally(() => {
          this.#underWay -= 1;
        });
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
    const { random } = this.#parts;
    const request = this.#sale();
    // What the issuer has approved by phone has happened; the rest is the link's to reverse where no answer comes.
    const answer = request.approvalCode === undefined ? await this.#ask(request) : await this.#tell(request);
    if (!answer?.approved) return;
    const { acquirerReference, amount, captureNow } = request;
    this.#approved.add(acquirerReference);
    if (random.chance(SHARES.followUp))
      await this.#follow(captureNow ? 'refund' : 'capture', acquirerReference, amount);
    if (random.chance(SHARES.reversal)) await this.#reverse(acquirerReference);
  }

  #sale(): AcquirerMoneyRequest {
    const { random } = this.#parts;
    const { pan } = random.pick(CARDS);
    return {
      kind: 'authorization',
      acquirerReference: this.#reference('sale'),
      amount: { minor: random.whole(AMOUNT_MINOR.min, AMOUNT_MINOR.max), currency: 'EUR' },
      instrument: { kind: 'card', pan, expiryYear: '2031', expiryMonth: '12' },
      merchant: MERCHANT,
      captureNow: !random.chance(SHARES.authorization),
      ...(random.chance(SHARES.terminal) && {
        pos: { terminalId: `T${random.whole(1, 3)}`, entryMode: 'MANUAL' },
      }),
      ...(random.chance(SHARES.approvedByPhone) && { approvalCode: '123456' }),
    };
  }

  /** Captures or refunds a part; of what has no answer some is given up, and reversed. */
  async #follow(
    kind: 'capture' | 'refund',
    originalReference: string,
    whole: AcquirerMoneyRequest['amount'],
  ): Promise<void> {
    const { random } = this.#parts;
    const amount = { ...whole, minor: random.whole(1, whole.minor) };
    const request = { kind, acquirerReference: this.#reference(kind), originalReference, amount } as const;
    const answer = random.chance(SHARES.givenUp) ? await this.#ask(request) : await this.#tell(request);
    if (answer?.approved) this.#approved.add(request.acquirerReference);
    else if (!answer) await this.#reverse(request.acquirerReference);
  }

  async #reverse(originalReference: string): Promise<void> {
    // From here on nobody counts on it, whether the wish arrives or not.
    this.#approved.delete(originalReference);
    await this.#tell({
      kind: 'reversal',
      acquirerReference: this.#reference('reversal'),
      originalReference,
    });
  }

  #reference(kind: string): string {
    this.#requests += 1;
    return `${kind}-${this.#requests}`;
  }

  /** Tells the same until it is answered. */
  async #tell(request: AcquirerRequest): Promise<AcquirerAnswer> {
    const { clock, random } = this.#parts;
    for (;;) {
      const answer = await this.#ask(request);
      if (answer) return answer;
      const pauseMs = random.whole(AGAIN_MS.min, AGAIN_MS.max);
      await new Promise<void>((resolve) => clock.setTimer(pauseMs, () => resolve()));
    }
  }

  /** The answer; undefined where none came, or the process was killed meanwhile. */
  async #ask(request: AcquirerRequest): Promise<AcquirerAnswer | undefined> {
    const { clock, trace } = this.#parts;
    const { acquirer } = this.#machine;
    const { acquirerReference } = request;
    if (!acquirer) return undefined;
    const late = new Promise<undefined>((resolve) => clock.setTimer(PATIENCE_MS, () => resolve(undefined)));
    const sent = acquirer.send(request).catch((error: unknown) => {
      if (error instanceof AcquirerUnreachableError) return undefined;
      throw error;
    });
    const answer = await Promise.race([sent, late]);
    trace.add('link', `${acquirerReference} ${answer?.responseCode ?? 'no answer'}`);
    return answer;
  }
}
