import { benchCrypto } from './crypto.js';

// The table alone: what a person runs while working on the cryptography.
console.table(benchCrypto());
