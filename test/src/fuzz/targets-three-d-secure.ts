import { isDeepStrictEqual } from 'node:util';
import {
  decodeCReq,
  decodeCRes,
  decodeMethodData,
  encodeCReq,
  encodeCRes,
  encodeMethodData,
} from '@tillbridge/wire/three-d-secure/browser-messages.js';
import { verifyCavv } from '@tillbridge/wire/three-d-secure/cavv.js';
import {
  decodeMessage,
  encodeMessage,
  ThreeDSError,
} from '@tillbridge/wire/three-d-secure/messages/codec.js';
import { MESSAGES, type MessageType } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { type FuzzTarget, PropertyError } from './target.js';

const IDS = {
  messageVersion: '2.2.0',
  threeDSServerTransID: '7a6a1c5e-3b3a-4d1c-9d7e-0f5c6a1b2c3d',
  acsTransID: '1b4f0b7e-2c1d-4b8e-8a54-97e2b3c4d5e6',
  dsTransID: '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3',
};
const RREQ = {
  messageType: 'RReq',
  ...IDS,
  messageCategory: '01',
  transStatus: 'Y',
  authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
  authenticationType: '02',
  interactionCounter: '01',
  eci: '05',
};
const PRES = {
  messageType: 'PRes',
  ...IDS,
  dsStartProtocolVersion: '2.1.0',
  dsEndProtocolVersion: '2.2.0',
  cardRangeData: [
    {
      startRange: '4200000000000000',
      endRange: '4200000000009999',
      acsStartProtocolVersion: '2.1.0',
      acsEndProtocolVersion: '2.2.0',
      threeDSMethodURL: 'http://127.0.0.1:1/method',
    },
  ],
};
const ERRO = {
  messageType: 'Erro',
  ...IDS,
  errorCode: '203',
  errorComponent: 'D',
  errorDescription: 'x',
  errorDetail: 'mcc',
};
const TYPES = Object.keys(MESSAGES) as readonly MessageType[];

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const textOf = (input: Uint8Array): string => Buffer.from(input).toString('utf8');
const CREQ = encodeCReq({ messageType: 'CReq', ...IDS, challengeWindowSize: '03' });
const CRES = encodeCRes({ messageType: 'CRes', ...IDS, transStatus: 'N' });
const METHOD_DATA = encodeMethodData({
  threeDSServerTransID: IDS.threeDSServerTransID,
  threeDSMethodNotificationURL: 'http://127.0.0.1:1/notified',
});

/** 3D Secure: messages between servers, and what comes back through the cardholder's browser. */
export const THREE_D_SECURE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'three-d-secure/message',
    corpus: [RREQ, PRES, ERRO].map(json),
    refusals: [ThreeDSError],
    run: (input) => {
      const message = decodeMessage(textOf(input), TYPES);
      const again = decodeMessage(encodeMessage(message.messageType, message), TYPES);
      if (!isDeepStrictEqual(again, message))
        throw new PropertyError('a message is not what it was encoded as');
    },
  },
  ...[
    { name: 'three-d-secure/creq', field: CREQ, decode: decodeCReq },
    { name: 'three-d-secure/cres', field: CRES, decode: decodeCRes },
    { name: 'three-d-secure/method-data', field: METHOD_DATA, decode: decodeMethodData },
  ].map(
    ({ name, field, decode }): FuzzTarget => ({
      name,
      corpus: [bytes(field)],
      refusals: [ThreeDSError],
      run: (input) => decode(Buffer.from(input).toString('latin1')),
    }),
  ),
  {
    name: 'three-d-secure/cavv',
    corpus: [bytes(RREQ.authenticationValue)],
    run: (input) => {
      const about = {
        pan: '4200000000000091',
        dsTransId: IDS.dsTransID,
        amount: { minor: 1, currency: 'EUR' },
      };
      const result = verifyCavv(Buffer.alloc(32, 1), Buffer.from(input).toString('latin1'), about);
      if (result !== undefined) throw new PropertyError('a made-up value was verified');
    },
  },
];
