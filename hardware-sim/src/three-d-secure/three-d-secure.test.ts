import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { AUTHENTICATION_COURSES } from '@tillbridge/wire/payment/authentication-test-cards.js';
import {
  decodeCRes,
  decodeMethodNotification,
  encodeCReq,
  encodeMethodData,
} from '@tillbridge/wire/three-d-secure/browser-messages.js';
import { verifyCavv } from '@tillbridge/wire/three-d-secure/cavv.js';
import { decodeMessage, encodeMessage } from '@tillbridge/wire/three-d-secure/messages/codec.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningThreeDSecure, startThreeDSecure } from './run.js';

const SERVER_TRANS_ID = '7a6a1c5e-3b3a-4d1c-9d7e-0f5c6a1b2c3d';
const KNOWN = { channel: '02', category: '01' } as const;

/** A 3DS Server: keeps the results that come, and answers them. */
interface Results {
  readonly url: string;
  readonly taken: Message<'RReq'>[];
  readonly next: () => Promise<Message<'RReq'>>;
}

let threeds: RunningThreeDSecure;
let server: Server;
let results: Results;
/** How many results are not answered. */
let deaf = 0;

beforeEach(async () => {
  deaf = 0;
  threeds = await startThreeDSecure({
    host: '127.0.0.1',
    threeds: { port: 0, decoupledAfterMs: 0 },
    log: { level: 'silent', target: 'stderr' },
  });
  const taken: Message<'RReq'>[] = [];
  server = createServer(async (request, response) => {
    const rreq = decodeMessage(await text(request), ['RReq'], KNOWN);
    if (deaf > 0) {
      deaf -= 1;
      response.writeHead(500).end();
      return;
    }
    taken.push(rreq);
    const { messageType: _, messageVersion, threeDSServerTransID, acsTransID, dsTransID } = rreq;
    const rres = { messageType: 'RRes', messageVersion, threeDSServerTransID, acsTransID, dsTransID };
    response.end(encodeMessage('RRes', { ...rres, resultsStatus: '01' } as Message<'RRes'>));
    server.emit('taken');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const next = async () => {
    while (taken.length === 0) await once(server, 'taken');
    return taken.shift() as Message<'RReq'>;
  };
  results = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken, next };
});
afterEach(async () => {
  await threeds.close();
  server.close();
});

function areqFor(acctNumber: string, more: Message<'AReq'> = {}): Message<'AReq'> {
  return {
    messageType: 'AReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: SERVER_TRANS_ID,
    messageCategory: '01',
    deviceChannel: '02',
    threeDSServerRefNumber: 'TEST',
    threeDSServerURL: results.url,
    threeDSRequestorID: 'requestor',
    threeDSRequestorName: 'A <shop>',
    threeDSRequestorURL: 'https://shop.example/',
    threeDSCompInd: 'U',
    threeDSRequestorAuthenticationInd: '01',
    acctNumber,
    acquirerBIN: '400000',
    acquirerMerchantID: 'merchant',
    mcc: '5999',
    merchantCountryCode: '276',
    merchantName: 'A <shop>',
    purchaseAmount: '1234',
    purchaseCurrency: '978',
    purchaseExponent: '2',
    purchaseDate: '20261123010203',
    notificationURL: 'http://127.0.0.1:1/back',
    browserAcceptHeader: 'text/html',
    browserJavaEnabled: false,
    browserJavascriptEnabled: true,
    browserLanguage: 'en',
    browserUserAgent: 'test',
    ...more,
  };
}

async function send(path: string, body: string, type: string): Promise<string> {
  const response = await fetch(new URL(path, threeds.listening.url), {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
  return response.text();
}

const toDirectory = (body: string) => send('/ds', body, 'application/json');
const sendForm = (path: string, fields: Readonly<Record<string, string>>) =>
  send(path, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');

async function authenticate(areq: Message<'AReq'>): Promise<Message<'ARes'>> {
  const known = { channel: areq.deviceChannel, category: areq.messageCategory };
  return decodeMessage(await toDirectory(encodeMessage('AReq', areq)), ['ARes'], known);
}

const STATUS = {
  frictionless: 'Y',
  attempt: 'A',
  fault: 'U',
  refuse: 'N',
  challenge: 'C',
  'challenge-fails': 'C',
};
const CARDS = AUTHENTICATION_COURSES.flatMap(({ behaviour, pans }) =>
  behaviour ? pans.map((pan) => [pan, STATUS[behaviour]] as const) : [],
);

it.each(CARDS)('card %s: status %s', async (pan, status) => {
  const ares = await authenticate(areqFor(pan));
  expect(ares.transStatus).toBe(status);
  const result = { Y: 'authenticated', A: 'attempted' }[status];
  if (result === undefined) {
    expect(ares.authenticationValue).toBeUndefined();
    return;
  }
  const about = { pan, dsTransId: ares.dsTransID ?? '', amount: { minor: 1234, currency: 'EUR' } };
  expect(verifyCavv(developmentKey('cavvKey'), ares.authenticationValue ?? '', about)).toBe(result);
  const isMastercard = /^(5|6)/.test(pan);
  expect(ares.eci).toBe(isMastercard ? { Y: '02', A: '01' }[status] : { Y: '05', A: '06' }[status]);
});

describe('the directory server', () => {
  it('names the cards that take part, and where their browsers are sent first', async () => {
    const preq = {
      messageType: 'PReq',
      messageVersion: '2.2.0',
      threeDSServerTransID: SERVER_TRANS_ID,
      threeDSServerRefNumber: 'TEST',
    };
    const pres = decodeMessage(await toDirectory(encodeMessage('PReq', preq)), ['PRes']);
    const byCard = new Map(pres.cardRangeData?.map((range) => [range.startRange, range]));
    expect(byCard.get('4200000000000091')?.threeDSMethodURL).toMatch(/\/acs\/method$/);
    expect(byCard.get('4200000000000026')).not.toHaveProperty('threeDSMethodURL');
    expect(byCard.has('4532497088771651')).toBe(false);
  });

  it('answers what it cannot take with an error message', async () => {
    const unknown = await toDirectory(encodeMessage('AReq', areqFor('4532497088771651')));
    expect(JSON.parse(unknown)).toMatchObject({ messageType: 'Erro', errorCode: '305', errorComponent: 'D' });
    expect(JSON.parse(await toDirectory('{}'))).toMatchObject({ messageType: 'Erro', errorCode: '101' });
    expect(unknown).not.toContain('4532');
  });
});

it('shows a method page that notifies at once', async () => {
  const threeDSMethodData = encodeMethodData({
    threeDSServerTransID: SERVER_TRANS_ID,
    threeDSMethodNotificationURL: 'http://127.0.0.1:1/notified',
  });
  const page = await sendForm('/acs/method', { threeDSMethodData });
  expect(page).toContain('action="http://127.0.0.1:1/notified"');
  expect(decodeMethodNotification(fieldOf(page, 'threeDSMethodData'))).toEqual({
    threeDSServerTransID: SERVER_TRANS_ID,
  });
});

function fieldOf(page: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
}

describe('a challenge', () => {
  const begin = async (pan = '4200000000000067') => {
    const areq = areqFor(pan);
    const { acsTransID = '' } = await authenticate(areq);
    const creq = encodeCReq({
      messageType: 'CReq',
      messageVersion: '2.2.0',
      threeDSServerTransID: SERVER_TRANS_ID,
      acsTransID,
      challengeWindowSize: '02',
    });
    const page = await sendForm('/acs/challenge', { creq, threeDSSessionData: 'kept' });
    const answer = (fields: Readonly<Record<string, string>>) =>
      sendForm('/acs/challenge/answer', { acsTransID, ...fields });
    return { acsTransID, page, answer };
  };

  it('ends with a result before the browser goes back', async () => {
    const { page, answer } = await begin();
    expect(page).toContain('€12.34');
    expect(page).toContain('A &lt;shop&gt;');
    const last = await answer({ action: 'confirm', code: '1234' });
    expect(results.taken).toMatchObject([{ transStatus: 'Y', eci: '05', interactionCounter: '01' }]);
    expect(last).toContain('action="http://127.0.0.1:1/back"');
    expect(fieldOf(last, 'threeDSSessionData')).toBe('kept');
    expect(decodeCRes(fieldOf(last, 'cres'))).toMatchObject({ messageType: 'CRes', transStatus: 'Y' });
  });

  it.each([
    ['the cardholder cancels', '4200000000000067', [{ action: 'cancel' }], { challengeCancel: '01' }],
    [
      'of three wrong codes',
      '4200000000000067',
      [{ code: '1' }, { code: '2' }, { code: '3' }],
      { interactionCounter: '03' },
    ],
    ['the card is one that fails', '4200000000000075', [{ code: '1234' }], { transStatusReason: '01' }],
  ])('fails because %s', async (_case, pan, answers, reported) => {
    const { answer } = await begin(pan);
    let last = '';
    for (const fields of answers) last = await answer(fields);
    expect(results.taken).toMatchObject([{ transStatus: 'N', ...reported }]);
    expect(results.taken[0]).not.toHaveProperty('authenticationValue');
    expect(decodeCRes(fieldOf(last, 'cres'))).toMatchObject({ transStatus: 'N' });
  });

  it('sends its result again until it is taken, and once', async () => {
    const { answer } = await begin();
    deaf = 1;
    await Promise.all([answer({ code: '1234' }), answer({ code: '1234' })]);
    expect((await results.next()).transStatus).toBe('Y');
    expect(results.taken).toEqual([]);
  });

  it('is not shown without its id', async () => {
    expect(await sendForm('/acs/challenge', { creq: 'x' })).toContain('not known');
    expect(await sendForm('/acs/challenge/answer', { acsTransID: SERVER_TRANS_ID })).toContain('not known');
  });
});

describe('without the browser', () => {
  it('authenticates at home where the requestor waits for it', async () => {
    const decoupled = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00010' };
    const ares = await authenticate(areqFor('4200000000000067', decoupled));
    expect(ares).toMatchObject({ transStatus: 'D', acsDecConInd: 'Y', authenticationType: '04' });
    expect(await results.next()).toMatchObject({ transStatus: 'Y', authenticationType: '04' });
  });

  it('refuses a request of the merchant alone for a card that needs a challenge', async () => {
    const alone = { deviceChannel: '03', threeRIInd: '01' };
    const ares = await authenticate(areqFor('4200000000000067', alone));
    expect(ares).toMatchObject({ transStatus: 'N', transStatusReason: '23' });
    expect((await authenticate(areqFor('4200000000000026', alone))).transStatus).toBe('Y');
  });

  it('grants what the requestor requests from 2.2.0 on, and challenges where it wants that', async () => {
    const wishing = (threeDSRequestorChallengeInd: string) =>
      authenticate(areqFor('4200000000000026', { threeDSRequestorChallengeInd }));
    expect((await wishing('05')).transStatus).toBe('I');
    expect((await wishing('04')).transStatus).toBe('C');
  });
});
