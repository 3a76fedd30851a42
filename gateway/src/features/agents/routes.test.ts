import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  addToken,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
} from '../../app/http/http-harness.test.support.js';
import { COMMAND_LIMITS } from '../../core/bridge/commands/agent-command.js';
import { AGENT, OTHER_ENTITY } from '../../core/payments/payment-harness.test.support.js';
import { newAgentRow } from '../../security/agents/agent-row.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const authorization = `Bearer ${ADMINISTRATOR}`;

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, ADMINISTRATOR, ['administration']);
  const row = newAgentRow({ id: 'other', entityId: OTHER_ENTITY, publicKey: 'key', terminals: [] }, 1);
  await harness.store.commit([{ op: 'insert', table: 'agents', row }]);
});
afterEach(() => harness.dispose());

interface Answered {
  readonly command: { readonly id: string; readonly state: string };
}

const get = (path: string) => harness.send('GET', path, { authorization });
const ask = (agent: string, form: Readonly<Record<string, string>>, as = authorization) =>
  harness.send('POST', `/v1/agents/${agent}/commands`, {
    authorization: as,
    body: new URLSearchParams(form).toString(),
  });

it('stores a command with who requested it, in one commit with its audit record, and shows it', async () => {
  const { status, body } = await ask(AGENT, { action: 'cancel-sale', reference: 'R-1' });
  expect(status).toBe(200);
  const { command } = body as unknown as Answered;
  expect(command).toMatchObject({
    agentId: AGENT,
    action: 'cancel-sale',
    reference: 'R-1',
    state: 'waiting',
  });
  const shown = await get(`/v1/agents/${AGENT}/commands/${command.id}`);
  expect((shown.body as unknown as Answered).command).toEqual(command);
  expect(await harness.store.findAfter('audit', undefined)).toMatchObject([
    { action: 'agents command', subject: AGENT, outcome: 'done' },
  ]);
});

it('takes no command that makes no sense', async () => {
  for (const form of [{}, { action: 'stop' }, { action: 'ping', reference: 'x y' }])
    expect((await ask(AGENT, form as Record<string, string>)).status).toBe(400);
  for (const form of [{ action: 'cancel-sale' }, { action: 'ping', reference: 'R-1' }])
    expect((await ask(AGENT, form)).status).toBe(409);
});

it('shows only the agents of its merchant, to those who administrate', async () => {
  const { body } = await ask(AGENT, { action: 'ping' });
  const { id } = (body as unknown as Answered).command;
  const answers = await Promise.all([
    ask('other', { action: 'ping' }),
    ask('unknown', { action: 'ping' }),
    get(`/v1/agents/other/commands/${id}`),
    get(`/v1/agents/${AGENT}/commands/none`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await ask(AGENT, { action: 'ping' }, `Bearer ${TOKEN}`)).status).toBe(403);
});

it(`lets ${COMMAND_LIMITS.waiting} commands wait for an agent`, async () => {
  for (let at = 0; at < COMMAND_LIMITS.waiting; at += 1)
    expect((await ask(AGENT, { action: 'ping' })).status).toBe(200);
  expect((await ask(AGENT, { action: 'ping' })).status).toBe(409);
});
