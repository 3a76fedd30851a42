import { describeStore } from './contract.test.support.js';
import { MemoryStore } from './memory-store.js';

describeStore('memory', async () => {
  const store = new MemoryStore();
  return { store, dispose: () => store.close() };
});
