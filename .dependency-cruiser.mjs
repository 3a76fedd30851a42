// The import arrows of ARCHITECTURE.md. A folder may know only what the picture allows. `test/start/layers.mjs` has the layers.
import { layerRules } from './test/start/layers.mjs';

const from = (path, pathNot) => (pathNot ? { path, pathNot } : { path });
const WIRE = '^protocol/wire/src/';
const PLATFORM = '^protocol/platform/src/';
const SCHEMA = `${PLATFORM}schema/`;
const SOURCES = '^(agent|gateway|hardware-sim|protocol/(wire|platform))/src/';
const TESTS = '/testing/|\\.test(\\.support)?\\.tsx?$';
const SQL_FOLDERS =
  '^(gateway/src/kernel/store|agent/src/journal|gateway/src/core/acquirers/internal|hardware-sim/src/hosts/acquirer|protocol/platform/src)/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules(),
    {
      name: 'protocol-knows-no-other-folder',
      severity: 'error',
      from: from('^protocol/'),
      to: { path: '^(agent|gateway|hardware-sim|test)/' },
    },
    {
      name: 'agent-knows-protocol-alone',
      severity: 'error',
      from: from('^agent/'),
      to: { path: '^(gateway|hardware-sim|test)/' },
    },
    {
      name: 'gateway-knows-protocol-alone',
      severity: 'error',
      from: from('^gateway/'),
      to: { path: '^(agent|hardware-sim|test)/' },
    },
    {
      name: 'simulator-knows-protocol-alone',
      severity: 'error',
      from: from('^hardware-sim/'),
      to: { path: '^(agent|gateway|test)/' },
    },
    // `seed` makes rows of many features for a development home.
    {
      name: 'app-knows-of-a-feature-what-it-registers',
      severity: 'error',
      from: from('^gateway/src/app/', '/commands/seed\\.ts$|\\.test(\\.support)?\\.ts$'),
      to: {
        path: '^gateway/src/features/',
        pathNot: '^gateway/src/features/[^/]+/((register|configuration|commands)\\.ts$|commands/)',
      },
    },
    {
      name: 'sqlite-only-in-platform',
      severity: 'error',
      from: from('/src/', `${PLATFORM}sqlite/`),
      to: { path: 'node_modules/sqlite3' },
    },
    {
      name: 'sql-only-in-its-folders',
      severity: 'error',
      from: from(SOURCES, SQL_FOLDERS),
      to: { path: `${PLATFORM}sqlite/` },
    },
    {
      name: 'wire-does-no-io',
      severity: 'error',
      from: from(`${WIRE}|${SCHEMA}|^gateway/src/kernel/api/`, TESTS),
      to: {
        path: '^(node:)?(fs|net|http|https|dgram|child_process|worker_threads|tls|dns|os|timers|perf_hooks)(/|$)',
        dependencyTypes: ['core'],
      },
    },
    {
      name: 'wire-knows-no-other-package',
      severity: 'error',
      from: from('^protocol/wire/'),
      to: { path: '^protocol/', pathNot: '^protocol/wire/' },
    },
    {
      name: 'platform-knows-no-domain',
      severity: 'error',
      // Money stands in configuration files, and so do dialects of ISO 8583: those of the gateway's links and of the simulated host.
      from: from(PLATFORM, `${TESTS}|${SCHEMA}amount-fields\\.ts$|${PLATFORM}config/dialect-section\\.ts$`),
      to: { path: '^protocol/', pathNot: `${PLATFORM}|${WIRE}(errors|mask|seams|text)/` },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: from(SOURCES, TESTS),
      to: { path: '/src/.*/testing/' },
    },
    // Its functions load 370 files at every start: that file makes the schemas, with the types of TypeBox.
    {
      name: 'typebox-only-in-its-file',
      severity: 'error',
      from: from(SOURCES, `${PLATFORM}schema/type\\.ts$`),
      to: { path: 'node_modules/typebox' },
    },
    {
      name: 'decisions-on-payments-are-pure',
      severity: 'error',
      from: from(
        '^gateway/src/(core/payments/(rules|instruments|timeline|policy|steps|gates|messages|cards)|features/(risk|schedules|three-d-secure)/rules|security/devices|core/acquirers/iso8583/rules)/',
        '\\.test(\\.support)?\\.ts$',
      ),
      to: { path: `(node_modules/(fastify|ws)|^(node:)?(crypto|fs|net|http)$|${PLATFORM}(?!schema/))` },
    },
    // What a package imports, its manifest names: an install of one package brings what it needs and nothing else.
    {
      name: 'only-packages-of-the-manifest',
      severity: 'error',
      from: from(SOURCES, TESTS),
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?!node_modules/).*/dist/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['tillbridge-source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
