import { MemoryJournal } from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { DEFAULT_POLICY } from '@tillbridge/agent/sale/machine/state/policy.js';
import { SaleRunner } from '@tillbridge/agent/sale/runner.js';
import type { SaleService } from '@tillbridge/agent/sale/service/sale-service.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { expect } from 'vitest';
import type { IssuerHost } from './issuer-host.js';
import { IssuerLine } from './issuer-line.js';
import type { Maker } from './maker.js';
import type { CardholderScript } from './scripted-cardholder.js';
import { Signal } from './signal.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

const TERMINAL_ID = '11';
/** A chip's command takes this long: a till can act between two of them. */
const COMMAND_MS = { memory: 20, real: 1 } as const;
const SALE_MINOR = 1_234;

/** A till, the real sale machine and the real driver, with a simulated terminal before them and an issuer behind. */
export class Shop {
  readonly harness: TerminalHarness;
  readonly line: IssuerLine;
  /** The end of a sale is on disk and reported to tills. */
  readonly saleDone = new Signal();
  readonly #runner: SaleRunner;
  readonly #problems: unknown[];
  #sales = 0;

  private constructor(harness: TerminalHarness, line: IssuerLine, runner: SaleRunner, problems: unknown[]) {
    this.harness = harness;
    this.line = line;
    this.#runner = runner;
    this.#problems = problems;
    runner.service.onEvent((event) => {
      if (event.type === 'sale' && event.sale.state === 'done') this.saleDone.emit();
    });
  }

  /** Opens a shop with one terminal, ready to sell. */
  static async open(
    maker: Maker,
    host: IssuerHost,
    { wire, transport }: { readonly wire: 'memory' | 'real'; readonly transport: Transport },
  ): Promise<Shop> {
    const harness = await openTerminalHarness(maker, { wire, transport, cardCommandMs: COMMAND_MS[wire] });
    const line = new IssuerLine(host);
    const problems: unknown[] = [];
    const { deviceType } = maker;
    const runner = new SaleRunner({
      journal: new MemoryJournal(),
      clock: harness.clock,
      random: seededRandom(2),
      policy: DEFAULT_POLICY,
      terminals: [
        { profile: { id: TERMINAL_ID, deviceType, pinEntryAvailable: true }, driver: harness.driver },
      ],
      onFault: (error) => problems.push(error),
    });
    await runner.start(line);
    line.pull(runner.queue);
    return new Shop(harness, line, runner, problems);
  }

  get service(): SaleService {
    return this.#runner.service;
  }

  /** A reference that no sale has yet. */
  newReference(): string {
    this.#sales += 1;
    return `R-${this.#sales}`;
  }

  /** A till requests a sale and waits for its end. */
  sell(reference: string, minor = SALE_MINOR): Promise<SaleAnswer> {
    return this.service.request({ reference, type: 'sale', amount: { minor, currency: 'EUR' } });
  }

  /** The sale as it stands when nothing of it waits any more. */
  async finalAnswer(reference: string): Promise<SaleAnswer> {
    const { pass } = this.harness;
    await pass(this.line.drained());
    return pass(this.service.get(reference));
  }

  /** The till's answer agrees with the acquirer: one approval stands for an approved sale, none for any other. */
  expectTrue({ reference, outcome, state }: SaleAnswer): void {
    expect(state).toBe('done');
    expect(this.line.ledger.standing(reference), `money behind a sale that is ${outcome}`).toHaveLength(
      outcome === 'approved' ? 1 : 0,
    );
  }

  /** A plain sale, to show that nothing is left of what went before. */
  async sellAgain(): Promise<void> {
    this.line.decision = 'approve';
    const script: CardholderScript = { cards: [{ card: 'visa-credit-online' }] };
    this.harness.cardholder.follow(script);
    const answer = await this.harness.pass(this.sell(this.newReference()));
    expect(answer, JSON.stringify(answer.timeline)).toMatchObject({ state: 'done', outcome: 'approved' });
    this.expectTrue(answer);
    await this.harness.until('ready');
    this.expectIdle();
  }

  /** The terminal comes back from a repair: its driver reads its model and its keys again. */
  async replug(): Promise<void> {
    const { plug, until } = this.harness;
    await plug.unplug();
    await until('disconnected');
    await plug.plug();
    await until('ready');
  }

  /** The terminal rests: it wants nothing of anybody. */
  expectIdle(): void {
    const { ui } = this.harness.device;
    expect({ state: ui.state, want: ui.want, card: ui.inserted?.definition.name }).toEqual({
      state: 'idle',
      want: 'nothing',
      card: undefined,
    });
  }

  /** Nothing went wrong on the side that no till sees. */
  expectNoSurprise(): void {
    expect([...this.#problems, ...this.line.problems, ...this.harness.surprises]).toEqual([]);
  }

  /** Closes the shop. */
  async close(): Promise<void> {
    await this.#runner.close();
    await this.harness.close();
  }
}
