// The import arrows of ARCHITECTURE.md. A room may know only what the picture allows.
const from = (path, pathNot) => (pathNot ? { path, pathNot } : { path });
const SQL_ROOMS = '^(gateway/src/store|agent/src/journal|gateway/src/acquirers/internal)/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'protocol-knows-no-other-room',
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
    {
      name: 'sql-only-in-its-rooms',
      severity: 'error',
      from: from('^(agent|gateway|hardware-sim|protocol)/src/', SQL_ROOMS),
      to: { path: 'node_modules/sqlite3' },
    },
    {
      name: 'protocol-does-no-io',
      severity: 'error',
      from: from('^protocol/src/', '(^protocol/src/platform/|\\.test(\\.support)?\\.ts$)'),
      to: {
        path: '^(node:)?(fs|net|http|https|dgram|child_process|worker_threads|tls|dns)(/|$)',
        dependencyTypes: ['core'],
      },
    },
    {
      name: 'decisions-on-payments-are-pure',
      severity: 'error',
      from: from('^gateway/src/payments/', '\\.test(\\.support)?\\.ts$'),
      to: { path: '(node_modules/(fastify|sqlite3|ws)|^(node:)?(crypto|fs|net|http)$)' },
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
    exclude: { path: '/dist/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['tillbridge-source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
