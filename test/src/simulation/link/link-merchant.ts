import {
  type AcquirerAnswer,
  type AcquirerMoneyRequest,
  type AcquirerRequest,
  AcquirerUnreachableError,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { Iso8583Acquirer } from '@tillbridge/gateway/core/acquirers/iso8583/iso8583-acquirer.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { LinkExchangeRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { LinkMutation } from '../mutations/link-mutations.js';
import { LateApprovalCheck } from './late-approval-check.js';
import { LinkHost } from './link-host.js';
import { LinkJudge, MERCHANT_NUMBER } from './link-judge.js';
import { LinkKeys } from './link-keys.js';
import { LinkMachine } from './link-machine.js';
import { NumberCheck } from './number-check.js';
import { ReversalCheck } from './reversal-check.js';

const PAUSE_MS = { min: 5_000, max: 60_000 } as const;
const SALES = 40;
const CARDS = [TEST_CARDS.visaCredit, TEST_CARDS.mastercardDebit, TEST_CARDS.visaBlocked] as const;
const AMOUNT_MINOR = { min: 100, max: 50_000 } as const;
const SHARES = {
  reversal: 0.15,
  hostCrash: 0.04,
  linkCrash: 0.08,
  dayEnd: 0.04,
  dayAnnounced: 0.5,
  authorization: 0.3,
  approvedByPhone: 0.15,
  terminal: 0.5,
  followUp: 0.4,
  givenUp: 0.3,
  part: 0.25,
} as const;
const MOST_EFFECTS = 12;
/** After how long no answer can come any more: a process that was killed gives none. */
const PATIENCE_MS = 45_000;
/** How long after that the same is sent again. */
const AGAIN_MS = { min: 1_000, max: 20_000 } as const;
/** Settlement days that end while the merchant sells: one too far from the calendar is believed of no host. */
const MOST_DAYS = 5;
/** How often the host looks whether its last day may end. */
const EVENING_MS = 5_000;
const MERCHANT = {
  merchantId: MERCHANT_NUMBER,
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Corner shop',
  city: 'Berlin',
  country: 'DE',
} as const;

/** What the merchant of a link is run with. */
interface LinkMerchantDeps extends TracedDeps {
  readonly mutation?: LinkMutation;
  /** Gateways with a link, on one database. */
  readonly nodes: 1 | 2;
  readonly breach: (text: string) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * A merchant whose payments go to an acquirer's host over ISO 8583, while host and link end, answers are lost, late and twice, keys are
 * exchanged and settlement days end. Sales and authorizations are requested, and reversed when their outcome is unknown; approvals by phone,
 * captures, refunds and reversals are repeated until they are answered.
 */
export class LinkMerchant {
  readonly #deps: LinkMerchantDeps;
  readonly #host: LinkHost;
  readonly #machines: readonly LinkMachine[];
  readonly #database: MemoryStore;
  readonly #judge: LinkJudge;
  readonly #choice: SeededRandom;
  /** A separate branch: its draws leave the rest of the simulation as it was. */
  readonly #parts: SeededRandom;
  /** Reported as approved, and not taken back. */
  readonly #approved = new Set<string>();
  /** Reversed because their outcome was unknown. */
  readonly #givenUp = new Set<string>();
  /** Approved, and reversed before anything followed. */
  readonly #takenBack = new Set<string>();
  #sales = 0;
  #requests = 0;
  #underWay = 0;
  #days = 0;
  #ended = false;
  /** Whether the host has ended its last day, and whether a link has received it. */
  #lastDay: 'runs' | 'over' | 'known' = 'runs';

  constructor(deps: LinkMerchantDeps) {
    const { clock, random, trace, mutation = {}, nodes, breach, onFault } = deps;
    this.#deps = deps;
    const host = new LinkHost({ clock, random: random.branch('host'), trace, breach, onFault });
    this.#host = host;
    const database = new MemoryStore();
    this.#database = database;
    this.#judge = new LinkJudge({ clock, random: random.branch('judge'), host, database, breach });
    this.#choice = random.branch('choice');
    this.#parts = random.branch('part approvals');
    const shared = {
      ...{ host, database, keys: new LinkKeys(clock) },
      numbers: new NumberCheck(breach),
      lateApprovals: new LateApprovalCheck(database, breach),
      reversals: new ReversalCheck({ host, database, breach }),
    };
    const names = ['link', 'link-2'].slice(0, nodes);
    this.#machines = names.map(
      (name, at) =>
        new LinkMachine({
          ...shared,
          ...{ name, clock, trace, mutation, breach, onFault },
          random: random.branch(name),
          isShared: nodes > 1,
          requestsKeys: at === 0,
        }),
    );
  }

  /** Whether all sales have begun. */
  get hasSold(): boolean {
    return this.#sales >= SALES;
  }

  /** Every exchange that the link has journaled. */
  exchanges(): Promise<readonly LinkExchangeRow[]> {
    return allRows(this.#database, 'linkExchanges');
  }

  /** Sells until the end. */
  begin(): void {
    for (const machine of this.#machines) machine.boot();
    this.#next();
  }

  /** Every fault ends; once all is quiet the host ends its day. */
  end(): void {
    this.#ended = true;
    this.#host.endFaults();
    for (const machine of this.#machines) machine.endFaults();
    this.#evening();
  }

  /** Whether every exchange has come to its end, and the totals of every settlement day are compared. */
  async isQuiet(): Promise<boolean> {
    if (this.#lastDay !== 'known' || !(await this.#isIdle())) return false;
    return (await this.#judge.isCompared()) && !(await this.#judge.hasTakenToday());
  }

  /** Compares what the link believes with what the host has taken, when all is quiet. */
  check(): Promise<void> {
    return this.#judge.check({
      approved: this.#approved,
      givenUp: this.#givenUp,
      takenBack: this.#takenBack,
    });
  }

  /** Imports the files of the host, and compares them as a gateway does. Takes time, but none of the simulation. */
  checkFiles(): Promise<void> {
    return this.#judge.checkFiles();
  }

  #evening(): void {
    const { clock, onFault } = this.#deps;
    clock.setTimer(EVENING_MS, () => {
      this.#endDay()
        .catch(onFault)
        .finally(() => this.#evening());
    });
  }

  /** The host ends its day once all is quiet, and another one where it has taken something since. It repeats the message until it is received. */
  async #endDay(): Promise<void> {
    if (!(await this.#isIdle())) return;
    if (this.#lastDay === 'runs' || (await this.#judge.hasTakenToday())) {
      this.#lastDay = 'over';
      await this.#host.cutOver();
    }
    if (this.#lastDay === 'over' && (await this.#host.announceDay())) this.#lastDay = 'known';
  }

  async #isIdle(): Promise<boolean> {
    const areUp = this.#machines.every(({ acquirer }) => acquirer !== undefined);
    return areUp && this.#underWay === 0 && (await this.#judge.isOver());
  }

  #next(): void {
    const { clock, random, onFault } = this.#deps;
    clock.setTimer(random.whole(PAUSE_MS.min, PAUSE_MS.max), () => {
      if (this.#ended || this.hasSold) return;
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
    const { random, onFault } = this.#deps;
    this.#host.strike();
    if (random.chance(SHARES.hostCrash)) this.#host.crash();
    for (const machine of this.#machines)
      if (random.chance(SHARES.linkCrash)) machine.crash(random.whole(1, MOST_EFFECTS));
    if (!random.chance(SHARES.dayEnd) || this.#days >= MOST_DAYS) return;
    this.#days += 1;
    const isAnnounced = random.chance(SHARES.dayAnnounced);
    this.#host
      .cutOver()
      .then(() => (isAnnounced ? this.#host.announceDay() : undefined))
      .catch(onFault);
  }

  async #sell(): Promise<void> {
    const { random } = this.#deps;
    const request = this.#sale();
    // What the issuer has approved by phone has happened.
    const answer =
      request.approvalCode === undefined
        ? await this.#sendOnce(request)
        : await this.#sendUntilAnswered(request);
    if (!answer?.approved) return;
    const { acquirerReference, amount, captureNow } = request;
    this.#approved.add(acquirerReference);
    const whole = { ...amount, minor: answer.approvedMinor ?? amount.minor };
    const isFollowed = random.chance(SHARES.followUp);
    if (isFollowed) await this.#follow(captureNow ? 'refund' : 'capture', acquirerReference, whole);
    if (!random.chance(SHARES.reversal)) return;
    await this.#reverse(acquirerReference);
    if (!isFollowed) this.#takenBack.add(acquirerReference);
  }

  #sale(): AcquirerMoneyRequest {
    const { random } = this.#deps;
    const usual = random.pick(CARDS);
    const isPart = this.#parts.chance(SHARES.part);
    const { pan } = isPart ? TEST_CARDS.visaPartial : usual;
    return {
      kind: 'authorization',
      ...(isPart && { partialAllowed: true }),
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
    const { random } = this.#deps;
    const amount = { ...whole, minor: random.whole(1, whole.minor) };
    const request = { kind, acquirerReference: this.#reference(kind), originalReference, amount } as const;
    const answer = random.chance(SHARES.givenUp)
      ? await this.#send(request)
      : await this.#sendUntilAnswered(request);
    if (answer?.approved) this.#approved.add(request.acquirerReference);
    else if (!answer) await this.#giveUp(request.acquirerReference);
  }

  /** Without an answer it is looked up, and reversed when it is not found, as a gateway does with what it has begun. */
  async #sendOnce(request: AcquirerRequest): Promise<AcquirerAnswer | undefined> {
    const answer = await this.#send(request);
    if (answer) return answer;
    const { acquirerReference } = request;
    const status = await this.#again(() => this.#call((acquirer) => acquirer.status(acquirerReference)));
    if (status.state === 'answered') return status.answer;
    await this.#giveUp(acquirerReference);
    return undefined;
  }

  async #giveUp(reference: string): Promise<void> {
    this.#givenUp.add(reference);
    await this.#reverse(reference);
  }

  async #reverse(originalReference: string): Promise<void> {
    // From here on it does not count, whether the wish arrives or not.
    this.#approved.delete(originalReference);
    await this.#sendUntilAnswered({
      kind: 'reversal',
      acquirerReference: this.#reference('reversal'),
      originalReference,
    });
  }

  #reference(kind: string): string {
    this.#requests += 1;
    return `${kind}-${this.#requests}`;
  }

  /** Repeats the request until it is answered. */
  #sendUntilAnswered(request: AcquirerRequest): Promise<AcquirerAnswer> {
    return this.#again(() => this.#send(request));
  }

  /** Does the same until it gives something. */
  async #again<T>(work: () => Promise<T | undefined>): Promise<T> {
    const { clock, random } = this.#deps;
    for (;;) {
      const found = await work();
      if (found !== undefined) return found;
      const pauseMs = random.whole(AGAIN_MS.min, AGAIN_MS.max);
      await new Promise<void>((resolve) => clock.setTimer(pauseMs, () => resolve()));
    }
  }

  /** The answer; undefined where none came. */
  async #send(request: AcquirerRequest): Promise<AcquirerAnswer | undefined> {
    const answer = await this.#call((acquirer) => acquirer.send(request));
    this.#deps.trace.add('link', `${request.acquirerReference} ${answer?.responseCode ?? 'no answer'}`);
    return answer;
  }

  /** What a link gives; undefined where it gives nothing, or its process was killed meanwhile. */
  #call<T>(work: (acquirer: Iso8583Acquirer) => Promise<T>): Promise<T | undefined> {
    const up = this.#machines.flatMap(({ acquirer }) => acquirer ?? []);
    if (up.length === 0) return Promise.resolve(undefined);
    const late = new Promise<undefined>((resolve) =>
      this.#deps.clock.setTimer(PATIENCE_MS, () => resolve(undefined)),
    );
    const given = work(up.length > 1 ? this.#choice.pick(up) : (up[0] as Iso8583Acquirer));
    const known = given.catch((error: unknown) => {
      if (error instanceof AcquirerUnreachableError) return undefined;
      throw error;
    });
    return Promise.race([known, late]);
  }
}
