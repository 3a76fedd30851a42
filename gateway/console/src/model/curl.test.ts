import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlOf } from './curl.js';

it('is a request that a shell takes apart as it was meant, whatever a merchant has written', () => {
  const hostile = `o'clock $(touch /tmp/x) "\`id\`\n--next`;
  const text = curlOf(
    'https://gateway.test',
    'POST',
    '/v1/payments/1',
    { amount: '1.00', note: hostile },
    'k-1',
  );
  const script = `curl() { printf '%s\\0' "$@"; }; TILLBRIDGE_TOKEN=t; ${text}`;
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  expect(words).toEqual([
    'https://gateway.test/v1/payments/1',
    '-H',
    'Authorization: Bearer t',
    '-H',
    'Idempotency-Key: k-1',
    '--data-urlencode',
    'amount=1.00',
    '--data-urlencode',
    `note=${hostile}`,
  ]);
});

it('reads with a query', () => {
  expect(curlOf('http://g', 'GET', '/v1/payments/1')).toBe(
    `curl -G 'http://g/v1/payments/1' \\\n  -H "Authorization: Bearer $TILLBRIDGE_TOKEN"`,
  );
});
