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

describe('replica', () => {
  it('is absent without configuration', () => {
    expect(load({}).replica).toBeUndefined();
  });

  it('listens on loopback, keeps copies in the home, and knows its peers', () => {
    expect(load({ replica: { peers: [PEER] } }).replica).toEqual({
      host: '127.0.0.1',
      port: 8444,
      folder: join(folder, 'replicas'),
      peers: [PEER],
    });
    const open = { host: '0.0.0.0', port: 0, folder: '/copies', tls: TLS, peers: [PEER] };
    expect(load({ replica: open }).replica).toEqual(open);
  });

  it.each<[object, string]>([
    [
      { host: '0.0.0.0', peers: [PEER] },
      'replica.tls is missing: the secret of a replica may not cross a network in clear',
    ],
    [{}, 'replica.peers is missing: expected a list of 1 to 16 agents with agentId and secretFile'],
    [{ peers: [{ ...PEER, agentId: '../x' }] }, 'replica.peers[0].agentId must be an agent id, not "../x"'],
    [{ tls: { keyFile: '/k' }, peers: [PEER] }, 'replica.tls.certificateFile is missing: expected a path'],
  ])('%j: %s', (replica, text) => {
    expect(problem({ replica })).toBe(text);
  });
});

describe('a copy at a replica', () => {
  const copy = (more: object) => ({ journal: { copy: { keyFile: '/key', ...more } } });

  it('needs its address and the secret', () => {
    expect(load(copy({ url: 'https://10.0.0.7:8444/', secretFile: '/s' })).journal.copy).toEqual({
      place: { kind: 'replica', url: 'https://10.0.0.7:8444', secretFile: '/s' },
      mode: 'required',
      keyFile: '/key',
    });
  });

  it.each<[object, string]>([
    [{}, 'journal.copy.path or url is needed, and not both: a folder, or a replica'],
    [
      { path: '/x', url: 'https://a' },
      'journal.copy.path or url is needed, and not both: a folder, or a replica',
    ],
    [
      { url: 'http://10.0.0.7', secretFile: '/s' },
      'journal.copy.url must be an https: address of a replica, or http: on loopback, such as https://10.0.0.7:8444, not "http://10.0.0.7"',
    ],
    [{ url: 'https://10.0.0.7' }, 'journal.copy.secretFile is missing: expected a path'],
  ])('%j: %s', (more, text) => {
    expect(problem(copy(more))).toBe(text);
  });
});
