import { describe, expect, test } from 'vitest';
import { GIFT_CARD_PINS } from '../gift-cards.js';
import type { LedgerRequest } from '../ledger.js';
import type { LedgerStore } from '../ledger-store.js';

/** A ledger on a new disk, and the same disk opened again. */
export type LedgerStoreEngine = () => Promise<{ ledger: LedgerStore; reopen(): Promise<LedgerStore> }>;

/** A request to the ledger: a sale by default. */
export function ledgerRequest(overrides: Partial<LedgerRequest> = {}): LedgerRequest {
  return {
    kind: 'authorization',
    acquirerReference: 'a1',
    amount: { minor: 1_000, currency: 'EUR' },
    messageId: null,
    originalReference: null,
    captureNow: true,
    terminalId: '1',
    instrument: 'card',
    last4Digits: '0000',
    panHash: 'hash',
    giftCard: null,
    parametersHash: 'p1',
    atMs: 7,
    issuer: { responseCode: '00', approvalCode: '123456' },
    ...overrides,
  };
}

/** A payment of EUR 6.00 with a gift card that held EUR 20.00, or what the overrides make of it. */
export function giftCardRequest(
  acquirerReference: string,
  overrides: Partial<LedgerRequest> = {},
): LedgerRequest {
  const { issuer: _, ...request } = ledgerRequest({
    acquirerReference,
    amount: { minor: 600, currency: 'EUR' },
    instrument: 'gift-card',
    giftCard: 'card',
    giftCardAsk: {
      issued: { behaviour: { kind: 'pay' }, currency: 'EUR', openingMinor: 2_000 },
      pinIsRight: true,
      approvalCode: '123456',
    },
    ...overrides,
  });
  return request;
}

/** A question for the balance of the same card. */
function inquiry(acquirerReference: string): LedgerRequest {
  return giftCardRequest(acquirerReference, { kind: 'inquiry', amount: { minor: 0, currency: 'EUR' } });
}

async function record(ledger: LedgerStore, ...requests: readonly LedgerRequest[]): Promise<string[]> {
  return (await ledger.record(requests)).map(({ responseCode }) => responseCode);
}

/** Tests what every engine of the acquirer's ledger promises. */
export function describeLedgerStore(name: string, engine: LedgerStoreEngine): void {
  describe(`ledger of the acquirer: ${name}`, () => {
    test('keeps what was recorded, in its order, beyond a restart', async () => {
      const { ledger, reopen } = await engine();
      await record(ledger, ledgerRequest({ acquirerReference: 'z' }));
      await record(ledger, ledgerRequest({ acquirerReference: 'a' }));
      const again = await reopen();
      expect((await again.all()).map((row) => row.acquirerReference)).toEqual(['z', 'a']);
      expect(await again.find('z')).toMatchObject({ approved: 1, capturedMinor: 1_000, atMs: 7 });
      expect(await again.find('b')).toBeUndefined();
    });

    test('reads on from any position, with the amounts as they are by then', async () => {
      const { ledger } = await engine();
      const references = ['c', 'a', 'b'];
      await record(ledger, ...references.map((acquirerReference) => ledgerRequest({ acquirerReference })));
      const first = await ledger.after(0, 2);
      expect(first.map(({ row }) => row.acquirerReference)).toEqual(['c', 'a']);
      await record(ledger, ledgerRequest({ kind: 'refund', acquirerReference: 'r', originalReference: 'c' }));
      const rest = await ledger.after(first[1]?.position ?? 0, 9);
      expect(rest.map(({ row }) => row.acquirerReference)).toEqual(['b', 'r']);
      expect((await ledger.after(0, 1))[0]?.row).toMatchObject({ refundedMinor: 1_000 });
      expect(await ledger.after(rest[1]?.position ?? 0, 9)).toEqual([]);
    });

    test('decides each request on what the ones before it have left', async () => {
      const { ledger } = await engine();
      const refund = ledgerRequest({ kind: 'refund', acquirerReference: 'r', originalReference: 'a1' });
      const another = { ...refund, acquirerReference: 's' };
      expect(await record(ledger, ledgerRequest(), refund, another, ledgerRequest())).toEqual([
        '00',
        '00',
        '13',
        '00',
      ]);
      expect(await ledger.find('a1')).toMatchObject({ refundedMinor: 1_000 });
      expect((await ledger.all()).map((row) => row.acquirerReference)).toEqual(['a1', 'r', 's']);
    });

    test('decides on a gift card by what it holds of it, and keeps inquiries out of its record', async () => {
      const { ledger, reopen } = await engine();
      const pay = (...references: readonly string[]) =>
        record(ledger, ...references.map((each) => giftCardRequest(each)));
      expect(await pay('a', 'b')).toEqual(['00', '00']);
      expect(await pay('c', 'd', 'a')).toEqual(['00', '51', '00']);
      const other = giftCardRequest('o', { giftCard: 'another' });
      expect((await ledger.record([inquiry('i'), other])).map(({ balanceMinor }) => balanceMinor)).toEqual([
        200, 1_400,
      ]);
      await record(
        ledger,
        ledgerRequest({ kind: 'reversal', acquirerReference: 'r', originalReference: 'b' }),
      );
      const again = await reopen();
      expect(await record(again, inquiry('j'), giftCardRequest('e'))).toEqual(['00', '00']);
      const recorded = ['a', 'b', 'c', 'd', 'o', 'r', 'e'];
      expect((await again.all()).map((row) => row.acquirerReference)).toEqual(recorded);
      const placed = (await again.after(0, 9)).map(({ row }) => row.acquirerReference);
      expect(placed).toEqual(recorded);
      expect((await again.find('j'))?.balanceMinor).toBe(800);
    });

    test('counts wrong PINs of payments and inquiries together', async () => {
      const { ledger } = await engine();
      const { giftCardAsk: ask } = giftCardRequest('');
      const wrong = ask && { giftCardAsk: { ...ask, pinIsRight: false } };
      const tries = [
        giftCardRequest('a', wrong),
        { ...inquiry('b'), ...wrong },
        { ...inquiry('c'), ...wrong },
      ];
      expect(await record(ledger, ...tries, inquiry('d'))).toEqual(['55', '55', '55', '75']);
      const later = { atMs: 7 + GIFT_CARD_PINS.windowMs };
      expect(await record(ledger, giftCardRequest('e', later))).toEqual(['00']);
    });

    test('keeps nothing of a transaction that fails', async () => {
      const { ledger } = await engine();
      const failing = Object.defineProperty(ledgerRequest({ acquirerReference: 'b' }), 'amount', {
        get: () => {
          throw new Error('no');
        },
      });
      await expect(record(ledger, ledgerRequest(), failing)).rejects.toThrow('no');
      expect(await ledger.all()).toEqual([]);
      expect(await record(ledger, ledgerRequest())).toEqual(['00']);
    });

    test('completes a pending transaction with the decision, once, beyond a restart', async () => {
      const { ledger, reopen } = await engine();
      const redirect = { url: 'https://bank.example', method: 'GET', parameters: [] } as const;
      const pending = ledgerRequest({ issuer: { responseCode: '09', redirect } });
      expect(await record(ledger, pending)).toEqual(['09']);
      expect(await ledger.find('a1')).toMatchObject({ approved: 0, capturedMinor: 0 });
      expect(await ledger.record([pending])).toMatchObject([{ approved: false, pending: { redirect } }]);
      const decided = (responseCode: string) =>
        ledgerRequest({ completes: true, issuer: { responseCode, approvalCode: '123456' } });
      expect(await record(ledger, decided('00'))).toEqual(['00']);
      expect(await record(ledger, decided('05'))).toEqual(['00']);
      const again = await reopen();
      expect(await again.find('a1')).toMatchObject({
        approved: 1,
        capturedMinor: 1_000,
        responseCode: '00',
        approvalCode: '123456',
      });
    });

    test('takes a receipt as a separate root', async () => {
      const { ledger } = await engine();
      const receipt = { kind: 'receipt', acquirerReference: 'rc', originalReference: 'a1' } as const;
      await record(ledger, ledgerRequest(), ledgerRequest(receipt));
      await record(
        ledger,
        ledgerRequest({ kind: 'refund', acquirerReference: 'r', originalReference: 'rc' }),
      );
      expect(await ledger.find('rc')).toMatchObject({ capturedMinor: 1_000, refundedMinor: 1_000 });
      expect(await ledger.find('a1')).toMatchObject({ refundedMinor: 0 });
    });

    test('refuses a request for ever that was reversed before it came', async () => {
      const { ledger, reopen } = await engine();
      const reversal = ledgerRequest({ kind: 'reversal', acquirerReference: 'v', originalReference: 'late' });
      expect(await record(ledger, reversal)).toEqual(['00']);
      expect(await record(await reopen(), ledgerRequest({ acquirerReference: 'late' }))).toEqual(['12']);
    });

    test('finds the authorization under a capture under a refund', async () => {
      const { ledger, reopen } = await engine();
      const capture = { kind: 'capture', acquirerReference: 'c', originalReference: 'a1' } as const;
      await record(ledger, ledgerRequest({ captureNow: false }), ledgerRequest(capture));
      const refund = ledgerRequest({ kind: 'refund', acquirerReference: 'r', originalReference: 'c' });
      const again = await reopen();
      expect(await record(again, refund)).toEqual(['00']);
      expect(await again.find('a1')).toMatchObject({ capturedMinor: 1_000, refundedMinor: 1_000 });
    });

    test('returns what it has for references', async () => {
      const { ledger } = await engine();
      const reversal = ledgerRequest({ kind: 'reversal', acquirerReference: 'v', originalReference: 'late' });
      await record(ledger, ledgerRequest(), reversal);
      const { rows, tombstones } = await ledger.load(['a1', 'late', 'unknown']);
      expect(rows.map((row) => row.acquirerReference)).toEqual(['a1']);
      expect(tombstones).toEqual(['late']);
    });
  });
}
