import type { AgentIncident, IncidentRow } from '@tillbridge/agent/incident/agent-incident.js';
import type { GatewayIncident } from '@tillbridge/gateway/app/incident/gateway-incident.js';
import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { encodeIncident } from '@tillbridge/wire/incident/incident-file.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { MUTATIONS, type MutationName } from '../simulation/mutations/mutations.js';
import {
  exportedFamilies,
  exportedJournals,
  replayDisks,
  replayJournals,
} from '../simulation/replay-disks.js';
import { type EndedDisks, runSimulation } from '../simulation/simulation.js';
import { replayAgent } from './agent/replay-agent.js';
import type { Divergence, IncidentReport } from './core/verdict.js';
import { IncidentFileError, readIncident } from './file/read-incident.js';
import { replayGateway } from './gateway/replay-gateway.js';
import { replayIncident } from './replay-incident.js';

/** A simulation with lost writes, sales without the gateway, and a link to an acquirer's host. */
const SEED = 6;
/** Mutations whose journals show them: a seed in which they act, and the row that no event leads to. */
const SHOWN: readonly (readonly [name: MutationName, seed: number, row: RegExp])[] = [
  ['an approval that the card refused is not reversed', 1, /^row \d+, ended .*"reason":"declined-by-card"/],
  ['no answer counts as a decline', 1, /^row \d+, ended .*"reason":"no-answer"/],
  ['an AAC after an approval counts as approved', 1, /^row \d+, completed .*"acType":"AAC"/],
];

async function disksOf(options: Parameters<typeof runSimulation>[0]): Promise<EndedDisks> {
  let left: EndedDisks | undefined;
  await runSimulation({
    ...options,
    ended: async (disks) => {
      left = disks;
    },
  });
  if (!left) throw new Error('the simulation has not ended');
  return left;
}

const divergences = (reports: readonly IncidentReport[]): readonly Divergence[] =>
  reports.flatMap(({ verdicts }) => verdicts.flatMap(({ divergence }) => divergence ?? []));

const HEAD = { writtenBy: 'test/1', node: 'v20', writtenAtMs: 0, leftOut: ['keys'] } as const;

let disks: EndedDisks;
let journals: readonly AgentIncident[];
let families: readonly GatewayIncident[];

beforeAll(async () => {
  disks = await disksOf({ seed: SEED });
  journals = exportedJournals(disks);
  families = await exportedFamilies(disks);
});

/** An approved sale with the gateway, and its journal. */
function approvedSale() {
  for (const journal of journals)
    for (const sale of journal.sales) {
      const isOnline = sale.rows.map(({ kind }) => kind).join() === ONLINE.join();
      if (isOnline && sale.rows.at(-1)?.data.outcome === 'approved') return { journal, sale };
    }
  throw new Error('no sale was approved');
}

/** The first divergence of a journal in which a sale has other rows. */
function replayedWith(
  { journal, sale }: ReturnType<typeof approvedSale>,
  change: (rows: readonly IncidentRow[]) => readonly IncidentRow[],
): Divergence | undefined {
  // Of the other sales nothing is looked at.
  return divergences([replayAgent({ ...journal, sales: [{ ...sale, rows: change(sale.rows) }] })])[0];
}

const withData = (kind: string, data: Partial<IncidentRow['data']>) => (rows: readonly IncidentRow[]) =>
  rows.map((row) =>
    row.kind === kind ? { ...row, data: { ...row.data, ...data } as IncidentRow['data'] } : row,
  );

const ONLINE = ['accepted', 'authorizing', 'answered', 'completed', 'ended'];

describe('the journals and payments of a simulation', () => {
  it('replay row for row', async () => {
    const reports = (await replayDisks(disks)).map(({ report }) => report);
    expect(divergences(reports)).toEqual([]);
    const rows = reports.flatMap(({ verdicts }) => verdicts).reduce((sum, verdict) => sum + verdict.rows, 0);
    const journaled = journals
      .flatMap(({ sales }) => sales)
      .reduce((sum, { rows: own }) => sum + own.length, 0);
    expect(rows).toBeGreaterThan(journaled);
    expect(journaled).toBeGreaterThan(300);
  });

  it('replay from a file, and the report states what is not replayed', () => {
    const [content] = journals;
    const { isReachable, lines } = replayIncident(encodeIncident({ kind: 'agent', ...HEAD }, content ?? {}));
    expect(isReachable).toBe(true);
    expect(lines).toContain('not replayed:');
    expect(lines).toContain('  - keys');
    expect(lines.at(-1)).toMatch(/^incident: (\d+)\/\1 replayed, \d+ rows reached$/);
  });
});

describe('a journal whose rows no event leads to', () => {
  it('is refused at an approval that no answer gave', () => {
    const found = replayedWith(approvedSale(), (rows) =>
      rows.filter(({ kind }) => kind === 'accepted' || kind === 'authorizing' || kind === 'ended'),
    );
    expect(found?.row).toMatch(/^row \d+, ended/);
    expect(found?.state).toContain('authorizing');
    expect(found?.tried).toContain('timer (answer): a timer ran out');
  });

  it('is refused at an approval of a declined answer', () => {
    const answer = { answer: { disposition: 'declined' } };
    const found = replayedWith(approvedSale(), withData('answered', answer));
    expect(found?.row).toMatch(/^row \d+, ended .*"approved"/);
    expect(found?.state).toContain('completing');
  });

  it('is refused at a capture that nothing was authorized for', () => {
    const online = approvedSale();
    const found = replayedWith(online, (rows) => {
      const last = rows.at(-1);
      if (!last) return rows;
      const amount = { minor: 1, currency: 'EUR' };
      const data = { originalMessageId: rows[1]?.messageId ?? '', amount, final: true };
      const row = {
        ...last,
        row: online.journal.headRow + 1,
        kind: 'capture',
        messageId: 'new',
        sequence: 9_999,
        data,
      };
      return [...rows, row];
    });
    expect(found?.row).toContain('capture');
    expect(found?.state).toContain('done');
  });

  it('is refused at a reversal without a cause, and at one of another amount', () => {
    const reversed = journals
      .flatMap((journal) => journal.sales.map((sale) => ({ journal, sale })))
      .find(({ sale }) =>
        sale.rows.some(({ kind, data }) => kind === 'reversal' && data.reason === 'no-answer'),
      );
    if (!reversed) throw new Error('no sale was reversed');
    expect(replayedWith(reversed, withData('reversal', { reason: 'approved' }))?.row).toContain('reversal');
    const amount = { minor: 1, currency: 'EUR' };
    expect(replayedWith(reversed, withData('reversal', { amount }))?.row).toContain('reversal');
  });

  it('is refused where a sale is taken without the gateway although that is switched off', () => {
    const offline = journals
      .flatMap((journal) => journal.sales.map((sale) => ({ journal, sale })))
      .find(({ sale }) => sale.rows.some(({ kind }) => kind === 'offline-record'));
    if (!offline) throw new Error('no sale was taken without the gateway');
    const { journal, sale } = offline;
    const policy = { ...journal.policy, offline: { ...journal.policy.offline, enabled: false } };
    expect(divergences([replayAgent({ ...journal, sales: [sale] })])).toEqual([]);
    const [found] = divergences([replayAgent({ ...journal, sales: [sale], policy })]);
    expect(found?.row).toMatch(/^row \d+, (completed|preceding-reversal|offline-record)/);
  });

  it('is refused where a row stands twice', () => {
    const found = replayedWith(approvedSale(), (rows) => [...rows, ...rows.slice(-1)]);
    expect(found?.because).toContain('stands in another row too');
  });

  it.each(SHOWN)('is refused at the row of a bug: %s', async (name, seed, row) => {
    const found = divergences(replayJournals(await disksOf({ seed, mutation: MUTATIONS[name] })));
    expect(found.length).toBeGreaterThan(0);
    for (const divergence of found) expect(divergence.row).toMatch(row);
  });
});

/** A family of payments that a follow-up of a type was carried out in. */
function familyWith(type: PaymentRow['type']) {
  const family = families.find(({ payments }) =>
    payments.some((row) => row.type === type && row.state !== 'declined' && row.rootId !== null),
  );
  if (!family) throw new Error(`no payment was followed by ${type}`);
  return family;
}

const changed = (
  family: GatewayIncident,
  type: string,
  columns: Partial<PaymentRow>,
): readonly Divergence[] => {
  const payments = family.payments.map((row) => (row.type === type ? { ...row, ...columns } : row));
  return divergences([replayGateway({ ...family, payments })]);
};

describe('payments that no decision leads to', () => {
  it('are refused where a refund is not in the amounts of its payment', () => {
    const family = familyWith('RF');
    const { rootId } = family.payments.find(({ type }) => type === 'RF') ?? {};
    const payments = family.payments.map((row) => (row.id === rootId ? { ...row, refundedMinor: 0 } : row));
    const [found] = divergences([replayGateway({ ...family, payments })]);
    expect(found?.row).toBe(`payments ${rootId}`);
    expect(found?.because).toContain('refundedMinor is 0, the rows before lead to');
  });

  it('are refused at a refund of more than was taken', () => {
    const family = familyWith('RF');
    const intents = family.intents.map((row) => {
      const detail = JSON.parse(row.detail) as { readonly followUp?: object };
      const followUp = detail.followUp && { ...detail.followUp, amountMinor: 99_999_999 };
      return { ...row, detail: JSON.stringify({ ...detail, followUp }) };
    });
    const [found] = divergences([replayGateway({ ...family, intents })]);
    expect(found?.row).toContain(': RF of ');
    expect(found?.because).toContain('the lifecycle refuses it there with 700.400.200');
    expect(found?.state).toMatch(/captured|credited/);
  });

  it('are refused at an approval without an intent', () => {
    const family = familyWith('RV');
    const [found] = divergences([replayGateway({ ...family, intents: [] })]);
    expect(found?.because).toBe('an approval has an intent, which is committed before the request');
  });

  it('are refused where a reversal has left the money', () => {
    const family = familyWith('RV');
    const root = family.payments.find(({ state }) => state === 'reversed');
    if (!root) throw new Error('nothing was reversed');
    const [found] = changed(family, root.type, { state: 'captured', capturedMinor: root.authorizedMinor });
    expect(found?.because).toContain('state is captured, the rows before lead to reversed');
  });

  it('are refused where a till reference is held by a sale that was reversed', () => {
    const family = families.find(({ claims }) => claims.some(({ released }) => released === 1));
    if (!family) throw new Error('no reference was released');
    const claims = family.claims.map((row) => ({ ...row, released: 0 as const }));
    const [found] = divergences([replayGateway({ ...family, claims })]);
    expect(found?.row).toContain('claims');
  });

  it('are refused where the stored answer is another than the outcome', () => {
    const family = families.find(({ inbox }) => inbox.some(({ result }) => result.includes('"approved"')));
    if (!family) throw new Error('no message was approved');
    const inbox = family.inbox.map((row) => ({ ...row, result: row.result.replace('approved', 'declined') }));
    const [found] = divergences([replayGateway({ ...family, inbox })]);
    expect(found?.row).toContain('inbox');
  });
});

describe('a file', () => {
  const whole = () => encodeIncident({ kind: 'agent', ...HEAD }, journals[0] ?? {});

  it.each<[string, (text: string) => string, RegExp]>([
    ['is no JSON', () => 'tillbridge', /no JSON/],
    ['ends in the middle', (text) => text.slice(0, text.length / 2), /ends in the middle/],
    ['is another file', () => '{"format":"other"}', /no incident file/],
    ['is of a newer build', (text) => text.replace('"version": 1', '"version": 2'), /newer build/],
    ['has no content', (text) => text.replace('"content": {', '"other": {'), /content is missing/],
    ['lacks rows', (text) => text.replace('"sales": [', '"sails": ['), /sales is missing/],
    ['has a row without a number', (text) => text.replace(/"row": \d+/, '"row": "one"'), /row must be/],
  ])('that %s is refused', (_what, change, reason) => {
    expect(() => readIncident(change(whole()))).toThrow(IncidentFileError);
    expect(() => readIncident(change(whole()))).toThrow(reason);
  });
});
