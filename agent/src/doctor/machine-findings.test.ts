import { readFileSync } from 'node:fs';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { describe, expect, it } from 'vitest';
import {
  diskFinding,
  gatewayFindings,
  MACHINE_LIMITS,
  nodeFinding,
  OLDEST_NODE,
} from './machine-findings.js';

const NOW_MS = Date.UTC(2026, 10, 29, 10);
const DAY_MS = 86_400_000;
const BRIDGE = 'wss://gateway.example/bridge';
const certificate = { issuer: 'Shop CA', validFromMs: NOW_MS - DAY_MS, validToMs: NOW_MS + 90 * DAY_MS };
const findings = (answer: object) =>
  gatewayFindings(BRIDGE, { kind: 'answered', timeMs: NOW_MS, certificate, ...answer }, NOW_MS);

describe('the machine of an agent', () => {
  it('needs the Node.js that the package names', () => {
    const manifest = readFileSync(new URL('package.json', packageFolder(import.meta.url)), 'utf8');
    expect((JSON.parse(manifest) as { engines: object }).engines).toEqual({ node: `>=${OLDEST_NODE}` });
    for (const good of ['20.19.0', '20.20.2', '24.0.0']) expect(nodeFinding(good).verdict, good).toBe('ok');
    for (const old of ['18.20.8', '20.18.9']) expect(nodeFinding(old).verdict, old).toBe('problem');
    expect(nodeFinding('18.20.8').text).toBe('Node.js 18.20.8 is too old: 20.19 or later is needed');
  });

  it('needs room for its journal', () => {
    const { fewFreeBytes, leastFreeBytes } = MACHINE_LIMITS;
    const verdicts = [fewFreeBytes, fewFreeBytes - 1, leastFreeBytes, leastFreeBytes - 1].map(
      (bytes) => diskFinding('/home', bytes).verdict,
    );
    expect(verdicts).toEqual(['ok', 'warning', 'warning', 'problem']);
  });
});

describe('the gateway of an agent', () => {
  it('is well when it answers with an accepted certificate and the same clock', () => {
    expect(findings({}).map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok']);
    expect(findings({})[1]?.text).toContain('Shop CA is accepted, for 90 more days');
  });

  it('that is not reached is shown in words', () => {
    const [only] = gatewayFindings(BRIDGE, { kind: 'unreachable', detail: 'ECONNREFUSED' }, NOW_MS);
    expect(only).toMatchObject({
      verdict: 'problem',
      text: `the gateway at ${BRIDGE} is not reached: no program listens at gateway.example:443`,
      todo: [expect.stringContaining('Start the gateway')],
    });
    const [other] = gatewayFindings(BRIDGE, { kind: 'unreachable', detail: 'smoke' }, NOW_MS);
    expect(other?.text).toContain('smoke');
  });

  it('with a certificate that is not accepted, or will not be soon, is named', () => {
    const [, refused] = findings({ certificateFault: 'SELF_SIGNED_CERT_IN_CHAIN' });
    expect(refused).toMatchObject({ verdict: 'problem', text: expect.stringContaining('Shop CA') });
    const soon = { ...certificate, validToMs: NOW_MS + MACHINE_LIMITS.certificateDays * DAY_MS };
    expect(findings({ certificate: soon })[1]?.verdict).toBe('ok');
    const sooner = { ...soon, validToMs: soon.validToMs - 1 };
    expect(findings({ certificate: sooner })[1]?.verdict).toBe('warning');
  });

  it('shows a clock that is off', () => {
    const clock = (offMs: number) => findings({ timeMs: NOW_MS - offMs }).at(-1);
    const { clockToleranceMs } = MACHINE_LIMITS;
    expect([clockToleranceMs, -clockToleranceMs].map((off) => clock(off)?.verdict)).toEqual(['ok', 'ok']);
    expect(clock(3_600_000)?.text).toBe("this machine's clock is 1.0 h ahead of the gateway's");
    expect(clock(-300_000)?.text).toBe("this machine's clock is 5 min behind the gateway's");
    expect(clock(clockToleranceMs + 1)?.verdict).toBe('problem');
  });
});
