import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { CaptureOptions, SaleService } from '@tillbridge/agent/sale/service/sale-service.js';
import type { Recorder, SaleRecord, TillRequest } from '../checks/recorder.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import type { AgentMachine, TillCall } from '../parts/agent-machine.js';

/** What a till needs. */
interface TillDeps extends SimulationDeps {
  readonly name: string;
  readonly machine: AgentMachine;
  readonly recorder: Recorder;
}

/** Refusals that pass: the till repeats the request under the same reference. */
const PASSING: ReadonlySet<string> = new Set(['terminal-busy', 'journal-unavailable', 'closing']);
/** How often a till sends a request before it gives up. */
const MAX_TRIES = 12;

/** The store opens so long after its machine was switched on. */
const OPENING_MS = 3_000;

/** What the cashier reads when the issuer wants to be called. */
const REFERRAL = 'enter the approval code';

const TYPES = { sale: 70, preauthorization: 16, refund: 6 } as const;
const AFTER_SALE = { nothing: 60, reverse: 12, refund: 12, again: 10, otherAmount: 6 } as const;
const AFTER_PREAUTHORIZATION = { nothing: 12, capture: 70, reverse: 18 } as const;
/** Share of the tills that have a name. */
const NAMED_SHARE = 0.6;
/** Share of the captures whose till requests more than was authorized. */
const TOO_MUCH = 0.15;
const MEANWHILE = { nothing: 68, again: 12, twice: 6, cancel: 10, look: 4 } as const;

/** A capture of a preauthorization, or one of its parts. */
interface CapturePart {
  readonly minor: number;
  readonly options?: CaptureOptions;
  readonly isTooMuch: boolean;
}

/** A till with its cashier: sells, takes back, repeats requests, gives up; believes what it is shown. */
export class Till {
  readonly #with: TillDeps;
  /** A separate branch: its draws leave the rest of the simulation as it was. */
  readonly #greed: SeededRandom;
  /** Whether it requests under a name; otherwise it is the store itself. */
  readonly #isNamed: boolean;
  #number = 0;
  readonly #side: Promise<unknown>[] = [];

  constructor(deps: TillDeps) {
    this.#with = deps;
    this.#greed = deps.random.branch('greed');
    this.#isNamed = deps.random.branch('is named').chance(NAMED_SHARE);
  }

  /** Sells until `closes` is true. */
  async run(closes: () => boolean): Promise<void> {
    const { random } = this.#with;
    // Terminals load their tables first.
    await this.#sleep(OPENING_MS);
    while (!closes()) {
      await this.#sleep(random.whole(0, 2_500));
      await this.#sale();
    }
    await Promise.all(this.#side);
  }

  async #sale(): Promise<void> {
    const { random, machine } = this.#with;
    const minor = random.chance(0.06) ? random.whole(10_001, 40_000) : random.whole(100, 9_999);
    const terminalId = random.pick(machine.terminals).id;
    const request = this.#request({ type: random.weighted(TYPES), minor, terminalId });
    const record = this.#with.recorder.requested(request);
    this.#meanwhile(record);
    const answer = await this.#send(request);
    if (answer?.state !== 'done') return;
    if (answer.outcome === 'approved') await this.#follow(record);
    else if (answer.cashierText.includes(REFERRAL) && random.chance(0.8)) await this.#callIssuer(record);
  }

  #request(
    about: Pick<TillRequest, 'type' | 'minor' | 'terminalId'>,
    originalReference?: string,
  ): TillRequest {
    const { name, machine } = this.#with;
    this.#number += 1;
    const reference = `${name}-${this.#number}`;
    const { agentId } = machine;
    return {
      store: machine.name,
      agentId,
      reference,
      ...about,
      ...(this.#isNamed && { till: name }),
      ...(originalReference !== undefined && { originalReference }),
    };
  }

  /** Repeats the request until there is an answer, as a till does after an answer to try again. */
  async #send(request: TillRequest, tries = MAX_TRIES): Promise<SaleAnswer | undefined> {
    const { random, recorder } = this.#with;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const call = await this.#call(`request ${request.reference}`, (service) =>
        service.request(saleRequest(request)),
      );
      if (call.kind === 'answer') return call.value;
      if (call.kind === 'refused' && !PASSING.has(call.refusal.code)) {
        // What was sold without the gateway, or has been taken back since, cannot be refunded now.
        const expected = request.originalReference !== undefined && call.refusal.code === 'not-allowed';
        if (!expected) recorder.breach('till', `${request.reference} refused: ${call.refusal.message}`);
        return undefined;
      }
      await this.#sleep(random.whole(500, 6_000));
    }
    return undefined;
  }

  /** What happens during a sale: impatient cashiers, retries, a second till. */
  #meanwhile({ request }: SaleRecord): void {
    const { random } = this.#with;
    const { reference } = request;
    const later = (what: string, work: (service: SaleService) => Promise<SaleAnswer>): void => {
      const delayMs = random.chance(0.3) ? 0 : random.whole(0, 12_000);
      this.#side.push(this.#sleep(delayMs).then(() => this.#call(what, work)));
    };
    const again = (): void => later(`again ${reference}`, (service) => service.request(saleRequest(request)));
    const deeds: Readonly<Record<keyof typeof MEANWHILE, () => void>> = {
      again,
      twice: () => {
        again();
        again();
      },
      cancel: () => later(`cancel ${reference}`, (service) => service.cancel(reference)),
      look: () => later(`get ${reference}`, (service) => service.get(reference)),
      nothing: () => undefined,
    };
    deeds[random.weighted(MEANWHILE)]();
  }

  async #follow(record: SaleRecord): Promise<void> {
    const { random } = this.#with;
    const { request } = record;
    await this.#sleep(random.whole(0, 5_000));
    if (request.type === 'preauthorization') {
      await this.#followPreauthorization(record);
      return;
    }
    const deeds: Readonly<Record<keyof typeof AFTER_SALE, () => Promise<unknown>>> = {
      reverse: () => this.#reverse(record),
      refund: () => (request.type === 'sale' ? this.#refund(record) : this.#send(request, 2)),
      again: () => this.#send(request, 2),
      otherAmount: () => this.#otherAmount(record),
      nothing: async () => undefined,
    };
    await deeds[random.weighted(AFTER_SALE)]();
  }

  async #followPreauthorization(record: SaleRecord): Promise<void> {
    const { random } = this.#with;
    const what = random.weighted(AFTER_PREAUTHORIZATION);
    if (what === 'reverse') await this.#reverse(record);
    if (what !== 'capture') return;
    for (const part of this.#deps(record.request.minor)) await this.#capture(record, part);
  }

  /** A till that requests more than was authorized must get an error. */
  async #capture(record: SaleRecord, { minor, options, isTooMuch }: CapturePart): Promise<void> {
    const { random, recorder } = this.#with;
    const { reference } = record.request;
    if (!isTooMuch) record.captureRequestedMinor += minor;
    const amount = { minor, currency: 'EUR' };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const call = await this.#call(`capture ${reference}`, (service) =>
        service.capture(reference, amount, options),
      );
      if (call.kind === 'answer' && isTooMuch)
        recorder.breach('P2', `a capture of ${minor} was taken for ${reference}, more than was authorized`);
      if (call.kind === 'answer' || (isTooMuch && call.kind === 'refused')) return;
      await this.#sleep(random.whole(500, 6_000));
    }
  }

  /** All of it, less than all, or two parts with a name each; now and then more than there is. */
  #deps(minor: number): readonly CapturePart[] {
    const { random } = this.#with;
    const first = random.whole(1, minor);
    const isTooMuch = this.#greed.chance(TOO_MUCH);
    const more = isTooMuch ? this.#greed.whole(1, minor) : 0;
    if (random.chance(0.5)) return [{ minor: minor + more, isTooMuch }];
    if (random.chance(0.5) || first === minor) return [{ minor: first, isTooMuch: false }];
    // More than all of it: the first part may not have been taken.
    const last = { minor: isTooMuch ? minor + more : minor - first, isTooMuch };
    return [
      { minor: first, options: { captureReference: 'part-1' }, isTooMuch: false },
      { ...last, options: { captureReference: 'part-2', final: true } },
    ];
  }

  /** The issuer wants a call, and gives a code on the phone; some cashiers get none and make one up. */
  async #callIssuer(record: SaleRecord): Promise<void> {
    const { random } = this.#with;
    const { reference } = record.request;
    const code = random.chance(0.15) ? '000000' : String(random.whole(100_000, 999_999));
    await this.#sleep(random.whole(2_000, 20_000));
    record.codeEntered = true;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const call = await this.#call(`code ${reference}`, (service) =>
        service.approveByVoice(reference, code),
      );
      if (call.kind === 'answer') return;
      await this.#sleep(random.whole(500, 6_000));
    }
  }

  async #reverse(record: SaleRecord): Promise<void> {
    const { random } = this.#with;
    const { reference } = record.request;
    record.reversalRequested = true;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const call = await this.#call(`reverse ${reference}`, (service) => service.reverse(reference));
      if (call.kind === 'answer' && random.chance(0.8)) return;
      await this.#sleep(random.whole(500, 6_000));
    }
  }

  async #refund({ request }: SaleRecord): Promise<void> {
    const { random, recorder } = this.#with;
    const minor = random.chance(0.7) ? request.minor : random.whole(1, request.minor);
    const refund = this.#request(
      { type: 'refund', minor, terminalId: request.terminalId },
      request.reference,
    );
    recorder.requested(refund);
    await this.#send(refund);
  }

  /** A till that uses a reference again for something else must get an error. */
  async #otherAmount({ request }: SaleRecord): Promise<void> {
    const other = saleRequest({ ...request, minor: request.minor + 1 });
    const call = await this.#call(`other amount ${request.reference}`, (service) => service.request(other));
    if (call.kind === 'answer')
      this.#with.recorder.breach('P2', `${request.reference} was taken again with another amount`);
  }

  async #call(
    what: string,
    work: (service: SaleService) => Promise<SaleAnswer>,
  ): Promise<TillCall<SaleAnswer>> {
    const { machine, recorder } = this.#with;
    const call = await machine.call(what, work);
    if (call.kind === 'answer') recorder.shown(machine.name, call.value);
    return call;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#with.clock.setTimer(ms, resolve);
    });
  }
}

function saleRequest({ reference, type, minor, terminalId, till, originalReference }: TillRequest) {
  return {
    reference,
    ...(till !== undefined && { till }),
    type,
    amount: { minor, currency: 'EUR' },
    terminalId,
    ...(originalReference !== undefined && { originalReference }),
  };
}
