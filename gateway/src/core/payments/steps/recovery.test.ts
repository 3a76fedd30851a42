import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { type Change, CommitConflict, StoreUnavailableError } from '../../../kernel/store/store.js';
import { type Acquirer, type AcquirerRequest, AcquirerUnreachableError } from '../../acquirers/acquirer.js';
import {
  AGENT,
  ENGINES,
  ENTITY,
  FailingStore,
  followUp,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  tillReversal,
  tillSale,
} from '../payment-harness.test.support.js';
import { RESOLVER_LIMITS } from '../resolver.js';
import { StaleSessionError } from '../rules/requests.js';
import { GatewayPaymentService } from '../service.js';

describe.each(ENGINES)('on the %s store', (engine) => {
  let disk: FailingStore;
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(async (home) => {
      disk = new FailingStore(await storeOf(engine)(home));
      return disk;
    });
  });
  afterEach(() => harness.dispose());

  const finishing = (changes: readonly Change[]): boolean =>
    changes.some((change) => change.op === 'update' && change.table === 'intents');
  const openIntents = async () => (await harness.store.find('intents', 'state', ['open'])).length;

  describe('a lost answer', () => {
    it('is requested again by the status, and the payment stands', async () => {
      harness.line.fault = 'answer-lost';
      const result = await harness.service.authorize(restPayment());
      expect(result.disposition).toBe('approved');
      expect(await harness.transactions()).toHaveLength(1);
    });

    it('of a request that never arrived ends as failed, and the request is refused should it still come', async () => {
      harness.line.fault = 'request-lost';
      const result = await harness.service.authorize(tillSale('m1', 'R-1'));
      expect(result).toMatchObject({ disposition: 'declined', resultCode: '900.100.301' });
      const [lost] = harness.line.sent;
      if (!lost) throw new Error('nothing was sent');
      expect((await harness.line.send(lost)).approved).toBe(false);
      expect((await harness.service.authorize(tillSale('m2', 'R-1'))).disposition).toBe('approved');
    });

    it('of a reversal that undid the request when it came after all is not taken for an approval', async () => {
      const { line } = harness;
      let late: AcquirerRequest | undefined;
      const acquirer: Acquirer = {
        name: line.name,
        status: (reference) => line.status(reference),
        send: async (request) => {
          if (request.kind === 'authorization') late = request;
          if (request.kind === 'reversal' && late) {
            await line.send(late);
            await line.send(request);
            late = undefined;
          } else if (request.kind === 'reversal') return line.send(request);
          throw new AcquirerUnreachableError('no answer in time');
        },
      };
      const service = new GatewayPaymentService({ ...harness.context, acquirer });
      const error = await service.authorize(restPayment()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TryLaterError);
      expect(await harness.transactions()).toMatchObject([
        { kind: 'authorization', approved: true, reversed: true },
        { kind: 'reversal', approved: true },
      ]);
      expect(await service.resolveOpen()).toBe(0);
      const payment = await service.find((error as TryLaterError).paymentId ?? '', ENTITY);
      expect(payment).toMatchObject({ state: 'declined', resultCode: '900.100.301' });
    });

    it('of an approval in part that the fencing reversal met is reversed as the part', async () => {
      const { line } = harness;
      const acquirer: Acquirer = {
        name: line.name,
        // Requested too early: the request is still on its way.
        status: async () => ({ state: 'unknown' }),
        send: async (request) => {
          const answer = await line.send(request);
          if (request.kind === 'authorization') throw new AcquirerUnreachableError('no answer in time');
          return answer;
        },
      };
      const service = new GatewayPaymentService({ ...harness.context, acquirer });
      const card = { number: TEST_CARDS.visaPartial.pan, expiryMonth: '12', expiryYear: '2031' };
      const result = await service.authorize(tillSale('m1', 'R-1', { card, partialAllowed: true }));
      expect(result).toMatchObject({ disposition: 'declined', resultCode: '900.100.301' });
      expect(await openIntents()).toBe(0);
      expect(await harness.transactions()).toMatchObject([
        { kind: 'authorization', approved: true, reversed: true, amount: '6.17' },
        { kind: 'reversal', approved: true, amount: '6.17' },
      ]);
    });

    it.each(['request-lost', 'answer-lost'] as const)(
      'of a refund (%s) is reversed by the till’s reversal',
      async (fault) => {
        const policy = JSON.stringify({ version: 1, unlinkedRefunds: true });
        const row = { entityId: ENTITY, policy, updatedAtMs: 1, version: 1 };
        await harness.store.commit([{ op: 'insert', table: 'storePolicies', row }]);
        harness.line.fault = fault;
        await harness.service.authorize(tillSale('m1', 'R-1', { type: 'CD' }));
        expect((await harness.service.followUp(tillReversal('m2', 'm1'))).disposition).toMatch(/revers/);
        const credits = (await harness.transactions()).filter(({ kind }) => kind === 'credit');
        expect(credits.every(({ reversed, approved }) => reversed || !approved)).toBe(true);
      },
    );

    it('leaves the payment pending while the acquirer is silent, and is resolved when it speaks again', async () => {
      harness.line.cut = true;
      const error = await harness.service.authorize(restPayment()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TryLaterError);
      const id = (error as TryLaterError).paymentId ?? '';
      expect((await harness.service.find(id, ENTITY))?.state).toBe('pending');
      expect((await harness.service.followUp(followUp('RV', id))).resultCode).toBe('700.400.570');
      expect(await harness.service.resolveOpen()).toBe(1);
      harness.line.cut = false;
      expect(await harness.service.resolveOpen()).toBe(0);
      expect((await harness.service.find(id, ENTITY))?.resultCode).toBe('900.100.301');
    });

    it('stays open when the acquirer refuses the reversal that should keep the request out', async () => {
      harness.line.cut = true;
      const error = await harness.service.authorize(restPayment()).catch((reason: unknown) => reason);
      const id = (error as TryLaterError).paymentId ?? '';
      harness.line.cut = false;
      const send = harness.line.send.bind(harness.line);
      harness.line.send = async () => ({ approved: false, responseCode: '96', resultCode: '800.100.190' });
      expect(await harness.service.resolveOpen()).toBe(1);
      expect((await harness.service.find(id, ENTITY))?.state).toBe('pending');
      harness.line.send = send;
      expect(await harness.service.resolveOpen()).toBe(0);
      expect((await harness.service.find(id, ENTITY))?.resultCode).toBe('900.100.301');
    });

    it('is resolved however many others cannot be resolved yet', async () => {
      harness.line.cut = true;
      await expect(
        harness.service.authorize(
          tillSale('m1', 'R-1', { offline: { kind: 'deferred', decidedAtMs: NOW_MS } }),
        ),
      ).rejects.toBeInstanceOf(TryLaterError);
      const [waiting] = await harness.store.find('intents', 'state', ['open']);
      if (!waiting) throw new Error('nothing waits');
      const others = Array.from({ length: RESOLVER_LIMITS.batch }, (_, at) => {
        const id = String(at).padStart(32, '0');
        const row = { ...waiting, id, paymentId: id, agentId: null, messageId: null, version: 1 };
        return { op: 'insert', table: 'intents', row } as const;
      });
      await harness.store.commit(others);
      const error = await harness.service.authorize(restPayment()).catch((reason: unknown) => reason);
      const id = (error as TryLaterError).paymentId ?? '';
      harness.line.cut = false;
      await harness.service.resolveOpen();
      await harness.service.resolveOpen();
      expect((await harness.service.find(id, ENTITY))?.resultCode).toBe('900.100.301');
    });

    it('is resolved by the periodic round', async () => {
      harness.line.cut = true;
      await expect(harness.service.authorize(tillSale('m1', 'R-1'))).rejects.toBeInstanceOf(TryLaterError);
      harness.line.cut = false;
      harness.service.startResolver(1_000);
      await expect.poll(openIntents).toBe(0);
      expect((await harness.service.status(AGENT, 'm1')).state).toBe('answered');
    });
  });

  describe('another process on the same store', () => {
    /** Lets `work` of another service run in front of the first commit that `when` holds of. */
    const inFrontOf = (when: (change: Change) => boolean, work: () => Promise<unknown>): void => {
      disk.beforeCommit = async (changes) => {
        if (!changes.some(when)) return;
        disk.beforeCommit = async () => undefined;
        await work();
      };
    };

    it('may take the original just before its tombstone is written: it is reversed then', async () => {
      const other = new GatewayPaymentService(harness.context);
      inFrontOf(
        (change) => change.op === 'insert' && change.table === 'tombstones',
        () => other.authorize(tillSale('m1', 'R-1')),
      );
      expect((await harness.service.followUp(tillReversal('m2', 'm1'))).disposition).toBe('reversed');
      expect((await harness.transactions())[0]).toMatchObject({ kind: 'authorization', reversed: true });
    });

    it('may take the original between two looks for it: it is reversed all the same', async () => {
      const other = new GatewayPaymentService(harness.context);
      let looks = 0;
      disk.beforeGet = async (table) => {
        looks += table === 'inbox' ? 1 : 0;
        // The first look at the inbox is for the reversal's own answer, the next two for the original's, after intents and payments.
        if (looks !== 3) return;
        disk.beforeGet = async () => undefined;
        await other.authorize(tillSale('m1', 'R-1'));
      };
      expect((await harness.service.followUp(tillReversal('m2', 'm1'))).disposition).toBe('reversed');
      expect((await harness.transactions())[0]).toMatchObject({ kind: 'authorization', reversed: true });
    });

    it('may write the tombstone just before the intent: nothing is sent then', async () => {
      const other = new GatewayPaymentService(harness.context);
      inFrontOf(
        (change) => change.op === 'insert' && change.table === 'intents',
        () => other.followUp(tillReversal('m2', 'm1')),
      );
      expect((await harness.service.authorize(tillSale('m1', 'R-1'))).disposition).toBe('refused');
      expect(harness.line.sent).toEqual([]);
    });

    it('may fence a request whose approval comes late: it counts no more, and nothing stands', async () => {
      const { line } = harness;
      let isFenceLost = true;
      // The other node gets no answer to the request, and its reversal is on its way while the approval comes.
      const fencing: Acquirer = {
        name: line.name,
        status: async () => ({ state: 'unknown' }),
        send: async (request) => {
          if (!isFenceLost) return line.send(request);
          throw new AcquirerUnreachableError('no answer in time');
        },
      };
      const other = new GatewayPaymentService({ ...harness.context, acquirer: fencing });
      const slow: Acquirer = {
        name: line.name,
        status: (reference) => line.status(reference),
        send: async (request) => {
          await other.resolveOpen();
          return line.send(request);
        },
      };
      const service = new GatewayPaymentService({ ...harness.context, acquirer: slow });
      const error = await service.authorize(restPayment()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TryLaterError);
      isFenceLost = false;
      expect(await other.resolveOpen()).toBe(0);
      const payment = await other.find((error as TryLaterError).paymentId ?? '', ENTITY);
      expect(payment).toMatchObject({ state: 'declined', resultCode: '900.100.301' });
      expect(await harness.transactions()).toMatchObject([
        { kind: 'authorization', approved: true, reversed: true },
        { kind: 'reversal', approved: true },
      ]);
    });

    it('may sell the reference just before: one sale stands', async () => {
      const other = new GatewayPaymentService(harness.context);
      inFrontOf(
        (change) => change.op === 'insert' && change.table === 'claims',
        () => other.authorize(tillSale('m1', 'R-1')),
      );
      expect((await harness.service.authorize(tillSale('m2', 'R-1'))).disposition).toBe('refused');
      expect(await harness.transactions()).toHaveLength(1);
    });

    it('may take a newer session just before the intent: the old one writes nothing', async () => {
      inFrontOf(
        (change) => change.op === 'insert' && change.table === 'intents',
        async () => {
          const agent = await harness.store.get('agents', [AGENT]);
          if (agent)
            await harness.store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: 2 } }]);
        },
      );
      await expect(harness.service.authorize(tillSale('m1', 'R-1'))).rejects.toBeInstanceOf(
        StaleSessionError,
      );
      expect(harness.line.sent).toEqual([]);
    });

    it('may take a newer session just before a reversed message is refused: the old one writes nothing', async () => {
      await harness.service.followUp(tillReversal('m2', 'm1'));
      inFrontOf(
        (change) => change.op === 'insert' && change.table === 'inbox',
        async () => {
          const agent = await harness.store.get('agents', [AGENT]);
          if (agent)
            await harness.store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: 2 } }]);
        },
      );
      await expect(harness.service.authorize(tillSale('m1', 'R-1'))).rejects.toBeInstanceOf(
        StaleSessionError,
      );
      expect(await harness.store.get('inbox', [AGENT, 'm1'])).toBeUndefined();
    });

    it('may capture just before: both captures together keep to what was authorized', async () => {
      const { paymentId } = await harness.service.authorize(restPayment());
      const other = new GatewayPaymentService(harness.context);
      inFrontOf(
        (change) => change.op === 'insert' && change.table === 'intents',
        () => other.followUp(followUp('CP', paymentId, 1_000)),
      );
      expect((await harness.service.followUp(followUp('CP', paymentId, 500))).resultCode).toBe('700.400.100');
      expect((await harness.service.find(paymentId ?? '', ENTITY))?.capturedMinor).toBe(1_000);
    });
  });

  describe('a crash', () => {
    it('between the acquirer’s answer and our commit loses nothing', async () => {
      disk.failWhen = finishing;
      await expect(harness.service.authorize(tillSale('m1', 'R-1'))).rejects.toBeInstanceOf(
        StoreUnavailableError,
      );
      expect(await openIntents()).toBe(1);
      disk.failWhen = () => false;
      harness.restart();
      expect(await harness.service.status(AGENT, 'm1')).toMatchObject({
        state: 'answered',
        result: { disposition: 'approved' },
      });
      expect(await harness.transactions()).toHaveLength(1);
    });

    it('is resolved at boot, and a request in doubt is never sent again', async () => {
      disk.failWhen = finishing;
      // The money has moved: the answer is the id of a payment that is under way.
      const error = await harness.service.authorize(restPayment()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TryLaterError);
      disk.failWhen = () => false;
      const { paymentId = '' } = error as TryLaterError;
      expect(await harness.service.find(paymentId, ENTITY)).toMatchObject({ state: 'pending' });
      const sent = harness.line.sent.length;
      harness.restart();
      expect(await harness.service.resolveOpen()).toBe(0);
      expect(harness.line.sent).toHaveLength(sent);
      expect((await harness.transactions()).filter((one) => one.approved)).toHaveLength(1);
    });

    it('does not answer with a fault when its outcome loses every race, and ends once', async () => {
      let isLosing = true;
      disk.beforeCommit = async (changes) => {
        if (isLosing && finishing(changes))
          throw new CommitConflict({ kind: 'version', table: 'waits', on: 'primary' });
      };
      let timeMs = 0;
      const clock = {
        nowMs: () => harness.clock.nowMs(),
        monotonicMs: () => {
          timeMs += 1_000;
          return timeMs;
        },
        setTimer: (delayMs: number, fire: () => void) => harness.clock.setTimer(delayMs, fire),
      };
      const service = new GatewayPaymentService({ ...harness.context, clock });
      const error = await service.authorize(restPayment()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TryLaterError);
      isLosing = false;
      expect(await service.resolveOpen()).toBe(0);
      const payment = await service.find((error as TryLaterError).paymentId ?? '', ENTITY);
      expect(payment).toMatchObject({ state: 'authorized', resultCode: '000.100.110' });
      expect(await harness.transactions()).toHaveLength(1);
    });

    it('before the intent leaves no trace anywhere', async () => {
      disk.failWhen = () => true;
      await expect(harness.service.authorize(tillSale('m1', 'R-1'))).rejects.toBeInstanceOf(
        StoreUnavailableError,
      );
      expect(harness.line.sent).toEqual([]);
      disk.failWhen = () => false;
      expect(await harness.service.status(AGENT, 'm1')).toEqual({ state: 'not-seen' });
      expect((await harness.service.authorize(tillSale('m1', 'R-1'))).disposition).toBe('approved');
    });

    it('during a reversal ends in one reversal', async () => {
      await harness.service.authorize(tillSale('m1', 'R-1'));
      harness.line.cut = true;
      const reversal = tillReversal('m2', 'm1');
      await expect(harness.service.followUp(reversal)).rejects.toBeInstanceOf(TryLaterError);
      harness.line.cut = false;
      harness.restart();
      expect((await harness.service.followUp(reversal)).disposition).toBe('reversed');
      expect((await harness.transactions()).map((one) => [one.kind, one.reversed])).toEqual([
        ['authorization', true],
        ['reversal', false],
      ]);
    });

    it('during a capture holds later follow-ups until it is resolved', async () => {
      const { paymentId } = await harness.service.authorize(restPayment());
      disk.failWhen = finishing;
      await expect(harness.service.followUp(followUp('CP', paymentId, 1_000))).rejects.toBeInstanceOf(
        TryLaterError,
      );
      disk.failWhen = () => false;
      harness.restart();
      expect((await harness.service.followUp(followUp('CP', paymentId, 500))).resultCode).toBe('700.400.100');
      expect((await harness.service.followUp(followUp('CP', paymentId, 234))).disposition).toBe('approved');
      expect((await harness.service.find(paymentId ?? '', ENTITY))?.capturedMinor).toBe(1_234);
    });

    it('during an offline record waits for the agent, who sends it again', async () => {
      const record = tillSale('m1', 'R-1', {
        origin: message('m1', 1),
        offline: { kind: 'deferred', decidedAtMs: NOW_MS },
      });
      harness.line.cut = true;
      await expect(harness.service.authorize(record)).rejects.toBeInstanceOf(TryLaterError);
      harness.line.cut = false;
      harness.restart();
      expect(await harness.service.resolveOpen()).toBe(1);
      expect(await harness.transactions()).toEqual([]);
      expect((await harness.service.authorize(record)).disposition).toBe('approved');
      expect(await harness.transactions()).toHaveLength(1);
      expect((await harness.store.get('streams', [AGENT, '1']))?.nextSequence).toBe(2);
    });
  });
});
