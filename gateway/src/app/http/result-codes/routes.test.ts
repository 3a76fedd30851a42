import { RESULT_CODE_TABLE } from '@tillbridge/wire/payment/result-codes/result-code-table.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpHarness, openHttpHarness } from '../http-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

describe('GET /v1/resultcodes', () => {
  it('lists every code of the table once, without a token', async () => {
    const { status, body } = await harness.send('GET', '/v1/resultcodes', { authorization: null });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['resultCodes']);
    const listed = body.resultCodes.map(({ code, description }: Record<string, string>) => [
      code,
      description,
    ]);
    expect(Object.fromEntries(listed)).toEqual(RESULT_CODE_TABLE);
    expect(listed).toHaveLength(Object.keys(RESULT_CODE_TABLE).length);
  });

  it('has no other method', async () => {
    const answer = await harness.send('POST', '/v1/resultcodes', { body: 'a=b' });
    expect(answer).toMatchObject({ status: 405, body: { result: { code: '200.300.403' } } });
  });
});
