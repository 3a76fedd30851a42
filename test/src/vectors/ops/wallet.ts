import {
  type AppleOpened,
  openAppleToken,
  openUnverifiedAppleToken,
} from '@tillbridge/wire/crypto/wallets/apple-token.js';
import {
  type GoogleScheme,
  openGoogleToken,
  type PayloadFormat,
} from '@tillbridge/wire/crypto/wallets/google-token.js';
import type { Inputs, TopicOps } from './inputs.js';

function appleFields({
  sharedSecret,
  symmetricKey,
  payment,
}: AppleOpened): Readonly<Record<string, unknown>> {
  return {
    sharedSecretBase64: sharedSecret.toString('base64'),
    symmetricKeyBase64: symmetricKey.toString('base64'),
    payment,
  };
}

function merchant(inputs: Inputs) {
  return {
    merchantIdHash: inputs.hex('merchantIdHashHex'),
    privateKeys: inputs.base64List('merchantPrivateKeysPkcs8Base64'),
  };
}

function google(inputs: Inputs): Readonly<Record<string, unknown>> {
  const trust = {
    recipientId: inputs.text('recipientId'),
    senderId: inputs.text('senderId'),
    rootSigningKeys: inputs.base64List('rootSigningKeysSpkiBase64'),
    merchantPrivateKeys: inputs.base64List('merchantPrivateKeysPkcs8Base64'),
    nowMs: inputs.optionalInt('evaluateAtUnixMs'),
  };
  const format = inputs.optionalText<PayloadFormat>('payloadFormat') ?? 'json';
  return { ...openGoogleToken(inputs.text<GoogleScheme>('scheme'), inputs.object('token'), trust, format) };
}

/** Wallet tokens. */
export const WALLET_OPS: TopicOps = {
  verifyAndDecrypt: (inputs) => {
    if (inputs.text('scheme') !== 'appleEcV1') return google(inputs);
    const trust = {
      ...merchant(inputs),
      trustAnchors: inputs.base64List('trustAnchorsDerBase64'),
      nowMs: inputs.optionalInt('evaluateAtUnixMs'),
    };
    return appleFields(openAppleToken(inputs.object('token'), trust));
  },
  verifyOnly: google,
  decryptOnly: (inputs) => appleFields(openUnverifiedAppleToken(inputs.object('token'), merchant(inputs))),
};
