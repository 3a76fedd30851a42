import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that run whole processes. They take the longest, mostly waiting, so they start first. */
const PROCESSES = /[\\/]test[\\/]src[\\/](journeys|readme)[\\/]/;

const PACKAGES = 'protocol,gateway,agent,hardware-sim';

class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification) => PROCESSES.test(moduleId);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

// Packages are tested from their TypeScript sources: the "tillbridge-source" export condition points there.
// Tests that start real processes use the build in dist, which the starter keeps fresh.
export default defineConfig({
  resolve: { conditions: ['tillbridge-source'] },
  ssr: { resolve: { conditions: ['tillbridge-source'], externalConditions: ['tillbridge-source'] } },
  test: {
    pool: 'forks',
    // One PostgreSQL server for all files, which the first that needs it starts.
    globalSetup: ['gateway/src/store/testing/postgres-global-setup.ts'],
    projects: [
      // Tests beside the code share what a worker has loaded: loading it for each file cost 100 of 1,060 seconds.
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`{${PACKAGES}}/src/**/*.test.ts`, 'gateway/widget/src/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/src/**/*.test.ts'],
          isolate: false,
          globalSetup: ['test/start/bundle.mjs'],
        },
      },
    ],
    // Twice the cores of a small machine, since tests of processes wait for them.
    maxWorkers: 4,
    sequence: { sequencer: ProcessesFirst },
    // A deadline for tests that hang, long enough for a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    server: { deps: { inline: [/@tillbridge\//] } },
  },
});
