import type { ChargebackKind, WantedChargeback } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { AcquirerHost } from '../parts/acquirer-host.js';
import { smallestStep } from '../sharing/settlement-terms.js';
import type { SharedRequest } from '../sharing/shared-request.js';
import type { RareSituation } from '../situations/rare-situations.js';

const PAUSE_MS = { min: 2_000, max: 12_000 } as const;
/** The request to the host is repeated after this time. */
const AGAIN_MS = 3_000;
const REASONS = ['10.4', '13.1', '4837', '4853'] as const;
/** Share of the chargebacks that the merchant wins back. */
const WON_SHARE = 0.4;

/** What an acquirer was to take back of a payment, or to give again, and whether it did. */
export interface MadeChargeback extends WantedChargeback {
  isDone?: boolean;
}

/** What cardholders are run with. */
interface CardholdersDeps extends TracedDeps {
  readonly host: AcquirerHost;
  /** Of the merchant whose payments are charged back. */
  readonly requests: () => readonly SharedRequest[];
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly saw: (situation: RareSituation) => void;
}

/** Cardholders who have money of a merchant taken back at its acquirer, all of a payment or a part; some of it the merchant wins back. */
export class Cardholders {
  readonly made: MadeChargeback[] = [];
  readonly #with: CardholdersDeps;
  #ended = false;
  #underWay = 0;

  constructor(deps: CardholdersDeps) {
    this.#with = deps;
  }

  /** Whether it is known of each what became of it. */
  get isQuiet(): boolean {
    return this.#ended && this.#underWay === 0;
  }

  begin(): void {
    void this.#work();
  }

  end(): void {
    this.#ended = true;
  }

  async #work(): Promise<void> {
    const { random } = this.#with;
    while (!this.#ended) {
      await this.#sleep(random.whole(PAUSE_MS.min, PAUSE_MS.max));
      if (this.#ended) return;
      this.#underWay += 1;
      void this.#chargeBack().finally(() => {
        this.#underWay -= 1;
      });
    }
  }

  async #chargeBack(): Promise<void> {
    const { random, requests, store, saw } = this.#with;
    const paid = requests().filter(
      ({ kind, outcome, paymentId }) =>
        (kind === 'payment' || kind === 'capture') && outcome === 'approved' && paymentId !== undefined,
    );
    if (paid.length === 0) return;
    const { paymentId = '', amount } = random.pick(paid);
    const acquirerReference = (await store.get('payments', [paymentId]))?.acquirerReference;
    if (acquirerReference === undefined || acquirerReference === null) return;
    const left = amount.minor - this.#takenOf(acquirerReference);
    if (left === 0) return;
    const step = smallestStep(amount.currency);
    const minor = random.chance(0.5) ? left : step * random.whole(1, left / step);
    const taken = await this.#make('chargeback', acquirerReference, { ...amount, minor });
    if (!taken.isDone) return;
    if ((await store.find('settlementRecords', 'payment', [paymentId])).length > 0)
      saw('chargeback of a settled payment');
    if (!random.chance(WON_SHARE)) return;
    await this.#sleep(random.whole(PAUSE_MS.min, 4 * PAUSE_MS.max));
    const won = await this.#make('chargeback-reversal', taken.reference, taken.amount);
    if (won.isDone) saw('chargeback given back');
  }

  /** What was taken back of a transaction, minor units: no issuer takes more of it, and the ledger only knows the sum of all captures. */
  #takenOf(acquirerReference: string): number {
    const wonBack = new Set(
      this.made.flatMap(({ kind, isDone, originalReference }) =>
        kind === 'chargeback-reversal' && isDone ? originalReference : [],
      ),
    );
    return this.made
      .filter(({ kind, isDone }) => kind === 'chargeback' && isDone !== false)
      .filter(({ originalReference }) => originalReference === acquirerReference)
      .reduce((sum, { reference, amount }) => sum + (wonBack.has(reference) ? 0 : amount.minor), 0);
  }

  /** The same again until the acquirer has answered. */
  async #make(
    kind: ChargebackKind,
    originalReference: string,
    amount: WantedChargeback['amount'],
  ): Promise<MadeChargeback> {
    const { random, trace } = this.#with;
    const reference = toHex(random.bytes(16)).toLowerCase();
    const made: MadeChargeback = { kind, reference, originalReference, amount, reason: random.pick(REASONS) };
    this.made.push(made);
    for (;;) {
      const isDone = await this.#send(made);
      if (isDone !== undefined) {
        made.isDone = isDone;
        trace.add(
          'cardholders',
          `${kind} of ${amount.minor} ${amount.currency} is ${isDone ? 'done' : 'refused'}`,
        );
        return made;
      }
      await this.#sleep(AGAIN_MS);
    }
  }

  /** @returns undefined where there was no answer */
  async #send({ isDone: _, ...wanted }: MadeChargeback): Promise<boolean | undefined> {
    const { process, chargebacks } = this.#with.host;
    if (!process || !chargebacks) return undefined;
    const gone = new Promise<undefined>((resolve) => {
      process.onDeath(() => resolve(undefined));
    });
    const answer = process.call('chargeback', () => chargebacks.chargeBack(wanted));
    return Promise.race([answer, gone]);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#with.clock.setTimer(ms, resolve);
    });
  }
}
