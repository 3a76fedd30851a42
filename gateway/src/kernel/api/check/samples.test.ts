import { describe, expect, it } from 'vitest';
import type { Operation } from '../catalogue/rows/parameter.js';
import { ALL_PARAMETERS } from '../catalogue/sections.js';
import { checkRequest } from './check-request.js';
import { type ConformanceCase, conformanceCases } from './samples.test.support.js';

const OPERATIONS: readonly Operation[] = ['payment', 'checkout-create', 'query', 'report'];
const CASES: readonly ConformanceCase[] = OPERATIONS.flatMap((operation) => [...conformanceCases(operation)]);

function errorsOf({ parameters, operation }: ConformanceCase): string[] {
  return checkRequest(parameters, { operation }).errors.map((error) => error.name);
}

describe('generated conformance cases', () => {
  it('has a value to accept and a value to refuse for every row but the header', () => {
    const rows = ALL_PARAMETERS.filter((row) => !row.header);
    for (const accepted of [true, false]) {
      const tried = new Set(CASES.filter((tried) => tried.accepted === accepted).map((tried) => tried.row));
      expect(rows.filter((row) => !tried.has(row.name)).map((row) => row.name)).toEqual([]);
    }
  });

  it('accepts what lies at the edge', () => {
    for (const tried of CASES.filter((tried) => tried.accepted)) {
      expect(errorsOf(tried), `${tried.operation}: ${tried.name}=${tried.value.slice(0, 60)}`).toEqual([]);
    }
  });

  it('refuses what lies beyond it, and names exactly that parameter', () => {
    for (const tried of CASES.filter((tried) => !tried.accepted)) {
      expect(errorsOf(tried), `${tried.operation}: ${tried.name}=${tried.value.slice(0, 60)}`).toEqual([
        tried.name,
      ]);
    }
  });

  it('shows no sensitive value in any error', () => {
    const sensitive = new Set(ALL_PARAMETERS.filter((row) => row.sensitive).map((row) => row.name));
    for (const { parameters, operation, row } of CASES.filter((tried) => sensitive.has(tried.row))) {
      const shown = checkRequest(parameters, { operation }).errors.map((error) => error.value);
      expect(
        shown.every((value) => value === null),
        row,
      ).toBe(true);
    }
  });
});
