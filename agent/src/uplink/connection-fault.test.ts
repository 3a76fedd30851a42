import { describe, expect, it } from 'vitest';
import { certificateFault, connectionFault } from './connection-fault.js';

const NOW_MS = Date.UTC(2026, 10, 29, 10);
const DAY_MS = 86_400_000;
const VALID = { issuer: 'Shop CA', validFromMs: NOW_MS - DAY_MS, validToMs: NOW_MS + DAY_MS };
const URL_OF = 'wss://gateway.example/pay/bridge';

describe('a connection that fails', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:8080', 'no program listens at gateway.example:443'],
    ['getaddrinfo ENOTFOUND gateway.example', 'the name gateway.example is not known here'],
    ['no answer within 8000 ms', 'gateway.example:443 cannot be reached'],
    [
      'Unexpected server response: 404',
      'gateway.example:443 answers, and has no bridge at /pay/bridge (404)',
    ],
    [
      'Unexpected server response: 200',
      'gateway.example:443 answers /pay/bridge with a page (200): it is no bridge of a gateway',
    ],
    ['Unexpected server response: 307', 'gateway.example:443 sends its callers to another address (307)'],
    [
      'Unexpected server response: 502',
      'a proxy answers at gateway.example:443, and the gateway behind it does not (502)',
    ],
    ['Unexpected server response: 403', 'gateway.example:443 refuses the connection (403)'],
    ['write EPROTO 00: SSL routines:wrong version number', 'gateway.example:443 does not speak TLS'],
    ['socket hang up', 'gateway.example:443 closes the connection without an answer'],
  ])('%s is shown in words, with what to do', (detail, text) => {
    const fault = connectionFault(detail, URL_OF);
    expect(fault?.text).toBe(text);
    expect(fault?.remedy).toMatch(/^[A-Z].*\.$/);
  });

  it('in a way that is not known stands for itself', () => {
    expect(connectionFault('the cable burns', URL_OF)).toBeUndefined();
  });

  it('is shown with the port of the address', () => {
    expect(connectionFault('ECONNREFUSED', 'ws://[::1]:8080/bridge')?.text).toContain('[::1]:8080');
    expect(connectionFault('ECONNREFUSED', 'ws://localhost/bridge')?.text).toContain('localhost:80');
  });
});

describe('a certificate that is not accepted', () => {
  const fault = (code: string, certificate = VALID) => certificateFault(code, certificate, URL_OF, NOW_MS);

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('%s names the authority and the key of the gateway that makes it known', (code) => {
    expect(fault(code)).toMatchObject({
      text: expect.stringContaining('comes from Shop CA'),
      remedy: expect.stringContaining('bridge.authorityFile'),
      isUnknownAuthority: true,
    });
  });

  it('by its dates names them and the clock, also where its authority is not known', () => {
    const early = fault('UNABLE_TO_VERIFY_LEAF_SIGNATURE', { ...VALID, validFromMs: NOW_MS + DAY_MS });
    expect(early.text).toContain(
      "valid from 2026-11-30 10:00 UTC on, and this machine's clock shows 2026-11-29 10:00 UTC",
    );
    const late = fault('CERT_HAS_EXPIRED', { ...VALID, validToMs: NOW_MS - 1 });
    expect(late.text).toContain('has expired at 2026-11-29 09:59 UTC');
    expect([early, late].map(({ isUnknownAuthority }) => isUnknownAuthority)).toEqual([undefined, undefined]);
  });

  it('for another name, or for another reason, has its own text', () => {
    expect(fault('ERR_TLS_CERT_ALTNAME_INVALID').text).toBe(
      'the certificate that answers is not for gateway.example',
    );
    expect(fault('the server has the TLS key sha256/x').text).toContain('sha256/x');
  });
});
