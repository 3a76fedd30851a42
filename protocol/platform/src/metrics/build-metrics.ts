import { Gauge, type Registry } from 'prom-client';
import type { ProgramBuild } from '../program-version.js';

/** Shows which build runs: `…_build_info{version, build, commit, schema, node} 1`. */
export function buildMetrics(registry: Registry, prefix: string, build: ProgramBuild, schema: string): void {
  const { version, packaged = 'checkout', commit = '' } = build;
  const labels = { version, build: packaged, commit, schema, node: process.versions.node };
  const info = new Gauge({
    name: `${prefix}_build_info`,
    help: 'Always 1; its labels are version, build, schema and Node.js of the process',
    labelNames: Object.keys(labels),
    registers: [registry],
  });
  info.set(labels, 1);
}

/** A certificate that is watched. */
interface WatchedCertificate {
  /** What it is used for, such as `tls`. */
  readonly name: string;
  /** When it ends; undefined where that is not known now. */
  readonly expiresAtMs: () => number | undefined;
}

/** Shows when certificates end: `…_certificate_expiry_timestamp_seconds{certificate}`. */
export function certificateMetrics(
  registry: Registry,
  prefix: string,
  certificates: readonly WatchedCertificate[],
): void {
  if (certificates.length === 0) return;
  new Gauge({
    name: `${prefix}_certificate_expiry_timestamp_seconds`,
    help: 'When a certificate in use ends; not a number while it cannot be read',
    labelNames: ['certificate'],
    registers: [registry],
    collect() {
      for (const { name, expiresAtMs } of certificates)
        this.set({ certificate: name }, (expiresAtMs() ?? Number.NaN) / 1_000);
    },
  });
}
