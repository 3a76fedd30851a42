import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  RENEWED_CERTIFICATE,
  RENEWED_CERTIFICATE_KEY,
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readToken } from '../access/token.js';
import { TILL_TOKEN_FILE } from '../home/home-files.js';
import { enrolledHome } from '../uplink/enrolled-home.test.support.js';
import { TestGateway } from '../uplink/gateway.test.support.js';
import { GATEWAY_PINS_FILE } from '../uplink/gateway-trust.js';
import { IDENTITY_KEY_FILE } from '../uplink/identity.js';
import { AgentClient } from './agent-client.js';
import { runCommandLine } from './main-command.js';
import { runAgent } from './run-command.js';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-run-'));
  home = join(folder, 'agent');
});
afterEach(() => rmSync(folder, { recursive: true }));

const TERMINAL = (path: string) => ({
  id: '1001',
  deviceType: 'GERTEC_PPC930',
  transport: 'serial',
  path,
  deviceId: '10010001',
});

/** A running `run`: where it listens, how to end it, and how it ended. */
async function start(config: object, env: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 'config.yaml');
  writeFileSync(
    file,
    JSON.stringify({ home, port: 0, linkWaitMs: 0, log: { target: join(folder, 'agent.log') }, ...config }),
  );
  const notes: string[] = [];
  let listening = (_line: string): void => {};
  const line = new Promise<string>((resolve) => {
    listening = resolve;
  });
  let end = (): void => {};
  const signal = new Promise<string>((resolve) => {
    end = () => resolve('SIGTERM');
  });
  const output = { out: listening, note: (text: string) => notes.push(text) };
  let hangUp: (() => void) | undefined;
  const onHangUp = (work: () => void): void => {
    hangUp = work;
  };
  const ended = runCommandLine(['run', '--config', file], {
    env,
    output,
    run: (configFile) => runAgent(configFile, { env, output, endSignal: () => signal, onHangUp }),
  });
  const url = await Promise.race([
    line.then((text) => (JSON.parse(text.replace(/^listening /, '')) as { url: string }).url),
    ended.then(() => ''),
  ]);
  return {
    url,
    notes,
    ended,
    end,
    /** What SIGHUP does; undefined where it ends the process. */
    hangUp: () => hangUp,
    client: () => new AgentClient({ url, token: readToken(join(home, TILL_TOKEN_FILE)) }),
  };
}

/** Writes certificate and key; gives the setting that names them. */
function tlsFiles(certificate: string, key: string) {
  const files = { certificateFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') };
  writeFileSync(files.certificateFile, certificate);
  writeFileSync(files.keyFile, key);
  return files;
}

/** Status of a call of `/healthz` by a client that trusts one certificate. */
async function statusOf(url: string, ca: string, headers = {}): Promise<number | undefined> {
  const call = get(`${url}/healthz`, { ca, agent: false, headers, servername: 'localhost' });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

describe('doctor', () => {
  /** A terminal in the network that never answers, and how often it was called. */
  async function silentTerminal() {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    return { path: `127.0.0.1:${port}`, calls: () => sockets.length, close };
  }

  it('queries the running agent, which has the ports', async () => {
    enrolledHome(home, 'store-1');
    const silent = await silentTerminal();
    const terminals = [
      TERMINAL(join(folder, 'tty-absent')),
      { ...TERMINAL(silent.path), id: '1002', deviceType: 'MIURA_M020', transport: 'tcp' },
    ];
    const agent = await start({ gateway: { bridgeUrl: 'ws://127.0.0.1:9/bridge' }, terminals });
    await expect.poll(silent.calls).toBe(1);
    const out: string[] = [];
    const exitCode = await runCommandLine(['doctor', '--json', '--config', join(folder, 'config.yaml')], {
      env: { AGENT_URL: agent.url },
      output: { out: (text) => out.push(text), note: () => undefined },
      run: async () => 0,
    });
    expect(exitCode).toBe(1);
    const { terminals: reports } = JSON.parse(out.join('')) as { terminals: { findings: unknown[] }[] };
    expect(reports).toMatchObject([
      {
        terminalId: '1001',
        findings: [{ verdict: 'problem', text: expect.stringContaining('does not exist') }],
      },
      { terminalId: '1002', findings: [{ verdict: 'problem' }] },
    ]);
    expect(silent.calls(), 'the port was left to the agent').toBe(1);
    agent.end();
    expect(await agent.ended).toBe(0);
    silent.close();
  });
});

describe('run', () => {
  it('refuses plain HTTP beyond this machine with 2', async () => {
    enrolledHome(home, 'store-1');
    const agent = await start({ host: '0.0.0.0' });
    expect(await agent.ended).toBe(2);
    expect(agent.notes.join()).toMatch(/host must be a loopback address/);
  });

  it('names a certificate that cannot be used, with 2', async () => {
    enrolledHome(home, 'store-1');
    const agent = await start({ host: '0.0.0.0', tls: tlsFiles('no certificate', TEST_CERTIFICATE_KEY) });
    expect(await agent.ended).toBe(2);
    expect(agent.notes.join()).toMatch(/tls\.certificateFile .* cannot be used/);
  });

  it('serves tills over TLS, and takes a new certificate at SIGHUP', async () => {
    enrolledHome(home, 'store-1');
    const tls = tlsFiles(TEST_CERTIFICATE, TEST_CERTIFICATE_KEY);
    const agent = await start({ host: '0.0.0.0', tls, gateway: { bridgeUrl: 'ws://127.0.0.1:9/bridge' } });
    expect(agent.url).toMatch(/^https:\/\/0\.0\.0\.0:/);
    const url = agent.url.replace('0.0.0.0', '127.0.0.1');
    expect(await statusOf(url, TEST_CERTIFICATE)).toBe(200);
    expect(await statusOf(url, TEST_CERTIFICATE, { host: 'evil.example' })).toBe(421);
    tlsFiles(RENEWED_CERTIFICATE, RENEWED_CERTIFICATE_KEY);
    agent.hangUp()?.();
    expect(await statusOf(url, RENEWED_CERTIFICATE)).toBe(200);
    tlsFiles(TEST_CERTIFICATE, 'no key');
    agent.hangUp()?.();
    expect(await statusOf(url, RENEWED_CERTIFICATE)).toBe(200);
    expect(readFileSync(join(folder, 'agent.log'), 'utf8')).toContain('the former one stays in use');
    agent.end();
    expect(await agent.ended).toBe(0);
  });

  it('ends at SIGHUP where there is no certificate', async () => {
    enrolledHome(home, 'store-1');
    const agent = await start({ gateway: { bridgeUrl: 'ws://127.0.0.1:9/bridge' } });
    expect(agent.hangUp()).toBeUndefined();
    agent.end();
    expect(await agent.ended).toBe(0);
  });

  it('serves tills, keeps the link to the gateway, and ends with 0', async () => {
    enrolledHome(home, 'store-1');
    const gateway = await TestGateway.listen();
    const path = join(folder, 'tty-absent');
    const agent = await start({ gateway: { bridgeUrl: gateway.url }, terminals: [TERMINAL(path)] });
    const session = await gateway.session();
    const { body } = await session.welcome();
    expect(body).toMatchObject({ agentId: 'store-1', generation: 1 });

    await expect.poll(async () => (await agent.client().status()).gateway.state).toBe('up');
    const status = await agent.client().status();
    expect(status.journal).toMatchObject({ state: 'ready' });
    // A port that is not there is a state with a reason, and no failed start.
    await expect
      .poll(async () => (await agent.client().status()).terminals)
      .toEqual([
        expect.objectContaining({ id: '1001', state: 'disconnected', reason: expect.stringContaining(path) }),
      ]);

    const call = { reference: 'r-1', amount: '1.00', currency: 'EUR', type: 'sale' } as const;
    expect(await agent.client().sale(call)).toMatchObject({ state: 'done', outcome: 'failed' });

    agent.end();
    expect(await agent.ended).toBe(0);
    await session.closed;
    await expect(fetch(`${agent.url}/healthz`)).rejects.toThrow();
    await gateway.close();
  });

  it('finds its sales again on the same home', async () => {
    enrolledHome(home, 'store-1');
    const call = { reference: 'r-1', amount: '1.00', currency: 'EUR', type: 'sale' } as const;
    const terminals = [TERMINAL(join(folder, 'tty-absent'))];
    const first = await start({ terminals });
    const sold = await first.client().sale(call);
    first.end();
    await first.ended;
    const second = await start({ terminals });
    expect(await second.client().sale(call)).toEqual(sold);
    second.end();
    expect(await second.ended).toBe(0);
  });

  it('refuses a second agent on its home', async () => {
    enrolledHome(home, 'store-1');
    const first = await start({});
    const second = await start({});
    expect(await second.ended).toBe(2);
    expect(second.notes.join()).toMatch(/in use by another agent.*AGENT_HOME/);
    first.end();
    expect(await first.ended).toBe(0);
  });

  it('names the port that is in use, and the variable that changes it', async () => {
    enrolledHome(home, 'store-1');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const agent = await start({}, { AGENT_PORT: String(port) });
    expect(await agent.ended).toBe(2);
    expect(agent.notes.join()).toMatch(new RegExp(`port ${port} is in use.*AGENT_PORT`));
    other.close();
    // Nothing is left behind: the same home starts on another port.
    const next = await start({});
    expect(next.url).toMatch(/^http/);
    next.end();
    await next.ended;
  });

  it.each<[string, () => void, object, RegExp]>([
    ['a wrong key', () => enrolledHome(home), { prot: 1 }, /prot is no known key; did you mean port\?/],
    ['no identity', () => mkdirSync(home), {}, /cannot read the key pair .*tillbridge-agent enrol CODE/],
    [
      'no pin set of a gateway',
      () => {
        enrolledHome(home);
        rmSync(join(home, GATEWAY_PINS_FILE));
      },
      {},
      /cannot read the gateway's pin set .*tillbridge-agent enrol CODE/,
    ],
    [
      'a broken pin set',
      () => {
        enrolledHome(home);
        writeFileSync(join(home, GATEWAY_PINS_FILE), '{"identityKeys":[],"tlsPins":[],"authorities":[]}');
      },
      {},
      /holds no pin set of a gateway/,
    ],
    [
      'an enrolment without TLS in live mode',
      () => enrolledHome(home),
      { mode: 'live', gateway: { bridgeUrl: 'wss://gateway.example/bridge' } },
      /was enrolled without TLS/,
    ],
    [
      'plain WebSocket in live mode',
      () => enrolledHome(home),
      { mode: 'live' },
      /gateway\.bridgeUrl must be a wss: address in live mode/,
    ],
    [
      'a broken identity',
      () => {
        enrolledHome(home);
        writeFileSync(join(home, IDENTITY_KEY_FILE), 'x');
      },
      {},
      /no private key/,
    ],
    [
      'a token file that is missing',
      () => enrolledHome(home),
      { tokenFile: '/nowhere/token' },
      /token from \/nowhere/,
    ],
    ['a home that is a file', () => writeFileSync(home, ''), {}, /home .* cannot be used .*AGENT_HOME/],
    [
      'a home that cannot be made',
      () => {},
      { home: '/dev/null/home' },
      /home \/dev\/null\/home cannot be used .*AGENT_HOME/,
    ],
  ])('exits 2 with %s', async (_name, prepare, config, message) => {
    prepare();
    const agent = await start(config);
    expect(await agent.ended).toBe(2);
    expect(agent.notes.join('\n')).toMatch(message);
  });

  it('exits 2 with a host that is not ours', async () => {
    enrolledHome(home);
    const agent = await start({ host: '192.0.2.1', tls: tlsFiles(TEST_CERTIFICATE, TEST_CERTIFICATE_KEY) });
    expect(await agent.ended).toBe(2);
    expect(agent.notes.join()).toMatch(/cannot listen on 192\.0\.2\.1/);
  });
});
