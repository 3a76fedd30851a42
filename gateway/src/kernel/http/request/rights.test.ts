import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { TOKEN_RIGHTS, type TokenRight } from '../../api/token-rights.js';
import { type AuthenticationDeps, authenticateRequests } from './authenticate.js';

const TERMS = { maxFormBytes: 0, admitStranger: async () => true };

const ALL = Object.keys(TOKEN_RIGHTS) as TokenRight[];
const UNKNOWN = '0'.repeat(32);

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  for (const right of ALL) await addToken(harness.store, `tb_${right}`, [right]);
});
afterEach(() => harness.dispose());

const form = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams({ entityId: ENTITY, ...parameters }).toString();
const followUp = (paymentType: string) => form({ paymentType, amount: '1.00', currency: 'EUR' });

const SCHEDULED = { amount: '1.00', currency: 'EUR', registrationId: UNKNOWN, 'job.month': '*' };

/** Each request, and the rights of which it needs one. */
const REQUESTS: readonly [what: string, path: string, body: string | undefined, ...rights: TokenRight[]][] = [
  ['PA', '/v1/payments', form({ ...CARD, paymentType: 'PA' }), 'pay'],
  ['DB', '/v1/payments', form({ ...CARD, paymentType: 'DB' }), 'pay'],
  ['PA.CP', '/v1/payments', form({ ...CARD, paymentType: 'PA.CP' }), 'pay'],
  ['CD', '/v1/payments', form({ ...CARD, paymentType: 'CD' }), 'credit'],
  ['a credit on a payment', `/v1/payments/${UNKNOWN}`, followUp('CD'), 'credit'],
  ['CP', `/v1/payments/${UNKNOWN}`, followUp('CP'), 'pay'],
  ['RF', `/v1/payments/${UNKNOWN}`, followUp('RF'), 'refund'],
  ['RV', `/v1/payments/${UNKNOWN}`, followUp('RV'), 'pay', 'refund', 'credit'],
  ['RB', `/v1/payments/${UNKNOWN}`, followUp('RB'), 'pay'],
  ['no type', '/v1/payments', form({}), 'pay', 'credit'],
  ['a credit to stored details', `/v1/registrations/${UNKNOWN}/payments`, followUp('CD'), 'credit'],
  ['a credit by schedule', '/v1/schedules', form({ ...SCHEDULED, paymentType: 'CD' }), 'credit'],
  ['a read', `/v1/payments/${UNKNOWN}`, undefined, 'read'],
  ['a query by id', `/v1/query/${UNKNOWN}`, undefined, 'read'],
  ['a query', `/v3/query?entityId=${ENTITY}&merchantTransactionId=x`, undefined, 'read'],
  ['the record of the simulator', '/v1/simulator/transactions', undefined, 'simulator'],
];

describe('a token with one right', () => {
  it.each(REQUESTS)('may send %s with the right for it alone', async (_what, path, body, ...rights) => {
    for (const right of ALL) {
      const { status, body: answer } = await harness.send(body === undefined ? 'GET' : 'POST', path, {
        authorization: `Bearer tb_${right}`,
        ...(body !== undefined && { body }),
      });
      const isRefused = status === 403 && answer.result.code === '800.900.301';
      expect([right, isRefused, status < 500]).toEqual([right, !rights.includes(right), true]);
    }
  });

  it.each(['/v1/checkouts', '/paybylink/v1'])(
    'lets no shopper be paid without the right to a credit: %s',
    async (path) => {
      const credit = form({ amount: '5000.00', currency: 'EUR', paymentType: 'CD' });
      const rights: [TokenRight[], boolean][] = [
        [['pay', 'refund'], true],
        [['pay', 'refund', 'credit'], false],
      ];
      for (const [of, isRefused] of rights) {
        const token = `tb_${of.join('_')}`;
        await addToken(harness.store, token, of);
        const { status } = await harness.send('POST', path, {
          authorization: `Bearer ${token}`,
          body: credit,
        });
        expect([of, status === 403]).toEqual([of, isRefused]);
      }
      // Neither does a change make a credit of what was none.
      const authorization = 'Bearer tb_pay_refund';
      const sale = form({ amount: '1.00', currency: 'EUR', paymentType: 'DB' });
      const { body } = await harness.send('POST', '/v1/checkouts', { authorization, body: sale });
      const change = await harness.send('POST', `/v1/checkouts/${body.id}`, { authorization, body: credit });
      expect(change.status).toBe(403);
    },
  );

  it('moves no money without the right', async () => {
    for (const right of ALL.filter((each) => each !== 'pay'))
      await harness.send('POST', '/v1/payments', {
        authorization: `Bearer tb_${right}`,
        body: form({ ...CARD, paymentType: 'DB' }),
      });
    expect(harness.line.sent).toEqual([]);
  });
});

it('a path of the API that names no right cannot be served', () => {
  const server = fastify();
  authenticateRequests(server, {} as AuthenticationDeps, TERMS);
  for (const path of ['/v1/anything', '/scheduling/v1/anything'])
    expect(() => server.get(path, async () => 'secret')).toThrow(/names no right/);
  server.get('/healthz', async () => 'ok');
});

describe('a path of the API cannot be served', () => {
  const serve = (method: string, url: string, right: TokenRight | 'public') => () => {
    const server = fastify();
    authenticateRequests(server, {} as AuthenticationDeps, TERMS);
    server.route({ method, url, config: { right }, handler: async () => 'secret' });
  };

  it('that the document does not show', () => {
    expect(serve('GET', '/v1/anything', 'read')).toThrow(/GET \/v1\/anything is not documented/);
    expect(serve('GET', '/v1/anything', 'public')).toThrow(/not documented/);
    expect(serve('DELETE', '/v1/payments/:id', 'pay')).toThrow(/DELETE .* is not documented/);
  });

  it('with another right than its document states', () => {
    expect(serve('GET', '/v1/payments/:id', 'read')).not.toThrow();
    expect(serve('GET', '/v1/payments/:id', 'public')).toThrow(/demands no right, its document states read/);
    expect(serve('GET', '/v1/alerts', 'read')).toThrow(/demands the right read, .* states administration/);
  });
});
