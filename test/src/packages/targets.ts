/** The Node.js that is inside: an LTS version which `engines` allow and of which the registry has both architectures. */
export const NODE_VERSION = '24.21.0';

/** A kind of machine that archives are made for. */
export interface Target {
  /** As Node.js names it. */
  readonly arch: 'x64' | 'arm64';
  /** As Debian names it. */
  readonly debian: 'amd64' | 'arm64';
  /** Digest of the registry's package with Node.js, in the form of the lock file: another file is refused. */
  readonly nodeIntegrity: string;
  /** What the names of its compiler and binary tools begin with on a machine of another kind, and Debian's package that has them. */
  readonly tools: string;
  readonly toolsPackage: string;
}

/** Every kind of machine. */
export const TARGETS: readonly Target[] = [
  {
    arch: 'x64',
    debian: 'amd64',
    nodeIntegrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    tools: 'x86_64-linux-gnu-',
    toolsPackage: 'g++-x86-64-linux-gnu',
  },
  {
    arch: 'arm64',
    debian: 'arm64',
    nodeIntegrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    tools: 'aarch64-linux-gnu-',
    toolsPackage: 'g++-aarch64-linux-gnu',
  },
];

/** A program and what of its package it runs on. */
export interface Program {
  /** The folder of its package. */
  readonly folder: 'agent' | 'gateway' | 'hardware-sim';
  /** What archives and options call it. */
  readonly name: 'agent' | 'gateway' | 'simulator';
  readonly command: string;
  readonly summary: string;
  /** Folders that it reads, in addition to its bundle. */
  readonly reads: readonly string[];
  /** Of those, what browsers are sent: their records name further packages. */
  readonly browser: readonly string[];
  /** True: there is a package for Debian. */
  readonly debian: boolean;
}

/** Every program. */
export const PROGRAMS: readonly Program[] = [
  {
    folder: 'agent',
    name: 'agent',
    command: 'tillbridge-agent',
    summary: 'card terminals of a store: drives them, journals every sale, forwards it to the gateway',
    reads: ['data', 'dist/panel', 'dist/api-reference', 'dist/proof-page'],
    browser: ['panel', 'api-reference', 'proof-page'],
    debian: true,
  },
  {
    folder: 'gateway',
    name: 'gateway',
    command: 'tillbridge-gateway',
    summary: 'payment gateway: REST API, bridge for agents, security module, links to acquirers',
    reads: ['data', 'dist/browser', 'dist/api-reference'],
    browser: ['browser', 'api-reference'],
    debian: true,
  },
  {
    folder: 'hardware-sim',
    name: 'simulator',
    command: 'tillbridge-sim',
    summary: 'simulated terminals, cards, acquirer and issuer',
    reads: ['dist/panel'],
    browser: ['panel'],
    // For trials and tests: an archive is enough.
    debian: false,
  },
];
