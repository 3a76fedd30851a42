import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NexoKey } from '@tillbridge/agent/nexo/messages/message-cipher.js';
import type { Seeded } from '@tillbridge/gateway/app/commands/seed.js';
import { writeHomeFile } from './home-file.js';
import type { PartName } from './options.js';
import type { HostName } from './part-process.js';

/** A process of the stack as `dev.json` names it. */
interface ProcessEntry {
  readonly pid: number;
  readonly command: string;
}

/** A terminal as `dev.json` names it; `path` is stable across restarts and replugging. */
export interface TerminalEntry {
  readonly id: string;
  readonly deviceType: string;
  readonly transport: string;
  readonly path: string;
}

/** Where tills call, and what they need for it. */
export interface AgentEntry {
  readonly url: string;
  readonly token: string;
  readonly nexoUrl: string;
  /** Certificate of the authority that tills trust, PEM. */
  readonly nexoCa: string;
  readonly nexoKey: NexoKey;
}

/** Content of `$TILLBRIDGE_HOME/dev.json`: where everything is, and the credentials of the development merchant. */
export interface DevFile
  extends Pick<Seeded, 'merchant' | 'legacyMerchant' | 'externalMerchant' | 'threeDSecureMerchant'> {
  /** Where users sign in, and one who may do everything at the development merchant. */
  readonly console: { readonly url: string; readonly user: string; readonly password: string };
  readonly gateway: { readonly url: string; readonly bridgeUrl: string };
  /** The simulated bank of the gateway. */
  readonly bank: { readonly url: string };
  /** Directory server and access control server of the gateway. */
  readonly threeDs: { readonly url: string; readonly directoryUrl: string };
  /** The host of the acquirer of test mode EXTERNAL: its REST control, and where it speaks ISO 8583. */
  readonly acquirerHost: { readonly url: string; readonly address: string };
  readonly agent: AgentEntry;
  readonly simulator: { readonly url: string };
  readonly terminals: readonly TerminalEntry[];
  readonly processes: Readonly<Record<PartName | HostName, ProcessEntry>>;
}

const NAME = 'dev.json';

/** The file of an earlier start of this home, or undefined. An unreadable one counts as absent: it is rewritten whole. */
export function readDevFile(home: string): DevFile | undefined {
  const path = join(home, NAME);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as DevFile;
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step; readable only by its owner. @throws StartFailure */
export function writeDevFile(home: string, content: DevFile): void {
  writeHomeFile(join(home, NAME), `${JSON.stringify(content, null, 2)}\n`);
}
