import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TILL_RIGHTS } from '@tillbridge/agent/access/rights.js';
import { TILL_ERRORS } from '@tillbridge/agent/errors/error-table.js';
import { HANDLERS } from '@tillbridge/agent/nexo/service/nexo-service.js';
import { OFFLINE_REASONS } from '@tillbridge/agent/sale/offline/offline-reasons.js';
import { TOTAL_KINDS } from '@tillbridge/agent/sale/totals/totals.js';
import {
  CALLER_ANSWER,
  CODE_ANSWER,
  DAY_CLOSE_ANSWER,
  DAY_CLOSES_ANSWER,
  ERROR_ANSWER,
  HISTORY_ANSWER,
  QUEUE_ANSWER,
  REFUNDS_ANSWER,
  SALE_ANSWER,
  SESSION_ANSWER,
  STATUS_ANSWER,
  STREAM_TOKEN_ANSWER,
  TERMINALS_ANSWER,
  TILLS_ANSWER,
  TOTALS_ANSWER,
} from '@tillbridge/agent/till/answers.js';
import { INBOX_KIND_NAMES } from '@tillbridge/gateway/kernel/api/catalogue/administration/inbox.js';
import { TOKEN_RIGHTS } from '@tillbridge/gateway/kernel/api/token-rights.js';
import { type DeviceStep, statesBefore } from '@tillbridge/gateway/security/devices/device-states.js';
import { USAGE_RULES } from '@tillbridge/gateway/security/keys/key-rules.js';
import { DEVICE_FAULT_NAMES, LINE_FAULT_NAMES } from '@tillbridge/hardware-sim/faults/fault.js';
import { FAULT_KINDS, HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { CARD_REASONS } from '@tillbridge/wire/payment/chargeback-reasons.js';
import { describe, expect, it } from 'vitest';
import { MODULES } from '../mutation/modules.js';
import { mutationPage } from '../mutation/mutation-page.js';
import { readRecord } from '../mutation/record.js';
import { ROOT } from '../stack/layout.js';
import { tableRows } from './markdown.js';

const pageAt = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Names in code spans of a column of the table whose first heading this is. */
function columnOf(page: string, heading: string, column = 0): readonly string[] {
  return tableRows(pageAt(page), heading).flatMap((cells) => namesIn(cells[column] ?? ''));
}

/** `10.1 to 10.3, 4837` as single reasons. */
function reasonsIn(cell: string): readonly string[] {
  return cell.split(', ').flatMap((part) => {
    const [, family, from, to] = /^(\d+)\.(\d) to \d+\.(\d)$/.exec(part) ?? [];
    if (from === undefined) return [part];
    return Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_none, index) => `${family}.${Number(from) + index}`,
    );
  });
}

const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

describe('tables of the pages that list what the code has', () => {
  it.each<readonly [page: string, heading: string, names: readonly string[]]>([
    ['agent/docs/tills.md', 'right', TILL_RIGHTS],
    ['agent/docs/day-close.md', 'kind', [...TOTAL_KINDS, 'net']],
    ['agent/docs/offline-rules.md', 'word', wordsOfOffline()],
    ['gateway/docs/rest-api.md', 'right', Object.keys(TOKEN_RIGHTS)],
    ['gateway/docs/inbox.md', 'kind', INBOX_KIND_NAMES],
    ['hardware-sim/docs/faults.md', 'fault of the line', LINE_FAULT_NAMES],
    ['hardware-sim/docs/faults.md', 'fault of the device', DEVICE_FAULT_NAMES],
    ['hardware-sim/docs/acquirer-host.md', 'fault', HOST_FAULT_NAMES],
    ['test/vectors/README.md', 'topic', vectorTopics()],
  ])('%s: %s', (page, heading, names) => {
    // A cell may name another thing behind the first column's kinds: `slow` with its option `--delay`.
    expect(sorted(columnOf(page, heading).filter((name) => !name.startsWith('--')))).toEqual(sorted(names));
  });

  it('gateway/docs/devices.md: what each state may become', () => {
    const becomes: Readonly<Record<DeviceStep, string>> = {
      assign: 'active',
      suspend: 'suspended',
      resume: 'active',
      tamper: 'tampered',
      decommission: 'decommissioned',
    };
    const steps = Object.entries(becomes) as readonly [DeviceStep, string][];
    const rows = tableRows(pageAt('gateway/docs/devices.md'), 'state');
    expect(rows).toHaveLength(5);
    for (const [state = '', may = ''] of rows) {
      const [name = ''] = namesIn(state);
      const next = steps.filter(([step]) => (statesBefore(step) as readonly string[]).includes(name));
      expect(sorted(namesIn(may)), name).toEqual(
        sorted(next.map(([, to]) => to).filter((to) => to !== name)),
      );
    }
  });

  it('gateway/docs/chargebacks.md: the code of each reason of a card scheme', () => {
    const rows = tableRows(pageAt('gateway/docs/chargebacks.md'), 'reasons').filter(([reasons]) =>
      /^\d/.test(reasons ?? ''),
    );
    const named = rows.flatMap(([reasons = '', , code = '']) =>
      reasonsIn(reasons).map((reason) => [reason, code]),
    );
    expect(Object.fromEntries(named)).toEqual(CARD_REASONS);
  });

  it('gateway/docs/keys-and-security.md: the usages of keys', () => {
    const [, usages = ''] = /^Usages: (.*?)\./ms.exec(pageAt('gateway/docs/keys-and-security.md')) ?? [];
    expect(sorted([...namesIn(usages), 'vault-kek'])).toEqual(sorted(Object.keys(USAGE_RULES)));
  });

  it('hardware-sim/docs/acquirer-host.md: what faults can be on', () => {
    const page = pageAt('hardware-sim/docs/acquirer-host.md');
    const [, kinds = ''] = /`on` is ([^|]*)/.exec(page) ?? [];
    expect(namesIn(kinds).filter((kind) => !(FAULT_KINDS as readonly string[]).includes(kind))).toEqual([]);
  });

  it('agent/docs/nexo.md: the messages that are answered', () => {
    const named = columnOf('agent/docs/nexo.md', 'category');
    expect(sorted(named)).toEqual(sorted(Object.keys(HANDLERS)));
  });

  it('test/docs/mutations.md: what was measured', () => {
    expect(pageAt('test/docs/mutations.md')).toBe(mutationPage(MODULES, (name) => readRecord(ROOT, name)));
  });

  it.each([
    [
      'till-api.md',
      {
        SALE_ANSWER,
        ERROR_ANSWER,
        TERMINALS_ANSWER,
        STATUS_ANSWER,
        QUEUE_ANSWER,
        HISTORY_ANSWER,
        REFUNDS_ANSWER,
      },
    ],
    ['day-close.md', { TOTALS_ANSWER, DAY_CLOSE_ANSWER, DAY_CLOSES_ANSWER }],
    ['tills.md', { TILLS_ANSWER, CALLER_ANSWER, STREAM_TOKEN_ANSWER, CODE_ANSWER, SESSION_ANSWER }],
  ])('agent/docs/%s: every member of the answers, and every word of a state', (page, answers) => {
    const words = new Set(pageAt(`agent/docs/${page}`).match(/[\w-]+/g));
    for (const [name, schema] of Object.entries(answers))
      expect(
        sorted(namesOf(schema)).filter((each) => each.length > 2 && !words.has(each)),
        name,
      ).toEqual([]);
  });

  it('agent/docs/till-api.md: the errors of tills', () => {
    const codes = columnOf('agent/docs/till-api.md', 'status', 1);
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((code) => !Object.hasOwn(TILL_ERRORS, code))).toEqual([]);
  });
});

/** The reasons, those of deferred authorizations as `deferral-…`. */
function wordsOfOffline(): readonly string[] {
  return Object.keys(OFFLINE_REASONS).map((word) => (word.startsWith('deferral-') ? 'deferral-…' : word));
}

function vectorTopics(): readonly string[] {
  return readdirSync(join(ROOT, 'test/vectors'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''));
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
}

/** Members of an answer, and the words that its texts may be. */
function namesOf(shape: Shape): readonly string[] {
  const { properties = {}, items, enum: words = [] } = shape;
  const inner = [...Object.values(properties), ...(items ? [items] : [])].flatMap(namesOf);
  return [...Object.keys(properties), ...words.filter((word) => typeof word === 'string'), ...inner];
}
