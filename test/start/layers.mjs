// The layers of each package that has some, from the top down. A folder imports its own layer and those below, never one above.

/**
 * One row a layer: its name, and the folders and files of `folder` that belong to it. Of a layer with `apart`, no folder imports another.
 * Each folder of `folder` is in one row.
 */
export const LAYERS = [
  {
    folder: 'agent/src',
    layers: [
      {
        name: 'program',
        has: [
          'main.ts',
          'cli',
          'run',
          'doctor',
          'install',
          'support',
          'bring-up',
          'metrics',
          'incident',
          'proof',
          'update',
          'shell',
        ],
      },
      { name: 'tills', has: ['till', 'display', 'nexo', 'zvt', 'commands', 'history', 'replica'] },
      { name: 'configuration', has: ['config'] },
      { name: 'sale', has: ['sale'] },
      { name: 'devices and link', has: ['drivers', 'uplink', 'home', 'access'] },
      { name: 'base', has: ['journal', 'ports', 'log', 'errors'] },
    ],
  },
  {
    folder: 'gateway/src',
    layers: [
      { name: 'app', has: ['main.ts', 'app'] },
      { name: 'features', has: ['features/*'], apart: true },
      { name: 'core', has: ['core'] },
      { name: 'security', has: ['security'] },
      { name: 'kernel', has: ['kernel'] },
    ],
  },
  {
    folder: 'hardware-sim/src',
    layers: [
      { name: 'program', has: ['main.ts', 'run.ts'] },
      { name: 'control', has: ['control', 'recordings', 'three-d-secure'] },
      { name: 'simulator', has: ['simulator', 'inspection', 'scenarios'] },
      { name: 'configuration', has: ['config'] },
      { name: 'devices and hosts', has: ['terminals', 'kernel', 'replay', 'hosts', 'bank'] },
      {
        name: 'base',
        has: ['cards', 'errors', 'faults', 'keys', 'ports', 'printer', 'rest', 'state', 'wallets'],
      },
    ],
  },
  {
    folder: 'protocol/wire/src',
    layers: [
      {
        name: 'messages',
        has: [
          'bridge',
          'decode',
          'incident',
          'proof',
          'simulated-bank',
          'simulated-issuer',
          'terminals',
          'three-d-secure',
        ],
      },
      { name: 'formats', has: ['crypto', 'emv', 'iso8583'] },
      { name: 'words', has: ['mask', 'payment', 'present.ts', 'shopper', 'text'] },
      { name: 'base', has: ['bytes.ts', 'digest', 'errors', 'join-bytes.ts', 'machine-step.ts', 'seams'] },
    ],
  },
  {
    folder: 'test/src',
    layers: [
      {
        name: 'suites',
        has: [
          ...[
            'api-examples',
            'bench',
            'contention',
            'contract',
            'docs',
            'drills',
            'explore',
            'external',
            'fuzz',
            'journeys',
            'leaks',
            'mutation',
          ],
          ...[
            'mail',
            'nexo',
            'zvt',
            'packages',
            'panels',
            'readme',
            'start',
            'three-d-secure',
            'tills',
            'vectors',
            'widget',
          ],
        ],
      },
      { name: 'load and tours', has: ['incidents', 'load', 'power-loss', 'simulation', 'tour'] },
      { name: 'stack', has: ['browser', 'clients', 'command-line', 'stack', 'tenants'] },
    ],
  },
];

const TESTS = '\\.test(\\.support)?\\.tsx?$|/testing/';

/** The rules of dependency-cruiser for the layers of the table. Tests may import from every layer. */
export function layerRules() {
  return LAYERS.flatMap(rulesOf);
}

function rulesOf({ folder, layers }) {
  const patterns = layers.map(({ has }) => `^${folder}/(${has.map(pattern).join('|')})`);
  const up = layers.slice(1).map(({ name }, at) => ({
    name: `no-import-up: ${folder}: ${name}`,
    severity: 'error',
    from: { path: patterns[at + 1], pathNot: TESTS },
    to: { path: patterns.slice(0, at + 1) },
  }));
  const apart = layers.flatMap((layer, at) =>
    layer.apart
      ? [
          {
            name: `apart: ${folder}: ${layer.name}`,
            severity: 'error',
            from: { path: patterns[at], pathNot: TESTS },
            to: { path: patterns[at], pathNot: `^${folder}/$1` },
          },
        ]
      : [],
  );
  const listed = {
    name: `no-layer: ${folder}`,
    severity: 'error',
    from: { path: `^${folder}/`, pathNot: [...patterns, TESTS] },
    to: {},
  };
  return [...up, ...apart, listed];
}

/** `sale`, `main.ts`, `features/*`: what is in it, or the file itself. */
function pattern(name) {
  return name.endsWith('.ts') ? `${name.replaceAll('.', '\\.')}$` : `${name.replaceAll('*', '[^/]+')}/`;
}
