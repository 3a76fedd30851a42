import { describe, expect, it } from 'vitest';
import { FailingStore } from '../../core/payments/payment-harness.test.support.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { claimMode, HomeModeError } from './home-mode.js';

describe('claimMode', () => {
  it('keeps a database to the mode that took it first', async () => {
    const store = new MemoryStore();
    await claimMode(store, 'live', 'id-of-live');
    await claimMode(store, 'live', 'id-of-live');
    await expect(claimMode(store, 'test', 'id-of-test')).rejects.toBeInstanceOf(HomeModeError);
    await expect(claimMode(store, 'test', 'id-of-test')).rejects.toThrow('was used in mode live');
    expect((await store.get('settings', ['database']))?.value).toBe('id-of-live');
  });

  it('believes another process that was faster', async () => {
    const store = new FailingStore(new MemoryStore());
    let others = 0;
    store.beforeCommit = async () => {
      others += 1;
      if (others === 1) await claimMode(store, 'test', 'id-of-test');
    };
    await expect(claimMode(store, 'live', 'id-of-live')).rejects.toThrow('was used in mode test');
    expect(others).toBe(2);
  });
});
