import type { Message } from './tables.js';

export const SERVER_TRANS_ID = '7a6a1c5e-3b3a-4d1c-9d7e-0f5c6a1b2c3d';
const ACS_TRANS_ID = '1b4f0b7e-2c1d-4b8e-8a54-97e2b3c4d5e6';
const DS_TRANS_ID = '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3';

/** A browser payment, version 2.1.0. */
export const AREQ_2_1: Message<'AReq'> = {
  messageType: 'AReq',
  messageVersion: '2.1.0',
  threeDSServerTransID: SERVER_TRANS_ID,
  messageCategory: '01',
  deviceChannel: '02',
  threeDSServerRefNumber: 'TILLBRIDGE',
  threeDSServerURL: 'http://127.0.0.1:8080/v1/threeDSecure/results',
  threeDSRequestorID: 'requestor',
  threeDSRequestorName: 'A shop',
  threeDSRequestorURL: 'https://shop.example/',
  threeDSCompInd: 'Y',
  threeDSRequestorAuthenticationInd: '01',
  acctNumber: '4200000000000091',
  cardExpiryDate: '3112',
  acquirerBIN: '400000',
  acquirerMerchantID: 'merchant',
  mcc: '5999',
  merchantCountryCode: '276',
  merchantName: 'A shop',
  purchaseAmount: '1234',
  purchaseCurrency: '978',
  purchaseExponent: '2',
  purchaseDate: '20261123010203',
  notificationURL: 'http://127.0.0.1:8080/v1/threeDSecure/challenge',
  browserAcceptHeader: 'text/html',
  browserJavaEnabled: false,
  browserLanguage: 'en',
  browserColorDepth: '24',
  browserScreenHeight: '1080',
  browserScreenWidth: '1920',
  browserTZ: '-60',
  browserUserAgent: 'test',
};

/** Its answer: authenticated without a challenge. */
export const ARES_2_1: Message<'ARes'> = {
  messageType: 'ARes',
  messageVersion: '2.1.0',
  threeDSServerTransID: SERVER_TRANS_ID,
  acsTransID: ACS_TRANS_ID,
  dsTransID: DS_TRANS_ID,
  acsReferenceNumber: 'SIM-ACS',
  dsReferenceNumber: 'SIM-DS',
  transStatus: 'Y',
  authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
  eci: '05',
};
