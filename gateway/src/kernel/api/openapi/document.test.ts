import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../check/check-request.js';
import { conformanceCases } from '../check/samples.test.support.js';
import { indexNames, lookUpName } from '../names.js';
import { openApiDocument } from './document.js';
import { ENDPOINTS } from './endpoints.js';
import { namePattern, requestSchema } from './request-schema.js';
import { paymentAnswerSchema } from './response-schema.js';

const DOCUMENT = openApiDocument({ version: '1.0.0', serverUrl: 'https://gateway.example' });
const ajv = new Ajv2020({ strict: false, formats: { uri: true } });

describe('openApiDocument', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(DOCUMENT) as Record<string, unknown>);
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('is the same document each time, and JSON', () => {
    const again = openApiDocument({ version: '1.0.0', serverUrl: 'https://gateway.example' });
    expect(JSON.parse(JSON.stringify(again))).toEqual(DOCUMENT);
  });

  it('shows the endpoints that are served and no other', () => {
    const served = ENDPOINTS.filter((endpoint) => endpoint.path === '/v1/payments');
    const { paths } = openApiDocument({ version: '1', serverUrl: '/', endpoints: served });
    expect(Object.keys(paths ?? {})).toEqual(['/v1/payments']);
  });

  it('marks the header for repeated requests as an addition, where it is taken', () => {
    const { paths } = DOCUMENT as unknown as {
      paths: Record<string, Record<string, { parameters?: object[]; responses: object }>>;
    };
    const header = { name: 'Idempotency-Key', in: 'header', 'x-addition': true };
    const pay = paths['/v1/payments']?.post;
    expect(pay?.parameters).toContainEqual(expect.objectContaining(header));
    expect(Object.keys(pay?.responses ?? {})).toEqual(expect.arrayContaining(['409', '413', '415']));
    const read = paths['/v1/payments/{id}']?.get;
    expect(read?.parameters).not.toContainEqual(expect.objectContaining(header));
    for (const status of ['409', '413', '415']) expect(read?.responses).not.toHaveProperty(status);
  });

  it('has every row of an operation', () => {
    const { properties, patternProperties } = requestSchema('payment');
    const names = new Set([...Object.keys(properties ?? {}), ...Object.keys(patternProperties ?? {})]);
    for (const row of rowsOf('payment')) expect(names.has(namePattern(row) ?? row.name), row.name).toBe(true);
    expect(names.size).toBe(rowsOf('payment').length);
  });
});

describe('schemas', () => {
  it('accept and refuse as the validation does, but for what a schema cannot say', () => {
    const validate = ajv.compile(requestSchema('payment'));
    const loose = new Set(['integer', 'date', 'timestamp', 'url', 'cron', 'text']);
    const index = indexNames(rowsOf('payment'));
    for (const { name, value, accepted, parameters } of conformanceCases('payment')) {
      const lookup = lookUpName(name, index);
      if (!accepted && lookup.found && loose.has(lookup.row.format.kind)) continue;
      const valid = validate(Object.fromEntries(parameters));
      if (valid !== accepted)
        expect.unreachable(`${name}=${value.slice(0, 40)} ${ajv.errorsText(validate.errors)}`);
    }
  });

  it('need no amount where a reversal or a stored card needs none', () => {
    expect(requestSchema('follow-up').required).toEqual(['entityId', 'paymentType']);
    expect(requestSchema('checkout-create').required).toEqual(['entityId']);
    expect(requestSchema('payment').required).toEqual(['entityId', 'amount', 'currency', 'paymentType']);
  });

  it('describe an answer', () => {
    const validate = ajv.compile(paymentAnswerSchema());
    const answer = {
      id: '8ac7a4a18d7f0b3b018d7f1c2b3c4d5e',
      paymentType: 'DB',
      amount: '92.00',
      currency: 'EUR',
      result: { code: '000.100.110', description: 'ok' },
      resultDetails: { AcquirerResponse: '00', AuthCode: '123456' },
      card: { bin: '420000', last4Digits: '0000' },
      somethingNew: 1,
      buildNumber: 'x',
      timestamp: '2026-11-20 19:36:00+0000',
      ndc: 'a-b',
    };
    expect(validate(answer), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...answer, ndc: undefined })).toBe(false);
    expect(validate({ ...answer, result: {} })).toBe(false);
    expect(validate({ ...answer, amount: 92 })).toBe(false);
  });
});
