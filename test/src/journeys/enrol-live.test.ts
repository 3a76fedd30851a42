import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { PROGRAMS, writeConfig } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';
import { CASE_TIMEOUT_MS, SETTLE_MS } from './test-stack.js';

const run = promisify(execFile);

let folder: string;
let gatewayConfig: string;
let gateway: PartProcess | undefined;
let agent: PartProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-enrol-'));
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificateFile, TEST_CERTIFICATE);
  writeFileSync(keyFile, TEST_CERTIFICATE_KEY);
  gatewayConfig = writeConfig(join(folder, 'gateway.yaml'), {
    home: join(folder, 'gateway'),
    mode: 'live',
    port: 0,
    tls: { certificateFile, keyFile },
    // It signs itself: agents learn it as a private authority.
    bridge: { authorityFile: certificateFile },
  });
});
afterEach(async () => {
  await agent?.stop();
  await gateway?.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a command that ends by itself. */
async function command(program: 'gateway' | 'agent', ...args: readonly string[]) {
  try {
    const { stdout } = await run(process.execPath, [PROGRAMS[program], ...args]);
    return { exitCode: 0, stdout, stderr: '' };
  } catch (error) {
    const {
      code = 1,
      stdout = '',
      stderr = '',
    } = error as { code?: number; stdout?: string; stderr?: string };
    return { exitCode: code, stdout, stderr };
  }
}

it(
  'a live gateway makes an agent known by a code; without one the agent does not start',
  async () => {
    const onGateway = (...args: readonly string[]) => command('gateway', ...args, '--config', gatewayConfig);
    await onGateway('init');
    const { id: entityId } = JSON.parse((await onGateway('entity', 'create', '--name', 'Shop')).stdout) as {
      id: string;
    };
    // The agent finds it there again.
    const env = { GATEWAY_PORT: String(await reservedPort()) };
    const serve = {
      name: 'gateway',
      args: [PROGRAMS.gateway, 'serve', '--config', gatewayConfig],
      env,
    } as const;
    gateway = await startPart(serve);
    const home = join(folder, 'agent');
    const config = writeConfig(join(folder, 'agent.yaml'), {
      home,
      mode: 'live',
      port: 0,
      terminals: [],
      gateway: { bridgeUrl: gateway.listening.bridgeUrl },
    });
    const early = await command('agent', 'run', '--config', config);
    expect(early).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('tillbridge-agent enrol CODE'),
    });
    expect(await command('agent', 'enrol', 'ABCD', '--config', config)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('this is no enrolment code'),
    });

    const about = ['--entity', entityId, '--agent', 'store-7', '--terminal', '7001', '7002'];
    const { code } = JSON.parse((await onGateway('agents', 'enrol-code', ...about)).stdout) as {
      code: string;
    };
    const enrolled = await command('agent', 'enrol', code, '--config', config, '--json');
    expect(enrolled).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(enrolled.stdout)).toEqual({
      agentId: 'store-7',
      entityId,
      terminals: ['7001', '7002'],
    });
    for (const file of readdirSync(home)) {
      expect(statSync(join(home, file)).mode & 0o077, file).toBe(0);
      expect(readFileSync(join(home, file)).includes(code), file).toBe(false);
    }
    const again = await command('agent', 'enrol', code, '--config', config);
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('this code is for') });

    agent = await startPart({ name: 'agent', args: [PROGRAMS.agent, 'run', '--config', config] });
    const token = readFileSync(join(home, 'till-token'), 'utf8').trim();
    const client = new AgentClient({ url: String(agent.listening.url), token });
    await client.untilGateway('up', SETTLE_MS);
    const listed = JSON.parse((await onGateway('agents', 'list')).stdout) as unknown[];
    expect(listed).toMatchObject([{ agentId: 'store-7', state: 'active', generation: 1, epoch: 1 }]);

    // Another key: the running agent goes on, and proves the new one with its next start.
    const rotation = JSON.parse((await onGateway('agents', 'rotate-key', 'store-7')).stdout) as {
      code: string;
    };
    const running = await command('agent', 'enrol', rotation.code, '--config', config);
    expect(running).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('in use by another agent'),
    });
    await agent.stop();
    expect(await command('agent', 'enrol', rotation.code, '--config', config)).toMatchObject({ exitCode: 0 });
    expect(JSON.parse((await onGateway('agents', 'show', 'store-7')).stdout)).toMatchObject({
      keyRotates: true,
    });
    // The gateway rotates its own key meanwhile.
    await gateway.stop();
    await onGateway('agents', 'rotate-gateway-key');
    gateway = await startPart(serve);
    agent = await startPart({ name: 'agent', args: [PROGRAMS.agent, 'run', '--config', config] });
    await new AgentClient({ url: String(agent.listening.url), token }).untilGateway('up', SETTLE_MS);
    const shown = JSON.parse((await onGateway('agents', 'show', 'store-7')).stdout) as object;
    expect(shown).not.toHaveProperty('keyRotates');
  },
  CASE_TIMEOUT_MS,
);
