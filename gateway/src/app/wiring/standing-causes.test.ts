import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Acquirer, AcquirerUnreachableError } from '../../core/acquirers/acquirer.js';
import { ACQUIRER_SILENCE_MS, WatchedAcquirer } from '../../core/acquirers/watched-acquirer.js';
import { QUIET } from '../../core/payments/payment-harness.test.support.js';
import { Alerts } from '../../kernel/alerts/alerts.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { StandingAlerts } from '../../kernel/alerts/standing-alerts.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { Background } from '../../kernel/workers/background.js';
import { SoftwareSecurityModule } from '../../security/module/software-security-module.js';
import { securityFiles } from '../../security/security-files.js';
import { openDevelopmentKeyStore, temporaryHome } from '../../security/test-keys.test.support.js';
import { CHECK_WORK, InvariantCheck } from '../ledger-check/invariant-check.js';
import { standingCauses } from './standing-causes.js';

let home: string;
beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const WORK = 'deletion of old rows';

const line = { isCut: false };
const wire: Acquirer = {
  name: 'WIRE',
  send: () => Promise.reject(new AcquirerUnreachableError('no answer')),
  status: async () => {
    if (line.isCut) throw new AcquirerUnreachableError('no answer');
    return { state: 'unknown' };
  },
};

it('raises an alert while a part of the gateway fails as a whole, and clears it afterwards', async () => {
  const store = new MemoryStore();
  const clock = new VirtualClock(0);
  const alerts = new Alerts({ store, clock, log: QUIET });
  const acquirer = new WatchedAcquirer(wire, clock);
  const security = new SoftwareSecurityModule(openDevelopmentKeyStore(home));
  const record = {
    name: 'WIRE',
    entry: () => Promise.reject(new Error('no record')),
    entriesAfter: () => Promise.reject(new Error('no record')),
  };
  const check = new InvariantCheck({ store, clock, log: QUIET, records: [record] });
  const single = { isMine: async () => true };
  const background = new Background({ clock, single, onFault: () => undefined, closers: [] });
  const sweep = background.watched(WORK, () => Promise.reject(new Error('the disk is full')));
  const payments: { overdueWaits: string | undefined } = { overdueWaits: undefined };
  const files = { certificateFile: join(home, 'tls.pem'), keyFile: join(home, 'tls.key') };
  writeFileSync(files.certificateFile, TEST_CERTIFICATE);
  writeFileSync(files.keyFile, TEST_CERTIFICATE_KEY);
  const certificate = new TlsCertificate('tls', files);
  const advices: { overdue: string | undefined } = { overdue: undefined };
  const causes = standingCauses({
    acquirers: {
      watched: [acquirer],
      causes: [{ code: 'advices-overdue', subject: 'WIRE', detail: () => advices.overdue }],
    },
    security,
    check,
    payments,
    background,
    node: { clockFault: undefined },
    certificate,
  });
  const looking = new StandingAlerts(alerts, causes);
  const standing = async () => {
    await looking.look();
    return openAlerts(store);
  };
  expect(await standing()).toEqual([]);

  line.isCut = true;
  await acquirer.status('a').catch(() => undefined);
  await clock.advance(ACQUIRER_SILENCE_MS);
  expect(await standing()).toEqual(['acquirer-silent WIRE']);
  line.isCut = false;
  await acquirer.status('a');
  expect(await standing()).toEqual([]);

  const { keys } = securityFiles(home);
  const kept = readFileSync(keys);
  writeFileSync(keys, 'damaged');
  expect(await standing()).toEqual(['security-module-unavailable keys']);
  writeFileSync(keys, kept);
  expect(await standing()).toEqual([]);

  writeFileSync(files.certificateFile, 'damaged');
  certificate.check();
  expect(await standing()).toEqual(['certificate-unusable tls']);
  writeFileSync(files.certificateFile, TEST_CERTIFICATE);
  certificate.check();
  expect(await standing()).toEqual([]);

  payments.overdueWaits = '1 payment';
  expect(await standing()).toEqual(['wait-overdue waits']);
  payments.overdueWaits = undefined;
  advices.overdue = '2 advices wait';
  expect(await standing()).toEqual(['advices-overdue WIRE']);
  advices.overdue = undefined;
  expect(await standing()).toEqual([]);

  await sweep().catch(() => undefined);
  check.start();
  await clock.advance(0);
  await check.stop();
  expect((await standing()).sort()).toEqual([`work-failing ${CHECK_WORK}`, `work-failing ${WORK}`]);
});
