import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@tillbridge/platform/log/log.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { AgentConfig } from '../config/config.js';
import { terminalConfig } from '../config/terminals.js';
import { waitForAnswer } from '../doctor/examine.js';
import { DeviceRegistry } from '../drivers/device-registry.js';
import { openTerminal } from '../drivers/open-terminal.js';
import type { FoundTerminal } from './config-file.js';
import type { Candidate } from './terminal-candidates.js';

/** How long a terminal may take to answer the first command of a maker. */
const PROBE_TIMEOUT_MS = 5_000;
/** For the identification alone; no sale is made under it. */
const PROBE_ID = '0';

/** A port with a terminal, and who answered there. */
export type AnsweredPort = Omit<FoundTerminal, 'id'> & Pick<Candidate, 'id'> & { readonly device: string };

/** Opens each port with the drivers of its possible models, until a terminal answers. Ports without one are left out. */
export async function probePorts(
  candidates: readonly Candidate[],
  merchant: AgentConfig['merchant'],
  note: (text: string) => void,
): Promise<readonly AnsweredPort[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-probe-'));
  try {
    const answered = await Promise.all(
      candidates.map((candidate, at) => probePort(candidate, merchant, join(folder, `${at}.json`), note)),
    );
    return answered.filter((each) => each !== undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function probePort(
  { id, path, transport, deviceTypes }: Candidate,
  merchant: AgentConfig['merchant'],
  registryFile: string,
  note: (text: string) => void,
): Promise<AnsweredPort | undefined> {
  const log = createLog('tillbridge-agent', { level: 'silent', target: 'stderr' });
  for (const deviceType of deviceTypes) {
    note(`probing ${path} for a ${deviceType}`);
    const settings = terminalConfig({ id: PROBE_ID, deviceType, transport, path });
    const registry = new DeviceRegistry(registryFile);
    const open = await openTerminal(settings, merchant, { clock: systemClock, log, registry });
    try {
      const silent = await waitForAnswer(open, systemClock, PROBE_TIMEOUT_MS);
      if (silent !== undefined) continue;
      const { maker = '', model = '', serial = '' } = open.driver.identity ?? {};
      const device = [maker, model, serial && `serial ${serial}`].filter(Boolean).join(' ');
      return { ...(id !== undefined && { id }), deviceType, transport, path, device };
    } finally {
      await open.driver.close();
    }
  }
  return undefined;
}
