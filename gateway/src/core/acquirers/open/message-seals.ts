import { fromHex } from '@tillbridge/wire/bytes.js';
import { isKsnOf, ksnAt } from '@tillbridge/wire/crypto/dukpt/ksn-sequence.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import {
  type DukptMac,
  type MacMethod,
  type SecurityModule,
  SecurityModuleError,
} from '../../../security/module/security-module.js';
import type { MessageSeal, NumberSource } from '../iso8583/link/link-deps.js';

type Macs = Pick<SecurityModule, 'generateMac' | 'verifyMac'>;

/** Codes under the one key that the security module has for a partner. */
export function sharedKeySeal(partner: string, method: MacMethod, security: Macs): MessageSeal {
  return {
    mac: (data) => security.generateMac({ partner, method, data }),
    verify: (data, mac) => security.verifyMac({ partner, method, data, mac }),
  };
}

/**
 * Codes by DUKPT: each request has its own key, which its answer uses too, in the variant of answers.
 * @param keySet hex digits in front of the key serial numbers: ten of TDES, eight of AES
 * @param numbers places of key serial numbers: none is given twice, on any node and after any restart
 */
export function dukptSeal(
  partner: string,
  keySet: string,
  numbers: Pick<NumberSource, 'next'>,
  security: Macs,
): MessageSeal {
  return {
    async prepare(message) {
      // An answer names the key of its request.
      if (message.isResponse) return message;
      return { ...message, macKsn: ksnAt(keySet, 'acceptor', (await numbers.next()).sequence) };
    },
    mac: (data, message) => security.generateMac({ partner, data, dukpt: dukptOf(message) }),
    async verify(data, mac, message) {
      // A request of ours that comes back is none of the host's.
      if (!isKsnOf(message.macKsn, keySet, message.isResponse ? 'acceptor' : 'host')) return false;
      try {
        return await security.verifyMac({ partner, data, mac, dukpt: dukptOf(message) });
      } catch (error) {
        if (error instanceof SecurityModuleError && error.code === 'bad-data') return false;
        throw error;
      }
    },
  };
}

function dukptOf({ macKsn = '', isResponse }: ExchangeMessage): DukptMac {
  return { ksn: fromHex(macKsn), direction: isResponse ? 'response' : 'request' };
}
