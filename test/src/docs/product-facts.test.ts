import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '@tillbridge/agent/cli/program.js';
import { gatewayProgram } from '@tillbridge/gateway/app/program.js';
import { DECLINE_CODES } from '@tillbridge/gateway/core/acquirers/response-codes.js';
import { ENDPOINTS } from '@tillbridge/gateway/kernel/api/openapi/endpoints.js';
import { cardCatalogue } from '@tillbridge/hardware-sim/cards/catalogue.js';
import { isResultCode } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { findTestCard, TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { codeOf, proseOf, readPages, tableRows } from './markdown.js';
import {
  absentAlerts,
  absentCodes,
  absentExampleKeys,
  absentMetrics,
  absentNames,
  absentPaths,
  absentRoutes,
  absentScripts,
  absentSettings,
  absentVariables,
} from './named-things.js';
import { wrongCalls } from './wrong-calls.js';

const pages = readPages();
const pageAt = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What the API serves, as a page would name it: `checkouts`, `3D Secure`. */
const RESOURCES: ReadonlySet<string> = new Set(
  ENDPOINTS.flatMap(({ path }) => path.split('/').filter((part) => /^[a-z]{6,}$/i.test(part))).map((part) =>
    part === 'threeDSecure' ? '3D Secure' : part,
  ),
);
const NOT_BUILT = /^(.*)(?<!what )\b(?:is|are) not (?:yet )?(?:built|processed|implemented)\b/i;

/** Sentences and cells that deny a resource of the API. */
function deniedIn(text: string): readonly string[] {
  return proseOf(text)
    .split(/\||[.;:](?=\s)|\n(?=[-#\n])/)
    .filter((sentence) => {
      const [, subject = ''] = NOT_BUILT.exec(sentence.replaceAll('\n', ' ')) ?? [];
      return [...RESOURCES].some((name) => new RegExp(`\\b${name}\\b`, 'i').test(subject));
    });
}

/** A path with its parameters nameless, without a query. */
const shapeOf = (path: string) => path.replace(/\?.*$/, '').replaceAll(/\{\w+\}/g, '{}');

describe('the pages of the repository, compared with the product', () => {
  it('name result codes of the catalogue', () => {
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\d.])\d{3}\.\d{3}\.\d{3}(?!\.?\d)/g)].map(([code]) => ({ path, code })),
    );
    expect(named.length).toBeGreaterThan(500);
    expect(named.filter(({ code }) => !isResultCode(code))).toEqual([]);
  });

  it('call nothing unbuilt that the API serves', () => {
    expect(pages.flatMap(({ path, text }) => deniedIn(text).map((line) => `${path}: ${line}`))).toEqual([]);
  });

  it.each([
    '- 3D Secure is not processed.',
    '- Checkouts, registrations, schedules and reports are not built.',
    '| over REST | payments are not yet implemented |',
  ])('would be noticed with: %s', (text) => {
    expect(deniedIn(text)).toHaveLength(1);
  });

  it('name routes of the API that it serves', () => {
    const served = new Set(ENDPOINTS.map(({ method, path }) => `${method.toUpperCase()} ${shapeOf(path)}`));
    const named = pages
      .filter(({ path }) => path.startsWith('gateway/'))
      .flatMap(({ text }) => codeOf(text))
      .filter((code) => /^(?:GET|POST|DELETE|PUT) \/(?:v\d|reports|scheduling|paybylink)\//.test(code));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((code) => !served.has(shapeOf(code)))).toEqual([]);
  });
});

const agent = createProgram({
  env: {},
  output: { out: () => {}, note: () => {} } as never,
  run: () => Promise.resolve(0),
  ended: () => {},
});

/** A page with one text in it, to prove that a check can fail. */
const pageWith = (text: string, path = 'gateway/docs/page.md') => [{ path, text }];

describe('what the pages name', () => {
  it.each([
    ['environment variables', absentVariables, 'Set `GATEWAY_LGO`.'],
    ['keys of the configuration', absentSettings, 'Set `throttle.failedCrads` to 5.'],
    ['metrics', absentMetrics, 'Watch `tillbridge_gateway_open_intent`.'],
    ['files and folders', absentPaths, 'See `src/payments/flow/gate.ts`.'],
    ['result codes that the product gives', absentCodes, 'It is refused with 100.390.118.'],
    ['alerts', absentAlerts, 'It raises the alert `webhook-falling`.'],
    ['keys of YAML examples', absentExampleKeys, '```yaml\nvault: { keepDay: 3 }\n```'],
    ['npm scripts', absentScripts, 'Run `npm run chekc`.'],
    ['types, functions and fields of the code', absentNames, 'Call `decideAgainst`.'],
  ])('exists: %s', (_what, absentIn, planted) => {
    expect(absentIn(pages)).toEqual([]);
    expect(absentIn(pageWith(planted))).toHaveLength(1);
  });

  it('exists: routes of agent and simulator', () => {
    expect(absentRoutes(pages)).toEqual([]);
    expect(absentRoutes(pageWith('Call `GET /v1/sale/{reference}`.', 'agent/docs/page.md'))).toHaveLength(1);
  });

  it.each([
    '`settlement acount MERCHANT`',
    '`tillbridge-gateway token create --enttiy ID`',
    '```text\ntillbridge-gateway vault rotate --key\n```',
  ])('is a call that the gateway takes; refused would be: %s', (planted) => {
    const programs = { agent, gateway: gatewayProgram() };
    expect(wrongCalls(pages, programs)).toEqual([]);
    expect(wrongCalls(pageWith(planted), programs)).toHaveLength(1);
  });
});

describe('the pages of commands', () => {
  it.each([
    ['agent/docs/operations.md', agent],
    ['gateway/docs/cli.md', gatewayProgram()],
  ])('%s has every command', (page, program) => {
    const rows = tableRows(pageAt(page), 'command').map(([cell = '']) => cell);
    const missing = program.commands.flatMap((command) => {
      const group = command.name();
      const row = rows.filter((cell) => new RegExp(`\`${group}\\b`).test(cell)).join(' ');
      if (row === '') return [group];
      if (row.includes(`\`${group} …\``) || row.includes(`\`${group}\``)) return [];
      return command.commands
        .map((sub) => sub.name())
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(row))
        .map((name) => `${group} ${name}`);
    });
    expect(program.commands.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});

describe('the tables of test cards', () => {
  it('of the simulator are its catalogue', () => {
    const rows = tableRows(pageAt('hardware-sim/docs/cards.md'), 'card');
    expect(rows).toEqual(cardCatalogue().map(({ name, description }) => [`\`${name}\``, description]));
  });

  const rows = tableRows(pageAt('gateway/docs/test-mode.md'), 'Card').flatMap(([cards = '', , what = '']) =>
    [...cards.matchAll(/\d{13,19}/g)].map(([pan]) => ({ pan, what })),
  );

  it.each(rows)('of test mode: $pan is $what', ({ pan, what }) => {
    const card = findTestCard(pan);
    const { behaviour } = card ?? {};
    if (behaviour?.kind === 'decline') {
      expect(what).toContain(`declined ${codeOfDecline(behaviour.responseCode)}`);
      expect(what).toContain(behaviour.responseCode);
    } else if (behaviour?.kind === 'refer') expect(what).toContain(`declined ${codeOfDecline('01')}`);
    else expect(what).toMatch(/^approved|check digit/);
  });

  it('of test mode has every card that is not simply approved', () => {
    const special = Object.values(TEST_CARDS).filter(({ behaviour }) => behaviour.kind !== 'approve');
    expect(special.map(({ pan }) => pan).filter((pan) => !rows.some((row) => row.pan === pan))).toEqual([]);
  });
});

function codeOfDecline(responseCode: string): string | undefined {
  return Object.entries(DECLINE_CODES).find(([code]) => code === responseCode)?.[1];
}
