import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startStack } from '../stack/stack.js';
import { ApiReference } from './api-reference.js';
import type { Shoot } from './panel-page.js';

/** Pictures of the API reference of gateway and agent. */
export async function docsPictures(browser: Browser, shoot: Shoot): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-pictures-'));
  const ports = { gateway: 0, agent: 0, simulator: 0 };
  const more = { tour: false, nexoPort: 0, hostPort: 0, auto: false, offline: 'on' };
  const stack = await startStack({ home, ports, chosen: new Set<never>(), ...more }, { hosts: false });
  try {
    for (const part of ['gateway', 'agent'] as const) {
      const reference = await ApiReference.open(browser, stack.dev[part].url);
      await shoot(reference.page, `${part}-overview`);
      const [first] = await reference.operations();
      await reference.page.close();
      if (!first) throw new Error(`the reference of the ${part} has no operations`);
    }
  } finally {
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
