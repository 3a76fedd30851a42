import { codeSample } from '@tillbridge/panel-kit/api-reference/model/code-samples.js';
import {
  type ApiDocument,
  groupsOf,
  type Operation,
  rightsOf,
} from '@tillbridge/panel-kit/api-reference/model/document.js';
import { type RequestExample, requestOf } from '@tillbridge/panel-kit/api-reference/model/example.js';
import { type ApiExample, withExamples } from '@tillbridge/platform/api-docs/with-examples.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../clients/http.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { comparable, ExampleFile, isRecording, shapeOf, shownAnswer } from './example-file.js';
import { languages, runSample, sampleOf } from './run-samples.js';
import { Store } from './store.js';
import { TILL_REQUESTS } from './till-requests.js';

/** How the page makes samples. */
const KIT = { codeSample, groupsOf, rightsOf, requestOf };

/** Taps without a verification of the cardholder are deferred: one of them is declined later. */
const OFFLINE = JSON.stringify({
  limits: { EUR: { perSale: '50.00', sum: '200.00' } },
  deferred: {
    limits: { EUR: { perSale: '25.00', sum: '50.00' } },
    cards: { NFC_ICC: { device: {}, none: { EUR: '10.00' } }, ICC: ['none'] },
  },
});

const examples = new ExampleFile('agent');

let system: TestStack;
let store: Store;
let api: ApiDocument;
beforeAll(async () => {
  system = await startTestStack('api-examples', undefined, OFFLINE, { auto: false });
  store = new Store(system.stack);
  await store.untilReady();
  api = (await call<ApiDocument>('GET', `${system.stack.dev.agent.url}/docs/openapi.json`)).body;
}, SETTLE_MS);
afterAll(async () => {
  examples.record();
  await system?.end();
}, SETTLE_MS);

const operationsIn = (document: ApiDocument): readonly Operation[] =>
  groupsOf(document).flatMap(({ operations }) => operations);
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** Sends a request as the page would show it. */
async function send({ method, target, headers, json }: RequestExample) {
  const { url, token } = system.stack.dev.agent;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { ...headers, ...type, authorization: `Bearer ${token}` },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: response.status, answer: await answerOf(response) };
}

/** JSON as it is; of a text that does not end, such as a stream of events, what came first. */
async function answerOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return response.json();
  if (!type.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

test('every operation of the document has an example, and no other has', () => {
  const operations = operationsIn(api).map(nameOf).sort();
  expect(Object.keys(TILL_REQUESTS).sort()).toEqual(operations);
  if (!isRecording) expect(Object.keys(examples.shipped).sort()).toEqual(operations);
});

test.each(Object.entries(TILL_REQUESTS))(
  '%s is answered as its example shows',
  async (name, make) => {
    const request = await make(store);
    const document = withExamples(api, { [name]: { ...request, status: 200, answer: '' } }) as ApiDocument;
    const operation = operationsIn(document).find((each) => nameOf(each) === name);
    if (!operation) throw new Error(`${name} is not in the document`);
    const { status, answer: given } = await send(
      requestOf({ ...operation, object: bare(operation, request.body) }, true),
    );
    const answer = shownAnswer(given, system.stack.dev.agent.url);
    examples.note(name, { ...request, status, answer });
    if (isRecording) return;
    const { parameters, body, ...shipped } = examples.shipped[name] ?? { status: 0, answer: '' };
    expect(comparable(request)).toEqual(comparable({ parameters, body }));
    expect([status, shapeOf(answer)]).toEqual([shipped.status, shapeOf(shipped.answer)]);
  },
  2 * SETTLE_MS,
);

/** An operation without the example of a body that the document ships, where this request has none. */
function bare({ object }: Operation, body: unknown): Operation['object'] {
  if (body !== undefined) return object;
  const { requestBody: _, ...others } = object;
  return others;
}

describe.each(await languages())('a sample in %s%s', (language, reason) => {
  test
    .skipIf(reason !== '' || isRecording)
    .each(['POST /v1/sales', 'GET /v1/sales/{reference}', 'DELETE /v1/tills/{id}'])(
    'sends %s as its example does',
    async (name) => {
      const { url, token } = system.stack.dev.agent;
      const example = { ...(await TILL_REQUESTS[name]?.(store)), status: 200, answer: {} } as ApiExample;
      const answer = await runSample(
        language,
        sampleOf(KIT, language, { url, document: api }, name, example),
        token,
      );
      expect(shapeOf(shownAnswer(answer, url))).toEqual(shapeOf(examples.shipped[name]?.answer));
    },
    2 * SETTLE_MS,
  );
});
