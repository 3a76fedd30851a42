import { MemoryStore } from './memory-store.js';
import { describeRanges } from './range-contract.test.support.js';
import { describeShared } from './shared-contract.test.support.js';
import { describeStore } from './store-contract.test.support.js';

const openMemory = async () => {
  const store = new MemoryStore();
  return { store, dispose: () => store.close() };
};

describeStore('memory', openMemory);
describeRanges('memory', openMemory);
describeShared('memory', async () => {
  const { store, dispose } = await openMemory();
  return { stores: [store, store], dispose };
});
