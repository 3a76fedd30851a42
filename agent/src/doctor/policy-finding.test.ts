import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signStorePolicy } from '@tillbridge/wire/bridge/store-policy.js';
import { expect, test } from 'vitest';
import { enrolledHome, TEST_GATEWAY_KEY, TEST_PINS } from '../uplink/enrolled-home.test.support.js';
import { filePolicy, StorePolicyKeeper } from '../uplink/store-policy-keeper.js';
import { policyFinding } from './policy-finding.js';

test('reports whether an enrolled home knows the policy of its store', () => {
  const home = mkdtempSync(join(tmpdir(), 'agent-doctor-'));
  try {
    expect(policyFinding(home)).toBeUndefined();
    const { agentId } = enrolledHome(home);
    expect(policyFinding(home)).toMatchObject({ verdict: 'warning' });
    const log = { info: () => undefined, error: () => undefined };
    const keeper = new StorePolicyKeeper({ agentId, pins: () => TEST_PINS, storage: filePolicy(home), log });
    keeper.take(signStorePolicy({ version: 7 }, { agentId, entityId: 'e', timeMs: 1 }, TEST_GATEWAY_KEY));
    expect(policyFinding(home)).toEqual({
      verdict: 'ok',
      text: 'the policy of the store is known, version 7',
    });
  } finally {
    rmSync(home, { recursive: true });
  }
});
