import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { afterAll, describe, expect, test } from 'vitest';
import { IssuerHost } from './issuer-host.js';
import type { Maker } from './maker.js';
import { MAKERS } from './makers.js';
import { Shop } from './shop.js';

// A tap's FCX answers no objects (published) or those of GOX again (captured): the sale's record is the same.

const host = new IssuerHost();
afterAll(() => host.close());

const [PPC930] = MAKERS.filter(({ deviceType }) => deviceType === 'GERTEC_PPC930') as [Maker];

async function tap(form: 'published' | 'captured', decision: 'approve' | 'decline'): Promise<SaleAnswer> {
  const shop = await Shop.open({ ...PPC930, form }, host, { wire: 'memory', transport: 'serial' });
  shop.line.decision = decision;
  shop.harness.cardholder.follow({ cards: [{ card: 'mastercard-contactless' }] });
  await shop.harness.pass(shop.sell(shop.newReference()));
  const answer = await shop.finalAnswer('R-1');
  shop.expectTrue(answer);
  shop.expectNoSurprise();
  await shop.close();
  return answer;
}

describe.each([
  ['approve', 'approved'],
  ['decline', 'declined'],
] as const)('a tap whose issuer answers %s', (decision, outcome) => {
  test('has the same record in both forms, with its ARQC and no certificate of an end', async () => {
    const [published, captured] = [await tap('published', decision), await tap('captured', decision)];
    expect(published.outcome).toBe(outcome);
    expect(captured.emv).toEqual(published.emv);
    expect(captured.timeline.map(({ step, detail }) => [step, detail])).toEqual(
      published.timeline.map(({ step, detail }) => [step, detail]),
    );
    expect(captured.emv?.acType).toBe('ARQC');
  });
});
