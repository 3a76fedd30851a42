import { fromHex } from '@tillbridge/wire/bytes.js';
import { tlv } from '@tillbridge/wire/emv/tlv.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { expect, test } from 'vitest';
import { answerOf, statusFailure } from './replies.js';

test('a failure has the status in words, and the code of the device library where there is one', () => {
  expect(statusFailure('cryptoOpen', { sw: 0x6fe0, hint: 'key-missing', objects: [] })).toEqual({
    kind: 'failed',
    failure: 'key-missing',
    detail: 'CRYPTO OPEN answered 6FE0 (no DUKPT keys)',
  });
  const objects = [tlv(TAGS.errorCode, fromHex('FFFFFFF1'))];
  const { detail } = statusFailure('getEncData', {
    sw: 0x6400,
    hint: 'device-error',
    objects,
  });
  expect(detail).toBe('GET ENC DATA answered 6400 (execution error), code FFFFFFF1');
});

test('an answer that is no container is a fault of the protocol', () => {
  const broken = answerOf('fetchTags', { kind: 'answer', sw: 0x9000, data: Buffer.from(fromHex('F0059F')) });
  expect(broken).toMatchObject({ kind: 'failed', failure: 'protocol-error' });
  const empty = answerOf('fetchTags', { kind: 'answer', sw: 0x9000, data: Buffer.alloc(0) });
  expect(empty).toEqual({ sw: 0x9000, hint: 'ok', objects: [] });
});
