import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partHome } from '../stack/layout.js';
import type { PartProcess } from '../stack/part-process.js';
import { type Seed, startGateway, startThreeDSecure } from '../stack/parts.js';
import { copyPreparedHome } from '../stack/prepared-home.js';
import { MessageRecorder } from './message-recorder.js';

/** Gateway, directory server and access control server as separate processes; messages between the servers pass a recorder. */
export interface ThreeDSecureStack {
  readonly seed: Seed;
  readonly url: string;
  readonly recorder: MessageRecorder;
  gateway: PartProcess;
  /** `kill -9` of the gateway, and a new start on its port. */
  killGateway(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts them on a separate home.
 * @param threeds `false`: the directory server is not there
 * @param more variables of the gateway
 */
export async function startThreeDSecureStack(
  name: string,
  threeds = true,
  more: NodeJS.ProcessEnv = {},
): Promise<ThreeDSecureStack> {
  const home = mkdtempSync(join(tmpdir(), `tillbridge-${name}-`));
  const seed = await copyPreparedHome(home);
  const servers = threeds ? await startThreeDSecure(0) : undefined;
  const recorder = new MessageRecorder(String(servers?.listening.directoryUrl ?? 'http://127.0.0.1:1/'));
  await recorder.listen();
  const env = { GATEWAY_DIRECTORY_SERVER_URL: recorder.url, GATEWAY_RESOLVER_INTERVAL_MS: '500', ...more };
  const first = await startGateway(home, 0, env);
  const port = Number(new URL(first.url).port);
  const stack: ThreeDSecureStack = {
    seed,
    url: first.url,
    recorder,
    gateway: first.process,
    killGateway: async () => {
      await stack.gateway.kill();
      stack.gateway = (await startGateway(home, port, env)).process;
    },
    end: async () => {
      await stack.gateway.stop();
      await recorder.close();
      await servers?.stop();
      const faults = unexpectedFaults(home);
      rmSync(home, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`requests met unexpected faults:\n${faults.join('\n')}`);
    },
  };
  return stack;
}

/** Lines of the gateway's log about requests that were answered 999.999.999, with their stacks. */
function unexpectedFaults(home: string): string[] {
  const log = join(partHome(home, 'gateway'), 'gateway.log');
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('unexpected fault in a request'));
}
