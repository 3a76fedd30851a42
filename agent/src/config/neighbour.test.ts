import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentConfig, loadConfig } from './config.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-config-'));
  file = join(folder, 'agent.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(config: object): AgentConfig {
  writeFileSync(file, JSON.stringify({ home: folder, ...config }));
  return loadConfig(file, {});
}

function problem(config: object): string {
  try {
    load(config);
    return '';
  } catch (error) {
    return (error as Error).message.replaceAll(`${file}: `, '');
  }
}

const PEER = { agentId: 'store-1', secretFile: '/s' };
const TLS = { certificateFile: '/c', keyFile: '/k' };

describe('neighbour', () => {
  it('is not there unless it is said', () => {
    expect(load({}).neighbour).toBeUndefined();
  });

  it('listens on loopback, keeps copies in the home, and knows its peers', () => {
    expect(load({ neighbour: { peers: [PEER] } }).neighbour).toEqual({
      host: '127.0.0.1',
      port: 8443,
      folder: join(folder, 'neighbours'),
      peers: [PEER],
    });
    const open = { host: '0.0.0.0', port: 0, folder: '/copies', tls: TLS, peers: [PEER] };
    expect(load({ neighbour: open }).neighbour).toEqual(open);
  });

  it.each<[object, string]>([
    [
      { host: '0.0.0.0', peers: [PEER] },
      'neighbour.tls is missing: the secret of a neighbour may not cross a network in clear',
    ],
    [{}, 'neighbour.peers is missing: expected a list of 1 to 16 agents with agentId and secretFile'],
    [{ peers: [{ ...PEER, agentId: '../x' }] }, 'neighbour.peers[0].agentId must be an agent id, not "../x"'],
    [{ tls: { keyFile: '/k' }, peers: [PEER] }, 'neighbour.tls.certificateFile is missing: expected a path'],
  ])('%j: %s', (neighbour, text) => {
    expect(problem({ neighbour })).toBe(text);
  });
});

describe('a copy at a neighbour', () => {
  const copy = (more: object) => ({ journal: { copy: { keyFile: '/key', ...more } } });

  it('needs its address and the secret', () => {
    expect(load(copy({ url: 'https://10.0.0.7:8443/', secretFile: '/s' })).journal.copy).toEqual({
      place: { kind: 'neighbour', url: 'https://10.0.0.7:8443', secretFile: '/s' },
      mode: 'required',
      keyFile: '/key',
    });
  });

  it.each<[object, string]>([
    [{}, 'journal.copy.path or url is needed, and not both: a folder, or a neighbour'],
    [
      { path: '/x', url: 'https://a' },
      'journal.copy.path or url is needed, and not both: a folder, or a neighbour',
    ],
    [
      { url: 'http://10.0.0.7', secretFile: '/s' },
      'journal.copy.url must be an https: address of a neighbour, or http: on loopback, such as https://10.0.0.7:8443, not "http://10.0.0.7"',
    ],
    [{ url: 'https://10.0.0.7' }, 'journal.copy.secretFile is missing: expected a path'],
  ])('%j: %s', (more, text) => {
    expect(problem(copy(more))).toBe(text);
  });
});
