import type { TokenRight } from '@tillbridge/gateway/kernel/api/token-rights.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiDocument, type Route, routesOf } from './document.js';
import { type IdKind, unknownLike } from './id-kinds.js';
import { NAMES_NOTHING, REST_CASES, type RestCase, sendCase } from './rest-cases.js';
import { type RestAnswer, sendRest } from './rest-client.js';
import { comparableRest, timed } from './same-answer.js';
import { ownNames, RIGHTS } from './tenant.js';
import { openTwoTenants, type TwoTenants } from './two-tenants.js';

// Every id of another tenant gets the answer that an unknown one gets, and leaves what is kept about its owner as it was (P8).

const CASES_FILE = 'test/src/tenants/rest-cases.ts';

let tenants: TwoTenants;
let routes: ReadonlyMap<string, Route>;
let transactions: readonly object[];
beforeAll(async () => {
  tenants = await openTwoTenants();
  transactions = await tenants.ownersTransactions();
  const { body } = await sendRest(tenants.url, { method: 'GET', path: '/docs/openapi.json', form: {} });
  routes = new Map(routesOf(body as ApiDocument).map((route) => [route.name, route]));
});
afterAll(() => tenants?.dispose());

/** What the gateway answers to the request of a case with an id in the place of the stranger's own; the stranger is a new one. */
async function answerTo(route: Route, tried: RestCase, parameter: string, id: string): Promise<object> {
  const stranger = await tenants.newStranger();
  const inHeader = parameter === 'Idempotency-Key';
  const form = { ...(await tried.form(stranger)), ...(!inHeader && { [parameter]: id }) };
  const answer = await sendCase(tenants.url, route, tried, {
    form,
    headers: inHeader ? { [parameter]: id } : {},
    token: stranger.token,
  });
  return comparableRest(answer, { [id]: 'the id', ...ownNames(stranger) });
}

/** What the table of cases lacks for these routes, a line each. */
function untried(routes: readonly Route[]): string[] {
  return routes.flatMap(({ name, parameters, isAddition }) => {
    const known = REST_CASES[name];
    if (!known) return [`${name}: add its cases to REST_CASES in ${CASES_FILE}`];
    const tried = new Set([
      ...(known.values ?? []),
      ...Object.keys(NAMES_NOTHING),
      ...known.cases.flatMap(({ ids }) => Object.keys(ids)),
    ]);
    return parameters
      .filter((parameter) => (parameter.isIdLike || isAddition) && !tried.has(parameter.name))
      .map(
        (parameter) =>
          `${name} ${parameter.name}: add the kinds of ids that it takes to "ids" of a case in ${CASES_FILE}, or declare there what it is`,
      );
  });
}

const PROBES = Object.entries(REST_CASES).flatMap(([route, { cases }]) =>
  cases.flatMap((tried) =>
    Object.entries(tried.ids).flatMap(([parameter, kinds]) =>
      kinds.map((kind): [route: string, what: string, parameter: string, kind: IdKind, tried: RestCase] => [
        route,
        tried.what,
        parameter,
        kind,
        tried,
      ]),
    ),
  ),
);

describe('over REST', () => {
  test('every route has cases, and every parameter that may be an id', () => {
    expect(untried([...routes.values()])).toEqual([]);
    const gone = Object.keys(REST_CASES).filter((name) => !routes.has(name));
    expect(gone.map((name) => `${name} is not served: take its cases out of ${CASES_FILE}`)).toEqual([]);
  });

  test('a route without cases and a parameter without a kind are reported, with the file to add them to', () => {
    const [route] = routes.values();
    if (!route) throw new Error('the document has no routes');
    const parameters = [{ name: 'thing.ksn', isIdLike: true }];
    expect(untried([{ ...route, name: 'GET /v1/things/{id}', parameters: [] }])).toEqual([
      'GET /v1/things/{id}: add its cases to REST_CASES in test/src/tenants/rest-cases.ts',
    ]);
    expect(untried([{ ...route, parameters }])).toEqual([
      expect.stringContaining(`${route.name} thing.ksn: add the kinds of ids that it takes`),
    ]);
  });

  const probed = new Set(PROBES.map(([name]) => name));
  describe.each([...probed])('%s', (name) => {
    const probes = PROBES.filter(([of]) => of === name);

    test.each(probes)('%s, %s: %s, %s', async (_name, _what, parameter, kind, tried) => {
      const route = routes.get(name);
      if (!route) throw new Error(`${name} is not served`);
      const owned = tenants.owned[kind];
      const [ofOwner, ofUnknown] = await Promise.all(
        [owned, unknownLike(kind, owned)].map((id) =>
          timed(() => answerTo(route, tried, parameter, id), tried.looksAtAccountData === true),
        ),
      );
      expect(ofOwner).toEqual(ofUnknown);
    });

    // Once a route: to read all that is kept takes longer than a request.
    test('has left what is kept about the owner as it was', async () => {
      expect(await tenants.data.changes()).toEqual([]);
    });
  });
});

describe('a token', () => {
  /** A function that sends every case of a route, with a token of one right. The forms are made once. */
  const senderOf = async (name: string) => {
    const { [name]: known } = REST_CASES;
    const route = routes.get(name);
    if (!route || !known) throw new Error(`${name} is not served, or has no cases`);
    const stranger = await tenants.newStranger();
    const requests = await Promise.all(
      known.cases
        .filter(({ withoutToken }) => !withoutToken)
        .map(async (tried) => ({ tried, form: await tried.form(stranger) })),
    );
    return async (right: TokenRight) => {
      const token = await stranger.tokenFor(right);
      return Promise.all(
        requests.map(({ tried, form }) => sendCase(tenants.url, route, tried, { form, token })),
      );
    };
  };
  const isRefused = ({ status, body }: RestAnswer) =>
    status === 403 && (body as { result: { code: string } }).result.code === '800.900.301';

  test('is needed by every route whose cases give no reason why not, and each states the rights', () => {
    const wrong = [...routes.values()].filter(({ name, security }) =>
      REST_CASES[name]?.open === undefined
        ? security.length === 0 || security.some((rights) => rights.length !== 1)
        : security.length > 0,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test.each(Object.keys(REST_CASES))('with any other right is refused by %s', async (name) => {
    const rights = (routes.get(name)?.security ?? []).flat();
    const send = await senderOf(name);
    for (const right of RIGHTS) {
      const refused = (await send(right)).map(isRefused);
      const may = rights.length === 0 || rights.includes(right);
      expect([right, may ? refused.includes(false) : !refused.includes(false)]).toEqual([right, true]);
    }
  });
});

test('the acquirer’s record of the owner is as it was', async () => {
  expect(transactions.length).toBeGreaterThan(0);
  expect(await tenants.ownersTransactions()).toEqual(transactions);
});
