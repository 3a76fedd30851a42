import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { SaleHold } from '../journal/journal-watch.js';
import {
  type MemoryDisk,
  MemoryJournal,
  newMemoryDisk,
} from '../journal/testing/memory-journal.test.support.js';
import type { StorePolicySource } from '../uplink/store-policy-keeper.js';
import type { UplinkState } from '../uplink/uplink.js';
import { Ledger } from './ledger.test.support.js';
import type { SalePolicy } from './machine/state/policy.js';
import type { StoreConfig } from './receipts/store.js';
import { SaleRunner } from './runner.js';
import { AT, FINGERPRINT_KEY, OFFLINE_POLICY, SeededRandom } from './sale.test.support.js';
import { ScriptedDriver } from './scripted-driver.test.support.js';
import type { SaleRequest } from './service/sale-service.js';
import { Wire } from './wire.test.support.js';
export const TERMINALS = ['11', '22'] as const;

/** What a test may change. */
export interface HarnessOptions {
  readonly seed?: number;
  readonly policy?: SalePolicy;
  readonly terminals?: readonly string[];
  readonly storePolicy?: () => StorePolicySource;
  readonly store?: StoreConfig;
}

/** An agent on a memory disk and a virtual clock, with its gateway. It can be killed and booted again. */
export class SaleHarness {
  readonly clock: VirtualClock = new VirtualClock(AT);
  readonly ledger = new Ledger();
  readonly disk: MemoryDisk = newMemoryDisk();
  readonly random: SeededRandom;
  readonly policy: SalePolicy;
  readonly faults: unknown[] = [];
  /** What the journal's standing keeps away. */
  hold: SaleHold = { hold: 'none', text: '' };
  fingerprintKey: Uint8Array = FINGERPRINT_KEY;
  /** Gives every start of the agent the policy of its store; without it only the configuration applies. */
  readonly storePolicy: (() => StorePolicySource) | undefined;
  drivers = new Map<string, ScriptedDriver>();
  journal = new MemoryJournal(this.disk);
  wire: Wire;
  runner: SaleRunner;
  readonly #terminals: readonly string[];
  readonly #store: StoreConfig | undefined;

  constructor({
    seed = 1,
    policy = OFFLINE_POLICY,
    terminals = ['11'],
    storePolicy,
    store,
  }: HarnessOptions = {}) {
    this.#store = store;
    this.random = new SeededRandom(seed);
    this.policy = policy;
    this.storePolicy = storePolicy;
    this.#terminals = terminals;
    this.wire = this.#newWire();
    this.runner = this.#newRunner();
  }

  get service() {
    return this.runner.service;
  }

  driver(id = '11'): ScriptedDriver {
    const driver = this.drivers.get(id);
    if (!driver) throw new Error(`no terminal ${id}`);
    return driver;
  }

  async boot(link: UplinkState = 'up'): Promise<this> {
    await this.runner.start(this.wire);
    this.wire.pull(this.runner.queue);
    this.wire.set(link);
    return this;
  }

  /** `kill -9`, then a new process on the same disk. */
  async crash(link: UplinkState = 'up'): Promise<void> {
    this.wire.kill();
    await this.journal.close();
    this.journal = new MemoryJournal(this.disk);
    this.wire = this.#newWire();
    this.runner = this.#newRunner();
    await this.boot(link);
  }

  /** A till's call, with time going on while it runs. */
  async sell(request: Partial<SaleRequest> & { readonly reference: string }, forMs = 120_000) {
    const { amount = { minor: 1_234, currency: 'EUR' }, type = 'sale', ...rest } = request;
    const call = this.service.request({ amount, type, ...rest });
    return this.during(call, forMs);
  }

  /** Lets time go on until the promise settles. */
  async during<T>(call: Promise<T>, forMs = 120_000): Promise<T> {
    const over = { settled: false };
    const mark = () => {
      over.settled = true;
    };
    call.then(mark, mark);
    for (let spent = 0; spent < forMs; spent += 50) {
      await this.clock.advance(0);
      if (over.settled) break;
      await this.clock.advance(50);
    }
    if (!over.settled) throw new Error(`not settled within ${forMs} ms`);
    return call;
  }

  kinds(reference: string): string[] {
    return this.disk.rows.filter((row) => row.reference === reference).map((row) => row.kind);
  }

  #newWire(): Wire {
    return new Wire(this.ledger, this.clock, (envelope) => {
      if (envelope.kind !== 'authorizationRequest') return;
      const onDisk = this.disk.rows.some(
        (row) => row.kind === 'authorizing' && row.messageId === envelope.id,
      );
      if (!onDisk) this.faults.push(`request ${envelope.id} left before its id was on disk`);
    });
  }

  #newRunner(): SaleRunner {
    this.drivers = new Map(this.#terminals.map((id) => [id, new ScriptedDriver()]));
    return new SaleRunner({
      journal: this.journal,
      clock: this.clock,
      random: this.random,
      policy: this.policy,
      ...(this.#store && { store: this.#store }),
      ...(this.storePolicy && { storePolicy: this.storePolicy() }),
      fingerprintKey: this.fingerprintKey,
      terminals: [...this.drivers].map(([id, driver]) => ({
        profile: { id, deviceType: 'GERTEC_PPC930', deviceId: '123', pinEntryAvailable: true },
        driver,
      })),
      saleHold: () => this.hold,
      onFault: (error) => this.faults.push(error),
    });
  }
}
