import { MemoryStore } from './memory-store.js';
import { describeStore } from './store-contract.test.support.js';

describeStore('memory', async () => {
  const store = new MemoryStore();
  return { store, dispose: () => store.close() };
});
