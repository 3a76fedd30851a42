import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  REVOKED_TOKEN,
  TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, 'tb_reader', ['read', 'reports']);
});
afterAll(() => harness.dispose());

const FORM = new URLSearchParams({ entityId: ENTITY, ...CARD }).toString();
const pay = (authorization: string | null, body = FORM): Promise<Answer> =>
  harness.send('POST', '/v1/payments', { authorization, body });
const refusalOf = ({ status, body }: Answer) => [status, body.result.code, body.result.parameterErrors];
const header = (message: string) => [{ name: 'Authorization', value: null, message }];

it.each([
  [null, 'may not be empty: send "Authorization: Bearer <access token>"'],
  ['Basic eDp5', 'must use the scheme Bearer, not Basic: send "Authorization: Bearer <access token>"'],
  [TOKEN, 'must begin with "Bearer " before the access token: send "Authorization: Bearer <access token>"'],
  ['Bearer', 'lacks the access token after Bearer: send "Authorization: Bearer <access token>"'],
  ['Bearer a b', 'has characters after Bearer that no access token has'],
])('answers 401 to the header %s and states how it must be', async (sent, message) => {
  expect(refusalOf(await pay(sent))).toEqual([401, '800.900.300', header(message)]);
});

it.each([
  [`bearer ${TOKEN}`, 200],
  [`BEARER   ${TOKEN}`, 200],
  [`Bearer ${TOKEN}=`, 403],
  [`Bearer ${'a'.repeat(512)}==`, 403],
  [`Bearer ${'a'.repeat(513)}`, 401],
  [`Bearer${TOKEN}`, 401],
  [`Not-Bearer ${TOKEN}`, 401],
  [`Bearer =`, 401],
  [`Bearer ${TOKEN}=a`, 401],
  [`Bearer ${TOKEN} `.padEnd(60, 'a'), 401],
  [`Bearer \u00e4${TOKEN}`, 401],
])('takes a token as RFC 6750 writes it: %s has %i', async (sent, status) => {
  expect((await pay(sent)).status).toBe(status);
});

it('reads a body without the header to the last byte that it may have', async () => {
  const padded = (bytes: number) => `${FORM}&customer.language=`.padEnd(bytes, 'x');
  const messages: string[] = [];
  for (const bytes of [16_384, 16_385]) {
    const { body } = await pay(null, padded(bytes));
    messages.push(...body.result.parameterErrors.map(({ message }) => message));
  }
  expect(messages.map((message) => message.includes('at most 16384 bytes'))).toEqual([false, true]);
});

it('states how long a body without the header may be', async () => {
  const answer = await pay(null, `${FORM}&customer.language=${'x'.repeat(20_000)}`);
  const message =
    'may not be empty: send "Authorization: Bearer <access token>"; without it a body has at most 16384 bytes';
  expect(refusalOf(answer)).toEqual([401, '800.900.300', header(message)]);
});

it('answers 403 to a token that is unknown or was revoked, and the same to both', async () => {
  const message = 'is unknown or was revoked; tokens of the test host and of the live host differ';
  for (const token of ['tb_never-issued', REVOKED_TOKEN])
    expect(refusalOf(await pay(`Bearer ${token}`))).toEqual([403, '800.900.300', header(message)]);
});

it('names the right that a token lacks', async () => {
  const lacking = await pay('Bearer tb_reader');
  const any = header('the token needs one of the rights pay, credit; it has read, reports');
  expect(refusalOf(lacking)).toEqual([403, '800.900.301', any]);
  await addToken(harness.store, 'tb_payer', ['pay']);
  const credit = await pay('Bearer tb_payer', FORM.replace('paymentType=PA', 'paymentType=CD'));
  const one = header('the token needs the right credit; it has pay');
  expect(refusalOf(credit)).toEqual([403, '800.900.301', one]);
});

it('answers the same for an entity of another and for one that there is not, naming its own', async () => {
  for (const entityId of [OTHER_ENTITY, 'c'.repeat(32)]) {
    const answer = await pay(`Bearer ${TOKEN}`, FORM.replace(ENTITY, entityId));
    const message = `is not the entity of the token, ${ENTITY}, nor one of its channels`;
    expect(refusalOf(answer)).toEqual([403, '800.900.301', [{ name: 'entityId', value: null, message }]]);
    expect(answer.body.result.description).toBe(
      'the token may not act for this entity: name the entity of the token or one of its channels',
    );
  }
});

it('names a path that may have been meant', async () => {
  const answer = await harness.send('POST', '/v2/payments', { authorization: null, body: FORM });
  const message = 'there is no such path; did you mean POST /v1/payments?';
  expect(refusalOf(answer)).toEqual([404, '200.100.199', [{ name: 'path', value: null, message }]]);
});
