import type { Hello } from '@tillbridge/wire/bridge/messages.js';
import { type WireField, wireFields } from '@tillbridge/wire/bridge/wire-fields.test.support.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, COUNTS, guessedEnrolment, MESSAGE_CASES, WIRE_FIELDS, withValue } from './bridge-cases.js';
import { BridgeClient } from './bridge-client.js';
import { type IdKind, randomHex, unknownLike } from './id-kinds.js';
import { comparable, timed } from './same-answer.js';
import { ownNames } from './tenant.js';
import { openTwoTenants, type TwoTenants } from './two-tenants.js';

// As rest-matrix.test.ts, for every message of the bridge: sent by a proven agent of another tenant.

const CASES_FILE = 'test/src/tenants/bridge-cases.ts';

let tenants: TwoTenants;
let transactions: readonly object[];
beforeAll(async () => {
  tenants = await openTwoTenants();
  transactions = await tenants.ownersTransactions();
});
afterAll(() => tenants?.dispose());

const { bodies, fields } = wireFields();
type Body = keyof typeof MESSAGE_CASES;

/** The gateway's answer to a message of a new stranger with an id in the place of the stranger's own. */
async function answerTo(body: Body, at: number, path: string, id: string): Promise<unknown> {
  const own = await tenants.newStranger();
  const { sent, drafts, isUnanswered } = MESSAGE_CASES[body];
  const client = new BridgeClient(tenants.bridgeUrl);
  const inEnvelope = path.startsWith('envelope.');
  const good = drafts[at]?.(own) ?? {};
  const draft = inEnvelope ? good : withValue(good, path, id);
  const envelope = {
    id: path === 'envelope.id' ? id : `m-${randomHex(32)}`,
    terminalId: path === 'envelope.terminalId' ? id : sent === 'stream' ? own.terminal : '',
  };
  if (sent === 'first') {
    const challenge = await client.expect<{ nonce: Uint8Array; versionMin: number; versionMax: number }>(
      'challenge',
    );
    if (body === 'hello')
      client.agent.say(
        'hello',
        client.agent.prove(challenge, draft as Partial<Hello>, own.agentKey),
        envelope.id,
      );
    else client.agent.say(body, guessedEnrolment(challenge, draft, own), envelope.id);
  } else {
    await client.join({ agentId: own.agent }, own.agentKey);
    client.agent.stream(body, sent === 'stream' ? 1 : 0, envelope.id, bodyOf(draft), envelope.terminalId);
    if (isUnanswered)
      client.agent.say('heartbeat', bodyOf<'heartbeat'>(MESSAGE_CASES.heartbeat.drafts[0]?.(own) ?? {}));
  }
  const answer = await client.next();
  const last = answer.kind === 'goodbye' ? await client.next() : answer;
  if (last.kind !== 'closed') await client.close();
  return comparable([answer, last], { [id]: 'the id', ...ownNames(own) });
}

/** A body with its own fields and those of its envelope. */
const fieldsOf = (body: string): WireField[] => [
  ...fields.filter((field) => field.body === body),
  ...fields
    .filter((field) => field.body === '')
    .map((field) => ({ ...field, path: `envelope.${field.path}` })),
];

/** Enumerations are named like messages. */
const isEnum = (type: string): boolean => /^[A-Z]/.test(type);

/** What the tables of cases lack for these messages, a line each. */
function untried(bodies: readonly string[], fields: readonly WireField[]): string[] {
  const named = fields.filter(({ type }) => !COUNTS.includes(type) && !isEnum(type));
  return [
    ...bodies
      .filter((body) => !Object.hasOwn(MESSAGE_CASES, body))
      .map((body) => `${body}: add it to MESSAGE_CASES in ${CASES_FILE}`),
    ...[...new Set(named.map(({ name }) => name))]
      .filter((name) => !Object.hasOwn(WIRE_FIELDS, name))
      .map(
        (name) =>
          `${name}: add the kinds of ids that it takes to WIRE_FIELDS in ${CASES_FILE}, or declare there what it is`,
      ),
  ];
}

const PROBES = (Object.keys(MESSAGE_CASES) as Body[]).flatMap((body) =>
  fieldsOf(body).flatMap(({ path, name }) => {
    const kinds = WIRE_FIELDS[name];
    if (!Array.isArray(kinds)) return [];
    return (kinds as readonly IdKind[]).flatMap((kind) =>
      MESSAGE_CASES[body].drafts.map((_, at) => [body, at, path, kind] as const),
    );
  }),
);

describe('over the bridge', () => {
  test('every message has a case, and every field that may be an id', () => {
    expect(untried(bodies, fields)).toEqual([]);
    const declared = new Set(fields.map(({ name }) => name));
    const gone = Object.keys(WIRE_FIELDS).filter((name) => !declared.has(name));
    expect(gone.map((name) => `${name} is no field: take it out of WIRE_FIELDS in ${CASES_FILE}`)).toEqual(
      [],
    );
  });

  test('a message without a case and a field without a kind are reported, with the file to add them to', () => {
    const field = { body: 'thing', path: 'thingId', name: 'Thing.thingId', type: 'string' };
    expect(untried(['thing'], [field])).toEqual([
      'thing: add it to MESSAGE_CASES in test/src/tenants/bridge-cases.ts',
      expect.stringContaining('Thing.thingId: add the kinds of ids that it takes to WIRE_FIELDS'),
    ]);
  });

  describe.each([...new Set(PROBES.map(([body]) => body))])('%s', (of) => {
    test.each(PROBES.filter(([body]) => body === of))('%s %i, %s: %s', async (body, at, path, kind) => {
      const owned = tenants.owned[kind];
      const [ofOwner, ofUnknown] = await Promise.all(
        [owned, unknownLike(kind, owned)].map((id) => timed(() => answerTo(body, at, path, id))),
      );
      expect(ofOwner).toEqual(ofUnknown);
    });

    // Once a message: to read all that is kept takes longer than a message.
    test('has left what is kept about the owner as it was', async () => {
      expect(await tenants.data.changes()).toEqual([]);
    });
  });
});

test('the acquirer’s record of the owner is as it was', async () => {
  expect(await tenants.ownersTransactions()).toEqual(transactions);
});
