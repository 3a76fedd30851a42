import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startStack } from '../stack/stack.js';
import { ApiReference } from './api-reference.js';
import { openPanel, type Shoot } from './panel-page.js';

/** Operations that are shown open, by program. */
const OPEN = { gateway: 'postV1Payments', agent: 'postV1Sales' } as const;

/** Pictures of the landing page, and of the API reference of gateway and agent. */
export async function docsPictures(browser: Browser, shoot: Shoot): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-pictures-'));
  const ports = { gateway: 0, agent: 0, simulator: 0 };
  const more = { tour: false, nexoPort: 0, hostPort: 0, auto: false, offline: 'on' };
  const stack = await startStack({ home, ports, chosen: new Set<never>(), ...more }, { hosts: false });
  try {
    const { page: landing } = await openPanel(browser, stack.dev.gateway.url);
    await shoot(landing, 'landing');
    await landing.close();
    for (const part of ['gateway', 'agent'] as const)
      await referencePictures(await ApiReference.open(browser, stack.dev[part].url), part, shoot);
  } finally {
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function referencePictures(
  reference: ApiReference,
  part: keyof typeof OPEN,
  shoot: Shoot,
): Promise<void> {
  const { page } = reference;
  await shoot(page, `${part}-overview`);
  const operation = reference.operation(OPEN[part]);
  await operation.getByRole('button', { name: /POST/ }).click();
  await shoot(page, `${part}-operation`, operation);
  await shoot(page, `${part}-example`, operation.getByRole('region', { name: 'Example' }));
  await reference.search('refund');
  await shoot(page, `${part}-search`, page.locator('.navigation'));
  await reference.search('');
  for (const [table, button] of [
    ['errors', /^Errors/],
    ['result-codes', /^Result codes/],
  ] as const) {
    const section = page.locator(`section#${table}`);
    await section.getByRole('button', { name: button }).click();
    await shoot(page, `${part}-${table}`, section);
    await section.getByRole('button', { name: button }).click();
  }
  await page.close();
}
