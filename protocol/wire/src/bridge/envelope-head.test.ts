import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeEnvelope } from './codec.js';
import { readEnvelopeHead } from './envelope-head.js';

const HEAD = { id: '0193-a', terminalId: '1', sequence: 7 };
const amount = { minor: 1, currency: 'EUR' };
const bytes = encodeEnvelope({
  ...HEAD,
  kind: 'capture',
  body: { originalMessageId: 'm', reference: 'R', amount, final: true },
});

test('the head is read whatever stands behind it', () => {
  expect(readEnvelopeHead(bytes)).toEqual(HEAD);
  const unknownBody = Uint8Array.of(0xaa, 0x06, 0x01, 0x00);
  const head = bytes.subarray(0, 2 + HEAD.id.length + 3 + 2);
  expect(readEnvelopeHead(Buffer.concat([head, unknownBody]))).toEqual(HEAD);
  expect(readEnvelopeHead(Buffer.concat([head, Uint8Array.of(0xff)]))).toEqual(HEAD);
  expect(readEnvelopeHead(bytes.subarray(0, bytes.length - 3))).toEqual(HEAD);
});

test('a message without a place in a stream has none to be parked in', () => {
  const live = encodeEnvelope({
    id: 'm',
    terminalId: '',
    sequence: 0,
    kind: 'statusRequest',
    body: { messageId: 'x' },
  });
  expect(readEnvelopeHead(live)).toBeUndefined();
  expect(readEnvelopeHead(new Uint8Array())).toBeUndefined();
  expect(readEnvelopeHead(bytes.subarray(0, 5))).toBeUndefined();
});

test('no bytes make it fail', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (noise) => {
      const head = readEnvelopeHead(noise);
      if (head) expect(head.sequence).toBeGreaterThan(0);
    }),
  );
});
