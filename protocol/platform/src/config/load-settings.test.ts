import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mappingOf, oneOf, ruledText, section, text, wholeNumber } from '../schema/fields.js';
import { Type } from '../schema/type.js';
import { loadSettings } from './load-settings.js';
import { port } from './net-setting.js';
import { ConfigError } from './problems.js';
import { environmentHelp, referencePage } from './reference.js';
import { flag, switchOr } from './setting.js';

const COUNT = wholeNumber(1, 9, { description: 'How many.' });
const SCHEMA = section({
  port: port({ description: 'The port.', env: 'PORT', default: 80 }),
  auto: flag({ description: 'By itself.', env: 'AUTO', default: false }),
  url: ruledText(
    'an address',
    (value) => (typeof value === 'string' && value.startsWith('https:') ? undefined : {}),
    { description: 'Where.', default: 'https://a' },
  ),
  token: Type.Optional(text('a token', /^[a-z]+$/, { description: 'Secret.', secret: true })),
  proxy: Type.Optional(
    section({ target: text('a target', /^t/, { description: 'Where to.', env: 'TARGET' }), count: COUNT }),
  ),
  items: Type.Array(section({ id: COUNT, kind: oneOf(['red', 'blue'], { description: 'Colour.' }) }), {
    expected: 'a list of items',
    description: 'Items.',
    env: 'ITEMS',
    default: [],
  }),
  own: Type.Optional(
    switchOr(section({ by: mappingOf('letters', /^[a-z]$/, 'one letter', COUNT) }), {
      description: 'Own rules.',
      env: 'OWN',
    }),
  ),
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  file = join(folder, 'program.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(yaml: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(file, yaml, { mode: 0o600 });
  return loadSettings(SCHEMA, { file, env }, (settings, problems) => {
    const ids = settings.items.map(({ id }) => id);
    if (new Set(ids).size < ids.length) problems.at(['items'], 'has two of one id');
    return settings;
  });
}

function problemsOf(yaml: string, env: NodeJS.ProcessEnv = {}): readonly string[] {
  try {
    load(yaml, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${file}: `, ''));
  }
}

it('fills in what is left out, also inside what is there', () => {
  expect(load('')).toEqual({ port: 80, auto: false, url: 'https://a', items: [] });
  expect(load('port:\nitems: [{id: 1, kind: red}]')).toMatchObject({ port: 80, items: [{ id: 1 }] });
});

it('lets the environment win, and reads its texts as what the schema wants', () => {
  const env = { PORT: '0', AUTO: '1', OWN: '{by: {a: 3}}', ITEMS: '[{id: "1", kind: red}]', TARGET: '' };
  expect(load('{port: 7, auto: false, own: off}', env)).toMatchObject({
    port: 0,
    auto: true,
    own: { by: { a: 3 } },
    items: [{ id: 1, kind: 'red' }],
  });
  expect(load('port: "81"').port).toBe(81);
});

describe('what is wrong', () => {
  it.each<[string, NodeJS.ProcessEnv, readonly string[]]>([
    ['prot: 1', {}, ['prot is no known key; did you mean port?']],
    ['zzzz: 1', {}, ['zzzz is no known key; expected port, auto, url, token, proxy, items, own']],
    ['port: 70000', {}, ['port must be a whole number from 0 to 65535, not 70000']],
    ['port: true', {}, ['port must be a whole number from 0 to 65535, not true']],
    ['auto: maybe', {}, ['auto must be true or false (1 or 0), not "maybe"']],
    ['url: http://me:pw@x', {}, ['url must be an address, not "http://…@x"']],
    ['token: S3CRET', {}, ['token must be a token']],
    ['proxy: {target: t}', {}, ['proxy.count is missing: expected a whole number from 1 to 9']],
    ['items: 7', {}, ['items must be a list of items, not 7']],
    [
      'items: [{id: 1, kind: rde}]',
      {},
      ['items[0].kind must be one of red, blue, not "rde"; did you mean red?'],
    ],
    ['own: sometimes', {}, ['own must be off, on, or a mapping with by, not "sometimes"']],
    ['own: {by: {A: 1}}', {}, ['own.by.A must be one letter, not "A"']],
    ['', { PORT: 'x' }, ['PORT must be a whole number from 0 to 65535, not "x"']],
    ['', { OWN: '{by: {a: 0}}' }, ['OWN.by.a must be a whole number from 1 to 9, not 0']],
    ['', { TARGET: 't' }, ['proxy.count is missing: expected a whole number from 1 to 9']],
    ['- 1', {}, ['the file must be a mapping with port, auto, url, token, proxy, items, own, not [1]']],
  ])('%s with %o', (yaml, env, problems) => {
    expect(problemsOf(yaml, env)).toEqual(problems);
  });

  it('is reported together with all other faults, also between correct values', () => {
    const yaml = 'port: x\nprot: 2\nitems: [{id: 0, kind: red}, {id: 1, kind: red}, {id: 1, kind: blue}]';
    expect(problemsOf(yaml)).toEqual([
      expect.stringContaining('prot is'),
      expect.stringContaining('port must'),
      expect.stringContaining('items[0].id must'),
      'items has two of one id',
    ]);
  });

  it('names the place in a file that is no YAML', () => {
    expect(problemsOf('port: 1\nport: 2')).toEqual([`${file}:2:1 is no valid YAML: Map keys must be unique`]);
    expect(problemsOf('port: &x 1\nitems: *x')).toEqual([expect.stringContaining('uses aliases (*name)')]);
    expect(problemsOf('', { OWN: '{by: *x}' })).toEqual([expect.stringContaining('OWN must be off, on, or')]);
  });
});

it('lists every setting on its page and every variable in the help', () => {
  const page = referencePage('program', SCHEMA);
  for (const row of [
    '| `port` | `PORT` | a whole number from 0 to 65535 | `80` | The port. |',
    '| `proxy.count` |  | a whole number from 1 to 9 | required with `proxy` | How many. |',
    '| `items[].kind` |  | one of red, blue | required | Colour. |',
    '| `own.by.NAME` |',
    '| `token` |  | a token | – | Secret. |',
  ])
    expect(page).toContain(row);
  expect(environmentHelp(SCHEMA)).toContain('  TARGET (proxy.target): a target');
});
