import { describe, expect, it } from 'vitest';
import type { DevFile } from '../stack/dev-file.js';
import { summary } from './summary.js';

const SECRETS = [
  'merchant-token',
  'webhook-key',
  'legacy-token',
  'legacy-password',
  'till-token',
  'nexo-pass',
  'console-pass',
];
const [accessToken, webhookKey, legacyToken, password, token, passphrase, consolePassword] = SECRETS as [
  ...[string, string, string, string, string, string, string],
];

const DEV = {
  gateway: { url: 'http://127.0.0.1:1', bridgeUrl: 'ws://127.0.0.1:1/bridge' },
  merchant: { entityId: 'e', merchantEntityId: 'm', accessToken, webhookKey },
  legacyMerchant: { entityId: 'l', accessToken: legacyToken, userId: 'u', password },
  agent: { url: 'http://127.0.0.1:2', token, nexoKey: { identifier: 'i', version: 1, passphrase } },
  console: { url: 'http://127.0.0.1:1/console', user: 'demo@shop.example', password: consolePassword },
  terminals: [{ id: '1001', deviceType: 'MIURA_M020', transport: 'serial', path: '/home/ports/1001' }],
} as unknown as DevFile;

describe('the summary of npm start', () => {
  it('ends for a script with the content of dev.json, in which alone secrets stand', () => {
    const lines = summary({ home: '/home' }, DEV, false);
    const ready = lines.at(-1) ?? '';
    expect(JSON.parse(ready.replace(/^ready /, ''))).toEqual(DEV);
    for (const secret of SECRETS) {
      expect(ready).toContain(secret);
      expect(lines.slice(0, -1).join('\n')).not.toContain(secret);
    }
  });

  it('shows a person where secrets are, and none of them', () => {
    const text = summary({ home: '/home' }, DEV, true).join('\n');
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).toMatch(/^ready .*\/home\/dev\.json/m);
    expect(text).toContain('terminal   1001');
    expect(text).toContain('console    http://127.0.0.1:1/console  (user demo@shop.example');
    expect(text).toMatch(
      /^try this next$[\s\S]*TILLBRIDGE_HOME=\/home npx tillbridge-agent sale .* --terminal 1001$/m,
    );
  });
});
