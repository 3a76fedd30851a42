import { RESULT_CODE_TABLE } from '@tillbridge/protocol/api/result-code-table.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpWorld, openHttpWorld } from '../http-world.test.support.js';

let world: HttpWorld;
beforeEach(async () => {
  world = await openHttpWorld();
});
afterEach(() => world.dispose());

describe('GET /v1/resultcodes', () => {
  it('lists every code of the table once, without a token', async () => {
    const { status, body } = await world.send('GET', '/v1/resultcodes', { authorization: null });
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
    const answer = await world.send('POST', '/v1/resultcodes', { body: 'a=b' });
    expect(answer).toMatchObject({ status: 405, body: { result: { code: '200.300.403' } } });
  });
});
