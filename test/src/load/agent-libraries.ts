import { fileURLToPath } from 'node:url';

/** A process that loads what the agent loads, nothing of ours, and reports that it runs. */
export const AGENT_LIBRARIES = fileURLToPath(import.meta.url);

/** The agent's and the protocol's, as far as a running agent loads them. */
const NAMES = [
  '@fastify/swagger',
  'commander',
  'fastify',
  'node-hid',
  'pino',
  'prom-client',
  'protobufjs/minimal.js',
  'serialport',
  'sqlite3',
  'typebox',
  'ws',
  'yaml',
];

if (process.argv[1] === AGENT_LIBRARIES) {
  for (const name of NAMES) await import(name);
  console.log('listening {}');
  setInterval(() => undefined, 60_000);
}
