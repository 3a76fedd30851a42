import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { buildMetrics, certificateMetrics } from './build-metrics.js';

it('the build is shown by its labels, and when a certificate ends in seconds', async () => {
  const registry = new Registry();
  buildMetrics(registry, 'x', { version: '0.1.0', packaged: '0.1.0-dev', commit: 'abc' }, '2');
  let expiresAtMs: number | undefined = 5_000;
  certificateMetrics(registry, 'x', [{ name: 'tls', expiresAtMs: () => expiresAtMs }]);
  const shown = await registry.metrics();
  expect(shown).toContain(
    `x_build_info{version="0.1.0",build="0.1.0-dev",commit="abc",schema="2",node="${process.versions.node}"} 1`,
  );
  expect(shown).toContain('x_certificate_expiry_timestamp_seconds{certificate="tls"} 5');
  expiresAtMs = undefined;
  expect(await registry.metrics()).toContain('x_certificate_expiry_timestamp_seconds{certificate="tls"} Nan');
});
