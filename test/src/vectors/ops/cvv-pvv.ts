import {
  cavv,
  cvc3,
  type DynamicValueCard,
  dcvv,
  ivcvc3,
} from '@tillbridge/wire/crypto/emv/dynamic-values.js';
import type { IccMasterKeyOption } from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { cvv, cvv2, icvv, pvv } from '@tillbridge/wire/crypto/pin/card-values.js';
import { type Ibm3624Profile, ibm3624Offset, ibm3624Pin } from '@tillbridge/wire/crypto/pin/ibm3624.js';
import type { Inputs, TopicOps } from './inputs.js';

function card(inputs: Inputs): DynamicValueCard {
  return {
    imk: inputs.hex('imk'),
    pan: inputs.text('pan'),
    psn: inputs.text('psn'),
    option: inputs.text<IccMasterKeyOption>('iccMkOption'),
  };
}

function ibmProfile(inputs: Inputs): Ibm3624Profile {
  return {
    decimalisationTable: inputs.text('decimalisationTable'),
    panVerifyOffset: inputs.int('panVerifyOffset'),
    panVerifyLength: inputs.int('panVerifyLength'),
    panPad: inputs.text('panPad'),
  };
}

/** Card and PIN verification values. */
export const CVV_PVV_OPS: TopicOps = {
  cvv: (inputs) => {
    const [cvk, pan, expiry] = [inputs.hex('cvk'), inputs.text('pan'), inputs.text('expiry')];
    return {
      cvv: cvv(cvk, pan, expiry, inputs.text('serviceCode')),
      cvv2: cvv2(cvk, pan, expiry),
      icvv: icvv(cvk, pan, expiry),
    };
  },
  cavv: (inputs) => ({
    cavv: cavv(
      inputs.hex('cvk'),
      inputs.text('pan'),
      inputs.text('upn'),
      inputs.text('authRc'),
      inputs.text('sfarc'),
    ),
  }),
  dcvv: (inputs) => ({
    dcvv: dcvv(card(inputs), inputs.text('expiry'), inputs.text('serviceCode'), inputs.text('atc')),
  }),
  cvc3: (inputs) => {
    const iv = inputs.optionalHex('ivcvc3') ?? ivcvc3(card(inputs), inputs.hex('trackData'));
    return { cvc3: cvc3(card(inputs), iv, inputs.hex('un'), inputs.hex('atc'), inputs.int('digits')) };
  },
  pvv: (inputs) => ({
    pvv: pvv(inputs.hex('pvk'), inputs.text('pvki'), inputs.text('pan'), inputs.text('pin')),
  }),
  ibm3624Pin: (inputs) => {
    const pin = ibm3624Pin(inputs.hex('pvk'), ibmProfile(inputs), inputs.text('pan'), inputs.text('offset'));
    return { pin: pin.toString('latin1') };
  },
  ibm3624Offset: (inputs) => ({
    offset: ibm3624Offset(inputs.hex('pvk'), ibmProfile(inputs), inputs.text('pan'), inputs.text('pin')),
  }),
};
