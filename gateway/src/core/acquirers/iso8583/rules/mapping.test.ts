import { expect, it } from 'vitest';
import type { AcquirerMoneyRequest } from '../../acquirer.js';
import { operationOf } from './mapping.js';

const request = (more: object) => more as AcquirerMoneyRequest;

it.each([
  [{ kind: 'authorization' }, 'authorization'],
  [{ kind: 'authorization', captureNow: true }, 'sale'],
  [{ kind: 'authorization', approvalCode: '123456' }, 'authorization advice'],
  [{ kind: 'authorization', approvalCode: '123456', captureNow: true }, 'sale advice'],
  [{ kind: 'advice' }, 'authorization advice'],
  [{ kind: 'advice', captureNow: true }, 'sale advice'],
  [{ kind: 'increment', captureNow: true }, 'increment'],
  [{ kind: 'capture' }, 'capture'],
  [{ kind: 'refund', approvalCode: '123456' }, 'refund'],
  [{ kind: 'credit' }, 'credit'],
  [{ kind: 'receipt', captureNow: true }, undefined],
])('%o is sent as %s', (about, operation) => {
  expect(operationOf(request(about))).toBe(operation);
});
