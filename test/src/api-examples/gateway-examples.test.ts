import { codeSample } from '@tillbridge/panel-kit/api-reference/model/code-samples.js';
import { groupsOf, rightsOf } from '@tillbridge/panel-kit/api-reference/model/document.js';
import { requestOf } from '@tillbridge/panel-kit/api-reference/model/example.js';
import type { ApiExample } from '@tillbridge/platform/api-docs/with-examples.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiDocument, type Route, routesOf } from '../tenants/document.js';
import { sendRest } from '../tenants/rest-client.js';
import { openTwoTenants, type TwoTenants } from '../tenants/two-tenants.js';
import { comparable, ExampleFile, isRecording, shapeOf, shownAnswer } from './example-file.js';
import { GATEWAY_REQUESTS } from './gateway-requests.js';
import { languages, runSample, sampleOf } from './run-samples.js';
import { Shop } from './shop.js';

/** How the page makes samples. */
const KIT = { codeSample, groupsOf, rightsOf, requestOf };

const examples = new ExampleFile('gateway');

let tenants: TwoTenants;
let shop: Shop;
let document: ApiDocument;
let routes: ReadonlyMap<string, Route>;
beforeAll(async () => {
  tenants = await openTwoTenants();
  shop = new Shop(tenants);
  const { body } = await sendRest(tenants.url, { method: 'GET', path: '/docs/openapi.json', form: {} });
  document = body as ApiDocument;
  routes = new Map(routesOf(document).map((route) => [route.name, route]));
});
afterAll(async () => {
  examples.record();
  await tenants?.dispose();
});

test('every operation of the document has an example, and no other has', () => {
  expect(Object.keys(GATEWAY_REQUESTS).sort()).toEqual([...routes.keys()].sort());
  if (!isRecording) expect(Object.keys(examples.shipped).sort()).toEqual([...routes.keys()].sort());
});

test.each(Object.entries(GATEWAY_REQUESTS))('%s is answered as its example shows', async (name, request) => {
  const route = routes.get(name);
  if (!route) throw new Error(`${name} is not served`);
  const parameters = await request(shop);
  const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter));
  const path = route.path.replace(/\{(\w+)\}/g, (_, parameter: string) => parameters[parameter] ?? '');
  const form = Object.fromEntries(Object.entries(parameters).filter(([parameter]) => !inPath.has(parameter)));
  const token = route.security.length > 0 ? { token: tenants.owner.token } : {};
  // A session is in a cookie of the gateway's own pages.
  const isForBrowsers = /\/v1\/(sessions|invitations)/.test(name);
  const headers = isForBrowsers ? await shop.browserHeaders() : {};
  const { status, body } = await sendRest(tenants.url, {
    method: route.method,
    path,
    form,
    headers,
    ...token,
  });
  const answer = shownAnswer(body, tenants.url);
  examples.note(name, { parameters, status, answer });
  if (isRecording) return;
  const shipped = examples.shipped[name];
  expect(comparable(parameters)).toEqual(comparable(shipped?.parameters));
  expect([status, shapeOf(answer)]).toEqual([shipped?.status, shapeOf(shipped?.answer)]);
});

describe.each(await languages())('a sample in %s%s', (language, reason) => {
  // One of each kind: without a body, with a form, one that removes.
  test
    .skipIf(reason !== '')
    .each(['GET /v1/payments/{id}', 'POST /v1/payments', 'DELETE /v1/registrations/{id}'])(
    'sends %s as its example does',
    async (name) => {
      const parameters = await GATEWAY_REQUESTS[name]?.(shop);
      const example = { parameters, status: 200, answer: {} } as ApiExample;
      const code = sampleOf(KIT, language, { url: tenants.url, document }, name, example);
      const answer = await runSample(language, code, tenants.owner.token);
      expect(shapeOf(shownAnswer(answer, tenants.url))).toEqual(shapeOf(examples.shipped[name]?.answer));
    },
  );
});
