import { describe, expect, it } from 'vitest';
import { openApiBreaks } from './breaks.js';
import { openApiDocument } from './document.js';
import { ENDPOINTS } from './endpoints.js';
import type { JsonObject } from './json.js';

const DOCUMENT = openApiDocument({ version: '1.0.0', serverUrl: '/' });

/** The document with one text replaced, which must occur. */
function changed(from: string, to: string): JsonObject {
  const text = JSON.stringify(DOCUMENT);
  expect(text).toContain(from);
  return JSON.parse(text.replaceAll(from, to)) as JsonObject;
}

describe('openApiBreaks', () => {
  it('finds none in the same document, and none in a newer version with more', () => {
    expect(openApiBreaks(DOCUMENT, DOCUMENT)).toEqual([]);
    const older = openApiDocument({ version: '0.9.0', serverUrl: '/', endpoints: ENDPOINTS.slice(0, 2) });
    expect(openApiBreaks(older, DOCUMENT)).toEqual([]);
  });

  it('finds an endpoint that went', () => {
    const newer = openApiDocument({ version: '1.1.0', serverUrl: '/', endpoints: ENDPOINTS.slice(1) });
    expect(openApiBreaks(DOCUMENT, newer)).toEqual([
      'POST /v1/payments is gone',
      'schema PaymentRequest is gone',
    ]);
  });

  it.each([
    ['"descriptor":', '"descripter":', 'PaymentRequest takes no descriptor any more'],
    ['"maxLength":127', '"maxLength":100', 'PaymentRequest descriptor must be shorter'],
    ['"PURCHASE",', '', 'PaymentRequest transactionProcessingCode lost PURCHASE'],
    [
      '"required":["entityId","amount"',
      '"required":["entityId","descriptor","amount"',
      'PaymentRequest now needs descriptor',
    ],
    [
      '"required":["result","buildNumber"',
      '"required":["buildNumber"',
      'Payment.result is no longer in every answer',
    ],
    ['"bin":{"type":"string"', '"bin":{"type":"number"', 'Payment.card.bin has another type'],
    ['"name":"limit"', '"name":"limits"', 'GET /v3/query takes no limit any more'],
    ['"x-maximum":98', '"x-maximum":50', 'PaymentRequest numberOfCaptures must be less'],
    ['"x-minimum":1,', '"x-minimum":2,', 'PaymentRequest numberOfCaptures must be more'],
    ['"records":', '"rows":', 'Payments.records is gone'],
    ['"resultCodes":', '"codes":', 'ResultCodes.resultCodes is gone'],
    [
      '"description":{"type":"string"}}',
      '"text":{"type":"string"}}',
      'ResultCodes.resultCodes[].description is gone',
    ],
    ['"security":[]', '"security":[{"token":[]}]', 'GET /v1/resultcodes now needs a token'],
  ])('finds %s made %s', (from, to, line) => {
    expect(openApiBreaks(DOCUMENT, changed(from, to))).toContain(line);
  });

  it('lets a format grow', () => {
    expect(openApiBreaks(DOCUMENT, changed('"maxLength":127', '"maxLength":200'))).toEqual([]);
    expect(openApiBreaks(DOCUMENT, changed('"PURCHASE",', '"PURCHASE","OTHER_PURCHASE",'))).toEqual([]);
  });
});
