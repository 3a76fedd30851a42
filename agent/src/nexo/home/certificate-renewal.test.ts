import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { CertificateRenewal, RENEWAL_CHECK_MS } from './certificate-renewal.js';

it('gives a running server a new certificate, once, and looks on after a fault', async () => {
  const clock = new VirtualClock();
  const shown: unknown[] = [];
  const faults: object[] = [];
  let next: () => string = () => 'first';
  const renewal = new CertificateRenewal({ setSecureContext: (options) => shown.push(options) }, 'first', {
    ensure: async () => ({ tls: { cert: next(), key: 'k' } }),
    clock,
    log: { error: (about) => void faults.push(about) },
  });
  const look = async () => {
    await clock.advance(RENEWAL_CHECK_MS);
    await settle();
  };
  await look();
  expect(shown).toEqual([]);
  next = () => {
    throw new Error('the disk is full');
  };
  await look();
  expect(faults).toHaveLength(1);
  next = () => 'second';
  await look();
  await look();
  expect(shown).toEqual([{ cert: 'second', key: 'k', minVersion: 'TLSv1.2' }]);
  renewal.close();
  next = () => 'third';
  await look();
  expect(shown).toHaveLength(1);
});
