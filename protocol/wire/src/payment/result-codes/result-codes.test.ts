import { describe, expect, it } from 'vitest';
import { RESULT_CODE_TABLE } from './result-code-table.js';
import { isResultCode, resultClass, resultDescription } from './result-codes.js';

describe('result codes', () => {
  it('keeps the texts that existing clients compare literally', () => {
    expect(resultDescription('000.100.110')).toMatch(/^Request successfully processed/);
    expect(resultDescription('100.100.101')).toBe('invalid creditcard, bank account number or bank name');
    expect(resultDescription('800.100.151')).toBe('transaction declined (invalid card)');
    expect(resultDescription('700.400.510')).toBe(
      'capture needs at least one successful transaction of type (PA)',
    );
    expect(resultDescription('700.400.530')).toContain('reversal needs at least one successful transaction');
    expect(resultDescription('600.200.500')).toContain('Invalid payment data');
    expect(resultDescription('200.300.404')).toBe('invalid or missing parameter');
    expect(resultDescription('600.200.100')).toContain('invalid Payment Method');
    expect(resultDescription('800.900.300')).toBe('invalid authentication information');
  });

  it('has codes and texts of the form the specification gives them', () => {
    for (const [code, text] of Object.entries(RESULT_CODE_TABLE)) {
      expect(code).toMatch(/^\d{3}\.\d{3}\.\d{3}$/);
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThanOrEqual(255);
    }
  });

  it('classifies by the published patterns', () => {
    expect(resultClass('000.100.110')).toBe('success');
    expect(resultClass('000.400.030')).toBe('rejected');
    expect(resultClass('000.400.000')).toBe('success');
    expect(resultClass('000.200.000')).toBe('pending');
    expect(resultClass('800.100.151')).toBe('rejected');
  });

  it('knows what it has not', () => {
    expect(isResultCode('000.100.110')).toBe(true);
    expect(isResultCode('toString')).toBe(false);
    expect(resultDescription('123.456.789')).toContain('without a description');
  });
});
