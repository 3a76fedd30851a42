import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allRows } from '../../kernel/store/all-rows.js';
import { newId } from '../../kernel/store/new-id.js';
import { CallOrder, OrderedStore, orderOf } from '../../kernel/store/testing/call-order.test.support.js';
import { entityRow } from '../entities/entities.js';
import { openRegistration } from '../payments/cards/registered.js';
import { NOW_MS, openPaymentHarness, type PaymentHarness } from '../payments/payment-harness.test.support.js';
import { REGISTRATION_CODES } from '../payments/registrations/registration.js';
import { AgreementInUseError, APPROVED_CODES, Registrations } from './registrations.js';

const CARDS = ['4200000000000000', '4111111111111111'] as const;
const YEARS = ['2031', '2032'] as const;
const HOLDERS = ['Jane', 'Joan', undefined] as const;
const CUSTOMERS = ['c-1', 'c-2', undefined] as const;
const REFERENCES = ['N-1', 'N-2', undefined, undefined] as const;

/** Two merchants with a channel each, by their places. */
const ENTITIES = [0, 1, 2, 3] as const;
const merchantAt = (entity: number): 0 | 2 => (entity < 2 ? 0 : 2);

/** Most is about few details: there requests meet. */
const CREATE = fc.record({
  entity: fc.constantFrom(0, 0, 1, ...ENTITIES),
  pan: fc.constantFrom(...CARDS),
  year: fc.constantFrom(YEARS[0], YEARS[0], ...YEARS),
  holder: fc.constantFrom(HOLDERS[0], HOLDERS[0], ...HOLDERS),
  customer: fc.constantFrom(CUSTOMERS[0], CUSTOMERS[0], ...CUSTOMERS),
  migrated: fc.constantFrom(...REFERENCES),
});
type Create = typeof CREATE extends fc.Arbitrary<infer T> ? T : never;

const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      at: fc.array(CREATE, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('remove' as const), of: fc.nat(), again: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      of: fc.nat(),
      year: fc.constantFrom(...YEARS),
      holder: fc.constantFrom('Jane', 'Joan'),
    }),
  },
);

/** Who has what, in plain maps. */
class Reference {
  /** Details by the ids of registrations that are there. */
  readonly there = new Map<string, Omit<Create, 'entity' | 'migrated'> & { readonly merchant: 0 | 2 }>();
  /** Which registration the same details of the same customer get. */
  readonly holders = new Map<string, string>();
  /** Cards of migrated agreements, by merchant and reference. */
  readonly agreements = new Map<string, string>();
}

function keyOf({
  merchant,
  pan,
  year,
  holder,
  customer,
}: { merchant: number } & Omit<Create, 'entity' | 'migrated'>) {
  return JSON.stringify([merchant, pan, year, holder ?? '', customer ?? null]);
}

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await openPaymentHarness();
});
afterAll(() => harness.dispose());

class History {
  readonly reference = new Reference();
  readonly #ids: readonly string[];
  readonly #order: CallOrder;

  private constructor(ids: readonly string[], order: CallOrder) {
    this.#ids = ids;
    this.#order = order;
  }

  static async begin(numbers: readonly number[]): Promise<History> {
    const ids = ENTITIES.map(() => newId(harness.context.random));
    await harness.store.commit(
      ids.map((id, at) => ({
        op: 'insert',
        table: 'entities',
        row: entityRow(id, 'an entity', at % 2 === 0 ? null : (ids[merchantAt(at)] ?? null), NOW_MS),
      })),
    );
    return new History(ids, new CallOrder(orderOf(numbers)));
  }

  /** At one of several processes. */
  registrations(): Registrations {
    return new Registrations({
      ...harness.context,
      store: new OrderedStore(harness.store, this.#order),
      events: harness.events,
      buildNumber: 'test',
      approvedCode: APPROVED_CODES.test,
    });
  }

  async create(wanted: readonly Create[]): Promise<void> {
    const results = await this.#order.run(
      wanted.map(
        (each) => () =>
          this.#create(each).then(
            (id) => ({ id }),
            (error: unknown) => {
              expect(error).toBeInstanceOf(AgreementInUseError);
              return { id: undefined };
            },
          ),
      ),
    );
    const { there, holders, agreements } = this.reference;
    const before = new Set(there.keys());
    for (const [at, each] of wanted.entries()) {
      const id = results[at]?.id;
      if (id === undefined) continue;
      const about = { ...each, merchant: merchantAt(each.entity) };
      const key = keyOf(about);
      const known = holders.get(key);
      if (known === undefined)
        expect(there.has(id), 'the registration of other details, or of another customer').toBe(false);
      else expect(id, 'the same details twice').toBe(known);
      holders.set(key, id);
      if (!before.has(id)) there.set(id, about);
      if (each.migrated === undefined) continue;
      const agreement = JSON.stringify([about.merchant, each.migrated]);
      expect(agreements.get(agreement) ?? each.pan, 'an agreement of another card').toBe(each.pan);
      agreements.set(agreement, each.pan);
    }
    for (const [at, { entity, migrated, pan }] of wanted.entries()) {
      if (results[at]?.id !== undefined) continue;
      const owner = agreements.get(JSON.stringify([merchantAt(entity), migrated]));
      expect(owner !== undefined && owner !== pan, 'a refusal without another card').toBe(true);
    }
  }

  async #create({ entity, pan, year, holder, customer, migrated }: Create): Promise<string> {
    const row = await this.registrations().create(
      {
        entityId: this.#ids[entity] ?? '',
        details: {
          kind: 'card',
          pan,
          expiryYear: year,
          expiryMonth: '12',
          ...(holder !== undefined && { holder }),
        },
        brand: 'VISA',
        echo: customer === undefined ? {} : { customer: { merchantCustomerId: customer } },
        customerId: customer,
      },
      migrated === undefined ? undefined : { references: [migrated], type: null },
    );
    return row.id;
  }

  /** Removes a registration; the same details are stored again as another one. */
  async remove(of: number, again: boolean): Promise<void> {
    const id = this.#pick(of);
    const about = id === undefined ? undefined : this.reference.there.get(id);
    if (id === undefined || !about) return;
    expect(await this.registrations().remove({ id } as never)).toBeUndefined();
    this.#release(id);
    this.reference.there.delete(id);
    if (!again) return;
    await this.create([{ ...about, entity: about.merchant, migrated: undefined }]);
    expect([...this.reference.there.keys()], 'a removed registration is there again').not.toContain(id);
  }

  async change(of: number, change: { readonly year: string; readonly holder: string }): Promise<void> {
    const id = this.#pick(of);
    const row = id === undefined ? undefined : await harness.store.get('registrations', [id]);
    const about = id === undefined ? undefined : this.reference.there.get(id);
    if (id === undefined || !row || !about) return;
    const { year, holder } = change;
    await this.registrations().change(row, { expiryYear: year, holder });
    this.#release(id);
    const changed = { ...about, year: year as Create['year'], holder: holder as Create['holder'] };
    this.reference.there.set(id, changed);
    // One that had the same details before keeps them.
    const key = keyOf(changed);
    if (!this.reference.holders.has(key)) this.reference.holders.set(key, id);
  }

  /** Each merchant finds its own registrations, with their details, and no other. */
  async check(): Promise<void> {
    for (const [id, { merchant, pan, year, holder }] of this.reference.there)
      for (const entity of ENTITIES) {
        const opened = await openRegistration(harness.context, id, this.#ids[entity] ?? '');
        if (merchantAt(entity) !== merchant) expect(opened).toBe(REGISTRATION_CODES.unknown);
        else
          expect(opened).toMatchObject({
            details: { pan, expiryYear: year, ...(holder !== undefined && { holder }) },
          });
      }
    const rows = await allRows(harness.store, 'registrations');
    for (const merchant of [0, 2]) {
      const own = rows.filter(
        ({ merchantId, state }) => merchantId === this.#ids[merchant] && state === 'active',
      );
      const wanted = [...this.reference.there].filter(([, each]) => each.merchant === merchant);
      expect(new Set(own.map(({ id }) => id))).toEqual(new Set(wanted.map(([id]) => id)));
    }
    for (const [name, pan] of this.reference.agreements) {
      const [merchant, reference] = JSON.parse(name) as [number, string];
      const stored = await harness.store.get('agreements', [this.#ids[merchant] ?? '', reference]);
      expect(stored).toMatchObject({ state: 'made', card: harness.context.fingerprint('card', pan) });
    }
  }

  #pick(of: number): string | undefined {
    const ids = [...this.reference.there.keys()];
    return ids[of % Math.max(1, ids.length)];
  }

  #release(id: string): void {
    for (const [key, holder] of this.reference.holders) if (holder === id) this.reference.holders.delete(key);
  }
}

it('are one for each owner, customer and details, and agreements one card’s, whatever comes at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }),
      async (steps, numbers) => {
        const history = await History.begin(numbers);
        for (const step of steps) {
          if (step.do === 'create') await history.create(step.at);
          else if (step.do === 'remove') await history.remove(step.of, step.again);
          else await history.change(step.of, step);
          await history.check();
        }
      },
    ),
    propertyRuns(30),
  );
});
