import { describe, expect, it } from 'vitest';
import { composeReceipt } from './compose-receipt.js';
import type { ReceiptCopy, ReceiptData } from './receipt-data.js';
import { escPos } from './receipt-escpos.js';
import { receiptHtml } from './receipt-html.js';
import { RECEIPT_COLUMNS, receiptLines, receiptText } from './receipt-lines.js';
import { LANGUAGES, type StoreConfig } from './store.js';

const STORE: StoreConfig = {
  name: 'Café Müller',
  address: ['Hauptstraße 1', '10115 Berlin'],
  timeZone: 'Europe/Berlin',
  language: 'de',
  merchantId: 'M1',
};
const SALE: ReceiptData = {
  type: 'sale',
  atMs: Date.parse('2026-11-23T10:00:00Z'),
  terminalId: '1001',
  till: 'front-1',
  sequence: 7,
  reference: 'order-1',
  amount: { minor: 1_234, currency: 'EUR' },
  last4Digits: '0119',
  brand: 'VISA',
  entryMode: 'ICC',
  emv: {
    aid: 'A0000000031010',
    label: 'VISA CREDIT',
    tvr: '0000008000',
    tsi: 'E800',
    ac: 'A1B2C3D4E5F60708',
    acType: 'TC',
    atc: '0042',
    cvm: '420300',
    arc: '00',
  },
  verdict: ['approved'],
  approvalCode: '123456',
  isLateDecline: false,
  paymentId: '78683748f502fa9ae64a3377b6c040b6',
  signature: false,
};
const DEFERRED: ReceiptData = {
  ...SALE,
  verdict: ['takenOffline', 'notAuthorized', 'notSure', 'notForwarded', 'merchantRisk'],
  signature: true,
};
const LATE: ReceiptData = {
  ...SALE,
  verdict: ['declinedLater', 'notPaid'],
  isLateDecline: true,
  resultCode: '800.100.203',
};
const LONG: ReceiptData = { ...SALE, reference: 'r'.repeat(64), type: 'preauthorization' };

const text = (data: ReceiptData, copy: ReceiptCopy = 'customer', store = STORE, columns: 32 | 40 | 48 = 32) =>
  receiptText(composeReceipt(data, { copy, store }), columns);

describe('receipts', () => {
  it('show what EMV requires, in the language and at the time of the store', () => {
    expect(text(SALE)).toMatchInlineSnapshot(`
      "          Café Müller
               Hauptstraße 1
                10115 Berlin
                KUNDENBELEG
                  ZAHLUNG

      Datum        2026-11-23 11:00:00
      Terminal                    1001
      Kasse                    front-1
      Belegnummer                    7
      Referenz                 order-1
      Betrag                 EUR 12,34

      Karte           ************0119
      Marke                       VISA
      Eingabe                     Chip
      Prüfung                      PIN

      AID               A0000000031010
      Anwendung            VISA CREDIT
      TVR                   0000008000
      TSI                         E800
      ARC                           00
      ATC                         0042
      TC              A1B2C3D4E5F60708

                 GENEHMIGT
      Genehmigungsnr.           123456"
    `);
  });

  it('fit every paper in every language', () => {
    for (const language of LANGUAGES)
      for (const data of [SALE, DEFERRED, LATE, LONG])
        for (const copy of ['customer', 'merchant'] as const)
          for (const columns of RECEIPT_COLUMNS) {
            const lines = text(data, copy, { ...STORE, language }, columns).split('\n');
            for (const line of lines)
              expect([...line].length, `${language} ${line}`).toBeLessThanOrEqual(columns);
            expect(lines.join('').replaceAll(/\s/g, '')).toContain(data.reference);
          }
  });

  it('name the risk and request the signature only on the merchant’s copy', () => {
    const [customer, merchant] = [text(DEFERRED), text(DEFERRED, 'merchant')];
    expect(customer).toMatch(/OFFLINE ANGENOMMEN\n +NICHT GENEHMIGT\n +VORBEHALTLICH/);
    expect(customer).not.toMatch(/RISIKO|Unterschrift/);
    expect(merchant).toMatch(/RISIKO/);
    expect(merchant).toMatch(/Unterschrift\n\n_{32}$/);
    expect(merchant).toMatch(/Händler +M1/);
  });

  it('are a notice where an offline sale was declined later', () => {
    expect(text(LATE)).toContain('NACHTRÄGLICHE ABLEHNUNG');
    expect(text(LATE).replaceAll('\n', ' ')).toContain('Bitte zahlen Sie auf andere Weise.');
    expect(text(LATE)).not.toContain('800.100.203');
    expect(text(LATE, 'merchant')).toContain('800.100.203');
  });

  it('are marked when they are printed once more', () => {
    const again = composeReceipt(SALE, { copy: 'customer', store: STORE, reprintedAtMs: SALE.atMs + 60_000 });
    expect(receiptText(again, 32)).toMatch(/\*\*\* KOPIE \*\*\*/);
    expect(receiptText(again, 32)).toMatch(/Gedruckt +2026-11-23 11:01:00/);
    expect(text(SALE)).not.toContain('KOPIE');
  });

  it.each([
    ['010302', 'PIN'],
    ['420302', 'PIN'],
    ['440302', 'PIN'],
    ['1E0300', undefined],
    ['410301', undefined],
    ['1F0002', undefined],
    ['3F0000', undefined],
    ['', undefined],
  ])('name by %s how the cardholder was verified: %s', (cvm, word) => {
    const line = text({ ...SALE, emv: { ...SALE.emv, cvm } })
      .split('\n')
      .find((each) => each.startsWith('Prüfung'));
    expect(line?.split(/ +/)[1]).toBe(word);
  });

  it.each([
    ['JPY', 1_234, 'JPY 1234'],
    ['KWD', 1_230, 'KWD 1,230'],
    ['CLF', 123_400, 'CLF 12,3400'],
  ])('show an amount of %s with the digits of its currency', (currency, minor, shown) => {
    expect(text({ ...SALE, amount: { minor, currency } })).toMatch(new RegExp(`^Betrag +${shown}$`, 'm'));
  });

  it('break a name that is wider than the paper', () => {
    const groups = [[{ key: 'card', kind: 'pair', name: 'n'.repeat(40), value: 'v' }]] as const;
    expect(receiptText({ language: 'en', groups }, 32)).toBe(`${'n'.repeat(32)}\n${'n'.repeat(8)}\n  v`);
  });

  it('carry no command for a printer and no markup that a card brought', async () => {
    const hostile = { ...SALE, emv: { label: '\u001b@<script>\u0000' } };
    expect(text(hostile)).toContain('?@<script>?');
    const document = composeReceipt(hostile, { copy: 'customer', store: STORE });
    expect(receiptHtml(document)).not.toContain('<script>');
    const bytes = Buffer.from(await escPos(receiptLines(document, 32)));
    expect(bytes.includes(Buffer.from('\u001b@<'))).toBe(false);
  });

  it('have no group without lines', () => {
    const { emv: _, ...withoutChip } = SALE;
    const groups = (data: ReceiptData) => composeReceipt(data, { copy: 'customer', store: STORE }).groups;
    expect([groups(SALE).length, groups(withoutChip).length]).toEqual([5, 4]);
  });

  it('are a page in their language', () => {
    const page = receiptHtml(composeReceipt(SALE, { copy: 'customer', store: STORE, language: 'fr' }));
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain('<p class="pair"><span>Montant</span><span>EUR 12,34</span></p>');
  });

  it('are printer commands with letters of another code page, emphasis and a cut', async () => {
    for (const columns of RECEIPT_COLUMNS) {
      const document = composeReceipt(SALE, { copy: 'customer', store: STORE });
      const bytes = Buffer.from(await escPos(receiptLines(document, columns)));
      // ESC @, then ESC t for a code page, ESC E 1 for bold, GS V for the cut.
      expect(bytes.subarray(0, 2).toString('hex')).toBe('1b40');
      expect(bytes.includes(Buffer.from('1b74', 'hex'))).toBe(true);
      expect(bytes.includes(Buffer.concat([Buffer.from('1b4501', 'hex')]))).toBe(true);
      expect(bytes.includes(Buffer.from('1d56', 'hex'))).toBe(true);
      expect(bytes.includes(Buffer.from('GENEHMIGT'))).toBe(true);
      // No letter was lost: the encoder writes a question mark for one.
      expect(bytes.includes(Buffer.from('?'))).toBe(false);
    }
  });
});
