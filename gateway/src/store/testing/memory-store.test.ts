import { MemoryStore } from './memory-store.js';
import { describeRanges } from './range-contract.test.support.js';
import { describeStore } from './store-contract.test.support.js';

const openMemory = async () => {
  const store = new MemoryStore();
  return { store, dispose: () => store.close() };
};

describeStore('memory', openMemory);
describeRanges('memory', openMemory);
