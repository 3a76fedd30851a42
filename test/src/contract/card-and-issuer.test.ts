import { createSecretKey, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { InternalAcquirer } from '@tillbridge/gateway/core/acquirers/internal/internal-acquirer.js';
import { track2Of } from '@tillbridge/gateway/security/module/card-example.test.support.js';
import { SoftwareSecurityModule } from '@tillbridge/gateway/security/module/software-security-module.js';
import {
  openDevelopmentKeyStore,
  temporaryHome,
} from '@tillbridge/gateway/security/test-keys.test.support.js';
import { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import { findCard } from '@tillbridge/hardware-sim/cards/catalogue.js';
import {
  completeContact,
  type DecisionInputs,
  decideContact,
  type HostOutcome,
  type OpenTransaction,
  openContact,
} from '@tillbridge/hardware-sim/kernel/contact-transaction.js';
import { readTap } from '@tillbridge/hardware-sim/kernel/contactless-transaction.js';
import type { ApplicationParameters } from '@tillbridge/hardware-sim/kernel/terminal-parameters.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { decodeTlv, encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

// The chips of the simulator on one side, the gateway's security module and issuer simulator on the other: neither knows the other's code.

const hex = (text: string) => Buffer.from(text, 'hex');
const AIDS = ['A000000003', 'A0000000041010', 'A0000000043060'];
const PARAMETERS: ApplicationParameters = {
  aid: 'A000000003',
  objects: new Map([
    ['9F1A', hex('0276')],
    ['5F2A', hex('0978')],
    ['9F33', hex('E0F8C8')],
    ['9F35', hex('22')],
    ['9F40', hex('6000F0A001')],
  ]),
  versions: ['0096', '0002'],
  actionCodes: { denial: hex('0010000000'), online: hex('584004F800'), default: hex('5840000000') },
};
const START = {
  transaction: {
    amountMinor: 1_234,
    cashbackMinor: 0,
    date: '261120',
    time: '120000',
    transactionType: 0,
    sequenceNumber: 7,
  },
  aids: AIDS,
  parametersOf: () => PARAMETERS,
  overrides: [],
  random: { bytes: (length: number) => randomBytes(length) },
};
const DECISION: DecisionInputs = {
  parameters: PARAMETERS,
  risk: undefined,
  cardholder: {
    askOfflinePin: async () => Buffer.from('7531'),
    askOnlinePin: async () => 'captured',
  },
  onExceptionList: false,
  forceOnline: false,
  random: START.random,
};
/** What a terminal sends of the chip's data. */
const SENT = [
  '82',
  '95',
  '9A',
  '9C',
  '5F2A',
  '5F34',
  '9F02',
  '9F03',
  '9F10',
  '9F1A',
  '9F26',
  '9F27',
  '9F36',
  '9F37',
];

let home: string;
let acquirer: InternalAcquirer;
let count = 0;

beforeEach(async () => {
  home = temporaryHome();
  acquirer = await InternalAcquirer.open({
    file: join(home, 'acquirer.db'),
    hashKey: createSecretKey(Buffer.alloc(32, 1)),
    security: new SoftwareSecurityModule(openDevelopmentKeyStore(home)),
    clock: { nowMs: () => Date.UTC(2026, 10, 20, 12) },
    random: systemRandom,
  });
});
afterEach(async () => {
  await acquirer.close();
  rmSync(home, { recursive: true, force: true });
});

function card(name: string) {
  const definition = findCard(name);
  const taken = new CardBox(() => memorySlot()).take(name);
  if (!definition || !taken) throw new Error(`no card ${name}`);
  return { pan: definition.account.pan, ...taken.card };
}

function sentBy({ data }: Pick<OpenTransaction, 'data'>): Buffer {
  return encodeTlv(
    SENT.flatMap((tag) => {
      const value = data.get(tag);
      return value ? [tlv(tag, value)] : [];
    }),
  );
}

function send(pan: string, iccData: Uint8Array, kind: 'authorization' | 'advice', entryMode = 'ICC') {
  count += 1;
  return acquirer.send({
    kind,
    acquirerReference: String(count).padStart(32, '0'),
    amount: { minor: 1_234, currency: 'EUR' },
    instrument: {
      kind: 'card',
      pan,
      expiryYear: '2031',
      expiryMonth: '12',
      track2: track2Of(pan, '1234'),
    },
    pos: { terminalId: '1', entryMode, panSequenceNumber: '01', iccData },
  });
}

async function toFirstCryptogram(name: string) {
  const { pan, contact } = card(name);
  if (!contact) throw new Error(`${name} has no chip`);
  const open = await openContact(contact, START);
  const { cryptogram } = await decideContact(open, DECISION);
  return { pan, open, cryptogram };
}

async function sell(name: string) {
  const { pan, open, cryptogram } = await toFirstCryptogram(name);
  const answer = await send(pan, sentBy(open), 'authorization');
  const outcome: HostOutcome = {
    kind: answer.approved ? 'approved' : 'declined',
    responseCode: answer.responseCode,
    issuerObjects: decodeTlv(answer.iccDataResponse ?? new Uint8Array()),
  };
  const { decision } = await completeContact(open, PARAMETERS, outcome, false);
  return { cryptogram, responseCode: answer.responseCode, decision, data: open.data };
}

describe('online', () => {
  test.each([
    ['visa-credit-online', '00', 'approved'],
    ['mastercard-debit-pin', '00', 'approved'],
    ['mastercard-declined', '51', 'declined'],
    ['visa-bad-arpc', '00', 'declined'],
  ])('%s: the issuer answers %s, the card %s', async (name, responseCode, decision) => {
    expect(await sell(name)).toMatchObject({ cryptogram: 'ARQC', responseCode, decision });
  });

  test('a tap is answered too', async () => {
    const { pan, contactless } = card('visa-contactless');
    if (!contactless) throw new Error('no contactless side');
    const tap = await readTap(contactless, START, () => ({ cvmLimitMinor: 5_000 }));
    expect(tap.cryptogram).toBe('ARQC');
    tap.data.set('9F27', hex('80'));
    const answer = await send(pan, sentBy(tap), 'authorization', 'NFC_ICC');
    expect(answer).toMatchObject({ approved: true, responseCode: '00' });
  });

  test('the same cryptogram with another amount is not believed', async () => {
    const { pan, open } = await toFirstCryptogram('visa-credit-online');
    open.data.set('9F02', hex('000000000001'));
    expect(await send(pan, sentBy(open), 'authorization')).toMatchObject({
      approved: false,
      responseCode: '63',
    });
  });
});

describe('offline', () => {
  test.each(['visa-credit-online', 'maestro-offline-approved'])(
    'the TC of %s, unable to go online, is believed',
    async (name) => {
      const { pan, open, cryptogram } = await toFirstCryptogram(name);
      if (cryptogram === 'ARQC') {
        const { decision } = await completeContact(open, PARAMETERS, { kind: 'unable-to-go-online' }, false);
        expect(decision).toBe('approved');
      }
      expect(await send(pan, sentBy(open), 'advice')).toMatchObject({ approved: true, responseCode: '00' });
    },
  );

  test('an AAC is no approval', async () => {
    const { pan, open } = await toFirstCryptogram('mastercard-declined');
    await completeContact(open, PARAMETERS, { kind: 'unable-to-go-online' }, false);
    const answer = await send(pan, sentBy(open), 'advice');
    expect(answer).toMatchObject({ approved: false, responseCode: '63' });
  });
});
