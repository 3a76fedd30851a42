import { defineConfig } from 'vitest/config';

// The tests that mutations run, from the sources; none of them starts a process.
export default defineConfig({
  resolve: { conditions: ['tillbridge-source'] },
  ssr: { resolve: { conditions: ['tillbridge-source'], externalConditions: ['tillbridge-source'] } },
  test: {
    include: ['{agent,gateway,hardware-sim,protocol/*}/src/**/*.test.ts'],
    env: { TILLBRIDGE_ENGINES: 'memory' },
    isolate: false,
    // A mutation may wait for ever. A busy machine must not reach this, which would count as noticed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    server: { deps: { inline: [/@tillbridge\//] } },
  },
});
