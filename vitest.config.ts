import { dirname, join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first: none of them may be what the others wait for in the end. */
const LONGEST = [
  'journeys/crash-points',
  'journeys/kill',
  'simulation/simulation',
  'journeys/commands',
  'readme/readme-commands',
  'tenants/rest-matrix',
  'journeys/crash-slow-points',
  'contract/terminals/real-serial-lines',
  'contract/terminals/faults',
  'power-loss/power-loss',
  'journeys/manual-resolution',
].map((name) => `/test/src/${name}.test.ts`);
/** Tests that run whole processes. They take long, mostly waiting, so they start next. */
const PROCESSES = /[\\/]test[\\/]src[\\/](journeys|readme|drills|external|panels|widget)[\\/]/;

const PACKAGES = 'protocol/*,gateway,agent,hardware-sim';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const path = moduleId.replaceAll('\\', '/');
      const known = LONGEST.findIndex((end) => path.endsWith(end));
      if (known !== -1) return known;
      return PROCESSES.test(moduleId) ? LONGEST.length : LONGEST.length + 1;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/**
 * Tests load the build in dist, which the starter keeps fresh, as Node loads it: what Vitest loads pays for its transformation and for each
 * access to an import, a third of the time of all tests. So a test in src, and only it, comes from its source; what it imports does not.
 */
function built(): Plugin {
  const test =
    /^(.*[\\/](?:protocol[\\/](?:wire|platform)|gateway|agent|hardware-sim|test))[\\/]src[\\/](.*)$/;
  return {
    name: 'tillbridge-build',
    enforce: 'pre',
    resolveId(id, importer) {
      const [, home, place] = (importer && test.exec(importer)) || [];
      if (home === undefined || place === undefined || !/^\.{1,2}\/.*\.js$/.test(id)) return undefined;
      return join(home, 'dist', dirname(place), id);
    },
  };
}
const BUILD = /[\\/](protocol[\\/](wire|platform)|gateway|agent|hardware-sim|test)[\\/]dist[\\/]/;

export default defineConfig({
  plugins: [built()],
  test: {
    pool: 'forks',
    // Tells which test ran where a worker needs far more memory than tests do.
    setupFiles: ['test/start/heap-watch.mjs', 'test/start/file-costs.mjs'],
    // One PostgreSQL server for all files, which the first that needs it starts.
    globalSetup: ['gateway/src/kernel/store/testing/postgres-global-setup.ts'],
    projects: [
      // Tests beside the code share what a worker has loaded: loading it for each file cost 100 of 1,060 seconds.
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`{${PACKAGES}}/{src,panel/src,widget/src,console/src}/**/*.test.ts`],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/src/**/*.test.ts'],
          isolate: false,
          globalSetup: ['test/start/bundle.mjs', 'test/src/stack/prepared-home-setup.ts'],
        },
      },
    ],
    // Three times the cores of a small machine, since tests of processes wait for them.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // Every core has a worker: helpers of a collector would take it away from another. What a test makes is gone soon: room for it takes a
    // tenth of the processor from the collector's copying.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Deadlines for tests that hang. On a busy machine a test may get a fortieth of the processor that it has on a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    server: { deps: { external: [BUILD] } },
  },
});
