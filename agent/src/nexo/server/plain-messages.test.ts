import {
  TEST_CERTIFICATE as cert,
  TEST_CERTIFICATE_KEY as key,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { NexoHarness } from '../service/nexo-harness.test.support.js';
import { createNexoServer } from './nexo-server.js';
import { type PlainRequest, refusePlain } from './plain-messages.js';

const HERE = '127.0.0.1';
const request = (
  headers: PlainRequest['headers'] = { host: 'localhost:8443' },
  remoteAddress: string | undefined = HERE,
): PlainRequest => ({ headers, socket: { remoteAddress, localAddress: HERE } });

it.each<[string, PlainRequest]>([
  ['by its name', request()],
  ['by its address', request({ host: `${HERE}:8443` })],
  ['without a name, as older programs call', request({})],
])('takes a message in clear from this machine %s', (_, local) => {
  expect(() => refusePlain(true, local)).not.toThrow();
});

it.each<[string, boolean, PlainRequest]>([
  ['where the configuration does not take it', false, request()],
  ['from the network', true, request(undefined, '192.0.2.7')],
  ['from an unknown address', true, { headers: {}, socket: {} }],
  ['with a foreign Host, as a rebound name has', true, request({ host: 'evil.example' })],
  [
    'of a page, also of one of this machine',
    true,
    request({ host: 'localhost', origin: 'https://localhost' }),
  ],
  ['of a page elsewhere', true, request({ origin: 'https://evil.example' })],
])('refuses a message in clear %s', (_, plain, foreign) => {
  expect(() => refusePlain(plain, foreign)).toThrow(expect.objectContaining({ code: 'plain-refused' }));
});

it('is checked by the server before a message is carried out', async () => {
  const agent = await new NexoHarness().boot();
  const keys = {
    open: (): never => {
      throw new Error('a message in clear needs no key');
    },
  };
  const log = pino({ level: 'silent' });
  const server = createNexoServer({
    service: agent.service,
    keys,
    tls: { cert, key },
    plain: true,
    log,
    strangers: { take: () => undefined },
  });
  const MessageHeader = {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: 'Diagnosis',
    MessageType: 'Request',
    ServiceID: '1',
    SaleID: 'till-1',
    POIID: '11',
  };
  const answer = await server.inject({
    method: 'POST',
    url: '/nexo/',
    remoteAddress: '192.0.2.7',
    headers: { host: 'localhost', 'content-type': 'application/json' },
    payload: JSON.stringify({ SaleToPOIRequest: { MessageHeader, DiagnosisRequest: {} } }),
  });
  expect(answer.json()).toMatchObject({ errorCode: 'plain-refused' });
  await server.close();
});
