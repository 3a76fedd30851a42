import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type {
  FollowUpRequest,
  Origin,
  PaymentResult,
} from '@tillbridge/gateway/core/payments/rules/requests.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { expect, test } from 'vitest';
import { FailingMessages } from './failing-messages.js';

const TAKEN: PaymentResult = { disposition: 'approved', resultCode: '000.000.000', description: '' };
const SERVICE: PaymentService = {
  authorize: async () => TAKEN,
  followUp: async () => TAKEN,
  status: () => Promise.reject(new Error('not called')),
  find: async () => undefined,
  lookUp: async () => undefined,
  continueWaiting: async () => undefined,
};

function message(terminalId: string, sequence: number): FollowUpRequest {
  const origin: Origin = {
    kind: 'bridge',
    agentId: 'agent-1',
    entityId: 'e',
    epoch: 1,
    provenAtMs: 0,
    messageId: `m${sequence}`,
    terminalId,
    sequence,
  };
  return { origin, type: 'RV', target: { by: 'message', messageId: 'm0' } };
}

test('fails the stream messages of its terminal alone, until it is mended', async () => {
  const failing = new FailingMessages();
  const service = failing.around(SERVICE, new MemoryStore());
  failing.begin('agent-1', '101');
  await expect(service.followUp(message('101', 1))).rejects.toThrow('simulated defect');
  expect(await service.followUp(message('102', 1))).toBe(TAKEN);
  expect(await service.followUp(message('101', 0))).toBe(TAKEN);
  failing.end();
  expect(await service.followUp(message('101', 1))).toBe(TAKEN);
});

test('answers what was answered before', async () => {
  const failing = new FailingMessages();
  const store = new MemoryStore();
  const row = {
    agentId: 'agent-1',
    messageId: 'm1',
    result: '{}',
    contentHash: null,
    createdAtMs: 0,
    version: 1,
  };
  await store.commit([{ op: 'insert', table: 'inbox', row }]);
  failing.begin('agent-1', '101');
  expect(await failing.around(SERVICE, store).followUp(message('101', 1))).toBe(TAKEN);
});
