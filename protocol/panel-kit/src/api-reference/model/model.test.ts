import { describe, expect, it } from 'vitest';
import { answerFields } from './answer-fields.js';
import { codeSample } from './code-samples.js';
import { findCodes } from './codes.js';
import { type ApiDocument, groupsOf, operationId, rightsOf } from './document.js';
import { answerOf, requestOf } from './example.js';
import { formOf, groupsOfParameters, parametersOf } from './parameters.js';
import { SearchIndex } from './search.js';
import { idInHash } from './store.js';

const FORM = 'application/x-www-form-urlencoded';
const API: ApiDocument = {
  info: { title: 'Things', version: '1' },
  tags: [{ name: 'read', 'x-displayName': 'Look at things' }, { name: 'empty' }, { name: 'write' }],
  security: [{ token: [] }],
  paths: {
    '/v1/things/{id}': {
      post: {
        tags: ['write'],
        summary: 'Changes a thing.',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a b' },
          { name: 'page', in: 'query', schema: { type: 'integer', minimum: 0 }, example: 2 },
          { name: 'Key', in: 'header', schema: { type: 'string' }, example: "it's" },
        ],
        requestBody: {
          content: {
            [FORM]: {
              schema: { $ref: '#/components/schemas/Thing' },
              example: { amount: '1.00', 'card.holder': 'O\'Hara "J"' },
            },
          },
        },
        security: [{ token: ['pay'] }, { token: ['refund'] }],
        responses: {
          '200': {
            description: 'Done.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Answer' }, example: { ok: true } },
            },
          },
        },
      },
      get: { tags: ['read'], operationId: 'readThing', security: [], responses: {} },
    },
    '/healthz': { get: { summary: 'Looks whether it is there.', responses: {} } },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['amount'],
        properties: { amount: { type: 'string', pattern: '^\\d+$' }, memo: { type: 'string', maxLength: 5 } },
        patternProperties: { '^cart\\.x$': { 'x-name': 'cart.items[n].name', type: 'string' } },
      },
      Answer: {
        allOf: [
          { type: 'object', properties: { id: { type: 'string' } } },
          {
            type: 'object',
            properties: { card: { type: 'object', properties: { bin: { type: 'string' } } } },
          },
        ],
        properties: { rows: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
      },
    },
  },
};
const groups = groupsOf(API);
const post = groups.flatMap(({ operations }) => operations).find(({ method }) => method === 'POST');
if (!post) throw new Error('the document has a POST');

describe('operations', () => {
  it('stand under the tags of the document, in their order', () => {
    expect(groups.map(({ title, operations }) => [title, operations.map(({ id }) => id)])).toEqual([
      ['Look at things', ['readThing']],
      ['Write', ['postV1ThingsId']],
      ['Other', ['getHealthz']],
    ]);
    expect(operationId('get', '/v1/a-b/{id}')).toBe('getV1ABId');
  });

  it('state the rights that they need', () => {
    const [read, write, other] = groups.flatMap(({ operations }) => operations);
    expect([read, write, other].map((each) => each && rightsOf(API, each))).toEqual([
      undefined,
      ['pay', 'refund'],
      [],
    ]);
  });
});

it('groups parameters: required ones, those without a prefix, those of each prefix', () => {
  const parameters = parametersOf(API, post);
  expect(
    groupsOfParameters(parameters).map((group) => [group.title, group.parameters.map(({ name }) => name)]),
  ).toEqual([
    ['Required', ['id', 'amount']],
    ['General', ['page', 'Key', 'memo']],
    ['cart.*', ['cart.items[n].name']],
  ]);
});

it.each([
  [{ enum: ['a', 'b'] }, 'one of a, b'],
  [{ type: 'string', pattern: '^[A-Z]{3}$' }, 'text like [A-Z]{3}'],
  [{ type: 'string', minLength: 1, maxLength: 9 }, '1 to 9 characters'],
  [{ type: 'string', minLength: 9, maxLength: 9 }, '9 characters'],
  [{ type: 'string', maxLength: 9 }, 'at most 9 characters'],
  [{ type: 'integer', minimum: 1, maximum: 9 }, 'whole number from 1 to 9'],
  [{ type: 'array', items: { type: 'string' } }, 'list: text'],
  [{ type: ['string', 'null'], format: 'date-time' }, 'time, RFC 3339'],
  [{ type: 'boolean' }, 'true or false'],
  [{}, 'any value'],
])('describes the form of %j as %s', (schema, words) => {
  expect(formOf(schema)).toBe(words);
});

it('names the members of an answer by their paths', () => {
  expect(answerFields(API, { $ref: '#/components/schemas/Answer' }).map(({ name }) => name)).toEqual([
    'id',
    'card.bin',
    'rows[].amount',
    'rows[].memo',
  ]);
});

describe('examples', () => {
  const request = requestOf(post, true);

  it('make a request of what stands in the document', () => {
    expect(request).toEqual({
      method: 'POST',
      target: '/v1/things/a%20b?page=2',
      headers: { Key: "it's" },
      form: { amount: '1.00', 'card.holder': 'O\'Hara "J"' },
      token: true,
    });
    expect(answerOf(post)).toEqual({ status: '200', type: 'application/json', body: { ok: true } });
  });

  it.each([
    [
      'curl',
      `curl 'http://host/v1/things/a%20b?page=2' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Key: it'\\''s' \\
  --data-urlencode 'amount=1.00' \\
  --data-urlencode 'card.holder=O'\\''Hara "J"'`,
    ],
    [
      'node',
      `const answer = await fetch('http://host/v1/things/a%20b?page=2', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ' + process.env.TOKEN,
    'Key': 'it\\'s',
  },
  body: new URLSearchParams({
    amount: '1.00',
    'card.holder': 'O\\'Hara "J"',
  }),
});
console.log(answer.status, await answer.text());`,
    ],
    [
      'python',
      `import os, urllib.parse, urllib.request

request = urllib.request.Request(
    "http://host/v1/things/a%20b?page=2",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["TOKEN"],
        "Key": "it's",
    },
    data=urllib.parse.urlencode({
        "amount": "1.00",
        "card.holder": "O'Hara \\"J\\"",
    }).encode(),
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, answer.read().decode())`,
    ],
    [
      'php',
      `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('TOKEN'),
        'Content-Type: application/x-www-form-urlencoded',
        'Key: it\\'s',
    ],
    'content' => http_build_query([
        'amount' => '1.00',
        'card.holder' => 'O\\'Hara "J"',
    ]),
    'ignore_errors' => true,
]]);
echo file_get_contents('http://host/v1/things/a%20b?page=2', false, $context), PHP_EOL;`,
    ],
  ] as const)('become a program in %s, with quotes escaped', (language, code) => {
    expect(codeSample(language, 'http://host', request)).toBe(code);
  });

  it('of a DELETE and of JSON name method and type', () => {
    const removal = { method: 'DELETE', target: '/v1/things/7', headers: {}, token: false };
    expect(codeSample('curl', '', removal)).toBe("curl '/v1/things/7' \\\n  -X DELETE");
    const json = { ...removal, method: 'POST', json: { list: [1, true, null], more: { a: 'b' } } };
    expect(codeSample('python', '', json)).toContain('{\n        "list": [1, True, None],\n');
    expect(codeSample('php', '', json)).toContain("'list' => [1, true, null],");
    expect(codeSample('node', '', json)).toContain("'content-type': 'application/json'");
  });
});

describe('a search', () => {
  const codes = [
    { code: '000.100.110', meaning: 'paid', description: 'Request processed', action: 'Deliver.' },
    {
      code: '800.100.152',
      meaning: 'refused',
      description: 'declined by the bank',
      action: 'Offer another.',
    },
  ];
  const index = new SearchIndex(API, groups);
  const find = (words: string) => index.find(words, { resultCodes: codes });

  it('finds operations by method, path, summary and heading', () => {
    expect(find('post things').operations.map(({ id }) => id)).toEqual(['postV1ThingsId']);
    // What only a heading has comes last.
    expect(find('look').operations.map(({ id }) => id)).toEqual(['getHealthz', 'readThing']);
  });

  it('finds a parameter with the operations that take it', () => {
    expect(find('items[n]').parameters).toEqual([{ name: 'cart.items[n].name', operations: [post] }]);
  });

  it('finds result codes by their beginning, their meaning and their text', () => {
    expect(find('000.100').resultCodes).toEqual([codes[0]]);
    expect(findCodes(codes, 'bank refused')).toEqual([codes[1]]);
    expect(findCodes(codes, '', 'paid')).toEqual([codes[0]]);
    expect(find('nothing of all this')).toEqual({ operations: [], parameters: [], resultCodes: [] });
  });
});

it('reads the id in an address, and nothing where the address was cut', () => {
  expect(['#postV1Sales', '#group%20a', '', '#%', '#a%E0%A4%A'].map(idInHash)).toEqual([
    ...['postV1Sales', 'group a'],
    ...['', '', ''],
  ]);
});
