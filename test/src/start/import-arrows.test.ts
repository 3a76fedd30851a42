import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';

/** A clone with the check and no sources. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'tillbridge-arrows-'));
  for (const file of ['.dependency-cruiser.mjs', 'package.json', join('test', 'start')])
    cpSync(join(ROOT, file), join(clone, file), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});
afterEach(() => rmSync(clone, { recursive: true }));

/** Source files, each with what it imports. */
type Sources = Readonly<Record<string, readonly string[]>>;

/** What every layer and package may do. */
const GOOD: Sources = {
  'agent/src/till/routes/sales.ts': ['../../sale/service/service.js', '../../config/config.js'],
  'agent/src/sale/service/service.ts': ['../machine/machine.js'],
  'agent/src/sale/machine/machine.ts': [],
  'agent/src/sale/machine/machine.test.ts': ['../service/service.js', '../../till/routes/sales.js'],
  'agent/src/config/config.ts': ['../sale/machine/machine.js'],
  'gateway/src/app/main.ts': ['../features/wallets/register.js', '../kernel/store/store.js'],
  'gateway/src/features/wallets/register.ts': ['./routes/routes.js'],
  'gateway/src/features/wallets/routes/routes.ts': ['../service.js', '../../../core/payments/payments.js'],
  'gateway/src/features/wallets/service.ts': ['./rules/rules.js'],
  'gateway/src/features/wallets/rules/rules.ts': [],
  'gateway/src/features/schedules/routes.ts': ['../../core/payments/payments.js'],
  'gateway/src/core/payments/payments.ts': ['../../security/vault.js'],
  'gateway/src/security/vault.ts': ['../kernel/store/store.js'],
  'gateway/src/kernel/store/store.ts': [],
};

function problemsOf(sources: Sources): readonly string[] {
  for (const [file, imports] of Object.entries(sources)) {
    const path = join(clone, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${imports.map((name) => `import '${name}';`).join('\n')}\n`);
  }
  const script = join(clone, 'test', 'start', 'import-arrows.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: clone, encoding: 'utf8' });
  expect(stdout).toBe('');
  const problems = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(problems.length === 0 ? 0 : 1);
  return problems
    .map((line) => line.replace(/ \(.* imports .*$/, '').replace(/\S+(?=node_modules)/, ''))
    .sort();
}

describe('the check of import arrows', () => {
  it('accepts imports down, and tests that import up', () => {
    expect(problemsOf(GOOD)).toEqual([]);
  });

  it('refuses imports up, across features and packages, folders without a layer, and circles of folders', () => {
    const problems = problemsOf({
      'agent/src/sale/records/records.ts': ['../../till/routes/sales.js'],
      'agent/src/till/routes/sales.ts': [],
      'agent/src/misc/misc.ts': ['../journal/journal.js'],
      'agent/src/journal/journal.ts': [],
      'gateway/src/app/http/server.ts': ['../../features/wallets/routes.js'],
      'gateway/src/kernel/events/events.ts': ['../../core/payments/payments.js'],
      'gateway/src/core/payments/payments.ts': [],
      'gateway/src/features/wallets/routes.ts': [],
      'gateway/src/features/checkouts/service.ts': ['../wallets/routes.js'],
      'gateway/src/features/checkouts/link.ts': ['../../../../agent/src/journal/journal.js'],
      // No folder that is imported imports anything: only folders with all that is below them do so in a circle.
      'protocol/wire/src/emv/tags/tags.ts': ['../../crypto/keys/keys.js'],
      'protocol/wire/src/crypto/keys/keys.ts': [],
      'protocol/wire/src/crypto/mac/mac.ts': ['../../iso8583/fields/fields.js'],
      'protocol/wire/src/iso8583/fields/fields.ts': [],
      'protocol/wire/src/iso8583/line/line.ts': ['../../emv/dol/dol.js'],
      'protocol/wire/src/emv/dol/dol.ts': [],
      'protocol/wire/src/text/text.ts': ['../../../platform/src/log/log.js', 'node:fs', 'fastify'],
      'protocol/platform/src/log/log.ts': ['../../../wire/src/payment/money.js'],
      'protocol/wire/src/payment/money.ts': [],
      'hardware-sim/src/hosts/host.ts': ['./line/line.js'],
      'hardware-sim/src/hosts/line/line.ts': ['../transactions.js'],
      'hardware-sim/src/hosts/transactions.ts': [],
      'agent/panel/src/views/page.tsx': ['../model/sales.js'],
      'agent/panel/src/model/sales.ts': ['../views/words.js'],
      'agent/panel/src/views/words.ts': [],
    });
    expect(problems).toEqual([
      'apart: gateway/src: features: gateway/src/features/checkouts/service.ts → gateway/src/features/wallets/routes.ts',
      'app-knows-of-a-feature-what-it-registers: gateway/src/app/http/server.ts → gateway/src/features/wallets/routes.ts',
      'gateway-knows-protocol-alone: gateway/src/features/checkouts/link.ts → agent/src/journal/journal.ts',
      'no-circle-of-folders: agent/panel/src: views → model → views',
      'no-circle-of-folders: hardware-sim/src/hosts: line → its own files → line',
      'no-circle-of-folders: protocol/wire/src: iso8583 → emv → crypto → iso8583',
      'no-circle-of-folders: protocol: wire → platform → wire',
      'no-import-up: agent/src: sale: agent/src/sale/records/records.ts → agent/src/till/routes/sales.ts',
      'no-import-up: gateway/src: kernel: gateway/src/kernel/events/events.ts → gateway/src/core/payments/payments.ts',
      'no-layer: agent/src: agent/src/misc/misc.ts → agent/src/journal/journal.ts',
      'only-packages-of-the-manifest: protocol/wire/src/text/text.ts → node_modules/fastify/fastify.js',
      'platform-knows-no-domain: protocol/platform/src/log/log.ts → protocol/wire/src/payment/money.ts',
      'wire-does-no-io: protocol/wire/src/text/text.ts → fs',
      'wire-knows-no-other-package: protocol/wire/src/text/text.ts → protocol/platform/src/log/log.ts',
    ]);
  });
});
