import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allRows } from '../../kernel/store/all-rows.js';
import type { Acquirer } from '../acquirers/acquirer.js';
import { APPROVED_CODES, Registrations } from '../registrations/registrations.js';
import { NODE_SETUPS, type NodesHarness, openNodes } from './nodes-harness.test.support.js';
import { ENTITY, restPayment } from './payment-harness.test.support.js';
import type { PaymentRequest, PaymentResult } from './rules/requests.js';
import { verificationResultsOf } from './rules/verification-results.js';
import { GatewayPaymentService } from './service.js';

const OTHER_CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' };
const AGREEMENT = 'contract-1';

describe.each(NODE_SETUPS)('requests at once: %s', (setup) => {
  let gateway: NodesHarness;
  beforeEach(async () => {
    gateway = await openNodes(setup);
  });
  afterEach(() => gateway.dispose());

  /** Each request at the next node. */
  const payAll = (requests: readonly PaymentRequest[]): Promise<readonly PaymentResult[]> =>
    Promise.all(requests.map((request, at) => nodeAt(at).service.authorize(request)));
  const nodeAt = (at: number) => {
    const node = gateway.nodes[at % gateway.nodes.length];
    if (!node) throw new Error('there is no node');
    return node;
  };
  const initial = (more: Partial<PaymentRequest> = {}): PaymentRequest =>
    restPayment({ standing: { mode: 'INITIAL', source: 'CIT', agreementId: AGREEMENT }, ...more });
  const payments = () => allRows(nodeAt(0).store, 'payments');
  const approvedCards = async () =>
    new Set(
      (await payments()).filter(({ state }) => state !== 'declined').map(({ last4Digits }) => last4Digits),
    );
  const activeRegistrations = async () =>
    (await allRows(nodeAt(0).store, 'registrations')).filter(({ state }) => state === 'active');

  it.each([16, 64])('answers each of %i first payments of one agreement with its outcome', async (count) => {
    const results = await payAll(Array.from({ length: count }, () => initial()));
    expect(results.map(({ disposition }) => disposition)).toEqual(Array(count).fill('approved'));
    expect(await payments()).toHaveLength(count);
    expect(await nodeAt(0).store.get('agreements', [ENTITY, AGREEMENT])).toMatchObject({ state: 'made' });
  });

  it('gives an agreement that two cards begin at once to one of them, and sends the other to no issuer', async () => {
    const requests = Array.from({ length: 16 }, (_, at) => initial(at % 2 === 0 ? {} : { card: OTHER_CARD }));
    const results = await payAll(requests);
    const refused = results.filter(({ disposition }) => disposition === 'refused');
    expect(refused).toHaveLength(8);
    expect((await approvedCards()).size).toBe(1);
    for (const payment of (await payments()).filter(({ state }) => state === 'declined')) {
      expect(payment.resultCode).toBe('600.200.501');
      expect(verificationResultsOf(payment).extendedDescription).toContain('standingInstruction.agreementId');
    }
  });

  it('answers first payments of cards to which the network gives one transaction id', async () => {
    const sameId = (acquirer: Acquirer): Acquirer => ({
      name: acquirer.name,
      status: (reference) => acquirer.status(reference),
      send: async (request) => {
        const answer = await acquirer.send(request);
        return answer.pending ? answer : { ...answer, networkTransactionId: '123456789012345' };
      },
    });
    const services = gateway.nodes.map(
      ({ context }) => new GatewayPaymentService({ ...context, acquirer: sameId(context.acquirer) }),
    );
    const request = restPayment({ standing: { mode: 'INITIAL', source: 'CIT' } });
    const results = await Promise.all(
      Array.from({ length: 32 }, (_, at) => services[at % services.length]?.authorize(request)),
    );
    expect(results.map((result) => result?.disposition)).toEqual(Array(32).fill('approved'));
    await Promise.all(services.map((service) => service.stop()));
  });

  it.each([16, 64])('makes one registration of the details of %i payments', async (count) => {
    await payAll(Array.from({ length: count }, () => restPayment({ createRegistration: true })));
    const [registration, ...others] = await activeRegistrations();
    expect(others).toEqual([]);
    expect(await allRows(nodeAt(0).store, 'registrations')).toHaveLength(1);
    const named = (await payments()).map((payment) => verificationResultsOf(payment).registrationId);
    expect(named).toEqual(Array(count).fill(registration?.id));
  });

  describe('registrations', () => {
    const service = (at: number): Registrations =>
      new Registrations({
        ...nodeAt(at).context,
        events: gateway.harness.events,
        buildNumber: 'test',
        approvedCode: APPROVED_CODES.test,
      });
    const made = (pan = '4200000000000000') => ({
      entityId: ENTITY,
      details: { kind: 'card', pan, expiryYear: '2031', expiryMonth: '12', holder: 'Jane' } as const,
      brand: 'VISA',
      echo: {},
      customerId: undefined,
    });
    const create = (at: number, pan?: string, migrated?: string) =>
      service(at).create(
        made(pan),
        migrated === undefined ? undefined : { references: [migrated], type: null },
      );

    it.each([16, 64])('keeps the same details once that %i requests bring', async (count) => {
      const rows = await Promise.all(Array.from({ length: count }, (_, at) => create(at)));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
      expect(await activeRegistrations()).toHaveLength(1);
    });

    it.each([16, 64])('migrates the same agreement once that %i requests bring', async (count) => {
      const rows = await Promise.all(Array.from({ length: count }, (_, at) => create(at, undefined, 'N-1')));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    });

    it('migrates an agreement to one card alone', async () => {
      const rows = await Promise.allSettled(
        Array.from({ length: 16 }, (_, at) =>
          create(at, at % 2 === 0 ? undefined : '4111111111111111', 'N-1'),
        ),
      );
      const [first] = await activeRegistrations();
      expect(await activeRegistrations()).toHaveLength(1);
      const ended = rows.map((row) => (row.status === 'fulfilled' ? row.value.id : row.reason.name));
      expect(new Set(ended)).toEqual(new Set([first?.id, 'AgreementInUseError']));
    });

    it('changes and removes one registration at once without a fault', async () => {
      const { id } = await create(0);
      const row = async () => (await nodeAt(0).store.get('registrations', [id])) ?? Promise.reject();
      const known = await row();
      await Promise.all(
        Array.from({ length: 32 }, (_, at) =>
          at % 2 === 0 ? service(at).change(known, { holder: `Jane ${at}` }) : service(at).remove(known),
        ),
      );
      expect(await row()).toMatchObject({ state: 'removed', activeFingerprint: null });
    });

    it('stores details again that were removed', async () => {
      const first = await create(0);
      await service(0).remove(first);
      expect((await create(0)).id).not.toBe(first.id);
    });
  });
});
