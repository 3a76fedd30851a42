import { defineConfig } from 'vitest/config';

// Packages are tested from their TypeScript sources: the "tillbridge-source" export condition points there.
// Tests that start real processes use the build in dist, which the starter keeps fresh.
export default defineConfig({
  resolve: { conditions: ['tillbridge-source'] },
  ssr: { resolve: { conditions: ['tillbridge-source'], externalConditions: ['tillbridge-source'] } },
  test: {
    include: ['*/src/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What hangs is told in the end; what is only slow on a busy machine has not failed.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    server: { deps: { inline: [/@tillbridge\//] } },
  },
});
