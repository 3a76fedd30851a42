import { randomUUID } from 'node:crypto';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { encodeMessage } from '@tillbridge/wire/three-d-secure/messages/codec.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
} from '../../core/payments/payment-harness.test.support.js';
import { newAuthenticationRow } from './authentication-row.js';
import { Authenticator } from './authenticator.js';
import { DirectoryClient } from './directory-client.js';
import { ThreeDSecureService } from './service.js';

const PAYMENT = 'f'.repeat(32);
const IDS = { threeDSServerTransID: randomUUID(), acsTransID: randomUUID(), dsTransID: randomUUID() };

let harness: PaymentHarness;
let service: ThreeDSecureService;
beforeEach(async () => {
  harness = await openPaymentHarness();
  const { store, clock, context } = harness;
  const { waitSeal: seal, fingerprint } = context;
  const addresses = () => undefined;
  const newTransId = randomUUID;
  const onFault = () => undefined;
  const post = () => Promise.reject(new Error('refused'));
  const directory = new DirectoryClient({ url: 'http://ds.example/', post, newTransId, clock, onFault });
  const authenticator = new Authenticator({ store, directory, addresses, newTransId, clock, mode: 'test' });
  service = new ThreeDSecureService({
    authenticator,
    addresses,
    store,
    seal,
    fingerprint,
    clock,
    random,
    mode: 'test',
    continuePayment: async () => undefined,
    shopperPages: () => undefined,
    onFault,
  });
  const { threeDSServerTransID: transId, acsTransID: acsTransId, dsTransID: dsTransId } = IDS;
  const plan = { transId, version: '2.2.0', channel: '02', category: '01' } as const;
  const step = { name: 'challenge', acsUrl: 'https://acs.example/', acsTransId, dsTransId } as const;
  const row = newAuthenticationRow(PAYMENT, ENTITY, { plan, brand: 'VISA', step }, clock.nowMs());
  await store.commit([{ op: 'insert', table: 'authentications', row }]);
});
afterEach(() => harness.dispose());

async function result(more: Partial<typeof IDS> = {}): Promise<{ messageType: string; errorCode?: string }> {
  const rreq = {
    messageType: 'RReq',
    messageVersion: '2.2.0',
    ...IDS,
    messageCategory: '01',
    authenticationType: '01',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
    interactionCounter: '01',
    ...more,
  } as const;
  return JSON.parse(await service.takeMessage(encodeMessage('RReq', rreq)));
}

const stateOf = async () => (await harness.store.get('authentications', [PAYMENT]))?.state;

describe('the result of a challenge', () => {
  it('counts with the ids of all three servers', async () => {
    expect(await result()).toMatchObject({ messageType: 'RRes' });
    expect(await stateOf()).toBe('done');
  });

  it.each(['threeDSServerTransID', 'acsTransID', 'dsTransID'])(
    'belongs to no transaction with another %s',
    async (name) => {
      expect(await result({ [name]: randomUUID() })).toMatchObject({ messageType: 'Erro', errorCode: '301' });
      expect(await stateOf()).toBe('open');
    },
  );
});
