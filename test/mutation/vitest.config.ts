import { defineConfig } from 'vitest/config';
import { endReadyThread, WARM_THREADS } from './warm-thread.js';

// The tests that mutations run, from the sources; none of them starts a process.
export default defineConfig({
  plugins: [
    {
      name: 'tillbridge-warm-threads',
      // Stryker states threads as the pool, above what stands in this file.
      configureVitest({ vitest, project }) {
        Object.assign(project.config, { pool: WARM_THREADS.name, poolRunner: WARM_THREADS });
        vitest.onClose(endReadyThread);
      },
    },
  ],
  resolve: { conditions: ['tillbridge-source'] },
  ssr: { resolve: { conditions: ['tillbridge-source'], externalConditions: ['tillbridge-source'] } },
  test: {
    include: ['{agent,gateway,hardware-sim,protocol/*}/src/**/*.test.ts'],
    setupFiles: ['test/mutation/before-tests.ts'],
    env: { TILLBRIDGE_ENGINES: 'memory' },
    isolate: false,
    // A mutation may wait for ever. A busy machine must not reach this, which would count as noticed. Loading the code is no part of it.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    server: { deps: { inline: [/@tillbridge\//] } },
  },
});
