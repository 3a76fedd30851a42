import { describe, expect, it } from 'vitest';
import { tillbridge } from '../../generated/bridge.js';
import { BridgeError, decodeEnvelope, encodeEnvelope } from './codec.js';
import { BRIDGE_LIMITS } from './limits.js';
import { Disposition, type Envelope, SaleType } from './messages.js';

const request: Envelope<'authorizationRequest'> = {
  id: '0198c6a2-0000-7000-8000-000000000001',
  terminalId: '',
  sequence: 0,
  kind: 'authorizationRequest',
  body: {
    reference: 'T-1',
    type: SaleType.SALE,
    amount: { minor: 1234, currency: 'EUR' },
    pos: {
      terminalId: '1001',
      deviceType: 'GERTEC_PPC930',
      deviceId: '77',
      entryMode: 'ICC',
      panSequenceNumber: '01',
      transactionSequenceNumber: 7,
      pinEntryAvailable: true,
      iccData: Buffer.from('9F2701809F260801020304050607', 'hex'),
      expiry: '3112',
      sred: { data: Buffer.alloc(48, 1), ksn: Buffer.alloc(10, 2) },
    },
    originalMessageId: '',
    journaledAtMs: 1_795_000_000_000,
    partialAllowed: false,
  },
};

describe('bridge codec', () => {
  it('gives back what was encoded, absent parts absent', () => {
    const decoded = decodeEnvelope(encodeEnvelope(request));
    expect(decoded).toEqual(request);
    expect(decoded.kind === 'authorizationRequest' && 'pin' in (decoded.body.pos ?? {})).toBe(false);
  });

  it('carries negative and large amounts exactly', () => {
    const minor = -9_007_199_254_740_991;
    const body = { ...request.body, amount: { minor, currency: 'EUR' } };
    const decoded = decodeEnvelope(encodeEnvelope({ ...request, body }));
    expect(decoded.kind === 'authorizationRequest' && decoded.body.amount?.minor).toBe(minor);
  });

  it('tolerates fields of a later version', () => {
    const extra = Buffer.from([0xfa, 0x3e, 0x03, 0x61, 0x62, 0x63]);
    expect(decodeEnvelope(Buffer.concat([encodeEnvelope(request), extra]))).toEqual(request);
  });

  it.each<[string, Uint8Array, string]>([
    ['an empty message', Buffer.alloc(0), 'unknown-body'],
    ['a message cut short', encodeEnvelope(request).subarray(0, 40), 'malformed'],
    ['an oversized message', Buffer.alloc(BRIDGE_LIMITS.maxEnvelopeBytes + 1), 'too-large'],
    [
      'an id with other characters',
      tillbridge.v1.Envelope.encode({ id: 'a b', statusRequest: { messageId: 'x' } }).finish(),
      'bad-id',
    ],
    [
      'a blob over its limit',
      tillbridge.v1.Envelope.encode({
        id: 'x',
        reversal: { iccData: Buffer.alloc(BRIDGE_LIMITS.maxBlobBytes + 1) },
      }).finish(),
      'limit',
    ],
  ])('refuses %s', (_, bytes, rule) => {
    expect(() => decodeEnvelope(bytes)).toThrow(expect.objectContaining({ name: 'BridgeError', code: rule }));
  });

  it('names the field over its limit and not its content when encoding', () => {
    const body = { ...request.body, reference: 'R'.repeat(300) };
    expect(() => encodeEnvelope({ ...request, body })).toThrow(
      /authorizationRequest\.reference has 300 characters/,
    );
  });

  it('never throws anything but BridgeError for random bytes', () => {
    let seed = 42;
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed;
    };
    const base = encodeEnvelope(request);
    for (let round = 0; round < 5_000; round += 1) {
      const bytes = Buffer.from(base);
      for (let flips = 0; flips <= round % 4; flips += 1) bytes[next() % bytes.length] = next() & 0xff;
      try {
        decodeEnvelope(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(BridgeError);
      }
    }
  });

  it('keeps the dispositions of an outcome', () => {
    const outcome = {
      disposition: Disposition.REVERSED,
      paymentId: 'p',
      resultCode: '000.100.110',
      description: '',
      approvalCode: '',
      responseCode: '00',
      iccDataResponse: Buffer.alloc(0),
      brand: '',
    };
    const message: Envelope = {
      id: 'x',
      terminalId: '1001',
      sequence: 3,
      kind: 'acknowledgement',
      body: { messageId: 'y', outcome },
    };
    expect(decodeEnvelope(encodeEnvelope(message))).toEqual(message);
  });
});
